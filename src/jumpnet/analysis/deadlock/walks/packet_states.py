"""The states of packets to one destination after another, as plain arrays: for certificates, and for changeovers.

Called by `certificates.text` and `changeover`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import (
    EDGES,
    FAILURE,
    FULL,
    NODES,
    Job,
    new_nodes,
    new_space,
    walk_alone,
)
from jumpnet.analysis.deadlock.walks.walkers import failed, more_nodes
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["Section", "hops_left", "sections"]


class Section(NamedTuple):
    """The n states of packets to one router, and the m ways from one to another."""

    sink: int
    """-1 of packets that branch, each of which takes all its ways."""
    source: int
    """The only source of these packets, -1 where they are of all."""
    router: I64
    """(n,) where the packet is."""
    begins: Array
    """(n,) bool: whether packets begin so."""
    key: I64
    """(n, 3) STATE, INTERMEDIATE, and the channel of arrival where the routing looks at it, else -1."""
    ways: I64
    """(m, 4) state left, in ascending order; channel (router * P + port) * V + vc; kind; state entered."""


def sections(bound: BoundRouting, job: Job, sinks: I64 | None = None) -> Iterator[Section]:
    """The states of all packets, destination by destination, and source by source where the routing looks at that.

    sinks: the destinations in another order than that of the routers. Raises JumpnetError for a packet that is not
    delivered, which no proof has seen before where two routings are put together, and for states without end. Cost: one
    relation call per state.
    """
    space, words = new_space(bound.view.queues), (bound.network.ports * bound.vcs + 63) // 64
    nodes = new_nodes(1 << (4 * bound.network.routers).bit_length(), words)
    count = space.counters
    for sink in (np.flatnonzero(bound.network.sinks > 0) if sinks is None else sinks).tolist():
        for source in job.sources.tolist() if job.by_source else [-1]:
            if source == sink and not job.home:
                continue
            while True:
                walk_alone(bound.pointer, bound.start_pointer, bound.view, job, nodes, space, source, sink)
                if not count[FULL]:
                    break
                nodes = more_nodes(bound, nodes, sink)
            if count[FAILURE]:
                raise failed(bound, nodes, space, sink)
            found, edges = int(count[NODES]), nodes.edge[: int(count[EDGES])]
            left = np.repeat(np.arange(found), np.diff(nodes.first[: found + 1]))
            key, kind = nodes.key[:found], edges[:, 2] & 3
            arrival = np.where(key[:, 0] >= 0, key[:, 0], -1) if job.by_channel else np.full(found, -1)
            named = np.stack([key[:, 1], key[:, 2], arrival], axis=1)
            ways = np.stack([left, edges[:, 0], kind, edges[:, 3]], axis=1)
            yield Section(sink, source, key[:, 3].copy(), nodes.parent[:found] < 0, named, ways)


def hops_left(left: I64, after: I64, count: int) -> I64:
    """(n,) least number of hops from each state to one without any."""
    far = np.full(count, count)
    far[np.bincount(left, minlength=count) == 0] = 0
    for step in range(1, count):
        nearer = left[(far[after] == step - 1) & (far[left] > step)]
        if not len(nearer):
            break
        far[nearer] = step
    return far
