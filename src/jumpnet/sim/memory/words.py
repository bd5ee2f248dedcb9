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


def unpack_words(words: I64, n: int) -> Array:
    """(rows, n) whether each of n members is in the sets of an array (rows, words), of 64 members a word.

    >>> unpack_words(np.array([[5]]), 3).tolist()
    [[True, False, True]]
    """
    found = (words[:, :, None] >> np.arange(WORD64_BITS)) & 1
    return np.asarray(found.reshape(len(words), WORD64_BITS * words.shape[1])[:, :n] == 1)
