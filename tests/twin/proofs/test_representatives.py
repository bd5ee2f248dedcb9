"""Shortest cycles looked for from one router of each orbit, against the search from all; which orbits keep a graph."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.cycles import order as cycles
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.cycles.translated import translated_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.ways_to_graph.orbits import labels, representatives
from jumpnet.analysis.deadlock.ways_to_graph.orbits.representatives import representative_channels
from jumpnet.routings import bind
from jumpnet.topology import build

CYCLIC = [
    ("torus:6x5", "torus.dimension_order", None),
    ("torus:4x3x3", "torus.dateline", 1),
    ("torus:5x4", "torus.valiant", 1),
    ("dragonfly:2", "dragonfly.minimal", 1),
    ("dragonfly:2", "dragonfly.valiant", 1),
    ("rdt:16", "rdt.floating", None),
    ("rdt:16", "rdt.turn_model", 1),
    ("mesh:4x4", "mesh.valiant", 1),
    ("ccc:3", "ccc.ecube", 1),
    ("star:4", "star.sort", 1),
]


@pytest.mark.parametrize(("spec", "name", "vcs"), CYCLIC, ids=str)
def test_one_router_of_each_orbit_shows_a_shortest_cycle(spec, name, vcs, monkeypatch):
    made = dependencies(bind(name, build(spec), vcs))
    whole = order_or_cycle(*made.rows).cycle
    monkeypatch.setattr(cycles, "MANY_NODES", 0)
    some = order_or_cycle(*made.rows, lambda: representative_channels(made.bound.network, made.bits)).cycle
    assert whole is not None and some is not None and len(whole) == len(some)
    indptr, indices = made.rows
    for c, d in zip(some, [*some[1:], some[0]], strict=True):
        assert d in indices[indptr[c] : indptr[c + 1]]
    proof = prove(made.bound)
    assert proof.cycle is not None and len(proof.cycle) == len(whole)


def test_where_all_routers_are_alike_no_list_is_needed():
    rng, lengths = np.random.default_rng(5), set()
    for spec, vcs in (("torus:5", 2), ("torus:4x3", 1), ("hypercube:3", 2), ("hyperx:3x3x2", 1)):
        net = build(spec)
        far, kinds = np.repeat(net.neighbor, vcs, axis=1).reshape(-1), net.ports * vcs
        for share in np.linspace(0.02, 0.4, 25):
            follows = rng.random((kinds, kinds)) < share
            after = [far[c] * kinds + np.flatnonzero(follows[c % kinds]) for c in range(len(far))]
            listed = order_or_cycle(np.cumsum([0, *map(len, after)]), np.concatenate(after)).cycle
            found = translated_cycle(net.neighbor, vcs, follows)
            assert (found is None) == (listed is None)
            if found is not None:
                assert len(np.unique(found)) == len(found) == len(listed)
                assert all(d in after[c] for c, d in zip(found, np.roll(found, -1), strict=True))
                lengths.add(len(found))
    assert len(lengths) > 4


@pytest.mark.parametrize(
    ("spec", "name", "routers"),
    [
        ("torus:6x4", "torus.dimension_order", 1),
        ("torus:6x4", "torus.dateline", 24),
        ("mesh:4x3", "mesh.dimension_order", 12),
        ("rdt:16", "rdt.floating", 8),
        ("rdt:16", "rdt.deadlock_free", 256),
        ("dragonfly:2,arrangement=palmtree", "dragonfly.minimal", 4),
        ("random:9,d=4,seed=2", "minimal", 9),
    ],
)
def test_automorphisms_that_do_not_keep_the_graph_are_not_used(spec, name, routers):
    made = dependencies(bind(name, build(spec)))
    slots = made.bound.network.ports * made.bound.vcs
    assert representative_channels(made.bound.network, made.bits).sum() == routers * slots


def test_a_single_dependency_that_is_missing_is_seen():
    made = dependencies(bind("torus.dimension_order", build("torus:5x5")))
    assert representative_channels(made.bound.network, made.bits).sum() == 4
    channel = np.flatnonzero(made.bits[:, 0])[-1]
    made.bits[channel, 0] &= made.bits[channel, 0] - np.uint64(1)
    assert representative_channels(made.bound.network, made.bits).sum() > 4


def test_what_is_no_permutation_is_not_used(monkeypatch):
    class Wrong:
        def automorphisms(self, net):
            yield np.zeros(net.routers, np.int64)

    made = dependencies(bind("torus.dimension_order", build("torus:4")))
    monkeypatch.setattr(labels, "family", lambda spec: Wrong())
    monkeypatch.setattr(representatives, "keeps_ports", lambda net, moved: True)
    assert representative_channels(made.bound.network, made.bits).sum() == len(made.bits)
