"""The channel dependency graph as rows of bits, one for each channel: its edges counted and listed.

A channel here is (router, port, vc), numbered (router * ports + port) * vcs + vc. A packet that holds one asks next for
channels of the router it leads to, so a row of ports * vcs bits holds all its dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.process.threads import share, slices
from jumpnet.terms import I64, Array

__all__ = ["are_set", "edge_list", "set_bits", "unpack", "words_of"]


@entry
def edge_list(bits, base, indptr, indices):
    """Write the edges of rows of bits: bit b of row c becomes base[c] + b, from indices[indptr[c]] on."""
    for c in range(bits.shape[0]):
        at = indptr[c]
        for w in range(bits.shape[1]):
            word = bits[c, w]
            b = 64 * w
            while word != 0:
                if word & np.uint64(1):
                    indices[at] = base[c] + b
                    at += 1
                word >>= np.uint64(1)
                b += 1


def words_of(bits: int) -> int:
    """Words of a row of so many bits."""
    return (bits + 63) // 64


def set_bits(row: Array, bits: Iterable[int]) -> None:
    """Set some bits of a row (W,) uint64, or of W rows of words.

    >>> row = np.zeros(2, np.uint64)
    >>> set_bits(row, [1, 64])
    >>> row.tolist()
    [2, 1]
    """
    for bit in bits:
        row[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


def are_set(rows: Array, many: int) -> Array:
    """(..., many) bool: which of the first so many bits of rows (..., W) are set.

    >>> are_set(np.array([[2, 1]], np.uint64), 3).tolist()
    [[False, True, False]]
    """
    bit = np.arange(many)
    return (rows[..., bit >> 6] >> (bit & 63).astype(np.uint64) & np.uint64(1)).astype(bool)


def unpack(bits: Array, base: I64 | None = None, workers: int = 1) -> tuple[I64, I64]:
    """Rows of bits (C, W) as (indptr, indices); bit b of row c is node base[c] + b, or b without a base.

    Threads share the rows.

    >>> [array.tolist() for array in unpack(np.array([[6], [0], [1]], np.uint64), np.array([10, 0, 20]))]
    [[0, 2, 2, 3], [11, 12, 20]]
    """
    rows = len(bits)
    start = np.zeros(rows, np.int64) if base is None else np.ascontiguousarray(base, np.int64)
    indptr = np.zeros(rows + 1, np.int64)
    many = indptr[1:]

    def count(part: slice) -> None:
        """How many there are in each of some rows."""
        np.bitwise_count(bits[part]).sum(axis=1, dtype=np.int64, out=many[part])

    def list_edges(part: slice) -> None:
        """Those of some rows."""
        edge_list(bits[part], start[part], indptr[part], indices)

    parts = slices(rows, workers)
    share(count, parts, workers)
    np.cumsum(many, out=many)
    indices = np.zeros(int(indptr[-1]), np.int32)
    share(list_edges, parts, workers)
    return indptr, indices
