"""Automorphism search against every permutation; transitivity of textbook networks and of the RDN."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.graph.automorphism import Undecided, channel_map, find_automorphism, is_automorphism, refine
from jumpnet.graph.symmetry import cycles_through, distance_counts, symmetry
from jumpnet.networks import from_neighbors
from jumpnet.topology import build, family


def _network(links):
    """A network of the links (matrix of 0 and 1) in the order of the routers."""
    count = len(links)
    neighbor = np.full((count, max(1, int(links.sum(axis=1).max()))), -1, np.int32)
    for r in range(count):
        near = np.flatnonzero(links[r])
        neighbor[r, : near.size] = near
    ports = neighbor.shape[1]
    return from_neighbors(
        "test", "test", neighbor, link_class=np.zeros(ports), class_names=("link",), class_rank=np.zeros(1)
    )


def _every_automorphism(links):
    return [p for p in permutations(range(len(links))) if np.array_equal(links[np.ix_(p, p)], links)]


def _random_links(seed, count):
    rng = np.random.default_rng(seed)
    links = np.triu(rng.random((count, count)) < rng.choice([0.3, 0.5, 0.7]), 1).astype(int)
    links[0, 1] = 1
    return links + links.T


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_search_equals_every_permutation(seed, count):
    links = _random_links(seed, count)
    net, all_of_them = _network(links), _every_automorphism(links)
    for u in range(count):
        for v in range(count):
            found = find_automorphism(net, [(u, v)])
            assert (found is not None) == any(p[u] == v for p in all_of_them)
            assert found is None or (tuple(found) in all_of_them and found[u] == v)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_verdicts_equal_every_permutation(seed, count):
    links = _random_links(seed, count)
    found, all_of_them = symmetry(_network(links)), _every_automorphism(links)
    assert found.vertex.transitive == ({p[0] for p in all_of_them} == set(range(count)))
    pairs = {frozenset(pair) for pair in np.argwhere(links).tolist()}
    assert found.edge.transitive == ({frozenset((p[0], p[1])) for p in all_of_them} == pairs)
    if found.edge.witness is not None:
        one, two = found.edge.witness
        assert not any({p[one[0]], p[one[1]]} == set(two) for p in all_of_them)


@pytest.mark.parametrize(
    ("spec", "vertex", "edge"),
    [
        ("torus:4x4", True, True),
        ("torus:4x6", True, False),
        ("hypercube:5", True, True),
        ("ccc:4", True, False),
        ("star:4", True, True),
        ("prdt:8", True, False),
        ("rdt:8", False, False),
        ("srt1d:16", False, False),
        ("crossedcube:5", False, False),
    ],
)
def test_textbook_networks(spec, vertex, edge):
    chosen = family(spec)
    net = chosen.build()
    for generators in ((), chosen.automorphisms(net)):
        found = symmetry(net, generators)
        assert (found.vertex.transitive, found.edge.transitive) == (vertex, edge)


@pytest.mark.parametrize("spec", ["rdn:3,k=1", "rdn:4,k=1", "rdn:8,k=1", "rdn:3,k=2", "rdn:3x3,k=1", "dualcube:3"])
def test_rdn_is_vertex_but_not_edge_transitive(spec):
    """The paper claims both; base and cross links lie on different cycles."""
    chosen = family(spec)
    net = chosen.build()
    found = symmetry(net, chosen.automorphisms(net))
    assert found.vertex.transitive is True
    assert found.edge.transitive is False
    kinds = {_kind(net, *link) for link in found.edge.witness}
    assert len(kinds) == 2


def _kind(net, r, s):
    port = int(np.flatnonzero(net.neighbor[r] == s)[0])
    return int(net.class_rank[net.link_class[r, port]])


def test_rdn_over_two_routers_is_a_ring_and_so_edge_transitive():
    assert symmetry(build("rdn:2,k=1")).edge.transitive is True


def test_a_star_is_edge_but_not_vertex_transitive():
    links = np.zeros((5, 5), int)
    links[0, 1:] = links[1:, 0] = 1
    found = symmetry(_network(links))
    assert (found.vertex.transitive, found.edge.transitive) == (False, True)


def test_cycles_and_distances():
    assert cycles_through(build("torus:7"), 0, 0) == (7, 1)
    assert cycles_through(build("complete:5"), 0, 0) == (3, 3)
    links = np.array([[0, 1], [1, 0]])
    assert cycles_through(_network(links), 0, 0) == (0, 0)
    assert distance_counts(build("hypercube:4"), 3) == (1, 4, 6, 4, 1)


def test_channels_follow_an_automorphism():
    net = build("torus:5x4")
    moved = next(iter(family("torus:5x4").automorphisms(net)))
    image = channel_map(net, moved)
    rows, cols = np.nonzero(net.neighbor >= 0)
    there = image[rows, cols]
    assert (there // net.ports == moved[rows]).all()
    assert (net.neighbor.ravel()[there] == moved[net.neighbor[rows, cols]]).all()
    assert np.unique(there).size == there.size


def test_refinement_separates_a_path():
    links = np.diag([1, 1, 1, 1], 1)
    colours = refine(_network(links + links.T), np.zeros((1, 5), np.int64))[0]
    assert colours[0] == colours[4] != colours[1] == colours[3] != colours[2] != colours[0]


def test_what_is_no_automorphism_is_refused():
    net = build("torus:6")
    assert not is_automorphism(net, np.array([1, 0, 2, 3, 4, 5]))
    assert not is_automorphism(net, np.array([0, 0, 2, 3, 4, 5]))
    with pytest.raises(JumpnetError, match="no automorphism"):
        symmetry(net, [np.array([1, 0, 2, 3, 4, 5])])


def test_a_spent_budget_says_so():
    with pytest.raises(Undecided, match="within 1 refinements"):
        find_automorphism(build("complete:8"), [(0, 1)], budget=1)
