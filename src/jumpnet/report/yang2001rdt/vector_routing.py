"""Section III.A of the RDT paper: the vector conversion, Figures 4 and 5, and the header that carries the vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.report._prose import series
from jumpnet.report._section import Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._floating import rank_0_range
from jumpnet.report.yang2001rdt._tori import ranks_of
from jumpnet.report.yang2001rdt._vector import conversion, offsets
from jumpnet.topology import build
from jumpnet.topology.rdt import unit_vectors

TITLE = "Vector routing: a vector as steps of every rank"
ORDER = 18

SIZES = ((16, 2, 2), (32, 2, 3), (64, 2, 3), (128, 2, 4), (256, 2, 4), (108, 3, 3), (10, 3, 2))
"""(N, n, R) whose offsets are all converted."""
EXAMPLE = (1, 2), (5, 9), 2, 2
"""Ends of Figure 5's vector, n and the highest rank that its caption names."""
HEADERS = ((32, 3), (64, 3), (128, 4), (256, 4))
COLOURS = ("#6b7280", "#2563eb", "#16a34a")


def _sums(golden: Golden) -> Table:
    rows: Rows = []
    for side, n, R in SIZES:
        a, b = offsets(side)
        x, y = np.zeros_like(a), np.zeros_like(b)
        for (i, j), (u, v) in zip(conversion(a, b, n, R), unit_vectors(n, R), strict=True):
            x, y = x + i * u[0] + j * v[0], y + i * u[1] + j * v[1]
        right = int(((x == a) & (y == b)).sum())
        found = "all" if right == side * side else str(right)
        rows.append((f"N={side}, n={n}, R={R}", [claimed(golden, "vector_conversion", found,
                                                         detail=f"{right} of {side * side} vectors")]))  # fmt: skip
    return Table(
        "Vectors converted by the printed loop that add up again",
        "yang2001rdt, section III.A",
        ("right",),
        rows,
    )


def _figures_4_5(golden: Golden) -> Table:
    (x, y), (to_x, to_y), n, R = EXAMPLE
    parts = conversion(np.array(to_x - x), np.array(to_y - y), n, R)
    used = [r for r, (i, j) in enumerate(parts) if i or j]
    said = ", ".join(f"rank {r}: ({int(i)}, {int(j)})" for r, (i, j) in enumerate(parts))
    angles = {_turn(spec, rank) for spec in ("prdt:128", "prdt:108,n=3") for rank in ranks_of(build(spec))[:-1]}
    rows: Rows = [
        (
            "ranks of the vector from (1,2) to (5,9)",
            [claimed(golden, "figure_5", " ".join(map(str, used)), detail=said)],
        ),
        (
            "degrees from one rank's x axis to the next",
            [claimed(golden, "figure_4_angle", " ".join(f"{v:g}" for v in sorted(angles)))],
        ),
    ]
    return Table("Figures 4 and 5", "yang2001rdt, section III.A", ("value",), rows)


def _turn(spec: str, rank: int) -> float:
    """Degrees from the x axis of a rank to that of the next, measured on the links of node 0."""
    net = build(spec)
    side = int(net.params[0])

    def angle(r: int) -> float:
        port = int(np.flatnonzero(net.link_class[0] == 4 * r)[0])
        dx, dy = (net.coord[net.neighbor[0, port]] - net.coord[0] + side // 2 - 1) % side - side // 2 + 1
        return float(np.degrees(np.arctan2(dy, dx)))

    turn = (angle(rank + 1) - angle(rank)) % 180
    return round(min(turn, 180 - turn), 6)


def _header(golden: Golden) -> Table:
    """Range of the vectors of each rank over all offsets, and of the rank-0 vector while a packet is on its way."""
    rows: Rows = []
    for side, R in HEADERS:
        parts = conversion(*offsets(side), 2, R)
        least = min(int(min(i.min(), j.min())) for i, j in parts)
        most = max(int(max(i.max(), j.max())) for i, j in parts)
        bits = (most - least).bit_length()
        low, high = rank_0_range(side)
        way_bits = (high - low).bit_length()
        rows.append(
            (
                f"{side * side} nodes, R={R}",
                [
                    claimed(golden, "header_range", f"{least} to {most}"),
                    claimed(golden, "header_bits", bits),
                    claimed(golden, "header_bits_rank", 2 * bits),
                    claimed(golden, "header_range", f"{low} to {high}"),
                    claimed(golden, "header_bits", way_bits),
                    claimed(golden, "header_bits_rank", 2 * way_bits),
                ],
            )
        )
    return Table(
        "Header of RDT(2,4,1)/α: vectors of one direction over all offsets",
        "yang2001rdt, section III.B",
        ("at the source", "bits", "bits of a rank", "rank 0 on the way", "bits for it", "bits of rank 0"),
        rows,
        "On the way: the least and greatest rank-0 vector of any packet under the floating algorithm.",
    )


def _figure_4() -> Figure:
    vectors = unit_vectors(2, 3)
    (x, y), (to_x, to_y), n, R = EXAMPLE
    parts = conversion(np.array(to_x - x), np.array(to_y - y), n, R)

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        at = np.zeros(2)
        for r, (i, j) in enumerate(parts):
            for count, unit in ((int(i), vectors[r, 0]), (int(j), vectors[r, 1])):
                for _ in range(abs(count)):
                    step = np.sign(count) * unit
                    left.annotate("", at + step, at, arrowprops={"arrowstyle": "->", "color": COLOURS[r], "lw": 1.6})
                    at = at + step
        left.annotate("", at, (0, 0), arrowprops={"arrowstyle": "->", "color": "black", "ls": ":"})
        left.set_title("(a) a vector as a sum")
        left.set_xlim(-4, 8)
        left.set_ylim(9, -2)
        left.set_aspect("equal")
        for r in range(4):
            for axis, name in enumerate("xy"):
                unit = vectors[r, axis] / np.hypot(*vectors[r, axis]) * (r + 1)
                right.annotate("", unit, (0, 0), arrowprops={"arrowstyle": "->", "color": "#2563eb"})
                right.text(*(unit * (r + 1.5) / (r + 1)), f"{name}{r}", ha="center", va="center")
        right.set_title("(b) axes of ranks 0 to 3")
        right.set_xlim(-5, 5)
        right.set_ylim(5, -5)
        right.set_aspect("equal")

    data = {
        "rank": list(range(4)),
        "x_x": vectors[:, 0, 0].tolist(),
        "x_y": vectors[:, 0, 1].tolist(),
        "y_x": vectors[:, 1, 0].tolist(),
        "y_y": vectors[:, 1, 1].tolist(),
    }
    return Figure("rdt-figure-4", "Directions of the coordinate axes, n = 2", "yang2001rdt, Figure 4", draw, data,
                  "The y axis points down, as the base torus is printed.", claim="figure_4")  # fmt: skip


def _figure_5() -> Figure:
    (x, y), (to_x, to_y), n, R = EXAMPLE
    parts = conversion(np.array(to_x - x), np.array(to_y - y), n, R)
    vectors = unit_vectors(n, R)
    way, ranks = [(x, y)], [-1]
    for r in range(R, -1, -1):
        for axis in range(2):
            for _ in range(abs(int(parts[r][axis]))):
                step = int(np.sign(parts[r][axis])) * vectors[r, axis]
                way.append((way[-1][0] + int(step[0]), way[-1][1] + int(step[1])))
                ranks.append(r)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        places = np.mgrid[-1:12, -1:12].reshape(2, -1)
        axes.plot(*places, ".", color="#c3c9d2", markersize=3)
        for k in range(1, len(way)):
            axes.annotate("", way[k], way[k - 1], arrowprops={"arrowstyle": "->", "color": COLOURS[ranks[k]], "lw": 2})
        for place in (way[0], way[-1]):
            axes.text(*place, f"  ({place[0]},{place[1]})", fontsize=8)
        axes.invert_yaxis()
        axes.set_aspect("equal")

    data = {"x": [p[0] for p in way], "y": [p[1] for p in way], "rank": ranks}
    path = ".".join(str(16 * y + x) for x, y in way)
    return Figure("rdt-figure-5", "The vector from (1,2) to (5,9) as steps of ranks 2, 1 and 0",
                  "yang2001rdt, Figure 5", draw, data, "On a PRDT, where every node has every rank.",
                  claim="figure_5", explored=f"net=prdt:16&network.path={path}")  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """Every offset converted and added up again; the example of Figure 5; how wide a header must be."""
    tables = []
    for done, make in enumerate((_sums, _figures_4_5, _header)):
        progress(done, 3)
        tables.append(make(golden))
    return Section(TITLE, _text(*tables), tables, (_figure_4(), _figure_5()))


def _text(sums: Table, _: Table, header: Table) -> str:
    """The sentences on the conversion and the header, with the figures of the tables."""

    def every(column: str) -> str:
        return series(dict.fromkeys(header.at(row, column).text.replace(" to ", " and ") for row, _ in header.rows))

    verdicts = [cell.verdict for _, cells in sums.rows for cell in cells if cell is not None]
    return TEXT.format(
        whole=verdicts.count("equal"), networks=len(verdicts), sizes=len(header.rows),
        printed=header.at(header.rows[0][0], "bits").printed, bits=every("bits"), range=every("at the source"),
        way=every("rank 0 on the way"), way_bits=every("bits for it"), rank_bits=every("bits of rank 0"),
    )  # fmt: skip


TEXT = """A vector from source to destination is divided into steps of the unit vectors, lowest rank first: what rank
r+1 cannot carry stays on rank r, the rest is divided again. All offsets of {whole} of the {networks} networks add up
again.

The example of Figure 5, (4, 7), is one step of rank 2, two of rank 1 and one of rank 0; the text names ranks 1 and 2
only. The printed header has {printed} bits for each direction of a rank. At the source {bits} do on the {sizes} sizes
of the table: the vectors of every rank lie between {range}. But floating vector routing changes the rank-0 vector on
the way, by the base hops that lead to other ranks: it lies between {way}, which takes {way_bits} bits for a direction
and {rank_bits} for that rank."""
