"""HTML of the report's pieces: cells, tables, figures. Every text is escaped; called by `_page`."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from jumpnet.report._section import Cell, Figure, Table
from jumpnet.report._words import said

__all__ = ["CLASS", "EXPLORED", "MARKS", "MEANING", "cell_id", "figure_html", "short", "spec_of", "table_html"]

EXPLORED = "explore.html"
"""The page beside the report, in which its networks open."""

CLASS = {
    "equal": "equal", "rounded": "rounded", "differs": "differs", "stated": "stated", "conflicts": "stated",
    "shown": "none",    "not printed": "none",
}  # fmt: skip
MARKS = {
    "equal": "=",
    "rounded": "≈",
    "differs": "≠",
    "stated": "“",
    "conflicts": "↯",
    "shown": "·",
    "not printed": "·",
}
"""The sign of each verdict on the page and in the terminal."""
MEANING = {
    "equal": "computed, and equal to what is printed",
    "rounded": "computed, and equal after rounding to the printed digits; much the same where 'about' is printed",
    "differs": "computed, and different; the reason stands beside it",
    "stated": "repeated from the paper: no computation of its own stands behind it",
    "conflicts": "printed figures that contradict each other",
    "shown": "drawn or listed here, not compared",
    "not printed": "computed here, not printed in the paper",
}
LONG_CHARACTERS = 26
NUMBER = r"[-+]?[\d,]+(?:\.\d+)?(?:e[-+]?\d+)?(?: ?%)?"
NUMERIC = re.compile(rf"{NUMBER}(?:(?: ± | to | of |/|:|-){NUMBER})*(?: \({NUMBER} to {NUMBER}\))?")
"""A number, a range, a ratio or a figure with its band: such cells stand right."""


def short(value: object) -> str:
    """A figure in a sentence."""
    return value if isinstance(value, str) else f"{float(value):.6g}"  # type: ignore[arg-type]


def _difference(cell: Cell) -> str:
    value = cell.difference
    return "" if value is None or value == 0 else f" · {value:+.4g}"


def cell_id(row: int, column: int) -> str:
    """What the anchor of a table ends with for one of its cells, row and column from 1.

    >>> cell_id(3, 2)
    '-r3c2'
    """
    return f"-r{row}c{column}"


def _cell(cell: Cell | None, footnote: str, anchor: str) -> str:
    if cell is None:
        return '<td class="empty" aria-label="no figure">–</td>'
    kinds = [CLASS[cell.verdict]]
    if not isinstance(cell.computed, str) or NUMERIC.fullmatch(cell.computed):
        kinds.append("num")
    if len(cell.text) > LONG_CHARACTERS:
        kinds.append("long")
    meaning = escape(MEANING[cell.verdict])
    head = f'<td class="{" ".join(kinds)}"' + (f' id="{anchor}"' if cell.claim else "")
    if cell.printed is None:
        return f'{head} title="{meaning}">{escape(cell.text)}{footnote}</td>'
    below = f"printed {cell.printed}{_difference(cell)}"
    return (
        f'{head}><span class="mark" title="{meaning}">{MARKS[cell.verdict]}</span>'
        f"{escape(cell.text)}{footnote}<small>{escape(below)}</small></td>"
    )


def _reading(cell: Cell) -> str:
    return f"Reading {cell.reading.replace(':', ' = ', 1)}." if cell.reading else ""


def table_html(table: Table, anchor: str, file: str) -> str:
    """A table that scrolls in its own box, its notes below it."""
    notes: list[str] = []
    rows: list[str] = []
    for row, (label, cells) in enumerate(table.rows, 1):
        made = []
        for column, cell in enumerate(cells, 1):
            marks = []
            for words in (cell.note, cell.detail, _reading(cell)) if cell is not None else ():
                if words.strip():
                    if words not in notes:
                        notes.append(words)
                    number = notes.index(words) + 1
                    marks.append(f'<a href="#{anchor}-n{number}">{number}</a>')
            footnote = f"<sup>{' '.join(marks)}</sup>" if marks else ""
            made.append(_cell(cell, footnote, anchor + cell_id(row, column)))
        rows.append(f'<tr><th scope="row">{escape(label)}</th>{"".join(made)}</tr>')
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    listed = "".join(f'<li id="{anchor}-n{n}">{said(note)}</li>' for n, note in enumerate(notes, 1))
    return (
        f'<div class="scroll" tabindex="0" id="{anchor}"><table><caption>{said(table.title)}</caption>'
        f'<thead><tr><th scope="col"></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        + (f'<ol class="notes">{listed}</ol>' if notes else "")
        + f'<p class="source">{escape(table.source)}. {said(table.note)} '
        f'<span class="files"><a href="{quote(file)}">CSV</a></span></p>'
    )


def spec_of(explored: str) -> str:
    """The network that `Figure.explored` names, empty for none.

    >>> spec_of("net=rdn:3,k=1&picked=0.9")
    'rdn:3,k=1'
    """
    return explored.partition("&")[0].removeprefix("net=")


def figure_html(figure: Figure, svg: str) -> str:
    """A picture inline, with its files; a CSV only where it has numbers."""
    drawing = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL).replace(
        "<svg", f'<svg role="img" aria-label="{escape(figure.title)}"', 1
    )
    # Ids are the page's, not the picture's: each picture has its own.
    prefix = re.sub(r"[^\w-]", "-", figure.name)
    drawing = re.sub(r'(\bid="|href="#|url\(#)', lambda found: f"{found.group(1)}{prefix}-", drawing)
    stem = quote(f"figures/{figure.name}")
    kinds = ("svg", "png", "csv") if figure.data else ("svg", "png")
    files = " ".join(f'<a href="{stem}.{kind}">{kind.upper()}</a>' for kind in kinds)
    if figure.explored:
        files += (
            f' <a href="{EXPLORED}#{escape(figure.explored)}">Open {escape(spec_of(figure.explored))} in the page</a>'
        )
    return (
        f'<figure id="figure-{prefix}"><div class="picture" tabindex="0">{drawing}</div>'
        f"<figcaption><b>{escape(figure.title)}.</b> {said(figure.note)} "
        f'({escape(figure.source)}) <span class="files">{files}</span></figcaption></figure>'
    )
