"""Links of the built manual that lead nowhere: to a file that is not there, or to no part of one that is.

Sphinx warns of references that it resolves itself; what pages, templates and docstrings write as plain links it copies.
Links to other sites are not followed: `make links` asks for them, as it needs a network.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from sphinx.util import logging

LINK = re.compile(r"\b(?:href|src)=\"([^\"#?]*)(?:\?[^\"#]*)?(?:#([^\"]*))?\"")
PART = re.compile(r"\b(?:id|name)=\"([^\"]*)\"")


@cache
def parts(page: Path) -> frozenset[str]:
    """What a link to a page may name behind `#`."""
    return frozenset(html.unescape(name) for name in PART.findall(page.read_text(encoding="utf-8")))


def dead(folder: Path) -> Iterator[str]:
    """`page: link` for each link that leads nowhere; folder: where the manual was built."""
    for page in sorted(folder.rglob("*.html")):
        if "_static" in page.relative_to(folder).parts:  # templates that the theme brings along
            continue
        for to, part in dict.fromkeys(LINK.findall(page.read_text(encoding="utf-8"))):
            if ":" in to or to.startswith("//"):
                continue
            file = Path(os.path.normpath(page.parent / unquote(html.unescape(to)))) if to else page
            there = file.is_file() and folder in file.parents
            if not there or (part and file.suffix == ".html" and unquote(html.unescape(part)) not in parts(file)):
                yield f"{page.relative_to(folder)}: {to}{'#' if part else ''}{part}"


def warned(app, error) -> None:
    """Sphinx's event `build-finished`: each of them is a warning, and so an error of `make docs`."""
    if error is None and app.builder.name == "html":
        for line in dead(Path(app.outdir)):
            logging.getLogger(__name__).warning("%s leads nowhere", line)
