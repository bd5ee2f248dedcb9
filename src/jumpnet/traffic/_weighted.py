"""A choice among weighted entries by an integer draw: shared by hot spot and local traffic."""

from __future__ import annotations

from jumpnet.jit.linked import inlined

__all__ = ["pick"]


@inlined
def pick(cumulative, first, count, draw):
    """Index of the entry that a draw in 0..total-1 falls on; cumulative[first:first+count] are running totals."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[first + middle] > draw:
            high = middle
        else:
            low = middle + 1
    return low
