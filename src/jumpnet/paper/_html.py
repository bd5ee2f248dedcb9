"""The report as one self-contained HTML page: inline style, inline SVG, no scripts, every text escaped.

Reads computed sections only; called by `_write`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from jumpnet.paper._report import MARKS, Computed, cell_rows, counts
from jumpnet.paper._section import Cell, Figure, Table
from jumpnet.papers import bibliography

__all__ = ["page"]

CLASS = {"equal": "equal", "rounded": "rounded", "differs": "differs", "not printed": "none"}
MEANING = {
    "equal": "equal to the printed figure",
    "rounded": "equal after rounding to the printed digits",
    "differs": "different, with the reason beside it",
    "not printed": "computed here, not printed in the paper",
}
LONG_CHARACTERS = 26


def citation(key: str) -> str:
    """A source as plain text: authors, title, where, year."""
    entry = bibliography().get(key, {})
    where = entry.get("journal") or entry.get("booktitle") or entry.get("institution") or entry.get("publisher", "")
    surnames = [author.split(",")[0] for author in entry.get("author", "").split(" and ")]
    people = ", ".join(surnames[:-1]) + " and " + surnames[-1] if len(surnames) > 1 else surnames[0]
    return f"{people}: {entry.get('title', key)}. {where}, {entry.get('year', '')}."


def _anchor(part: Computed) -> str:
    return f"{part.key}-{part.name}"


def _difference(cell: Cell) -> str:
    value = cell.difference
    if value is None or value == 0:
        return ""
    return f" · {value:+.4g}"


def _cell(cell: Cell | None, footnote: str) -> str:
    if cell is None:
        return '<td class="empty" aria-label="no figure">–</td>'
    kind = CLASS[cell.verdict]
    long = " long" if len(cell.text) > LONG_CHARACTERS else ""
    meaning = escape(MEANING[cell.verdict])
    if cell.printed is None:
        return f'<td class="{kind}{long}" title="{meaning}">{escape(cell.text)}{footnote}</td>'
    below = f"printed {cell.printed}{_difference(cell)}"
    return (
        f'<td class="{kind}{long}"><span class="mark" title="{meaning}">{MARKS[cell.verdict]}</span>'
        f"{escape(cell.text)}{footnote}<small>{escape(below)}</small></td>"
    )


def _table(table: Table, anchor: str, file: str) -> str:
    notes: list[str] = []
    rows: list[str] = []
    for label, cells in table.rows:
        made = []
        for cell in cells:
            mark = ""
            if cell is not None and cell.note:
                if cell.note not in notes:
                    notes.append(cell.note)
                number = notes.index(cell.note) + 1
                mark = f'<sup><a href="#{anchor}-n{number}">{number}</a></sup>'
            made.append(_cell(cell, mark))
        rows.append(f'<tr><th scope="row">{escape(label)}</th>{"".join(made)}</tr>')
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    listed = "".join(f'<li id="{anchor}-n{n}">{escape(note)}</li>' for n, note in enumerate(notes, 1))
    return (
        f'<div class="scroll" tabindex="0"><table><caption>{escape(table.title)}</caption>'
        f'<thead><tr><th scope="col"></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        + (f'<ol class="notes">{listed}</ol>' if notes else "")
        + f'<p class="source">{escape(table.source)}. {escape(table.note)} '
        f'<span class="files"><a href="{escape(file)}">CSV</a></span></p>'
    )


def _figure(figure: Figure, svg: str) -> str:
    drawing = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL).replace(
        "<svg", f'<svg role="img" aria-label="{escape(figure.title)}"', 1
    )
    # Ids are the page's, not the picture's: each picture has its own.
    drawing = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{figure.name}-", drawing)
    stem = f"figures/{figure.name}"
    files = " ".join(f'<a href="{escape(stem)}.{kind}">{kind.upper()}</a>' for kind in ("svg", "png", "csv"))
    return (
        f"<figure>{drawing}<figcaption><b>{escape(figure.title)}.</b> {escape(figure.note)} "
        f'({escape(figure.source)}) <span class="files">{files}</span></figcaption></figure>'
    )


def _section(part: Computed, pictures: Mapping[str, str], table_files: Mapping[tuple[str, int], str]) -> str:
    anchor = _anchor(part)
    body = [f'<section id="{anchor}"><h3>{escape(part.section.title)}</h3>']
    body += [f"<p>{escape(text)}</p>" for text in part.section.text.split("\n\n") if text.strip()]
    for n, table in enumerate(part.section.tables):
        body.append(_table(table, f"{anchor}-{n}", table_files[anchor, n]))
    body += [_figure(figure, pictures[figure.name]) for figure in part.section.figures]
    return "\n".join([*body, "</section>"])


def _tally(found: Mapping[str, int]) -> str:
    return " ".join(f"{MARKS[verdict]}{count}" for verdict, count in found.items() if count)


def _summary(found: Mapping[str, int]) -> str:
    total = max(1, sum(found.values()))
    tiles = "".join(
        f'<div class="tile {CLASS[v]}"><b>{MARKS[v]} {count}</b><span>{escape(MEANING[v])}</span></div>'
        for v, count in found.items()
    )
    bar = "".join(
        f'<i class="{CLASS[v]}" style="width:{100 * count / total:.3f}%"></i>' for v, count in found.items() if count
    )
    return f'<div class="tiles">{tiles}</div><div class="bar" aria-hidden="true">{bar}</div>'


def _contents(parts: Sequence[Computed]) -> str:
    blocks = []
    for key, group in groupby(parts, key=lambda part: part.key):
        items = "".join(
            f'<li><a href="#{_anchor(part)}">{escape(part.section.title)}</a> '
            f'<span class="tally">{_tally(counts([part]))}</span></li>'
            for part in group
        )
        blocks.append(f'<b><a href="#{key}">{escape(bibliography()[key]["title"])}</a></b><ol>{items}</ol>')
    return f'<nav aria-label="contents">{"".join(blocks)}</nav>'


def _differences(parts: Sequence[Computed]) -> str:
    """All cells that differ in one list, grouped by their explanation."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for part in parts:
        for row in cell_rows(part):
            if row["verdict"] == "differs":
                cell = f"{row['row']}, {row['column']}: printed {row['printed']}, computed {_short(row['computed'])}"
                grouped.setdefault((_anchor(part), row["table"], row["note"]), []).append(cell)
    if not grouped:
        return ""
    items = "".join(
        f'<li><a href="#{anchor}">{escape(table)}</a>: {escape("; ".join(cells))}. {escape(note)}</li>'
        for (anchor, table, note), cells in grouped.items()
    )
    count = sum(len(cells) for cells in grouped.values())
    return f"<details><summary>All {count} cells that differ, and why</summary><ul>{items}</ul></details>"


def _short(value: object) -> str:
    return value if isinstance(value, str) else f"{float(value):.6g}"  # type: ignore[arg-type]


def page(
    parts: Sequence[Computed],
    pictures: Mapping[str, str],
    table_files: Mapping[tuple[str, int], str],
    provenance: str,
) -> str:
    """The whole page. `pictures` maps figure names to SVG text, `table_files` (section, number) to CSV paths."""
    style = (Path(__file__).parent / "_page.css").read_text(encoding="utf-8")
    body = []
    for key, group in groupby(parts, key=lambda part: part.key):
        body.append(f'<h2 id="{key}">{escape(bibliography()[key]["title"])}</h2>')
        body.append(f'<p class="cite">{escape(citation(key))} <code>{escape(key)}</code></p>')
        body += [_section(part, pictures, table_files) for part in group]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>jumpnet: the papers recomputed</title><style>{style}</style></head><body>\n"
        '<header><h1>The papers, recomputed</h1><p class="lead">Every table, figure and claim that can be checked, '
        "computed from the definitions and set beside what the papers print. A cell shows the computed figure, the "
        "printed one, and a mark; where they differ, a note says why. Grey cells are figures that no paper "
        "prints.</p></header>\n"
        + _summary(counts(parts))
        + _differences(parts)
        + _contents(parts)
        + "\n".join(body)
        + f"<footer>{escape(provenance)}</footer></body></html>\n"
    )
