"""Commands with their kernels on the disk run where Numba cannot be loaded: those that are measured, and every verb."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.start import COMMANDS, FILES

from jumpnet.cli import verbs
from jumpnet.jit.decorator import DISABLED
from jumpnet.study.store import Store

SHORT = "--set warmup_cycles=200 --set measure_cycles=400"
MORE = (
    f"simulate torus:8x8 --load 0.3 {SHORT}",  # saturated: a hint that names another routing
    f"simulate mesh:8x8 --load 0.5 {SHORT}",  # saturated: a hint that a cut rules out
    f"simulate torus:8x8 --load 0.1 --routing dfsssp --set vcs=4 {SHORT}",
    f"simulate torus:8x8 --load 0.1 --routing nue --set vcs=2 {SHORT}",
    f"simulate torus:8x8 --load 0.1 --routing up_down {SHORT}",
    "prove torus:4x4 --certificate own.cert",
    "check own.cert",
    "export rdt:8 --out own.graphml",
    "metrics dragonfly:2 --structure",
    "explore mesh:3x3 --out page",
    "list routing",
    "new pattern mine",
    "results own.toml",
    "plot own.toml --out own.svg",
    "store check own.sqlite",
    "paper yang2001rdt --only table_3 --out own",
)
"""Beside those of the benchmark; the files are those that commands before them write."""
FOR_NUMBA = {"compile"}
"""Verbs that do nothing without it."""

PROGRAM = """
import shlex, sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numba":
            raise ImportError("Numba was asked for")

if sys.argv[1] == "without":
    sys.meta_path.insert(0, Refused())
from jumpnet.cli import main

for command in sys.stdin.read().splitlines():
    sys.argv = ["jumpnet", "--quiet", *shlex.split(command)]
    try:
        main()
        found = 0
    except SystemExit as end:
        found = end.code
    except BaseException as error:
        found = repr(error)
    if found:
        print(f"{command}: {found}", file=sys.stderr)
"""


def _run(folder: Path, commands: list[str], how: str) -> str:
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = [sys.executable, "-c", PROGRAM, how]
    given = "\n".join(commands)
    made = subprocess.run(words, input=given, capture_output=True, text=True, cwd=folder, env=os.environ, check=False)
    assert made.returncode == 0
    return made.stderr


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_what_was_run_once_runs_without_numba(tmp_path: Path) -> None:
    commands = [*(command for command in COMMANDS if not command.startswith("--")), *MORE]
    assert _run(tmp_path / "first", commands, "with") == ""
    with Store(tmp_path / "first" / "own.sqlite") as store:
        commands.append(f"replay {next(store.rows()).hash} --store own.sqlite")
    assert {command.split()[0] for command in commands} == verbs().keys() - FOR_NUMBA
    assert _run(tmp_path / "then", commands, "without") == ""


def test_all_routings_load_in_plain_python() -> None:
    words = [sys.executable, "-c", "from jumpnet.routings import routings; print(len(routings()))"]
    found = subprocess.run(words, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert found.returncode == 0 and int(found.stdout) > 40, found.stderr
