"""Kernels of placement: the exact change of cost by a swap, threshold accepting, and descent to where no swap helps.

Item k < len(weights) is a process, others are empty places; `slot[k]` is where it is. Integers only, so that the result
is the same everywhere. Naive twin: tests/naive/placement.py. Called by `place`.
"""

from jumpnet.jit.linked import entry, kernel
from jumpnet.jit.random import below, draw63

__all__ = ["accept", "descend", "swap_change"]


@kernel
def _moved(weights, distances, slot, r, s, to):
    """Change of the cost between item r and all but s, when r moves to a slot."""
    here, change = slot[r], 0
    for k in range(len(weights)):
        if k != r and k != s:
            at = slot[k]
            change += weights[r, k] * (distances[to, at] - distances[here, at])
            change += weights[k, r] * (distances[at, to] - distances[at, here])
    return change


@kernel
def swap_change(weights, distances, slot, r, s):
    """Change of the cost when two items swap slots, exactly; item r is a process."""
    i, j = slot[r], slot[s]
    change = _moved(weights, distances, slot, r, s, j)
    if s < len(weights):
        change += _moved(weights, distances, slot, s, r, i)
        change += (weights[r, s] - weights[s, r]) * (distances[j, i] - distances[i, j])
    return change


@entry
def accept(weights, distances, slot, key, proposals, threshold):
    """Swaps drawn at random, taken when they cost less than a threshold that sinks to nothing."""
    for step in range(proposals):
        r = below(draw63(key, 2 * step), len(weights))
        s = below(draw63(key, 2 * step + 1), len(slot))
        if r != s:
            limit = threshold * (proposals - step) // proposals
            if swap_change(weights, distances, slot, r, s) < limit:
                slot[r], slot[s] = slot[s], slot[r]


@entry
def descend(weights, distances, slot):
    """Take every swap that helps, in order, until none does."""
    better = True
    while better:
        better = False
        for r in range(len(weights)):
            for s in range(r + 1, len(slot)):
                if swap_change(weights, distances, slot, r, s) < 0:
                    slot[r], slot[s] = slot[s], slot[r]
                    better = True
