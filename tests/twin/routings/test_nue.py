"""Nue: its tables against the method one dependency at a time, and what it promises on any two-way network."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive.nue import naive_layer

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import from_edges, from_networkx
from jumpnet.routings import bind
from jumpnet.routings._nue import new_graph, route_layer
from jumpnet.routings._tables import tree_ports
from jumpnet.routings.nue import nue_tables
from jumpnet.topology import build


def assert_both_alike(net, ends, members, root):
    """How often a neighbor was turned, and the tree taken, in one layer that kernel and twin fill alike."""
    up, ports = tree_ports(net, root), np.full((net.routers, net.routers), -1, np.int16)
    load, naive_load = np.zeros((2, net.routers, net.ports), np.int64)
    trees = route_layer(net.neighbor, net.far_port, ends, members, up, new_graph(net.routers, net.ports), load, ports)
    table, turns, naive_trees = naive_layer(net, ends, members.tolist(), up, naive_load)
    naive = np.full(ports.shape, -1, np.int16)
    for pair, port in table.items():
        naive[pair] = port
    assert (ports[members] >= 0).sum() == members.size * (net.routers - 1)
    assert (ports == naive).all() and (load == naive_load).all() and trees == naive_trees
    return turns, trees


@settings(max_examples=10, deadline=None)
@given(st.integers(4, 8), st.integers(2, 4), st.integers(0, 99), st.data())
def test_the_tables_are_those_of_the_method(half, degree, seed, data):
    net = build(f"random:{2 * half},d={degree},seed={seed}")
    members = np.array(data.draw(st.permutations(range(net.routers))))
    ends = np.array(data.draw(st.lists(st.booleans(), min_size=net.routers, max_size=net.routers)))
    ends[members[:2]] = True
    assert_both_alike(net, ends, members[ends[members]], int(members[0]))


def test_where_neighbors_are_turned_and_trees_are_needed():
    order = np.random.default_rng(15).permutation(32)
    assert assert_both_alike(build("random:32,d=6,seed=15"), np.ones(32, np.bool_), order, 15) == (2, 2)


def test_a_router_without_terminals_has_a_way_where_its_offers_all_close_cycles():
    """A packet that is routed anew may stand there: one neighbor is turned for it, after every end has its way."""
    rng = np.random.default_rng(101)
    net = build(f"random:32,d={rng.integers(5, 8)},seed=101")
    ends, order = rng.random(32) < 0.4, rng.permutation(32)
    ends[order[:2]] = True
    assert assert_both_alike(net, ends, order[ends[order]], int(order[0])) == (1, 0)


def test_a_neighbor_that_could_not_be_turned_leaves_nothing_behind():
    order = np.random.default_rng(10).permutation(32)
    turns, _ = assert_both_alike(build("random:32,d=6,seed=10"), np.ones(32, np.bool_), order, 10)
    assert turns > 0


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 14), st.floats(0.05, 0.6), st.integers(0, 99), st.integers(1, 5))
def test_any_connected_graph_with_any_channels_is_free_of_deadlock(routers, density, seed, vcs):
    graph = nx.gnp_random_graph(routers, density, seed=seed)
    graph.add_edges_from((i, (i * 7 + seed) % i) for i in range(1, routers))
    net = from_networkx(graph)
    bound = bind("nue", net, vcs)
    proof = prove(bound)
    assert proof.deadlock_free and proof.certificate_checked
    figures = path_figures(bound)
    assert figures.pairs == routers * (routers - 1)


@pytest.mark.parametrize("spec", ["torus:6x6", "rdt:8", "fattree:3,n=3", "dragonfly:2", "random:60,d=4,seed=1"])
def test_one_channel_is_enough_and_paths_are_no_longer_than_those_of_a_tree(spec):
    net = build(spec)
    assert not prove(bind("minimal", net, 1)).deadlock_free or spec.startswith("fattree")
    assert prove(bind("nue", net)).deadlock_free
    one, more = path_figures(bind("nue", net)), path_figures(bind("nue", net, 8))
    assert one.average <= path_figures(bind("up_down", net)).average * 1.1
    assert 1 <= more.stretch <= one.stretch


def test_trees_and_meshes_need_no_detour():
    for spec in ("tree:3,height=3", "mesh:5x4"):
        assert path_figures(bind("nue", build(spec))).stretch == 1


def test_small_and_odd_networks():
    assert prove(bind("nue", build("mesh:1"))).deadlock_free
    assert prove(bind("nue", from_edges([], routers=1))).deadlock_free
    parallel = from_edges([(0, 1), (0, 1), (1, 2), (2, 0)])
    assert prove(bind("nue", parallel, 40)).deadlock_free
    switches = from_edges([(0, 1), (1, 2), (3, 1), (4, 5)], terminals=np.array([1, 0, 1, 1, 0, 0]))
    assert prove(bind("nue", switches)).deadlock_free
    assert nue_tables(switches, 2)[1].tolist() == [0, 0, 0, 1, 0, 0]
    with pytest.raises(JumpnetError, match="it needs a connected network"):
        bind("nue", from_edges([(0, 1), (2, 3)]))
    with pytest.raises(JumpnetError, match="it needs two-way links"):
        bind("nue", from_edges([(0, 1), (1, 0)], directed=True))


def test_tables_that_would_not_fit_are_refused(monkeypatch):
    net = build("torus:4x4")
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "2000")
    with pytest.raises(JumpnetError, match=r"the dependency graph of 64 channels of torus:4x4 needs about 2.3 kB"):
        nue_tables(net, 1)
