"""Packets seen on given channels: the walks of a proof once more, those that begin and end near the channels first.

Called by `witnesses` and `minimal_knot`. A sighting is a row of edges of one walk: packets to one destination that take
a channel.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.progress import Progress
from jumpnet.analysis.deadlock.walks.packet_states import walked
from jumpnet.analysis.deadlock.walks.packet_walk import Job, Nodes
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64, Array

__all__ = ["Sighting", "depths", "distances_to", "sightings"]


class Sighting(NamedTuple):
    """Packets to one destination that take channels asked for."""

    destination: int
    nodes: Nodes
    """The walk; valid until the next sighting."""
    near: bool
    """Whether only packets that enter where one of the channels begins were followed."""
    filled: int
    """Nodes of the walk."""
    node: I64
    """(k,) node that each edge leaves."""
    edge: I64
    """(k,) edges by one of the channels."""


def distances_to(net: Network, begin: I64) -> I64:
    """(R,) hops from the nearest of some routers; far away where there is no way."""
    far = np.full(net.routers, net.routers, np.int64)
    far[begin], front, hops = 0, begin, 0
    while front.size:
        hops += 1
        reached = np.unique(net.neighbor[front])
        front = reached[(reached >= 0) & (far[reached] == net.routers)]
        far[front] = hops
    return far


def _jobs(bound: BoundRouting, begun: Job | None, near: I64) -> list[Job]:
    """Packets of the routers where the channels begin, by the draws looked at; then all that are looked at."""
    every = job_of(bound)
    first = np.intersect1d(near, every.sources).astype(np.int32)
    if begun is None:
        return [every._replace(sources=first), every] if first.size else [every]
    return [begun._replace(sources=first), begun] if 0 < first.size < begun.sources.size else [begun]


def sightings(
    bound: BoundRouting, channels: Array, progress: Progress, to: I32 | None = None, begun: Job | None = None
) -> Iterator[Sighting]:
    """Every packet that takes one of some channels (C,) bool: first those that enter where one of them begins.

    Destinations near the channels come first, so that a search for one packet ends soon. `to`, `begun`: which
    destinations there are, and where (if they do not enter there) and by which draws packets begin; all without.
    """
    net = bound.network
    begin = np.unique(np.flatnonzero(channels) // (net.ports * bound.vcs))
    sinks = np.flatnonzero(net.sinks > 0) if to is None else to
    sinks = sinks[np.argsort(distances_to(net, begin)[sinks], kind="stable")]
    jobs = _jobs(bound, begun, begin)
    for before, job in enumerate(jobs):
        told = partial(_told, progress, before * len(sinks), len(jobs) * len(sinks))
        for walk in walked(bound, job, sinks, told):
            found = np.flatnonzero(channels[walk.edge[:, 0]])
            if found.size:
                node = np.searchsorted(walk.first, found, side="right") - 1
                yield Sighting(walk.sink, walk.nodes, job is not jobs[-1], walk.filled, node, found)


def _told(progress: Progress, before: int, whole: int, done: int, _: int) -> None:
    progress(before + done, whole)


def depths(parent: Array) -> I64:
    """(n,) hops of each node from the one without parent above it.

    >>> depths(np.array([-1, 0, 1, -1])).tolist()
    [0, 1, 2, 0]
    """
    above = parent.astype(np.int64)
    depth = (above >= 0).astype(np.int64)  # to the one `above`, which is twice as far away each time
    while (above >= 0).any():
        depth += np.where(above >= 0, depth[above], 0)
        above = np.where(above >= 0, above[above], -1)
    return depth
