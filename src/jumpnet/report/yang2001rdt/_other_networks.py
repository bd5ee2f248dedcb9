"""Two sentences of the RDT paper on other networks: small diameters with small degrees, and the diagonal mesh.

Used by `mesh_embedding`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.graph.distances import distances_from
from jumpnet.networks import Network
from jumpnet.report._figures import figures
from jumpnet.report._measures import MUCH_TIMES, much_more
from jumpnet.report._section import Cell, Golden, Rows, Table, claimed
from jumpnet.topology import build
from jumpnet.topology.rdt import unit_vectors

__all__ = ["deeper", "farthest", "recursion_table", "small", "small_table"]

KEY = "yang2001rdt"
SMALL_BOTH = {"De Bruijn": "debruijn:2,n=12", "fat tree": "fattree:4,n=6", "star graph": "star:7"}
"""The introduction's examples with about 4096 nodes."""
LEAST = "torus:64x64", "torus:16x16x16"
MOST_LINKS = "hypercube:12"
DIAGONAL = ("prdt:32,R=1", "prdt:64,R=1", "prdt:108,n=3,R=1")
"""Diagonal meshes on sides where a PRDT has more ranks."""


def farthest(net: Network) -> int:
    """Most links from the routers with nodes, those of each orbit's representative, to another such router."""
    ends = np.flatnonzero(net.terminals > 0)
    starts = ends if net.orbits is None else np.intersect1d(ends, net.orbits.representative)
    return max(int(distances_from(net, int(start))[ends].max()) for start in starts)


def small(diameter: int, degree: int) -> str:
    """A diameter much less than that of 2D and 3D tori, with fewer links of a node than the hypercube's.

    >>> small(12, 4), small(22, 4), small(12, 12)
    ('small', 'not small', 'not small')
    """
    less = all(much_more(figures(spec).diameter, diameter) for spec in LEAST)
    return "small" if less and degree < figures(MOST_LINKS).degree else "not small"


def small_table(golden: Golden) -> Table:
    """The introduction's examples by `small`."""
    rows: Rows = []
    for label, spec in SMALL_BOTH.items():
        net = build(spec)
        diameter, degree = farthest(net), int((net.neighbor >= 0).sum(axis=1).max())
        detail = f"{net.routers} routers, {int(net.terminals.sum())} nodes"
        cells = [claimed(golden, "small_diameter_degree", small(diameter, degree), detail=detail)]
        cells += [Cell(None, n, claim="small_diameter_degree") for n in (diameter, degree)]
        rows.append((f"{label}, {spec}", list(cells)))
    tori = ", ".join(f"{spec} {figures(spec).diameter}" for spec in LEAST)
    note = (
        f"`small`: a diameter that {float(MUCH_TIMES):g} times over is no more than that of {tori}, with fewer links "
        f"than {MOST_LINKS}, {figures(MOST_LINKS).degree}. The measure is ours. A node of the tree is one with its "
        "lowest switch; its degree is that of the switches. Another arity of the tree gives other figures."
    )
    columns = ("small diameter with small degree", "diameter", "degree")
    return Table("Small diameter with a small degree?", f"{KEY}, section I", columns, rows, note)


def deeper(net: Network) -> str:
    """Whether a node has links to the tori that Definition 2 forms on the rank-1 torus: `none` or `some`.

    >>> deeper(build("prdt:32,R=1")), deeper(build("prdt:32"))
    ('none', 'some')
    """
    side, n = (int(v) for v in net.params[:2])
    x, y = unit_vectors(n, 1)[1]
    here, _, there = net.channel_ends
    steps = (net.coord[there] - net.coord[here]) % side
    upper = (n * (x + y) % side, n * (y - x) % side)
    return "some" if any((steps == step).all(axis=1).any() for step in upper) else "none"


def recursion_table(golden: Golden) -> Table:
    """Diagonal meshes by `deeper`, and the PRDTs that have all ranks."""
    rows: Rows = []
    for spec in DIAGONAL:
        whole = deeper(build(spec.partition(",R=")[0]))
        cells = [claimed(golden, "diagonal_no_recursion", deeper(build(spec))),
                 Cell(None, whole, claim="diagonal_no_recursion")]  # fmt: skip
        rows.append((spec, list(cells)))
    note = "A recursive structure has tori formed on the tori of the bypass links, as the PRDT with all its ranks has."
    columns = ("tori on its tori", "of the PRDT with all ranks")
    return Table("The diagonal mesh, PRDT(n,1,1)", f"{KEY}, section IV.A", columns, rows, note)
