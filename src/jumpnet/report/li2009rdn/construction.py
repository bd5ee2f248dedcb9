"""The RDN paper's construction, counted on built networks; the readings of its cross edges; Figures 1 to 3, 5 and 6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from jumpnet.analysis.dualnet import algorithm_1
from jumpnet.graph.metrics import metrics
from jumpnet.multicast.broadcast_rdn import dual_net_schedule
from jumpnet.multicast.schedule import play
from jumpnet.networks import Network
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed, on_first_use
from jumpnet.report.li2009rdn._words import clusters_of, id_words, router_of, sizes_of
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

TITLE = "The dual construction"
ORDER = 10

SPECS = {
    "rdn:3,k=1": "torus:3",
    "rdn:3,k=2": "rdn:3,k=1",
    "rdn:3x3,k=1": "torus:3x3",
    "rdn:4,k=1,base=complete": "complete:4",
    "rdn:3,k=1,base=hypercube": "hypercube:3",
}
"""Networks, and those they are constructed from."""
COLUMNS = (
    "nodes", "degree", "regular", "clusters", "cross edges for each pair of clusters", "links within a type",
    "nodes of a cluster lead to different clusters", "largest ID, each once",
)  # fmt: skip
READINGS = ("swap", "exchanged", "same")
LEAVES, INNER, CASE_3 = "(0,(0,0,0),(1,2,2))", "(0,0,2)", "(0,2,2)"
"""Nodes of the paper's example (Figure 7) whose cross edges it follows."""


def _between(net: Network) -> Counter[tuple[int, int]]:
    """Links between each two clusters of the top level, found as what hangs together without its links."""
    cluster = clusters_of(net)
    router, _, far = net.channel_ends
    a, b = cluster[router], cluster[far]
    return Counter((int(x), int(y)) for x, y in zip(a, b, strict=True) if x < y)


def _types(net: Network) -> dict[int, int]:
    """Type of each cluster of the top level, by its routers' numbers."""
    return dict(zip(clusters_of(net).tolist(), (np.arange(net.routers) * 2 // net.routers).tolist(), strict=True))


def _per_pair(net: Network) -> str:
    """How many links join a cluster of type 0 and one of type 1: one number, or from the least to the most."""
    kind, links = _types(net), _between(net)
    zero, one = ([c for c, t in kind.items() if t == which] for which in (0, 1))
    found = {links[min(a, b), max(a, b)] for a in zero for b in one}
    return str(found.pop()) if len(found) == 1 else f"{min(found)} to {max(found)}"


def _leads_apart(net: Network) -> bool:
    """Whether no two routers of a cluster have cross edges of the top level to one cluster."""
    cluster = clusters_of(net)
    far = cluster[net.neighbor[:, -1]]
    return len(set(zip(cluster.tolist(), far.tolist(), strict=True))) == net.routers


def _counted(golden: Golden, spec: str, below: str) -> list[Cell | None]:
    net, part = build(spec), build(below)
    n, kind, links = part.routers, _types(net), _between(net)
    within = sum(count for (a, b), count in links.items() if kind[a] == kind[b])
    ids = {id_words(sizes_of(net), r) for r in range(net.routers)}
    m, k = sizes_of(net)[0], int(net.params[0])
    return [
        by_formula(golden, "dual_nodes", net.routers, {"n": n}),
        by_formula(golden, "dual_degree", int(net.degrees.max()), {"d": int(part.degrees.max())}),
        claimed(golden, "regular", yes(int(net.degrees.min()) == int(net.degrees.max()))),
        by_formula(golden, "clusters", len(kind), {"n": n}),
        claimed(golden, "cross_edge_per_pair", _per_pair(net)),
        claimed(golden, "same_type_links", within),
        claimed(golden, "distinct_clusters", yes(_leads_apart(net))),
        by_formula(golden, "id_range", len(ids) - 1, {"m": m, "k": k}),
    ]


def _far_end(net: Network, words: str, port: int) -> str:
    """The id at the far end of a cross edge."""
    return id_words(sizes_of(net), int(net.neighbor[router_of(sizes_of(net), words), port]))


def _broadcast(net: Network) -> tuple[bool, str]:
    """Algorithm 2 by the reading of its last phase that counts, whatever the nodes are called; who receives."""
    if net.attributes["cross"] == "same":
        reached = _reached(net, 0)
        return False, f"at most {reached} of {net.routers} can be reached"
    played = play(net, dual_net_schedule(net, 0))
    twice = int((played.received > 1).sum())
    return played.informed == net.routers and played.once, f"{played.informed} of {net.routers}, {twice} of them twice"


def _reading(golden: Golden, option: str) -> list[Cell | None]:
    small, large = (build(f"rdn:3,k={k},cross={option}") for k in (1, 2))
    first, found = router_of(sizes_of(small), INNER), metrics(small)
    half = small.routers // 2
    equal = bool((small.neighbor[:half, -1] == np.arange(half) + half).all())
    links = [set(row) for row in small.neighbor.tolist()]
    routes = [algorithm_1(small, a, b) for a in range(small.routers) for b in range(small.routers)]
    arrive = sum(all(b in links[a] for a, b in pairwise(route)) for route in routes)
    once, receive = _broadcast(small)
    cells = [
        by_formula(golden, "cross_connected", _reached(small, first), {"m": 3, "k": 1}),
        claimed(golden, "cross_edge_per_pair", _per_pair(small)),
        _diameter(golden, found.diameter),
        claimed(golden, "cross_rule", yes(equal)),
        claimed(golden, "figure_7_enters", _far_end(large, LEAVES, -1), detail=f"From {LEAVES}."),
        claimed(golden, "figure_7_inner_enters", _far_end(small, INNER, -1), detail=f"From {INNER}."),
        claimed(golden, "figure_7_case_3", _far_end(small, CASE_3, -1), detail=f"From {CASE_3}."),
        claimed(golden, "algorithm_1", yes(arrive == len(routes)), detail=f"{arrive} of {len(routes)} routes."),
        claimed(golden, "algorithm_2", yes(once), detail=f"{receive}."),
    ]
    return [replace(cell, reading=f"cross:{option}") for cell in cells]


def _diameter(golden: Golden, diameter: int | None) -> Cell:
    cell = by_formula(golden, "theorem_1_diameter", 0, {"k": 1, "D0": 1})
    return replace(cell, computed="not connected" if diameter is None else diameter)


def _reached(net: Network, start: int) -> int:
    """Routers that hang together with one."""
    seen, front = {start}, [start]
    for r in front:
        for s in net.neighbor[r].tolist():
            if s != NO_ROUTER and s not in seen:
                seen.add(s)
                front.append(s)
    return len(seen)


READING_COLUMNS = (
    "nodes that (0,0,2) of RDN(3,1) reaches", "cross edges for each pair of clusters", "diameter of RDN(3,1)",
    "cross edges join equal ids", f"cross edge of {LEAVES}", f"cross edge of {INNER}", f"cross edge of {CASE_3}",
    "routes of Algorithm 1 arrive", "Algorithm 2: each node receives once",
)  # fmt: skip


def _drawn(net: Network, title: str) -> Callable[[Any], None]:
    return on_first_use("jumpnet.plot.draw", "drawer", net, title=title)


def _one_cluster(net: Network) -> Network:
    """The network without the cross edges of the top level, but for those of the first cluster of type 0."""
    n = sizes_of(net)[-2]
    near = (np.arange(net.routers) < n) | (net.neighbor[:, -1] < n)
    neighbor, far_port, link_class = net.neighbor.copy(), net.far_port.copy(), net.link_class.copy()
    for table in (neighbor, far_port, link_class):
        table[~near, -1] = -1
    return replace(net, neighbor=neighbor, far_port=far_port, link_class=link_class, orbits=None)


def _figures() -> tuple[Figure, ...]:
    four, three, large, cube = (build(s) for s in ("rdn:4,k=1", "rdn:3,k=1", "rdn:3,k=2", "torus:3x3x3"))
    sizes = sizes_of(three)
    labels = tuple("".join(c for c in id_words(sizes, r) if c.isdigit()) for r in range(three.routers))
    ids = [id_words(sizes_of(large), r) for r in range(large.routers)]
    shown = _one_cluster(large)
    crossing = int((shown.neighbor[:, -1] != NO_ROUTER).sum()) // 2
    return (
        Figure(
            "rdn-figure-1", "The dual construction on a ring of 4", "li2009rdn, Figure 1 (lost; drawn here)",
            _drawn(four, "RDN(4,1): four clusters of type 0, four of type 1"), {"router": list(range(four.routers))},
            "Clusters of type 0 above, of type 1 below.", "figure_1", f"net={four.spec}",
        ),
        Figure(
            "rdn-figure-2", "RDN(3,1)", "li2009rdn, Figure 2 (lost; drawn here)", _drawn(three, "RDN(3,1)"),
            {"router": list(range(three.routers))}, f"{three.routers} nodes and {three.links} links.", "figure_2",
            f"net={three.spec}",
        ),
        Figure(
            "rdn-figure-3", "RDN(3,2) with the cross edges of one cluster", "li2009rdn, Figure 3 (lost; drawn here)",
            _drawn(shown, "RDN(3,2)"), {"router": list(range(18)), "far end": large.neighbor[:18, -1].tolist()},
            f"{crossing} cross edges of level 2 are drawn, those of cluster (0,0,0) of type 0.", "figure_3",
            f"net={large.spec}",
        ),
        Figure(
            "rdn-figure-5", "A 3-ary 3-cube", "li2009rdn, Figure 5 (lost; drawn here)", _drawn(cube, "torus:3x3x3"),
            {"router": list(range(cube.routers))}, f"{cube.routers} nodes, {int(cube.degrees.max())} links each.",
            "figure_5", f"net={cube.spec}",
        ),
        Figure(
            "rdn-figure-6", "The ids of a cluster of RDN(3,2)", "li2009rdn, Figure 6 (lost; drawn here)",
            _drawn(replace(three, labels=labels), "node ids (type, cluster, node) within a cluster of RDN(3,2)"),
            {"number": list(range(large.routers)), "id": ids}, "The CSV file has all ids of RDN(3,2).", "figure_6",
            f"net={three.spec}",
        ),
    )  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """The construction counted, its readings side by side, and the figures drawn."""
    rows: Rows = []
    for done, (spec, below) in enumerate(SPECS.items()):
        progress(done, len(SPECS) + 3)
        rows.append((f"{spec}, from {below}", _counted(golden, spec, below)))
    counted = Table("The construction, counted", "li2009rdn, sections 1, 2 and 4", COLUMNS, rows)
    net = build("rdn:3,k=1")
    at = np.flatnonzero((net.coord == [2, 1, 1]).all(axis=1))
    number = Table(
        "The ID as a number",
        "li2009rdn, section 4",
        ("number",),
        [("node (1,1,2) of RDN(3,1)", [claimed(golden, "node_id", int(at[0]))])],
        "The router whose type is 1, in cluster 1, as node 2.",
    )
    readings: Rows = []
    for done, option in enumerate(READINGS, len(SPECS)):
        progress(done, len(SPECS) + 3)
        readings.append((option, _reading(golden, option)))
    compared = Table(
        "Three readings of the cross edge",
        "li2009rdn, section 4",
        READING_COLUMNS,
        readings,
        "Specs: rdn:3,k=1,cross=swap and so on. Algorithm 1 joins (u0,u1,v1) and (v0,v1,u1), whatever the network has; "
        "in the last phase of Algorithm 2 the nodes keep still that were entered over a cross edge.",
    )
    reached = readings[-1][1][0]
    assert reached is not None
    text = TEXT.format(reached=reached.computed, nodes=net.routers)
    return Section(TITLE, text, (counted, number, compared), _figures())


TEXT = """The dual construction joins 2n copies of a network of n nodes: n of type 0, n of type 1. The networks below
are built, and taken apart again without their links of the top level.

The sentence on cross edges (u1 = v1 and u2 = v2) does not give the network of the definition where the ids of both
types are written alike: from a node of RDN(3,1) {reached} of {nodes} nodes can be reached. It does where the ids of
type 1 have the node before the cluster; but then Algorithm 1 and its example are not right as printed. With ids that
swap they are. Both are one network under two numberings: what depends on the network alone, the broadcast too, is the
same under both. What is left to choose is which sentences come out letter by letter, and ids that swap give more.

The readings of the last phase of Algorithm 2 are said in either numbering (list of readings): the nodes entered over a
cross edge have the node id of s' where ids swap, and its first id field where type 1 has the node first, so that
`cluster` may have been written by these. The pair that counts is ids that swap, and the nodes entered."""
