"""Proofs for all sizes: regions, hops and answers hold every concrete packet; the order ascends at sizes not tried."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.analysis.deadlock.all_sizes.argument import RINGS, prove_all_sizes
from jumpnet.analysis.deadlock.all_sizes.conditions import DUATO, OrderForAllSizes, hold_against, ordered
from jumpnet.analysis.deadlock.proof import ESCAPE_RINGS
from jumpnet.analysis.deadlock.proof import RINGS as BUBBLE
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import State, flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.linear import Linear, possible
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Edge, Group, Move, ranked
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Regions
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.errors import JumpnetError
from jumpnet.own.trial import rebuilt
from jumpnet.routings import Routing, bind
from jumpnet.routings.view import DESTINATION, ENTERS, ESCAPE, INTERMEDIATE, SOURCE, STATE, new_head, new_out
from jumpnet.topology import build

forms = st.builds(Linear, *[st.integers(-2, 2)] * 3, st.integers(-3, 3))
FREE = [
    ("mesh:4x4", "mesh.dimension_order", 1),
    ("mesh:4x4x4", "mesh.negative_first", 1),
    ("mesh:4x4", "mesh.west_first", 2),
    ("mesh:4x4", "mesh.north_last", 1),
    ("mesh:4x4", "mesh.duato", 2),
    ("mesh:4x4", "mesh.valiant", 2),
    ("torus:4", "torus.dateline", 2),
    ("torus:4x4", "torus.dateline", 5),
    ("torus:4x4", "torus.duato", 3),
    ("torus:4x4", "torus.ugal", 4),
    ("torus:4x4", "torus.bubble", 2),
    ("torus:4x4", "torus.bubble_adaptive", 1),
    ("torus:4x4", "torus.bubble_adaptive", 2),
    ("torus:4", "torus.bubble_adaptive", 3),
]
OPEN = [
    ("torus:3x3", "torus.dimension_order", 1),
    ("torus:3x3", "torus.dateline", 1),
    ("torus:4x4", "torus.duato", 2),
    ("torus:4x4", "torus.valiant", 2),
    ("mesh:4x4", "mesh.valiant", 1),
    ("mesh:4x4", "mesh.duato", 1),
]


def value(form: Linear, x: int, t: int, k: int) -> int:
    return form.here * x + form.target * t + form.side * k + form.rest


@given(st.lists(forms, max_size=5), *[st.integers(-6, 6)] * 3)
def test_what_holds_somewhere_is_possible(some, x, t, k):
    there = [form for form in some if value(form, x, t, k) >= 0]
    assert possible(there)


def test_what_holds_nowhere_is_found_out():
    x, half = Linear(2, 0, 0, 0), Linear(0, 0, 0, 1)
    assert not possible([x - half, half - x])  # 2x = 1, for no whole x
    assert not possible([Linear(1, -1, 0, -1), Linear(-1, 0, 1, -2), Linear(0, 1, -1, 1)])  # x > t >= k - 1 > x


@settings(max_examples=60, deadline=None)
@given(st.lists(forms, min_size=1, max_size=3), st.sampled_from(list(RINGS.values())))
def test_regions_are_all_there_is_once_and_hops_lead_where_they_do(asked, ring):
    regions = Regions.of(ring)
    for form in asked:
        regions = regions.refined(form)
    for k in range(ring.least, ring.least + 3):
        of = {
            (x, t): [i for i, part in enumerate(regions.parts) if all(value(f, x, t, k) >= 0 for f in part.facts)]
            for x, t in product(range(k), repeat=2)
        }
        assert all(len(some) == 1 for some in of.values())
        for (x, t), (at,) in of.items():
            for up in (True, False):
                there, hops = x + (1 if up else -1), regions.hops(at, up)
                if not 0 <= there < k and not ring.closed:
                    assert hops is None
                elif hops is not None:
                    assert (of[there % k, t][0], there % k > x) in hops


@pytest.mark.parametrize(("spec", "name", "vcs"), FREE)
def test_every_packet_is_in_a_state_and_answered_as_it_is(spec, name, vcs):
    bound = bind(name, build(spec), vcs)
    phases = bool(bound.routing.two_phases)
    family, dimensions = bound.network.family, bound.network.coord.shape[1]
    flow = flow_of(Run(bound, None), [RINGS[family]] * dimensions, (0, 1) if phases else (0,), by_channel=False)
    net = build(f"{family}:{'x'.join(map(str, [5, 4, 3][:dimensions]))}")
    small, relation = bind(name, net, vcs), rebuilt(bound.routing.relation)
    for here, target in product(range(net.routers), repeat=2):
        regions = []
        for d, k in enumerate(net.params):
            x, t = int(net.coord[here, d]), int(net.coord[target, d])
            parts = flow.regions[d].parts
            regions += [i for i, p in enumerate(parts) if all(value(f, x, t, int(k)) >= 0 for f in p.facts)]
        for start in sorted({state.key for state in flow.asked if state.regions == tuple(regions)}):
            head, out = new_head(0, target), new_out()
            head[[DESTINATION, INTERMEDIATE]], head[STATE] = target, start.state
            found = relation(small.view, here, head, out)
            expected = [
                (one.port, one.vc, one.next_state, one.kind) for one in flow.asked[State(start, tuple(regions))]
            ]
            assert [tuple(row) for row in out[:found].tolist()] == expected


@pytest.mark.parametrize(("spec", "name", "vcs"), FREE)
def test_free_at_all_sizes_by_numbers_that_ascend_at_others(spec, name, vcs):
    bound = bind(name, build(spec), vcs)
    proof = prove_all_sizes(bound)
    assert proof.verdict == "free" and proof.arrives and len(proof.checked) >= 4
    found = OrderForAllSizes(proof.method, proof.order, condition=proof.condition)
    for sides in ((7, 4), (8, 3)):
        other = f"{bound.network.family}:{'x'.join(map(str, (*sides, 3)[: proof.dimensions]))}"
        assert other not in proof.checked
        hold_against(bound, found, build(other))


@pytest.mark.parametrize(("spec", "name", "vcs"), OPEN)
def test_nothing_is_said_where_no_order_is_found(spec, name, vcs):
    """Two of them are free at the sizes named: rings of three need no second hop."""
    proof = prove_all_sizes(bind(name, build(spec), vcs))
    assert proof.verdict == "unproved" and proof.order == () and proof.checked == () and proof.rules() == []


@pytest.mark.parametrize(
    ("name", "method", "condition"),
    [
        ("torus.duato", DUATO, "escape"),
        ("torus.bubble", BUBBLE, "rings"),
        ("torus.bubble_adaptive", ESCAPE_RINGS, "escape-rings"),
    ],
    ids=["escapes", "bubbles", "escape-rings"],
)
def test_numbers_that_do_not_ascend_are_refused(name, method, condition):
    bound = bind(name, build("torus:4x4"))
    proof = prove_all_sizes(bound)
    assert (proof.method, proof.condition) == (method, condition)
    with pytest.raises(JumpnetError, match="does not ascend on torus:5x5"):
        hold_against(bound, OrderForAllSizes(method, proof.order[::-1], condition=condition), build("torus:5x5"))
    with pytest.raises(JumpnetError, match="does not ascend on torus:5x5"):
        hold_against(bound, OrderForAllSizes(method, proof.order[1:], condition=condition), build("torus:5x5"))


def _far_goes_down(net, here, head, out):
    """Right as far as seven hops; who has further to go is sent down first."""
    ahead = net.coord[head[DESTINATION], 0] - net.coord[here, 0]
    if ahead == 0:
        return 0
    out[0, 0] = 0 if 0 < ahead < 8 else 1
    out[0, 1] = out[0, 2] = out[0, 3] = 0
    return 1


def test_what_goes_wrong_at_large_sizes_alone_is_seen():
    bound = Routing(name="test.far", relation=_far_goes_down).bind(build("mesh:6"))
    with pytest.raises(Unfit):
        flow_of(Run(bound, None), [RINGS["mesh"]], (0,), by_channel=False)  # down at the end of the line


def _back_and_forth(net, here, head, out):
    """Right, but from the ninth router on down."""
    if net.coord[here, 0] == net.coord[head[DESTINATION], 0]:
        return 0
    out[0, 0] = 0 if net.coord[here, 0] < 9 else 1
    out[0, 1] = out[0, 2] = out[0, 3] = 0
    return 1


def test_who_may_come_back_is_not_said_to_arrive():
    bound = Routing(name="test.back", relation=_back_and_forth).bind(build("torus:6"))
    found = ordered(flow_of(Run(bound, None), [RINGS["torus"]], (0,), by_channel=False), 1, bubble=False)
    assert not found.arrives and found.order == ()


@pytest.mark.parametrize(
    "asks",
    [
        lambda net, here, head: not here,
        lambda net, here, head: here == 0,
        lambda net, here, head: net.coord[here, 0] == net.coord[here, 1],
        lambda net, here, head: net.coord[here, 0] & 2,
        lambda net, here, head: net.coord.shape[0] > 9,
        lambda net, here, head: net.coord.shape[0] == 9,
        lambda net, here, head: net.coord.shape[0] == here,
        lambda net, here, head: not net.coord.shape[0],
        lambda net, here, head: range(net.coord[here, 0]),
        lambda net, here, head: net.coord[here, 0] in {0, 1},
        lambda net, here, head: net.coord[here, 0] * net.params[0],
        lambda net, here, head: net.neighbor[here, 0],
        lambda net, here, head: head[SOURCE],
        lambda net, here, head: net.coord[here, 0] * net.coord[here, 0],
        lambda net, here, head: net.coord[here, 0] % 3,
    ],
)
def test_what_no_region_answers_does_not_fit(asks):
    """A relation that fits, and one that asks besides."""

    def relation(net, here, head, out):
        head["answer"] = 1 if asks(net, here, head) else 0
        return follow(net, here, head, out)

    follow = _bubbles(0, 0)
    for tried, fits in ((follow, True), (relation, False)):
        bound = Routing("test.asks", relation=tried).bind(build("torus:4x4"))
        with nullcontext() if fits else pytest.raises(Unfit):
            flow_of(Run(bound, None), [RINGS["torus"]] * 2, (0,), by_channel=False)


def _one_step_back(net, here, head, out):
    """Right by escapes; once, to the left as well."""
    if net.coord[here, 0] == net.coord[head[DESTINATION], 0]:
        return 0
    right = net.coord[here, 0] < net.coord[head[DESTINATION], 0]
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0 if right else 1, 0, head[STATE], ESCAPE
    if head[STATE] == 1 or net.coord[here, 0] == 0:
        return 1
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = 1, 1, 1, 0
    return 2


def _escapes_in_one_dimension(net, here, head, out):
    """Any way that leads closer; an escape along dimension 0 alone."""
    count = 0
    for d in range(2):
        ahead = net.coord[head[DESTINATION], d] - net.coord[here, d]
        if ahead != 0:
            out[count, 0], out[count, 1], out[count, 2] = 2 * d if ahead > 0 else 2 * d + 1, 0, 0
            out[count, 3] = ESCAPE if d == 0 else 0
            count += 1
    return count


@pytest.mark.parametrize(("relation", "dimensions"), [(_one_step_back, 1), (_escapes_in_one_dimension, 2)])
def test_escapes_that_do_not_suffice(relation, dimensions):
    """Between two escapes a packet may go back; it may find none."""
    bound = Routing(name="test.escapes", relation=relation, vcs=2).bind(build("mesh:" + "x".join("66"[:dimensions])))
    flow = flow_of(Run(bound, None), [RINGS["mesh"]] * dimensions, (0,), by_channel=False)
    assert flow.escapes() and ordered(flow, dimensions, bubble=False).order == ()


def _bubbles(at_source: int, on_turning: int):
    """Dimension order on a ring: by which marks packets enter it."""

    def relation(net, here, head, out):
        for d in range(2):
            ahead = (net.coord[head[DESTINATION], d] - net.coord[here, d] + net.params[d]) % net.params[d]
            if ahead != 0:
                port = 2 * d if 2 * ahead <= net.params[d] else 2 * d + 1
                out[0, 0], out[0, 1], out[0, 2] = port, 0, 1 + port
                out[0, 3] = at_source if head[STATE] == 0 else 0 if head[STATE] == 1 + port else on_turning
                return 1
        return 0

    return relation


@pytest.mark.parametrize(
    ("at_source", "on_turning", "free"), [(ENTERS, ENTERS, True), (0, ENTERS, False), (ENTERS, 0, False)]
)
def test_rings_are_entered_with_a_bubble(at_source, on_turning, free):
    bound = Routing(name="test.rings", relation=_bubbles(at_source, on_turning)).bind(build("torus:5x5"))
    found = ordered(flow_of(Run(bound, None), [RINGS["torus"]] * 2, (0,), by_channel=False), 2, bubble=True)
    assert (found.condition == "rings") is free is bool(found.order)


def _escapes(at_source: int, on_turning: int, from_others: int, otherwise: int, lacking: int):
    """The rings of `_bubbles` as escapes beside channel 1; a packet in that has STATE 9."""
    rings = _bubbles(at_source, on_turning)

    def relation(net, here, head, out):
        found = rings(net, here, head, out)
        if found == 0:
            return 0
        out[0, 3] = (from_others if head[STATE] == 9 else out[0, 3]) | ESCAPE
        out[1] = out[0, 0], 1, 9, 0
        out[2] = *out[0, :3], out[0, 3] & ENTERS
        if lacking and head[STATE] == 9:
            out[0] = out[1]
            return 1
        return 2 + otherwise

    return relation


@pytest.mark.parametrize(
    ("marks", "free"),
    [
        ((ENTERS, ENTERS, ENTERS, 0, 0), True),
        ((0, ENTERS, ENTERS, 0, 0), False),
        ((ENTERS, 0, ENTERS, 0, 0), False),
        ((ENTERS, ENTERS, 0, 0, 0), False),
        ((ENTERS, ENTERS, ENTERS, 1, 0), False),
        ((ENTERS, ENTERS, ENTERS, 0, 1), False),
    ],
    ids=["free", "source", "turning", "others", "otherwise", "lacking"],
)
def test_rings_of_escapes_are_entered_with_a_bubble_from_everywhere(marks, free):
    """And every packet has an escape, and none asks for one otherwise."""
    bound = Routing(name="test.escapes", relation=_escapes(*marks), vcs=2).bind(build("torus:5x5"))
    found = ordered(flow_of(Run(bound, None), [RINGS["torus"]] * 2, (0,), by_channel=False), 2, bubble=True)
    assert bool(found.order) is free and (found.condition == "escape-rings") is free


def _marked_along(net, here, head, out):
    """Goes on in its ring as if it entered it, too."""
    found = _bubbles(ENTERS, ENTERS)(net, here, head, out)
    if found == 1 and out[0, 3] == 0:
        out[1], found = out[0], 2
        out[1, 3] = ENTERS
    return found


def test_who_goes_on_in_a_ring_does_not_enter_it():
    bound = Routing(name="test.along", relation=_marked_along).bind(build("torus:5x5"))
    assert ordered(flow_of(Run(bound, None), [RINGS["torus"]] * 2, (0,), by_channel=False), 2, bubble=True).order == ()


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.sets(st.tuples(st.integers(0, 1), st.booleans()))), max_size=8))
def test_an_order_ascends_along_every_way(drawn):
    edges = [Edge(a, b, frozenset(Move(*move) for move in moves)) for a, b, moves in drawn if moves]
    order = ranked(range(4), edges, 2)
    for edge in edges if order is not None else []:
        for before in product(range(3), repeat=2):
            for after in product(range(3), repeat=2):
                ways = [{m.rises for m in edge.moves if m.dimension == d} for d in range(2)]
                change = [{x < y} if x != y else set() for x, y in zip(before, after, strict=True)]
                if all(c == w or len(w) == 2 for c, w in zip(change, ways, strict=True)):
                    assert _key(order, edge.tail, before) < _key(order, edge.head, after)


def _key(order: tuple[Group, ...], kind: object, place: tuple[int, ...]) -> tuple[int, ...]:
    for k, group in enumerate(order):
        if kind in group.kinds:
            along = 0
            if group.along is not None:
                along = place[group.along.dimension] * (1 if group.along.rises else -1)
            return (k, along, *_key(group.then, kind, place))
    return ()


def test_who_is_asked_about():
    for spec, message in [("rdt:8", "mesh or torus expected"), ("torus:2x4", "sides of at least 3 expected")]:
        with pytest.raises(JumpnetError, match=message):
            prove_all_sizes(bind("minimal", build(spec)))
    proof = prove_all_sizes(bind("torus.dateline", build("torus:4x4")))
    with pytest.raises(JumpnetError, match="torus of 2 dimensions"):
        proof.numbers(build("torus:4x4x4"))
    assert np.array_equal(proof.numbers(build("torus:3x3")) >= 0, np.ones(72, bool))


def test_a_side_of_more_than_a_thousand_may_be_named():
    proof = prove_all_sizes(bind("mesh.dimension_order", build("mesh:1025")))
    assert proof.deadlock_free and proof.numbers(build("mesh:1026")).max() == 2 * 1025 - 1
