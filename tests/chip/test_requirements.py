"""Every requirement of the router chip has a test that names it."""

from __future__ import annotations

import ast
from pathlib import Path

NUMBERS = {"X": 9, "S": 8, "F": 5, "B": 14, "M": 7, "A": 5, "L": 2, "K": 7, "D": 6, "E": 7}
"""How many requirements each letter has, see docs/decisions/0050."""


def cited() -> set[str]:
    """The numbers that marks in this folder name."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "chip":
                found.update(str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
    return found


def test_all_requirements_are_covered() -> None:
    assert cited() == {f"{letter}{k}" for letter, count in NUMBERS.items() for k in range(1, count + 1)}
