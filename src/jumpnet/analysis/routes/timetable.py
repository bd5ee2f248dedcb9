"""Timetables without conflict: many messages at once, a channel carrying one message in a step.

Messages wait at routers as long as they need to (stored whole, as the RDT paper counts steps). Each in turn takes the
route on which it arrives first with the channels that are free: a real schedule, not always the shortest. Source: the
question is yang2001rdt section IV.C.f, "these transfers are performed without any conflict". Called by the report.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.routes._timetable import Ways, reserve
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = ["MOST_STEPS", "Timetable", "check", "timetable"]

MOST_STEPS = 60
"""Steps of the longest timetable: a channel's steps are the bits of a word."""


class Timetable(NamedTuple):
    """Which message uses which channel in which step."""

    hops: I64
    """(K, 4) rows [message, step, router, port]."""
    steps: int
    """Steps until the last message has arrived."""
    longest: int
    """Hops of the longest route."""


def timetable(net: Network, sources: I64, targets: I64, order: I64 | None = None) -> Timetable:
    """Routes and steps for messages from sources[k] to targets[k], (K,) routers each, taken in `order` (all of 0..K-1).

    Raises JumpnetError for arrays that do not match, and when a message would take more than `MOST_STEPS` steps. Cost:
    a search of the routers near enough for each message.

    >>> from jumpnet.topology import build
    >>> ring = build("torus:4")
    >>> made = timetable(ring, np.arange(4), (np.arange(4) + 2) % 4)
    >>> made.steps, made.longest, len(made.hops)
    (2, 2, 8)
    """
    sources, targets = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    if sources.shape != targets.shape or sources.ndim != 1:
        raise JumpnetError(f"{sources.size} sources and {targets.size} targets found, as many of both expected")
    order = np.arange(sources.size) if order is None else np.asarray(order, np.int64)
    if not np.array_equal(np.sort(order), np.arange(sources.size)):
        raise JumpnetError(f"an order of {order.size} messages found, each of 0..{sources.size - 1} once expected")
    R, P = net.neighbor.shape
    taken, arrival, came = np.zeros((R, P), np.int64), np.zeros(R, np.int64), np.zeros(R, np.int64)
    queue, bucket = np.zeros((R * P + 1, 2), np.int64), np.zeros(MOST_STEPS + 2, np.int64)
    hops = np.zeros((sources.size * MOST_STEPS, 4), np.int64)
    ways = Ways(arrival, came, queue, bucket)
    count = reserve(net.neighbor, sources[order], targets[order], MOST_STEPS, taken, ways, hops)
    if count < 0:
        raise JumpnetError(f"{net.spec}: message {-1 - count} does not arrive within {MOST_STEPS} steps")
    made = hops[:count].copy()
    made[:, 0] = order[made[:, 0]]
    longest = int(np.bincount(made[:, 0]).max()) if count else 0
    return Timetable(made, int(made[:, 1].max()) + 1 if count else 0, longest)


def check(net: Network, made: Timetable, sources: I64, targets: I64) -> None:
    """Raises JumpnetError unless no channel is used twice in a step and every message gets where it should, in order.

    >>> from jumpnet.topology import build
    >>> ring = build("torus:4")
    >>> check(ring, timetable(ring, np.arange(4), (np.arange(4) + 1) % 4), np.arange(4), (np.arange(4) + 1) % 4)
    """
    slots = made.hops[:, 1:]
    if len(np.unique(slots, axis=0)) != len(slots):
        raise JumpnetError(f"{net.spec}: a channel found that two messages use in one step")
    place, last = np.array(sources, np.int64), np.full(len(sources), -1)
    for message, step, router, port in made.hops[np.lexsort((made.hops[:, 1], made.hops[:, 0]))].tolist():
        if place[message] != router or step <= last[message]:
            raise JumpnetError(f"{net.spec}: message {message} found at {place[message]}, at {router} expected")
        place[message], last[message] = net.neighbor[router, port], step
    if not np.array_equal(place, targets):
        raise JumpnetError(f"{net.spec}: {int((place != targets).sum())} messages found at other routers than theirs")
