"""Commands struck while they start: `python -m tests.attack.ends.starts --kills 200`.

An interruption comes once, at a random instant of the first half second. What the interpreter does before the first
line of ours is beyond reach, and has a traceback of its own; it is told apart by the files that the traceback names.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.attack.command_line.command import HANGS

FIRST_S = 0.5
SCRIPT = """import sys
from jumpnet.__main__ import start
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(start())
"""
"""As pip writes it for the entry point of pyproject.toml."""
WAYS = {"module": ("-m", "jumpnet"), "script": ("script.py",)}
VERB = ("metrics", "torus:8x8", "--json")
"""It loads most of what verbs load."""
PACKAGE = f"{os.sep}jumpnet{os.sep}"


def struck(command: Sequence[str], after: float, folder: Path) -> tuple[int, str]:
    """Status and last words of a command that is interrupted once."""
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "kept")}  # as of an installed package
    process = subprocess.Popen(
        [sys.executable, *command, *VERB], cwd=folder, text=True, errors="replace", stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env=os.environ | kept,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        _, said = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    return process.returncode, said


def kind_of(said: str) -> str:
    """How a command has ended: in silence or one line, or in a traceback, by where it was."""
    if "Traceback" not in said and "Fatal" not in said and "Exception ignored" not in said:
        return "one line" if said else "silence"
    return "traceback within jumpnet" if PACKAGE in said else "traceback of the interpreter's start"


def attack(command: Sequence[str], kills: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Ends by their kind, and the words of those within jumpnet."""
    draw, found, words = random.Random(seed), Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "script.py").write_text(SCRIPT)
        struck(command, HANGS, Path(folder))  # not struck: it keeps bytecode
        for _ in range(kills):
            _, said = struck(command, draw.uniform(0, FIRST_S), Path(folder))
            found[kind_of(said)] += 1
            words += [said] if "jumpnet" in kind_of(said) else []
    return found, words


def main() -> int:
    """Strike what the options name, and say how it ends."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=20, help="Commands that are struck, of each way to start.")
    options.add_argument("--seed", type=int, default=0, help="Another seed, other instants.")
    options.add_argument("--way", choices=WAYS, action="append", help="How commands are started; all ways if left out.")
    given = options.parse_args()
    wrong = 0
    for way in given.way or WAYS:
        found, words = attack(WAYS[way], given.kills, given.seed)
        wrong += len(words)
        print(*words[:2], sep="\n")
        print(f"{way}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(found.items())), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
