"""Links of Markdown pages to files outside docs/: to the page that shows the file here, or no link."""

from __future__ import annotations

import os
import re
from pathlib import Path

DOCS = Path(__file__).parents[1]
SOURCES = DOCS.parent / "src" / "jumpnet"
LINK = re.compile(r"(?<!!)\[([^\]\n]*(?:\n[^\]\n]+)?)\]\(([^)#\s]*)(#[^)\s]*)?\)")
DEFINITION = re.compile(r"^\[([^\]\n]+)\]: ([^#\s]+)$", re.MULTILINE)
"""Where a link by reference leads, on a line of its own."""
STANDS_FOR = re.compile(r"\A# [^\n]+\n\nIn full: \[[^\]]+\]\(([^)]+)\)\n?\Z")
"""A page that is nothing but a link to a file outside docs/: the manual shows that file in its place."""


def stands_for(page: Path) -> Path | None:
    """The file that a page shows, None where it is a page of its own."""
    found = STANDS_FOR.match(page.read_text(encoding="utf-8"))
    return (page.parent / found[1]).resolve() if found else None


SHOWN = {file: page for page in sorted((DOCS / "project").glob("*.md")) if (file := stands_for(page)) is not None}
"""Pages of docs/ by the file that they show."""


def shown_page(file: Path) -> Path | None:
    """The page of the manual on which a file, or what a folder holds, is shown; a package by its reference."""
    if file in SHOWN:
        return SHOWN[file]
    if file == DOCS / "gallery":
        return DOCS / "made" / "gallery" / "index.rst"
    if SOURCES in file.parents:
        name = ".".join(("jumpnet", *file.relative_to(SOURCES).parts))
        return DOCS / "made" / "api" / f"{name}.rst" if file.is_dir() else None
    if file.is_dir():
        file = file.with_suffix(".md")
    return file if DOCS in file.parents and file.suffix == ".md" and file.is_file() else None


def rewritten(app, docname: str, source: list[str]) -> None:
    """Sphinx's event `source-read`: the text of a page with links that lead somewhere in the manual."""
    page = Path(app.env.doc2path(docname))
    if page.suffix != ".md":
        return
    file = stands_for(page) or page
    text = file.read_text(encoding="utf-8") if file != page else source[0]

    def leads_to(target: str) -> str | None:
        to = shown_page((file.parent / target).resolve())
        return None if to is None else os.path.relpath(to, page.parent)

    def link(found: re.Match[str]) -> str:
        words, target, part = found[1], found[2], found[3] or ""
        if not target or "://" in target:
            return found[0]
        to = leads_to(target)
        return words if to is None else f"[{words}]({to}{part})"

    def definition(found: re.Match[str]) -> str:
        to = None if "://" in found[2] else leads_to(found[2])
        return found[0] if to is None else f"[{found[1]}]: {to}"

    pieces = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    source[0] = "".join(
        piece if piece.startswith("```") else DEFINITION.sub(definition, LINK.sub(link, piece)) for piece in pieces
    )
