"""Section 3 of the bit-map directory paper: maps of a tree and their reduction; Figures 5 and 6 on a 3-ary tree."""

from __future__ import annotations

from itertools import product

from jumpnet.chip.packet import FLIT_BITS, LONGEST
from jumpnet.coherence.encoding import encodings
from jumpnet.multicast import scheme
from jumpnet.papers import claim, evaluate
from jumpnet.report._plain_tree import DESTINATIONS, SOURCE, Cast, cast, figures_5_and_6
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed

TITLE = "Section 3: bit-maps of a tree, and three ways to reduce them"
ORDER = 4

SCHEMES = ("LPRA", "SM", "LARP", "LARP:path")
DRAWN = "The subtree of level 1 where the multicast starts. s source, d destination, dots receive; B broadcasts."
SIZES = ((3, 3), (3, 4), (8, 2), (8, 3), (8, 4))
"""(children, height) of trees that are built."""
JUMP_1 = (8, 4)
"""The tree that the four maps of a header are of."""
PACKET = LONGEST * 2 * FLIT_BITS
"""Bits of a longest packet of two chips."""


def _bits(golden: Golden) -> Table:
    """Bits of whole trees, by building the header that names every leaf."""
    rows: Rows = []
    for n, m in SIZES:
        leaves = list(product(range(n), repeat=m))
        found = cast(scheme("full"), n, leaves[0], leaves)
        more = "yes" if found.bits > len(found.receivers) else "no"
        printed = [str(evaluate(claim(golden, name), n=n, m=m)) for name in ("tree_bits", "tree_leaves")]
        cells: list[Cell | None] = [
            claimed(golden, "tree_bits", found.bits, printed=printed[0]),
            claimed(golden, "tree_leaves", len(found.receivers), printed=printed[1]),
            claimed(golden, "tree_larger", more),
            _header_large(golden, found.bits) if (n, m) == JUMP_1 else None,
        ]
        rows.append((f"{n}-ary tree of height {m}", cells))
    return Table(
        "Memory of a whole tree",
        "kudoh1995rhbd, section 3",
        ("bits of all maps", "leaves", "more than a full map", "header with all of them"),
        rows,
        "Counted over the nodes that a multicast to all leaves passes, each with a map of its own.",
    )


def _header_large(golden: Golden, bits: int) -> Cell:
    """Whether a header with all maps is longer than any packet."""
    found = "large" if bits > PACKET else "small"
    return claimed(golden, "header_large", found, detail=f"{bits} bits; a longest packet of two chips has {PACKET}")


CHOSEN = "The example was chosen so: its top node sends to one child only."
DEFINED = "The scheme is defined by this sentence."
READ = "maps_read_on_the_way"
CARRIED = "In our models the header carries the maps, as in JUMP-1; reading them on the way is not timed."


def _share(those: list[bool]) -> str:
    return "all" if all(those) else f"{sum(those)} of {len(those)}"


def _rules(golden: Golden, found: dict[str, Cast]) -> Table:
    """What the nodes of the example do, against the text."""
    casts = {name: [v for v in each.visits if v.level >= 1] for name, each in found.items()}
    every = 0b111
    remote = [v.served == every for v in casts["LPRA"] if not v.local]
    near = [v.served == v.bit_map for v in casts["LPRA"] if v.local]
    single = [v.served == v.bit_map for v in casts["SM"]]
    rows: Rows = [
        (label, [claimed(golden, name, _share(those), stated=True, detail=DEFINED)])
        for label, name, those in (
            ("LPRA: nodes of other subtrees that broadcast", "lpra_remote_broadcast", remote),
            ("LPRA: nodes of the source's subtrees that use their map", "lpra_local_maps", near),
            ("SM: nodes that use the map of their level", "sm_one_map", single),
        )
    ]
    for option in ("subtree", "path"):
        name, reading = "LARP" if option == "subtree" else "LARP:path", f"larp:{option}"
        start = next(v.level for v in found[name].visits if v.starts)
        spread = min(v.level for v in found[name].visits if v.served != v.bit_map)
        far = [v.served == v.bit_map for v in casts[name] if v.node[: start + 1] != SOURCE[: start + 1]]
        rows += [
            (
                f"{name}: level at which the multicast starts",
                [claimed(golden, "larp_start", start, stated=True, reading=reading, detail=CHOSEN)],
            ),
            (
                f"{name}: level of the first broadcast",
                [claimed(golden, "larp_broadcast", spread, stated=True, reading=reading, detail=DEFINED)],
            ),
            (
                f"{name}: nodes of other subtrees that use their map",
                [claimed(golden, "larp_remote_maps", _share(far), stated=True, reading=reading, detail=DEFINED)],
            ),
        ]
    rows.append((golden["claims"][READ]["text"], [claimed(golden, READ, "not quick", stated=True, detail=CARRIED)]))
    return Table("What the text says of the schemes", "kudoh1995rhbd, section 3.1", ("value",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Build whole trees; send one multicast under every scheme."""
    found = {name: cast(scheme(name), 3, SOURCE, DESTINATIONS) for name in ("full", *SCHEMES)}
    rows: Rows = []
    for name, each in found.items():
        used = encodings()["hierarchical" if name == "full" else name]
        figures = (len(each.receivers), len(each.receivers) - len(DESTINATIONS), _header(name, each))
        which = "figure_5" if name == "full" else "figure_6"
        reading = {"LARP": "larp:subtree", "LARP:path": "larp:path"}.get(name, "")
        rows.append((f"{name}: {used.summary}", [Cell(None, v, claim=which, reading=reading) for v in figures]))
    example = Table(
        f"One multicast to {len(DESTINATIONS)} leaves of 27",
        "kudoh1995rhbd, Figures 5 and 6",
        ("receivers", "unnecessary", "bits of maps"),
        rows,
        "Bits of the maps below and at the node where the multicast starts.",
    )
    pictures = figures_5_and_6("kudoh1995rhbd", "rhbd", found, SCHEMES, (7, 9), DRAWN)
    return Section(TITLE, TEXT, (_bits(golden), _rules(golden, found), example), pictures)


def _header(name: str, found: Cast) -> int:
    """Bits of the maps in a header for the levels in use."""
    start = next(v.level for v in found.visits if v.starts)
    if scheme(name).per_node:
        return sum(found.fanout for v in found.visits if v.level >= start)
    return scheme(name).header_bits(found.height - start, found.fanout)


TEXT = """A directory entry may hold a map for each node of a tree: then only destinations receive, but the entry is
larger than a full map. The reduced schemes keep one map a level, and differ in where they use it. The paper's Figure 6
shows each on a 3-ary tree; the leaves it chose are lost to us, so the example here is our own, drawn for both readings
of LARP. What the text says of each scheme defines it,
and the level at which LARP starts to multicast is put into the example: that they come out shows nothing."""
