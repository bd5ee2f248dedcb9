"""The longest tests are there by the names that they are moved by, and start before all others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.long import LONG

ROOT = Path(__file__).parents[2]
FILES = ["tests/arch/test_long_first.py", *dict.fromkeys(name.partition("::")[0] for name in sorted(LONG))]


def test_the_longest_tests_start_first() -> None:
    words = ["-m", "pytest", "--collect-only", "-p", "no:cacheprovider", *FILES]
    found = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [line for line in found.splitlines() if "::" in line]
    moved = [name for name in names if name.startswith(LONG)]
    assert names[: len(moved)] == moved and len(names) > len(moved)
    assert list(dict.fromkeys(next(long for long in LONG if name.startswith(long)) for name in moved)) == list(LONG)
