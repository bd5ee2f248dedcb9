"""Every command line of README and docs is one that the command understands, and names networks that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from jumpnet.cli import app, everywhere_first
from jumpnet.topology import families, family

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "papers").glob("*.md"))]
LINES = [
    pytest.param(line, id=f"{page.name}: {line}")
    for page in PAGES
    for line in re.findall(r"^    (jumpnet .*)$", re.sub(r"\\\n *", "", page.read_text(encoding="utf-8")), re.MULTILINE)
]


@pytest.mark.parametrize("line", LINES)
def test_commands_are_understood(line: str) -> None:
    _, verb, *words = everywhere_first(shlex.split(line, comments=True))[1]
    known = typer.main.get_command(app(verb))
    known.commands[verb].make_context(verb, words)  # type: ignore[attr-defined]
    for word in words:
        name = word.partition(":")[0]
        if ":" in word and name in families() and name != "file":
            assert family(word).spec.startswith(name)
