"""Networks from and to the outside: NetworkX graphs, lists of links, BookSim anynet, edge lists, GraphML, JSON.

The family `file` (`topology/file.py`) reads the files that this one writes. What a format cannot say is refused, never
dropped silently, except coordinates, drawing places and link classes, which only JSON has.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.graph.links import links_of, names_of, nodes_of, write_lines
from jumpnet.networks import Network, from_links
from jumpnet.terms import F64, I32

__all__ = [
    "anynet_lines", "edgelist_lines", "from_edges", "from_networkx", "graphml_lines", "json_lines", "to_networkx",
    "write_anynet", "write_edgelist", "write_graphml", "write_json",
]  # fmt: skip


@public
def from_edges(
    edges: Sequence[tuple[int, int]] | np.ndarray,
    routers: int | None = None,
    *,
    directed: bool = False,
    terminals: I32 | None = None,
    spec: str = "",
) -> Network:
    """The network of a list of links between router numbers; a pair given twice is two parallel links.

    `routers` defaults to the largest number plus one, `terminals` (R,) to one each, `spec` to `graph:` and the hash of
    what the network is. Raises JumpnetError for loops and
    numbers out of range. Cost: O(L log L).

    >>> from_edges([(0, 1), (1, 2)]).degrees.tolist()
    [1, 2, 1]
    """
    try:
        ends = np.asarray(edges)
    except ValueError:  # rows of different lengths
        raise JumpnetError("edges of different lengths found, pairs of router numbers expected") from None
    if ends.size == 0:
        ends = np.zeros((0, 2), np.int64)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise JumpnetError(f"edges of shape {ends.shape} and type {ends.dtype} found, pairs of router numbers expected")
    count = int(ends.max(initial=-1)) + 1 if routers is None else routers
    if count < 1:
        raise JumpnetError(f"{count} routers found, at least 1 expected")
    more = {} if terminals is None else {"terminals": np.asarray(terminals, np.int32)}
    if terminals is not None and (more["terminals"].shape != (count,) or (more["terminals"] < 0).any()):
        raise JumpnetError(f"terminals {more['terminals'].tolist()} found, {count} numbers from 0 expected")
    made = from_links(spec or "graph", "graph", count, ends, directed=directed, **more)
    return made if spec else made.renamed(f"graph:{made.digest}")


@public
def from_networkx(graph: Any, *, latency: str | None = "latency", spec: str = "") -> Network:
    """The network of a NetworkX graph of any of the four kinds: routers in the order of its nodes.

    Node attributes `terminals` and `sinks` (default 1, and as terminals) are the endpoints of a router. Its place for
    drawing is a node's `pos` (two numbers, as NetworkX's generators set it) or its `x` and `y`, where all nodes have
    one. The edge attribute `latency` is in cycles (another name can be given, None to ignore it), with `latency_back`
    for the other direction of a two-way link: from the node that comes later. `spec` is `graph:` and the hash of what
    the network is and where it is drawn, when left out. Nodes other than 0, 1, 2, .. become labels; a copy of the graph
    is kept for `to_networkx`. Raises JumpnetError for loops and attributes that are not whole numbers. Cost: O(nodes +
    edges).

    >>> import networkx
    >>> from_networkx(networkx.petersen_graph()).links
    15
    """
    known = sys.modules.get("networkx")  # whoever has a graph of it has loaded it
    if known is None or not isinstance(graph, known.Graph):
        raise JumpnetError(f"{type(graph).__name__} found, a NetworkX graph expected")
    nodes = list(graph.nodes)
    if not nodes:
        raise JumpnetError("a graph without nodes found, at least one expected")
    number = {node: i for i, node in enumerate(nodes)}
    directed = bool(graph.is_directed())
    ends = np.zeros((graph.number_of_edges(), 2), np.int64)
    cycles = np.zeros(ends.shape, np.int64)
    for i, (u, v, about) in enumerate(graph.edges(data=True)):
        here, there = number[u], number[v]
        if here == there:
            drop = "graph.remove_edges_from(networkx.selfloop_edges(graph))"
            raise JumpnetError(f"an edge of node {u!r} to itself found, two nodes expected; {drop} drops such edges")
        if here > there and not directed:
            here, there = there, here
        ends[i] = here, there
        if latency is not None and latency in about:
            one = _whole(about[latency], 1, f"{latency} of edge {u!r}, {v!r}")
            cycles[i] = one, _whole(about.get(f"{latency}_back", one), 1, f"{latency}_back of edge {u!r}, {v!r}")
    terminals = [_whole(about.get("terminals", 1), 0, f"terminals of {n!r}") for n, about in graph.nodes(data=True)]
    sinks = [
        _whole(about.get("sinks", t), 0, f"sinks of {n!r}")
        for (n, about), t in zip(graph.nodes(data=True), terminals, strict=True)
    ]
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    names = tuple(str(node) for node in nodes)
    if len(set(names)) < len(names):
        raise JumpnetError("two nodes with the same name as text found, different names expected")
    made = from_links(
        spec or "graph",
        "graph",
        len(nodes),
        ends[order],
        latency=np.maximum(cycles, 1)[order] if cycles.any() else None,
        directed=directed,
        terminals=np.array(terminals, np.int32),
        sinks=np.array(sinks, np.int32),
        labels=None if nodes == list(range(len(nodes))) else names,
        position=_places([about for _, about in graph.nodes(data=True)]),
    )
    return replace(made, spec=spec or f"graph:{made.content_name}", given=(graph.copy(), made.digest))


def _places(nodes: Sequence[Mapping[str, Any]]) -> F64 | None:
    """(R, 2) places of nodes with these attributes; None where one has none, or none that can be drawn on a page.

    >>> _places([{"pos": (0, 1)}, {"x": 2.0, "y": 3.0}]).tolist(), _places([{"pos": (0, 1)}, {}])
    ([[0.0, 1.0], [2.0, 3.0]], None)
    """
    given: list[Any] = [about["pos"] if "pos" in about else (about.get("x"), about.get("y")) for about in nodes]
    try:
        places = np.array([[float(number) for number in place if not isinstance(number, str)] for place in given])
    except (TypeError, ValueError):  # None, words, three numbers for one and two for another
        return None
    return places if places.shape == (len(nodes), 2) and np.isfinite(places).all() else None


def _whole(value: Any, least: int, what: str) -> int:
    """An attribute as a whole number from `least`."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating) or value != value // 1:
        raise JumpnetError(f"{what}: {value!r} found, a whole number expected")
    if not least <= value < 2**31:
        raise JumpnetError(f"{what}: {value} found, a number from {least} expected")
    return int(value)


def to_networkx(net: Network) -> Any:
    """The network as a NetworkX graph: the one it was made from, else one of the kind that its links need.

    Of a network that `from_networkx` made, a graph equal to the given one: kind, node objects, edge keys and all
    attributes, nothing added (attributes that are objects are the same objects). Of others, nodes are labels or
    router numbers; they carry `terminals`, `sinks` and the drawing place `x`, `y`, edges `link_class` (its name) and,
    where the network says so, `latency` and `latency_back` (as `from_networkx`). Raises JumpnetError without NetworkX.

    >>> from jumpnet.topology import build
    >>> to_networkx(build("torus:4x4")).number_of_edges()
    32
    """
    try:
        import networkx
    except ImportError:
        raise JumpnetError("networkx is not installed; pip install 'jumpnet[graphs]' expected") from None
    if net.given is not None and net.given[1] == net.digest:
        return net.given[0].copy()
    links = links_of(net)
    pairs = links.ends if net.directed else np.sort(links.ends, axis=1)
    many = len(np.unique(pairs, axis=0)) < len(pairs)
    kinds = {
        (False, False): networkx.Graph,
        (False, True): networkx.MultiGraph,
        (True, False): networkx.DiGraph,
        (True, True): networkx.MultiDiGraph,
    }
    graph = kinds[net.directed, many](name=net.spec)
    nodes = nodes_of(net)
    for i, node in enumerate(nodes):
        about: dict[str, Any] = {"terminals": int(net.terminals[i]), "sinks": int(net.sinks[i])}
        if net.position is not None:
            about["x"], about["y"] = net.position[i].tolist()
        graph.add_node(node, **about)
    for (u, v), (there, back), (kind, _) in zip(
        links.ends.tolist(), links.latency.tolist(), links.link_class.tolist(), strict=True
    ):
        data: dict[str, Any] = {"link_class": net.class_names[kind]}
        if there:
            data["latency"] = there
            if back != there:
                data["latency_back"] = back
        graph.add_edge(nodes[u], nodes[v], **data)
    return graph


def anynet_lines(net: Network) -> Iterator[str]:
    """The lines of a BookSim anynet file: routers and nodes by number, a latency where the network says one.

    Nodes are numbered in the order of the terminals. Raises JumpnetError for what the format cannot say: one-way or
    parallel links, and routers whose numbers of terminals and sinks differ.
    """
    if net.directed or (net.terminals != net.sinks).any():
        raise JumpnetError(f"{net.spec}: one-way links found; an anynet file has two-way links only")
    first = np.cumsum(net.terminals) - net.terminals
    for r in range(net.routers):
        words = [f"router {r}"]
        words += [f"node {int(first[r]) + i}" for i in range(int(net.terminals[r]))]
        used = np.flatnonzero(net.neighbor[r] >= 0)
        far = net.neighbor[r, used].tolist()
        if len(set(far)) < len(far):
            raise JumpnetError(f"{net.spec}: parallel links at router {r} found; an anynet file has single links only")
        for p, other in zip(used.tolist(), far, strict=True):
            words.append(f"router {other}" + ("" if net.latency is None else f" {int(net.latency[r, p])}"))
        yield " ".join(words)


def edgelist_lines(net: Network) -> Iterator[str]:
    """The lines of an edge list: `u v` or `u v cycles`; what it has no place for stands in comments that are read back.

    Raises JumpnetError for labels with white space or a leading # or %.
    """
    names = names_of(net)
    for name in names if net.labels is not None else ():
        if not name or name[0] in "#%" or name.split() != [name]:
            raise JumpnetError(
                f"{net.spec}: label {name!r} found; an edge list has words only, without # or % in front"
            )
    if net.directed:
        yield "# directed"
    for r in range(net.routers):
        counts = (int(net.terminals[r]), int(net.sinks[r]))
        if counts != (1, 1):
            yield f"# router {names[r]} terminals {counts[0]} sinks {counts[1]}"
        else:
            yield f"# router {names[r]}"
    links = links_of(net)
    # Once one link differs by direction all are given both ways, so that parallel links keep their own two latencies.
    both_ways = bool((links.latency[:, 0] != links.latency[:, 1]).any())
    for (u, v), (there, back) in zip(links.ends.tolist(), links.latency.tolist(), strict=True):
        yield f"{names[u]} {names[v]}" + (f" {there}" if there else "")
        if both_ways:
            yield f"{names[v]} {names[u]} {back}"


GRAPHML_KEYS = (
    ("terminals", "node"), ("sinks", "node"), ("latency", "edge"), ("latency_back", "edge"),
)  # fmt: skip


def graphml_lines(net: Network) -> Iterator[str]:
    """The lines of a GraphML document with the data of `from_networkx`.

    Raises JumpnetError for labels that XML cannot hold.
    """
    names = names_of(net)
    for name in names if net.labels is not None else ():
        if not name or not name.isprintable():
            raise JumpnetError(f"{net.spec}: label {name!r} found; GraphML has printable names only")
    quoted = [quoteattr(name) for name in names]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name, kind in GRAPHML_KEYS:
        yield f'  <key id="{name}" for="{kind}" attr.name="{name}" attr.type="int"/>'
    yield f'  <graph id={quoteattr(net.spec)} edgedefault="{"directed" if net.directed else "undirected"}">'
    for r in range(net.routers):
        yield f"    <node id={quoted[r]}>{_data('terminals', net.terminals[r])}{_data('sinks', net.sinks[r])}</node>"
    links = links_of(net)
    for (u, v), (there, back) in zip(links.ends.tolist(), links.latency.tolist(), strict=True):
        data = (_data("latency", there) if there else "") + (_data("latency_back", back) if back != there else "")
        yield f"    <edge source={quoted[u]} target={quoted[v]}>{data}</edge>"
    yield "  </graph>"
    yield "</graphml>"


def _data(key: str, value: Any) -> str:
    return f'<data key="{key}">{escape(str(int(value)))}</data>'


def json_lines(net: Network) -> Iterator[str]:
    """One JSON object with all of a Network; `links` rows: router, port, router, port, class there, class back."""
    links = links_of(net)
    yield json.dumps(
        {
            "spec": net.spec,
            "family": net.family,
            "directed": net.directed,
            "routers": net.routers,
            "terminals": net.terminals.tolist(),
            "sinks": net.sinks.tolist(),
            "class_names": list(net.class_names),
            "links": np.stack(
                [links.ends[:, 0], links.ports[:, 0], links.ends[:, 1], links.ports[:, 1], *links.link_class.T], axis=1
            ).tolist(),
            "latency_cycles": None if net.latency is None else links.latency.tolist(),
            "coord": net.coord.tolist(),
            "position": None if net.position is None else net.position.tolist(),
            "labels": None if net.labels is None else list(net.labels),
        }
    )


def write_anynet(net: Network, path: str | Path) -> None:
    """Write a BookSim anynet file; see `anynet_lines`."""
    write_lines(path, anynet_lines(net))


def write_edgelist(net: Network, path: str | Path) -> None:
    """Write an edge list; see `edgelist_lines`."""
    write_lines(path, edgelist_lines(net))


def write_graphml(net: Network, path: str | Path) -> None:
    """Write a GraphML document; see `graphml_lines`."""
    write_lines(path, graphml_lines(net))


def write_json(net: Network, path: str | Path) -> None:
    """Write one JSON object; see `json_lines`."""
    write_lines(path, json_lines(net))
