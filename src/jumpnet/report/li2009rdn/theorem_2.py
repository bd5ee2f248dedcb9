"""Algorithm 1 and Theorem 2 of the RDN paper: its routes, as printed and hop by hop; Figure 7; what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.dualnet import algorithm_1
from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.paths import path_figures, route
from jumpnet.graph.distances import distances_from
from jumpnet.networks import Network
from jumpnet.report._figures import figures
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed, on_first_use
from jumpnet.report.li2009rdn._words import id_words, router_of, sizes_of
from jumpnet.routings import bind, default_routing
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_pattern

TITLE = "Algorithm 1 and Theorem 2: routing"
ORDER = 50

SPECS = {
    "rdn:3,k=1": "torus:3",
    "rdn:3,k=2": "torus:3",
    "rdn:5,k=1": "torus:5",
    "rdn:5x5,k=1": "torus:5x5",
    "rdn:3,k=1,base=hypercube": "hypercube:3",
    "rdn:3,k=2,base=complete": "complete:3",
    "rdn:4,k=1,base=complete": "complete:4",
}
"""Networks and their base networks."""
PRINTED = ("rdn:3,k=1", "rdn:5,k=1", "rdn:4,k=1,base=complete")
"""Networks on which the printed recursion runs between all pairs."""
COSTS = ("rdn:3,k=1", "rdn:5,k=1", "rdn:3x3,k=1", "rdn:5x5,k=1", "rdn:3,k=2", "dualcube:4")
ROUTINGS = ("rdn.recursive", "lash", "up_down")
EXAMPLE = "rdn:3,k=2"
U, V = "(0,(0,0,0),(0,0,0))", "(1,(1,2,2),(0,2,2))"
"""Source and destination of Figure 7."""


def _theorem(golden: Golden, spec: str, base: str) -> list[Cell | None]:
    net = build(spec)
    found = path_figures(bind("rdn.recursive", net))
    names = {"k": int(net.params[0]), "D0": figures(base).diameter}
    return [
        by_formula(golden, "theorem_2", found.maximum, names, f"D0 = {names['D0']}."),
        Cell(None, found.average),
        Cell(None, found.shortest_average),
        Cell(None, found.stretch_maximum),
    ]


def _case(n: int, u: int, v: int) -> int:
    """Case of Algorithm 1 at the top level, with clusters of n nodes."""
    if u // n == v // n:
        return 1
    return 3 if u // (n * n) == v // (n * n) else 2


def _links(net: Network) -> list[set[int]]:
    return [set(row) for row in net.neighbor.tolist()]


def _printed(golden: Golden, spec: str) -> list[Cell | None]:
    """The printed recursion between all pairs: longest route by case, and whether `rdn.recursive` does as well."""
    net = build(spec)
    n, bound, links = sizes_of(net)[-2], bind("rdn.recursive", net), _links(net)
    longest, alike, right = {1: 0, 2: 0, 3: 0}, 0, 0
    distance = [distances_from(net, u) for u in range(net.routers)]
    pairs = [(u, v) for u in range(net.routers) for v in range(net.routers) if u != v]
    for u, v in pairs:
        path = algorithm_1(net, u, v)
        right += all(b in links[a] for a, b in pairwise(path)) and path[-1] == v
        case = _case(n, u, v)
        longest[case] = max(longest[case], len(path) - 1)
        alike += len(path) - 1 == int(distance[u][v]) == len(route(bound, u, v))
    worst = [str(case) for case in longest if longest[case] == max(longest.values())]
    return [
        claimed(golden, "algorithm_1", yes(right == len(pairs)), detail=f"{right} of {len(pairs)} pairs."),
        *(Cell(None, longest[case]) for case in longest),
        claimed(golden, "worst_case", " and ".join(worst)),
        Cell(None, f"{alike} of {len(pairs)}"),
    ]


def _crossing(path: Sequence[int], half: int) -> tuple[int, int]:
    """Where a path crosses between the types the first time."""
    return next((a, b) for a, b in pairwise(path) if (a < half) != (b < half))


def _example(golden: Golden) -> tuple[Table, Figure]:
    """Figure 7: where the printed recursion leaves and enters clusters on its way."""
    net = build(EXAMPLE)
    sizes = sizes_of(net)
    n, m = sizes[-2], sizes[-3]
    path = algorithm_1(net, router_of(sizes, U), router_of(sizes, V))
    leaves, enters = _crossing(path, n * n)
    inner = [r % n for r in path[: path.index(leaves) + 1]]
    inner_leaves, inner_enters = _crossing(inner, m * m)
    # The part in v's cluster was found from v: its last hop there is Case 3's first.
    last = [r % n for r in reversed(path[path.index(enters) :])]
    cells = {
        "u'": claimed(golden, "figure_7_leaves", id_words(sizes, leaves)),
        "v'": claimed(golden, "figure_7_enters", id_words(sizes, enters)),
        "u' within the cluster of u": claimed(golden, "figure_7_inner_leaves", id_words(sizes[:-1], inner_leaves)),
        "v' within the cluster of u": claimed(golden, "figure_7_inner_enters", id_words(sizes[:-1], inner_enters)),
        "w, after v within the cluster of v": claimed(golden, "figure_7_case_3", id_words(sizes[:-1], last[1])),
    }
    words = [id_words(sizes, r) for r in path]
    shortest = int(distances_from(net, path[0])[path[-1]])
    hops = len(path) - 1
    rows: Rows = [(name, [cell]) for name, cell in cells.items()]
    rows.append(("hops", [Cell(None, hops, detail=f"The distance is {shortest}.")]))
    table = Table(f"The example: from {U} to {V}", "li2009rdn, section 4 and Figure 7", ("node",), rows)

    draw = on_first_use("jumpnet.plot.draw", "drawer", net, highlight=path, title="a route of Algorithm 1")
    note = f"{' '.join(words)}: {hops} hops."
    drawn = Figure("rdn-figure-7", "Routing in RDN(3,2)", "li2009rdn, Figure 7 (lost; drawn here)", draw,
                   {"router": path, "id": words}, note, "figure_7",
                   f"net={net.spec}&network.path={'.'.join(map(str, path))}")  # fmt: skip
    return table, drawn


def _costs() -> Table:
    """What the default routing of recursive dual-nets costs beside those of any network."""
    rows: Rows = []
    for spec in COSTS:
        net = build(spec)
        for name in ROUTINGS:
            bound = bind(name, net)
            found = path_figures(bound)
            load = channel_loads(bound, bind_pattern("uniform", net)).maximum
            label = f"{spec}, {name}{' (default)' if name == default_routing(net) else ''}"
            words = [bound.vcs, prove(bound).verdict]
            rows.append(
                (
                    label,
                    [
                        *(Cell(None, w) for w in words),
                        Cell(None, found.average),
                        Cell(None, found.stretch_maximum),
                        Cell(None, load),
                    ],
                )
            )
    columns = ("virtual channels", "deadlock", "average route", "largest stretch", "busiest channel, uniform load 1")
    return Table("Routings that fit a recursive dual-net", "ours; not in the paper", columns, rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Algorithm 1 against Theorem 2 and the shortest paths, as printed and as routing; the example; the cost."""
    rows: Rows = []
    total = len(SPECS) + len(PRINTED) + 1
    for done, (spec, base) in enumerate(SPECS.items()):
        progress(done, total)
        rows.append((spec, _theorem(golden, spec, base)))
    columns = ("longest route", "average route", "average distance", "largest stretch")
    theorem = Table("The routing rdn.recursive", "li2009rdn, Theorem 2", columns, rows)
    printed: Rows = []
    for done, spec in enumerate(PRINTED, len(SPECS)):
        progress(done, total)
        printed.append((spec, _printed(golden, spec)))
    more = (
        "every route arrives", "longest, case 1", "longest, case 2", "longest, case 3", "longest of all: case",
        "pairs with shortest routes, also by rdn.recursive",
    )  # fmt: skip
    recursion = Table("The recursion as printed", "li2009rdn, Algorithm 1, proof of Theorem 2", more, printed)
    example, figure = _example(golden)
    progress(total - 1, total)
    return Section(TITLE, TEXT, (theorem, recursion, example, _costs()), (figure,))


TEXT = """Algorithm 1 is run between all ordered pairs of different nodes, with shortest paths in the base network. On
the networks of the tables its longest route meets the bound of Theorem 2, which is the diameter.

As printed the recursion finds the part of a route in the destination's cluster from the destination. A router decides
hop by hop and cannot; `rdn.recursive` takes the cross edge of case 3 first there too, which is as short.

The paper names no virtual channels. With a class of them for each walk in a base network Algorithm 1 is free of
deadlock; the last table compares it with routings that fit any network."""
