"""The dependency kernels against the definition, and the graph algorithms against NetworkX, on random routings."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive.dependency import dependency_sets, knot_set

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.cycles._search import shortest, shortest_both_ways
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.waiting.knots import awaited_sets
from jumpnet.analysis.deadlock.walks.waits import find_knot
from jumpnet.analysis.deadlock.ways_to_graph.orbits.outlooks import equivariant_labels
from jumpnet.routings import (
    DESTINATION,
    ESCAPE,
    IN_VC,
    INTERMEDIATE,
    KIND,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    Prepared,
    Routing,
    bind,
)
from jumpnet.routings._tables import distances
from jumpnet.routings.reads import fields_read
from jumpnet.topology import build

SMALL = [
    ("torus:4x3", "torus.dateline", None),
    ("torus:4x3", "torus.dateline", 1),
    ("torus:4x4", "torus.booksim", None),
    ("torus:4x3", "torus.booksim", 3),
    ("torus:4x3", "torus.booksim:middle=shared", 3),
    ("torus:2x2,double=true", "torus.booksim", None),
    ("torus:3x3", "torus.valiant", None),
    ("torus:4x2", "torus.romm", None),
    ("torus:4x3", "torus.duato", None),
    ("mesh:4x4", "mesh.odd_even", None),
    ("mesh:3x3", "mesh.duato", 3),
    ("star:3", "star.sort", None),
    ("ccc:3", "ccc.ecube", None),
    ("kautz:2,n=3,directed=true", "kautz.shift", None),
    ("fly:2,n=3", "fly.destination_tag", None),
    ("fattree:2,n=3", "fattree.nca", None),
    ("hyperx:3x2", "hyperx.adaptive", None),
    ("dragonfly:1", "dragonfly.valiant", None),
    ("random:10,d=3,seed=2", "up_down:ports=all", None),
    ("random:10,d=3,seed=2", "lash", None),
]


def _edges(made, indptr, indices, names=None):
    net, vcs = made.bound.network, made.bound.vcs

    def triple(c):
        return int(c // (net.ports * vcs)), int(c // vcs % net.ports), int(c % vcs)

    names = np.arange(len(indptr) - 1) if names is None else names
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return {(triple(names[a]), triple(names[b])) for a, b in zip(rows, indices, strict=True)}


@pytest.mark.parametrize(("spec", "name", "vcs"), SMALL, ids=lambda v: str(v))
def test_dependencies_are_those_of_the_definition(spec, name, vcs):
    bound = bind(name, build(spec), vcs)
    made = dependencies(bound)
    used, depends = dependency_sets(bound)
    assert _edges(made, *made.rows) == depends
    assert made.channels == len(used)
    assert made.count == len(depends)


@pytest.mark.parametrize(
    ("spec", "name"),
    [("torus:3x3", "torus.ugal"), ("dragonfly:1,p=1,a=3,g=3", "dragonfly.ugal_g")],
    ids=lambda word: word,
)
def test_queues_open_both_ways_of_ugal(spec, name):
    bound = bind(name, build(spec))
    made = dependencies(bound)
    assert _edges(made, *made.rows) == dependency_sets(bound, queues=True)[1]
    assert made.count > len(dependency_sets(bound, queues=False)[1])


def test_progressive_choices_are_those_of_the_definition():
    bound = bind("dragonfly.par", build("dragonfly:1,p=1,a=3,g=3"))
    made = dependencies(bound)
    assert _edges(made, *made.rows) == dependency_sets(bound, queues=True)[1]


@pytest.mark.parametrize("vcs", [1, 2, 3])
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("rdt:16", "rdt.deadlock_free"),
        ("rdt:16", "rdt.deadlock_free:ties=zero"),
        ("rdt:16", "rdt.deadlock_free:moves=best"),
        ("rdt:16", "rdt.fixed"),
        ("rdt:16,R=2,assignment=1.2.1.2.1.2.1.2", "rdt.fixed"),  # classes that are alike, of equal ways one for all
        ("rdt:24", "rdt.deadlock_free:moves=near,ties=up"),
        ("prdt:16", "prdt.vector"),
        ("prdt:18,n=3,R=2", "prdt.vector:ties=zero"),
        ("rdt:16", "rdt.turn_model"),
        ("rdt:16", "rdt.turn_model:ties=zero"),
        ("rdt:24", "rdt.turn_model"),
        ("prdt:16", "rdt.turn_model"),
        ("prdt:12,n=3,R=1", "rdt.turn_model"),
    ],
)
def test_one_source_per_orbit_stands_for_all(spec, name, vcs):
    bound = bind(name, build(spec), vcs)
    assert equivariant_labels(bound) is not None
    quick, full = dependencies(bound), dependencies(bound, apart=False)
    assert quick.states < full.states / 10
    for part in ("bits", "used", "escape"):
        assert (getattr(quick, part) == getattr(full, part)).all()


@pytest.mark.parametrize("vcs", [1, 2, 4])
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("torus:2", "torus.valiant"),
        ("torus:3", "torus.valiant"),
        ("torus:5", "torus.valiant"),
        ("torus:4x3", "torus.valiant"),
        ("mesh:2", "mesh.valiant"),
        ("mesh:4x3", "mesh.valiant"),
        ("hypercube:3", "hypercube.valiant"),
        ("hyperx:3x3", "hyperx.valiant"),
    ],
)
def test_two_phases_apart_are_all_triples(spec, name, vcs):
    bound = bind(name, build(spec), vcs)
    quick, full = dependencies(bound), dependencies(bound, apart=False)
    assert quick.states < full.states or bound.network.routers < 4
    for part in ("bits", "used", "escape"):
        assert (getattr(quick, part) == getattr(full, part)).all()
    assert _edges(quick, *quick.rows) == dependency_sets(bound, home=vcs < bound.needed)[1]


def _more_in_the_second_phase(net, here, head, out):
    """To the middle on channel 0, from there on any other: the second phase needs more room than there is at first."""
    state = 1 if head[STATE] == 1 or here == head[INTERMEDIATE] else 0
    ahead = here ^ (head[DESTINATION] if state == 1 else head[INTERMEDIATE])
    if ahead == 0:
        return 0
    port = 0
    while (ahead >> port) & 1 == 0:
        port += 1
    count = net.vcs - 1 if state == 1 else 1
    for i in range(count):
        out[i, PORT], out[i, VC], out[i, NEXT_STATE], out[i, KIND] = port, i + state, state, 0
    return count


def _by_the_draw(net, head, draw, queue):
    head[STATE], head[INTERMEDIATE] = 0, draw


def test_states_in_two_phases_are_counted_once_whatever_the_threads(monkeypatch):
    monkeypatch.setattr("jumpnet.routings._routing.MOST_TRIPLES", 0)
    routing = Routing(
        "test.by_any", _more_in_the_second_phase, 8,
        start=_by_the_draw, draws=lambda net, options: net.routers, two_phases=True,
    )  # fmt: skip
    bound = routing.bind(build("hypercube:7"))
    for threads in (1, 2):
        made = dependencies(bound, threads)
        assert (made.phased, made.states) == (True, 2 * 128 * 128)


def _last_hop_late(net, here, head, out):
    """Any port that comes nearer on any channel; STATE is 1 behind the farthest router, which is met last."""
    ahead, count = here ^ head[DESTINATION], 0
    for port in range(net.neighbor.shape[1]):
        for vc in range(net.vcs if (ahead >> port) & 1 == 1 else 0):
            out[count, PORT], out[count, VC], out[count, KIND] = port, vc, 0
            out[count, NEXT_STATE] = 1 if ahead == (1 << net.neighbor.shape[1]) - 1 else 0
            count += 1
    return count


def test_a_search_that_was_short_of_room_once_finds_room_for_states_too():
    bound = Routing("test.late", _last_hop_late, 4, adaptive=True).bind(build("hypercube:6"))
    assert prove(bound).verdict == "deadlock"


SOME = [
    ("torus:4x3", "torus.ugal"), ("torus:5", "torus.romm"), ("mesh:4x3", "mesh.ugal"), ("mesh:3x4", "mesh.romm"),
    ("hypercube:3", "hypercube.ugal"), ("hyperx:3x3", "hyperx.ugal"), ("torus:4x4", "torus.romm"),
    ("hyperx:3x3", "hyperx.valiant_booksim"), ("flatfly:2,n=3", "hyperx.valiant_booksim"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "name"), SOME)
def test_all_ways_in_two_phases_hold_those_of_routings_that_take_some(spec, name, monkeypatch):
    bound = bind(name, build(spec))
    monkeypatch.setattr(dependency_module, "MANY_WALKS", 0)
    exact, beyond = dependencies(bound), dependencies(bound, beyond=True)
    assert (exact.whole, exact.phased) == (True, False) and (beyond.whole, beyond.phased) == (False, True)
    for part in ("bits", "used", "escape"):
        assert (getattr(exact, part) & ~getattr(beyond, part) == 0).all()
    valiant = name.partition(".")[0] + ".valiant"
    assert (beyond.bits == dependencies(bind(valiant, build(spec))).bits).all()
    proof = prove(bound)
    assert proof.deadlock_free and proof.certificate_checked and "of all ways by any router" in proof.method
    assert (proof.dependencies, exact.count < beyond.count) == (beyond.count, True)


def test_what_all_ways_cannot_prove_is_followed_exactly(monkeypatch):
    """One channel: all ways on a mesh have cycles, ROMM's on a line do not."""
    bound = bind("mesh.romm", build("mesh:5"), 1)
    monkeypatch.setattr(dependency_module, "MANY_WALKS", 0)
    assert not prove(bind("mesh.valiant", build("mesh:5"), 1)).deadlock_free
    proof = prove(bound)
    assert proof.deadlock_free and proof.method == "acyclic channel dependency graph"


@pytest.mark.parametrize(
    ("spec", "name", "vcs"),
    [
        ("torus:4x3", "minimal:ports=all", 1),
        ("mesh:3x3", "minimal:ports=all", 2),
        ("torus:4x3", "torus.duato", 2),
        ("mesh:4x4", "mesh.duato", 1),
        ("torus:4x4", "torus.dimension_order", 2),
        ("random:10,d=3,seed=2", "minimal:ports=all", 1),
        ("rdt:8", "rdt.floating", 2),
        ("rdt:8", "rdt.turn_model", 2),
        ("fattree:2,n=3", "fattree.nca", 1),
    ],
)
def test_knots_are_those_of_the_definition(spec, name, vcs):
    made = dependencies(bind(name, build(spec), vcs))
    held = made.used.copy()
    find_knot(awaited_sets(made), made.base, held)
    ports = made.bound.network.ports
    channels = np.flatnonzero(held)
    found = {(int(c // (ports * vcs)), int(c // vcs % ports), int(c % vcs)) for c in channels}
    assert found == knot_set(made.bound)


def test_thread_count_does_not_matter():
    bound = bind("torus.booksim", build("torus:13x13"))
    one, two = dependencies(bound, threads=1), dependencies(bound, threads=2)
    assert (one.bits == two.bits).all()
    assert one.states == two.states


def follow(net, here, head, out):
    """A table of port * 4 + vc for each (destination, router)."""
    if here == head[DESTINATION]:
        return 0
    word = net.table[head[DESTINATION], here]
    out[0, 0] = word >> 2
    out[0, 1] = word & 3
    out[0, 2] = 0
    out[0, 3] = 0
    return 1


def random_routing(net, seed, vcs):
    """A shortest path for every pair, one port and vc for each (destination, router), drawn at random."""
    rng = np.random.default_rng(seed)
    hops = distances(net)
    table = np.zeros(hops.shape, np.int16)
    for d in range(net.routers):
        for r in range(net.routers):
            good = [
                p for p in range(net.ports) if net.neighbor[r, p] >= 0 and hops[d, net.neighbor[r, p]] == hops[d, r] - 1
            ]
            table[d, r] = rng.choice(good) * 4 + rng.integers(vcs) if good else 0
    return Routing("test.follow", follow, vcs, prepare=lambda net, options: Prepared(table=table)).bind(net)


@given(
    seed=st.integers(0, 10**6),
    spec=st.sampled_from(["random:10,d=3,seed=1", "torus:4x3", "kautz:2,n=3,directed=true"]),
    vcs=st.integers(1, 3),
)
@settings(max_examples=25)
def test_proof_of_random_tables_agrees_with_networkx(seed, spec, vcs):
    bound = random_routing(build(spec), seed, vcs)
    used, depends = dependency_sets(bound)
    graph = nx.DiGraph(depends)
    proof = prove(bound)
    assert proof.dependencies == len(depends)
    assert proof.channels == len(used)
    assert proof.deadlock_free == nx.is_directed_acyclic_graph(graph)
    if proof.deadlock_free:
        place = proof.certificate.reshape(bound.network.routers, bound.network.ports, vcs)
        assert all(place[a] < place[b] for a, b in depends)
    else:
        assert proof.verdict == "deadlock"
        cycle = [(h.router, h.port, h.vc) for h in proof.cycle]
        assert all(pair in depends for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True))
        assert len(cycle) == min(len(c) for c in nx.simple_cycles(graph, length_bound=len(cycle)))


@given(edges=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30, unique=True))
def test_order_or_shortest_cycle(edges):
    rows = sorted(edges)
    indptr = np.searchsorted([a for a, _ in rows], np.arange(13))
    indices = np.array([b for _, b in rows], np.int32)
    order = order_or_cycle(indptr, indices)
    graph = nx.DiGraph(rows)
    graph.add_nodes_from(range(12))
    if nx.is_directed_acyclic_graph(graph):
        holder = np.array([a for a, _ in rows], int)
        assert accepts(order.number, holder, indices)
        assert sorted(order.number) == list(range(12))
    else:
        cycle = order.cycle.tolist()
        assert all(graph.has_edge(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))
        assert len(cycle) == min(map(len, nx.simple_cycles(graph)))


@pytest.mark.parametrize(("nodes", "edges", "far"), [(12, 18, 5), (60, 90, 12), (400, 700, 50)])
def test_cycles_found_both_ways_are_as_short(nodes, edges, far):
    """Edges lead ahead on a ring by less than `far`, so that cycles are long."""
    lengths = set()
    for seed in range(20):
        draw = np.random.default_rng(seed)
        held = np.sort(draw.integers(nodes, size=edges))
        wanted = ((held + draw.integers(1, far, size=edges)) % nodes).astype(np.int32)
        indptr = np.searchsorted(held, np.arange(nodes + 1))
        plain, both = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        one = shortest(indptr, wanted, np.ones(nodes, bool), plain)
        two = shortest_both_ways(indptr, wanted, np.ones(nodes, bool), np.ones(nodes, bool), both)
        assert one == two
        cycle, arrows = both[:two].tolist(), set(zip(held.tolist(), wanted.tolist(), strict=True))
        assert all(pair in arrows for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True))
        lengths.add(two)
    assert len(lengths) > 1 and max(lengths) > 4


def test_the_checker_refuses_a_wrong_certificate():
    made = dependencies(bind("torus.dateline", build("torus:5x5")))
    indptr, indices = made.rows
    holder = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    number = order_or_cycle(indptr, indices).number
    assert accepts(number, holder, indices)
    for a, b in [(holder[0], indices[0]), (holder[-1], indices[-1])]:
        wrong = number.copy()
        wrong[[a, b]] = number[[b, a]]
        assert not accepts(wrong, holder, indices)
    assert not accepts(number, holder[:-1], indices)


def _passes_on(net, here, head, out):
    return _helper(head, here)


def _helper(fields, here):
    return fields[IN_VC] + fields[ESCAPE]


def _slices(net, here, head, out):
    return head[1:3].sum()


def _looks_at_source(net, here, head, out):
    return head[SOURCE]


def test_fields_read_is_conservative():
    assert fields_read(_passes_on, 2) == {IN_VC, ESCAPE}
    assert fields_read(_looks_at_source, 2) == {SOURCE}
    assert len(fields_read(_slices, 2)) == 8
    assert len(fields_read(lambda net, here, head, out: 0, 2)) == 8
