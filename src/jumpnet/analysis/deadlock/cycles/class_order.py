"""Why there is no cycle, in a few lines: classes of channels (kind of link, virtual channel) in an order that no
dependency goes back in, and how dependencies run within a class.

A certificate numbers every channel; this condenses it for a person. Called by `explain` and `changes.words`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.analysis.deadlock.rows.compressed_rows import components, row_starts, spans
from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["Group", "chain_levels", "class_groups", "longest_chain", "numbered_groups"]


@dataclass(frozen=True)
class Group:
    """Classes of channels between which dependencies go both ways, mostly a single one."""

    step: int
    """Dependencies lead to groups of a later step only, or stay within the group; counted from 1."""
    classes: tuple[str, ...]
    """Names of its classes, e.g. `dimension 0 +, vc 1`."""
    channels: int
    longest: int
    """Channels of its longest chain of dependencies; 1 when there are none within; 0 when rings of them are."""
    along: str
    """What changes one way along every dependency within, e.g. `coordinate 0 rises`; empty when nothing known does."""


def chain_levels(size: int, holder: I64, wanted: I64) -> I64:
    """(size,) dependencies on the longest chain that ends at each channel; -1 on rings and behind them.

    >>> chain_levels(4, np.array([0, 1, 3]), np.array([1, 2, 3])).tolist()
    [0, 1, 2, -1]
    """
    order = np.argsort(holder, kind="stable")
    after = wanted[order]
    first = row_starts(holder[order], size)
    left = np.bincount(wanted, minlength=size)
    level, front, reached = np.full(size, -1, np.int64), np.flatnonzero(left == 0), 0
    while front.size:
        level[front] = reached
        reached += 1
        counts = first[front + 1] - first[front]
        met, times = np.unique(after[spans(first[front], counts)], return_counts=True)
        left[met] -= times
        front = met[left[met] == 0]
    return level


def longest_chain(size: int, holder: I64, wanted: I64) -> list[int]:
    """Channels of a longest chain of dependencies that form no ring, in order.

    >>> longest_chain(4, np.array([0, 1, 3]), np.array([1, 2, 2]))
    [0, 1, 2]
    """
    level = chain_levels(size, holder, wanted)
    order = np.argsort(wanted, kind="stable")
    before, first = holder[order], row_starts(wanted[order], size)
    chain = [int(level.argmax())]
    while level[chain[0]] > 0:
        c = chain[0]
        held = before[first[c] : first[c + 1]]
        chain.insert(0, int(held[level[held] == level[c] - 1][0]))
    return chain


def class_groups(net: Network, vcs: int, used: Array, holder: I64, wanted: I64) -> tuple[Group, ...]:
    """Groups of classes by step; one group of many classes when no order of classes is informative.

    used: (C,) whether some packet may take a channel; holder[i] -> wanted[i] are the dependencies.
    """
    taken = np.flatnonzero(used)
    if not len(taken):
        return ()
    channel_class = np.full(len(used), -1, np.int64)
    channel_class[taken] = _class_of(net, vcs, taken)
    classes = len(net.class_names) * vcs
    pairs = np.unique(channel_class[holder] * classes + channel_class[wanted])
    before, after = pairs // classes, pairs % classes
    _, label = components(classes, before, after)
    across = label[before] != label[after]
    step = chain_levels(classes, label[before][across], label[after][across])
    group = np.where(channel_class >= 0, label[channel_class], -1)
    within = group[holder] == group[wanted]
    depth = chain_levels(len(used), holder[within], wanted[within])
    found = []
    for g in np.unique(group[taken]).tolist():
        here = taken[group[taken] == g]
        inner = within & (group[holder] == g)
        members = np.unique(channel_class[here])
        names = _named(net, vcs, members)
        longest = 0 if (depth[here] < 0).any() else int(depth[here].max()) + 1
        along = _along(net, vcs, holder[inner], wanted[inner]) if longest > 1 else ""
        found.append(Group(int(step[g]) + 1, names, len(here), longest, along))
    return tuple(sorted(found, key=lambda one: (one.step, one.classes)))


def _class_of(net: Network, vcs: int, channels: I64) -> I64:
    """The class of each channel: kind of link * vcs + virtual channel."""
    return np.asarray(net.link_class.reshape(-1)[channels // vcs].astype(np.int64) * vcs + channels % vcs)


def _named(net: Network, vcs: int, classes: I64) -> tuple[str, ...]:
    return tuple(f"{net.class_names[k // vcs]}, vc {k % vcs}" for k in classes.tolist())


def numbered_groups(net: Network, vcs: int, number: I64) -> tuple[Group, ...]:
    """The same from numbers (C,) by which dependencies ascend, where these are not listed; -1: a channel left out.

    Classes whose ranges of numbers meet are one group. `longest` is how many numbers a group has: no chain is longer.
    """
    taken = np.flatnonzero(number >= 0)
    kinds, place = np.unique(_class_of(net, vcs, taken), return_inverse=True)
    if not len(kinds):
        return ()
    least, most = np.full(len(kinds), number.max()), np.full(len(kinds), -1)
    np.minimum.at(least, place, number[taken])
    np.maximum.at(most, place, number[taken])
    order = np.argsort(least, kind="stable")
    apart = least[order][1:] > np.maximum.accumulate(most[order])[:-1]
    group = np.empty(len(kinds), np.int64)
    group[order] = np.concatenate([[0], np.cumsum(apart)])
    found = []
    for g in range(int(group.max()) + 1):
        here = taken[group[place] == g]
        longest = len(np.unique(number[here]))
        along = _rises(net, vcs, here, number[here]) if longest > 1 else ""
        found.append(Group(g + 1, _named(net, vcs, kinds[group == g]), len(here), longest, along))
    return tuple(found)


def _rises(net: Network, vcs: int, channels: I64, number: I64) -> str:
    """The coordinate that changes one way wherever the number ascends."""
    for d, coordinate in enumerate(net.coord[channels // (net.ports * vcs)].T):
        pairs = np.unique(np.stack([number, coordinate], axis=1), axis=0)
        change = np.diff(pairs[:, 1])
        if (np.diff(pairs[:, 0]) > 0).all() and ((change > 0).all() or (change < 0).all()):
            return f"coordinate {d} {'rises' if change[0] > 0 else 'falls'}"
    return ""


def _along(net: Network, vcs: int, holder: I64, wanted: I64) -> str:
    """What changes one way along all of some dependencies."""
    wide = net.ports * vcs
    change = net.coord[wanted // wide] - net.coord[holder // wide]
    for d in range(net.coord.shape[1]):
        for word, one_way in (("rises", change[:, d] > 0), ("falls", change[:, d] < 0)):
            if one_way.all():
                return f"coordinate {d} {word}"
    return ""
