"""Digit permutations: every coordinate of a full grid moves by an amount that depends on its side only.

Used by `neighbor` and `tornado`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._permutation import sides_of

__all__ = ["shifted"]


def shifted(net: Network, pattern: str, amount: Callable[[int], int]) -> I64:
    """(T,) destinations: the router moved by amount(side) in each dimension, the same terminal there."""
    sides = sides_of(net, pattern)
    router = np.zeros(net.routers, np.int64)
    size = 1
    for d, side in enumerate(sides):
        router += (net.coord[:, d] + amount(side)) % side * size
        size *= side
    each = int(net.terminals[0])
    return (router[:, None] * each + np.arange(each)).reshape(-1)
