"""Functions that reckon in plain Python as compiled code does: numbers of 64 bits, truth values that are numbers."""

from __future__ import annotations

import operator
import random

import numpy as np
import pytest
from tests.round_a_ring import round_a_ring

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.start_hooks.reckoned import reckoned
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import pointer
from jumpnet.own.strict import strict, whole_number
from jumpnet.routings import DESTINATION, IN_PORT, KIND, NEXT_STATE, PORT, SOURCE, STATE, VC, Routing
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

TABLE, NARROW = np.array([3, 1 << 62, -5]), np.array([200, -7], np.int16)


def _sums(a, b):
    return a + b * 3 - (a << 1)


def _products(a, b):
    product = a
    for _ in range(4):
        product *= product + b
    return product


def _truths(a, b):
    return (a > b) + (a > 0) * 2 - (b <= TABLE[0]) + -(a == b) + ((a < b) ^ (b > 0)) + (b > 5 << 2)


def _bits(a, b):
    return (a ^ b) + (a & 255 | b) + ~a + (b >> 3)


def _powers(a, b):
    return a ** (b & 63) + b**2


def _rests(a, b):
    return a // (abs(b & 7) + 1) + a % 11 - b % -3


def _tables(a, b):
    wide = NARROW[0] * 200
    return wide + NARROW[1] * a + TABLE[b % 3] * a + sum([x * a for x in NARROW]) + len(TABLE) * NARROW.size


def _chains(a, b):
    return (a < b <= TABLE[0]) + (0 <= a % 5 < 3) + min(a, b) + abs(b)


def _closed(a, b):
    return _helper(a, b) + max(a, b, 0)


def _helper(a, b):
    third = a
    third <<= 3
    return third - (b if b > a else (a > 3) + (b > 3))


@pytest.mark.parametrize(
    "function", [_sums, _products, _truths, _bits, _powers, _rests, _tables, _chains, _closed], ids=lambda f: f.__name__
)
@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_numbers_are_those_of_compiled_code(function):
    draw, plain, compiled = random.Random(7), reckoned(function), strict(function)

    def enter(a, b):
        return whole_number(compiled(a, b))

    call = pointer("int64(int64, int64)", enter, function).ctypes
    ends = [0, 1, -1, 2, 5, 63, 200, 1 << 31, 1 << 53, 1 << 62, (1 << 63) - 1, -(1 << 63) + 1]
    pairs = [(a, b) for a in ends for b in ends] + [(draw.getrandbits(63), -draw.getrandbits(40)) for _ in range(50)]
    known = 0
    for a, b in pairs:
        try:
            number = plain(a, b)
        except Unfit:  # beyond 64 bits
            continue
        assert number == call(a, b), (a, b)
        known += 1
    assert known > 20


def _inverts(net, here, head, out):
    out[0, PORT] = out[0, VC] = out[0, KIND] = 0
    out[0, NEXT_STATE] = ~(here > 200)  # for all packets -1 in plain Python
    return 0 if here == head[DESTINATION] else 1


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_what_inverts_a_truth_value_is_refused():
    with pytest.raises(JumpnetError, match="~ of a truth value found, which is another number in compiled code"):
        prove(Routing("test.inverts", _inverts).bind(build("torus:5")))


@pytest.mark.parametrize(
    "function",
    [
        lambda a: a + 1,  # without a text of its own
        operator.index,
    ],
)
def test_what_cannot_be_read_is_not_run(function):
    if function is operator.index:
        assert reckoned(function) is function
        return
    with pytest.raises(Unfit):
        reckoned(function)


def _told(least):
    def start(net, head, draw, queue, *, step: Unknown = 1):  # noqa: F821  # annotations are not looked at
        """Inner functions and a name from outside."""

        def longer(place):
            return queue[place] > least

        if sum([longer(p) for p in range(2)]) == 2:
            head[STATE] = step

    return start


def test_names_from_outside_are_those_of_the_function():
    bound = Routing("test.reckons", round_a_ring, start=_told(2)).bind(build("torus:5"))
    hook, head = reckoned(bound.routing.start), np.zeros(6, int)
    hook(bound.view, head, 0, np.array([3, 2]))
    assert head[STATE] == 0
    hook(bound.view, head, 0, np.array([3, 3]))
    assert head[STATE] == 1


def _far(a):
    return 1 << a


def _unsigned(a):
    return np.uint64(a) + 1


def _beside_a_float(a):
    return a == 9007199254740992.0


def _long(a):
    return a < 9223372036854775808


def _halved(a):
    return a + 9223372036854775808


def _inverted(a):
    """Where a name holds a whole number on another way, compiled code takes the truth value for 1: -2, not False."""
    truth = a > 0
    if a > 5:
        truth = 7
    return ~truth


def _other_name(a):
    """What is added in place is in both; a sum made anew would be in one."""
    one = np.zeros(2, np.int64)
    two = one
    one += a
    return two[0]


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (_far, 64),
        (_unsigned, 1),
        (_beside_a_float, (1 << 53) + 1),
        (_long, 1),
        (_halved, 1),
        (_inverted, 1),
        (_other_name, 1),
    ],
)
def test_what_compiled_code_may_answer_otherwise_ends_the_run(function, given):
    with pytest.raises(Unfit):
        reckoned(function)(given)


def _by_truth_values(net, head, draw, queue):
    if (head[SOURCE] >= 0) + (head[DESTINATION] >= 0) == 2 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _by_a_long_draw(net, head, draw, queue):
    if (draw + 2) << 62 < 0 and 3 <= queue[0] <= 6:
        head[STATE] = 1


@pytest.mark.parametrize("start", [_by_truth_values, _by_a_long_draw], ids=lambda f: f.__name__)
def test_a_hook_that_reckons_otherwise_than_plain_python_is_not_called_free(start):
    """Lengths of 3 to 6 are none of those for which the compiled hook is asked."""
    bound = Routing("test.reckons", round_a_ring, start=start).bind(build("torus:5"))
    with pytest.raises(JumpnetError, match="STATE 1, INTERMEDIATE -1 may be set for a packet from 0 to 1"):
        prove(bound)
    assert simulate(bound.network, bound, load=0.9, vcs=1, measure_cycles=2000).deadlocked


def _by_two_truths(net, here, head, out):
    """On a ring: up in STATE 1 where both comparisons hold, else not over the wrap-around."""
    to = head[DESTINATION]
    both = (net.coord[to, 0] >= 0) + (net.coord[here, 0] >= 0) == 2
    out[0, PORT] = 0 if to > here or (head[STATE] == 1 and both) else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, 0
    return 0 if here == to else 1


def _later(net, head, draw, queue):
    if head[IN_PORT] >= 0 and queue[0] >= 0:
        head[STATE] = 1


def test_what_a_revision_leaves_is_what_the_compiled_relation_offers():
    bound = Routing("test.reckons", _by_two_truths, start=_later, revises=True).bind(build("torus:5"))
    with pytest.raises(JumpnetError, match="gets candidates in STATE 1 that it did not have"):
        prove(bound)
    assert simulate(bound.network, bound, load=1.0, vcs=1, buffer_flits=2, measure_cycles=2000).deadlocked
