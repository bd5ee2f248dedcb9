"""Drawn relations on grids: proofs by dimension and by translation, and numbers by kinds, against the walks.

A relation is one function that reads tables: its rows depend on the way to go in a dimension, on where a packet is,
STATE and the channel of arrival. Sides of two, unequal ones, and networks with links that are no grid's are among them.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies
from jumpnet.analysis.deadlock.cycles.checker import accepts_bits
from jumpnet.analysis.deadlock.cycles.numbers_by_class import numbers_by_class, numbers_by_port
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.ways_to_graph.dimensions import states as states_module
from jumpnet.jit.linked import kernel
from jumpnet.routings import DESTINATION, IN_PORT, IN_VC, STATE, BoundRouting, Prepared, Routing
from jumpnet.topology import build

ARRIVALS, STATES = 20, 3
WAYS, PLACES = 4, 2
"""At the target's coordinate, up, as far both ways, down; and below or from a drawn coordinate on."""
ESCAPES = [0, 2]
"""Kinds of candidates on the second virtual channel, where those on the first are all escapes."""
ROWS = WAYS * PLACES * STATES * ARRIVALS


@kernel
def _candidates(net, here, head, out, came):
    """Rows of one dimension after the other, from the first or from the last on, until one says that it is enough."""
    state, last, count = head[STATE], net.coord.shape[1] - 1, 0
    for i in range(last + 1):
        d = last - i if net.own[4 + state] == 1 else i
        at, to, k = net.coord[here, d], net.coord[head[DESTINATION], d], net.own[10 + d]
        ahead = (to - at) % k
        way = (to > at) * 1 + (to < at) * 3
        if net.own[0] == 1:
            way = (ahead != 0) * 1 + (2 * ahead >= k) * 1 + (2 * ahead > k) * 1
        place = ((d * WAYS + way) * PLACES + (at >= net.own[20 + d]) * 1) * STATES + state
        row = net.table[place * ARRIVALS + came]
        for c in range(row[1]):
            for field in range(4):
                out[count, field] = row[2 + 4 * c + field]
            count += 1
        if row[0] == 1:
            return count
    return count


def _whatever_the_way_in(net, here, head, out):
    return _candidates(net, here, head, out, 0)


def _by_arrival(net, here, head, out):
    return _candidates(net, here, head, out, (head[IN_PORT] + 1) * net.vcs + max(head[IN_VC], 0))


def _row(draw: random.Random, ways: list[int], vcs: int, state: int, stop: float, kinds: list[int]) -> list[int]:
    """(stop, number of candidates, these) for ports that lead nearer."""
    ports = draw.sample(ways, draw.randint(1, len(ways))) if ways else []
    ports += ports if len(ports) == 1 and kinds == ESCAPES and vcs > 1 else []
    vc = (
        [0 if i == 0 else vcs - 1 for i in range(len(ports))]
        if kinds == ESCAPES
        else draw.choices(range(vcs), k=len(ports))
    )
    kind = [draw.choice(kinds if kinds != ESCAPES or v else [1, 3]) for v in vc]
    rows = [(p, v, draw.randrange(state, STATES), k) for p, v, k in zip(ports, vc, kind, strict=True)]
    return [int(bool(rows) and draw.random() < stop), len(rows), *np.ravel(rows).astype(int).tolist()]


def drawn(seed: int) -> BoundRouting:
    """A routing on a small grid, all of whose hops lead nearer."""
    draw = random.Random(seed)
    specs = ["torus:4x3", "torus:2x5", "torus:3x2x2", "torus:6", "mesh:4x3", "mesh:2x5", "mesh:2x3x2", "cmesh:4x4"]
    net, vcs = build(draw.choice(specs)), draw.randint(1, 2)
    sides = (net.coord.max(axis=0) + 1).tolist()
    torus, arrives, vary = int(net.family == "torus"), draw.random() < 0.5, draw.choice([0.1, 0.5])
    own, table = np.zeros(32, np.int64), np.zeros((len(sides) * ROWS, 10), np.int16)
    own[0], own[4 : 4 + STATES] = torus, [draw.random() < 0.4 for _ in range(STATES)]
    own[10 : 10 + len(sides)], own[20 : 20 + len(sides)] = sides, [draw.randint(0, k) for k in sides]
    stop, kinds = draw.choice([1, 0.7, 0]), draw.choice([[0], [0, 1], [0, 2, 3], ESCAPES, ESCAPES])
    alike: dict[tuple[int, ...], list[int]] = {}
    for i, (d, way, place, state, _) in enumerate(np.ndindex(len(sides), WAYS, PLACES, STATES, ARRIVALS)):
        up, down = 2 * d, 2 * d if torus and sides[d] == 2 else 2 * d + 1
        ways: list[int] = [[], [up], sorted({up, down}), [down]][way]
        kind = (d, way, place, state)
        if kind not in alike or draw.random() < vary:
            alike[kind] = _row(draw, ways, vcs, state, stop, kinds)
        row = alike[kind]
        table[i, : len(row)] = row
    made, relation = Prepared(own, table), _by_arrival if arrives else _whatever_the_way_in
    return Routing("test.drawn", relation, vcs, prepare=lambda net, options: made, adaptive=True).bind(net)


def _all_of(made):
    flags = (made.adaptive, made.choices, made.has_escape, made.states)
    return made.bits.tolist(), made.used.tolist(), made.escape.tolist(), flags


@pytest.fixture(scope="module")
def walked():
    """What the walks say of each drawn routing, found once for all cases below: twenty of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoundRouting, "own", False)
        patch.setattr(dependency_module, "GRID_ROUTERS", 1 << 30)
        return [(bound, _said(dependencies(bound, 1))) for bound in map(drawn, range(20))]


@pytest.mark.parametrize(("at_once", "many"), [(256, 20), (8, 10), (0, 10)])
def test_drawn_relations_by_dimension_are_walked_alike(at_once, many, walked, monkeypatch):
    """Whether cases are kept for all pairs, for those of few cases, or never: the last two of half as many."""
    monkeypatch.setattr(BoundRouting, "own", False)
    monkeypatch.setattr(states_module, "MOST_AT_ONCE", at_once)
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    by, escapes = Counter[str](), 0
    for seed, (bound, by_walks) in enumerate(walked[:many]):
        made = dependencies(bound, 1)
        by[made.by] += 1
        said = _said(made)
        assert said == by_walks, seed
        escapes += said[-1] is not None and len(said[-1][0]) > 0
    assert by["dimensions"] > 0.75 * many and escapes > 0.15 * many


def _said(made):
    """All that is known of dependencies: the graph, what is marked, and the same between escapes, where there are."""
    marked, among = marked_dependencies(made), escape_dependencies(made)
    return _all_of(made), _rows(marked), marked.unmarked.tolist(), None if among is None else _listed(among)


def _rows(marked):
    return set(zip(marked.holder.tolist(), marked.wanted.tolist(), marked.enters.tolist(), strict=True))


def _listed(among):
    """Dependencies between escapes, and what else is known of these."""
    marked, escape = among
    return _rows(marked), marked.unmarked[escape].tolist(), escape.tolist()


def _differences(net, here, head, out):
    """A row for how far a packet has to go in a dimension and its STATE; where the row says so, one of two by where."""
    count, state = 0, head[STATE]
    for d in range(net.coord.shape[1]):
        ahead = (net.coord[head[DESTINATION], d] - net.coord[here, d]) % net.params[d]
        if ahead != 0:
            place = 2 * ((d * 6 + ahead) * STATES + state)
            row = net.table[place]
            if row[2] == 1:
                row = net.table[place + net.coord[here, d] % 2]
            for field in range(4):
                out[count, field] = row[3 + field]
            count += 1
            if row[0] == 1:
                return count
    return count


def drawn_differences(seed: int) -> BoundRouting:
    """A routing that reads differences alone, or in few of its rows a coordinate too."""
    draw = random.Random(seed)
    net, vcs = build(draw.choice(["hyperx:3x4", "hyperx:4x2", "torus:5x3", "hyperx:3x2x2"])), 2
    odd, stop, first = draw.choice([0, 0, 0.1]), draw.choice([1, 0.5]), 0
    table = np.zeros((len(net.params) * 6 * STATES * 2, 7), np.int16)
    for d, k in enumerate(net.params.tolist()):
        for ahead in range(1, k):
            port = first + ahead - 1 if net.family == "hyperx" else 2 * d + (2 * ahead > k)
            for state in range(STATES):
                where, ends = draw.random() < odd, draw.random() < stop
                for x in range(2):
                    after = [port, draw.randrange(vcs), draw.randrange(state, STATES), 0]
                    table[2 * ((d * 6 + ahead) * STATES + state) + x] = [ends, 1, where, *after]
        first += k - 1
    made = Prepared(table=table)
    return Routing("test.differences", _differences, vcs, prepare=lambda net, options: made, adaptive=True).bind(net)


def test_drawn_relations_that_read_differences_are_walked_alike_and_numbered_by_kind(monkeypatch):
    monkeypatch.setattr(BoundRouting, "own", False)
    monkeypatch.setattr(dependency_module, "dependencies_by_dimension", lambda bound, job, phases: None)
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in range(80):
        bound = drawn_differences(seed)
        monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 1 << 30)
        walked = dependencies(bound, 1)
        monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
        made = dependencies(bound, 1)
        assert _all_of(made) == _all_of(walked), seed
        number, net = numbering(*walked.rows), bound.network
        kinds = numbers_by_class(net, bound.vcs, made.bits, made.base)
        assert kinds is None or (number is not None and accepts_bits(kinds, walked.bits, walked.base)), seed
        ports = numbers_by_port(net.ports * bound.vcs, made.bits, made.base)
        if made.by == "translation":
            assert (ports is None) == (number is None), seed
        else:
            assert ports is None or number is not None, seed
        seen[made.by, number is None] += 1
    walked = seen["walks", True] + seen["walks", False]
    assert min(seen["translation", True], seen["translation", False], walked) > 5, seen


def _past_the_end(net, here, head, out):
    """One detour from where a packet is bound for, that none takes; then on by the first dimension that is not done."""
    target, out[0, 1] = head[DESTINATION], 0
    out[0, 2] = 1
    for d in range(2):
        if net.coord[here, d] != net.coord[target, d]:
            out[0, 0] = 2 * d
            return 1
    out[0, 0], out[0, 1] = 0, 1
    return 1 - head[STATE]


def test_hops_of_packets_that_start_where_they_go_to_are_no_dependencies(monkeypatch):
    monkeypatch.setattr(BoundRouting, "own", False)
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    bound = Routing(name="test.own", relation=_past_the_end, vcs=2).bind(build("torus:4x3"))
    made = dependencies(bound)
    assert made.used.reshape(-1, 2).any(axis=0).tolist() == [True, False]
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 1 << 30)
    assert _all_of(made) == _all_of(dependencies(bound))
