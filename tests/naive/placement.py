"""Naive twin of `jumpnet.machine.place`: the cost added up anew, and the swap that is tried."""

from __future__ import annotations


def cost(weights, distances, slot):
    """Weight times distance over all ordered pairs of processes."""
    items = range(len(weights))
    return sum(int(weights[a][b]) * int(distances[slot[a]][slot[b]]) for a in items for b in items)


def change(weights, distances, slot, r, s):
    """What a swap changes."""
    swapped = list(slot)
    swapped[r], swapped[s] = swapped[s], swapped[r]
    return cost(weights, distances, swapped) - cost(weights, distances, slot)


def accepted(weights, distances, slot, draws, threshold):
    """Slots after swaps drawn as pairs, each taken where it changes the cost by less than the threshold, which sinks
    evenly to nothing."""
    slot = list(slot)
    for step, (r, s) in enumerate(draws):
        if r != s and change(weights, distances, slot, r, s) < threshold * (len(draws) - step) // len(draws):
            slot[r], slot[s] = slot[s], slot[r]
    return slot
