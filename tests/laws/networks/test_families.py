"""Laws of every registered topology family, on all its samples: claims, ports, symmetry, specs, implicit neighbors."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.each import each_of
from tests.naive import distances as naive

from jumpnet.errors import JumpnetError
from jumpnet.topology import families, family

OUTSIDE = {"file", "graph"}
"""Families that take a network as a user gives it."""

PARALLEL = {"cmesh", *OUTSIDE}
"""Families whose routers may be joined by two links (express channels; whatever a file says)."""

SAMPLES = [spec for known in families().values() for spec in known.samples]


@cache
def made(spec):
    return family(spec), family(spec).build()


def test_every_family_has_samples_and_says_what_it_is():
    for name, known in families().items():
        assert known.samples, name
        assert known.__doc__ and f"`{name}" in known.__doc__, f"{name}: no example in the docstring"
        if name not in OUTSIDE:
            assert re.search(r"\b[Pp]orts?\b", known.__doc__), (
                f"{name}: the docstring does not give the order of the ports"
            )
            module = sys.modules[known.__module__].__doc__
            assert module and "Source:" in module, f"{name}: the file's docstring cites no source"


@each_of(SAMPLES)
def test_ports_pair_up(spec):
    _, net = made(spec)
    net.check()
    assert net.routers >= 1
    assert net.spec == family(spec).spec
    assert net.family == family(spec).name


@each_of(SAMPLES)
def test_no_loops_and_no_second_links(spec):
    _, net = made(spec)
    for r, row in enumerate(net.neighbor.tolist()):
        near = [s for s in row if s >= 0]
        assert r not in near
        if net.family not in PARALLEL and "double=true" not in spec:
            assert len(near) == len(set(near))


@each_of(SAMPLES)
def test_claims_hold_exactly(spec):
    known, net = made(spec)
    counted = naive.figures(net)
    claims = dict(known.claims())
    assert set(claims) <= set(counted), "a claim that no figure answers to"
    assert claims == {key: counted[key] for key in claims}


@each_of(SAMPLES)
def test_size_is_known_before_building(spec):
    known, net = made(spec)
    size = known.size()
    if size is not None:
        assert size[0] == net.routers
        assert size[1] >= int(net.degrees.max())


@each_of(SAMPLES)
def test_automorphisms_keep_channels_and_ranks(spec):
    known, net = made(spec)
    rows, ports = np.nonzero(net.neighbor >= 0)
    near, rank = net.neighbor[rows, ports].astype(np.int64), net.class_rank[net.link_class[rows, ports]]
    here = np.arange(net.routers)

    def ordered(moved):
        """Channels as pairs of routers in order, and their ranks in that order."""
        pair = moved[rows] * net.routers + moved[near]
        order = np.lexsort((rank, pair))
        return pair[order], rank[order]

    pairs, ranks = ordered(here)
    for image in known.automorphisms(net):
        assert np.array_equal(np.sort(image), here), "not a permutation"
        moved_pairs, moved_ranks = ordered(np.asarray(image, np.int64))
        assert np.array_equal(moved_pairs, pairs)
        # A symmetry may exchange whole ranks (the dimensions of a hypermesh), but never mix them.
        renamed = set(zip(ranks.tolist(), moved_ranks.tolist(), strict=True))
        assert len(renamed) == len(set(ranks.tolist())), "ranks are mixed"
        assert np.array_equal(net.terminals[image], net.terminals)
        assert np.array_equal(net.sinks[image], net.sinks)


def generated_orbits(maps, routers):
    """Label of the orbit of each router under the group that `maps` generate."""
    label = np.arange(routers)
    changed = True
    while changed:
        before = label.copy()
        for image in maps:
            low = np.minimum(label, label[image])
            np.minimum.at(low, image, label)
            label = low
        changed = not np.array_equal(label, before)
    return label


@each_of(SAMPLES)
def test_declared_orbits_are_generated(spec):
    known, net = made(spec)
    if net.orbits is None:
        assert not list(known.automorphisms(net)), "automorphisms without orbits"
        return
    label = generated_orbits([np.asarray(m, np.int64) for m in known.automorphisms(net)], net.routers)
    of = label[net.orbits.representative]
    assert len(set(of.tolist())) == len(of), "two representatives in one orbit"
    assert [int((label == v).sum()) for v in of] == net.orbits.size.tolist()
    assert int(net.orbits.size.sum()) == net.routers


@each_of(SAMPLES)
def test_spec_round_trip(spec):
    known, _ = made(spec)
    assert family(known.spec) == known
    assert family(known.spec).spec == known.spec


@each_of(SAMPLES)
def test_implicit_neighbors_equal_the_table(spec):
    known, net = made(spec)
    implicit = known.implicit()
    if implicit is None:
        return
    assert implicit.routers == net.routers
    out = np.zeros(implicit.ports, np.int64)
    for r in range(net.routers):
        count = implicit.neighbors(implicit.params, r, out)
        assert 0 <= count <= implicit.ports
        assert set(out[:count].tolist()) - {r} == set(net.neighbor[r].tolist()) - {-1}
    if implicit.orbits is not None:
        assert net.orbits is not None
        assert np.array_equal(implicit.orbits.representative, net.orbits.representative)
        assert np.array_equal(implicit.orbits.size, net.orbits.size)


@each_of(SAMPLES)
def test_arrays_are_in_order(spec):
    _, net = made(spec)
    assert len(net.class_names) == len(net.class_rank)
    assert net.link_class.max(initial=-1) < len(net.class_names)
    assert (net.class_rank >= 0).all()
    assert len(set(net.class_names)) == len(net.class_names)
    assert np.unique(net.coord, axis=0).shape[0] == net.routers
    assert (net.terminals >= 0).all() and (net.sinks >= 0).all()
    if net.position is not None:
        assert net.position.shape == (net.routers, 2)
        assert np.isfinite(net.position).all()
        assert np.unique(np.round(net.position, 9), axis=0).shape[0] == net.routers, "two routers drawn at one place"


@each_of(SAMPLES)
def test_building_twice_gives_the_same_bits(spec):
    known, net = made(spec)
    again = known.build()
    for name in ("neighbor", "far_port", "link_class", "coord", "params"):
        assert np.array_equal(getattr(net, name), getattr(again, name)), name


def broken(net, **arrays):
    """A network with some entries changed: (row, column, value) of the named arrays."""
    changed = {}
    for name, (r, p, value) in arrays.items():
        changed[name] = getattr(net, name).copy()
        changed[name][r, p] = value
    return replace(net, **changed)


def test_broken_networks_are_caught():
    net = family("torus:4x4").build()
    for wrong in (
        {"neighbor": (0, 0, 5)},  # leads elsewhere
        {"neighbor": (0, 0, 16)},  # out of range
        {"neighbor": (0, 0, -1)},  # one way only
        {"far_port": (0, 0, 0)},  # arrives at a port that another channel uses
        {"link_class": (0, 0, -1)},
    ):
        with pytest.raises(JumpnetError, match="torus:4x4: "):
            broken(net, **wrong)


def test_a_wrong_symmetry_or_claim_is_caught(monkeypatch):
    spec = "mesh:4x3x2"
    known = type(family(spec))
    monkeypatch.setattr(known, "automorphisms", lambda self, net: iter([np.roll(np.arange(net.routers), 1)]))
    with pytest.raises(AssertionError):
        test_automorphisms_keep_channels_and_ranks.one(spec)
    with pytest.raises(AssertionError):
        test_declared_orbits_are_generated.one(spec)
    monkeypatch.setattr(known, "claims", lambda self: {"diameter": 7})
    with pytest.raises(AssertionError):
        test_claims_hold_exactly.one(spec)
