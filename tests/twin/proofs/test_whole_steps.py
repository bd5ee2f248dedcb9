"""Start hooks of a user's own whose compiled numbers differ from plain Python's by their types: none is called free."""

from __future__ import annotations

import operator
import random

import numpy as np
import pytest
from tests.round_a_ring import round_a_ring

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.start_hooks.reckoned import reckoned
from jumpnet.analysis.deadlock.start_hooks.unknown_queues import LONGEST, with_any_queues
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.jit.linked import pointer
from jumpnet.own.strict import strict, whole_number
from jumpnet.routings import DESTINATION, SOURCE, STATE, Routing
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

NARROW, STEP, UNSIGNED = np.array([200, -7, 11], np.int16), np.int16(200), np.array([1], np.uint64)
TRUTHS, GRID, BYTES = np.array([True, False]), np.array([[1, -2], [3, 4]], np.int8), np.array([-128, 5], np.int8)


def _one_more(counts):
    counts[0] += 1
    return counts[0]


def _asks_once(net, head, draw, queue):
    counts = [0]
    if 0 <= _one_more(counts) < 5 and counts[0] == 1 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _by_another_name(net, head, draw, queue):
    one = np.zeros(3, np.int64)
    other = one
    one += 1
    if other[0] == 1 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _a_float_that_never_is(net, head, draw, queue):
    number = (1 << 53) + 1 + draw
    if head[SOURCE] > 100:
        number = 0.5
    if number == 1 << 53 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _largest_as_a_float(net, head, draw, queue):
    if max((1 << 53) + 1 + draw, 0.5) == 1 << 53 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _narrow_by_narrow(net, head, draw, queue):
    wide = NARROW * STEP
    if wide[0] < 0 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _by_a_function(net, head, draw, queue):
    if operator.lshift(1, draw + 64) != 0 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _without_a_sign(net, head, draw, queue):
    for one in UNSIGNED:
        if (int(one) << 63) > 0 and 3 <= queue[0] <= 6:
            head[STATE] = 1


def _few_bits_in_a_list(net, head, draw, queue):
    several = [NARROW[0]]
    several[0] *= 200
    if several[0] < 0 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _a_long_product(net, head, draw, queue):
    number = 3
    for _ in range(5):
        number = number**4
    if number < 1 << 62 and 3 <= queue[0] <= 6:
        head[STATE] = 1


def _one_more_is_more(net, head, draw, queue):
    """Not in 64 bits; compiled code takes it that it always is."""
    number = head[DESTINATION] | ((1 << 63) - 1)
    if number + 1 > number and 3 <= queue[0] <= 6:
        head[STATE] = 1


HOOKS = [
    _a_long_product,
    _one_more_is_more,
    _asks_once,
    _by_another_name,
    _a_float_that_never_is,
    _largest_as_a_float,
    _narrow_by_narrow,
    _by_a_function,
]
HOOKS += [_without_a_sign, _few_bits_in_a_list]


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("start", HOOKS, ids=lambda hook: hook.__name__)
def test_hooks_that_deadlock_are_not_called_free(start):
    """Lengths of 3 to 6 are none of those for which the compiled hook is asked."""
    bound = Routing("test.types", round_a_ring, start=start).bind(build("torus:5"))
    with pytest.raises(JumpnetError, match="cannot be told"):
        prove(bound)
    assert simulate(bound.network, bound, load=0.9, vcs=1, measure_cycles=2000).deadlocked


def _loops(a, b, c):
    total, wanted = a, b > c
    for one in NARROW:
        total = total * 3 + one * (b & 255)
        if total > c > one:
            break
    while total > 1000 or wanted:
        wanted = False
        total //= 7
    for row in GRID:
        total -= row[1] + len(row)
    return total


def _choices(a, b, c):
    pair = (a, b > 0)
    one, two = pair
    one ^= TRUTHS[c & 1] and c
    return (one if two else c or -b) + (a in (b, c)) + sum([x * a for x in (1, 2, -3)]) + max(a, NARROW[c % 3], two)


def _shifts(a, b, c):
    return (
        (a << (b & 63)) - (c >> (a & 63)) * BYTES[1] + abs(a) // (c | 1) - int(a < b) % 3 + (b ** (c & 7) if a else ~b)
    )


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("function", [_loops, _choices, _shifts], ids=lambda f: f.__name__)
def test_steps_with_whole_numbers_are_those_of_compiled_code(function):
    draw, plain, compiled = random.Random(3), reckoned(function), strict(function)
    known = 0

    def enter(a, b, c):
        return whole_number(compiled(a, b, c))

    call = pointer("int64(int64, int64, int64)", enter, function).ctypes
    ends = [0, 1, -1, 5, 63, 200, 1 << 53, (1 << 63) - 1, -(1 << 63) + 1]
    for _ in range(800):
        given = [draw.choice(ends) if draw.random() < 0.5 else draw.getrandbits(20) - (1 << 19) for _ in range(3)]
        try:
            number = plain(*given)
        except Unfit:  # beyond 64 bits
            continue
        assert number == call(*given), given
        known += 1
    assert known > 40


def _least(a):
    return -BYTES[a]


def _inverted(a):
    return ~(a > 0)


def _kept(a):
    several = [a > 3]
    several[0] = a
    return several[0]


@pytest.mark.parametrize("function", [_least, _inverted, _kept], ids=lambda f: f.__name__)
def test_numbers_of_few_bits_end_the_run(function):
    with pytest.raises(Unfit):
        reckoned(function)(0)


def _power(queue, times):
    number = queue[0]
    for _ in range(times):
        number = number * number
    return number + 5 > number


def test_numbers_of_queues_keep_within_64_bits():
    """Beyond, a number and 5 more may be less, which no question is asked about."""
    assert list(with_any_queues(lambda queue: _power(queue, 1), 1)) == [True]
    assert list(with_any_queues(lambda queue: (queue[0] << 3) == queue[0] * 8, 1)) == [True]
    assert LONGEST << 32 < 1 << 63
    for beyond in (
        lambda queue: _power(queue, 2),
        lambda queue: (queue[0] << 62) - 1 < (queue[0] << 62),
        lambda queue: ((queue[0] << 31) << 31) - 1 < queue[0],
        lambda queue: 1 << queue[0] > 0,
        lambda queue: queue[0] >> 64 == 0,
    ):
        with pytest.raises(Unfit):
            list(with_any_queues(beyond, 1))
