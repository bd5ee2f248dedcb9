"""Every test says in its own body what must hold: `assert`, `pytest.raises`, or a function named `assert_..`."""

from __future__ import annotations

import re

from tests.arch.sources import ROOT

SAID = re.compile(r"^def ((?:test|assert)_\w+)\(.*?(?=\n{3}\S|\Z)", re.MULTILINE | re.DOTALL)
"""A test, or a function by which tests assert, up to two empty lines."""
ASSERTS = re.compile(r"^ +assert |pytest\.(?:raises|fail)\(|\bassert_\w+\(", re.MULTILINE)


def _silent(text: str) -> list[str]:
    """Tests, and functions by which they assert, of a file that assert nothing."""
    found = [(each[1], each.group().partition("\n")[2]) for each in SAID.finditer(text)]
    return [name for name, body in found if not ASSERTS.search(body)]


def test_every_test_asserts() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [f"{file.relative_to(ROOT)}: {name}" for file in files for name in _silent(file.read_text("utf-8"))] == []


def test_one_that_asserts_nothing_is_seen() -> None:
    by_helper = "def test_b(\n    one,\n) -> None:\n    assert_same(one)\n\n\ndef assert_same(one):\n    return one\n"
    text = f"def test_a():\n    run()\n\n\n{by_helper}\n\n@mark\ndef test_c() -> None:\n    '''It.'''\n    assert 1\n"
    assert _silent(text) == ["test_a", "assert_same"]
