"""Compiled Python that a full disk has cut short: told in one line, removed, and no interruption."""

from __future__ import annotations

import importlib
import importlib.util
import py_compile
import sys
from pathlib import Path
from unittest import mock

import pytest
from tests.attack.command_line.command import refused
from tests.attack.command_line.verbs import say

import jumpnet
from jumpnet._bytecode import removed_damage
from jumpnet.cli._command.report import UNFORESEEN

TRUNCATED = 600
"""Bytes that are left."""


def _cut(source: Path, monkeypatch: pytest.MonkeyPatch, prefix: Path) -> Path:
    """The compiled form of a source below a folder, cut short."""
    monkeypatch.setattr(sys, "pycache_prefix", str(prefix))
    made = Path(importlib.util.cache_from_source(str(source)))
    monkeypatch.undo()
    py_compile.compile(str(source), cfile=str(made), doraise=True)
    made.write_bytes(made.read_bytes()[:TRUNCATED])
    return made


@pytest.mark.parametrize("name", ["cli/__init__.py", "cli/metrics.py", "graph/metrics.py"])
def test_a_command_removes_it_and_says_so(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the command line is loaded, while it loads a verb, and within the verb."""
    made = _cut(Path(jumpnet.__file__).parent / name, monkeypatch, tmp_path)
    words = ["metrics", "torus:4"]
    assert refused(*words, PYTHONPYCACHEPREFIX=str(tmp_path)).startswith(f"jumpnet: {made}: damaged, as a full disk")
    assert not made.exists()


def test_the_module_can_be_loaded_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cut_short.py").write_text("value = 7\n" * 500)
    made = _cut(tmp_path / "cut_short.py", monkeypatch, tmp_path / "kept")
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises((EOFError, ValueError, TypeError)) as found:
        importlib.import_module("cut_short")
    assert str(made) in removed_damage(found.value)
    assert importlib.import_module("cut_short").value == 7


def test_other_errors_are_not_taken_for_it() -> None:
    with pytest.raises(ValueError) as found:
        int("x")
    assert removed_damage(found.value) == ""


def test_an_end_of_file_is_no_interruption(tmp_path: Path) -> None:
    """Typer takes one for Ctrl-D; it was status 130, and "interrupted"."""
    (tmp_path / "own.py").write_text("import pickle\npickle.loads(b'')\n")
    assert "own.py:2: EOFError: Ran out of input" in refused("--load", "own.py", "metrics", "torus:4", folder=tmp_path)
    with mock.patch("jumpnet.cli.draw.build", side_effect=EOFError("cut short")):
        said = say(["draw", "torus:4"])
    assert said.status == UNFORESEEN and "EOFError: cut short" in said.err, said
