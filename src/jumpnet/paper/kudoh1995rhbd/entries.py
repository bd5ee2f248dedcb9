"""Section 5.1 of the bit-map directory paper: bits of a directory entry, encoding by encoding."""

from __future__ import annotations

from fractions import Fraction

from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.encoding.limited_broadcast import POINTERS
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.papers import claim, evaluate

TITLE = "Section 5.1: bits of a directory entry"
ORDER = 10

SIZES = (256, 1024, 4096, 16384, 65536)
PRINTED_SIZE = 16384
LINE_BYTES, PAGE_BYTES = 32, 4096
NAMES = {
    "full_map": "full map",
    "limited_broadcast": f"limited pointers, {POINTERS}, broadcast",
    "limited_evicting": f"limited pointers, {POINTERS}, evicting",
    "chained": "chained list",
    "hierarchical": "full hierarchical bit-map",
    "SM": "SM, LPRA or LARP maps",
}


def _entry_bits(golden: Golden) -> Table:
    shown = {"limited_evicting": "limited_pointer_bits", "SM": "directory_bits"}
    rows = []
    for name, label in NAMES.items():
        cells: list[Cell | None] = []
        for nodes in SIZES:
            bits = encodings()[name].bits(nodes)
            text = bits.entry if not bits.per_copy else f"{bits.entry} + {bits.per_copy} a copy"
            if name == "full_map":
                formula = str(evaluate(claim(golden, "full_map_bits"), N=nodes))
                cells.append(claimed(golden, "full_map_bits", text, printed=formula, stated=True))
            elif name in shown and nodes == PRINTED_SIZE:
                cells.append(claimed(golden, shown[name], text, stated=True))
            else:
                cells.append(Cell(None, text))
        rows.append((label, cells))
    return Table(
        "Bits of a directory entry",
        "kudoh1995rhbd, section 5.1",
        [f"{nodes} nodes" for nodes in SIZES],
        rows,
        "Formulas on both sides. The broadcast bit of the limited pointers is not in the printed 84.",
    )


def _memory(golden: Golden) -> Table:
    ratio = Fraction(LINE_BYTES, PAGE_BYTES)
    row: list[Cell | None] = [
        claimed(golden, "branches", len(territories("prdt:128").members(0, 0))),
        claimed(golden, "page_reduction", f"{ratio.numerator}/{ratio.denominator}", stated=True),
        Cell(None, Fraction(int(claim(golden, "directory_bits")), int(claim(golden, "limited_pointer_bits"))) * ratio),
    ]
    return Table(
        "Memory of the directory",
        "kudoh1995rhbd, sections 4 and 5.1",
        (
            "children of a node",
            "entries for pages instead of lines",
            "32-bit entries for pages against 84-bit for lines",
        ),
        [("2^14 nodes", row)],
    )


def _reach() -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for spec in ("prdt:64", "prdt:128", "prdt:256", "rdt:128", "rdt:256"):
        where = territories(spec)
        for ranks in (4, 5, 6):
            if ranks <= where.top + 1:
                held = len(where.members(0, ranks - 1))
                bits = scheme("SM").header_bits(ranks, where.fanout)
                rows.append((f"{spec}, {ranks} ranks", [Cell(None, bits), Cell(None, held), Cell(None, where.routers)]))
    return Table(
        "What the maps reach from one source",
        "computed here",
        ("bits", "routers in the territory", "routers"),
        rows,
        "Eight children at every rank; on the top torus of prdt:128 and prdt:256 several of them are one router.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Sizes by formula; the territories are counted."""
    return Section(TITLE, TEXT, (_entry_bits(golden), _memory(golden), _reach()))


TEXT = """An entry of the reduced schemes holds one 8-bit map for each rank in use. The paper's 32 bits for 2^14 nodes
are four maps; a territory of four ranks holds 4096 routers, as many as 8^4, so a message to all of 16,384 nodes needs
a fifth map (40 bits), of which the 2x2 top torus uses four bits."""
