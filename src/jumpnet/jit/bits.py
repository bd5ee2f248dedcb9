"""Bit sets in int64 words of 32 bits, and sets found by one comparison of 16 cells: plain Python and kernels agree.

Member x of a set is bit x & 31 of word x >> 5; words are positive numbers. Small sets have words of 64 members
(`bit64`), so that most need one. `pack_words` and `unpack_words` are for whole arrays, between two cycles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.jit.decorator import instruction, ir, jit
from jumpnet.jit.linked import inlined
from jumpnet.terms import I64, Array

__all__ = [
    "WORD64_BITS", "WORD_BITS", "bit", "bit64", "count", "equal", "lowest", "member", "not_after", "one_if",
    "pack_words", "past", "pop_lowest", "rest", "shifted", "unpack_words",
]  # fmt: skip

WORD_BITS = 32
WORD64_BITS = 64


def _signed(word: int) -> int:
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


@instruction(lambda builder, word: builder.cttz(word, ir.IntType(1)(0)))
def lowest(word: int) -> int:
    """Number of the lowest set bit of a word: one instruction; some number when it is 0."""
    return (int(word) & -int(word)).bit_length() - 1


@instruction(lambda builder, word, places: builder.shl(word, places))
def shifted(word: int, places: int) -> int:
    """A word shifted to the left, in 64 bits."""
    return _signed(int(word) << int(places))


@instruction(lambda builder, word: builder.and_(word, builder.sub(word, word.type(1))))
def rest(word: int) -> int:
    """A set of 64 members without the lowest."""
    return _signed(int(word) & (int(word) - 1))


@instruction(lambda builder, word: builder.ctpop(word))
def count(word: int) -> int:
    """Number of bits that are set in a word."""
    return int(word).bit_count()


def _compare(operator: str) -> Any:
    """Code that compares 16 int32 cells with a value at once."""

    def build(builder, cells, first, value):
        number, vector = ir.IntType(32), ir.VectorType(ir.IntType(32), 16)
        place = builder.bitcast(builder.gep(cells, [first]), vector.as_pointer())
        lane = builder.insert_element(ir.Constant(vector, ir.Undefined), builder.trunc(value, number), number(0))
        values = builder.shuffle_vector(lane, lane, ir.Constant(vector, [0] * 16))
        answer = builder.icmp_signed(operator, builder.load(place, align=4), values)
        return builder.zext(builder.bitcast(answer, ir.IntType(16)), ir.IntType(64))

    return build


@instruction(_compare("<="))
def not_after(cells: Any, first: int, cycle: int) -> int:
    """Bit k: whether cells[first + k] <= cycle, for k in 0..15."""
    return sum(1 << k for k in range(16) if cells[first + k] <= cycle)


@instruction(_compare("=="))
def equal(cells: Any, first: int, value: int) -> int:
    """Bit k: whether cells[first + k] == value, for k in 0..15."""
    return sum(1 << k for k in range(16) if cells[first + k] == value)


@jit(inline="always")
def one_if(condition):
    """1 where a condition holds, else 0: something to count with, where a branch would be guessed wrong."""
    return np.int64(condition)


@inlined
def pop_lowest(word):
    """The lowest member of a set, and the set without it."""
    return lowest(word), rest(word)


@inlined
def past(turn, x, n):
    """How far x is past `turn` in a ring of n numbers: who goes first in turn has the least."""
    ahead = x - turn
    return ahead if ahead >= 0 else ahead + n


@jit(inline="always")
def member(x):
    """The set of x alone, for sets in one word: x below 63."""
    return np.int64(1) << np.int64(x)


@jit(inline="always")
def bit(x):
    """The bit of member x in its word."""
    return np.int64(1) << (np.int64(x) & 31)


@jit(inline="always")
def bit64(x):
    """The bit of member x in its word of a set with words of 64 members, word x >> 6."""
    return np.int64(1) << (np.int64(x) & 63)


def pack_words(members: Array, bits: int = WORD64_BITS) -> I64:
    """(rows, words) the sets, of so many members a word, that are True in the rows of an array (rows, n).

    >>> pack_words(np.array([[True, False, True]])), pack_words(np.ones((1, 33), bool), 32)
    (array([[5]]), array([[4294967295,          1]]))
    """
    rows, n = members.shape
    words = np.zeros((rows, -(-n // bits)), np.int64)
    for x in range(min(n, bits)):
        part = members[:, x::bits]
        words[:, : part.shape[1]] |= part.astype(np.int64) << x
    return words


def unpack_words(words: I64, n: int) -> Array:
    """(rows, n) whether each of n members is in the sets of an array (rows, words), of 64 members a word.

    >>> unpack_words(np.array([[5]]), 3).tolist()
    [[True, False, True]]
    """
    found = (words[:, :, None] >> np.arange(WORD64_BITS)) & 1
    return np.asarray(found.reshape(len(words), WORD64_BITS * words.shape[1])[:, :n] == 1)
