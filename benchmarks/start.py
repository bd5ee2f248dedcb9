"""CPU seconds of the first and the second run of every verb in an environment: what a user waits for the compiler.

`python -m benchmarks start [--python ENV/bin/python] [WORD ...]`: each command runs twice, as a process of its own
with an empty cache of kernels and an empty home folder; given words, only commands that hold one of them. `compiled`
counts the kernels that the first run had to compile and keep; `--names` says which. With `--settings` commands of
every sort of setting run too, with `--routings` a run of every routing, of which one that compiles nothing runs once.
With `--parts` only the parts that every start has are measured.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks._first_uses import BEFORE, COMMANDS, FILES, SETTINGS, VERBS, each_routing

__all__ = ["COMMANDS", "FILES", "main"]

AS_JUMPNET = "import atexit, gc; gc.set_threshold(10000); atexit.register(gc.freeze)"
"""What `jumpnet` does first, too, for less work on garbage."""
REFRESH = "from numba.core.registry import cpu_target; cpu_target.target_context.refresh()"
PARTS = {
    "Python": "-c pass",
    "and NumPy": "-c 'import numpy'",
    "and the loader of kernels": f"-c '{AS_JUMPNET}; import jumpnet.jit.linked'",
    "and Numba": f"-c '{AS_JUMPNET}; import numba'",
    "and Numba ready to load a kernel": f"-c '{AS_JUMPNET}; import jumpnet.jit.decorator; {REFRESH}'",
    "`simulate torus:8x8 --load 0.1`": "-m jumpnet simulate torus:8x8 --load 0.1",
    "`--help`": "-m jumpnet --help",
}
"""What a start consists of. Numba, with all above it but the loader, is loaded where something must be compiled."""


def parts(python: str, rounds: int = 11) -> None:
    """Print the least and the median CPU seconds of the parts of a start, measured in turns."""
    with tempfile.TemporaryDirectory() as name:
        found = [[cpu_seconds(python, command, Path(name)) for command in PARTS.values()] for _ in range(rounds)]
    print("| part | least, CPU s | median |\n|---|---|---|")
    for part, seconds in zip(PARTS, zip(*found, strict=True), strict=True):
        print(f"| {part} | {min(seconds):.2f} | {statistics.median(seconds):.2f} |")


def cpu_seconds(python: str, command: str, folder: Path) -> float:
    """Run Python in a folder, with its home and cache of kernels there: its CPU time and that of its children."""
    given = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    given |= {"HOME": str(folder), "JUMPNET_CACHE_DIR": str(folder / "cache")}
    words = [python, *shlex.split(command)]
    with open(folder / "said", "w+", encoding="utf-8") as said:
        process = subprocess.Popen(words, cwd=folder, env=given, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            print(f"  `{command}`: {said.read().strip()[-300:]}", file=sys.stderr)
    return used.ru_utime + used.ru_stime


def first_and_second(python: str, command: str, twice: bool) -> tuple[float, float | None, list[str]]:
    """CPU seconds of the first and of the second run in a new folder; names of the kernels that were compiled.

    There is a second run where it is asked for, and where the first has compiled something.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        for before in [before for words, before in BEFORE.items() if words in command]:
            cpu_seconds(python, f"-m jumpnet {before}", folder)
        kept = {path.name for path in (folder / "cache").rglob("*.kernel")}
        there = set(folder.iterdir())
        first = cpu_seconds(python, f"-m jumpnet {command}", folder)
        found = {path.name for path in (folder / "cache").rglob("*.kernel")}
        made = sorted(name.rsplit("-", 1)[0] for name in found - kept)
        if not (twice or made):
            return first, None, made
        for path in filter(Path.is_file, set(folder.iterdir()) - there):  # points of a study are to be run again
            path.unlink()
        return first, cpu_seconds(python, f"-m jumpnet {command}", folder), made


def main(words: list[str]) -> None:
    """Parse the options, measure, print a line for each command."""
    parser = argparse.ArgumentParser(prog="benchmarks start", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="interpreter of the environment that has jumpnet")
    parser.add_argument("--names", action="store_true", help="name the kernels that were compiled")
    parser.add_argument("words", nargs="*", help="only commands that hold one of these")
    parser.add_argument("--settings", action="store_true", help="commands of every sort of setting too")
    parser.add_argument("--routings", action="store_true", help="a run of every routing too")
    parser.add_argument("--parts", action="store_true", help="measure the parts of a start instead")
    given = parser.parse_args(words)
    if given.parts:
        return parts(os.path.abspath(given.python))
    once = (*(SETTINGS if given.settings else ()), *(each_routing() if given.routings else ()))
    print("| command | first, CPU s | second, CPU s | compiled |\n|---|---|---|---|")
    for command in (*COMMANDS, *VERBS, *once):
        if given.words and not any(word in command for word in given.words):
            continue
        first, second, made = first_and_second(os.path.abspath(given.python), command, command not in once)
        shown = "" if second is None else f"{second:.2f}"
        print(f"| `{command}` | {first:.2f} | {shown} | {len(made)} |", flush=True)
        if given.names and made:
            print("  " + " ".join(made), flush=True)
