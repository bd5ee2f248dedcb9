"""The report as one self-contained HTML page: inline style, inline SVG, no scripts, every text escaped.

It opens with the claims, the readings and the surprises, then tells each paper as a story; what no paper prints
stands in the appendix. Reads computed sections only; called by `_write`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from jumpnet.papers import bibliography, golden
from jumpnet.report._claims import Claim, Option, claims, readings, tally
from jumpnet.report._notes import surprises
from jumpnet.report._pieces import CLASS, MARKS, MEANING, cell_id, figure_html, table_html
from jumpnet.report._report import Computed
from jumpnet.report._section import Figure, Table
from jumpnet.report._words import said

__all__ = ["CLAIMS", "DRAWN", "HEAD", "HEADINGS", "LEAD", "READINGS", "TAB", "citation", "page"]

LEAD = """What five papers on recursive networks say. Each claim that can be computed is computed again from the
definitions and set beside what is printed; the others are drawn, or repeated and marked as such. The counts are of
claims. A cell shows our figure, the printed one and a mark; where they differ, a note says why."""

CLAIMS = """Tables, figures, definitions, theorems and sentences of the papers that can be checked, each with its
verdict. Where a sentence can be read in several ways, the reading that counts comes first."""

READINGS = """Where a sentence can be read in several ways, all are computed. The one in bold counts: none gives more of
the printed figures, though others may give as many. Each is chosen on its own, and they are not all of one network:
where a reading's own line names the network of its default, that is the one it is computed on. No single network that
was tried reproduces all that the defaults together do; for the RDT, 1664 wires at 4096 nodes need rank 1 in the place
of rank 4, the fixed routes of Table I ranks 1 and 3, and most other rows stand on the definition to the letter."""


TAB = "jumpnet: the papers recomputed"
HEAD = "The papers, recomputed"
HEADINGS = {
    "claims": "Claims", "readings": "Readings", "surprises": "Surprises", "appendix": "Appendix: what no paper prints",
}  # fmt: skip
"""Parts of the page around the papers, by anchor; the navigation names them by what stands before the colon."""
DRAWN = "more are drawn or listed, and not compared."


def _heading(anchor: str) -> str:
    return f'<h2 id="{anchor}">{escape(HEADINGS[anchor])}</h2>'


def citation(key: str) -> str:
    """A source as plain text: authors, title, where, year.

    >>> citation("inoguchi1996srt")[:33]
    'Inoguchi and Horiguchi: Shifted R'
    """
    entry = bibliography().get(key, {})
    where = entry.get("journal") or entry.get("booktitle") or entry.get("institution") or entry.get("publisher", "")
    surnames = [author.split(",")[0] for author in entry.get("author", "").split(" and ")]
    people = ", ".join(surnames[:-1]) + " and " + surnames[-1] if len(surnames) > 1 else surnames[0]
    return f"{people}: {entry.get('title', key)}. {where}, {entry.get('year', '')}."


def _anchor(part: Computed) -> str:
    return f"{part.key}-{part.name}"


def _short_name(key: str) -> str:
    return str(golden(key)["short"])


def _told(table: Table) -> bool:
    """Whether a table shows what the paper says; the others stand in the appendix."""
    return any(
        cell is not None and (cell.claim or cell.printed is not None) for _, cells in table.rows for cell in cells
    )


@dataclass(frozen=True)
class _Split:
    """A section's tables (with their numbers) and figures, in the story and in the appendix."""

    part: Computed
    tables: Sequence[tuple[int, Table]]
    figures: Sequence[Figure]
    more_tables: Sequence[tuple[int, Table]]
    more_figures: Sequence[Figure]

    @property
    def in_story(self) -> bool:
        return bool(self.tables or any(figure.claim for figure in self.figures))

    @property
    def in_appendix(self) -> bool:
        return bool(not self.in_story or self.more_tables or self.more_figures)


def _split(part: Computed) -> _Split:
    """A section without any claim goes to the appendix whole; else the tables without one go there."""
    tables = list(enumerate(part.section.tables))
    told = [(n, t) for n, t in tables if _told(t)]
    if not told and not any(f.claim for f in part.section.figures):
        return _Split(part, (), (), tables, part.section.figures)
    return _Split(part, told, part.section.figures, [(n, t) for n, t in tables if not _told(t)], ())


def _paragraphs(text: str) -> list[str]:
    return [f"<p>{said(words)}</p>" for words in text.split("\n\n") if words.strip()]


def _section(split: _Split, pictures: Mapping[str, str], table_files: Mapping[tuple[str, int], str]) -> str:
    anchor = _anchor(split.part)
    body = [f'<section id="{anchor}"><h3>{escape(split.part.section.title)}</h3>']
    body += _paragraphs(split.part.section.text)
    body += [figure_html(figure, pictures[figure.name]) for figure in split.figures]
    body += [table_html(table, f"{anchor}-{n}", table_files[anchor, n]) for n, table in split.tables]
    if split.more_tables:
        body.append(f'<p class="source"><a href="#{anchor}-more">Further figures, in the appendix</a></p>')
    return "\n".join([*body, "</section>"])


def _appendix(splits: Sequence[_Split], pictures: Mapping[str, str], files: Mapping[tuple[str, int], str]) -> str:
    body = [_heading("appendix")]
    for split in splits:
        if not split.in_appendix:
            continue
        anchor, section = _anchor(split.part), split.part.section
        title = f"{_short_name(split.part.key)}: {section.title}"
        body.append(f'<section id="{anchor}{"-more" if split.in_story else ""}"><h3>{escape(title)}</h3>')
        body += [f'<p><a href="#{anchor}">The section</a></p>'] if split.in_story else _paragraphs(section.text)
        body += [figure_html(figure, pictures[figure.name]) for figure in split.more_figures]
        body += [table_html(table, f"{anchor}-{n}", files[anchor, n]) for n, table in split.more_tables]
        body.append("</section>")
    return "\n".join(body) if len(body) > 1 else ""


def _summary(found: Mapping[str, int]) -> str:
    found, drawn = {v: count for v, count in found.items() if v != "shown"}, found.get("shown", 0)
    total = max(1, sum(found.values()))
    tiles = "".join(
        f'<div class="tile {CLASS[v]}"><b>{MARKS[v]} {count}</b><span>{escape(MEANING[v])}</span></div>'
        for v, count in found.items()
    )
    bar = "".join(
        f'<i class="{CLASS[v]}" style="width:{100 * count / total:.3f}%"></i>' for v, count in found.items() if count
    )
    return f'<div class="tiles">{tiles}</div><div class="bar" aria-hidden="true">{bar}</div>' + (
        f"<p>{drawn} {DRAWN}</p>" if drawn else ""
    )


def _claim_row(row: Claim) -> str:
    mark = f'<span class="mark" title="{escape(MEANING[row.verdict])}">{MARKS[row.verdict]}</span>'
    reading = f"<small>reading {escape(row.reading.replace(':', ' = '))}</small>" if row.reading else ""
    table = "" if row.table is None else f"-{row.table - 1}"
    at = f"#{row.paper}-{row.section}{table}" + ("" if row.cell is None else cell_id(*row.cell))
    link = f'<a href="{at}">{said(row.text)}</a>'
    note = f"<small>{said(row.note)}</small>" if row.note else ""
    return (
        f'<tr class="{"" if row.default else "other"}"><th scope="row">{link}<small>{escape(row.place)}</small>'
        f'</th><td class="long">{escape(row.printed)}</td><td class="{CLASS[row.verdict]} long">{mark}'
        f"{escape(row.computed)}{reading}{note}</td></tr>"
    )


def _claims(found: Sequence[Claim]) -> str:
    blocks = [f"{_heading('claims')}<p>{CLAIMS}</p>"]
    for key, group in groupby(found, key=lambda row: row.paper):
        rows = list(group)
        counted = " ".join(f"{MARKS[v]} {n}" for v, n in tally(rows).items() if n)
        blocks.append(
            f'<details id="claims-{key}"><summary>{escape(_short_name(key))}: {sum(r.default for r in rows)} claims '
            f'<span class="tally">{counted}</span></summary><div class="scroll" tabindex="0"><table class="claims">'
            '<thead><tr><th scope="col">claim</th><th scope="col">printed</th><th scope="col">computed</th></tr>'
            f"</thead><tbody>{''.join(map(_claim_row, rows))}</tbody></table></div></details>"
        )
    return "\n".join(blocks)


def _network(reading: Mapping[str, str]) -> str:
    """The network that the default of a reading is computed on, where the golden file names it."""
    return f"<small>default on {escape(reading['network'])}</small>" if reading.get("network") else ""


def _readings(options: Sequence[Option]) -> str:
    if not options:
        return ""
    rows = []
    for (key, name), group in groupby(options, key=lambda o: (o.paper, o.reading)):
        data = golden(key)["readings"][name]
        chosen = list(group)
        for n, option in enumerate(chosen):
            first = (
                f'<th scope="rowgroup" rowspan="{len(chosen)}">{said(data["text"])}'
                f"<small>{escape(_short_name(key))}, {escape(data['where'])}</small>{_network(data)}</th>"
                if n == 0
                else ""
            )
            rows.append(
                f'<tr>{first}<td class="long">{"<b>" if option.default else ""}{escape(option.option)}'
                f"{'</b>' if option.default else ''}<small>{said(option.text)}</small></td>"
                f'<td class="num">{option.reproduced} of {option.compared}</td></tr>'
            )
    return (
        f'{_heading("readings")}<p>{READINGS}</p><div class="scroll" tabindex="0"><table class="claims">'
        '<thead><tr><th scope="col">what is open</th><th scope="col">reading</th>'
        '<th scope="col">printed figures it gives</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _surprises(parts: Sequence[Computed]) -> str:
    """What a reader of the papers would not expect, one line each."""
    items = [
        f'<li>{said(words)} <a href="#{part.key}-{part.name}">{escape(_short_name(part.key))}</a></li>'
        for part in parts
        for words in surprises(part.key, part.name, part.section)
    ]
    return f"{_heading('surprises')}<ul>{''.join(items)}</ul>" if items else ""


def _contents(splits: Sequence[_Split], front: Sequence[tuple[str, str]]) -> str:
    blocks = ['<ol class="front">' + "".join(f'<li><a href="#{a}">{t}</a></li>' for a, t in front) + "</ol>"]
    for key, group in groupby((s for s in splits if s.in_story), key=lambda split: split.part.key):
        items = "".join(
            f'<li><a href="#{_anchor(split.part)}">{escape(split.part.section.title)}</a></li>' for split in group
        )
        blocks.append(f'<b><a href="#{key}">{escape(_short_name(key))}</a></b><ol>{items}</ol>')
    return (
        '<nav aria-label="contents"><input type="checkbox" id="menu"><label for="menu">Contents</label>'
        f'<div class="contents">{"".join(blocks)}</div></nav>'
    )


def page(
    parts: Sequence[Computed],
    pictures: Mapping[str, str],
    table_files: Mapping[tuple[str, int], str],
    provenance: str,
) -> str:
    """The whole page. `pictures` maps figure names to SVG text, `table_files` (section, number) to CSV paths."""
    style = (Path(__file__).parent / "_page.css").read_text(encoding="utf-8")
    splits, found = [_split(part) for part in parts], claims(parts)
    opening = {"claims": _claims(found), "readings": _readings(readings(parts)), "surprises": _surprises(parts)}
    body = []
    for key, group in groupby((s for s in splits if s.in_story), key=lambda split: split.part.key):
        body.append(f'<h2 id="{key}">{escape(bibliography()[key]["title"])}</h2>')
        body.append(f'<p class="cite">{escape(citation(key))} <code>{escape(key)}</code></p>')
        body += [_section(split, pictures, table_files) for split in group]
    appendix = _appendix(splits, pictures, table_files)
    shown = {**opening, "appendix": appendix}
    front = [(name, HEADINGS[name].partition(":")[0]) for name in HEADINGS if shown[name]]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TAB}</title><style>{style}</style></head><body>\n"
        f"{_contents(splits, front)}\n<main>"
        f'<header><h1>{HEAD}</h1><p class="lead">{LEAD}</p></header>\n'
        + _summary(tally(found))
        + "\n".join(opening.values())
        + "\n".join(body)
        + appendix
        + f"<footer>{escape(provenance)}</footer></main></body></html>\n"
    )
