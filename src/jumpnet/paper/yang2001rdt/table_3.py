"""Table III of the RDT paper: bisection bandwidth, the printed formulas against cuts counted on the networks."""

from __future__ import annotations

from jumpnet.graph.bisection import straight_cut, wires_across
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, golden_table
from jumpnet.papers import claim
from jumpnet.topology import build

TITLE = "Table III: bisection bandwidth"
ORDER = 50

SMALL, LARGE = "4096", "16777216"
TORI = {"2D Torus": ("torus:64x64", 64, 4096, 2), "3D Torus": ("torus:16x16x16", 16, 256, 3),
        "4D Torus": ("torus:8x8x8x8", 8, 64, 4), "Hypercube": ("hypercube:12", 2, 2, 0)}  # fmt: skip
"""Row: small network, its side, the large network's side, dimensions (0: the hypercube, side 2)."""
RDT = "RDT(2,4,1)/alpha"
LARGE_SIDE = 4096


def _cut(spec: str) -> int:
    cut = straight_cut(build(spec))
    assert cut is not None
    return cut.links


def _wires(spec: str) -> dict[int, int]:
    """Wires of each rank over one plane, in units of the side."""
    net = build(spec)
    return {rank: int(wires / int(net.params[0])) for rank, wires in wires_across(net, 0).items()}


def _by_rank(golden: Golden) -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, spec, name in UNITS:
        found = _wires(spec)
        total, side = 2 * sum(found.values()), int(build(spec).params[0])
        printed = claim(golden, name)
        cells = [Cell(None, found.get(r, 0)) for r in range(5)]
        note = SIX_TORI if str(total) != printed else ""
        rows.append((label, [*cells, Cell(printed, total, note), Cell(None, _cut(spec) / side)]))
    return Table(
        "Links of RDT(2,4,1)/α over a straight cut, in units of the side k",
        "yang2001rdt, section IV.A",
        [*(f"rank {r}, one plane" for r in range(5)), "both planes, all ranks", "least straight cut, counted"],
        rows,
        "One plane: lengths of the links along one axis, divided by the side.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Straight cuts of the tori; for the RDT the paper's way of counting beside the least straight cut."""
    computed: dict[str, dict[str, int]] = {}
    for done, (row, (spec, side, large, dimensions)) in enumerate(TORI.items()):
        progress(done, len(TORI) + 1)
        links = _cut(spec)
        grown = links * (large // side) ** (dimensions - 1) if dimensions else links * 2**12
        computed[row] = {SMALL: links, LARGE: grown}
    progress(len(TORI), len(TORI) + 1)
    small, large_units = sum(_wires("rdt:64").values()), sum(_wires("rdt:256").values())
    computed[RDT] = {SMALL: 2 * small * 64, LARGE: 2 * large_units * LARGE_SIDE}
    table = golden_table(golden, "table_3", computed, {(RDT, SMALL): SIX_TORI}, key="yang2001rdt", note=GROWN)
    return Section(TITLE, TEXT, (table, _by_rank(golden)))


UNITS = (
    ("64 x 64", "rdt:64", "bisection_small"),
    ("64 x 64, rank 1 instead of rank 4", "rdt:64,assignment=2.1.1.3.1.3.2.1", "bisection_small"),
    ("256 x 256", "rdt:256", "bisection_large"),
)
SIX_TORI = """The ranks 0 to 3 give 1+1+2+8 = 12 wires per node of the side and plane. Rank 4 has no links at this
size (its unit vector is the side itself); giving its two classes rank 1 instead makes the printed 13, as the row for
that reading shows, and also makes the printed diameter of 8."""
GROWN = """Tori and hypercube of 4096 nodes are cut link by link; their large forms follow by the same cut, which
grows as the side to the power n-1. The RDT of 4096 x 4096 has the wires of 256 x 256 in units of its side."""
TEXT = """The paper adds up the wires that pass a plane: each link counts on every plane along its length. Two
opposite planes cut the torus in halves; the last column counts the links between the halves one by one, at the best
place."""
