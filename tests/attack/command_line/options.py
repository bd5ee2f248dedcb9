"""Commands drawn from the options that each verb has: `python -m tests.attack.command_line.options --examples 2000`.

Values are lawful and not: words of the kind that an option takes, and those of others, numbers below zero, huge, or
none, names of files that are not there. Networks are small, so whatever is asked for takes no more than SECONDS.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import typer
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from tests.attack.command_line.verbs import fall_of, say

from jumpnet import cli
from jumpnet.cli import compile as compiling
from jumpnet.coherence import check as checker
from jumpnet.routings import routings
from jumpnet.sim.config import SimConfig
from jumpnet.study import cluster
from jumpnet.topology import families
from jumpnet.traffic import patterns, processes

__all__ = ["attack_options", "drawn_verbs"]

SECONDS = 120
"""After so long a command hangs: far more than any takes, kernels compiled anew included."""
NUMBERS = ("0", "1", "2", "7", "-1", "-3", "0.5", "-0.1", "1e400", "-1e400", "nan", "inf", "-inf", "1e-320", "1_0", "٣",
           "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9" * 5000, "0x10", "1,2", "0.1,0.2",
           "0.1..0.2/2", "0.2..0.1", "0..1/0", "1..nan", "0,0,0", "1,2,3,4,5,6,7,8,9")  # fmt: skip
STRANGE = ("", " ", "x", ":", ",", "=", "a=1", "==", "\0x", "\x1b[2J", "[/bold]", "[red]", "é" * 300, "x" * 3000,
           "-", "--", "..",
           "/", "/dev/null", "/dev/zero", "/no/such/file.csv", "no.svg", "a.png", "b.pdf", "c.csv", "d.json", "e.npy",
           "{}", "%s", "*", "~", "\udcff", "\n", "torus:4x4", "file:", "file:/", "s.toml")  # fmt: skip
SPECS = ("torus:4x4", "torus:4", "mesh:3x3", "mesh:5", "rdt:4", "prdt:8", "hypercube:3", "complete:5", "fattree:2,n=2",
         "fly:2,n=2", "dragonfly:1", "debruijn:2,n=3", "kautz:2,n=2,directed=true", "star:3", "srt1d:8", "srt2d:4",
         "ccc:3", "rdn:3,k=1", "torus:2x2x2", "torus:4x4,terminals=2", "mesh:1", "torus:1", "torus:0x4", "torus:4x",
         "torus:-4x4", "torus:nan", "torus:4x4x", "mesh:99999999999999999999", "hypercube:99", "complete:1", "rdt:5",
         "random:0", "named:petersen", "torus:4x4,x=1", "tree:2,n=3")  # fmt: skip
OTHERS = ("SM", "LPRA", "LARP", "LARP:path", "REMAKE", "full", "all", "one-port", "all-port", "bfs", "binomial", "rdn",
          "rank_descending", "booksim", "yang2001", "jump1", "nodes", "links", "local", "graph", "exact", "bound",
          "NESW", "ES", "random", "clustered", "any", "fifo", "single", "combined", "flit", "packet", "network",
          "diameter", "local:2", "local:nan", "plane", "line", "watch", "drop", "paths", "chip", "remake",
          "chip:change=none", "mesi", "lu", "lu:n=8", "water:molecules=8",
          "workload:lu,n=8,processors=4", "workload:lu,n=0", "trace", "load", "decode", "check", "repair",
          "topology", "routing", "pattern", "family", "setting",
          "graphml", "garnet", "routes", "anynet", "minimal", "lash", "mesh88_lat", "100:router:3", "5:link:0:1",
          "invalidate", "update", "first-touch", "page", "infinite", "1,2", "3,3")  # fmt: skip
LEFT_OUT = {
    "paper --full": "the long version",
    "paper --out": "would write a folder of files wherever is drawn",
    "paper --record": "writes into the checkout",
    "paper --check": "compares the checkout's files: tests/papers",
    "degrade --simulate": "searches a load by simulation at each step",
    "simulate --find-saturation": "a search of some ten runs",
    "simulate --cycles": "drawn below",
    "chip --full": "the long version",
    "chip faults": "takes seconds whatever is drawn",
}
"""Verbs and options that are not drawn, and why."""
FIXED = {
    "degrade": ["--no-simulate"],
    "simulate": ["--cycles", "60"],
    "paper": ["--only", "symmetry"],
}
"""What keeps a verb short; `shortened` does the rest."""
SCHEDULERS = ("x", "tls://", "http://x", "://", "tcp://127.0.0.1:9", "tls://127.0.0.1:9", "tcp://[::1]:9", "tcp://[",
              "inproc://", "inproc://1/2/3", "ucx://127.0.0.1:9", "127.0.0.1:99999", "tcp://127.0.0.1:0",
              "ws://127.0.0.1")  # fmt: skip
"""Addresses where no scheduler is; of `local`, which takes seconds, `tests/study/test_cluster` has all."""
ANSWER_S = 0.2
"""What a scheduler has for its answer."""
CACHES = 3
"""The most that the model checker is asked for: eleven take minutes, and are lawful."""


@cache
def _names() -> tuple[str, ...]:
    """Names of the registries, settings with values, and all the words above that mean something."""
    chosen = [f"{name}={value}" for name in SimConfig.model_fields for value in ("2", "nan", "-1", "x")]
    samples = [spec for family in families().values() for spec in family.samples[:1]]
    return (*routings(), *patterns(), *processes(), *chosen, *samples, *OTHERS)


def drawn_verbs() -> list[str]:
    """Verbs that are drawn."""
    return [verb for verb in cli.verbs() if verb not in LEFT_OUT]


def _values(param: Any) -> st.SearchStrategy[str]:
    """What an option or argument is given: mostly what may be meant."""
    about = f"{param.name} {param.metavar or ''} {getattr(param, 'help', '') or ''}".lower()
    if param.name in ("spec", "specs", "network"):
        likely = SPECS
    elif "routing" in param.name or "reroute" in param.name:
        likely = tuple(routings())
    elif "traffic" in param.name:
        likely = tuple(patterns())
    else:
        likely = _names()
    named = tuple(re.findall(r"[\w.:=*]+[\w]", getattr(param, "help", "") or "")) or likely  # what it says it takes
    named = SPECS if likely is SPECS else named  # networks named there are large
    if param.name == "words":
        likely = (*SPECS, *likely)
    words = [likely, named, NUMBERS, STRANGE] if "number" not in about else [likely, named, NUMBERS, NUMBERS, STRANGE]
    return st.one_of(*map(st.sampled_from, words))


@st.composite
def commands(draw: st.DrawFn, verb: str) -> list[str]:
    """The words of a command of this verb."""
    made = typer.main.get_command(cli.app(verb))
    params: list[Any] = getattr(made, "commands", {verb: made})[verb].params
    arguments: list[str] = []
    options = [p for p in params if p.opts[0].startswith("-") and f"{verb} {p.opts[0]}" not in LEFT_OUT]
    words: list[str] = []
    for param in params:
        if param.opts[0].startswith("-"):
            continue
        count = 1 if param.nargs == 1 else draw(st.integers(0, 3))
        if param.required or draw(st.booleans()):
            arguments += [draw(_values(param)) for _ in range(max(count, int(param.required)))]
    needed = [p for p in options if p.required]
    for param in [*needed, *draw(st.lists(st.sampled_from(options), max_size=4))] if options else []:
        words.append(draw(st.sampled_from([*param.opts, *param.secondary_opts])))
        if not param.is_flag:
            words.append(draw(_values(param)))
    last = draw(SWEEPS) if verb == "sweep" else FIXED.get(verb, [])  # of several values the last one counts
    return [verb, *arguments, *words, *last]


SWEEPS = st.sampled_from((*SCHEDULERS, *NUMBERS, *STRANGE)).flatmap(
    lambda address: st.sampled_from(
        (["--dry-run"], *(["--workers", "1", *trust, "--scheduler", address] for trust in ([], ["--trust-scheduler"])))
    )
)
"""A sweep is told only, or given a scheduler; without either it would run."""


@contextmanager
def shortened() -> Iterator[None]:
    """No scheduler is waited for; no group of kernels compiled and no states of many caches, which take minutes."""
    with (
        mock.patch.object(cluster, "ANSWER_S", ANSWER_S),
        mock.patch.object(compiling, "GROUPS", ()),
        mock.patch.object(checker, "MOST_CACHES", CACHES),
    ):
        yield


class TooLong(BaseException):
    """A command has not ended in time."""


def _late(number: int, frame: Any) -> None:
    raise TooLong


@contextmanager
def _in_time() -> Iterator[None]:
    """SECONDS for what is done within."""
    before = signal.signal(signal.SIGALRM, _late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _try(words: list[str]) -> str:
    """Why a command's end is a fall; empty when it is none."""
    if words[:2] == ["chip", "faults"] or any(word.startswith("/dev/null") for word in words[1:2]):
        return ""
    try:
        with _in_time():
            said = say(words)
    except TooLong:
        return f"no answer within {SECONDS} s"
    return fall_of(said)


STUDY = '[study]\nname = "s"\n[[sweep]]\nnetwork = ["torus:4x4"]\nload = [0.1, 0.2]\n'


def attack_options(verb: str, examples: int, seed: int | None = None) -> None:
    """Run so many commands of a verb; AssertionError with the least one that falls. seed: other commands."""
    profile = settings(
        max_examples=examples, deadline=None, derandomize=seed is None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink],
    )  # fmt: skip

    def run(words: list[str]) -> None:
        why = _try(words)
        assert not why, f"{words}: {why}"

    cli.app(verb)  # loaded before anything is drawn
    test = profile(given(commands(verb))(run))
    with tempfile.TemporaryDirectory() as folder, chdir(folder), shortened():
        Path("s.toml").write_text(STUDY)
        (test if seed is None else seeded(seed)(test))()


def main() -> int:
    """Attack what the options name, and say what fell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--examples", type=int, default=100, help="Commands of each verb.")
    options.add_argument("--seed", type=int, help="Other commands.")
    options.add_argument("--only", action="append", default=[], help="A verb; all if left out; may be repeated.")
    given = options.parse_args()
    os.environ.setdefault("COLUMNS", "200")
    fallen = 0
    for verb in given.only or drawn_verbs():
        try:
            attack_options(verb, given.examples, given.seed)
        except BaseException as error:  # Hypothesis groups several of them
            fallen += 1
            for each in getattr(error, "exceptions", [error]):
                print(f"{verb}: {each}"[:1500], flush=True)
    print(f"{given.examples} commands of each of {len(given.only or drawn_verbs())} verbs, {fallen} verbs fell")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
