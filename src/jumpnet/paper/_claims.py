"""The claims of the papers with their verdicts: one row for each entry of a golden file, and for each other reading.

A claim's verdict is the worst of the cells that show it; those of another reading make a row of their own. Reads
computed sections only; used by the page, `jumpnet paper --claims` and the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jumpnet.paper._report import Computed
from jumpnet.paper._section import Cell
from jumpnet.papers import entries, golden

__all__ = ["CLAIM_VERDICTS", "Claim", "Option", "claims", "default_reading", "readings", "tally"]

ClaimVerdict = Literal["equal", "rounded", "differs", "conflicts", "stated", "shown"]
CLAIM_VERDICTS: tuple[ClaimVerdict, ...] = ("equal", "rounded", "differs", "conflicts", "stated", "shown")
"""`conflicts`: printed figures disagree, nothing is computed; `shown`: drawn or listed, nothing printed to compare."""
AGREE = ("equal", "rounded", "stated")
WORST_FIRST: tuple[ClaimVerdict, ...] = ("differs", "conflicts", "rounded", "equal", "stated")


@dataclass(frozen=True)
class Claim:
    """One claim under one reading."""

    paper: str
    claim: str
    """Its name in the golden file."""
    place: str
    """Table, section, theorem of the paper."""
    text: str
    """What it says, in our words."""
    printed: str
    computed: str
    verdict: ClaimVerdict
    reading: str
    """`name:option`, empty where it is read in one way only."""
    default: bool
    """Whether this is the reading that counts."""
    note: str
    section: str
    """The section that shows it first."""

    def row(self) -> dict[str, Any]:
        """The line of `jumpnet paper --claims --json`."""
        keys = ("paper", "claim", "place", "text", "printed", "computed", "verdict", "reading", "default", "note")
        return {key: getattr(self, key) for key in keys}


@dataclass(frozen=True)
class Option:
    """One way to read a sentence, and how many printed figures it gives."""

    paper: str
    reading: str
    option: str
    text: str
    default: bool
    reproduced: int
    compared: int


def default_reading(key: str, reading: str) -> bool:
    """Whether a cell's reading (`name:option`, or empty) is the one that counts.

    >>> default_reading("li2009rdn", "")
    True
    """
    name, _, option = reading.partition(":")
    return not name or golden(key)["readings"][name]["default"] == option


def _cells(part: Computed) -> Iterator[Cell]:
    for table in part.section.tables:
        for _, cells in table.rows:
            yield from (cell for cell in cells if cell is not None)


def _verdict(cells: Sequence[Cell]) -> ClaimVerdict:
    found = {cell.verdict for cell in cells}
    return next((verdict for verdict in WORST_FIRST if verdict in found), "shown")


def _said(entry: Mapping[str, str], cells: Sequence[Cell]) -> tuple[str, str]:
    """What is printed and what is computed, in short."""
    # Figures that nothing computed stands behind count only where there are no others.
    printed_cells = [cell for cell in cells if cell.printed is not None]
    compared = [cell for cell in printed_cells if not cell.stated] or printed_cells
    if not compared:
        return entry.get("value", ""), cells[0].text if len(cells) == 1 else "drawn" if not cells else "see there"
    printed = {str(cell.printed) for cell in compared}
    computed = {cell.text for cell in compared}
    same = sum(cell.verdict in AGREE for cell in compared)
    share = f"{same} of {len(compared)} as printed" if len(compared) > 1 else ""
    value = entry.get("value") or (printed.pop() if len(printed) == 1 else f"{len(compared)} figures")
    if len(computed) == 1:
        word = computed.pop()
        return value, f"{word} ({share})" if share else word
    return value, share


def claims(parts: Iterable[Computed]) -> list[Claim]:
    """The claims that computed sections show, in the order of the golden files; each reading beside the default."""
    found: dict[tuple[str, str], dict[str, list[Cell]]] = {}
    where: dict[tuple[str, str], str] = {}
    for part in parts:
        for cell in _cells(part):
            if cell.claim:
                # The default counts together with cells that can be read in one way only.
                reading = "" if default_reading(part.key, cell.reading) else cell.reading
                found.setdefault((part.key, cell.claim), {}).setdefault(reading, []).append(cell)
                where.setdefault((part.key, cell.claim), part.name)
        for figure in part.section.figures:
            if figure.claim:
                found.setdefault((part.key, figure.claim), {}).setdefault("", [])
                where.setdefault((part.key, figure.claim), part.name)
    made = []
    for key in dict.fromkeys(key for key, _ in found):
        for name, entry in entries(golden(key)).items():
            for reading, cells in sorted(found.get((key, name), {}).items()):
                made.append(_claim(key, name, entry, reading, cells, where[key, name]))
    return made


def _claim(key: str, name: str, entry: Mapping[str, str], reading: str, cells: Sequence[Cell], section: str) -> Claim:
    printed, computed = _said(entry, cells)
    named = reading or next((cell.reading for cell in cells if cell.reading), "")
    note = " ".join(dict.fromkeys(cell.note for cell in cells if cell.note))
    return Claim(
        key, name, entry["where"], entry["text"], printed, computed, _verdict(cells), named, not reading, note, section
    )


def tally(rows: Iterable[Claim]) -> dict[str, int]:
    """How many claims have each verdict, by the reading that counts; every verdict named."""
    found = Counter(row.verdict for row in rows if row.default)
    return {verdict: found[verdict] for verdict in CLAIM_VERDICTS}


def readings(parts: Iterable[Computed]) -> list[Option]:
    """Every reading that computed sections show, option by option, with the printed figures that it gives."""
    compared: Counter[tuple[str, str]] = Counter()
    same: Counter[tuple[str, str]] = Counter()
    keys = []
    for part in parts:
        keys.append(part.key)
        for cell in _cells(part):
            if cell.reading and cell.printed is not None and not cell.stated:
                compared[part.key, cell.reading] += 1
                same[part.key, cell.reading] += cell.verdict != "differs"
    return [
        Option(
            key, name, option, text, reading["default"] == option,
            same[key, f"{name}:{option}"], compared[key, f"{name}:{option}"],
        )
        for key in dict.fromkeys(keys)
        for name, reading in golden(key).get("readings", {}).items()
        if any(compared[key, f"{name}:{option}"] for option in reading["options"])
        for option, text in reading["options"].items()
    ]  # fmt: skip
