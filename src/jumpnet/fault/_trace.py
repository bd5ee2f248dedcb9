"""Kernel: follow every wire from element to element through the switches. Knows nothing of how they were set.

Used by `configuration.py` and `_wafers.py` as the independent check; naive twin in `tests/naive/fault.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.decorator import jit
from jumpnet.jit.linked import kernel


@jit(inline="always")
def leaves(state, enters):
    """The terminal joined to `enters` in a switch of this state (0 open, 1 cross, 2 wn_se, 3 ws_ne), or -1.

    Four times the bits of the broken terminals (`breaks.py`) may be added to the state: they are joined to nothing.

    >>> [int(leaves(2, t)) for t in range(4)], int(leaves(0, 1))
    ([2, 3, 0, 1], -1)
    >>> [int(leaves(1 + 4 * 0b0010, t)) for t in range(4)]
    [-1, -1, 3, 2]
    """
    joined = state & 3
    if joined == 0:
        return -1
    exits = 3 - enters
    if joined < 3:
        exits = enters ^ joined
    broken = state >> 2
    if broken >> enters & 1 or broken >> exits & 1:
        return -1
    return exits


@kernel
def _follow(owner, states, x, g):
    """The wire from the east side of the element at (x, g): (reached, length, turns), as `trace` writes them."""
    height, width = owner.shape
    tracks = states.shape[2]
    t, enters, far, bent = 0, 0, 0, 0
    for _step in range(4 * (height + width) * (tracks + 1)):
        exits = leaves(states[g, x, t], enters)
        if exits < 0:
            break
        if exits >> 1 != enters >> 1:
            bent += 1
        if exits == 0:
            t -= 1
            if t < 0:
                break
            enters = 1
        elif exits == 1:
            t += 1
            enters = 0
            if t == tracks:
                far += 1
                g = g + 1 if g + 1 < width else 0
                t = 0
                if owner[x, g] >= 0:
                    return owner[x, g], far, bent
        else:
            x += 1 if exits == 3 else -1
            far += 1
            enters = 5 - exits
            if x < 0 or x >= height:
                break
    return -1, far, bent


@kernel
def trace(owner, place, states, reached, length, turns):
    """Follow the wire from the east side of every element; for the south sides, give all arrays transposed.

    owner (height, width): logical index on each element or -1 (conducts straight through). place (rings, along, 2).
    states (gaps, lines, tracks), with broken terminals as in `leaves`. reached (rings, along): logical index of the
    element whose west side the wire enters, -1 when it ends nowhere. length: segments between neighbouring elements or
    switches of a track, the wrap-around wire as one. turns: switches at which it turns.
    """
    for i in range(place.shape[0]):
        for j in range(place.shape[1]):
            reached[i, j], length[i, j], turns[i, j] = -1, 0, 0
            x, g = np.int64(place[i, j, 0]), np.int64(place[i, j, 1])
            if x >= 0:
                reached[i, j], length[i, j], turns[i, j] = _follow(owner, states, x, g)
