"""Section 5.1 of the bit-map directory paper: bits of a directory entry, encoding by encoding."""

from __future__ import annotations

from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.encoding.node_numbers import POINTERS
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.papers import claim, evaluate
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed

TITLE = "Section 5.1: bits of a directory entry"
ORDER = 10

SIZES = (256, 1024, 4096, 16384, 65536)
PRINTED_SIZE = 16384
NAMES = {
    "full_map": "full map",
    "limited_broadcast": f"limited pointers, {POINTERS}, broadcast",
    "limited_evicting": f"limited pointers, {POINTERS}, evicting",
    "chained": "chained list",
    "hierarchical": "full hierarchical bit-map",
    "SM": "SM, LPRA or LARP maps",
}
USUAL = (2, 3)
"""Pointers that limited-pointer directories usually have, as the section says."""
FOUR = 4
"""Maps of the paper's entry."""
SIDES = (16, 64, 128)
"""Networks whose headers are built: JUMP-1's prototype, what four maps name, and the size of section 5.1."""


def _entry_bits(golden: Golden) -> Table:
    printed = {"limited_evicting": "limited_pointer_bits", "SM": "directory_bits"}
    rows = []
    for name, label in NAMES.items():
        cells: list[Cell | None] = []
        for nodes in SIZES:
            bits = encodings()[name].bits(nodes)
            text = bits.entry if not bits.per_copy else f"{bits.entry} + {bits.per_copy} a copy"
            if name in printed and nodes == PRINTED_SIZE:
                cells.append(claimed(golden, printed[name], text, stated=True))
            elif name == "full_map":
                size = str(evaluate(claim(golden, "full_map_bits"), N=nodes))
                cells.append(claimed(golden, "full_map_bits", text, printed=size, stated=True))
            else:
                cells.append(Cell(None, text))
        rows.append((label, cells))
    return Table(
        "Bits of a directory entry",
        "kudoh1995rhbd, section 5.1",
        [f"{nodes} nodes" for nodes in SIZES],
        rows,
        "The broadcast bit of the limited pointers is not in the printed 84. Entries by the rules of the encodings; "
        "those of maps name every node.",
    )


def _built(golden: Golden) -> Table:
    """Headers built for the farthest router of a network: their maps, and the nodes that so many name."""
    rows: Rows = []
    for side in SIDES:
        where = territories(f"prdt:{side}")
        address = where.address(0, [int(where.rank_of.argmax())])
        maps = scheme("SM").maps(address.digits)
        bits, held = len(maps) * where.fanout, len(where.members(0, min(FOUR, where.top + 1) - 1))
        said = bits if side != 128 else claimed(golden, "directory_bits", bits)
        cells: list[Cell | None] = [
            said if isinstance(said, Cell) else Cell(None, said, claim="directory_bits"),
            Cell(None, held, claim="directory_bits"),
            Cell(None, where.routers),
        ]
        rows.append((f"{side} x {side}", cells))
    columns = ("bits to name every router", f"routers that {FOUR} maps name", "routers")
    return Table("Maps of headers that were built", "kudoh1995rhbd, section 5.1", columns, rows, "On PRDTs.")


def _usual(golden: Golden) -> Table:
    """The pointers that are usual beside those of the comparison, and the bits of either."""
    address = (PRINTED_SIZE - 1).bit_length()
    bits = ", ".join(f"{n} take {n * address}" for n in (*USUAL, POINTERS))
    detail = f"bits by the number of pointers: {bits}; the maps {claim(golden, 'directory_bits')}"
    cell = claimed(golden, "pointers_usual", POINTERS, stated=True, detail=detail)
    title = "Pointers of an entry: usually, and in the comparison"
    return Table(title, "kudoh1995rhbd, section 5.1", (f"{PRINTED_SIZE} nodes",), [("limited pointers", [cell])])


def section(golden: Golden, progress: Progress) -> Section:
    """Sizes by formula; the headers are built, the territories listed."""
    sizes = _entry_bits(golden)
    five = sizes.at("SM, LPRA or LARP maps", "16384 nodes").text
    return Section(TITLE, TEXT.format(five=five), (sizes, _built(golden), _usual(golden)))


TEXT = """An entry of the reduced schemes holds one 8-bit map for each rank in use. The paper's 32 bits for 2^14
nodes are four maps. A territory of four ranks holds 4096 routers, as many as 8^4, so four maps name one node in four
of 16,384: an entry that can name each of them needs a fifth map, {five} bits (of which the 2 x 2 top torus uses
four). The 256 clusters of the prototype take three maps; two would name 64 of them."""
