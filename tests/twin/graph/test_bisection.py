"""Bisection against every halving, closed forms and each other's bounds; spectrum against dense eigenvalues."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.graph._bisection import least_cut
from jumpnet.graph._congestion import add_loads
from jumpnet.graph.bisection import _allowed, bisection, routed_bound, straight_cut, wires_across
from jumpnet.graph.exchange import from_edges
from jumpnet.graph.grid import grid_of, period
from jumpnet.graph.spectrum import algebraic_connectivity, fiedler, laplacian
from jumpnet.networks import from_neighbors
from jumpnet.topology import build, family


def _halvings(links, weight, allowed):
    """Every set of routers and its cut, by itertools."""
    n = len(weight)
    best = None
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            side = np.zeros(n, bool)
            side[list(chosen)] = True
            if abs(int(weight[side].sum()) - int(weight[~side].sum())) <= allowed:
                cut = int(links[np.ix_(side, ~side)].sum())
                best = cut if best is None else min(best, cut)
    return best


@settings(max_examples=25)
@given(st.integers(2, 8), st.integers(0, 10**6), st.booleans())
def test_least_cut_equals_every_halving(n, seed, weighted):
    rng = np.random.default_rng(seed)
    links = np.triu(rng.integers(0, 3, (n, n)), 1)
    links = links + links.T
    weight = rng.integers(0, 3, n) + (np.arange(n) < 2) if weighted else np.ones(n, np.int64)
    allowed = int(weight.max())
    mask = np.zeros(1, np.int64)
    found = least_cut(links.astype(np.int64), weight.astype(np.int64), allowed, mask)
    assert found == _halvings(links, weight, allowed)
    side = (mask[0] >> np.arange(n)) & 1 == 1
    assert links[np.ix_(side, ~side)].sum() == found


@pytest.mark.parametrize("n", range(2, 9))
def test_hypercube_is_proved(n):
    assert bisection(build(f"torus:{'x'.join(['2'] * n)}")).exact == 2 ** (n - 1)


@pytest.mark.parametrize(("spec", "width"), [("torus:4x4", 8), ("torus:4x2x2", 8), ("torus:8", 2), ("torus:2x4", 4)])
def test_small_tori_are_exact(spec, width):
    assert bisection(build(spec)).exact == width


@pytest.mark.parametrize(("spec", "width"), [("torus:6x6", 12), ("torus:8x8x8", 128), ("torus:4x4x4x4", 128)])
def test_even_tori_have_the_textbook_cut(spec, width):
    found = bisection(build(spec))
    assert found.straight_cut is not None
    assert found.straight_cut.links == found.upper == width
    assert 0 < found.lower <= width
    assert found.exact in (None, width)


@pytest.mark.parametrize("spec", ["rdt:16", "prdt:16", "torus:7x5", "torus:9x3"])
def test_bounds_are_in_order(spec):
    found = bisection(build(spec))
    assert 0 < found.lower <= found.upper
    assert found.straight_cut is None or found.upper <= found.straight_cut.links


@pytest.mark.parametrize(
    "spec", ["rdn:3,k=1", "rdn:5,k=1", "rdn:3,k=2", "dualcube:4", "rdt:16", "slimfly:5", "fattree:4,n=3"]
)
def test_the_witness_halves_the_terminals_with_as_many_links_as_said(spec):
    net = build(spec)
    found = bisection(net)
    half = found.half
    assert half is not None
    ends = net.terminals[half].sum(), net.terminals[~half].sum()
    assert abs(int(ends[0]) - int(ends[1])) <= int(net.terminals.max())
    crossing = sum(1 for r in range(net.routers) for s in net.neighbor[r] if s >= 0 and half[r] != half[s])
    assert crossing == 2 * found.upper


def test_rdn_has_halvings_smaller_than_theorem_1_says():
    """Theorem 1 gives ceil((2m)^(2^k) / 8) links; RDN(3,2) can be halved with fewer, RDN(3,1) cannot."""
    assert bisection(build("rdn:3,k=1")).exact == -(-(6**2) // 8)
    assert bisection(build("rdn:3,k=2")).upper < 6**4 // 8


def test_wires_of_the_rdt_by_rank():
    """READING: ranks 0..4 put 1, 1, 2, 8, 16 wires per unit of the side over a plane."""
    for axis in (0, 1):
        assert wires_across(build("rdt:256"), axis) == {r: Fraction(256 * w) for r, w in enumerate([1, 1, 2, 8, 16])}
    cut = straight_cut(build("rdt:256"))
    assert cut is not None
    assert cut.links == 2 * 28 * 256


def test_straight_cut_equals_counting_links():
    net = build("rdt:16,assignment=1.2.1.1.2.2.1.1")
    found = straight_cut(net)
    assert found is not None
    best = min(
        sum(
            ((net.coord[r, axis] - offset) % 16 < 8) != ((net.coord[s, axis] - offset) % 16 < 8)
            for r in range(net.routers)
            for s in net.neighbor[r]
            if s > r
        )
        for axis in (0, 1)
        for offset in range(8)
    )
    assert found.links == best == sum(found.by_rank.values())


def test_switches_without_terminals_take_no_part_in_the_balance():
    """Two switches with two terminals' routers each, joined by one link: the halves part there, not at 3 and 3."""
    links = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 5)]
    neighbor = np.full((6, 3), -1, np.int32)
    for a, b in links:
        neighbor[a, (neighbor[a] >= 0).sum()] = b
        neighbor[b, (neighbor[b] >= 0).sum()] = a
    net = from_neighbors(
        "test", "test", neighbor, link_class=np.zeros(3), class_names=("link",), class_rank=np.zeros(1),
        terminals=np.array([1, 1, 1, 1, 0, 0]),
    )  # fmt: skip
    assert bisection(net).exact == 1


@settings(max_examples=10)
@given(st.sampled_from(["torus:6x4", "torus:5x5", "rdt:8", "rdt:16", "prdt:12,R=1", "torus:4x4x4", "torus:9"]))
def test_spectrum_equals_dense(spec):
    net = build(spec)
    values = np.linalg.eigvalsh(laplacian(net).toarray())
    found = fiedler(net)
    assert abs(found.value - values[1]) < 1e-9
    assert found.residual < 1e-8
    assert abs(found.vector.sum()) < 1e-8


def test_lanczos_agrees_with_the_closed_form():
    """A mesh does not repeat along its axes, so it goes through Lanczos."""
    side = 26
    index = np.arange(side * side).reshape(side, side)
    neighbor = np.full((side * side, 4), -1, np.int32)
    neighbor[index[:-1].ravel(), 0], neighbor[index[1:].ravel(), 1] = index[1:].ravel(), index[:-1].ravel()
    neighbor[index[:, :-1].ravel(), 2], neighbor[index[:, 1:].ravel(), 3] = index[:, 1:].ravel(), index[:, :-1].ravel()
    net = from_neighbors(
        "mesh", "mesh", neighbor, link_class=np.zeros(4), class_names=("link",), class_rank=np.zeros(1),
        coord=np.argwhere(index >= 0)
    )  # fmt: skip
    assert abs(algebraic_connectivity(net) - (2 - 2 * np.cos(np.pi / side))) < 1e-8


def test_grids_and_periods():
    assert period(build("rdt:16"), grid_of(build("rdt:16"))) == 4
    assert period(build("torus:5x3"), grid_of(build("torus:5x3"))) == 1
    assert period(build("prdt:16"), grid_of(build("prdt:16"))) == 1


def test_steps_along_different_axes_are_no_translations_of_each_other():
    """A torus whose rows lead right and up in turn: one way out everywhere, but not the same."""
    x, y = np.tile(np.arange(4), 4), np.repeat(np.arange(4), 4)
    ahead = np.where(y % 2 == 0, 4 * y + (x + 1) % 4, 4 * ((y + 1) % 4) + x)
    net = from_neighbors(
        "steps", "steps", ahead[:, None].astype(np.int32), link_class=np.zeros(1), class_names=("ahead",),
        class_rank=np.zeros(1), coord=np.stack([x, y], axis=1).astype(np.int32), directed=True,
    )  # fmt: skip
    assert period(net, grid_of(net)) == 2


@pytest.mark.parametrize("call", [lambda: bisection(build("torus:1")), lambda: wires_across(build("torus:4x4"), 2)])
def test_bad_input_is_one_line(call):
    with pytest.raises(JumpnetError) as caught:
        call()
    assert "\n" not in str(caught.value)


def _of_links(count, links):
    neighbor = np.full((count, 4), -1, np.int32)
    for a, b in links:
        neighbor[a, (neighbor[a] >= 0).sum()] = b
        neighbor[b, (neighbor[b] >= 0).sum()] = a
    return from_neighbors(
        "test", "test", neighbor, link_class=np.zeros(4), class_names=("link",), class_rank=np.zeros(1)
    )


def test_without_metis_the_bounds_still_hold(monkeypatch):
    spec = "slimfly:5"
    best = bisection(build(spec))
    monkeypatch.setitem(sys.modules, "pymetis", None)
    found = bisection(build(spec))
    assert "METIS" not in found.method
    assert best.lower == found.lower <= found.upper
    assert best.upper <= found.upper


def test_the_best_of_all_cuts_counts_whoever_found_it(monkeypatch):
    """METIS says a checkerboard, which nobody betters; the straight cut is far less."""
    net = build("mesh:16x16")
    monkeypatch.setattr("jumpnet.graph.bisection.two_parts", lambda *given: net.coord.sum(axis=1) % 2 == 0)
    monkeypatch.setattr("jumpnet.graph.bisection._refine", lambda matrix, half, *given: half)
    assert bisection(net).upper == 16


def test_a_network_in_two_parts_is_halved_by_nothing():
    rings = [(i, (i + 1) % 20) for i in range(20)]
    net = _of_links(40, rings + [(a + 20, b + 20) for a, b in rings])
    assert bisection(net).exact == 0
    assert algebraic_connectivity(net) < 1e-9


def test_a_barbell_is_cut_at_its_bar():
    """Two rings of 15 routers joined by one link: more than are tried exhaustively."""
    rings = [(i, (i + 1) % 15) for i in range(15)]
    net = _of_links(30, [*rings, *((a + 15, b + 15) for a, b in rings), (0, 15)])
    found = bisection(net)
    assert (found.exact, found.upper) == (1, 1)


def test_channels_of_directed_networks_count_in_either_direction():
    neighbor = ((np.arange(8)[:, None] + 1) % 8).astype(np.int32)
    net = from_neighbors(
        "ring", "ring", neighbor, link_class=np.zeros(1), class_names=("ahead",), class_rank=np.zeros(1), directed=True
    )
    found = bisection(net)
    assert found.exact == 2
    assert found.straight_cut is not None
    assert found.straight_cut.links == 2


@pytest.mark.parametrize(
    ("spec", "most"),
    [("rdn:5x5,k=1", 313), ("rdn:3,k=2", 90), ("rdn:5,k=2", 626), ("rdn:6,k=1", 12), ("dualcube:4", 32)],
)
def test_halvings_of_a_family_are_halvings_and_the_search_starts_from_them(spec, most, monkeypatch):
    """With no METIS the cuts of whole clusters, or of clusters that follow one node, are what is left to find."""
    monkeypatch.setitem(sys.modules, "pymetis", None)
    known, net = family(spec), build(spec)
    halves = list(known.halves(net))
    assert all(2 * int(half.sum()) == net.routers for half in halves)
    found = bisection(net, halves)
    assert found.upper <= most
    assert found.upper <= min(
        int((half[net.neighbor] != half[:, None])[net.neighbor >= 0].sum()) // 2 for half in halves
    )


def test_a_halving_of_another_network_is_refused():
    with pytest.raises(JumpnetError, match="648 bool expected"):
        bisection(build("rdn:3,k=2"), [np.ones(18, bool)])


def _loads(net, weight, evenly):
    """What each channel carries: every shortest path of every pair listed, and all of them or the last by port used."""
    load = np.zeros(net.neighbor.shape)
    paths: list[list[tuple[int, int]]]
    for source in range(net.routers):
        whole = {source: [[]]}  # all shortest paths from there, as lists of channels
        front = [source]
        while front:
            onward: dict[int, list[list[tuple[int, int]]]] = {}
            for r in front:
                for p, s in enumerate(net.neighbor[r].tolist()):
                    if s >= 0 and s not in whole:
                        onward.setdefault(s, []).extend([*path, (r, p)] for path in whole[r])
            whole |= onward
            front = list(onward)
        for target, paths in whole.items():
            used = paths if evenly else [max(paths, key=lambda path: [p for _, p in reversed(path)])]
            for path in used:
                for channel in path:
                    load[channel] += weight[source] * weight[target] / len(used)
    return load


@pytest.mark.parametrize("evenly", [True, False])
@pytest.mark.parametrize(
    "spec", ["mesh:3x4", "torus:4x4", "torus:2x3", "hypercube:3", "debruijn:2,n=3", "tree:2,height=2"]
)
def test_loads_equal_all_paths_listed(spec, evenly):
    net = build(spec)
    weight = 1 + np.arange(net.routers) % 3.0
    found = np.zeros(net.neighbor.shape)
    assert add_loads(net.neighbor, weight, np.arange(net.routers), evenly, found)
    assert np.allclose(found, _loads(net, weight, evenly), rtol=1e-12)


@settings(max_examples=40)
@given(st.integers(3, 9), st.integers(0, 10**6), st.booleans())
def test_the_bound_by_routes_is_below_every_halving(n, seed, evenly):
    rng = np.random.default_rng(seed)
    ends = [(i, int(rng.integers(i))) for i in range(1, n)] + [tuple(rng.choice(n, 2, replace=False)) for _ in range(n)]
    terminals = rng.integers(0, 4, n)
    terminals[:2] += 1
    net = from_edges(ends, n, terminals=terminals)
    weight = terminals // np.gcd.reduce(terminals)
    assert routed_bound(net, weight, _allowed(weight), evenly) <= bisection(net).exact


@pytest.mark.parametrize(
    ("spec", "width"),
    [
        ("torus:32x32", 64),
        ("torus:8x6x4", 48),
        ("mesh:16x16", 16),
        ("mesh:6x5", 5),
        ("hypercube:7", 64),
        ("torus:6x5", 10),
    ],
)
def test_closed_forms_beyond_every_halving(spec, width):
    found = bisection(build(spec))
    assert (found.exact, found.lower, found.upper) == (width, width, width)


def test_no_bound_by_routes_where_some_pairs_have_none():
    net = from_edges([(0, 1), (2, 3)], 4)
    assert routed_bound(net, np.ones(4, np.int64), 0, True) == 0
