"""Functions of a few machine instructions give in compiled code what their Python gives."""

from __future__ import annotations

import pytest

from jumpnet.jit.bits import count, lowest, rest, shifted
from jumpnet.jit.decorator import DISABLED, instruction, jit


@jit
def _of_a_set(word):
    return lowest(word), rest(word), shifted(word, 5)


@jit
def _of_a_word(word):
    return count(word)


@instruction(lambda builder, one, other: builder.mul(one, other))
def _product(one: int, other: int) -> int:
    """The product."""
    return one * other


@instruction(lambda builder: None)
def _nothing() -> None:
    """Nothing."""


@jit
def _called(one, other):
    return _product(other, one + 1) + (0 if _nothing() is None else _nothing())


@pytest.mark.parametrize("word", [1, 2, 0b101000, 1 << 40, (1 << 63) - 1, -1, -(1 << 63), -(1 << 62)])
def test_compiled_code_is_what_python_says(word: int) -> None:
    plain = [getattr(function, "py_func", function) for function in (lowest, rest, shifted, count)]
    assert _of_a_set(word) == (plain[0](word), plain[1](word), plain[2](word, 5))
    if word > 0:
        assert _of_a_word(word) == plain[3](word)


def test_an_instruction_of_ones_own() -> None:
    assert _called(4, 3) == 15
    assert (_product(3, 5) if DISABLED else _product.py_func(3, 5)) == 15
    assert _product.__doc__ == "The product."
