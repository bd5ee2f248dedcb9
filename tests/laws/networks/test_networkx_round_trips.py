"""NetworkX graphs that become networks and come back: kind, node objects, keys and attributes; names in results."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.utils import graphs_equal

import jumpnet
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.topology.named import graphs_in, name_by_content

KINDS = [networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph]
NODES = st.one_of(st.integers(-3, 9), st.text("ab ,(0", max_size=3), st.tuples(st.integers(0, 2), st.text("xy")))
ABOUT = st.dictionaries(st.sampled_from(["color", "weight", "x", "terminals"]), st.integers(0, 3), max_size=2)


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Graphs of all four kinds, with nodes of any kind, attributes of nodes, edges and the graph, and edge keys."""
    graph = draw(st.sampled_from(KINDS))(name=draw(st.text("ab")), year=1996)
    nodes = draw(st.lists(NODES, min_size=2, max_size=6, unique_by=str))
    for node in nodes:
        graph.add_node(node, **draw(ABOUT))
    pairs = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)).filter(lambda pair: pair[0] != pair[1])
    for u, v in draw(st.lists(pairs, max_size=8)):
        key = {"key": draw(st.sampled_from(["k", 7, (1, 2)]))} if graph.is_multigraph() else {}
        graph.add_edge(u, v, **key, **draw(ABOUT), latency=draw(st.integers(1, 3)))
    return graph


@given(graphs())
def test_a_graph_comes_back_equal_and_is_not_shared(graph: Any) -> None:
    before, net = graph.copy(), jumpnet.network(graph)
    back = net.to_networkx()
    assert type(back) is type(graph) and graphs_equal(back, graph) and list(back) == list(graph) == net.nodes
    back.add_node("another")
    back.nodes[net.nodes[0]]["color"] = "changed"
    graph.clear()
    assert graphs_equal(net.to_networkx(), before), "neither graph is the network's own"
    assert jumpnet.network(net.to_networkx()).spec == net.spec


def test_a_named_graph_comes_back_and_a_changed_network_does_not() -> None:
    graph = networkx.grid_2d_graph(2, 3)
    graph.nodes[0, 1]["owner"] = owner = object()
    net = jumpnet.network(jumpnet.add_graph("objects", graph))
    assert graphs_equal(net.to_networkx(), graph) and net.to_networkx().nodes[0, 1]["owner"] is owner
    fewer = replace(net.net, terminals=net.terminals * 2, sinks=net.sinks * 2)
    told = jumpnet.network(fewer).to_networkx().nodes
    assert list(told) == [str(node) for node in graph] and told["(0, 1)"] == {"terminals": 2, "sinks": 2}


def test_places_of_nodes_are_where_they_are_drawn() -> None:
    graph = networkx.random_geometric_graph(12, 0.9, seed=1)
    assert jumpnet.network(graph).position.tolist() == [graph.nodes[node]["pos"] for node in graph]
    out = jumpnet.network("rdt:4").to_networkx()  # says x and y
    assert (jumpnet.network(out).position == jumpnet.network("rdt:4").position).all()


def test_one_graph_drawn_in_two_ways_is_two_names() -> None:
    """A picture over wire length, which asks for a network by its name, takes no other one's places."""
    short = {"load": 0.1, "packet_flits": 1, "warmup_cycles": 10, "measure_cycles": 50, "workers": 1}
    points = []
    for stretch in (1, 9):
        graph = networkx.cycle_graph(6)
        networkx.set_node_attributes(graph, {node: (node, stretch * node**2) for node in graph}, "pos")
        points.append(jumpnet.network(graph).sweep("lash", **short))
    assert len({part.plot(per="length") for part in points}) == 2
    assert jumpnet.network(networkx.cycle_graph(6)).spec == f"graph:{jumpnet.network(graph).digest}"


@pytest.mark.parametrize("pos", ["12", (1,), (1, 2, 3), None, (float("nan"), 0), ("a", "b"), 7])
def test_a_place_that_is_none_leaves_all_out(pos: object) -> None:
    graph = networkx.random_geometric_graph(5, 2, seed=1)
    graph.nodes[3]["pos"] = pos
    assert jumpnet.network(graph).position is None


def test_other_processes_are_sent_the_network_without_the_graph() -> None:
    graph = networkx.cycle_graph(["a", "b", "c", "d"])
    graph.nodes["a"]["unreadable"] = lambda: 0
    spec = name_by_content(jumpnet.network(graph).net)
    (sent,) = pickle.loads(pickle.dumps(graphs_in([spec]))).values()
    assert sent.labels == ("a", "b", "c", "d") and sent.digest == jumpnet.network(spec).digest


def test_results_name_the_users_nodes() -> None:
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    net = jumpnet.network(graph)
    path = net.route("a", "d").nodes
    assert path == ["a", "b", "c", "d"] and networkx.is_path(graph, path)
    proof = net.prove(vcs=1)
    assert proof.cycle is not None
    assert {(hop.name, hop.to_name) for hop in proof.cycle} == set(graph.edges)
    assert "holds a -> b (link, vc 0) and waits for b -> c (link, vc 0)" in str(explain(proof))
    assert jumpnet.network("mesh:3").route(0, 2).nodes == [0, 1, 2]


@pytest.mark.parametrize("kind", KINDS)
def test_of_what_no_graph_gave_the_kind_follows_from_the_links(kind: Any) -> None:
    graph = kind([(0, 1), (1, 2), (2, 0)])
    made = replace(jumpnet.network(graph).net, given=None)
    back = jumpnet.network(made).to_networkx()
    assert back.is_directed() == graph.is_directed() and not back.is_multigraph()
