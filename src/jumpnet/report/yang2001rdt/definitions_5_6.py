"""Definitions 5 and 6 and Figure 3 of the RDT paper: names of the upper tori, and the torus assignment alpha."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.report._degrees import upper_rank
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._tori import ranks_of, torus_labels
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build
from jumpnet.topology.rdt import unit_vectors
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Definitions 5 and 6: names of tori, and the assignment α"
ORDER = 12

NAMED = ("prdt:16", "prdt:64", "prdt:128", "prdt:36,n=3", "prdt:32,n=4")
ALPHA = "rdt:256"
COLOURS = {1: "#2563eb", 2: "#16a34a", 3: "#d97706", 4: "#dc2626"}

Name = Sequence[tuple[int, int]]
"""(i0,j0)(i1,j1)...: a place in the minimum node set of each torus on the way up."""
FIGURE_3: tuple[Name, ...] = ([(1, 0)], [(0, 0), (1, 0)])
"""The tori that the text names for Figure 3."""


def place_of_name(name: Name, side: int, n: int) -> tuple[int, int]:
    """A base place on the torus of a name (Definition 5): each pair counts steps of its rank's unit vectors.

    >>> place_of_name([(0, 0), (1, 0)], 16, 2)
    (2, 2)
    """
    vectors = unit_vectors(n, len(name))
    x, y = 0, 0
    for r, (i, j) in enumerate(name):
        dx, dy = i * vectors[r, 0] + j * vectors[r, 1]
        x, y = x + int(dx), y + int(dy)
    return x % side, y % side


def _names(golden: Golden) -> Table:
    rows: Rows = []
    for spec in NAMED:
        net = build(spec)
        side, n = (int(v) for v in net.params[:2])
        minimum = list(product(range(2 * n), range(n)))
        for rank in ranks_of(net)[1:]:
            labels = torus_labels(net, rank)
            names = list(product(minimum, repeat=rank))
            at = [place_of_name(name, side, n) for name in names]
            met = labels[[y * side + x for x, y in at]]
            tori = int(labels.max()) + 1
            good = len(names) == tori and np.unique(met).size == tori
            detail = f"{len(names)} names, {np.unique(met).size} of {tori} tori"
            found = "all tori, each once" if good else "not all tori once"
            rows.append((f"{spec}, rank {rank}", [claimed(golden, "definition_5", found, detail=detail)]))
    return Table(
        "What the names of Definition 5 name",
        "yang2001rdt, Definition 5",
        ("tori named",),
        rows,
        "Every name of every rank: its torus is found by walking from the named place.",
    )


def _rank_one(net: Network) -> dict[int, list[tuple[int, int]]]:
    """For each rank, the rank-1 tori of the base torus (by their node in the minimum node set) whose nodes have it."""
    side = int(net.params[0])
    found: dict[int, list[tuple[int, int]]] = {}
    perfect = torus_labels(build(f"prdt:{side},R=1"), 1)
    linked = net.neighbor != NO_ROUTER
    rank = net.class_rank[net.link_class]
    upper = {r: (linked & (rank == r)).any(axis=1) for r in ranks_of(net) if r}
    for i, j in product(range(4), range(2)):
        members = np.flatnonzero(perfect == perfect[j * side + i])
        have = {r: has[members] for r, has in upper.items()}
        for r in have if all(has.all() or not has.any() for has in have.values()) else ():
            if have[r].any():
                found.setdefault(r, []).append((i, j))
    return found


def _alpha(golden: Golden) -> Table:
    net = build(ALPHA)
    ranks = _rank_one(net)
    words = "; ".join(f"{r}: {' '.join(f'({i},{j})' for i, j in sorted(ranks[r]))}" for r in sorted(ranks))
    side = int(net.params[0])
    around = [net.neighbor[:, p] for p in range(4)]  # the first four ports are the base torus
    own = upper_rank(net)
    beside = {r: np.any([own[a] == r for a in around], axis=0) for r in range(1, 5)}
    others = np.sum([has & (own != r) for r, has in beside.items()], axis=0)
    away = [np.where(own == r, 0, np.where(has, 1, 2)) for r, has in beside.items()]
    figure = _figure_3_names(golden, net)
    top = {s: ranks_that_close(s, 2)[0] for s in (128, 256)}
    rows: Rows = [
        ("rank-1 tori whose nodes have each rank", [claimed(golden, "definition_6", words)]),
        ("other upper ranks next to every node, least", [claimed(golden, "other_ranks", int(others.min()))]),
        ("base hops to the nearest node of any rank, most", [claimed(golden, "floating_step_2", int(np.max(away)))]),
        ("names of the tori marked in Figure 3", [figure]),
    ]
    rows += [(f"uppermost rank of {s} x {s} nodes", [claimed(golden, "cardinal_rank", top[s])]) for s in top]
    return Table(f"RDT(2,4,1)/α of {side} by {side} nodes", "yang2001rdt, Definition 6, section II.B", ("value",), rows)


def _figure_3_names(golden: Golden, net: Network) -> Cell:
    """Whether the two tori that the text names for Figure 3 are tori of /alpha: of the rank, and with its links."""
    side = int(net.params[0])
    found = []
    for name in FIGURE_3:
        x, y = place_of_name(name, side, 2)
        if torus_labels(net, len(name))[y * side + x] >= 0:
            found.append("".join(f"({i},{j})" for i, j in name))
    detail = f"{len(found)} of {len(FIGURE_3)} have links of their rank in α"
    return claimed(golden, "figure_3_names", " and ".join(found), detail=detail)


def _figure_3() -> Figure:
    net, shown = build("rdt:128"), 16
    side = int(net.params[0])
    own = upper_rank(net)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for y, x in product(range(shown), repeat=2):
            rank = int(own[y * side + x])
            axes.text(x, y, str(rank), color="white", fontsize=7, ha="center", va="center", zorder=2,
                      bbox={"boxstyle": "circle", "fc": COLOURS[rank], "ec": "none"})  # fmt: skip
        for name in FIGURE_3:
            rank = len(name)
            start = np.array(place_of_name(name, side, 2))
            steps = unit_vectors(2, rank)[rank]
            for i, j in product(range(-9, 10), repeat=2):
                a = start + i * steps[0] + j * steps[1]
                for step in steps:
                    axes.plot(*zip(a, a + step, strict=True), color=COLOURS[rank], lw=rank, zorder=1, alpha=0.7)
        axes.set_xlim(-0.7, shown - 0.3)
        axes.set_ylim(shown - 0.3, -0.7)
        axes.set_aspect("equal")

    data = {
        "x": [x for _, x in product(range(shown), repeat=2)],
        "y": [y for y, _ in product(range(shown), repeat=2)],
        "rank": [int(own[y * side + x]) for y, x in product(range(shown), repeat=2)],
    }
    at = [number for name in FIGURE_3 for number in (np.dot(place_of_name(name, side, 2), (1, side)), len(name))]
    return Figure("rdt-figure-3", "Torus assignment of RDT(2,4,1)/α: the upper rank of each node",
                  "yang2001rdt, Figure 3", draw, data,
                  "Lines: the rank-1 torus (1,0) and the rank-2 torus (0,0)(1,0), which the text names.",
                  claim="figure_3", explored=f"net={net.spec}&network.pieces={'.'.join(map(str, at))}")  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """Every name of Definition 5 followed to its torus; the assignment read off the built network."""
    progress(0, 2)
    names = _names(golden)
    progress(1, 2)
    return Section(TITLE, TEXT, (names, _alpha(golden)), (_figure_3(),))


TEXT = """Definition 5 names a torus of rank k by a place in the minimum node set of each torus below it. Followed
step by step, the names of a rank name every torus of that rank exactly once, on all networks tried whose lower tori
have the 4n² nodes that Theorem 1 asks for. On 36 by 36 nodes with n = 3 the rank-2 tori have four, and several
names mean one torus.

In α, two of the eight rank-1 tori carry each rank, so a node's rank follows from which rank-1 torus it would be on.
Read off the network of 256 by 256 nodes, the assignment is Definition 6. Every node there has all three other upper
ranks next to it, and reaches any rank by a single base hop. The paper says that rank 4 is the uppermost of 128 by
128 and of 256 by 256 nodes; by Definition 2 the larger network has a rank 5 too, which RDT(2,4,1) leaves out."""
