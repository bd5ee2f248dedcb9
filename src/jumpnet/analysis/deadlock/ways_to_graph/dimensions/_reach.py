"""Kernels: from which coordinates of one dimension a packet comes to which, by target coordinate, as bits.

Called by `escapes`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.decorator import jit

__all__ = ["bits_of", "reachable", "ways_between"]


@jit
def reachable(indptr, indices, order, side):
    """(side^2, W) uint64: bit y of row e * side + x is set when hops lead from x to y, none of them too.

    indptr, indices: the hops as `moves.edges` gives them; order: nodes so that every hop leads to a later one.
    """
    reach = np.zeros((side * side, (side + 63) // 64), np.uint64)
    for i in range(order.size - 1, -1, -1):
        node = order[i]
        x = node % side
        reach[node, x >> 6] |= np.uint64(1) << np.uint64(x & 63)
        for j in range(indptr[node], indptr[node + 1]):
            for w in range(reach.shape[1]):
                reach[node, w] |= reach[indices[j], w]
    return reach


@jit
def bits_of(mask):
    """(side, W) uint64: bit y of row e is set where mask[y, e] is."""
    side = mask.shape[0]
    bits = np.zeros((side, (side + 63) // 64), np.uint64)
    for y in range(side):
        for e in range(side):
            if mask[y, e]:
                bits[e, y >> 6] |= np.uint64(1) << np.uint64(y & 63)
    return bits


@jit
def ways_between(begin, move, reach, end):
    """(side, W) uint64: bit y of row x is set when some target leads a packet from x, by `move` first, to y.

    begin (side, side) bool: coordinate and target's where it starts; end (side, W): `bits_of` those where it may stop.
    """
    side = begin.shape[0]
    found = np.zeros((side, end.shape[1]), np.uint64)
    for x in range(side):
        for e in range(side):
            if begin[x, e]:
                for w in range(end.shape[1]):
                    found[x, w] |= reach[e * side + move[x], w] & end[e, w]
    return found
