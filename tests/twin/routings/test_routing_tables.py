"""Routing tables against NetworkX: distances, and the shortest legal ways of up*/down* in a graph of two phases."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from jumpnet.networks import Network
from jumpnet.routings import bind
from jumpnet.routings._tables import FAR, distances, up_down_distances, visit_order
from jumpnet.topology import build

SPECS = ["torus:3x4", "random:40,d=3,seed=2", "fattree:2,n=3", "srt2d:4", "hypercube:5"]


def _graph(net: Network) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(net.routers))
    graph.add_edges_from((r, int(s)) for r, row in enumerate(net.neighbor) for s in row if s >= 0)
    return graph


@pytest.mark.parametrize("spec", [*SPECS, "debruijn:2,n=4"])
def test_distances(spec: str) -> None:
    net = build(spec)
    found = distances(net)
    for d, lengths in nx.all_pairs_shortest_path_length(_graph(net).reverse()):
        assert [lengths[r] for r in range(net.routers)] == found[d].tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_up_down_distances(spec: str) -> None:
    net = build(spec)
    order = visit_order(net, 1)
    phases = nx.DiGraph()
    phases.add_nodes_from((r, phase) for r in range(net.routers) for phase in "ud")
    for r, s in _graph(net).edges:
        phases.add_edges_from([((r, "u"), (s, "u"))] if order[s] < order[r] else [((r, p), (s, "d")) for p in "ud"])
    lengths = dict(nx.all_pairs_shortest_path_length(phases))
    for d in range(net.routers):
        for phase, row in (("u", d), ("d", net.routers + d)):
            ways = [min(lengths[r, phase].get((d, end), FAR) for end in "ud") for r in range(net.routers)]
            assert ways == up_down_distances(net, order)[row].tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_the_root_is_the_first_router_of_least_eccentricity(spec: str) -> None:
    net = build(spec)
    far = nx.eccentricity(_graph(net))
    order = np.array(bind("up_down", net).view.own[1:])
    assert order.argmin() == min(range(net.routers), key=lambda r: (far[r], r))
