"""Distance kernels against plain searches: all sources, one per orbit, implicit; directed, cut, parallel, weighted."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each import each_of
from tests.naive import distances as naive

import jumpnet.graph.distances as module
from jumpnet.errors import JumpnetError
from jumpnet.graph.distances import distance_counts, distances_from, eccentricities
from jumpnet.networks import Implicit, Orbits, from_links
from jumpnet.topology import build, families, family

SAMPLES = [spec for known in families().values() for spec in known.samples]


def with_terminals(net, terminals, sinks):
    return replace(net, terminals=np.array(terminals, np.int32), sinks=np.array(sinks, np.int32))


@st.composite
def networks(draw):
    """Any small network: sparse or dense, one-way or two-way, in pieces or not, with parallel links and terminals."""
    routers = draw(st.integers(1, 24))
    end = st.integers(0, routers - 1)
    ends = [pair for pair in draw(st.lists(st.tuples(end, end), max_size=3 * routers)) if pair[0] != pair[1]]
    net = from_links("drawn", "drawn", routers, np.array(ends, np.int64).reshape(-1, 2), directed=draw(st.booleans()))
    if draw(st.booleans()):
        counts = st.lists(st.integers(0, 3), min_size=routers, max_size=routers)
        net = with_terminals(net, draw(counts), draw(counts))
    return net


def each_eccentricity(figures):
    """Eccentricities of all routers, in ascending order."""
    return sorted(np.repeat(figures.eccentricity, figures.stands_for).tolist())


def assert_agrees_with_naive(net):
    rows = naive.all_distances(net)
    figures = distance_counts(net)
    flat = Counter(d for row in rows for d in row)
    cut = flat.pop(-1, 0)
    assert figures.counts == tuple(flat[d] for d in range(max(flat) + 1))
    assert figures.connected == (cut == 0)
    assert figures.diameter == (None if cut else max(flat))
    pairs = net.routers * (net.routers - 1)
    moment = sum(d * n for d, n in flat.items())
    assert figures.average == (None if cut or not pairs else Fraction(moment, pairs))
    assert figures.average_with_self == (None if cut else Fraction(moment, net.routers**2))
    far = [-1 if -1 in row else max(row) for row in rows]
    assert sorted(far) == each_eccentricity(figures)

    weights = Counter()
    for r, row in enumerate(rows):
        for s, d in enumerate(row):
            weights[d] += int(net.terminals[r]) * int(net.sinks[s])
    lost = weights.pop(-1, 0)
    meet = [d for d, n in weights.items() if n]
    assert figures.terminal_counts == tuple(weights[d] for d in range(max(meet, default=-1) + 1))
    assert figures.terminal_diameter == (None if lost or not meet else max(meet))
    apart = sum(n for d, n in weights.items() if d > 0)
    moment = sum(d * n for d, n in weights.items())
    assert figures.terminal_average == (None if lost or not apart else Fraction(moment, apart))
    return rows, far


@given(networks())
def test_all_sources_equal_the_naive_search(net):
    rows, far = assert_agrees_with_naive(net)
    assert eccentricities(net).tolist() == far
    for source in {0, net.routers - 1}:
        assert distances_from(net, source).tolist() == rows[source]


def sparse(routers, links, seed, directed):
    """A random network of several batches; some routers may be cut off."""
    ends = np.random.default_rng(seed).integers(0, routers, (links, 2))
    return from_links("r", "r", routers, ends[ends[:, 0] != ends[:, 1]], directed=directed)


@pytest.mark.parametrize(
    ("routers", "links", "directed"),
    [(255, 700, False), (256, 2000, False), (257, 2000, False), (600, 900, False), (600, 6000, True), (520, 900, True)],
)
def test_several_batches(routers, links, directed):
    net = sparse(routers, links, 7, directed)
    assert_agrees_with_naive(net)
    draw = np.random.default_rng(1)
    assert_agrees_with_naive(with_terminals(net, draw.integers(0, 3, routers), draw.integers(0, 3, routers)))


def test_a_long_ring_goes_by_pushing():
    ring = replace(build("torus:700"), orbits=None)
    figures = distance_counts(ring)
    assert figures.counts == (700, *([1400] * 349), 700)
    assert set(figures.eccentricity.tolist()) == {350}


def test_threads_do_not_change_the_answer(monkeypatch):
    net = sparse(900, 3000, 3, False)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("JUMPNET_THREADS", threads)
        figures = distance_counts(net)
        found.append((figures.counts, figures.eccentricity.tolist()))
    assert found[0] == found[1]
    monkeypatch.setenv("JUMPNET_THREADS", "none")
    with pytest.raises(JumpnetError, match="JUMPNET_THREADS"):
        distance_counts(net)


@each_of(SAMPLES)
def test_one_search_per_orbit_equals_all_sources(spec):
    net = build(spec)
    by_orbit, every = distance_counts(net), distance_counts(replace(net, orbits=None))
    assert by_orbit.counts == every.counts
    assert by_orbit.terminal_counts == every.terminal_counts
    assert by_orbit.terminal_pairs == every.terminal_pairs
    assert each_eccentricity(by_orbit) == each_eccentricity(every)
    if net.orbits is not None:
        assert by_orbit.searched.size == net.orbits.size.size


@pytest.fixture
def together(monkeypatch):
    """Every search is the bit-parallel one."""
    monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(module, "SEARCHES_A_BATCH", 0)
    monkeypatch.setattr(module, "_search_each", None)


def assert_same_figures(one, other):
    for key in ("counts", "terminal_counts", "terminal_pairs", "sources"):
        assert getattr(one, key) == getattr(other, key)
    for key in ("searched", "stands_for", "eccentricity"):
        assert getattr(one, key).tolist() == getattr(other, key).tolist()


@pytest.mark.parametrize("spec", SAMPLES)
def test_orbits_searched_together_equal_one_search_each(spec, request):
    net = build(spec)
    each = distance_counts(net)
    request.getfixturevalue("together")
    assert_same_figures(distance_counts(net), each)


@pytest.mark.parametrize(("links", "directed"), [(2000, False), (900, False), (6000, True), (900, True)])
def test_chosen_sources_together_equal_one_search_each(links, directed, request):
    net, draw = sparse(600, links, 7, directed), np.random.default_rng(1)
    sources = draw.permutation(600)[:290]
    ends = with_terminals(net, draw.integers(0, 3, 600), draw.integers(0, 3, 600))
    each = distance_counts(net, sources), distance_counts(ends, sources)
    request.getfixturevalue("together")
    for made, expected in zip((net, ends), each, strict=True):
        assert_same_figures(distance_counts(made, sources), expected)


def test_many_orbits_are_searched_together_where_memory_takes_it(monkeypatch):
    net = build("debruijn:2,n=12")
    assert net.orbits is not None and net.orbits.size.size > net.routers // 4
    told = []
    figures = distance_counts(net, progress=lambda done, total: told.append((done, total)))
    batches = sum(-(-np.count_nonzero(net.orbits.size == size) // 256) for size in set(net.orbits.size.tolist()))
    assert sorted(told) == [(k, batches) for k in range(1, batches + 1)] and batches < 10
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", str(module.search_bytes(net.routers, net.ports, 1056)))
    told.clear()
    assert_same_figures(distance_counts(net, progress=lambda done, total: told.append((done, total))), figures)
    assert max(told) == (1056, 1056)


def test_orbits_of_too_many_sizes_are_not_searched_by_orbit(monkeypatch):
    """Each size is a batch of its own: 60 rings of 1 to 60 routers are less work as 1830 sources."""
    sizes = np.arange(1, 61)
    first = sizes.cumsum() - sizes
    rings = [(f + k, f + (k + 1) % n) for n, f in zip(sizes, first, strict=True) if n > 2 for k in range(n)]
    net = from_links("rings", "rings", int(sizes.sum()), np.array(rings, np.int64))
    by_orbit = replace(net, orbits=Orbits(first, sizes))
    assert distance_counts(by_orbit).searched.size == 60
    monkeypatch.setattr(module, "SMALL", 0)
    assert distance_counts(by_orbit).searched.size == net.routers
    assert distance_counts(by_orbit).counts == distance_counts(net).counts


@pytest.mark.parametrize("spec", [s for s in SAMPLES if family(s).implicit() is not None])
def test_implicit_networks_equal_their_tables(spec):
    net, implicit = build(spec), family(spec).implicit()
    table, given = distance_counts(net), distance_counts(implicit)
    assert given.counts == table.counts
    assert given.terminal_counts == table.terminal_counts
    assert each_eccentricity(given) == each_eccentricity(table)
    assert distances_from(implicit, net.routers - 1).tolist() == distances_from(net, net.routers - 1).tolist()


def _arrows(params, router, out):
    """A one-way circulant: r to r + 1 and r + params[1], modulo params[0]."""
    out[0] = (router + 1) % params[0]
    out[1] = (router + params[1]) % params[0]
    return 2


def test_an_implicit_network_without_orbits_is_tabulated():
    implicit = Implicit(300, 2, _arrows, np.array([300, 17], np.int64), None, directed=True)
    ends = [(r, (r + step) % 300) for r in range(300) for step in (1, 17)]
    net = from_links("c", "c", 300, np.array(ends, np.int64), directed=True)
    assert distance_counts(implicit).counts == distance_counts(net).counts
    assert distances_from(implicit, 5).tolist() == naive.all_distances(net)[5]


def test_chosen_sources_only():
    net = build("rdt:16")
    rows = naive.all_distances(net)
    figures = distance_counts(net, np.array([3, 200]))
    both = Counter(rows[3] + rows[200])
    assert figures.counts == tuple(both[d] for d in range(max(both) + 1))
    assert figures.average == Fraction(sum(rows[3]) + sum(rows[200]), 2 * 255)
    assert figures.eccentricity.tolist() == [max(rows[3]), max(rows[200])]
    with pytest.raises(JumpnetError, match="routers 0 to 255"):
        distance_counts(net, np.array([256]))
    with pytest.raises(JumpnetError, match="0 to 255"):
        distances_from(net, -1)


PLAIN = """
import numpy as np
from dataclasses import replace
from jumpnet.jit.decorator import DISABLED
from jumpnet.graph.distances import distance_counts
from jumpnet.topology import build, family
assert DISABLED
net = build("rdt:8")
for made in (net, replace(net, orbits=None), family("rdt:8").implicit(), build("fly:2,n=3"),
             replace(build("torus:270"), orbits=None)):
    figures = distance_counts(made)
    print(figures.counts, figures.terminal_counts, sorted(set(figures.eccentricity.tolist())))
"""


def test_plain_python_gives_the_same_answers():
    def answer(disabled):
        program = PLAIN if disabled else PLAIN.replace("assert DISABLED", "assert not DISABLED")
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if disabled else "0"}
        return subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert answer(True) == answer(False)


@settings(max_examples=10)
@given(st.integers(1, 6), st.integers(2, 6))
def test_hypercube_and_torus_by_formula(dimensions, side):
    cube = distance_counts(build(f"hypercube:{dimensions}"))
    assert cube.average_with_self == Fraction(dimensions, 2)
    assert distance_counts(build(f"torus:{side}x{side}")).diameter == 2 * (side // 2)
