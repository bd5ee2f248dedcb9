"""Section 5.1 of the bit-map directory paper: directory memory for pages against lines, in programs that were run."""

from __future__ import annotations

from fractions import Fraction

from jumpnet.coherence.encoding import encodings
from jumpnet.machine.trace import Trace
from jumpnet.report._measures import much_more
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._sharing import CLUSTER, Figures, measured, shipped, traffic

TITLE = "Section 5.1: directory memory of real programs"
ORDER = 12

LINES_OF_PAGE, LINE_BITS = 128, 256
MACHINE = 1 << 14
POINTERS, MAPS, CHAIN = "limited_evicting", "SM", "chained"
IN_USE = 0.5
"""Usage is high where more than half of the lines of touched pages are touched."""
SMALL = 0.1
"""A pointer is small that takes less than a tenth of its line."""


def _figures(trace: Trace) -> Figures:
    f = traffic(trace, "invalidate", "page", CLUSTER)
    return {"pages": f.pages, "lines": f.lines}


def _claims(golden: Golden, programs: dict[str, Figures], pointers: int, maps: int) -> Table:
    best = min(Fraction(f["pages"], f["lines"]) for f in programs.values())
    used = sum(f["lines"] / (LINES_OF_PAGE * f["pages"]) > IN_USE for f in programs.values())
    less = [f["lines"] * pointers / (f["pages"] * maps) for f in programs.values()]
    copy = encodings()[CHAIN].bits(MACHINE).per_copy
    n = len(programs)
    row = [
        claimed(golden, "page_reduction", f"{best.numerator}/{best.denominator}", stated=True,
                detail="the sizes of pages and lines; some program here fills its pages"),
        claimed(golden, "page_usage_high", "yes" if 2 * used > n else "no",
                detail=f"more than half of the lines of touched pages are in use in {used} of {n} programs"),
        claimed(golden, "memory_reduced", "much" if much_more(min(less), 1) else "not much",
                detail=f"maps of pages take {min(less):.0f} to {max(less):.0f} times less than pointers of lines"),
        claimed(golden, "chain_memory", "small" if copy < SMALL * LINE_BITS else "not small", stated=True,
                detail=f"{copy} bits in each entry and in each copy of {LINE_BITS} bits"),
    ]  # fmt: skip
    columns = ("largest reduction of entries", "usage of pages", "memory of maps", "memory of a chained list")
    return Table("What the text says", "kudoh1995rhbd, section 5.1", columns, [("all programs", row)])


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Pages and lines that the programs touch, and what entries for them take."""
    pointers, maps = (encodings()[name].bits(MACHINE).entry for name in (POINTERS, MAPS))
    own, kept = measured("directory_memory", shipped(True), _figures, progress, full)
    programs = {**own, **dict(sorted(kept.items()))}
    rows: Rows = []
    for label, f in programs.items():
        pages, lines = f["pages"], f["lines"]
        cells: list[Cell | None] = [
            Cell(None, pages),
            Cell(None, lines),
            Cell(None, f"{100 * lines / (LINES_OF_PAGE * pages):.0f}%"),
            Cell(None, f"1/{lines / pages:.1f}"),
            Cell(None, f"{lines * pointers / 8192:.1f}"),
            Cell(None, f"{pages * maps / 8192:.2f}"),
        ]
        rows.append((label, cells))
    columns = (
        "pages touched",
        "lines touched",
        "usage of pages",
        "entries: pages against lines touched",
        f"KiB: pointers of {pointers} bits, lines",
        f"KiB: maps of {maps} bits, pages",
    )
    claims = _claims(golden, programs, pointers, maps)
    table = Table("Directory entries of programs", "computed here", columns, rows)
    return Section(TITLE, TEXT, (claims, table), kept=kept)


TEXT = """An entry for each page of 4 Kbyte instead of each line of 32 byte takes 1/128 of the entries at best, as the
paper says: where every line of a page is in use. Less is saved where pages are used less: where a record leaves room
(our water), where a page holds one counter or barrier (arrays start on pages of their own here). 'Usually the usage
ratio is quite high', says the paper; so it is in most of the programs here. Entries are those of 16,384 nodes, the
size of the paper's comparison."""
