"""Definitions 1 and 2 and Figures 1 and 2 of the RDT paper: the base torus, and the tori that are made on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.papers import claim as printed_claim
from jumpnet.papers import evaluate
from jumpnet.report._degrees import links_of_a_node
from jumpnet.report._formulas import yes
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._tori import ranks_of, shape, torus_labels
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build
from jumpnet.topology.rdt import unit_vectors
from jumpnet.topology.rdt_sizes import definition_2_sizes, ranks_that_close

TITLE = "Definitions 1 and 2: tori upon tori"
ORDER = 4

BASE = ("rdt:16,assignment=none", "torus:16x16")
POWERS = {2: 6, 3: 4, 4: 3, 5: 3, 6: 2}
"""n: an exponent k for a side N = n^k of some dozens."""
SIZED = ("prdt:16", "prdt:64", "prdt:128", "prdt:256", "prdt:18,n=3", "prdt:108,n=3", "prdt:32,n=4", "prdt:10,n=3",
         "prdt:12", "prdt:20")  # fmt: skip
"""Networks whose tori are walked; the last three have sides that are no c(2n)^gamma, or no power of n."""
LINKED = (("prdt:16", 0), ("prdt:64", 0), ("prdt:64", 1), ("prdt:128", 2), ("prdt:128", 1), ("prdt:36,n=3", 1))
"""Networks, and the rank on which Definition 2's printed formulas make the next."""
DRAWN = 16


def _edges(net: Network) -> set[tuple[int, int]]:
    here, _, there = net.channel_ends
    return set(zip(here.tolist(), there.tolist(), strict=True))


def _base(golden: Golden) -> Table:
    mine, torus = (build(spec) for spec in BASE)
    edges = _edges(mine)
    detail = f"its {len(edges)} channels are {'' if edges == _edges(torus) else 'not '}those of {BASE[1]}"
    rows: Rows = [(BASE[0], [claimed(golden, "definition_1", links_of_a_node(BASE[0]).word, detail=detail), None])]
    for n, k in POWERS.items():
        side = n**k
        top, reason = ranks_that_close(side, n)
        detail = f"ranks to {top} close; {reason}"
        rows.append((f"N = {n}^{k} = {side}", [None, claimed(golden, "definition_1_side", yes(top > 0), printed="yes",
                                                             detail=detail)]))  # fmt: skip
    return Table(
        "The base torus, and whether a rank-1 torus closes on a side of the printed form",
        "yang2001rdt, Definition 1",
        ("links a node", "rank 1 closes"),
        rows,
    )


def _sizes(golden: Golden) -> Table:
    """Every torus of every rank walked, beside the formulas of Definition 2."""
    most = 5
    rows: Rows = []
    for spec in SIZED:
        net = build(spec)
        side, n = (int(v) for v in net.params[:2])
        cells: list[Cell | None] = []
        formulas = definition_2_sizes(side, n, most)
        for rank in ranks_of(net)[1:]:
            found = shape(net, rank)
            printed = f"{formulas[rank][0]} x {formulas[rank][1]}" if rank < len(formulas) else "none"
            cells.append(claimed(golden, "definition_2_sizes", f"{found.x} x {found.y}", printed=printed))
        rows.append((spec, [*cells, *[None] * (most - len(cells))]))
    return Table(
        "Sizes of the tori of each rank: Definition 2's formulas against the network, walked link by link",
        "yang2001rdt, Definition 2",
        [f"rank {r}" for r in range(1, most + 1)],
        rows,
        "An empty cell: the rank has no links at that size.",
    )


def _places(nx: int, ny: int, odd: bool) -> list[tuple[int, int]]:
    """Coordinates of the nodes of a torus: the array nx by ny, or, for an odd rank, those inside the base square."""
    if not odd:
        return [(x, y) for y in range(ny) for x in range(nx)]
    return [(x, y) for x in range(-nx, nx) for y in range(-nx, nx) if 0 <= x + y < nx and 0 <= x - y < nx]


def _right(golden: Golden, spec: str, rank: int) -> tuple[dict[str, int], int]:
    """For each printed coordinate of Definition 2, how many of all nodes of a rank's torus it is right for.

    A coordinate is right when with it, and the other one taken from the unit vectors, the link leads to the node that
    the network's unit vectors give and, on an even rank, lies in the array.
    """
    net = build(spec)
    side, n = (int(v) for v in net.params[:2])
    walked = shape(net, rank)
    nx, ny = walked.x, walked.y
    vectors = unit_vectors(n, rank)[rank]
    formulas = golden["formulas"]["definition_2"]
    columns, case = formulas["columns"], formulas["case_2" if rank % 2 else "case_1"]
    places = _places(nx, ny, bool(rank % 2))
    right = dict.fromkeys(columns, 0)

    def node(x: int, y: int) -> tuple[int, int]:
        at = x * vectors[0] + y * vectors[1]
        return int(at[0]) % side, int(at[1]) % side

    for x, y in places:
        values = [int(evaluate(f, x=x, y=y, n=n, Nx=nx, Ny=ny)) for f in case]
        for pair, sign in ((0, 1), (2, -1)):
            wanted = node(x + n, y + sign * n)
            found = values[pair], values[pair + 1]
            both = node(*found) == wanted
            if rank % 2:  # one shift for both coordinates: right together
                inside = found in places
                right[columns[pair]] += both and inside
                right[columns[pair + 1]] += both and inside
            else:
                right[columns[pair]] += found[0] == (x + n) % nx
                right[columns[pair + 1]] += found[1] == (y + sign * n) % ny
    return right, len(places)


def _printed_links(golden: Golden) -> Table:
    rows: Rows = []
    columns = golden["formulas"]["definition_2"]["columns"]
    for spec, rank in LINKED:
        right, nodes = _right(golden, spec, rank)
        name = f"definition_2_case_{1 + rank % 2}"
        rows.append(
            (
                f"{spec}, rank {rank + 1} on rank {rank}",
                [claimed(golden, name, right[c], printed=str(nodes)) for c in columns],
            )
        )
    return Table(
        "Nodes for which Definition 2's printed links are the steps of the unit vectors",
        "yang2001rdt, Definition 2, cases 1 and 2",
        columns,
        rows,
        "Printed: all nodes of the torus. Case 1 numbers an array from 0; case 2 is read on the nodes inside the base "
        "square, 0 <= x+y, x-y < N_x, where it was made.",
    )


def _figure_1_2(golden: Golden) -> Table:
    rows: Rows = []
    for spec in ("prdt:16", "prdt:128", "prdt:18,n=3", "prdt:108,n=3", "prdt:32,n=4"):
        net = build(spec)
        n = int(net.params[1])
        for rank in ranks_of(net)[1:]:
            found = shape(net, rank)
            name = "figure_2" if rank % 2 else "figure_2_even"
            ratio = Fraction(found.x, found.y)
            sides = f"{ratio.numerator}:{ratio.denominator}"
            kind = "spiral" if found.shift else "common"
            grown = Fraction(_grid(net, rank), _grid(net, rank - 1))
            wanted = str(evaluate(printed_claim(golden, "grid_size"), n=n))
            closing = f"its rings along y close {found.shift} steps along x from where they began"
            cells: list[Cell | None] = [
                claimed(golden, name, sides),
                claimed(golden, name, kind, printed="spiral" if rank % 2 else "common", detail=closing),
                claimed(golden, "grid_size", grown, printed=wanted),
            ]
            rows.append((f"{spec}, rank {rank}", cells))
    return Table(
        "Shape of the tori, walked on the network",
        "yang2001rdt, section II.A, Figures 1 and 2",
        ("sides", "circular links", "square of the grid size, by that of the rank below"),
        rows,
    )


def _grid(net: Network, rank: int) -> int:
    """Square of the length of a rank's links on the base torus, the short way round: the same for all of them."""
    side = int(net.params[0])
    here, port = np.nonzero((net.link_class // 4 == rank) & (net.neighbor != NO_ROUTER))
    apart = (net.coord[net.neighbor[here, port]] - net.coord[here] + side // 2) % side - side // 2
    return int((apart.astype(np.int64) ** 2).sum(axis=1).max())


def _draw_links(axes: Any, net: Network, rank: int, of: Sequence[int], colour: str) -> None:
    side = int(net.params[0])
    for r in of:
        for port in np.flatnonzero((net.link_class[r] // 4 == rank) & (net.neighbor[r] != NO_ROUTER)):
            a, b = net.coord[r].astype(float), net.coord[net.neighbor[r, port]].astype(float)
            step = (b - a + side / 2) % side - side / 2
            axes.plot(*zip(a, a + step, strict=True), color=colour, lw=1, alpha=0.8)


def _figure_1() -> Figure:
    net = build(f"prdt:{DRAWN}")
    chosen = {rank: np.flatnonzero(torus_labels(net, rank) == torus_labels(net, rank)[0]).tolist() for rank in (1, 2)}

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.plot(*net.coord.T, ".", color="#c3c9d2", markersize=3)
        for rank, colour in ((1, "#2563eb"), (2, "#dc2626")):
            _draw_links(axes, net, rank, chosen[rank], colour)
            axes.plot([], [], color=colour, label=f"a rank-{rank} torus")
        axes.set_xlim(-1, DRAWN)
        axes.set_ylim(DRAWN, -1)
        axes.set_aspect("equal")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))

    data: Mapping[str, Sequence[Any]] = {
        "rank": [rank for rank, nodes in chosen.items() for _ in nodes],
        "x": [int(net.coord[r, 0]) for nodes in chosen.values() for r in nodes],
        "y": [int(net.coord[r, 1]) for nodes in chosen.values() for r in nodes],
    }
    return Figure("rdt-figure-1", "Upper rank tori on 16 x 16 nodes, n = 2", "yang2001rdt, Figure 1", draw, data,
                  "Links that pass the border of the base torus leave the picture.", claim="figure_1",
                  explored=f"net={net.spec}&network.pieces=0.1.0.2")  # fmt: skip


def _figure_2() -> Figure:
    net = build(f"prdt:{DRAWN}")
    found = shape(net, 1)
    vectors = unit_vectors(int(net.params[1]), 1)[1]
    places = [(x, y) for y in range(found.y) for x in range(found.x)]
    at = [tuple(int(v) % DRAWN for v in x * vectors[0] + y * vectors[1]) for x, y in places]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for x, y in places:
            axes.plot([x, x + 1 if x + 1 < found.x else x + 0.4], [y, y], color="#2563eb", lw=1)
            axes.plot([x, x], [y, y + 1 if y + 1 < found.y else y + 0.4], color="#2563eb", lw=1)
            if y + 1 == found.y:
                axes.text(x, y + 0.5, f"to {(x + found.shift) % found.x},0", fontsize=6, ha="center", va="top")
        for (x, y), (a, b) in zip(places, at, strict=True):
            axes.text(x, y, f"{a},{b}", fontsize=6, ha="center", va="center",
                      bbox={"boxstyle": "round", "fc": "white", "ec": "#2563eb"})  # fmt: skip
        axes.invert_yaxis()
        axes.set_axis_off()

    data = {
        "x1": [p[0] for p in places],
        "y1": [p[1] for p in places],
        "x": [a[0] for a in at],
        "y": [a[1] for a in at],
    }
    title = "The rank-1 torus of 16 x 16 nodes: an 8 by 4 rectangle with spiral links"
    note = "In the boxes: places on the base torus."
    return Figure(
        "rdt-figure-2",
        title,
        "yang2001rdt, Figure 2",
        draw,
        data,
        note,
        claim="figure_2",
        explored=f"net={net.spec}&network.pieces=0.1",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Base torus, sizes and shapes of the upper tori, and the printed links of Definition 2, each on built networks."""
    tables = []
    for done, make in enumerate((_base, _sizes, _figure_1_2, _printed_links)):
        progress(done, 4)
        tables.append(make(golden))
    return Section(TITLE, _text(tables[1]), tables, (_figure_1(), _figure_2()))


def _text(sizes: Table) -> str:
    """With how many of the walked tori the formulas agree, and where they do not."""
    found = [(row, cell.verdict == "equal") for row, cells in sizes.rows for cell in cells if cell is not None]
    fails = series(dict.fromkeys(row for row, same in found if not same))
    return TEXT.format(same=sum(same for _, same in found), walked=len(found), fails=fails)


TEXT = """The base torus is the ordinary torus of N by N nodes. Definition 1 gives its side as n^k, Theorem 1 as
c(2n)^γ. They do not mean the same: with an odd n a side n^k is odd, the rank-1 torus would be N/n by N/(2n) nodes, no
whole numbers, and no upper rank closes at all; so Theorem 1's form is the one that is meant.

The steps of every rank wrap round the base torus, so that they make a network on any side; jumpnet builds them all
(`prdt:10,n=3`). A rank is a torus of its own, with others beside it, when its size is whole. An even rank always is. An
odd rank is when M = N / gcd(N, n(2n²)^((r-1)/2)) is even: otherwise the step (m, m) and the step (-m, m) reach all M²
places from each other, and the two tori that should lie side by side are one. Ranks are built until this happens, or
until a torus would have one node. The formulas of Definition 2, which take a gcd for each axis by itself, agree
with the walk for {same} of the {walked} upper tori below; for one of rank 2 on {fails} they name a fraction where the
network has a whole torus.

Of the printed links of Definition 2, case 2 is right, numbered inside the base square. Case 1 has a slip: for a node
with y = n the printed y'' is N_y, which is no node, where it should be 0."""
