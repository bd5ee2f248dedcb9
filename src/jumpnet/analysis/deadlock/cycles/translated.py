"""A shortest cycle of a dependency graph that looks alike from every router, without a list of its dependencies.

Where every port adds a number to one coordinate, modulo its side, and channels of a port and virtual channel have the
same dependencies everywhere (`dimensions.translation`), any cycle moves to one through a channel of router 0. So it is
looked for from these alone, in both directions, level by level; and when a port and virtual channel has been tried at
router 0, no other channel of that class can be on a shorter one. Called by `prove`; twin: `order.order_or_cycle`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import are_set
from jumpnet.terms import I32, I64, Array

__all__ = ["classes_that_follow", "translated_cycle"]


def classes_that_follow(bits: Array, classes: int) -> Array:
    """(K, K) bool: which class, port * vcs + vc, may be wanted after which, as router 0's channels say; bits (C, W).

    >>> classes_that_follow(np.array([[2], [1], [2], [1]], np.uint64), 2).tolist()
    [[False, True], [True, False]]
    """
    return are_set(bits[:classes], classes)


def translated_cycle(neighbor: I32, vcs: int, follows: Array) -> I64 | None:
    """Channels (router * P + port) * vcs + vc of a shortest cycle, in order; None where there is none.

    neighbor (R, P): every port leads to as many routers as there are; follows (K, K) bool: as above. Cost: for each
    class of channels two balls of half the cycle's length; where there is no cycle, a closure of the classes.

    >>> ring = np.array([[1], [2], [3], [0]], np.int32)
    >>> translated_cycle(ring, 1, np.array([[True]])).tolist()
    [0, 1, 2, 3]
    """
    ahead, behind = _Side(neighbor, vcs, follows, True), _Side(neighbor, vcs, follows, False)
    best: I64 | None = None
    for channel_class in np.flatnonzero(_closure(follows).diagonal()).tolist():
        met = _through(channel_class, ahead, behind, len(ahead.depth) + 1 if best is None else len(best))
        if met is not None:
            best = np.array([*reversed(ahead.way(met[0])), *behind.way(met[1])[:-1]], np.int64)
        ahead.leave(channel_class)
        behind.leave(channel_class)
    return best


def _closure(follows: Array) -> Array:
    """Which class leads to which in one step or more."""
    reach, many = follows.copy(), -1
    while many < (many := int(reach.sum())):
        steps = reach.astype(np.float32)
        reach |= steps @ steps > 0
    return reach


class _Side:
    """A breadth-first search from a channel of router 0, along the dependencies or against them."""

    def __init__(self, neighbor: I32, vcs: int, follows: Array, forward: bool) -> None:
        self.forward, self.classes = forward, len(follows)
        self.to = np.repeat(neighbor if forward else np.argsort(neighbor, axis=0), vcs, axis=1)
        """(R, K) the router that a channel of each class leads to; against them, the one that it comes from."""
        self.follows = follows.copy() if forward else follows.T.copy()
        self.depth = np.full(self.to.size, -1, np.int32)
        self.before = np.zeros(self.to.size, np.int64)
        """The channel from which each was found."""
        self.level = np.zeros(0, np.int64)
        self._met: list[I64] = []

    def begin(self, channel: int) -> None:
        """Stand at one channel."""
        self.level = np.array([channel])
        self.depth[channel], self._met = 0, [self.level]

    def step(self, other: _Side) -> tuple[int, int] | None:
        """Find the next level; a dependency to where the other side has been ends it."""
        router, channel_class = np.divmod(self.level, self.classes)
        which, found = np.nonzero(self.follows[channel_class])
        far = self.to[router[which], channel_class[which] if self.forward else found]
        channel = far.astype(np.int64) * self.classes + found
        hits = np.flatnonzero(other.depth[channel] >= 0)
        if len(hits):
            one, two = int(self.level[which[hits[0]]]), int(channel[hits[0]])
            return (one, two) if self.forward else (two, one)
        new = np.flatnonzero(self.depth[channel] < 0)
        self.before[channel[new]] = self.level[which[new]]
        self.level = np.unique(channel[new])
        self.depth[self.level] = len(self._met)
        self._met.append(self.level)
        return None

    def way(self, channel: int) -> list[int]:
        """The channels from one that was met back to where the search began."""
        found = [channel]
        while self.depth[found[-1]] > 0:
            found.append(int(self.before[found[-1]]))
        return found

    def leave(self, channel_class: int) -> None:
        """Forget the search, and never again come to channels of a class."""
        self.depth[np.concatenate(self._met)] = -1
        self.follows[:, channel_class] = False


def _through(channel_class: int, ahead: _Side, behind: _Side, bound: int) -> tuple[int, int] | None:
    """A dependency that closes a shortest cycle through router 0's channel of a class, if it has less than `bound`."""
    for side in (ahead, behind):
        side.begin(channel_class)
    for _ in range(1, bound):
        if not len(ahead.level) or not len(behind.level):
            return None
        near, far = (ahead, behind) if len(ahead.level) <= len(behind.level) else (behind, ahead)
        met = near.step(far)
        if met is not None:
            return met
    return None
