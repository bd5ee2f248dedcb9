"""Links in the Markdown files of the repository lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("benchmarks", "docs", "studies", "validation", "web/kernels")
PAGES = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "web" / "README.md",  # not all of web/: packages of Node may lie there
    *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")) if "made" not in page.parts),
]
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
DEFINITION = re.compile(r"^\[[^\]\n]+\]: ([^#\s]+)(?:#(\S*))?$", re.MULTILINE)
"""Where a link by reference, `[words][name]`, leads: on a line of its own."""


def anchors(page: Path) -> set[str]:
    """The names of a page's headings in links: lower case, `-` for a space, other punctuation left out."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(page: Path) -> list[str]:
    """The links of a page that lead to no file, or to no heading of one."""
    text = page.read_text(encoding="utf-8")
    found = []
    for target, anchor in INLINE.findall(text) + DEFINITION.findall(text):
        if "://" in target:
            continue
        file = page.parent / target if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            found.append(f"{target}#{anchor}" if anchor else target)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve_with_their_anchors(page: Path) -> None:
    assert not dead(page)


def test_links_that_lead_nowhere_are_seen(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# What holds now?\n```sh\n# no heading\n```\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](other.md#what-holds-now) [b](#here) [c](https://elsewhere.org/x#y) [d](gone.md)\n"
        "[e](other.md#gone) [f](other.md#no-heading) [g][0001] [h][0002]\n\n"
        "[0001]: other.md#what-holds-now\n[0002]: lost.md\n"
    )
    assert dead(page) == ["gone.md", "other.md#gone", "other.md#no-heading", "lost.md"]
