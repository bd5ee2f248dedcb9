"""Kernel that gives messages their channels step by step: earliest arrival with the channels that are still free.

Used by `timetable`. Twin: `tests/naive/timetable.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I64

__all__ = ["Ways", "reserve"]


@kernel
def _free_step(mask, step):
    """The first step from `step` on in which a channel (bit k of mask: taken in step k) is free."""
    while (mask >> step) & 1:
        step += 1
    return step


class Ways(NamedTuple):
    """How one message gets to each router."""

    arrival: I64
    """(R,) the step by which it is there."""
    came: I64
    """(R,) the last channel, router * P + port."""
    queue: I64
    """(R P + 1, 2) room: router, next entry of the same step."""
    bucket: I64
    """(most + 2,) first entry of each step."""


@kernel
def _earliest(neighbor, taken, source, target, most, ways):
    """Earliest step by which a message can be at every router until it is at the target.

    Routers are settled in order of arrival. Equal arrivals keep the first found, so that the result does not depend on
    anything else.
    """
    arrival, came, queue, bucket = ways.arrival, ways.came, ways.queue, ways.bucket
    arrival[:] = most + 1
    bucket[:] = -1
    arrival[source], came[source] = 0, -1
    queue[0, 0], queue[0, 1] = source, -1
    bucket[0], entries = 0, 1
    ports = neighbor.shape[1]
    for step in range(most + 1):
        while bucket[step] >= 0:
            entry = bucket[step]
            bucket[step] = queue[entry, 1]
            here = queue[entry, 0]
            if arrival[here] != step:
                continue
            if here == target:
                return step
            for port in range(ports):
                there = neighbor[here, port]
                if there < 0:
                    continue
                after = _free_step(taken[here, port], step) + 1
                if after <= most and after < arrival[there] and entries < queue.shape[0]:
                    arrival[there], came[there] = after, here * ports + port
                    queue[entries, 0], queue[entries, 1] = there, bucket[after]
                    bucket[after] = entries
                    entries += 1
    return -1


@entry
def reserve(neighbor, sources, targets, most, taken, ways, hops):
    """Give each message in turn the earliest route that is left; rows [message, step, router, port] of `hops`.

    taken (R, P) int64: the steps in which a channel is used, as bits. Returns the number of hops, or -1 - message for a
    message that cannot arrive within `most` steps, or -1 - messages when `hops` is full.
    """
    count, ports = 0, neighbor.shape[1]
    for m in range(sources.size):
        step = _earliest(neighbor, taken, sources[m], targets[m], most, ways)
        if step < 0:
            return -1 - m
        here = targets[m]
        while here != sources[m]:
            router, port = ways.came[here] // ports, ways.came[here] % ports
            at = ways.arrival[here] - 1
            taken[router, port] |= 1 << at
            if count == hops.shape[0]:
                return -1 - sources.size
            hops[count, 0], hops[count, 1], hops[count, 2], hops[count, 3] = m, at, router, port
            count += 1
            here = router
    return count
