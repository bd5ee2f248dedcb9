"""Proofs between permutations without a walk, against the walks: shipped, drawn and spoilt routings of star graphs."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.walked import assert_equal, both_ways

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.waiting.knots import may_circle
from jumpnet.analysis.deadlock.ways_to_graph.relabelling.ways import identity_of
from jumpnet.routings import DESTINATION, ESCAPE, STATE, BoundRouting, Prepared, Routing, bind
from jumpnet.routings.classes import rise_class
from jumpnet.topology import build

STATES, ROWS = 8, 8
ABOUT_PORT, READS_SYMBOL, STATE_LEADS, ESCAPES, COMES_BACK = 20, 21, 22, 23, 24
"""Places in `own`: the port asked about, if not the packet's; and what does not fit."""


@pytest.fixture
def both(monkeypatch):
    """The dependencies of a routing between permutations, and those of the walk."""
    monkeypatch.setattr(BoundRouting, "own", False)
    return lambda bound: both_ways(monkeypatch, "DIGITS_ROUTERS", bound)


@pytest.mark.parametrize("vcs", [None, 1, 2, 3, 7])
@pytest.mark.parametrize("spec", ["star:2", "star:3", "star:4", "star:5"])
def test_sorting_is_proved_as_by_the_walk(spec, vcs, both):
    made, walked = both(bind("star.sort", build(spec), vcs))
    assert made.by == "relabelling"
    assert_equal(made, walked, vcs)
    assert not may_circle(made) and not may_circle(walked)


def _sorts(net, here, head, out):
    """The first symbol goes home, else a wrong one is fetched in a drawn order; channels and STATE as a table says."""
    destination, n, state, port = head[DESTINATION], net.params[0], head[STATE], -1
    for i in range(1, n):
        if net.coord[destination, i] == net.coord[here, 0]:
            port = i - 1
    if port < 0:
        for k in range(n - 1):
            i = net.own[(n - 2 - k) if net.own[22] == 1 and state == 1 else k]
            if net.coord[destination, i] != net.coord[here, i]:
                port = i - 1
    if port < 0 and net.own[24] == 0:
        return 0
    if port < 0:
        port = 0
    about = port if net.own[20] < 0 else net.own[20]
    up = net.neighbor[here, about] > here
    place = (port * STATES + state) * 2 + (1 if up else 0)
    if net.own[21] == 1 and net.coord[here, 1] > 1:
        place = place ^ 1
    row = net.table[place]
    for c in range(row[0]):
        out[c, 0], out[c, 1], out[c, 2] = port, row[1 + 2 * c], row[2 + 2 * c]
        out[c, 3] = ESCAPE if net.own[23] == 1 and state == 2 else 0
    return row[0]


def drawn(seed: int) -> tuple[BoundRouting, bool]:
    """A routing that sorts, by classes, spoilt ones or none, and whether anything of it does not fit."""
    draw = random.Random(seed)
    net, vcs = build(draw.choice(["star:3", "star:4", "star:4", "star:5"])), draw.choice([1, 2, 3])
    sorts, spoilt = draw.random() < 0.5, draw.random() < 0.4
    vcs = 4 if sorts else vcs
    n, own, table = int(net.params[0]), np.zeros(32, np.int64), np.zeros((64 * STATES, ROWS), np.int16)
    own[: n - 1] = draw.sample(range(1, n), n - 1)
    own[ABOUT_PORT] = -1 if sorts else draw.choice([-1, draw.randrange(n - 1)])
    odd = draw.choice([0, 0, 0, READS_SYMBOL, STATE_LEADS, ESCAPES])
    own[odd] = 1 if odd else own[odd]
    for place in range((n - 1) * STATES * 2):
        many, level = draw.choice([1, 1, 2]), rise_class(place // 2 % STATES, bool(place % 2)) % STATES
        if sorts:
            rows = [(0 if spoilt and draw.random() < 0.2 else level >> 1, level)]
        else:
            rows = [(draw.randrange(vcs), draw.randrange(STATES)) for _ in range(many)]
        table[place, : 1 + 2 * len(rows)] = [len(rows), *np.ravel(rows)]
    prepared = Prepared(own, table)
    return Routing("test.drawn", _sorts, vcs, prepare=lambda net, options: prepared).bind(net), bool(odd)


def test_drawn_routings_are_proved_as_by_the_walk(both):
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in range(60):
        bound, odd = drawn(seed)
        made, walked = both(bound)
        assert_equal(made, walked, seed)
        assert odd or made.by == "relabelling", seed
        seen[made.by, numbering(*walked.rows) is None] += 1
    assert min(seen["relabelling", True], seen["relabelling", False], seen["walks", True] + seen["walks", False]) > 5, (
        seen
    )


def test_what_does_not_fit_is_walked(both):
    for place in (READS_SYMBOL, STATE_LEADS, ESCAPES):
        found = []
        for seed in range(40):
            bound, _ = drawn(seed)
            if bound.view.own[place] == 1:
                found.append(both(bound)[0].by)
        assert "walks" in found, place


def test_too_few_classes_are_a_circle_both_ways(both):
    made, walked = both(bind("star.sort", build("star:5"), 2))
    assert made.by == "relabelling" and numbering(*made.rows) is None and numbering(*walked.rows) is None


def test_an_explanation_says_how_it_was_looked_at(monkeypatch):
    monkeypatch.setattr(dependency_module, "DIGITS_ROUTERS", 0)
    assert "as those to any other take the same ports" in str(explain(prove(bind("star.sort", build("star:4")))))


def test_networks_whose_ports_exchange_no_places_are_no_permutations():
    net = build("star:4")
    assert identity_of(net) == 0
    neighbor = net.neighbor.copy()
    neighbor[[0, 1, *neighbor[[0, 1], 0]], 0] = 1, 0, neighbor[1, 0], neighbor[0, 0]  # two exchanges of port 0 undone
    assert identity_of(type("Net", (), {"coord": net.coord, "neighbor": neighbor, "routers": 24, "ports": 3})()) is None
    assert identity_of(build("torus:4x6")) is None and identity_of(build("hypercube:1")) is None
