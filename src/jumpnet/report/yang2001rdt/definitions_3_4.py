"""Definitions 3 and 4 of the RDT paper: the perfect RDT, the RDT, their degrees, and the diagonal mesh."""

from __future__ import annotations

from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.report._degrees import ONE_UPPER, PERFECT, links_of_a_node, perfect_degree
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._tori import ranks_of
from jumpnet.report.yang2001rdt.alpha_diameter import ASSIGNMENTS, spec_of
from jumpnet.topology import build
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Definitions 3 and 4: the perfect RDT, the RDT, and their degrees"
ORDER = 6

SPARSE = (
    ("rdt:128", 1),
    ("rdt:256", 1),
    ("rdt:128,m=2,assignment=1+2.2+3.3+4.1+4.1+3.2+4.1+2.3+4", 2),
    ("rdt:16,assignment=none", 0),
)
"""Networks and their m."""
WITHOUT_4 = (32, 64)
"""Sides at which RDT(2,4,1)/alpha has no rank 4."""
DIAGONAL = ((12, 2), (16, 2), (18, 3), (10, 3), (24, 4), (20, 1))
"""(N, n) of diagonal meshes."""


def _complete(net: Network) -> bool:
    """Whether all nodes have as many links, and the network every rank that closes."""
    top, _ = ranks_that_close(int(net.params[0]), int(net.params[1]))
    return bool(net.degrees.min() == net.degrees.max()) and ranks_of(net) == list(range(top + 1))


def _perfect(golden: Golden) -> Table:
    formula = claim(golden, "prdt_degree")
    rows: Rows = []
    for spec in PERFECT:
        net = build(spec)
        used = ranks_of(net)
        top, reason = ranks_that_close(int(net.params[0]), int(net.params[1]))
        detail = f"ranks {' '.join(map(str, used))}; {reason}" if used[-1] == top else f"ranks to {used[-1]} asked for"
        rows.append(
            (
                spec,
                [
                    perfect_degree(golden, spec),
                    claimed(golden, "definition_3", yes(_complete(net)), printed="yes", detail=detail)
                    if ",R=" not in spec
                    else None,
                ],
            )
        )
    return Table(
        f"PRDT(n,R): degree (printed: {formula}), and whether every node has every rank that closes",
        "yang2001rdt, Definition 3",
        ("degree", "every node, every rank"),
        rows,
    )


def _sparse(golden: Golden) -> Table:
    formula = claim(golden, "definition_4")
    rows: Rows = []
    readings = [(spec_of(side, o), 1, f"rank_4_missing:{o}") for side in WITHOUT_4 for o in ASSIGNMENTS]
    for spec, m, reading in (*((spec, m, "") for spec, m in SPARSE), *readings):
        degrees = build(spec).degrees
        words = str(evaluate(formula, m=m))
        least, most = int(degrees.min()), int(degrees.max())
        cells: list[Cell | None] = [
            claimed(golden, "definition_4", v, printed=words, reading=reading) for v in (least, most)
        ]
        if spec in ONE_UPPER:
            links = links_of_a_node(spec)
            cells.append(claimed(golden, "degree", links.word, detail=links.detail))
        rows.append((spec, [*cells, *[None] * (3 - len(cells))]))
    return Table(
        f"RDT(n,R,m): degrees counted (printed: {formula})",
        "yang2001rdt, Definition 4",
        ("least degree", "largest degree", "links of a node of RDT(2,4,1)/α"),
        rows,
    )


def _diagonal_mesh(side: int, n: int) -> set[frozenset[tuple[int, int]]]:
    """Links of a torus with bypass links of n steps along both diagonals, from their description, node by node."""
    links = set()
    for x in range(side):
        for y in range(side):
            for dx, dy in ((1, 0), (0, 1), (n, n), (n, -n)):
                links.add(frozenset({(x, y), ((x + dx) % side, (y + dy) % side)}))
    return links


def _links(net: Network) -> set[frozenset[tuple[int, int]]]:
    here, _, there = net.channel_ends
    ends = net.coord[here], net.coord[there]
    return {frozenset({(int(a[0]), int(a[1])), (int(b[0]), int(b[1]))}) for a, b in zip(*ends, strict=True)}


def _diagonal(golden: Golden) -> Table:
    rows: Rows = []
    for side, n in DIAGONAL:
        spec = f"prdt:{side},n={n},R=1"
        same = _links(build(spec)) == _diagonal_mesh(side, n)
        found = "the same graph" if same else "another graph"
        rows.append((f"{spec}", [claimed(golden, "diagonal_mesh", found)]))
    return Table(
        "The diagonal mesh, made link by link from its description, against PRDT(n,1,1)",
        "yang2001rdt, section IV.A",
        ("the two are",),
        rows,
        "Equal as sets of links between the same places, which is more than being isomorphic.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Degrees of built networks, ranks of every node, and the diagonal mesh built a second way."""
    tables = []
    for done, make in enumerate((_perfect, _sparse, _diagonal)):
        progress(done, 3)
        tables.append(make(golden))
    return Section(TITLE, TEXT, tables)


TEXT = """A PRDT gives every node the links of every rank, an RDT(n,R,m) those of m upper ranks. The printed degrees are
4 for each torus of a node. They hold wherever a torus has more than two nodes on a side. The highest rank that closes
can be a torus of 2 by 2 or 2 by 1 nodes; its steps forth and back then lead to the same node, and such a link is there
once. That is why a PRDT that goes as high as it can often falls short of 4(R+1), and why RDT(2,4,1)/α of 128 by 128
nodes has nodes of degree 6.

On 32 by 32 and 64 by 64 nodes rank 4 does not exist. Read to the letter, the nodes of rank 4 then have no upper torus
and degree 4; Definition 4 says that each node has m of them. With rank 1, or ranks 1 and 3, in its place all nodes of
64 by 64 have degree 8. On 32 by 32 nodes the torus of rank 3 has two nodes, and its nodes have one upper link.

The paper calls the diagonal mesh, a torus with bypass links, equivalent to PRDT(n,1,1). Built a second time from that
description, it is the same graph on the sides tried."""
