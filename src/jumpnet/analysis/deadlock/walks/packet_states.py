"""The states of packets to one destination after another, as they are walked or as plain arrays.

Called by whoever asks something of all states of a small network: `conditions`, `waiting`, `changes`, `certificates`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.compressed_rows import holders, row_starts, spans
from jumpnet.analysis.deadlock.walks.packet_walk import (
    FAILURE,
    FULL,
    NODES,
    Job,
    Nodes,
    new_nodes,
    new_space,
    walk_alone,
)
from jumpnet.analysis.deadlock.walks.walkers import failed, more_nodes
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["Section", "Walk", "nearest_first", "sections", "walked"]


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

    @property
    def first(self) -> I64:
        """(n + 1,) the first way of each state."""
        return row_starts(self.ways[:, 0], len(self.router))

    def pairs(self) -> tuple[I64, I64]:
        """Every two ways that a packet may take one after the other."""
        first, after = self.first, self.ways[:, 3]
        many = first[after + 1] - first[after]
        return np.repeat(np.arange(len(after)), many), spans(first[after], many)


class Walk(NamedTuple):
    """The states of packets to one router as a walk finds them; valid until the next one."""

    sink: int
    source: int
    """The only source of these packets, -1 where they are of all."""
    nodes: Nodes
    filled: int
    """How many of the nodes there are."""

    @property
    def first(self) -> I64:
        """(n + 1,) the first edge of each node."""
        return self.nodes.first[: self.filled + 1]

    @property
    def edge(self) -> I64:
        """(m, 4) the edges, see `Nodes`."""
        return self.nodes.edge[: self.nodes.first[self.filled]]


def walked(
    bound: BoundRouting, job: Job, sinks: Iterable[int] | None = None, progress: Progress = silent
) -> Iterator[Walk]:
    """All packets, destination by destination (all if None), and source by source where the routing looks at that.

    Raises JumpnetError for a packet that is not delivered, which no proof has seen before where two routings are put
    together, and for states without end. Cost: one relation call per state.
    """
    space, words = new_space(bound.view.queues), (bound.network.ports * bound.vcs + 63) // 64
    nodes = new_nodes(1 << (4 * bound.network.routers).bit_length(), words)
    pointers = bound.pointer, bound.start_pointer, bound.view
    sinks = list(np.flatnonzero(bound.network.sinks > 0) if sinks is None else sinks)
    for done, sink in enumerate(map(int, sinks)):
        progress(done, len(sinks))
        for source in job.sources.tolist() if job.by_source else [-1]:
            if source == sink and not job.home:
                continue
            while True:
                walk_alone(*pointers, job, nodes, space, source, sink)
                if not space.counters[FULL]:
                    break
                nodes = more_nodes(bound, nodes, sink)
            if space.counters[FAILURE]:
                raise failed(bound, nodes, space, sink)
            yield Walk(sink, source, nodes, int(space.counters[NODES]))


def sections(
    bound: BoundRouting, job: Job, sinks: Iterable[int] | None = None, progress: Progress = silent
) -> Iterator[Section]:
    """The same as plain arrays, which last."""
    for walk in walked(bound, job, sinks, progress):
        key, edge = walk.nodes.key[: walk.filled], walk.edge
        arrival = np.where(key[:, 0] >= 0, key[:, 0], -1) if job.by_channel else np.full(len(key), -1)
        named = np.stack([key[:, 1], key[:, 2], arrival], axis=1)
        ways = np.stack([holders(walk.first), edge[:, 0], edge[:, 2] & 3, edge[:, 3]], axis=1)
        begins = walk.nodes.parent[: walk.filled] < 0
        yield Section(walk.sink, walk.source, key[:, 3].copy(), begins, named, ways)


def nearest_first(left: I64, after: I64, count: int) -> tuple[I64, I64]:
    """(n,) states by the hops that are left at least, so that a checker seldom looks twice; and the place of each."""
    order = np.argsort(_hops_left(left, after, count), kind="stable")
    new = np.empty(count, np.int64)
    new[order] = np.arange(count)
    return order, new


def _hops_left(left: I64, after: I64, count: int) -> I64:
    """(n,) least number of hops from each state to one without any."""
    far = np.full(count, count)
    far[np.bincount(left, minlength=count) == 0] = 0
    for step in range(1, count):
        nearer = left[(far[after] == step - 1) & (far[left] > step)]
        if not len(nearer):
            break
        far[nearer] = step
    return far
