"""Section 2 of the bit-map directory paper: its network, counted as built, with Figures 3 and 4."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jumpnet.chip.links import LINKS, MBP0
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.plot.figure import PALETTE
from jumpnet.report._blocks import cluster_figure, machine_figure
from jumpnet.report._degrees import PERFECT, one_upper_rows, perfect_degree, upper_rank
from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._section import Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._sharing import CLUSTER
from jumpnet.report.yang2001rdt.mesh_embedding import holds
from jumpnet.topology import build
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Section 2: JUMP-1's network"
ORDER = 2

SIDE = 16
"""Of the pictures."""
WINDOW = 8
WIDTHS = (0.4, 1.0, 1.8)
"""Of lines, by rank."""
PAPER = "kudoh1995rhbd"
MBPS = "The chip of the model has as many links to MBPs."


def _vector(net: Network, rank: int) -> tuple[int, int]:
    """A link of a rank from a router in the middle, as a step over the base torus."""
    side = int(net.coord.max()) + 1
    here = side // 2 * side + side // 2
    classes = net.link_class[here]
    port = next(p for p in range(net.ports) if classes[p] >= 0 and net.class_rank[classes[p]] == rank)
    dx, dy = (net.coord[net.neighbor[here, port]] - net.coord[here]).tolist()
    return dx, dy


def _torus_row(golden: Golden) -> Rows:
    dx, dy = _vector(build("prdt:16,R=1"), 1)
    grid = evaluate(claim(golden, "rank_1_grid"), n=2)
    rows: Rows = []
    angle = math.degrees(math.atan2(abs(dy), abs(dx)))
    rows.append(("rank-1 torus, degrees", [claimed(golden, "rank_1_angle", round(angle, 9))]))
    rows.append(
        ("rank-1 torus, grid size", [claimed(golden, "rank_1_grid", math.hypot(dx, dy), printed=f"{grid:.4f}")])
    )
    rows += [(f"links of a node, {spec}", [perfect_degree(golden, spec)]) for spec in PERFECT]
    return rows


def _alpha_rows(golden: Golden) -> Rows:
    net = build("rdt:128")
    ranks = upper_rank(net)
    found = sorted({len({int(ranks[s]) for s in row[:4]} - {int(ranks[r])}) for r, row in enumerate(net.neighbor)})
    hops = np.abs(territories("rdt:128").hops).sum(axis=2).max()
    has = holds(net, build("mesh:128x128"))
    return [
        *one_upper_rows(golden, "rdt_degree"),
        (
            "maximum rank, 128 x 128",
            [claimed(golden, "max_rank", ranks_that_close(128, 2)[0], detail="the most whose tori close")],
        ),
        ("other ranks among a node's neighbors", [claimed(golden, "neighbor_ranks", ", ".join(map(str, found)))]),
        ("transfers before any rank can be used", [claimed(golden, "any_rank_hops", int(hops))]),
        ("every link of the base mesh is there", [claimed(golden, "includes_mesh", yes(has))]),
    ]


def section(golden: Golden, progress: Progress) -> Section:
    """Count on built networks; the diameter by exact search."""
    rows = _torus_row(golden)
    progress(1, 3)
    rows += _alpha_rows(golden)
    progress(2, 3)
    rdt, cube = (figures(spec).diameter for spec in ("rdt:256", "hypercube:16"))
    rows.append(("diameter with 2^16 nodes", [claimed(golden, "diameter_65536", rdt)]))
    below = claimed(golden, "diameter_hypercube", yes(rdt < cube), detail=f"hypercube: {cube}")
    rows.append(("diameter below the hypercube's", [below]))
    clusters = int(claim(golden, "clusters"))
    rows.append(("clusters of the prototype", [claimed(golden, "clusters", build("rdt:16").routers, stated=True)]))
    rows.append(("processors of a cluster", [claimed(golden, "cluster_cpus", CLUSTER, stated=True)]))
    rows += [
        (golden["claims"][name]["text"], [claimed(golden, name, value, stated=True, detail=why)])
        for name, value, why in (
            ("universities", 7, "nothing in our models depends on it"),
            ("translation_stages", 2, "nothing in our models depends on it"),
            ("directory_entries", "page", "our machine model takes entries for pages or for lines"),
            ("transfer_unit", "cache line", "as in our machine model"),
            ("large_messages", "avoided", "our machine model transfers lines only: pages are not compared"),
        )
    ]
    rows.append(("MBPs of a cluster", [claimed(golden, "cluster_mbps", LINKS - MBP0, stated=True, detail=MBPS)]))
    rows.append(("processors of the prototype", [claimed(golden, "processors", CLUSTER * clusters, stated=True)]))
    table = Table("What the text says of the network", f"{PAPER}, section 2", ("value",), rows)
    return Section(TITLE, TEXT, (table,), _figures())


def _figures() -> tuple[Figure, ...]:
    return (
        machine_figure("rhbd", PAPER, 1, "figure_1"),
        cluster_figure("rhbd", PAPER, 2, "figure_2"),
        _figure_3(),
        _figure_4(),
    )


def _figure_3() -> Figure:
    vectors = territories(f"prdt:{4 * SIDE}").vectors[:3].tolist()

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.grid(False)
        steps = range(-SIDE, SIDE + 1)
        for rank, (a, b) in enumerate(vectors):
            for i in steps:
                for (dx, dy), (ox, oy) in ((a, b), (b, a)):
                    x, y = [i * ox - SIDE * dx, i * ox + SIDE * dx], [i * oy - SIDE * dy, i * oy + SIDE * dy]
                    label = "" if i else f"rank {rank}"
                    axes.plot(x, y, color=PALETTE[rank], linewidth=WIDTHS[rank], label=label)
        axes.set_xlim(-0.5, SIDE + 0.5)
        axes.set_ylim(SIDE + 0.5, -0.5)
        axes.set_aspect("equal")
        handles, labels = axes.get_legend_handles_labels()
        known = dict(zip(labels, handles, strict=True))
        axes.legend(known.values(), known.keys(), loc="center left", bbox_to_anchor=(1.02, 0.5))

    data = {
        "rank": [r for r in range(3) for _ in range(2)],
        "x": [v[0] for pair in vectors for v in pair],
        "y": [v[1] for pair in vectors for v in pair],
    }
    note = "The node (0, 0) is on both upper tori; its links lead along the lines to the next crossing."
    shown = f"net=prdt:{SIDE}&network.pieces=0.1.0.2"
    return Figure("rhbd-figure-3", "Upper rank tori, n = 2", f"{PAPER}, Figure 3", draw, data, note, "figure_3", shown)


def _figure_4() -> Figure:
    ranks = upper_rank(build("rdt:128")).reshape(128, 128)[:WINDOW, :WINDOW]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.grid(False)
        for (y, x), rank in np.ndenumerate(ranks):
            axes.plot([x], [y], "o", markersize=17, color=PALETTE[rank], alpha=0.35)
            axes.text(x, y, str(rank), ha="center", va="center")
        axes.set_xlim(-0.7, WINDOW - 0.3)
        axes.set_ylim(WINDOW - 0.3, -0.7)
        axes.set_aspect("equal")
        axes.set_xlabel("x")
        axes.set_ylabel("y")

    y, x = np.indices(ranks.shape)
    data = {"x": x.reshape(-1).tolist(), "y": y.reshape(-1).tolist(), "rank": ranks.reshape(-1).tolist()}
    title = "Torus assignment: the upper rank of each node"
    return Figure(
        "rhbd-figure-4",
        title,
        f"{PAPER}, Figure 4",
        draw,
        data,
        "On 128 x 128, where rank 4 has links. Repeats every 4 x 4 nodes.",
        "figure_4",
        "net=rdt:128",
    )


TEXT = """JUMP-1 joins its clusters by an RDT: a torus of nodes, and over it diagonal tori of ever wider links, of which
each node is on one. The paper's words on it are counted here on the networks as built. On 128 by 128 nodes every
node finds the three other ranks among its neighbors, so that the torus of any rank is at most one transfer away."""
