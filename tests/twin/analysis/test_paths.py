"""Path figures, loads and RDT plans against their naive twins."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.naive.paths import (
    fragment,
    naive_extremes,
    naive_lengths,
    naive_loads,
    naive_route,
    naive_stretch,
    shortest_visit,
)

from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.listed import lost_between, routes_from
from jumpnet.analysis.routes.paths import adaptive_figures, path_figures, route, shortest
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.routings._rdt.vectors import steps
from jumpnet.routings.view import STATE, new_head
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

SMALL = [
    ("rdt:8", "rdt.floating"),
    ("rdt:8", "rdt.deadlock_free"),
    ("prdt:8", "prdt.vector"),
    ("rdt:8", "rdt.partitioned"),
    ("torus:4x3", "torus.valiant"),
    ("srt1d:16,variant=ls", "srt.hierarchical"),
    ("rdn:3,k=1", "rdn.recursive"),
]


@pytest.mark.parametrize(("spec", "name"), SMALL)
def test_lengths(spec, name):
    bound = bind(name, build(spec))
    counts, naive = path_figures(bound).counts, naive_lengths(bound)
    assert {k: n for k, n in enumerate(counts) if n} == dict(naive)


@pytest.mark.parametrize(
    ("spec", "name"),
    [("rdt:4", "rdt.duato"), ("prdt:8", "rdt.turn_model"), ("mesh:4x3", "mesh.duato"), ("torus:4x3", "torus.valiant"),
     ("fattree:2,n=3", "fattree.nca")],
)  # fmt: skip
def test_longest_and_expected_routes_of_choices(spec, name):
    bound = bind(name, build(spec))
    net = bound.network
    ends, sinks = np.flatnonzero(net.terminals > 0).tolist(), np.flatnonzero(net.sinks > 0).tolist()
    naive = [naive_extremes(bound, s, d) for s in ends for d in sinks if s != d]
    found = adaptive_figures(bound)
    assert found.longest == max(most for most, _ in naive)
    assert found.longest_average == Fraction(sum(most for most, _ in naive), len(naive))
    assert found.expected_average == pytest.approx(float(sum(mean for _, mean in naive) / len(naive)), rel=1e-12)


@pytest.mark.parametrize(("spec", "name"), [("rdt:8", "rdt.floating"), ("random:24,d=3,seed=2", "up_down")])
def test_the_largest_stretch(spec, name):
    bound = bind(name, build(spec))
    assert path_figures(bound).stretch_maximum == naive_stretch(bound) > 1


@pytest.mark.parametrize("traffic", ["uniform", "transpose"])
def test_loads(traffic):
    net = build("rdt:8")
    bound, sent = bind("rdt.floating", net), pattern(traffic, net)
    assert np.allclose(channel_loads(bound, sent).load, naive_loads(bound, sent), atol=1e-12)


@pytest.mark.parametrize("spec", ["fly:3,n=2", "fly:2,n=3"])
def test_loads_where_terminals_send_and_receive_at_different_routers(spec):
    net = build(spec)
    bound, sent = bind("fly.destination_tag", net), pattern("uniform", net)
    load = channel_loads(bound, sent).load
    assert np.allclose(load, naive_loads(bound, sent), atol=1e-12)
    assert load.sum() == pytest.approx(net.endpoints * (len(np.unique(net.coord[:, 0])) - 1))  # a flit of each a stage


def test_loads_of_destinations_that_do_not_receive_are_refused():
    ends = {"terminals": np.array([2, 1, 0], np.int32), "sinks": np.array([0, 1, 1], np.int32)}
    net = replace(build("mesh:3"), orbits=None, **ends)
    bound = bind("minimal", net)
    for traffic in ("uniform:self=1", "hotspot:nodes=2"):
        with pytest.raises(JumpnetError, match="destination 2 found, one of the 2 terminals that receive expected"):
            channel_loads(bound, pattern(traffic, net))
    sent = pattern("uniform", net)
    with pytest.raises(JumpnetError, match="destination 2 found"):
        channel_loads(bound, sent)


def test_symmetric_loads_are_those_of_all_sources():
    net = build("rdt:16")
    bound, sent = bind("rdt.floating", net), pattern("uniform", net)
    by_orbit = channel_loads(bound, sent)
    total = path_figures(bound)
    assert by_orbit.load.sum() == pytest.approx(float(total.average) * net.routers)


def test_routes_are_the_relation_in_plain_python():
    net = build("rdt:16")
    bound = bind("rdt.deadlock_free", net)
    for source, destination in [(0, 255), (17, 99), (200, 3)]:
        assert [(h.router, h.port, h.vc) for h in route(bound, source, destination)] == naive_route(
            bound, source, destination
        )


@pytest.mark.parametrize(("spec", "name"), [("rdt:8", "rdt.floating"), ("torus:5x3", "torus.dateline")])
def test_routes_from_one_router_are_those_of_each_pair(spec, name, monkeypatch):
    monkeypatch.setattr("jumpnet.analysis.routes.listed.USUAL_HOPS", 1)  # too few: there is no room at first
    bound = bind(name, build(spec))
    to = np.arange(bound.network.routers)[::-1]
    for source in range(0, bound.network.routers, 7):
        found = routes_from(bound, source, to)
        hops = [(k, *hop) for k, d in enumerate(to.tolist()) for hop in naive_route(bound, source, d)]
        assert list(zip(*(each.tolist() for each in found), strict=True)) == hops


def test_routes_from_one_router_that_end_nowhere_are_refused():
    bound = bind("mesh.dimension_order", build("mesh:3x3"))
    with pytest.raises(JumpnetError, match=r"^router 9 found, 0 to 8 expected in mesh:3x3$"):
        routes_from(bound, 0, np.array([3, 9]))
    assert routes_from(bound, 3, np.array([], np.int64)).of.size == 0
    short = bind("mesh.dimension_order", build("mesh:9x1"))
    assert [lost_between(short, np.array([0]), np.arange(9), most) for most in (9, 8, 3)] == [0, 1, 6]
    assert [lost_between(short, np.arange(9), np.arange(9), most) for most in (9, 8, 3)] == [0, 2, 42]


def _vector(bound, source, destination):
    head = new_head(source, destination)
    bound.routing.start(bound.view, head, 0, np.zeros(bound.network.ports, np.int64))
    top = int(bound.network.params[2])
    return [tuple(int(steps(bound.view, head[STATE], r, a)) for a in range(2)) for r in range(top + 1)]


def test_vectors_are_the_papers_fragment():
    for spec in ("prdt:16", "prdt:18,n=3,R=2"):
        net = build(spec)
        bound = bind("prdt.vector:ties=zero", net)
        N, n, R = (int(v) for v in net.params[:3])
        for destination in range(1, net.routers, 7):
            a, b = (c - N if 2 * c > N else c for c in (destination % N, destination // N))
            assert _vector(bound, 0, destination) == fragment(a, b, n, R)


@pytest.mark.parametrize(
    ("name", "down"), [("rdt.floating:ties=zero", False), ("rdt.deadlock_free:ties=zero,moves=best", True)]
)
def test_plans_are_shortest_visits(name, down):
    net = build("rdt:16")
    bound = bind(name, net)
    masks = net.params[3 + 4 * (int(net.params[2]) + 1) :]

    def ranks_at(x, y):
        row = y // 2
        mask = int(masks[(y - 2 * row) * 4 + (x - 2 * row) % 4])
        return {r for r in range(1, 5) if mask >> r & 1}

    for source in (0, 1, 18):
        for destination in range(0, 256, 5):
            if source == destination:
                continue
            vector = _vector(bound, source, destination)
            above = sum(abs(x) + abs(y) for x, y in vector[1:])
            best = shortest_visit(ranks_at, (source % 16, source // 16), vector, down)
            assert len(route(bound, source, destination)) == above + best


def test_free_ties_give_shortest_paths_on_a_perfect_rdt():
    for spec in ("prdt:16", "prdt:32", "prdt:18,n=3,R=2"):
        bound = bind("prdt.vector", build(spec))
        assert path_figures(bound).stretch_maximum == 1
        assert shortest(bound, 0).max() == path_figures(bound).maximum
