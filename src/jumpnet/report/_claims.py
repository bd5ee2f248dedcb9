"""The claims of the papers with their verdicts: one row for each entry of a golden file, and for each other reading.

A claim's verdict is the worst of the cells that show it; those of another reading make a row of their own. Of a table
each printed cell counts once, however many figures stand beside it. What agrees, but is for the most part repeated from
the paper, is `stated`. Reads computed sections only; used by the page,
`jumpnet paper --claims` and the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jumpnet.papers import entries, golden
from jumpnet.report._notes import notes
from jumpnet.report._report import Computed
from jumpnet.report._section import Cell

__all__ = ["CLAIM_VERDICTS", "Claim", "Option", "claims", "default_reading", "readings", "tally"]

ClaimVerdict = Literal["equal", "rounded", "differs", "conflicts", "stated", "shown"]
CLAIM_VERDICTS: tuple[ClaimVerdict, ...] = ("equal", "rounded", "differs", "conflicts", "stated", "shown")
"""`conflicts`: printed figures disagree; `shown`: drawn or listed, not compared."""
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
    """`name:option`, with commas between those of all its cells; empty where it is read in one way only."""
    default: bool
    """Whether this is the reading that counts."""
    note: str
    """Why it differs, or where many figures do, how many."""
    section: str
    """The section that shows it first."""
    table: int | None = None
    """Number, from 1, of the table of that section to look at: where a figure differs, else the first; None where it
    is drawn only."""
    cell: tuple[int, int] | None = None
    """Row and column, from 1, of that figure in its table."""

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


@dataclass(frozen=True)
class _Shown:
    """A cell and where it stands."""

    cell: Cell
    section: str
    table: int
    place: tuple[int, int]


def _shown(part: Computed) -> Iterator[_Shown]:
    for number, table in enumerate(part.section.tables, 1):
        for row, (_, cells) in enumerate(table.rows, 1):
            for column, cell in enumerate(cells, 1):
                if cell is not None:
                    yield _Shown(cell, part.name, number, (row, column))


def _cells(part: Computed) -> Iterator[Cell]:
    return (shown.cell for shown in _shown(part))


def _verdict(cells: Sequence[Cell]) -> ClaimVerdict:
    found = {cell.verdict for cell in cells}
    return next((verdict for verdict in WORST_FIRST if verdict in found), "shown")


def _by_place(places: Sequence[tuple[str, str]], cells: Sequence[Cell]) -> Counter[ClaimVerdict]:
    """The verdict of each cell of a printed table, however many figures stand beside it."""
    found: dict[tuple[str, str], list[Cell]] = {place: [] for place in places}
    for cell in cells:
        if cell.place in found:
            found[cell.place].append(cell)
    return Counter(_verdict(at) for at in found.values())


def _claim_verdict(places: Sequence[tuple[str, str]], cells: Sequence[Cell]) -> ClaimVerdict:
    """The worst of its cells; `stated` where they agree and not more than half of them are computed."""
    verdict = _verdict(cells)
    words = _by_place(places, cells) if places else Counter(c.verdict for c in cells if c.printed is not None)
    few = words["stated"] >= words["equal"] + words["rounded"]
    return "stated" if verdict in ("equal", "rounded") and few else verdict


def _table_said(places: Sequence[tuple[str, str]], cells: Sequence[Cell]) -> tuple[str, str]:
    """How many cells of a printed table come out: a cell with several figures, if they all agree.

    A figure that stands beside no printed cell of the table (a network of ours, another paper's table) is not counted.
    """
    words = _by_place(places, cells)
    same = words["equal"] + words["rounded"]
    more = [f"{words['stated']} repeated only"] if words["stated"] else []
    more += _contradicted(words["conflicts"])
    more += [f"{words['shown']} without a figure of ours"] if words["shown"] else []
    return f"{len(places)} figures", "; ".join([f"{same} of {len(places)} as printed", *more])


def _contradicted(times: int) -> list[str]:
    return [f"{times} contradicted by other printed figures"] if times else []


def _said(entry: Mapping[str, str], cells: Sequence[Cell]) -> tuple[str, str]:
    """What is printed and what is computed, in short; then how often other printed figures contradict it."""
    printed, computed = _compared(entry, cells)
    clash = sum(cell.verdict == "conflicts" for cell in cells)
    beside = any(cell.printed is not None and not cell.stated for cell in cells)
    return printed, "; ".join([computed, *_contradicted(clash if beside else 0)])


def _compared(entry: Mapping[str, str], cells: Sequence[Cell]) -> tuple[str, str]:
    """What is printed and what is computed, by the figures that count."""
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
    found: dict[tuple[str, str], dict[str, list[_Shown]]] = {}
    where: dict[tuple[str, str], str] = {}
    for part in parts:
        for shown in _shown(part):
            cell = shown.cell
            if cell.claim:
                # The default counts together with cells that can be read in one way only.
                reading = "" if default_reading(part.key, cell.reading) else cell.reading
                found.setdefault((part.key, cell.claim), {}).setdefault(reading, []).append(shown)
                where.setdefault((part.key, cell.claim), part.name)
        for figure in part.section.figures:
            if figure.claim:
                found.setdefault((part.key, figure.claim), {}).setdefault("", [])
                where.setdefault((part.key, figure.claim), part.name)
    made = []
    for key in dict.fromkeys(key for key, _ in found):
        for name, entry in entries(golden(key)).items():
            for reading, shown_cells in sorted(found.get((key, name), {}).items()):
                made.append(_claim(key, name, entry, reading, shown_cells, where[key, name]))
    return made


def _places(key: str, name: str) -> list[tuple[str, str]]:
    """The cells of a printed table that have a figure; none of a sentence."""
    table = golden(key).get(name)
    if table is None:
        return []
    rows = table["rows"].items()
    return [(row, column) for row, words in rows for column, word in zip(table["columns"], words, strict=True) if word]


def _claim(key: str, name: str, entry: Mapping[str, str], reading: str, shown: Sequence[_Shown], section: str) -> Claim:
    cells = [each.cell for each in shown]
    places = _places(key, name)
    if places and reading:
        there = {cell.place for cell in cells}
        places = [place for place in places if place in there]
    printed, computed = _table_said(places, cells) if places else _said(entry, cells)
    named = ", ".join(dict.fromkeys(cell.reading for cell in cells if cell.reading))
    verdict = _claim_verdict(places, cells)
    look = next((each for each in shown if each.cell.verdict == verdict), shown[0] if shown else None)
    at = (section, None, None) if look is None else (look.section, look.table, look.place)
    return Claim(
        key, name, entry["where"], entry["text"], printed, computed, verdict, named, not reading,
        _why(key, places, cells), *at,
    )  # fmt: skip


def _why(key: str, places: Sequence[tuple[str, str]], cells: Sequence[Cell]) -> str:
    """The note of a claim; where several stand beside its figures, how many differ, and the first surprise.

    They are counted as `_table_said` and `_said` count them.
    """
    reasons = list(dict.fromkeys(cell.note for cell in cells if cell.note))
    if len(reasons) < 2:
        return "".join(reasons)
    words = _by_place(places, cells) if places else Counter(cell.verdict for cell in cells if cell.printed is not None)
    differ, clash = words["differs"], words["conflicts"]
    counts = [f"{differ} {'figure differs' if differ == 1 else 'figures differ'}"] if differ else []
    counts += [f"{clash} of what is printed contradict{'s' * (clash == 1)} other printed figures"] if clash else []
    surprises = {note.text: note.surprise for note in notes(key) if note.surprise}
    first = next((surprises[reason] for reason in reasons if reason in surprises), "")
    said = f"{', '.join(counts)}; the tables say why." if counts else ""
    return " ".join(filter(None, (said, first)))


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
