"""Sets as the kernels keep them, rows of words, made and read by whole arrays.

Member x is bit x % 64 of word x // 64 in sets of output VCs, and of words of 32 members in others, as in `bits`. Used
between two cycles: by `allocate`, `team`, faults and checks.
"""

from __future__ import annotations

import numpy as np

from jumpnet.sim.memory.bits import WORD64_BITS
from jumpnet.terms import I64, Array

__all__ = ["pack_words", "unpack_words"]


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


def unpack_words(words: I64, n: int, bits: int = WORD64_BITS) -> Array:
    """(rows, n) whether each of n members is in the sets of an array (rows, words).

    >>> unpack_words(np.array([[5]]), 3).tolist(), unpack_words(np.array([[0, 1]]), 33, 32).sum()
    ([[True, False, True]], np.int64(1))
    """
    found = (words[:, :, None] >> np.arange(bits)) & 1
    return np.asarray(found.reshape(len(words), bits * words.shape[1])[:, :n] == 1)
