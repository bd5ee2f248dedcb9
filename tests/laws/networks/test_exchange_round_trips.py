"""What is written and read back is the same network: NetworkX, edge lists, GraphML, anynet, under Hypothesis."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import (
    from_edges,
    from_networkx,
    json_lines,
    to_networkx,
    write_anynet,
    write_edgelist,
    write_graphml,
    write_json,
)
from jumpnet.networks import Network, from_links
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

WRITERS = {"edgelist": write_edgelist, "graphml": write_graphml, "anynet": write_anynet}
NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=5)


def channels(net: Network) -> Counter[tuple[str, str, int]]:
    """Every channel by the names of its routers, with its latency: a naive description of the whole network."""
    names = net.labels or tuple(str(i) for i in range(net.routers))
    found: Counter[tuple[str, str, int]] = Counter()
    for r in range(net.routers):
        for p, far in enumerate(net.neighbor[r].tolist()):
            if far != NO_ROUTER:
                found[names[r], names[far], 0 if net.latency is None else int(net.latency[r, p])] += 1
    return found


def endpoints(net: Network) -> dict[str, tuple[int, int]]:
    names = net.labels or tuple(str(i) for i in range(net.routers))
    return dict(zip(names, zip(net.terminals.tolist(), net.sinks.tolist(), strict=True), strict=True))


def same(one: Network, other: Network) -> bool:
    return one.directed == other.directed and channels(one) == channels(other) and endpoints(one) == endpoints(other)


@st.composite
def networks(draw: st.DrawFn, simple: bool = False, numbered: bool = False) -> Network:
    """Any small network: one- or two-way, parallel links, latencies, labels, any endpoints."""
    routers = draw(st.integers(1, 7))
    pairs = [(u, v) for u in range(routers) for v in range(routers) if u != v and (not simple or u < v)]
    ends = draw(st.lists(st.sampled_from(pairs), max_size=14, unique=simple)) if pairs else []
    directed = False if simple else draw(st.booleans())
    latency = None
    if ends and draw(st.booleans()):
        latency = np.array(draw(st.lists(st.tuples(*[st.integers(1, 9)] * 2), min_size=len(ends), max_size=len(ends))))
    terminals = np.array(draw(st.lists(st.integers(0, 4), min_size=routers, max_size=routers)), np.int32)
    sinks = terminals
    if not simple:
        sinks = np.array(draw(st.lists(st.integers(0, 4), min_size=routers, max_size=routers)), np.int32)
    labels = None
    if not numbered and draw(st.booleans()):
        labels = tuple(draw(st.lists(NAMES, min_size=routers, max_size=routers, unique=True)))
    return from_links(
        "any", "any", routers, np.array(ends, np.int64).reshape(-1, 2), latency=latency, directed=directed,
        terminals=terminals, sinks=sinks, labels=labels,
    )  # fmt: skip


@given(networks())
def test_lists_of_links_make_networks_whose_ports_pair_up(net: Network) -> None:
    net.check()
    again = from_networkx(to_networkx(net))
    again.check()
    assert same(net, again)


@given(networks())
@pytest.mark.parametrize("kind", ["edgelist", "graphml"])
def test_files_round_trip(tmp_path_factory: pytest.TempPathFactory, kind: str, net: Network) -> None:
    path = tmp_path_factory.mktemp("round") / f"net.{kind}"
    try:
        WRITERS[kind](net, path)
    except JumpnetError:
        # Only an edge list may refuse, and only a label that would start a comment.
        assert kind == "edgelist" and any(name[0] in "#%" for name in net.labels or ())
        return
    again = build(f"file:{path}")
    again.check()
    assert same(net, again)


@given(networks(simple=True, numbered=True))
def test_anynet_round_trip(tmp_path_factory: pytest.TempPathFactory, net: Network) -> None:
    path = tmp_path_factory.mktemp("round") / "net.anynet"
    write_anynet(net, path)
    again = build(f"file:{path}")
    assert same(net, again) and "nodes" not in again.attributes


@pytest.mark.parametrize(
    "spec", ["torus:4x4", "rdt:8", "fattree:3,n=2", "fly:2,n=3", "dragonfly:1", "cmesh:2x2", "srt1d:16"]
)
def test_families_round_trip(tmp_path: Path, spec: str) -> None:
    net = build(spec)
    assert same(net, from_networkx(to_networkx(net)))
    for kind in ("edgelist", "graphml"):
        WRITERS[kind](net, tmp_path / f"net.{kind}")
        assert same(net, build(f"file:{tmp_path}/net.{kind}"))


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_kinds_of_networkx_graphs_are_kept(kind: str) -> None:
    graph = getattr(networkx, kind)()
    graph.add_edges_from([("b", "a"), ("a", "c"), ("c", "b"), ("b", "c")])
    net = from_networkx(graph)
    net.check()
    assert net.labels == ("b", "a", "c") and net.directed == graph.is_directed()
    assert net.links == graph.number_of_edges()
    again = to_networkx(net)

    def ends(one: networkx.Graph) -> Counter[tuple[str, ...]]:
        return Counter(
            pair if net.directed else tuple(sorted(pair)) for pair in ((u, v) for u, v, _ in one.edges(data=True))
        )

    assert again.is_directed() == graph.is_directed() and ends(again) == ends(graph)


def test_networkx_reads_our_files_and_we_read_its(tmp_path: Path) -> None:
    net = build("graph:petersen")
    write_graphml(net, tmp_path / "a.graphml")
    graph = networkx.read_graphml(tmp_path / "a.graphml")
    assert networkx.is_isomorphic(graph, networkx.petersen_graph())
    write_edgelist(net, tmp_path / "a.edgelist")
    assert networkx.is_isomorphic(networkx.read_edgelist(tmp_path / "a.edgelist"), networkx.petersen_graph())
    graph = networkx.random_regular_graph(3, 20, seed=1)
    networkx.write_graphml(graph, tmp_path / "b.graphml")
    networkx.write_edgelist(graph, tmp_path / "b.edgelist")
    for name in ("b.graphml", "b.edgelist"):
        read = build(f"file:{tmp_path / name}")
        assert networkx.utils.graphs_equal(to_plain(read), to_plain(from_networkx(graph, spec="b")))


def to_plain(net: Network) -> networkx.Graph:
    names = net.labels or tuple(str(i) for i in range(net.routers))
    rows, cols = np.nonzero(net.neighbor != NO_ROUTER)
    return networkx.Graph((names[r], names[net.neighbor[r, p]]) for r, p in zip(rows, cols, strict=True))


def test_json_holds_everything(tmp_path: Path) -> None:
    net = build("fly:2,n=3")
    write_json(net, tmp_path / "n.json")
    read = json.loads((tmp_path / "n.json").read_text())
    assert read == json.loads("".join(json_lines(net)))
    for here, port, there, arrival, kind, _ in read["links"]:
        assert (net.neighbor[here, port], net.far_port[here, port]) == (there, arrival)
        assert net.link_class[here, port] == kind
    assert len(read["links"]) == net.links and read["sinks"] == net.sinks.tolist()


def refused(action: object, *args: object, **more: object) -> str:
    with pytest.raises(JumpnetError) as error:
        action(*args, **more)  # type: ignore[operator]
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_a_format_cannot_say_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert "one-way" in refused(write_anynet, build("fly:2,n=2"), path)
    path.write_text("before")
    assert refused(write_anynet, from_edges([(0, 1), (0, 1)]), path).endswith("an anynet file has single links only")
    assert path.read_text() == "before"
    labelled = from_networkx(networkx.Graph([("a b", "c")]))
    assert "'a b'" in refused(write_edgelist, labelled, path)
    assert "printable" in refused(write_graphml, from_networkx(networkx.Graph([("a\n", "c")])), path)
    assert "can be written" in refused(write_graphml, labelled, tmp_path / "no" / "x")


def test_bad_graphs_are_refused() -> None:
    assert "without nodes" in refused(from_networkx, networkx.Graph())
    loop = refused(from_networkx, networkx.Graph([("a", "b"), ("b", "b")]))
    assert loop.startswith("an edge of node 'b' to itself found") and "networkx.selfloop_edges(graph)" in loop
    assert "whole number" in refused(from_networkx, networkx.Graph([(0, 1, {"latency": 1.5})]))
    assert "whole number" in refused(from_networkx, networkx.Graph([(0, 1, {"latency": float("nan")})]))
    assert "from 1" in refused(from_networkx, networkx.Graph([(0, 1, {"latency": 0})]))
    assert "same name" in refused(from_networkx, networkx.Graph([(0, "0")]))
    assert "0 to 1 expected" in refused(from_edges, [(0, 5)], routers=2)
    assert "-1" in refused(from_edges, [(0, -1)], routers=2)
    assert "pairs of router numbers" in refused(from_edges, [(0, 1, 2)])
    assert "pairs of router numbers" in refused(from_edges, [(0.5, 1.5)])
    assert "at least 1" in refused(from_edges, [])
    assert "different lengths" in refused(from_edges, [(0, 1), (1,)])
    assert "terminals [1, -1] found, 2 numbers from 0 expected" in refused(from_edges, [(0, 1)], terminals=[1, -1])
    assert "terminals [1] found, 2 numbers" in refused(from_edges, [(0, 1)], terminals=[1])
