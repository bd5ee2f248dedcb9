"""The tables of DFSSSP: balanced shortest paths against Dijkstra of NetworkX, layers against a search for cycles."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive.dfsssp import naive_layers

from jumpnet.routings._sssp import balanced_ports, break_cycles
from jumpnet.routings._tables import distances
from jumpnet.topology import build

FAR = 1 << 20
"""More than any load: the fewest hops come first."""


def _path(net, ports, d, s):
    channels, here = [], s
    while here != d:
        channels.append((here, int(ports[d, here])))
        here = int(net.neighbor[here, ports[d, here]])
    return channels


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 9), st.integers(1, 3), st.integers(0, 99), st.sets(st.integers(0, 8), min_size=2))
def test_paths_and_layers_are_those_of_the_definition(half, degree, seed, chosen):
    net = build(f"random:{2 * half},d={min(degree + 1, 2 * half - 1)},seed={seed}")
    ends = np.isin(np.arange(net.routers), [c % net.routers for c in chosen])
    ports, layer = (np.zeros((net.routers, net.routers), np.int16) for _ in range(2))
    balanced_ports(net.neighbor, distances(net), ends, ports)
    load = Counter()
    for d in range(net.routers):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(net.routers))
        for r, p in zip(*np.nonzero(net.neighbor >= 0), strict=True):
            graph.add_edge(int(net.neighbor[r, p]), int(r), weight=FAR + load[int(r), int(p)])
        cost = nx.single_source_dijkstra_path_length(graph, d)
        for s in range(net.routers):
            if s != d and s in cost:
                assert sum(FAR + load[c] for c in _path(net, ports, d, s)) == cost[s]
            else:
                assert ports[d, s] == -1
        if ends[d]:
            load.update(c for s in np.flatnonzero(ends) if s in cost for c in _path(net, ports, d, int(s)))
    layers = break_cycles(net.neighbor, ports, ends, layer, 16)
    assert 1 <= layers <= 16 and layer.max() == layers - 1
    for k in range(layers):
        graph = nx.DiGraph()
        for d, s in zip(*np.nonzero(layer == k), strict=True):
            assert s == d or (ends[s] and ends[d])
            path = _path(net, ports, d, int(s))
            graph.add_edges_from(pairwise(path))
        assert nx.is_directed_acyclic_graph(graph)


@pytest.mark.parametrize("spec", ["torus:7", "torus:5x4", "random:14,d=3,seed=4", "random:18,d=3,seed=5", "rdt:4"])
def test_layers_are_those_of_searches_started_anew(spec):
    net = build(spec)
    routers, ends = range(net.routers), np.ones(net.routers, np.bool_)
    ports, layer = (np.zeros((net.routers, net.routers), np.int16) for _ in range(2))
    balanced_ports(net.neighbor, distances(net), ends, ports)
    paths = {(d, s): [r * net.ports + p for r, p in _path(net, ports, d, s)] for d in routers for s in routers}
    naive, layers = naive_layers(paths, 8)
    assert break_cycles(net.neighbor, ports, ends, layer, 8) == layers > 1
    assert {(d, s): int(layer[d, s]) for d in routers for s in routers} == naive


def test_only_paths_of_cycles_leave_the_first_layer():
    net = build("torus:5")
    ports, layer = (np.zeros((5, 5), np.int16) for _ in range(2))
    balanced_ports(net.neighbor, distances(net), np.ones(5, np.bool_), ports)
    assert break_cycles(net.neighbor, ports, np.ones(5, np.bool_), layer, 4) == 2
    # each way round the ring is one cycle, and every dependency of it is one path: one path of each leaves
    assert (layer == 1).sum() == 2


def test_too_many_layers_are_refused():
    net = build("torus:5")
    ports, layer = (np.zeros((5, 5), np.int16) for _ in range(2))
    balanced_ports(net.neighbor, distances(net), np.ones(5, np.bool_), ports)
    assert break_cycles(net.neighbor, ports, np.ones(5, np.bool_), layer, 1) == 0
