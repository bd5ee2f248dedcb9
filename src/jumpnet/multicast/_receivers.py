"""Kernels over many sets of destinations: look the digits up, find the top rank, call the scheme's closed form.

Naive twin: tests/naive/multicast.py. Called by `receivers` and `sample`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.multicast._scheme import call_count
from jumpnet.terms import I64

__all__ = ["Tables", "address_set", "count_sets"]


class Tables(NamedTuple):
    """What kernels read of `Territories`, whose fields and properties have these names."""

    rank_of: I64
    packed: I64
    shifts: I64
    side: int
    n: int
    stride: int


@kernel
def address_set(tables, x, y, to, k, digits):
    """Digits of k destinations (routers) from a source at (x, y); returns the top rank, or -1 when one is outside."""
    rank_of, packed, shifts, side, n, _ = tables
    row = y // n
    kind = (y - row * n) * (2 * n) + (x - row * n) % (2 * n)
    for top in range(shifts.shape[1]):
        ox, oy = x + shifts[kind, top, 0], y + shifts[kind, top, 1]
        held = 0
        while held < k:
            offset = (to[held] // side - oy) % side * side + (to[held] % side - ox) % side
            if rank_of[offset] < 0 or rank_of[offset] > top:
                break
            digits[held] = packed[offset]
            held += 1
        if held == k:
            return top
    return -1


@entry(allocates=True)
def count_sets(count, tables, sources, destinations, out, tops):
    """Receivers and top rank of each row of destinations."""
    k, side, n = destinations.shape[1], tables.side, tables.n
    digits = np.empty(k, np.int64)
    for s in range(len(sources)):
        x, y = sources[s] % side, sources[s] // side
        top = address_set(tables, x, y, destinations[s], k, digits)
        tops[s] = top
        out[s] = call_count(count, digits, k, top, tables.stride, 2 * n * n) if top >= 0 else -1
