"""Sixteen int32 or int64 numbers at once do what Python's integers do one by one, wrapped; compiled and not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.jit.decorator import DISABLED, _pointer_i32, _pointer_i64, address_of, jit
from jumpnet.jit.vectors.numbers import choose, found, load, splat, store

BITS = (32, 64)
OPERATORS = ("&", "|", "^", "+", "-", "<<", ">>", "~", "neg", "splat", "choose", "choose_by", "kept")
"""In the order in which `apply_all` writes them."""

if DISABLED:

    def cells_of(array: Any) -> Any:
        """What `load` and `store` take for an array: itself."""
        return array

    wide_cells_of = cells_of

else:

    @jit(inline="always")
    def cells_of(array):
        """What `load` and `store` take for an array: its address."""
        return _pointer_i32(address_of(array))

    @jit(inline="always")
    def wide_cells_of(array):
        """The same for an array of int64."""
        return _pointer_i64(address_of(array))


@jit
def apply_32(numbers, first, by, answers):
    """`apply_all` on arrays of int32."""
    return apply_all(cells_of(numbers), first, by, cells_of(answers))


@jit
def apply_64(numbers, first, by, answers):
    """`apply_all` on arrays of int64."""
    return apply_all(wide_cells_of(numbers), first, by, wide_cells_of(answers))


@jit
def apply_all(cells, first, by, out):
    """Every operator on numbers first..first+15 and the 16 after them; bits `found` in the former and in the latter."""
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
    store(out, first + 144, splat(cells, cells[first]))
    store(out, first + 160, choose(one, one, two))
    store(out, first + 176, choose(two, splat(cells, by), one))
    store(cells, first, splat(cells, 0))  # what was loaded stays
    store(out, first + 192, one)
    return found(one), found(two)


def expected(one: list[int], two: list[int], by: int, bits: int) -> dict[str, list[int]]:
    """What `apply_all` should write."""
    pairs = list(zip(one, two, strict=True))

    def wrapped(number: int) -> int:
        """The number that the low bits stand for."""
        return (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)

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


def sixteen(bits: int) -> st.SearchStrategy[list[int]]:
    """Numbers of so many bits."""
    least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    some = st.sampled_from([0, 1, -1, 1 << bits - 2, least, most]) | st.integers(least, most)
    return st.lists(some, min_size=16, max_size=16)


def assert_same_numbers(one: list[int], two: list[int], by: int, first: int, bits: int) -> None:
    """Fail where an operator differs from Python's, or more is written than it should be."""
    number = {32: np.int32, 64: np.int64}[bits]
    numbers = np.full(first + 33, 7, number)
    numbers[first : first + 32] = one + two
    answers = np.full(first + 16 * len(OPERATORS) + 1, 9, number)
    there = (apply_32 if bits == 32 else apply_64)(numbers, first, by, answers)
    for name, row in zip(OPERATORS, answers[first:-1].reshape(-1, 16).tolist(), strict=True):
        assert row == expected(one, two, by, bits)[name], name
    assert (answers[:first] == 9).all() and answers[-1] == 9  # not a number more is written
    assert numbers.tolist() == [7] * first + [0] * 16 + two + [7]
    assert there == tuple(sum(1 << k for k in range(16) if row[k] != 0) for row in (one, two))


@settings(max_examples=200)
@given(data=st.data(), bits=st.sampled_from(BITS), by=st.integers(0, 31), first=st.integers(0, 15))
def test_sixteen_numbers_at_once(data: st.DataObject, bits: int, by: int, first: int) -> None:
    assert_same_numbers(data.draw(sixteen(bits)), data.draw(sixteen(bits)), by, first, bits)


@pytest.mark.parametrize("bits", BITS)
def test_least_numbers(bits: int) -> None:
    least = -(2 ** (bits - 1))
    assert_same_numbers([least] * 16, [0] * 16, bits - 1, 1, bits)
    assert_same_numbers([0] * 15 + [least], [least] * 16, 0, 0, bits)
