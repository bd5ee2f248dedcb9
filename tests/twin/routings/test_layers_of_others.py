"""Layers of paths from routers without terminals: the first that each leaves acyclic, after all others have theirs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.networks import Network, from_neighbors
from jumpnet.routings import bind
from jumpnet.routings._sssp import break_cycles
from jumpnet.topology import build

Table = np.ndarray


def tables(name: str, net: Network) -> tuple[Table, Table, int]:
    """(ports, layers of the pairs, how many) of a layered routing."""
    bound = bind(name, net)
    return bound.view.table[: net.routers], bound.view.table[net.routers :], bound.needed


def dependencies(net: Network, ports: Table, d: int, s: int) -> list[tuple[int, int]]:
    """Of the path from s to d."""
    channels, here = [], s
    while here != d:
        channels.append((here, int(ports[d, here])))
        here = int(net.neighbor[channels[-1]])
    return list(pairwise(channels))


def first_fit(net: Network, ports: Table, sources: Table, layer: Table, graphs: list[nx.DiGraph]) -> None:
    """Put the path of each of some sources to each end into the first graph that it leaves without a cycle."""
    for d in np.flatnonzero(net.terminals + net.sinks > 0):
        for s in np.flatnonzero(sources & (ports[d] >= 0)):
            for k, graph in enumerate(graphs):
                more = [edge for edge in dependencies(net, ports, d, int(s)) if edge not in graph.edges]
                graph.add_edges_from(more)
                if nx.is_directed_acyclic_graph(graph):
                    layer[d, s] = k
                    break
                graph.remove_edges_from(more)


def layers_more(net: Network) -> int:
    """Hold all three tables against the definition; how many layers they have more than pairs of ends take."""
    ends, more = net.terminals + net.sinks > 0, 0
    for name in ("lash", "lash:paths=balanced", "dfsssp"):
        ports, found, layers = tables(name, net)
        layer, graphs = np.full_like(found, -1), [nx.DiGraph() for _ in range(32)]
        np.fill_diagonal(layer, 0)
        if name == "dfsssp":
            break_cycles(net.neighbor, ports, ends, layer, 16)
            for d, s in zip(*np.nonzero(layer >= 0), strict=True):
                graphs[layer[d, s]].add_edges_from(dependencies(net, ports, d, int(s)))
        else:
            first_fit(net, ports, ends, layer, graphs)
        before = layer.max() + 1
        first_fit(net, ports, ~ends, layer, graphs)
        assert np.array_equal(found, layer) and layers == layer.max() + 1
        more += layers - before
    return more


@pytest.mark.parametrize(
    ("spec", "more"), [("fattree:2,n=3", 0), ("clos:4,4,8", 0), ("fly:2,n=3", 0), ("hypermesh:4", 3)]
)
def test_of_families_whose_routers_have_not_all_terminals(spec, more):
    """Only where a bus may hold a packet that came another way than shortest ones do is another layer needed."""
    assert layers_more(build(spec)) == more


@settings(max_examples=12, deadline=None)
@given(st.integers(3, 7), st.integers(2, 4), st.integers(0, 99), st.sets(st.integers(0, 13), min_size=2))
def test_of_any_network_and_any_ends(half, degree, seed, chosen):
    net = build(f"random:{2 * half},d={degree},seed={seed}")
    some = np.isin(np.arange(net.routers), [c % net.routers for c in chosen]).astype(np.int32)
    assert layers_more(replace(net, terminals=some, sinks=some, orbits=None)) >= 0


@pytest.mark.parametrize("name", ["lash", "dfsssp"])
def test_on_a_ring_by_hand(name):
    """0 -> 1 -> 2 -> 3 -> 0 with terminals at 0 and 2, whose pairs depend on nothing of each other: from 0 the channel
    of 1 follows, from 2 that of 3. From 1 to 0 that of 2 follows on that of 1; from 3 to 2 that of 0 would on that of
    3, which closes the ring."""
    ring = from_neighbors("r", "r", (np.arange(4)[:, None] + 1) % 4, terminals=np.array([1, 0, 1, 0]), directed=True)
    _, layer, layers = tables(name, ring)
    assert layers == 2
    assert layer[0].tolist() == [0, 0, 0, 0] and layer[2].tolist() == [0, 0, 0, 1]
    assert (layer[[1, 3]] <= 0).all()
