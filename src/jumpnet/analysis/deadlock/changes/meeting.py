"""Whether packets of the old routes and of the new ones can deadlock where they meet, at the moment of a fault.

A proof of either routing does not cover both together. But after a fault old routes live on only in the channels that
packets hold; every head is routed again from where it is. So the dependencies from then on are those of the new
routing, those of each packet in flight from a channel it holds to the next one, and those of its head from the channel
that it stands in to where the new routing leads it. When all these together are acyclic, no deadlock can come of the
fault (the argument of Dally and Seitz 1987 asks for no more than an order of the channels in which every packet waits
upwards). The use for a moment between two routings is ours. Called by `sim.faults.engine`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.rows.compressed_rows import holders, row_starts
from jumpnet.analysis.deadlock.walks.one_by_one import CHANNEL, HERE, follow_all, new_heads
from jumpnet.analysis.deadlock.walks.walkers import leaves_home_out
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import HEADER_FIELDS
from jumpnet.terms import I64

__all__ = ["Flight", "Meeting", "followed", "meeting"]

Edge = tuple[int, int]
"""From a channel that is held to one that is held or asked for next: (router * P + port) * V + vc as in `prove`."""


class Flight(NamedTuple):
    """What packets in flight hold and where their heads are, of one message class."""

    held: list[tuple[Edge, int]]
    """Two channels that a packet holds one after the other, and its number."""
    heads: list[tuple[int, int, I64, int]]
    """Channel in which a head stands (-1 at its source), router, its header there, and its number."""


class Meeting(NamedTuple):
    """What is known about deadlock from a fault on."""

    verdict: Literal["proved", "ring", "unproved"]
    """proved: all dependencies are acyclic, and the checker of certificates agrees. ring: they are not, so that packets
    may, not must, come to wait for each other. unproved: those of the new routing alone are not acyclic, or
    not all followed (`walks.walkers.leaves_home_out`)."""
    ring: tuple[int, ...]
    """Channels of a shortest cycle, in order."""
    packets: frozenset[int]
    """Numbers of the packets in flight that the cycle needs."""


def followed(bound: BoundRouting, heads: list[tuple[int, int, I64, int]]) -> I64 | None:
    """(E, 3) dependencies of heads from where they stand to their end: held, asked for, place in `heads`.

    None when one finds no route somewhere. The same one may come several times.
    """
    table = new_heads(len(heads))
    for row, (channel, here, head, _) in zip(table, heads, strict=True):
        row[:HEADER_FIELDS], row[CHANNEL], row[HERE] = head[:HEADER_FIELDS], channel, here
    found = follow_all(bound, table)
    return None if found is None else found.hops[found.hops[:, 0] >= 0]


def meeting(made: Dependencies, flight: Flight) -> Meeting:
    """Whether the dependencies of a routing and those of packets in flight are acyclic together.

    made: all dependencies of the new routing. Cost: the routes of the heads, and O(channels + dependencies).
    """
    bound = made.bound
    indptr, indices = made.rows
    size = len(indptr) - 1
    if order_or_cycle(indptr, indices).number is None or leaves_home_out(bound):
        return Meeting("unproved", (), frozenset())
    asked = followed(bound, flight.heads)
    if asked is None:
        return Meeting("unproved", (), frozenset())
    held = np.array([(*edge, row) for edge, row in flight.held], np.int64).reshape(-1, 3)
    asked[:, 2] = np.array([row for *_, row in flight.heads], np.int64)[asked[:, 2]]
    more = np.concatenate([held, asked])
    plain = holders(indptr) * size + indices
    both = np.union1d(plain, more[:, 0] * size + more[:, 1])
    holder, wanted = np.divmod(both, size)
    order = order_or_cycle(row_starts(holder, size), wanted)
    if order.number is not None:
        assert accepts(order.number, holder, wanted), "the checker refused our own certificate"
        return Meeting("proved", (), frozenset())
    assert order.cycle is not None
    ring = tuple(order.cycle.tolist())
    needed = set[int]()
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        if b not in indices[indptr[a] : indptr[a + 1]]:
            needed |= set(more[(more[:, 0] == a) & (more[:, 1] == b), 2].tolist())
    return Meeting("ring", ring, frozenset(needed))
