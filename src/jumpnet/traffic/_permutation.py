"""What fixed permutations share: the table of destinations, and the checks on the number of terminals.

Used by every pattern that is a fixed permutation.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network

__all__ = ["bits_of", "destination", "sides_of"]


def destination(own, source, draw):
    """own[source] is the one destination of each source."""
    return own[source]


def bits_of(net: Network, pattern: str) -> int:
    """log2 of the number of terminals; raises JumpnetError when that is no power of two."""
    terminals = net.endpoints
    if terminals < 1 or terminals & (terminals - 1):
        raise JumpnetError(f"{pattern}: {terminals} terminals found in {net.spec}, a power of two expected")
    return terminals.bit_length() - 1


def sides_of(net: Network, pattern: str) -> tuple[int, ...]:
    """Side lengths of a full grid of routers with dimension 0 fastest; raises JumpnetError for any other network."""
    sides = tuple(int(s) for s in net.coord.max(axis=0) + 1)
    size = 1
    number = np.zeros(net.routers, np.int64)
    for d, side in enumerate(sides):
        number += net.coord[:, d].astype(np.int64) * size
        size *= side
    uneven = net.terminals.min() != net.terminals.max() or net.terminals.min() == 0
    if size != net.routers or uneven or (number != np.arange(net.routers)).any():
        raise JumpnetError(f"{pattern}: {net.spec} is no full grid of routers with equal terminals")
    return sides
