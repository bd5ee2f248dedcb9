"""Sets of output VCs as the kernels keep them, rows of words of 64 members, made and read by whole arrays.

Member x is bit x % 64 of word x // 64, as in `bits`. Used between two cycles: by `allocate`, faults and checks.
"""

from __future__ import annotations

import numpy as np

from jumpnet.sim.memory.bits import WORD64_BITS
from jumpnet.terms import I64, Array

__all__ = ["pack_words", "unpack_words"]


def pack_words(members: Array) -> I64:
    """(rows, words) the sets whose members are True in the rows of an array (rows, n).

    >>> pack_words(np.array([[True, False, True]]))
    array([[5]])
    """
    rows, n = members.shape
    words = np.zeros((rows, -(-n // WORD64_BITS)), np.int64)
    for x in range(n):
        words[:, x // WORD64_BITS] |= members[:, x].astype(np.int64) << x % WORD64_BITS
    return words


def unpack_words(words: I64, n: int) -> Array:
    """(rows, n) whether each of n members is in the sets of an array (rows, words).

    >>> unpack_words(np.array([[5]]), 3).tolist()
    [[True, False, True]]
    """
    bits = (words[:, :, None] >> np.arange(WORD64_BITS)) & 1
    return np.asarray(bits.reshape(len(words), WORD64_BITS * words.shape[1])[:, :n] == 1)
