"""Theorem 1 of the RDN paper but for the bisection: degree, nodes, diameter of built networks; Figure 4."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from jumpnet.graph.distances import distances_from
from jumpnet.networks import Network
from jumpnet.report._figures import figures
from jumpnet.report._formulas import by_formula
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed, on_first_use
from jumpnet.report.li2009rdn._words import id_words, sizes_of
from jumpnet.topology import build

TITLE = "Theorem 1: degree, nodes, diameter"
ORDER = 20

CASES = {
    "rdn:3,k=1": ("torus:3", 1), "rdn:4,k=1": ("torus:4", 1), "rdn:5,k=1": ("torus:5", 1),
    "rdn:3x3,k=1": ("torus:3x3", 1), "rdn:5x5,k=1": ("torus:5x5", 1), "rdn:4,k=1,base=hypercube": ("hypercube:4", 1),
    "rdn:6,k=1,base=complete": ("complete:6", 1), "rdn:3,k=2": ("torus:3", 2), "rdn:4,k=2": ("torus:4", 2),
    "rdn:5,k=2": ("torus:5", 2),
}  # fmt: skip
"""Networks, their base and k."""
BELOW = {
    "rdn:3,k=1": "torus:3",
    "rdn:5,k=1": "torus:5",
    "rdn:3x3,k=1": "torus:3x3",
    "rdn:3,k=2": "rdn:3,k=1",
    "rdn:4,k=2": "rdn:4,k=1",
}
"""Networks, and those they are constructed from."""


def _theorem(golden: Golden, spec: str, base: str, k: int) -> list[Cell | None]:
    found, part = figures(spec), figures(base)
    names = {"m": part.routers, "k": k, "d0": part.degree, "D0": part.diameter}
    return [
        by_formula(golden, "theorem_1_degree", found.degree, names),
        by_formula(golden, "theorem_1_nodes", found.routers, names),
        by_formula(golden, "theorem_1_diameter", found.diameter, names),
    ]


def _farthest(net: Network) -> tuple[int, int]:
    """Longest distance between two nodes of the same type, and of different types: a search from each orbit."""
    half, same, other = net.routers // 2, 0, 0
    sources = range(net.routers) if net.orbits is None else net.orbits.representative.tolist()
    for source in sources:
        distance = distances_from(net, source)
        own, far = (distance[:half], distance[half:])[:: 1 if source < half else -1]
        same, other = max(same, int(own.max())), max(other, int(far.max()))
    return same, other


def _worst(golden: Golden, spec: str, below: str) -> list[Cell | None]:
    same, other = _farthest(build(spec))
    types = "the same" if same > other else "different" if other > same else "either"
    return [
        by_formula(golden, "diameter_recurrence", max(same, other), {"D": figures(below).diameter}),
        Cell(None, same),
        Cell(None, other),
        claimed(golden, "worst_pair", types),
    ]


def _longest_path(net: Network) -> list[int]:
    """A shortest path from router 0 to the first of those farthest from it."""
    distance = distances_from(net, 0)
    path = [int(distance.argmax())]
    while path[-1] != 0:
        path.append(next(s for s in net.neighbor[path[-1]].tolist() if distance[s] == distance[path[-1]] - 1))
    return path[::-1]


def _figure_4() -> Figure:
    net = build("rdn:3,k=1")
    path = _longest_path(net)
    ranks = net.class_rank[net.link_class]
    kinds = [int(ranks[a, net.neighbor[a].tolist().index(b)]) for a, b in pairwise(path)]
    words = ["cross edge" if kind else "within a cluster" for kind in kinds]

    draw = on_first_use("jumpnet.plot.draw", "drawer", net, highlight=path, title="a longest shortest path")
    note = f"From {id_words(sizes_of(net), path[0])} to {id_words(sizes_of(net), path[-1])}: {', '.join(words)}."
    data: dict[str, list[Any]] = {"router": path, "id": [id_words(sizes_of(net), r) for r in path]}
    hops = ".".join("0" * (len(path) - 1))  # it is the route of the default routing
    link = f"net={net.spec}&panel=route&picked={path[0]}.{path[-1]}&route.taken={hops}"
    return Figure("rdn-figure-4", "The diameter of RDN(3,1)", "li2009rdn, Figure 4 (lost; drawn here)",
                  draw, data, note, "figure_4", link)  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """The theorem's formulas on networks that are built and searched, and where the farthest pairs lie."""
    rows: Rows = []
    for done, (spec, (base, k)) in enumerate(CASES.items()):
        progress(done, len(CASES) + 1)
        rows.append((spec, _theorem(golden, spec, base, k)))
    theorem = Table("RDN(m,k)", "li2009rdn, Theorem 1", ("node-degree", "nodes", "diameter"), rows)
    progress(len(CASES), len(CASES) + 1)
    worst: Rows = [(spec, _worst(golden, spec, below)) for spec, below in BELOW.items()]
    columns = ("diameter", "farthest of the same type", "farthest of different types", "types of a farthest pair")
    pairs = Table("Where the farthest pairs lie", "li2009rdn, section 2 and Figure 4", columns, worst)
    return Section(TITLE, TEXT, (theorem, pairs), (_figure_4(),))


TEXT = """Degree, nodes and diameter of Theorem 1 follow by search from what the base networks have, on all networks of
the table. The nodes farthest apart are of the same type: a route between them crosses to the other type and back."""
