"""The report's page made of all committed verdicts and words, for the tests that read it back.

Nothing is computed again but one section; one cell of each kind is added.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from typing import Any

from tests.papers.page.page_tree import Element, parsed

from jumpnet.papers import golden_folder
from jumpnet.report._page import page
from jumpnet.report._report import Computed, computed, papers
from jumpnet.report._section import Cell, Figure, Section, Table
from jumpnet.report._texts import text_file
from jumpnet.report._verdicts import Row, read_verdicts, verdict_file

KEYS = ("yang2001rdt", "inoguchi1996srt", "li2009rdn", "nishi1997router", "kudoh1995rhbd")
MODULES = {(key, m.__name__.rsplit(".", 1)[-1]): m for key, modules in papers().items() for m in modules}
SIGN = {"equal": "=", "rounded": "≈", "differs": "≠", "conflicts": "↯", "stated": "“", "shown": "·"}
SAID = {
    "equal": "computed, and equal to", "rounded": "computed, and equal after rounding", "differs": "and different",
    "stated": "repeated from the paper", "conflicts": "contradict each other", "shown": "drawn or listed",
    "not printed": "not printed in the paper",
}  # fmt: skip
"""Words that tell the meaning of each verdict from the others."""


TEXTS = read_verdicts(text_file(golden_folder()))
NO_NUMBERS = "44136fa355b3678a"
"""The digest of a figure without columns."""
EXACT = Fraction(1, 10**12)
ABOUT = "about "
"""Before a printed number that a figure less than a fifth off meets."""
RIGHT = ("44.20 ± 0.43", "17/4", "-2 to 2", "64-128", "1,024", "14.3 %", "3 of 3", "0.50 (0.45 to 0.55)", "+0.00")
LEFT = ("cycle of 5", "1 3", "(1,2,0)", "1.2.1", "at most 8", "64*64", "-", "3 (deadlock)")
"""Words that are numbers, joined or not, and words that are none: where they stand in a table."""


def value(word: str) -> int | float | str:
    """A committed figure as a number where it is one."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _cell(row: Row) -> Cell:
    return Cell(
        row["printed"],
        value(row["computed"]),
        claim=row.get("claim", ""),
        place=tuple(row["place"]) if "place" in row else None,
        stated=row["verdict"] in ("stated", "conflicts"),
        reading=row.get("reading", ""),
        detail=row.get("detail", ""),
        note=row.get("note", ""),
    )


def _table(words: Row, rows: Sequence[Row]) -> Table:
    """A table of committed words and verdicts; what it does not have is left empty."""
    labels, columns = (list(dict.fromkeys(row[key] for row in rows)) for key in ("row", "column"))
    cells = {(row["row"], row["column"]): _cell(row) for row in rows}
    made = [(label, [cells.get((label, c)) for c in columns]) for label in labels]
    return Table(words["words"], words["source"], columns, made, words["note"])


def pieces(key: str, name: str, kind: str) -> list[Row]:
    """The committed words of a section: its texts, tables or figures."""
    mine = [row for row in TEXTS if (row["paper"], row["section"]) == (key, name)]
    return [row for row in mine if row["piece"].split()[0] == kind]


@cache
def committed() -> tuple[Computed, ...]:
    """Every section as it was committed: its words, its cells, and its figures without a drawing."""
    return tuple(_committed())


def committed_sections(key: str, *names: str) -> dict[str, Computed]:
    """Sections of one paper as committed, all of them without names; `test_verdicts` computes each and compares."""
    parts = {part.name: part for part in committed() if part.key == key}
    return {name: parts[name] for name in names} if names else parts


def _committed() -> Iterator[Computed]:
    rows = read_verdicts(verdict_file(golden_folder(), full=False))
    for (key, name), module in MODULES.items():
        mine = [row for row in rows if (row["paper"], row["section"]) == (key, name)]
        text = "\n\n".join(row["words"] for row in pieces(key, name, "text"))
        said = enumerate(pieces(key, name, "table"), 1)
        tables = [_table(words, [row for row in mine if row["table"] == n]) for n, words in said]
        claimed = {f"figure {row['row']}": row["claim"] for row in mine if row["table"] == "figure"}
        bare = {f"figure {row['row']}" for row in mine if row["table"] == "figure" and row["computed"] == NO_NUMBERS}
        data = {w["piece"]: {} if w["piece"] in bare else {"x": [1]} for w in pieces(key, name, "figure")}
        figures = [
            Figure(
                w["piece"].split()[1],
                w["words"],
                w["source"],
                _undrawn,
                data[w["piece"]],
                w["note"],
                claimed[w["piece"]],
            )
            for w in pieces(key, name, "figure")
        ]
        yield Computed(key, name, Section(module.TITLE, text, tables, figures))


def _undrawn(figure: Any) -> None:
    """No drawing: the page is given a picture that says whose it is."""


def numeric(word: str) -> bool:
    """Whether words are numbers, joined as a range, a ratio, a figure with its band."""
    parts = re.split(r" ± | to | of |/|:|(?<=\d)-| \(|\)$", word)
    try:
        return all(math.isfinite(float(part.replace(",", "").removesuffix("%").rstrip())) for part in parts if part)
    except ValueError:
        return False


def _made() -> Computed:
    """One cell of each verdict and kind: whole, broken, small, large, negative, words, none."""
    cells = [
        Cell("12", 12), Cell("8.19", Fraction(81902, 10000)), Cell("8.19", 9.25), Cell("10", 7),
        Cell("16", 16, stated=True), Cell("17", 16, stated=True),
        Cell(None, 0.000123456), Cell(None, Fraction(2, 3)), Cell(None, 12345.678),
        Cell(None, 7), Cell("yes", "yes"), Cell("yes", "no, one cycle of 5 channels at the least"), Cell("-2", -3.5),
        Cell("1.234567", 1.2345678), Cell("5", float("inf")), None, *(Cell(None, word) for word in (*RIGHT, *LEFT)),
    ]  # fmt: skip
    columns = [str(n) for n in range(len(cells))]
    return Computed("li2009rdn", "made", Section("Made", "", [Table("made", "s", columns, [("r", cells)])]))


@dataclass(frozen=True)
class Page:
    """A page and what it was made of."""

    root: Element
    parts: Sequence[Computed]

    def tables(self) -> Iterator[tuple[Table, Element]]:
        """Each table of a section with its box on the page."""
        at = self.root.by_id()
        for part in self.parts:
            for n, table in enumerate(part.section.tables):
                yield table, at[f"{part.key}-{part.name}-{n}"]

    def cells(self) -> Iterator[tuple[Cell | None, Element]]:
        """Each cell with its place on the page: as many of them as there are."""
        for table, box in self.tables():
            lines = [row.all("td") for row in box.one("tbody").all("tr")]
            assert [row.one("th").text for row in box.one("tbody").all("tr")] == [label for label, _ in table.rows]
            for (_, cells), line in zip(table.rows, lines, strict=True):
                yield from zip(cells, line, strict=True)


@cache
def whole_page() -> Page:
    """The committed report, one section computed again, and the made cells."""
    real = computed("yang2001rdt", MODULES["yang2001rdt", "table_5"])
    parts = [part if (part.key, part.name) != ("yang2001rdt", "table_5") else real for part in committed()]
    at = max(n for n, part in enumerate(parts) if part.key == "li2009rdn") + 1
    parts.insert(at, _made())
    pictures = {f.name: f"<svg><text>of {f.name}</text></svg>" for part in parts for f in part.section.figures}
    files = {(f"{p.key}-{p.name}", n): f"{p.name}.{n}" for p in parts for n, _ in enumerate(p.section.tables)}
    return Page(parsed(page(parts, pictures, files, "Computed by a test.")), parts)


def verdict_of(cell: Cell) -> str:
    """The verdict by the rule as it is written: what is typed in is stated, the rest equal, equal rounded, or not."""
    if cell.printed is None:
        return "not printed"
    printed, ours = printed_number(cell), exact(cell.computed)
    if printed is None or ours is None:
        kind = "equal" if cell.printed == str(cell.computed) else "differs"
    elif cell.printed.startswith(ABOUT):
        near = 10 * ours < 12 * printed and 10 * printed < 12 * ours
        kind = "equal" if printed == ours else "rounded" if near else "differs"
    else:
        half = Fraction(1, 2 * 10 ** len(cell.printed.partition(".")[2]))
        kind = "equal" if printed == ours else "rounded" if abs(ours - printed) <= half * (1 + EXACT) else "differs"
    return ("conflicts" if kind == "differs" else "stated") if cell.stated else kind


def printed_number(cell: Cell) -> Fraction | None:
    """The printed figure as an exact number, without the word before it; None for words."""
    return exact((cell.printed or "").removeprefix(ABOUT))


def exact(value: object) -> Fraction | None:
    """A figure as an exact number, None for words and for what is not finite."""
    if isinstance(value, Fraction):
        return value
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return Fraction(number) if number.is_finite() else None


def line(words: str) -> str:
    """Words as one line."""
    return " ".join(words.split())
