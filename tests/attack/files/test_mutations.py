"""Spoiled files of every reader, 100 of each; more by name: `python -m tests.attack.files.mutate --count 20000`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.attack.files.mutate import attack, spoiled
from tests.attack.files.readers import SABOTAGE, readers

from jumpnet.machine.trace import formats

ROOT = Path(__file__).parents[3] / "src" / "jumpnet"
OPENERS = {
    "read_bytes",
    "read_text",
    "must_be_regular",
    "open_regular",
    "sqlite3.connect",
    "fromfile",
    "genfromtxt",
    "loadtxt",
}
OPENERS |= {"ZipFile", "read_schema", "ParquetFile", "bz2.open", "gzip.open", "lzma.open", "np.load", "open"}
OWN = {
    "jit.cache": "kernels: test_damaged_kernels",
    "files": "the openers themselves",
    "papers": "comes with the package",
    "explore.written": "the page that comes with the package",
    "registry": "sources of the package",
    "jit.sources": "sources of the package",
    "memory": "what the system says",
    "cli._command.watch": "what the system says",
    "cli._command.verbs": "sources of the package",
    "cli.new": "templates of the package, and new files",
    "own.source_text": "code of the user's own, which is run: tests/cli/test_own_files.py",
    "cli._command.surroundings": "the null device",
    "cli._command.output": "the null device",
}
"""Modules that open files which do not come from outside, and what they are."""


def _opens(path: Path) -> set[str]:
    """What a file calls to open files; of a method `open`, only those that name a way to read."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        last = called.rpartition(".")[2]
        reads = any(isinstance(word, ast.Constant) and word.value in ("r", "rb", "r+b") for word in node.args)
        if called in OPENERS or (last in OPENERS - {"open"}) or (last == "open" and reads):
            found.add(called)
    return found


def test_every_module_that_opens_files_is_attacked() -> None:
    """Whoever adds a reader adds it to `readers`; trace formats are found by themselves."""
    attacked = {module for reader in readers().values() for module in reader.modules}
    opening = set()
    for path in ROOT.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if not name.startswith(("report.", "plot.")) and _opens(path):
            opening.add(name)
    assert opening - attacked - OWN.keys() == set()
    assert OWN.keys() <= opening, "these open nothing any more"
    endings = {ending for trace_format in formats().values() for ending in trace_format.endings}
    assert {reader.file.partition(".")[2] for reader in readers().values()} >= {ending[1:] for ending in endings}


def test_no_spoiled_file_is_more_than_one_line() -> None:
    falls, read = attack(list(readers()), 100)
    assert not falls
    assert read == 100 * len(readers())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("dies", "ended with status -11"),
        ("fails", "ZeroDivisionError"),
        ("takes", "MemoryError"),
        ("warns", "RuntimeWarning"),
        ("refuses what is good", "a good file is not read"),
    ],
)
def test_falls_are_seen(name: str, why: str) -> None:
    assert name in SABOTAGE
    falls, _ = attack([name], 2)
    assert falls and all(why in fall.why for fall in falls)


def test_a_file_is_made_again_by_its_name() -> None:
    for name, reader in readers().items():
        if reader.packing == "none" and name not in ("checkpoint", "store"):  # whose good files hold keys and times
            assert spoiled(reader.samples(), "none", f"0/{name}/5") == spoiled(reader.samples(), "none", f"0/{name}/5")
