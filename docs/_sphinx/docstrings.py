"""Docstrings are plain text with back-ticks and examples: what reStructuredText would read as markup is escaped."""

from __future__ import annotations

import re


def as_text(app, what, name, obj, options, lines: list[str]) -> None:
    """Sphinx's event `autodoc-process-docstring`."""
    example, made = False, []
    for line in lines:
        words = line.strip()
        if words.startswith(">>>"):
            if not example and made and made[-1].strip():
                made.append("")
            example = True
        elif not words:
            example = False
        made.append(line if example else plain(line))
    lines[:] = made


def plain(line: str) -> str:
    """A line of text; what stands between back-ticks is code."""
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(code(part) if part[:1] == "`" and len(part) > 1 else escaped(part) for part in parts)


def code(part: str) -> str:
    """`x` as a literal."""
    return f"`{part}`"


def escaped(text: str) -> str:
    """Characters of markup as themselves."""
    return re.sub(r"([*|`\\]|_(?=\W|$))", r"\\\1", text)
