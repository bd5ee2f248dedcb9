"""A minimal knot, from which no channel can be left out: the few packets that a deadlock of an adaptive routing needs.

`knots` decides whether there is one, by the largest; here it is reduced as long as a knot is left. Called by
`who_waits`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.waiting._sightings import distances_to
from jumpnet.analysis.deadlock.waiting.knots import awaited_sets
from jumpnet.analysis.deadlock.walks.waits import Waits, find_knot
from jumpnet.terms import Array

__all__ = ["minimal_knot"]

MOST_TRIES = 400
"""Searches for a knot in what is left, from one router; where more are needed, the knot found may not be minimal."""
MOST_CENTRES = 4
"""Routers about which a knot is looked for; the smallest of those found is taken."""


def minimal_knot(made: Dependencies, near: list[int], progress: Progress = silent) -> Array:
    """(C,) bool: channels that packets can hold each of which waits only for channels of the set; none when free.

    near: routers about which a small one is looked for. Cost: that of `dependencies` again, and O(sets of awaited
    channels) for each part that is tried to be left out.
    """
    waits = awaited_sets(made, progress)
    whole = _knot_in(waits, made, made.used.astype(bool))
    return min((_thinned(waits, made, whole, router) for router in near[:MOST_CENTRES]), key=np.count_nonzero)


def _thinned(waits: Waits, made: Dependencies, held: Array, centre: int) -> Array:
    """A knot within another from which no channel can be left out; those far from a router are left out first."""
    net = made.bound.network
    far = np.repeat(distances_to(net, np.array([centre])), net.ports * made.bound.vcs)
    part, tries = -(-int(held.sum()) // 2), 0
    while part and tries < MOST_TRIES:
        channels = np.flatnonzero(held)
        channels = channels[np.argsort(-far[channels], kind="stable")]
        for first in range(0, len(channels), part):
            tries += 1
            fewer = held.copy()
            fewer[channels[first : first + part]] = False
            fewer = _knot_in(waits, made, fewer)
            if fewer.any():
                held = fewer
                break
        else:
            part //= 2
    return held


def _knot_in(waits: Waits, made: Dependencies, among: Array) -> Array:
    """The largest knot among some channels."""
    held = among.astype(np.uint8)
    find_knot(waits, made.base, held)
    return held.astype(bool)
