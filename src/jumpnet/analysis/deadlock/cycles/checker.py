"""The checker of acyclicity certificates: small, and independent of what made them.

A certificate numbers the channels; if every dependency goes from a lower to a higher number there is no cycle (Dally
and Seitz 1987, theorem 1). With bubble flow control dependencies along a ring may stay at one number
(`conditions.bubble` has the argument). Called by whoever has found numbers, and by users who received a certificate
from someone else.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from jumpnet.analysis.deadlock.cycles._ascends import ascends
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.process.threads import share, slices
from jumpnet.terms import I64, Array

__all__ = ["accepts", "accepts_bits", "accepts_pieces", "accepts_rings", "accepts_rows"]


@public
def accepts(number: I64, holder: I64, wanted: I64) -> bool:
    """Whether every dependency holder[i] -> wanted[i] ascends in `number` (one number a channel).

    >>> import numpy as np
    >>> accepts(np.array([0, 2, 1]), np.array([0, 2]), np.array([2, 1]))
    True
    >>> accepts(np.array([0, 2, 1]), np.array([0, 1]), np.array([2, 2]))
    False
    """
    number, holder, wanted = map(np.asarray, (number, holder, wanted))
    if any(array.ndim != 1 or (array.size and array.dtype.kind not in "iu") for array in (number, holder, wanted)):
        kinds = ", ".join(str(array.dtype) for array in (number, holder, wanted))
        raise JumpnetError(f"rows of {kinds} found, whole numbers expected")
    if len(holder) != len(wanted):
        return False
    for ends in (holder, wanted):
        if ends.size and not 0 <= ends.min() <= ends.max() < len(number):
            return False
    for part in range(0, len(holder), 1 << 22):
        piece = slice(part, part + (1 << 22))
        if not (number[holder[piece]] < number[wanted[piece]]).all():
            return False
    return True


def accepts_rows(number: I64, indptr: I64, wanted: I64) -> bool:
    """As `accepts`; the dependencies of channel c are wanted[indptr[c]:indptr[c + 1]], of which there may be many.

    >>> import numpy as np
    >>> accepts_rows(np.array([0, 2, 1]), np.array([0, 1, 1, 2]), np.array([2, 1]))
    True
    >>> accepts_rows(np.array([0, 2, 1]), np.array([0, 0, 1, 2]), np.array([2, 1]))
    False
    """
    if len(indptr) != len(number) + 1 or indptr[0] != 0 or indptr[-1] != len(wanted) or (np.diff(indptr) < 0).any():
        return False
    for first in range(0, len(number), 1 << 18):
        ends = indptr[first : first + (1 << 18) + 1]
        holders = np.repeat(number[first : first + (1 << 18)], np.diff(ends))
        if not (holders < number[wanted[ends[0] : ends[-1]]]).all():
            return False
    return True


def accepts_bits(number: I64, bits: Array, base: I64, workers: int = 1) -> bool:
    """As `accepts`; bit b of row c of bits (C, W) uint64 is the dependency of channel c on channel base[c] + b.

    Threads share the rows.

    >>> import numpy as np
    >>> accepts_bits(np.array([0, 2, 1]), np.array([[0b110], [0], [0b10]], np.uint64), np.zeros(3, np.int64))
    True
    >>> accepts_bits(np.array([0, 2, 1]), np.array([[0b110], [0b100], [0]], np.uint64), np.zeros(3, np.int64))
    False
    """
    if not len(number) == len(bits) == len(base):
        return False

    def ascend(part: slice) -> bool:
        """Whether those of some rows do."""
        return bool(ascends(number, part.start, bits[part], base[part]))

    return all(share(ascend, slices(len(bits), workers), workers))


def accepts_pieces(number: I64, pieces: Iterable[tuple[Array, I64]]) -> bool:
    """As `accepts_bits`, of some rows after others (bits (B, W), base (B,)), which must be those of all channels.

    >>> import numpy as np
    >>> rows = np.array([[0b110], [0], [0b10]], np.uint64)
    >>> parts = [(rows[:1], np.zeros(1, np.int64)), (rows[1:], np.zeros(2, np.int64))]
    >>> accepts_pieces(np.array([0, 2, 1]), parts), accepts_pieces(np.array([0, 2, 1]), parts[:1])
    (True, False)
    """
    first = 0
    for bits, base in pieces:
        if len(bits) != len(base) or first + len(bits) > len(number) or not ascends(number, first, bits, base):
            return False
        first += len(bits)
    return first == len(number)


def accepts_rings(number: I64, holder: I64, wanted: I64, enters: Array, unmarked: Array) -> bool:
    """Whether every dependency ascends in `number`, or stays equal as the bubble condition allows.

    enters: whether dependency i is marked ENTERS. unmarked: whether packets may come to a channel from a terminal
    without that mark. Dependencies between equal numbers must not be marked, and lead from each channel to one at most,
    and to each from one at most; into a channel that one of them leads to, all other ways must be marked.

    >>> none, ring = np.zeros(3, bool), (np.array([0, 0, 0]), np.array([0, 1, 2]), np.array([1, 2, 0]))
    >>> accepts_rings(*ring, none, none), accepts_rings(*ring, none, np.arange(3) == 1)
    (True, False)
    """
    if not len(holder) == len(wanted) == len(enters):
        return False
    along = number[holder] == number[wanted]
    if (number[holder] > number[wanted]).any() or enters[along].any():
        return False
    if any(len(np.unique(end[along])) < along.sum() for end in (holder, wanted)):
        return False
    in_ring = np.zeros(len(number), bool)
    in_ring[wanted[along]] = True
    return not (in_ring[wanted[~along & ~enters]].any() or (in_ring & unmarked).any())
