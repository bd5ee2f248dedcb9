"""Offers of channels, the cheapest first: a binary heap in an array.

Python's `heapq` needs a list, and code that makes lists runs with Numba alone, a third of a second at every start.
Called by the kernel of `nue`, which has the naive twin.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.jit.linked import kernel
from jumpnet.terms import I64

__all__ = ["Offers", "put_offer", "take_offer"]


class Offers(NamedTuple):
    """A heap of at most C offers."""

    rows: I64
    """(C, 3) cost, router and port of each; a row comes before those at twice its place, plus one and plus two."""
    held: I64
    """(1,) how many there are."""


@kernel
def _comes_before(rows, i, j):
    """Whether the offer of row i is the cheaper one; of equal cost the lower router, then the lower port."""
    for k in range(2):
        if rows[i, k] != rows[j, k]:
            return rows[i, k] < rows[j, k]
    return rows[i, 2] < rows[j, 2]


@kernel
def _swap(rows, i, j):
    """Rows i and j (offer, 3) change places."""
    for k in range(3):
        rows[i, k], rows[j, k] = rows[j, k], rows[i, k]


@kernel
def put_offer(offers, cost, router, port):
    """Add an offer."""
    rows, at = offers.rows, offers.held[0]
    rows[at, 0], rows[at, 1], rows[at, 2] = cost, router, port
    offers.held[0] += 1
    while at > 0 and _comes_before(rows, at, (at - 1) // 2):
        _swap(rows, at, (at - 1) // 2)
        at = (at - 1) // 2


@kernel
def take_offer(offers):
    """Cost, router and port of the cheapest offer, which goes."""
    rows = offers.rows
    offers.held[0] -= 1
    last, at = offers.held[0], 0
    _swap(rows, 0, last)
    while 2 * at + 1 < last:
        below = 2 * at + 1
        if below + 1 < last and _comes_before(rows, below + 1, below):
            below += 1
        if not _comes_before(rows, below, at):
            break
        _swap(rows, at, below)
        at = below
    return rows[last, 0], rows[last, 1], rows[last, 2]
