"""What is wrong with a command line, in one line of our kind: messages of the option parser with the nearest option.

Used by `main`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.cli._command.verbs import verbs
from jumpnet.errors import nearest

__all__ = ["LOAD", "meant", "usage"]

EXPECTED = {"integer": "a whole number", "float": "a number", "number": "a number"}
"""Words in the option parser's messages, and what we say for them."""


LOAD = "--load"
"""Before a verb, or with a name that ends in `.py`, a file of the user's; after a verb also the offered load."""


EVERYWHERE = ("--quiet", "--digits", LOAD)
"""Options that may stand anywhere in a command."""


def _given(option: str, words: Sequence[str]) -> str | None:
    """The word that follows an option, or its equals sign."""
    for word, follows in zip(words, [*words[1:], None], strict=True):
        name, equals, value = word.partition("=")
        if name == option:
            return value if equals else follows
    return None


def _setting(error: BaseException, option: str) -> str | None:
    """The simulator's setting of the name of an option that is none, where the verb takes settings."""
    command = error.ctx.command  # type: ignore[attr-defined]
    if not any("--set" in param.opts for param in command.params):
        return None
    from jumpnet.sim.config.parameters import BOOKSIM
    from jumpnet.sim.config.sim_config import SimConfig

    name = option.lstrip("-").replace("-", "_")
    ours = next((ours for ours, theirs in BOOKSIM.items() if theirs == name), name)
    if ours in SimConfig.model_fields:
        return ours
    options = [opt for param in command.params for opt in param.opts]
    longer = [setting for setting in SimConfig.model_fields if setting.startswith(f"{name}_")]
    if len(longer) == 1 and not any(opt.startswith(option) for opt in options):
        return longer[0]
    close = nearest(name, [*SimConfig.model_fields, *(opt.lstrip("-").replace("-", "_") for opt in options)])
    return close if close in SimConfig.model_fields and f"--{close}".replace("_", "-") not in options else None


EXTRA = "unexpected extra argument"
INSTEAD = {
    "machine": "`jumpnet machine FILE --network SPEC` sends a trace over a network",
    "replay": "a stored point is run again by `jumpnet replay HASH --store FILE`, a trace by `jumpnet simulate SPEC "
    "--trace FILE`",
    "workload": "`jumpnet workload NAME --out FILE` writes a trace, `jumpnet machine FILE --network SPEC` reads one",
}
"""What a verb is told by who gives it arguments of another one, or in another order."""


def _extra(error: BaseException, found: str, words: Sequence[str]) -> str:
    """The line for arguments beyond those of a verb: which, and what may follow it."""
    command = error.ctx.command  # type: ignore[attr-defined]
    names = [part.metavar or part.name.upper() for part in command.params if part.param_type_name == "argument"]
    taken = " ".join(["jumpnet", command.name or "", *names])
    return f"unexpected extra argument {found!r} found, `{taken}` expected" + instead(words)


def instead(words: Sequence[str]) -> str:
    """What else the verb of these words, or another one, may have been meant to do; empty where nothing is known.

    >>> instead(["workload", "a.csv", "torus:4x4"]).startswith("; `jumpnet workload NAME --out FILE` writes a trace")
    True
    """
    verb = next((word for word in words if word in verbs()), "")
    return f"; {INSTEAD[verb]}" if verb in INSTEAD else ""


OF_FILES = {
    (".toml",): "a study is run by `jumpnet sweep {0}`",
    (".sqlite",): "the points of a store are shown by `jumpnet results {0}`",
    (".py",): "a file of your own is loaded by `--load {0}`",
    (".anynet", ".edgelist", ".graphml", ".txt"): "the network in a file is file:{0}",
    (".csv", ".parquet", ".bz2", ".trace"): "a trace follows --trace, or `jumpnet machine`",
}
"""What a file's name in the place of a network says."""


def meant(message: str) -> str:
    """An error with what a name in the place of another one is; the same error where that is nothing we know.

    >>> meant("unknown family 'torus.dateline'; none is close")
    "unknown family 'torus.dateline': it is a routing, --routing torus.dateline"
    >>> meant("unknown family 'study.toml'; none is close")
    "unknown family 'study.toml': a study is run by `jumpnet sweep study.toml`"
    """
    kind, _, rest = message.partition(" '")
    name = rest.partition("'")[0]
    is_what = {"unknown family": _no_family, "unknown workload": _no_workload}.get(kind)
    said = is_what(name) if is_what else ""
    return f"{kind} {name!r}: {said}" if said else message


def _no_workload(name: str) -> str:
    from jumpnet.topology import families

    of_file = name.endswith(tuple(end for ends in OF_FILES for end in ends))
    return INSTEAD["workload"] if name in families() or of_file else ""


def _no_family(name: str) -> str:
    for ends, says in OF_FILES.items():
        if name.endswith(ends):
            return says.format(name)
    if name.isdigit():
        return "a network such as torus:8x8 comes first"
    from jumpnet.routings import routings
    from jumpnet.traffic import patterns

    for known, called, option in ((routings, "routing", "--routing"), (patterns, "traffic pattern", "--traffic")):
        if name in known():
            return f"it is a {called}, {option} {name}"
    return ""


ELSEWHERE = {
    "cost": "per",
    "normalize": "per",
    "pattern": "traffic",
    "jobs": "workers",
    "processes": "workers",
    "algorithm": "routing",
    "rate": "load",
    "injection-rate": "load",
    "injection_rate": "load",
    "output": "out",
    "bisection": "structure",
    "symmetry": "structure",
    "connectivity": "structure",
    "distribution": "distances",
    "histogram": "distances",
}
"""What other tools call an option, and what it is here: such a name may be spelled like another option of ours."""


TO_THE_LETTER = {"csv": "json"}
"""The same for a name that is nearly one of a setting (`vcs`)."""


OF_PLOT = ("--style", "--title")
"""Options of `jumpnet plot`, which are looked for where a verb draws a quick picture."""


def _elsewhere(error: BaseException, option: str) -> str | None:
    """The option of this command that another tool calls so, or nearly so."""
    command = getattr(getattr(error, "ctx", None), "command", None)
    ours = {name.lstrip("-") for param in getattr(command, "params", []) for name in param.opts}
    word = option.lstrip("-")
    if TO_THE_LETTER.get(word) in ours:
        return f"--{TO_THE_LETTER[word]}"
    theirs = {other for other, name in ELSEWHERE.items() if name in ours and other not in ours}
    close = nearest(word, sorted(ours | theirs))
    return f"--{ELSEWHERE[close]}" if close in theirs else None


def usage(error: BaseException, words: Sequence[str]) -> str:
    """A message of the option parser as one line of our kind, with the nearest option when it names several."""
    text = " ".join(error.format_message().split()).rstrip(".")  # type: ignore[attr-defined]
    option = getattr(error, "option_name", None)
    if option and not hasattr(error, "possibilities"):  # an option that there is, used in a wrong way
        return f"{option}: no value expected" if "not take" in text else f"{option}: a value expected, none found"
    if option == LOAD:  # of a verb without offered loads
        given = _given(LOAD, words) or ""
        found = f"{LOAD} {given!r} found, a Python file of your own, FILE.py, expected"
        return f"{found}; offered loads are of `jumpnet simulate`, or a study's file" if given[:1].isdigit() else found
    if option:
        return _unknown(error, option, words)
    if option is None and EXTRA in text:
        return _extra(error, text.rpartition("(")[2].rstrip(")"), words)
    param = getattr(error, "param", None)
    return text if param is None else _of_value(param, text, words)


def _unknown(error: BaseException, option: str, words: Sequence[str]) -> str:
    """The line for an option that the command does not have."""
    ours = _elsewhere(error, option)
    if not ours and option in OF_PLOT and not hasattr(error, "param"):
        return f"unknown option {option!r}: a picture of a study has it, `jumpnet plot`"
    if ours := ours or _near(error, option):
        return f"unknown option {option!r}; did you mean {ours!r}?"
    asked = " ".join(["jumpnet", *words[: words[0] in verbs()], "--help"])
    return f"unknown option {option!r} found, one of `{asked}` expected"


def _near(error: BaseException, option: str) -> str | None:
    """What comes near an option that there is not: a setting, or an option of this command or of all."""
    if setting := _setting(error, option):
        return f"--set {setting}=..."
    possible = [*(getattr(error, "possibilities", None) or [])]  # `list` is a verb here, not the type
    longer = [name for name in EVERYWHERE if len(option) > len("--") and name.startswith(option)]
    if longer and not any(name.startswith(option) for name in possible):
        return longer[0]
    if possible:
        return str(nearest(option, possible) or possible[0])
    return nearest(option, EVERYWHERE) if len(option) > len("-x") else None


def _of_value(param: Any, text: str, words: Sequence[str]) -> str:
    """The line for an argument or the value of an option, which is missing or wrong."""
    name = param.opts[0] if param.opts[0].startswith("-") else param.metavar or param.name
    found = _given(name, words)
    if found is None:
        other = instead(words) if name.startswith("-") else ""
        return f"no {name} found, one expected: {param.help.rstrip('.') if other else param.help}{other}"
    for kind, expected in EXPECTED.items():
        if kind in text:
            return f"{name} {found!r} found, {expected} expected"
    return text
