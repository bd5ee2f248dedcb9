"""What the manual generates, without Sphinx: links, docstrings, reference, command line, claims."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import claims
import commands
import docstrings
import links
import modules
import pytest

import jumpnet
from jumpnet.cli import verbs

DOCS = Path(__file__).parents[2] / "docs"

PAPERS = {page.stem for page in (DOCS / "papers").glob("*.md")}


def rewritten(page: Path, text: str) -> str:
    """A page's text as Sphinx gets it."""
    app, source = SimpleNamespace(env=SimpleNamespace(doc2path=lambda name: page)), [text]
    links.rewritten(app, page.stem, source)
    return source[0]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[a](../ARCHITECTURE.md#how-to-add)", "[a](project/architecture.md#how-to-add)"),
        ("[a](howto-own.md)", "[a](howto-own.md)"),
        ("[a](decisions)", "[a](decisions.md)"),
        ("[a](gallery)", "[a](made/gallery/index.rst)"),
        ("[a](../src/jumpnet/routings)", "[a](made/api/jumpnet.routings.rst)"),
        ("[a](../src/jumpnet/files.py) and [b](../LICENSE)", "a and b"),
        ("[a](#here)", "[a](#here)"),
        ("```python\nx[0](../LICENSE)\n```", "```python\nx[0](../LICENSE)\n```"),
    ],
)
def test_links_stay_in_the_manual(written: str, shown: str) -> None:
    assert rewritten(DOCS / "tour.md", f"{written}\n") == f"{shown}\n"


def test_a_page_shows_the_file_that_it_stands_for() -> None:
    assert len(links.SHOWN) == len(list((DOCS / "project").glob("*.md"))) >= 5
    for file, page in links.SHOWN.items():
        assert rewritten(page, page.read_text()).splitlines()[0] == file.read_text().splitlines()[0]


def test_docstrings_are_plain_text() -> None:
    lines = ["`x_` is 2 * n_ or |y|, *z.", "More.", ">>> a * b", "2 * c"]
    docstrings.as_text(None, "", "", None, None, lines)
    assert lines == ["``x_`` is 2 \\* n\\_ or \\|y\\|, \\*z.", "More.", "", ">>> a * b", "2 * c"]


def test_every_public_package_and_module_is_in_the_reference(tmp_path: Path) -> None:
    modules.write(tmp_path)
    pages = {page.stem for page in tmp_path.glob("*.rst")}
    packages = {name for name in modules.public(jumpnet) if hasattr(import_module(name), "__path__")}
    assert packages - modules.LEFT_OUT < pages
    assert all(import_module(name).__path__ for name in modules.LEFT_OUT), (
        "a package that has moved is left out no more"
    )
    assert ".. autoclass:: BoundRouting\n" in (tmp_path / "jumpnet.routings.rst").read_text()
    text = (tmp_path / "jumpnet.routings.torus.rst").read_text()
    assert ".. automodule:: jumpnet.routings.torus.duato\n" in text and "torus._steps" not in text
    face = (tmp_path / "jumpnet.rst").read_text()
    assert ".. currentmodule:: jumpnet.routings\n\n.. autofunction:: routing\n" in face and ":: add_graph\n" in face
    index = (tmp_path / "index.rst").read_text().split()
    assert pages - {"index"} <= set(index)


def test_the_command_line_is_on_its_page(tmp_path: Path) -> None:
    commands.write(tmp_path)
    text = (tmp_path / "commands.rst").read_text()
    assert all(f"\njumpnet {name}\n~~~" in text for name in verbs())
    part = text.partition("\njumpnet prove\n")[2].partition("\njumpnet reconfigure\n")[0]
    assert "``--certificate``" in part and "``SPECS``" in part and "jumpnet prove" in part


def test_every_paper_has_its_claims(tmp_path: Path) -> None:
    claims.write(tmp_path)
    assert {page.stem for page in tmp_path.glob("*.rst")} == PAPERS
    lines = (tmp_path / "li2009rdn.rst").read_text().splitlines()
    shown = [row for row in claims.rows("claims.jsonl") if row["paper"] == "li2009rdn" and row["default"]]
    assert sum(line.startswith("   * - ") for line in lines) == len(shown) + 1
