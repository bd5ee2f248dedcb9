"""Proofs for all sizes whose order tells channels apart by where they begin, or whose packets start in several states.

Every packet that is followed on networks of other sizes is in a state, does what that says, and depends on what the
kinds of channels say; where packets can deadlock, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from jumpnet.analysis.deadlock.all_sizes.argument import RINGS, _flow, prove_all_sizes
from jumpnet.analysis.deadlock.all_sizes.conditions import OrderForAllSizes, hold_against, ordered
from jumpnet.analysis.deadlock.all_sizes.hooks import prepared_on_all_sizes, starts_on_all_sizes
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import Key
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import Flow, State, flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Edge, Move
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import ANYWHERE, ARRIVED, Odd, Region, Regions
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.networks import Network
from jumpnet.own.trial import rebuilt
from jumpnet.routings import Prepared, Routing, bind
from jumpnet.routings.classes import put
from jumpnet.routings.mesh._steps import toward
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, INTERMEDIATE, SOURCE, STATE, new_head, new_out
from jumpnet.topology import build

MESHES = [f"mesh:{a}x{b}" for a, b in product(range(2, 7), range(2, 6))]
LINES = [f"torus:{k}" for k in range(3, 18)]
FREE = [
    ("mesh:4x4", "mesh.o1turn", 2, MESHES),
    ("mesh:3x3x3", "mesh.o1turn", 4, ["mesh:4x2x3", "mesh:2x5x3"]),
    ("mesh:4x4", "mesh.o1turn_adaptive", 2, MESHES),
    ("mesh:4x4", "mesh.min_adapt_booksim", 3, MESHES),
    ("mesh:4x4", "mesh.min_adapt_booksim:asks=beside", 2, MESHES),
    ("mesh:4x4", "mesh.odd_even", 1, MESHES),
    ("mesh:5x5", "mesh.odd_even", 2, MESHES[::3]),
    ("torus:5", "torus.booksim", 2, LINES),
    ("torus:4", "torus.booksim:middle=shared", 3, LINES),
    ("torus:3x3x3", "torus.booksim", 2, ["torus:3x4x5", "torus:7x3x4", "torus:4x3x8"]),
    ("torus:4", "torus.balanced_booksim", 2, LINES),
    ("torus:4", "torus.balanced_booksim:middle=shared", 3, LINES),
    ("torus:4", "torus.min_adapt_booksim", 4, LINES),
    ("torus:5", "torus.min_adapt_booksim:asks=beside", 2, LINES),
]
OPEN = [
    ("mesh:4x4", "mesh.o1turn", 1),
    ("mesh:4x4", "mesh.o1turn_adaptive", 1),
    ("torus:4", "torus.booksim", 1),
    ("torus:4", "torus.min_adapt_booksim", 1),
]


@pytest.mark.parametrize(("spec", "name", "vcs", "others"), FREE)
def test_free_at_all_sizes_as_at_each(spec: str, name: str, vcs: int, others: list[str]) -> None:
    bound = bind(name, build(spec), vcs)
    proof = prove_all_sizes(bound)
    assert proof.verdict == "free" and proof.arrives and len(proof.checked) >= 4
    found = OrderForAllSizes(proof.method, proof.order, condition=proof.condition)
    for other in others:
        hold_against(bound, found, build(other))
        assert prove(bind(name, build(other), vcs)).verdict == "free"


def test_free_on_tori_of_two_dimensions() -> None:
    bound = bind("torus.booksim", build("torus:3x3"))
    proof = prove_all_sizes(bound)
    assert proof.deadlock_free and len(proof.order) == 16
    assert proof.rules()[2] == "dimension 0 + vc 1 where coordinate 0 is in the upper half, by coordinate 0 rising"
    for other in ("torus:7x4", "torus:8x3", "torus:3x9", "torus:4x10"):
        assert other not in proof.checked
        hold_against(bound, OrderForAllSizes(proof.method, proof.order), build(other))


@pytest.mark.parametrize(("spec", "name", "vcs"), OPEN)
def test_with_too_few_channels_there_is_no_order_and_a_deadlock(spec: str, name: str, vcs: int) -> None:
    bound = bind(name, build(spec), vcs)
    assert prove_all_sizes(bound).verdict == "unproved"
    assert prove(bind(name, build(spec.replace("torus:4", "torus:6")), vcs)).verdict == "deadlock"


def _is_in(part: Region, x: int, t: int, k: int) -> bool:
    facts = all(f.here * x + f.target * t + f.side * k + f.rest >= 0 for f in part.facts)
    return facts and all(odd in (None, at % 2) for odd, at in zip(part.odd, (x, t, k), strict=True))


def _possible(flow: Flow, net: Network, here: int, target: int) -> Iterator[tuple[int, ...]]:
    """Regions of a packet, by number and as far as they may be left open."""
    each = []
    for d, k in enumerate(net.params.tolist()):
        x, t = int(net.coord[here, d]), int(net.coord[target, d])
        inside = [i for i, part in enumerate(flow.regions[d].parts) if _is_in(part, x, t, k)]
        assert len(inside) == 1
        each.append([*inside, ANYWHERE] + [ARRIVED] * (x == t))
    yield from product(*each)


def _packets(bound: Any) -> Iterator[tuple[int, int, tuple[int, int, int], list[list[int]]]]:
    """Router, target, key and candidates of every state of every packet, as Python follows them."""
    net, relation, by_channel = bound.network, rebuilt(bound.routing.relation), IN_PORT in bound.fields
    start, chance = bound.routing.start, np.random.default_rng(2)
    for source, target in product(range(net.routers), repeat=2):
        todo = []
        for draw in range(bound.draws):
            head = new_head(source, target)
            head[SOURCE] = source
            if start is not None:
                rebuilt(start)(bound.view, head, draw, chance.integers(0, 3, net.ports))
            todo.append((source, (int(head[STATE]), -1, -1)))
        seen = set()
        while todo and source != target:
            here, key = item = todo.pop()
            if item in seen:
                continue
            seen.add(item)
            head, out = new_head(source, target), new_out()
            head[DESTINATION] = target
            head[[STATE, IN_PORT, IN_VC]] = key
            rows = out[: relation(bound.view, here, head, out)].tolist()
            yield here, target, key, rows
            for port, vc, state, _ in rows:
                far = int(net.neighbor[here, port])
                todo.append((far, (state, *((port ^ 1, vc) if by_channel else (-1, -1)))))


@pytest.mark.parametrize(
    ("name", "vcs", "specs"),
    [
        ("mesh.o1turn_adaptive", 2, ["mesh:4x3"]),
        ("mesh.odd_even", 1, ["mesh:5x4", "mesh:4x5"]),
        ("torus.booksim", 2, ["torus:8", "torus:7"]),
        ("torus.min_adapt_booksim", 4, ["torus:8", "torus:7"]),
    ],
)
def test_every_packet_that_is_followed_is_in_a_state(name: str, vcs: int, specs: list[str]) -> None:
    bound = bind(name, build(specs[0]), vcs)
    flow = _flow(bound, [RINGS[bound.network.family]] * len(bound.network.params))
    placed = flow.by_place() or flow
    kinds, edges = placed.channels(), placed.dependencies()
    for spec in specs:
        small, held = bind(name, build(spec), vcs), {}
        net = small.network

        def kind(here: int, port: int, vc: int, net: Network = net) -> tuple[Any, ...]:
            sides = [(int(net.coord[here, d]), int(k)) for d, k in enumerate(net.params)]
            mine = [k for k in kinds if k[:2] == (port, vc) and all(t.holds(*sides[t.dimension]) for t in k[2:])]
            assert len(mine) == 1
            return mine[0]

        for here, target, key, rows in _packets(small):
            named = Key(*key) if IN_PORT in small.fields else Key(key[0])
            states = [State(named, at) for at in _possible(flow, net, here, target)]
            asked = [[tuple(one) for one in flow.asked[state]] for state in states if state in flow.asked]
            assert [tuple(row) for row in rows] in asked or (not rows and here == target)
            for port, vc, state, _ in rows:
                after = (state, *((port ^ 1, vc) if IN_PORT in small.fields else (-1, -1)))
                held.setdefault((int(net.neighbor[here, port]), target, after), set()).add((here, port, vc))
        for here, target, key, rows in _packets(small):
            for before, port, vc in held.get((here, target, key), ()):
                d = port // 2
                move = Move(d, bool(net.coord[here, d] > net.coord[before, d]))
                for after in rows:
                    assert Edge(kind(before, port, vc), kind(here, *after[:2]), frozenset({move})) in edges
        assert held


def _odd_even(east: int, west: int, last: int):
    """The turns of `mesh.odd_even`, with others in the columns that `east` and `west` say; last 0: its last rule."""

    def relation(net, here, head, out):
        destination = head[DESTINATION]
        x, y = toward(net, here, destination, 0), toward(net, here, destination, 1)
        odd, count = net.coord[here, 0] & 1, 0
        if y >= 0 and (x < 0 or (x == 0 and (odd == east or head[IN_PORT] != 1)) or (x == 1 and odd == west)):
            count = put(out, count, y, 0, 0, 0)
        one = net.coord[destination, 0] - net.coord[here, 0] == 1
        if x == 1 or (x == 0 and (y < 0 or last == 1 or net.coord[destination, 0] & 1 == 1 or not one)):
            count = put(out, count, x, 0, 0, 0)
        return count

    return relation


@pytest.mark.parametrize(
    ("east", "west", "last", "free"),
    [(1, 0, 0, True), (0, 0, 1, False), (1, 1, 0, False), (1, 0, 1, False)],
)
def test_other_turns_in_odd_columns_have_no_order(east: int, west: int, last: int, free: bool) -> None:
    """Nor are they free where packets are followed."""
    turns = Routing(name="test.odd_even", relation=_odd_even(east, west, last), adaptive=True)
    bound = turns.bind(build("mesh:6x6"))
    found = ordered(flow_of(Run(bound, None), [RINGS["mesh"]] * 2, (0,), by_channel=True), 2, bubble=False)
    assert bool(found.order) is free is (prove(bound).verdict == "free")


def _asks_in_between(net, here, head, out):
    """Dimension order from the last dimension; on the way it asks besides whether the column is odd."""
    y, x = toward(net, here, head[DESTINATION], 1), toward(net, here, head[DESTINATION], 0)
    if y < 0 and x < 0:
        return 0
    odd = head[IN_PORT] >= 0 and net.coord[here, 0] & 1 == 1
    return put(out, 0, y if y >= 0 else x, 0, int(odd), 0)


def test_channels_are_told_apart_by_what_is_known_of_all_alike() -> None:
    """At their sources nothing is known of these packets' columns."""
    bound = Routing(name="test.asks", relation=_asks_in_between).bind(build("mesh:4x4"))
    flow = flow_of(Run(bound, None), [RINGS["mesh"]] * 2, (0,), by_channel=True)
    assert any(one.odd[0] is not None for one in flow.regions[0].parts) and flow.by_place() is None


def _hooks(prepare=None, start=None, draws=lambda net, options: 2):
    def relation(net, here, head, out):
        out[0, 0] = out[0, 1] = out[0, 2] = out[0, 3] = 0
        return 0 if here == head[DESTINATION] else 1

    return Routing(name="test.hooks", relation=relation, prepare=prepare, start=start, draws=draws).bind(
        build("torus:5")
    )


@pytest.mark.parametrize(
    ("own", "same"),
    [
        (lambda net: 7, True),
        (lambda net: net.coord.shape[1], True),
        (lambda net: int(net.params[0] > 2), True),
        (lambda net: int(net.params[0] > 4), False),
        (lambda net: int(net.params[0] % 2), False),
        (lambda net: net.params[0], False),
        (lambda net: net.neighbor[0, 0], False),
    ],
)
def test_what_is_prepared_counts_where_it_is_the_same_on_all_sizes(own, same: bool) -> None:
    bound = _hooks(prepare=lambda net, options: Prepared(own=np.array([own(net)])))
    found = prepared_on_all_sizes(bound, [RINGS["torus"]])
    assert (found is not None) is same and (found is None or np.array_equal(found, bound.view.own))


def _by_draw(net, head, draw, queue):
    head[STATE] = draw


def _by_side(net, head, draw, queue):
    head[STATE] = net.params[0]


def test_hops_round_an_end_keep_what_is_known_of_remainders() -> None:
    """On odd sides the first and the last are both even."""
    regions = Regions.of(RINGS["torus"])
    for of in (0, 1, 2):
        regions = regions.refined(Odd(of))
    for k in range(3, 7):
        at = {tuple(part.odd): i for i, part in enumerate(regions.parts)}
        for x, t, step in product(range(k), range(k), (1, -1)):
            after = (x + step) % k
            hops = regions.hops(at[x % 2, t % 2, k % 2], step == 1)
            assert (at[after % 2, t % 2, k % 2], after > x) in hops


def _by_way(net, head, draw, queue):
    head[STATE] = draw
    head[INTERMEDIATE] = draw


def _by_the_first(net, head, draw, queue):
    if draw == 1 and net.params[0] > 9:
        head[STATE] = 1
        head[INTERMEDIATE] = 0


def test_packets_start_in_all_states_that_they_may_on_any_size() -> None:
    ring = [RINGS["torus"]]
    for spec in ("torus:4", "torus:5"):  # no ties on odd sides, so one draw
        assert starts_on_all_sizes(bind("torus.booksim", build(spec)), ring) == {0, 1}
    assert starts_on_all_sizes(_hooks(start=_by_draw), ring) == {0, 1}
    for draws in (lambda net, options: net.params[0], lambda net, options: 65, lambda net, options: net.routers):
        with pytest.raises(Unfit, match="on other sizes"):
            starts_on_all_sizes(_hooks(start=_by_draw, draws=draws), ring)
    for start in (_by_side, _by_way, _by_the_first):  # the sides are asked about; it leads by way of a router
        with pytest.raises(Unfit, match="on other sizes"):
            starts_on_all_sizes(_hooks(start=start), ring)
