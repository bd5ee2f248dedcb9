"""Proofs for all sizes where packets start by many draws, or dimensions are many: what is left open loses nothing."""

from __future__ import annotations

from dataclasses import replace
from operator import add, and_, eq, ge, gt, le, lt, ne, rshift
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jumpnet.analysis.deadlock.all_sizes import argument, hooks
from jumpnet.analysis.deadlock.all_sizes.argument import RINGS, prove_all_sizes
from jumpnet.analysis.deadlock.all_sizes.conditions import OrderForAllSizes, hold_against, ordered
from jumpnet.analysis.deadlock.all_sizes.hooks import start_by_many_draws
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.symbolic.bits import Bit, Bits, Word
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.inequalities import flow as flow_module
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import Flow, flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.routings import Prepared, Routing, bind
from jumpnet.routings.classes import put
from jumpnet.routings.mesh._steps import toward
from jumpnet.routings.torus.booksim import CLASS_BIT, entered_class, port_by_ties
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE
from jumpnet.topology import build

steps = st.lists(
    st.tuples(st.sampled_from([add, and_, rshift, eq, ne, lt, le, gt, ge]), st.integers(-9, 40)), max_size=4
)


def _whole(bits: Bits) -> list[int]:
    """All numbers of some that have bits in common."""
    places = [k for k in range(bits.unknown.bit_length()) if bits.unknown >> k & 1]
    return [bits.value + sum((n >> i & 1) << k for i, k in enumerate(places)) for n in range(1 << len(places))]


@settings(max_examples=200)
@example(0, 3, [(add, 1)])
@example(8, 3, [(and_, 2)])
@example(8, 6, [(rshift, 2), (eq, 2)])
@example(8, 3, [(lt, 10)])
@given(st.integers(0, 63), st.integers(0, 63), steps)
def test_a_word_answers_as_each_of_its_numbers_does(value: int, unknown: int, some: list[Any]) -> None:
    def done(number: Any) -> Any:
        for operate, other in some:
            if number is True or number is False or (operate is rshift and other < 0):
                break
            number = operate(number, other)
        return number

    todo, met = [Bits(value & ~unknown, unknown)], []
    while todo:
        bits = todo.pop()
        try:
            found = done(Word(bits)) if bits.unknown else done(bits.value)
        except Bit as wish:
            assert bits.unknown >> wish.number & 1
            todo += bits.told(wish.number)
            continue
        assert not isinstance(found, Word) or not found.bits.value & found.bits.unknown
        for number in _whole(bits):
            met.append(number)
            answer = done(number)
            assert answer in _whole(found.bits) if isinstance(found, Word) else answer == found
    assert sorted(met) == sorted(_whole(Bits(value & ~unknown, unknown)))


@pytest.mark.parametrize("asks", [lambda word: word / 2, hash, lambda word: word * 0.5, lambda word: -word, str])
def test_what_no_bit_answers_does_not_fit(asks: Any) -> None:
    with pytest.raises((Unfit, Bit)):
        asks(Word(Bits(0, 3)))


BOOKSIM = [
    ("torus:4x4", "torus.booksim", 2),
    ("torus:4", "torus.booksim:middle=shared", 3),
    ("torus:4", "torus.booksim", 1),
    ("torus:4", "torus.min_adapt_booksim", 4),
    ("torus:4", "torus.balanced_booksim", 2),
]


def _both(bound: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Flow, Flow]:
    """All packets, told apart by each draw and by the bits that are asked for."""
    monkeypatch.setattr(hooks, "MANY_DRAWS", 2)
    rings = [RINGS["torus"]] * len(bound.network.params)
    start = start_by_many_draws(bound, rings)
    assert start == Bits(0, bound.draws - 1)
    return argument._flow(bound, rings), argument._flow(bound, rings, start)


@pytest.mark.parametrize(("spec", "name", "vcs"), BOOKSIM)
def test_as_many_kinds_of_dependencies_as_with_each_draw_told_apart(
    spec: str, name: str, vcs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, left_open = _both(bind(name, build(spec), vcs), monkeypatch)
    assert len(left_open.asked) < len(told.asked)
    for one, other in ((told, left_open), (told.by_place(), left_open.by_place())):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one.channels() == other.channels() and one.dependencies() == other.dependencies()
            assert one.escapes() == other.escapes() and one.extended() == other.extended()
            assert one.without_escape() == other.without_escape()
    dimensions = len(told.regions)
    assert ordered(told, dimensions, bubble=False) == ordered(left_open, dimensions, bubble=False)


@pytest.mark.parametrize(
    ("spec", "name", "vcs", "others"),
    [
        ("torus:3x3x3x3", "torus.booksim", 2, ["torus:3x4x3x5", "torus:6x3x3x3"]),
        ("torus:3x3x3", "torus.balanced_booksim", 2, ["torus:3x4x5", "torus:7x4x3"]),
        ("torus:3x3x3x3x3", "torus.dateline", 2, ["torus:3x3x4x3x3"]),
    ],
)
def test_free_on_tori_of_many_dimensions(spec: str, name: str, vcs: int, others: list[str]) -> None:
    bound = bind(name, build(spec), vcs)
    proof = prove_all_sizes(bound)
    assert proof.verdict == "free" and proof.arrives and spec in proof.checked
    for other in others:
        assert other not in proof.checked
        hold_against(bound, OrderForAllSizes(proof.method, proof.order, condition=proof.condition), build(other))


def _classes(wrong: int):
    """`torus.booksim`, where of a bit of the draw `wrong` says in which dimension it sets the class of a ring."""

    def relation(net, here, head, out):
        destination, state = head[DESTINATION], head[STATE]
        port = port_by_ties(net, here, destination, state)
        if port < 0:
            return 0
        d = port >> 1
        if head[IN_PORT] < 0 or head[IN_PORT] >> 1 != d:
            c = (state >> d) & 1 if d == wrong else entered_class(net, here, destination, d)
            state = (state & CLASS_BIT - 1) + CLASS_BIT * c
        return put(out, 0, port, 1 if state >= CLASS_BIT else 0, state, 0)

    return relation


def _by_draw(net, head, draw, queue):
    head[STATE] = draw


@pytest.mark.parametrize("wrong", [-1, 2])
def test_one_dimension_of_three_whose_classes_are_drawn_has_no_order(
    wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the guard that keeps routings of one's own off inequalities."""
    monkeypatch.setattr(Routing, "own", False)

    def made(sides: str) -> Any:
        return Routing(
            "test.classes",
            relation=_classes(wrong),
            prepare=lambda net, options: Prepared(own=np.array([0, 0])),
            start=_by_draw,
            draws=lambda net, options: 8,
            vcs=2,
        ).bind(build(f"torus:{sides}"))

    bound = made("3x3x3")
    _, found = argument._found(bound, [RINGS["torus"]] * 3)
    assert bool(found.order) is (wrong < 0)
    if wrong >= 0:
        long = ["3"] * 3
        long[wrong] = "6"
        assert prove(made("x".join(long))).verdict == "deadlock"


def _remembered(net, here, head, out):
    """Dimension order from the first dimension or from the last, by a bit of the draw, on channels of its own."""
    first = head[STATE] & 1
    for k in range(2):
        port = toward(net, here, head[DESTINATION], k if first == 0 else 1 - k)
        if port >= 0:
            return put(out, 0, port, first, head[STATE], 0)
    return 0


def test_draws_that_packets_remember_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a packet went by either order at each router there were a cycle."""
    monkeypatch.setattr(Routing, "own", False)
    routing = Routing("test.remembered", relation=_remembered, start=_by_draw, draws=lambda net, options: 16, vcs=2)
    bound, rings = routing.bind(build("mesh:4x4")), [RINGS["mesh"]] * 2
    run = Run(bound, None)
    assert ordered(flow_of(replace(run, drawn=15), rings, [Bits(0, 15)], False), 2, bubble=False).order == ()
    flow, found = argument._found(bound, rings)
    assert found.order and {state.key.state for state in flow.asked} == set(range(16))
    assert prove(bound).deadlock_free


def test_dimensions_that_are_parted_when_asked_for_say_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("torus.dateline", build("torus:4x4"))
    run, rings = Run(bound, None), [RINGS["torus"]] * 2
    whole = flow_of(run, rings, (0,), by_channel=False)
    many = len(whole.regions[0].parts) * len(whole.regions[1].parts)
    monkeypatch.setattr(flow_module, "MOST_STATES", many - 1)
    as_asked = flow_of(run, rings, (0,), by_channel=False)
    assert as_asked.dependencies() == whole.dependencies() and as_asked.extended() == whole.extended()
    assert len(as_asked.asked) < len(whole.asked)
    assert ordered(as_asked, 2, bubble=False) == ordered(whole, 2, bubble=False)
