"""Programs beside the package (benchmarks, validation, tools, the page's) import only what it has."""

from __future__ import annotations

import ast
import importlib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("benchmarks", "validation", "tools", "web")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "node_modules" not in path.parts
]


def _lacks(source: str) -> list[str]:
    """The names that a program imports from jumpnet, and that are not there."""
    return [
        f"{node.module}.{name.name}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "jumpnet"
        for name in node.names
        if not _has(str(node.module), name.name)
    ]


def _has(module: str, name: str) -> bool:
    try:
        there = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return hasattr(there, name) or (hasattr(there, "__path__") and find_spec(f"{module}.{name}") is not None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_program_imports_is_there(path: Path) -> None:
    assert _lacks(path.read_text(encoding="utf-8")) == []


def test_what_is_gone_is_found() -> None:
    gone = "from jumpnet.sim import engine, nothing\nfrom jumpnet.nowhere import some"
    assert _lacks(gone) == ["jumpnet.sim.nothing", "jumpnet.nowhere.some"]
