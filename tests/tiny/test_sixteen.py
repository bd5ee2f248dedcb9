"""Sixteen int32 numbers at once do what Python's integers do one by one, wrapped to 32 bits; compiled and not."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jumpnet._jit import DISABLED, _pointer_i32, address_of, jit
from jumpnet._vectors import choose, found, load, splat, store

LEAST, MOST = -(2**31), 2**31 - 1
OPERATORS = ("&", "|", "^", "+", "-", "<<", ">>", "~", "neg", "splat", "choose", "choose_by", "kept")
"""In the order in which `apply_all` writes them."""

if DISABLED:

    def cells_of(array: Any) -> Any:
        """What `load` and `store` take for an array: itself."""
        return array

else:

    @jit(inline="always")
    def cells_of(array):
        """What `load` and `store` take for an array: its address."""
        return _pointer_i32(address_of(array))


@jit
def apply_all(numbers, first, by, answers):
    """Every operator on numbers first..first+15 and the 16 after them; bits `found` in the former and in the latter."""
    cells, out = cells_of(numbers), cells_of(answers)
    one, two = load(cells, first), load(cells, first + 16)
    store(out, first, one & two)
    store(out, first + 16, one | two)
    store(out, first + 32, one ^ two)
    store(out, first + 48, one + two)
    store(out, first + 64, one - two)
    store(out, first + 80, one << by)
    store(out, first + 96, one >> by)
    store(out, first + 112, ~one)
    store(out, first + 128, -one)
    store(out, first + 144, splat(numbers[first]))
    store(out, first + 160, choose(one, one, two))
    store(out, first + 176, choose(two, splat(by), one))
    store(cells, first, splat(0))  # what was loaded stays
    store(out, first + 192, one)
    return found(one), found(two)


def wrapped(number: int) -> int:
    """The number that the low 32 bits stand for."""
    return (number - LEAST) % 2**32 + LEAST


def expected(one: list[int], two: list[int], by: int) -> dict[str, list[int]]:
    """What `apply_all` should write."""
    pairs = list(zip(one, two, strict=True))
    return {
        "&": [a & b for a, b in pairs],
        "|": [a | b for a, b in pairs],
        "^": [a ^ b for a, b in pairs],
        "+": [wrapped(a + b) for a, b in pairs],
        "-": [wrapped(a - b) for a, b in pairs],
        "<<": [wrapped(a << by) for a in one],
        ">>": [a >> by for a in one],
        "~": [~a for a in one],
        "neg": [wrapped(-a) for a in one],
        "splat": [one[0]] * 16,
        "choose": [a if a != 0 else b for a, b in pairs],
        "choose_by": [by if b != 0 else a for a, b in pairs],
        "kept": one,
    }


sixteen = st.lists(
    st.sampled_from([0, 1, -1, 1 << 30, LEAST, MOST]) | st.integers(LEAST, MOST), min_size=16, max_size=16
)


@settings(max_examples=200)
@given(one=sixteen, two=sixteen, by=st.integers(0, 31), first=st.integers(0, 15))
@example(one=[LEAST] * 16, two=[0] * 16, by=31, first=1)
@example(one=[0] * 15 + [LEAST], two=[LEAST] * 16, by=0, first=0)
def test_sixteen_numbers_at_once(one: list[int], two: list[int], by: int, first: int) -> None:
    numbers = np.full(first + 33, 7, np.int32)
    numbers[first : first + 32] = one + two
    answers = np.full(first + 16 * len(OPERATORS) + 1, 9, np.int32)
    bits = apply_all(numbers, first, by, answers)
    for name, row in zip(OPERATORS, answers[first:-1].reshape(-1, 16).tolist(), strict=True):
        assert row == expected(one, two, by)[name], name
    assert (answers[:first] == 9).all() and answers[-1] == 9  # not a number more is written
    assert numbers.tolist() == [7] * first + [0] * 16 + two + [7]
    assert bits == tuple(sum(1 << k for k in range(16) if row[k] != 0) for row in (one, two))
