"""Two phases with an order of the dimensions that a packet keeps or changes: four ways to the same graph, and numbers.

Relations on HyperX are drawn: which order each phase goes by, its virtual channels, what order a packet goes on in, and
which candidates are escapes. All ways by any router and order are also followed packet by packet.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, ESCAPES, STATES
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.escapes import numbers_in_phases
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.graph import dependencies_by_dimension
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import dependencies_by_translation
from jumpnet.routings import DESTINATION, INTERMEDIATE, STATE, BoundRouting, Prepared, Routing, bind
from jumpnet.routings.classes import put
from jumpnet.routings.hyperx._steps import ordered_port
from jumpnet.topology import build

COUNTED = [STATES, ADAPTIVE, CHOICES, ESCAPES]
SPECS = ["hyperx:3x3", "hyperx:4x2", "hyperx:2x3x2", "flatfly:2,n=3"]


def _by_any(net, head, draw, queue):
    head[STATE], head[INTERMEDIATE] = 2 * (draw % 2), draw // 2


def _tabled(net, here, head, out):
    phase, order, count = head[STATE] & 1, head[STATE] >> 1, 0
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    row = net.table[2 * order + phase]
    port = ordered_port(net, here, head[DESTINATION] if phase == 1 else head[INTERMEDIATE], row[0])
    if port < 0:
        return 0
    for c in range(row[1]):
        count = put(out, count, port, row[2 + 3 * c], phase + 2 * row[3 + 3 * c], row[4 + 3 * c])
    return count


def drawn(seed: int) -> BoundRouting:
    """A routing in two phases; most have an escape in each state, many of them on a channel of its own."""
    draw = random.Random(seed)
    escapes, tidy, table = draw.random() < 0.7, draw.random() < 0.7, np.zeros((4, 20), np.int16)
    vcs = draw.randint(5, 6) if tidy else draw.randint(1, 4)
    for state in range(4):
        order = state // 2
        own = state if tidy else draw.randrange(vcs)
        others = [own, *range(4, vcs)] if tidy and draw.random() < 0.9 else list(range(vcs))
        some = [own, *draw.sample(others, draw.randint(0, min(2, len(others) - 1)))]
        after = [order if draw.random() < 0.8 else draw.choice([0, 1, 1]) for _ in some]
        rows = [(vc, to, int(escapes and k == 0)) for k, (vc, to) in enumerate(zip(some, after, strict=True))]
        table[state, : 2 + 3 * len(rows)] = [draw.choice([0, 1]), len(rows), *np.ravel(rows)]
    made = Prepared(np.zeros(0, np.int64), table)
    return Routing(
        "test.orders", _tabled, vcs, start=_by_any, draws=lambda net, options: 2 * net.routers,
        prepare=lambda net, options: made, two_phases="some", orders=2,
    ).bind(build(draw.choice(SPECS)))  # fmt: skip


def _same(one, other) -> bool:
    return all((a == b).all() for a, b in zip(one[:3], other[:3], strict=True))


def _phases_apart(bound: BoundRouting):
    sinks = np.arange(bound.network.routers, dtype=np.int32)
    job = job_of(bound)
    walked = SharedWalks(bound, job, sinks, 1, lambda done, total: None).phases(0)
    return walked, dependencies_by_dimension(bound, job, True), dependencies_by_translation(bound, job, True)


def check(bound: BoundRouting) -> tuple[bool, bool]:
    """Whether escapes have an order by classes, and one at all."""
    every = dependencies(bound, 1, apart=False)
    walked, cases, moved = _phases_apart(bound)
    assert walked is not None and cases is not None and moved is not None
    assert _same(walked, cases) and _same(walked, moved) and (walked[3] == cases[3])[COUNTED].all()
    assert _same(walked, (every.bits, every.used, every.escape))
    number = numbers_in_phases(bound) if every.has_escape else None
    extended = extended_dependencies(every) if every.has_escape else None
    ordered = extended is not None and extended.without_escape is None
    ordered = ordered and extended.order(len(every.used)).number is not None
    if number is not None:
        assert extended is not None and accepts(np.where(every.escape != 0, number, -1), *extended.pairs)
    assert ordered or number is None
    return number is not None, ordered


def test_drawn_orders_have_one_graph_by_all_ways_and_numbers_that_ascend(monkeypatch):
    monkeypatch.setattr(BoundRouting, "own", False)
    found = [check(drawn(seed)) for seed in range(24)]
    assert found.count((True, True)) >= 2 and (False, False) in found


@pytest.mark.parametrize("vcs", [2, 4, 5, 6])
@pytest.mark.parametrize("spec", ["hyperx:3x3", "flatfly:2,n=3"])
def test_ugal_in_drawn_orders_takes_some_of_all_ways(spec, vcs):
    bound = bind("hyperx.ugal_o1turn_booksim", build(spec), vcs)
    every = dependencies(bound, 1, apart=False)
    walked, cases, moved = _phases_apart(bound)
    assert walked is not None and cases is not None and moved is not None and _same(walked, cases)
    assert _same(walked, moved)
    assert all((a & ~b == 0).all() for a, b in zip((every.bits, every.used, every.escape), walked[:3], strict=True))
    assert (numbers_in_phases(bound) is not None) == (vcs == 6)
    assert (numbering(*every.rows) is not None) == (vcs == 4)


def test_a_turn_that_is_flipped_is_found(monkeypatch):
    """Phases that share channels, in one order and in both."""
    monkeypatch.setattr(BoundRouting, "own", False)
    monkeypatch.setattr(dependency_module, "MANY_WALKS", 0)
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    for flipped in (0, 1):
        table = np.zeros((4, 20), np.int16)
        for state in range(4):
            table[state, :5] = [flipped and state // 2, 1, state % 2, state // 2, 0]
        made = Prepared(np.zeros(0, np.int64), table)
        routing = Routing(
            "test.orders", _tabled, 2, start=_by_any, draws=lambda net, options: 2 * net.routers,
            prepare=lambda net, options, made=made: made, two_phases="some", orders=2,
        )  # fmt: skip
        bound = routing.bind(build("hyperx:3x3"))
        assert prove(bound, 1, made=dependencies(bound, 1, apart=False)).verdict == ("deadlock" if flipped else "free")
        proof = prove(bound, 1)
        assert proof.verdict == ("deadlock" if flipped else "free") and (flipped or proof.by == "dimensions")
