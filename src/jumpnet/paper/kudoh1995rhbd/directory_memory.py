"""Section 5.1 of the bit-map directory paper: directory memory for pages against lines, in programs that were run."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from jumpnet.coherence.encoding import encodings
from jumpnet.machine.trace import Trace
from jumpnet.paper._kept import kept
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, captured, shipped, traffic

TITLE = "Section 5.1: directory memory of real programs"
ORDER = 12

KEY, NAME = "kudoh1995rhbd", "directory_memory"
LINES_OF_PAGE = 128
HIGH = Fraction(1, 2)
"""A page of which more lines than this are in use counts as highly used."""
MACHINE = 1 << 14
POINTERS, MAPS = "limited_evicting", "SM"

Touched = dict[str, tuple[int, int]]
"""Pages and lines by program."""


def _counted(traces: Mapping[str, Trace]) -> Touched:
    found = {label: traffic(trace, "invalidate", "page", CLUSTER) for label, trace in traces.items()}
    return {label: (f.pages, f.lines) for label, f in found.items()}


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Pages and lines that the programs touch, and what entries for them take.

    The six programs are run; captured traces are counted in full only, and shown as committed otherwise.
    """
    ran = _counted(shipped(True))
    known = kept(KEY, NAME)
    if full:
        traced, said = _counted(captured(True)), ""
    else:
        traced = {label: (n[0], n[1]) for label, n in known.data["captured"].items()} if known else {}
        said = f"Captured traces: {known.said}" if known else ""
    tables = [_claims(golden, ran | traced), _table("Directory entries of programs", ran)]
    if traced:
        tables.append(_table("Directory entries of captured programs", traced, said))
    return Section(TITLE, TEXT, tables, kept={"captured": traced} if full and traced else {})


def _claims(golden: Golden, touched: Touched) -> Table:
    pages, lines = min(touched.values(), key=lambda n: Fraction(*n))
    best = Fraction(pages, lines)
    whole = [label for label, n in touched.items() if Fraction(*n) == best]
    most = claimed(golden, "page_reduction", f"{best.numerator}/{best.denominator}", detail=", ".join(whole))
    high = sum(Fraction(n[1], LINES_OF_PAGE * n[0]) > HIGH for n in touched.values())
    detail = f"more than half of the lines in {high} of {len(touched)} programs"
    usage = claimed(golden, "page_usage_high", "yes" if 2 * high > len(touched) else "no", detail=detail)
    rows: list[tuple[str, list[Cell | None]]] = [("largest reduction of entries", [most]), ("usage is high", [usage])]
    return Table("What the text says", f"{KEY}, section 5.1", ("value",), rows)


def _table(title: str, touched: Touched, note: str = "") -> Table:
    bits = {name: encodings()[name].bits(MACHINE).entry for name in (POINTERS, MAPS)}
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, (pages, lines) in touched.items():
        cells: list[Cell | None] = [
            Cell(None, pages),
            Cell(None, lines),
            Cell(None, f"{100 * lines / (LINES_OF_PAGE * pages):.0f}%", claim="page_usage_high"),
            Cell(None, f"1/{lines / pages:.1f}", claim="page_reduction"),
            Cell(None, f"{lines * bits[POINTERS] / 8192:.1f}"),
            Cell(None, f"{pages * bits[MAPS] / 8192:.2f}"),
        ]
        rows.append((label, cells))
    columns = (
        "pages touched",
        "lines touched",
        "usage of pages",
        "entries: pages against lines touched",
        f"KiB: pointers of {bits[POINTERS]} bits, lines",
        f"KiB: maps of {bits[MAPS]} bits, pages",
    )
    return Table(title, "computed here", columns, rows, note)


TEXT = """An entry for each page of 4 Kbyte instead of each line of 32 byte takes 1/128 of the entries at best, as the
paper says: where every line of a page is in use. Less is saved where pages are used less: where a record leaves room
(our water), where a page holds one counter or barrier (arrays start on pages of their own here). 'Usually the usage
ratio is quite high', says the paper; so it is in most of the programs here. Entries are those that name each of 16,384
nodes, the size of the paper's comparison."""
