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

__all__ = ["Group", "chain_levels", "class_groups", "longest_chain"]


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
    channel_class = np.full(len(used), -1, np.int64)
    channel_class[taken] = net.link_class.reshape(-1)[taken // vcs].astype(np.int64) * vcs + taken % vcs
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
        names = tuple(f"{net.class_names[k // vcs]}, vc {k % vcs}" for k in members.tolist())
        longest = 0 if (depth[here] < 0).any() else int(depth[here].max()) + 1
        along = _along(net, vcs, holder[inner], wanted[inner]) if longest > 1 else ""
        found.append(Group(int(step[g]) + 1, names, len(here), longest, along))
    return tuple(sorted(found, key=lambda one: (one.step, one.classes)))


def _along(net: Network, vcs: int, holder: I64, wanted: I64) -> str:
    """What changes one way along all of some dependencies."""
    wide = net.ports * vcs
    change = net.coord[wanted // wide] - net.coord[holder // wide]
    for d in range(net.coord.shape[1]):
        for word, one_way in (("rises", change[:, d] > 0), ("falls", change[:, d] < 0)):
            if one_way.all():
                return f"coordinate {d} {word}"
    return ""
