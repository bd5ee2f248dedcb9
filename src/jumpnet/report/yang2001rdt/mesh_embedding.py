"""Networks beside the mesh (sections I and IV.A): whether they hold one, what they cost, and indirect networks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from jumpnet.analysis.mesh_stretch import place_mesh
from jumpnet.networks import Network
from jumpnet.report._figures import figures
from jumpnet.report._measures import MUCH_TIMES, much_the_same
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._other_networks import farthest, recursion_table, small_table
from jumpnet.report.yang2001rdt.alpha_diameter import ASSIGNMENTS, spec_of
from jumpnet.terms import I64
from jumpnet.topology import build

TITLE = "Other networks: the mesh in them, their cost, and indirect ones"
ORDER = 43

KEY = "yang2001rdt"
SMALL = {
    "De Bruijn": ("debruijn:2,n=12", "mesh:64x64", "mesh_in_others"),
    "Kautz": ("kautz:2,n=11", "mesh:48x64", "mesh_in_others"),
    "Pradhan": ("pradhan:12", "mesh:64x64", "mesh_in_others"),
    "n-Star graph": ("star:7", "mesh:70x72", "mesh_in_intro"),
}
"""Network, the squarest mesh of as many nodes, and the claim."""
LARGE = {"De Bruijn": "debruijn:2,n=16", "Kautz": "kautz:2,n=15", "Pradhan": "pradhan:16"}
STRETCHED = {
    "De Bruijn": (("debruijn:2,n=4", 4, 4), ("debruijn:2,n=5", 4, 8), ("debruijn:2,n=6", 8, 8)),
    "Kautz": (("kautz:2,n=3", 3, 4), ("kautz:2,n=4", 4, 6), ("kautz:2,n=5", 6, 8)),
    "Pradhan": (("pradhan:4", 4, 4), ("pradhan:5", 4, 8), ("pradhan:6", 8, 8)),
}
"""Networks with meshes (width, height) of as many nodes, small enough to search."""
MESH = "mesh:64x64"
GROWTH = (
    ("2D mesh", ("mesh:8x8", "mesh:16x16", "mesh:32x32", "mesh:64x64"), 2),
    ("2D torus", ("torus:16x16", "torus:32x32", "torus:64x64", "torus:256x256"), 2),
    ("3D mesh", ("mesh:4x4x4", "mesh:8x8x8", "mesh:12x12x12", "mesh:16x16x16"), 3),
    ("3D torus", ("torus:4x4x4", "torus:8x8x8", "torus:16x16x16", "torus:32x32x32"), 3),
)
LARGE_PORTS = 64
INDIRECT = {
    "hypermesh:128, 16,384 nodes": ("hypermesh:128", "rdt:128"),
    "hypermesh:256, 65,536 nodes": ("hypermesh:256", "rdt:256"),
    "4-ary tree of 7 levels, 16,384 nodes": ("fattree:4,n=7", "rdt:128"),
}


def neighbors(net: Network) -> tuple[I64, I64]:
    """Ordered pairs of different routers with a link either way, each once.

    >>> len(neighbors(build("mesh:2x2"))[0])
    8
    """
    here, _, there = net.channel_ends
    both = np.concatenate([here * net.routers + there, there.astype(np.int64) * net.routers + here])
    pairs = np.unique(both)
    a, b = pairs // net.routers, pairs % net.routers
    return a[a != b], b[a != b]


def squares(net: Network) -> int:
    """Rings of four routers.

    >>> squares(build("mesh:3x3")), squares(build("star:4"))
    (4, 0)
    """
    from scipy.sparse import csr_array

    a, b = neighbors(net)
    joined = csr_array((np.ones(len(a), np.int64), (a, b)), shape=(net.routers,) * 2)
    ways = (joined @ joined).tocoo()
    common = ways.data[ways.row < ways.col]
    # A ring has two pairs of opposite corners.
    return int((common * (common - 1) // 2).sum() // 2)


def holds(host: Network, guest: Network) -> bool:
    """Whether every link of the guest is one of the host, router by router of the same number."""
    a, b = neighbors(host)
    c, d = neighbors(guest)
    return host.routers == guest.routers and bool(np.isin(c * host.routers + d, a * host.routers + b).all())


def _meshes(golden: Golden) -> Table:
    rows: Rows = []
    for label, (spec, mesh, claim) in SMALL.items():
        have, needs = squares(build(spec)), squares(build(mesh))
        answer = "difficult" if have < needs else "undecided"
        detail = f"{spec} has {have} squares, {mesh} has {needs}"
        cells = [claimed(golden, claim, answer, detail=detail), Cell(None, have, claim=claim),
                 Cell(None, needs, claim=claim)]  # fmt: skip
        rows.append((f"{label}, {spec}", list(cells)))
    for option in ASSIGNMENTS:
        spec, reading = spec_of(64, option), f"rank_4_missing:{option}"
        net, mesh_net = build(spec), build(MESH)
        held = holds(net, mesh_net)
        answer = "a part of it" if held else "difficult"
        detail = f"{'every' if held else 'not every'} link of {MESH} is one of {spec}, node by node"
        cells = [claimed(golden, "mesh_in_rdt", answer, reading=reading, detail=detail)]
        cells += [Cell(None, squares(one), claim="mesh_in_rdt", reading=reading) for one in (net, mesh_net)]
        rows.append((f"RDT(2,4,1)/α, {spec}", list(cells)))
    note = (
        "`difficult`: no mesh of as many nodes is a part of the network, since it has fewer squares (rings of four "
        "nodes) than the mesh. That says nothing of embeddings whose links are stretched. The measure is ours."
    )
    columns = ("a mesh of as many nodes", "squares", "squares of the mesh")
    return Table("Is a mesh of the same size a part?", f"{KEY}, sections I and IV.A", columns, rows, note)


def least_stretch(spec: str, width: int, height: int) -> str:
    """Least longest stretch of a mesh link: a number, or `2 to 3` where the search with less gave up."""
    net, unknown = build(spec), 0
    for stretch in range(1, net.routers):
        found = place_mesh(net, width, height, stretch)
        if isinstance(found, tuple):
            return f"{unknown} to {stretch}" if unknown else str(stretch)
        fewer = stretch == 1 and squares(net) < squares(build(f"mesh:{width}x{height}"))
        if found == "unknown" and not fewer:
            unknown = unknown or stretch
    raise AssertionError(f"{spec} is not connected")


def _stretches(golden: Golden) -> Table:
    rows: Rows = []
    for label, meshes in STRETCHED.items():
        claim = SMALL[label][2]
        found = [Cell(None, least_stretch(*mesh), claim=claim, detail=f"{mesh[0]}, mesh:{mesh[1]}x{mesh[2]}")
                 for mesh in meshes]  # fmt: skip
        rows.append((label, list(found)))
    note = (
        "Hops between the places of two neighbors of the mesh, the longest of all, links used either way. A number is "
        "the least: all with less was searched, or the network has too few squares for a stretch of 1. `2 to 3`: 3 was "
        "found, and the search for 2 gave up. Nothing is said of how many links of the mesh share one of the network."
    )
    columns = ("12 or 16 nodes", "24 or 32 nodes", "48 or 64 nodes")
    return Table("Least stretch of the mesh of as many nodes", f"{KEY}, section IV.A", columns, rows, note)


def _cost(golden: Golden) -> Table:
    rows: Rows = []
    for label in LARGE:
        cells: list[Cell | None] = []
        pairs = [(SMALL[label][0], spec_of(64, option), f"rank_4_missing:{option}") for option in ASSIGNMENTS]
        for spec, rdt, reading in (*pairs, (LARGE[label], "rdt:256", "")):
            other, mine = figures(spec).cost_ratio, figures(rdt).cost_ratio
            alike = much_the_same(other, mine)
            stated = label == "Pradhan"
            words = f"{other:.3f} against {mine:.3f}" + ("; chosen by the printed figures" if stated else "")
            cells.append(claimed(golden, "comparable", "comparable" if alike else "not comparable", stated=stated,
                                 reading=reading, detail=words))  # fmt: skip
        rows.append((label, cells))
    note = (
        f"Degree and diameter added up and divided by the binary logarithm of the nodes; `comparable`: neither is "
        f"{float(MUCH_TIMES):g} times the other or more. The measure is ours."
    )
    columns = (*(f"4096, {option}" for option in ASSIGNMENTS), "65,536")
    return Table("Diameter and degree against the RDT's", f"{KEY}, section IV.A", columns, rows, note)


def straight(found: Sequence[tuple[int, int]]) -> bool:
    """Whether the diameter grows in a straight line with the side: (diameter, side) of each size.

    >>> straight([(6, 4), (14, 8), (30, 16)]), straight([(4, 4), (6, 8), (8, 16)])
    (True, False)
    """
    slopes = {Fraction(d - c, t - s) for (c, s), (d, t) in pairwise(found)}
    return len(slopes) == 1 and min(slopes) > 0


def _growth(golden: Golden) -> Table:
    rows: Rows = []
    for label, specs, dimensions in GROWTH:
        found = [(figures(s).diameter, round(figures(s).routers ** (1 / dimensions))) for s in specs]
        answer = f"O(M**(1/{dimensions}))" if straight(found) else "another order"
        detail = ", ".join(f"{d} at side {s}" for d, s in found)
        name = f"mesh_order_{dimensions}d"
        rows.append((f"{label}: {', '.join(specs)}", [claimed(golden, name, answer, detail=detail)]))
    note = "The diameter grows in a straight line with the side, the square or cube root of M."
    return Table("Growth of the diameter with the number of nodes M", f"{KEY}, section I", ("order",), rows, note)


def crossbar(ports: int) -> str:
    """`large` from that many ports on.

    >>> crossbar(63), crossbar(64)
    ('small', 'large')
    """
    return "large" if ports >= LARGE_PORTS else "small"


def _indirect(golden: Golden) -> Table:
    rows: Rows = []
    for label, (spec, rdt) in INDIRECT.items():
        net = build(spec)
        most, mine = farthest(net), figures(rdt).diameter
        words = "below" if most < mine else "alike" if most == mine else "above"
        ports = int((net.neighbor >= 0).sum(axis=1).max())
        large = crossbar(ports)
        cells = [claimed(golden, "indirect_latency", words, detail=f"{most} links against {mine}"),
                 claimed(golden, "indirect_crossbar", large, detail=f"{ports} ports a crossbar"),
                 Cell(None, ports, claim="indirect_crossbar")]  # fmt: skip
        rows.append((label, list(cells)))
    note = (
        "Links from a node to the furthest one, through crossbars or switches, against the diameter of the RDT of the "
        f"same size; a node of a tree is one with its lowest switch. `large`: {LARGE_PORTS} ports and more, a measure "
        "of ours."
    )
    columns = ("most links", "crossbar", "its ports")
    return Table("Indirect networks", f"{KEY}, section IV.A", columns, rows, note)


def section(golden: Golden, progress: Progress) -> Section:
    """Squares, costs, growth, indirect networks, small diameters, tori on tori."""
    makers = (_meshes, _stretches, _cost, _growth, _indirect, small_table, recursion_table)
    tables = []
    for done, make in enumerate(makers):
        progress(done, len(makers))
        tables.append(make(golden))
    shares = [float(tables[0].at(row, "squares").computed) / float(tables[0].at(row, "squares of the mesh").computed)
              for row, _ in tables[0].rows[: len(SMALL)]]  # fmt: skip
    return Section(TITLE, TEXT.format(least=min(shares), most=max(shares)), tables)


TEXT = """De Bruijn, Kautz, Pradhan and star graphs cannot hold the mesh of their size link by link: of its squares they
have {least:.0%} to {most:.0%}. In the RDT it is a part of the base torus. On small sizes a search places every node of
the mesh with neighbors a few hops apart; no stretch is known here for thousands of nodes.

Of the indirect networks that the paper sets aside, the hypermesh has two crossings of a crossbar for every pair, but
crossbars of 128 and 256 ports; a fat tree of small switches has more links on its longest ways than the RDT.

De Bruijn, fat tree and star graph have a small diameter with a small degree, as the introduction says. The diagonal
mesh has links of rank 1 only, and none to a torus formed on those."""
