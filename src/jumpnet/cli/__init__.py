"""The command line: one file = one verb. `main` turns every error of the user's into one line and exit status 2.

Beside the verbs lie what every command goes through (`_command`), options as records (`_options`), what verbs say
(`_answers`) and the templates of `jumpnet new` (`_new`).
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import islice

import typer

from jumpnet.cli._command.called import called_verb, guarded
from jumpnet.cli._command.completion import answering, asked_line
from jumpnet.cli._command.ending import ReaderLeft, ended_by
from jumpnet.cli._command.help import VerbHelp, VerbsHelp
from jumpnet.cli._command.output import answer_alone, show_digits
from jumpnet.cli._command.surroundings import check_compiler, forget_odd_widths, open_outputs
from jumpnet.cli._command.usage import LOAD
from jumpnet.cli._command.verbs import in_panels, panel_of, summary, verbs
from jumpnet.cli._command.watch import INTERRUPTED, WATCH
from jumpnet.cli._options.gathered import spread
from jumpnet.cli._options.settings import KINDS
from jumpnet.cli._options.shared import Digits, OwnFiles, Quiet
from jumpnet.errors import JumpnetError, nearest, unknown_name
from jumpnet.notices import as_before, be_quiet

__all__ = ["app", "everywhere_first", "main", "run_words", "verbs"]


def _version(show: bool) -> None:
    if show:
        from jumpnet import __version__  # found by reading what is installed: a while, for this option alone

        print(f"jumpnet {__version__}")
        raise typer.Exit


def app(verb: str | None = None, *, contents: bool = False) -> typer.Typer:
    """The Typer application: each module of this folder has NAME, EXAMPLE and `run`.

    Given `verb`, only that one is loaded. With `contents` none is: the verbs are there to be listed, not to be run.
    """
    made = typer.Typer(
        name="jumpnet",
        cls=VerbsHelp,
        help="A laboratory for interconnection networks.",
        epilog="Start with `jumpnet metrics torus:8x8`; `jumpnet VERB --help` has options, `jumpnet list` names.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )

    @made.callback()
    @guarded
    def options(
        version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
        load: OwnFiles = None,
        quiet: Quiet = False,
        digits: Digits = None,
    ) -> None:
        show_digits(digits)
        if quiet:
            be_quiet()
        files = [*filter(None, os.environ.get("JUMPNET_LOAD", "").split(os.pathsep)), *(load or ())]
        if files:
            from jumpnet import own  # what defines something may need much of jumpnet

            for file in files:
                own.load(file)

    known = verbs()
    for name in [verb] if verb in known else in_panels() if contents else known:
        if contents:
            panel = panel_of(known[name])
            made.command(name=name, help=summary(known[name]), rich_help_panel=panel)(lambda: None)
        else:
            module = import_module(known[name])
            verb_of = made.command(name=module.NAME, cls=VerbHelp, epilog=f"Example: {module.EXAMPLE}")
            verb_of(called_verb(spread(module.run)))
    return made


NUMBER = re.compile(r"[+-]?[\d_]*\.?[\d_]*([eE][+-]?\d+)?")
"""What Python reads as a number, in digits of any script."""
OBJECTS_UNTIL_COLLECTED = 10_000
"""How many more objects there may be before Python looks for garbage among them; by itself it is 700 or 2,000."""


Words = list[str]  # `list` is a verb below
WORDS_OF_HELP = 2
"""`help VERB`; with more, `help KIND NAME` shows the settings of one thing."""


def everywhere_first(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The options that may stand anywhere with their values, and the other words.

    They are `--quiet`, `--digits N` and every `--load FILE.py`; an offered load is a number. Raises JumpnetError for
    `--load` as the last word, which names neither, and for two offered loads.
    """
    if words and words[-1] == LOAD:
        raise JumpnetError(f"{LOAD}: a value expected, none found: an offered load, or a Python file of your own")
    left = iter(words)
    before = ""
    first: Words = []
    others: Words = []
    for word in left:
        if word in ("--quiet", "--digits") or word.startswith("--digits="):
            first += [word, *islice(left, word == "--digits")]
            continue
        value = next(left, None) if word == LOAD else word.removeprefix(f"{LOAD}=") if word.startswith(LOAD) else None
        if value is not None and (value.endswith(".py") or not others):
            first += [LOAD, value]
        else:
            if value is not None and before:
                raise JumpnetError(f"{LOAD} {before} and {LOAD} {value} found, one expected, of loads such as 0.1,0.2")
            before = value or before
            others += [word] if value is None or word != LOAD else [word, value]
    return first, others


def _verb_of_line(line: str) -> str:
    """The verb whose options a line to be completed may go on with, empty while the verb itself is written.

    >>> _verb_of_line("jumpnet metrics --"), _verb_of_line("jumpnet met")
    ('metrics', '')
    """
    return next((word for word in line.split()[1:] if word in verbs()), "")


def _unknown_verb(name: str, beside: str = "`jumpnet --version` the version") -> JumpnetError:
    """The error for a word that is no verb; where none is near, how the verbs are listed, and what else there is."""
    known = [*verbs(), "help"]
    if nearest(name, known):
        return unknown_name("verb", name, known)
    if ":" in name:
        return JumpnetError(f"unknown verb {name!r}: a network follows one, as in `jumpnet metrics {name}`")
    return JumpnetError(f"unknown verb {name!r}; `jumpnet --help` lists the verbs, {beside}")


def _must_be_plain(words: Sequence[str]) -> None:
    """Refuse numbers in digits of other scripts, which Python would read; a file of such a name is `./NAME`."""
    for word in words:
        for value in {word, word.partition("=")[2]}:
            if not value.isascii() and NUMBER.fullmatch(value.strip()):
                raise JumpnetError(f"{value!r} found, a number in the digits 0 to 9 expected")


def run_words(given: Sequence[str]) -> int:
    """Run one verb with its arguments; its exit status. Raises what the verb raises."""
    options, words = everywhere_first(given)
    _must_be_plain(given)
    first = words[0] if words else ""
    if line := asked_line():  # the shell asks what may come next: the words are those of its line
        first = _verb_of_line(line)
    if first == "help":  # as with git and others
        if words[1:2] and not words[1].startswith("-") and not {words[1]} & {*verbs(), *KINDS}:
            raise _unknown_verb(words[1], "`jumpnet help KIND NAME` is for what `jumpnet list` names")
        of_thing = len(words) > WORDS_OF_HELP and words[1] in KINDS
        return run_words(["list", *words[1:]] if of_thing else [*words[1:2], "--help"])
    if first and not first.startswith("-") and first not in verbs():
        raise _unknown_verb(first)
    asked = app(first) if first in verbs() else app(contents=first != "--")  # after -- comes a verb, of whatever name
    with as_before(), answering(), answer_alone(words):  # `--quiet` is for this verb alone
        try:
            status = asked(args=[*options, *words], prog_name="jumpnet", standalone_mode=False)
        except SystemExit as end:  # Rich has closed the output, or the option parser, as the reader has left
            if isinstance(end.__context__, BrokenPipeError):
                raise ReaderLeft from None
            raise
    if status == INTERRUPTED:  # newer versions of Typer answer so, older ones raise Abort
        raise KeyboardInterrupt
    return status if isinstance(status, int) else 0


def main() -> None:
    """Entry point of the `jumpnet` command."""
    # Loading makes some 150,000 lasting objects: garbage collection among them on the way and at the end would take
    # a quarter of the time of a short run.
    gc.set_threshold(OBJECTS_UNTIL_COLLECTED)
    atexit.register(gc.freeze)
    os.environ.pop("MPLBACKEND", None)  # a notebook's, which its commands would inherit: pictures here are files
    forget_odd_widths()
    lost = open_outputs()
    try:
        WATCH.start()
        check_compiler()
        status = run_words(sys.argv[1:])
        sys.stdout.flush()
        if lost is not None and lost.tell():
            raise JumpnetError("output: closed, a place to write expected")
    except BaseException as error:
        status = ended_by(error)
    sys.exit(status)
