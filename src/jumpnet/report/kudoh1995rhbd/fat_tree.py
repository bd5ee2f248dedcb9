"""Section 4 of the bit-map directory paper: the 8-ary tree of the RDT, its roots and territories; Figures 7 and 8."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from jumpnet.multicast.children import NAMES, children
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import reached
from jumpnet.networks import Network
from jumpnet.plot.figure import PALETTE
from jumpnet.plot.territory import territory_drawer
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._territories import (
    by_rank,
    children_at,
    needed_top,
    place,
    roots,
    sources,
    territories_at,
    unsurrounded,
)
from jumpnet.topology import build

TITLE = "Section 4: the fat tree on the RDT"
ORDER = 6

SPEC = "prdt:64"
OPENED = "prdt:16"
"""What the page opens for Figure 7: four nodes of rank 1 that are as the drawn ones, and their children."""
MACHINES = ("rdt:16", "rdt:64", "rdt:128")
ALL = 0xFF
PAPER = "kudoh1995rhbd"


def _torus(where: Territories, rank: int) -> set[int]:
    """The routers of one torus of a rank, from router 0 by its links."""
    found, todo = {0}, [0]
    while todo:
        here = todo.pop()
        for x, y in where.vectors[rank].tolist():
            if (there := where.moved(here, x, y)) not in found:
                found.add(there)
                todo.append(there)
    return found


def _received(where: Territories, net: Network, rank: int) -> tuple[int, int, int]:
    """One torus of a rank when all its routers that are on one torus of the next rank send: routers, those that have
    the message, those that receive from two. Transfers go over links that there are.
    """
    torus = _torus(where, rank)
    centres = _torus(where, rank + 1) if rank < where.top else {0}
    x, y = where.vectors[rank].tolist()
    got: Counter[int] = Counter()
    for centre in centres:
        places = {(0, 0): centre}
        for (a, b), (c, d), _ in reached(ALL, where.n):
            places[c, d] = where.moved(centre, c * x[0] + d * y[0], c * x[1] + d * y[1])
            if places[c, d] not in net.neighbor[places[a, b]]:
                raise AssertionError(f"no link from {places[a, b]} to {places[c, d]}")
        got.update(places.values())
    return len(torus), len(torus & set(got)), sum(1 for times in got.values() if times > 1)


def _pattern(golden: Golden) -> Table:
    """The transfers of one node, and of all nodes of a torus."""
    hops = reached(ALL, 2)
    later = {a for a, _, step in hops if step == 1}
    rows: Rows = [
        ("children of a node", [claimed(golden, "branches", len({b for _, b, _ in hops} | {(0, 0)}))]),
        ("steps", [claimed(golden, "pattern_steps", 1 + max(step for *_, step in hops))]),
        ("transfers of the node", [claimed(golden, "pattern_first", sum(step == 0 for *_, step in hops))]),
        (
            "transfers of one neighbor",
            [claimed(golden, "pattern_second", sum(step == 1 for *_, step in hops), detail=f"{len(later)} neighbor")],
        ),
    ]
    where, net = territories(SPEC), build(SPEC)
    for rank in range(where.top + 1):
        routers, held, twice = _received(where, net, rank)
        rows.append((f"rank {rank}: receive from two", [claimed(golden, "pattern_twice", twice)]))
        share = "all" if held == routers else f"{held} of {routers}"
        rows.append((f"rank {rank}: have it", [claimed(golden, "pattern_all", share, detail=f"{routers} nodes")]))
    return Table("The pattern of transfers", f"{PAPER}, section 4, Figure 7", (SPEC,), rows)


def _roots(golden: Golden) -> Table:
    rows: Rows = []
    for spec in (SPEC, *MACHINES):
        where = territories(spec)
        found = roots(where, build(spec))
        hops = int(np.abs(where.hops[:, where.top]).sum(axis=1).max())
        sizes = [len(where.members(0, top)) for top in range(where.top + 1)]
        grows = "yes" if sizes == sorted(set(sizes)) else "no"
        tops = range(where.top + 1)
        around = "no" if any(unsurrounded(where, top) for top in tops) else "yes"
        reach = [min(place(where, source, top).inside for source in sources(where)) for top in tops]
        local, why = needed_top(where)
        cells: list[Cell | None] = [
            claimed(golden, "many_roots", yes(all(each.many for each in found)), detail=by_rank(found)),
            claimed(golden, "any_rank_hops", hops) if spec != SPEC else Cell(None, hops),
            claimed(golden, "territory_grows", grows, detail=", ".join(map(str, sizes))),
            claimed(golden, "territory_surrounds", around, detail=_within(reach)),
            claimed(golden, "territory_local", local, detail=why),
        ]
        rows.append((spec, cells))
    columns = (
        "many roots in each rank", "hops from a source to a root", "territories grow",
        "its four neighbors are always in it", "a multicast to the four neighbors needs",
    )  # fmt: skip
    note = """Roots: routers that multicasts of a rank start from, over all sources. Many: in each rank all routers that
have its links, and more of them than one tree with eight children over as many nodes has there; the measure is ours.
Territories: of a source of each class, at every top rank."""
    return Table("Roots and territories", f"{PAPER}, section 4", columns, rows, note)


def _within(reach: list[int]) -> str:
    return "all nodes within " + ", ".join(f"{far} (rank {top})" for top, far in enumerate(reach))


def section(golden: Golden, progress: Progress) -> Section:
    """Follow the pattern over built links; list the territories."""
    tables = [_pattern(golden)]
    progress(1, 2)
    tables.append(_roots(golden))
    return Section(TITLE, TEXT, tables, (_figure_7(), _figure_8()))


def _figure_7() -> Figure:
    centres = [(0, 0), (2, 2), (2, -2), (4, 0)]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.grid(False)
        for k, (x, y) in enumerate(centres):
            colour = PALETTE[k]
            for (a, b), (c, d), step in reached(ALL, 2):
                arrow = {"arrowstyle": "->", "color": colour, "linewidth": 1.6 - 0.6 * step}
                axes.annotate("", (x + c, y + d), (x + a, y + b), arrowprops=arrow)
            for name, (a, b) in zip(NAMES, children(2), strict=True):
                axes.text(x + a + 0.08, y + b - 0.12, name, color=colour, fontsize=8)
            axes.plot([x], [y], "X", color=colour, markersize=9)
        axes.set_xlim(-1.6, 5.8)
        axes.set_ylim(4.6, -3.6)
        axes.set_aspect("equal")
        axes.set_xlabel("x (links of the rank)")
        axes.set_ylabel("y")

    named = list(zip(NAMES, children(2), strict=True))
    rows = [(k, name, x + a, y + b) for k, (x, y) in enumerate(centres) for name, (a, b) in named]
    data = dict(zip(("centre", "child", "x", "y"), map(list, zip(*rows, strict=True)), strict=True))
    note = "Four nodes of the next rank (X), each with its eight children: no node belongs to two."
    at = children_at(territories(OPENED), ((0, 0), (1, 0), (0, 1), (1, 1)))
    title = "The 8-ary tree of the RDT"
    return Figure("rhbd-figure-7", title, f"{PAPER}, Figure 7", draw, data, note, "figure_7", explored=at)


def _figure_8() -> Figure:
    where = territories(SPEC)
    data = {"top rank": [0, 1], "routers": [len(where.members(0, top)) for top in (0, 1)]}
    draw = territory_drawer(where, 0, 1)
    return Figure(
        "rhbd-figure-8",
        "Territories",
        f"{PAPER}, Figure 8",
        draw,
        data,
        f"On {SPEC}.",
        "figure_8",
        territories_at(where, 1),
    )


TEXT = f"""At each rank a node sends to its four neighbors on that rank's torus and the southern one on to three more:
with itself, eight children. The pattern is followed here over the links of {SPEC}, on a torus of every rank: when all
nodes of the next rank's torus send, each node has the message once. On a PRDT every node can be a root; with one upper
torus a node, a quarter of the nodes have the highest rank, and the others are at most one hop away from one. The
territory of a source lies around it on a PRDT, the wider, the higher the root. With one upper torus a node the hops to
the roots move it, and at rank 1 some sources find a neighbor of theirs outside."""
