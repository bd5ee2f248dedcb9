"""Section 5.1 of the bit-map directory paper: directory memory for pages against lines, in programs that were run."""

from __future__ import annotations

from fractions import Fraction

from jumpnet.coherence.encoding import encodings
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, captured, shipped, traffic

TITLE = "Section 5.1: directory memory of real programs"
ORDER = 12

LINES_OF_PAGE = 128
MACHINE = 1 << 14
POINTERS, MAPS = "limited_evicting", "SM"


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Pages and lines that the programs touch, and what entries for them take."""
    bits = {name: encodings()[name].bits(MACHINE).entry for name in (POINTERS, MAPS)}
    rows: list[tuple[str, list[Cell | None]]] = []
    best, where = Fraction(1), ""
    # The six programs always; of the captured traces those of the paper's sizes.
    for label, trace in {**shipped(True), **captured(full)}.items():
        f = traffic(trace, "invalidate", "page", CLUSTER)
        if Fraction(f.pages, f.lines) < best:
            best, where = Fraction(f.pages, f.lines), label
        cells: list[Cell | None] = [
            Cell(None, f.pages),
            Cell(None, f.lines),
            Cell(None, f"{100 * f.lines / (LINES_OF_PAGE * f.pages):.0f}%"),
            Cell(None, f"1/{f.lines / f.pages:.1f}"),
            Cell(None, f"{f.lines * bits[POINTERS] / 8192:.1f}"),
            Cell(None, f"{f.pages * bits[MAPS] / 8192:.2f}"),
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
    source = "kudoh1995rhbd, section 5.1"
    most = claimed(golden, "page_reduction", f"{best.numerator}/{best.denominator}", detail=where)
    claims = Table("What the text says", source, ("largest reduction of entries",), [("all programs", [most])])
    return Section(TITLE, TEXT, (claims, Table("Directory entries of programs", "computed here", columns, rows)))


TEXT = """An entry for each page of 4 Kbyte instead of each line of 32 byte takes 1/128 of the entries at best, as the
paper says: where every line of a page is in use. Less is saved where pages are used less: where a record leaves room
(our water), where a page holds one counter or barrier (arrays start on pages of their own here). 'Usually the usage
ratio is quite high', says the paper; so it is in the programs with dense arrays. Entries are those of 16,384 nodes, the
size of the paper's comparison."""
