"""Whether packets of the old routes and of the new ones can deadlock where they meet, at the moment of a fault.

A proof of either routing does not cover both together. But after a fault old routes live on only in the channels that
packets hold; every head is routed again from where it is. So the dependencies from then on are those of the new
routing, those of each packet in flight from a channel it holds to the next one, and those of its head from the channel
that it stands in to where the new routing leads it. When all these together are acyclic, no deadlock can come of the
fault (the argument of Dally and Seitz 1987 asks for no more than an order of the channels in which every packet waits
upwards). The use for a moment between two routings is ours. Called by `sim.faults.engine`.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.jit.linked import entry
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, NEXT_STATE, PORT, STATE, VC, call, new_out
from jumpnet.terms import I64

__all__ = ["Flight", "Meeting", "meeting"]

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
    may, not must, come to wait for each other. unproved: those of the new routing alone are not acyclic."""
    ring: tuple[int, ...]
    """Channels of a shortest cycle, in order."""
    packets: frozenset[int]
    """Numbers of the packets in flight that the cycle needs."""


@entry
def _ask(relation, view, here, head, out):
    """Candidates of a packet with this header."""
    return call(relation, view, here, head, out)


def _follow(bound: BoundRouting, channel: int, here: int, head: I64, seen: set[Any], edges: set[Edge]) -> bool:
    """Add every dependency of a head from where it stands to its end; False when it finds no route somewhere."""
    net, out, todo = bound.network, new_out(), [(channel, here, head)]
    while todo:
        channel, here, head = todo.pop()
        key = channel, here, head.tobytes()
        if key in seen:
            continue
        seen.add(key)
        count = int(_ask(bound.pointer, bound.view, here, head, out))
        if count < 0 or (count == 0 and here != head[DESTINATION]):
            return False
        for port, vc, state in out[:count, [PORT, VC, NEXT_STATE]].tolist():
            after = (here * net.ports + port) * bound.vcs + vc
            if channel >= 0:
                edges.add((channel, after))
            onward = head.copy()
            onward[[STATE, IN_PORT, IN_VC]] = state, net.far_port[here, port], vc
            todo.append((after, int(net.neighbor[here, port]), onward))
    return True


def meeting(made: Dependencies, flight: Flight) -> Meeting:
    """Whether the dependencies of a routing and those of packets in flight are acyclic together.

    made: all dependencies of the new routing. Cost: the routes of the heads, and O(channels + dependencies).
    """
    bound = made.bound
    indptr, indices = made.rows
    size = len(indptr) - 1
    if order_or_cycle(indptr, indices).number is None:
        return Meeting("unproved", (), frozenset())
    of: dict[Edge, set[int]] = {}
    for edge, row in flight.held:
        of.setdefault(edge, set()).add(row)
    for channel, here, head, row in flight.heads:
        edges: set[Edge] = set()
        if not _follow(bound, channel, here, head, set(), edges):
            return Meeting("unproved", (), frozenset())
        for edge in edges:
            of.setdefault(edge, set()).add(row)
    more = np.array(sorted(of), np.int64).reshape(-1, 2)
    plain = np.stack([np.repeat(np.arange(size), np.diff(indptr)), indices], axis=1)
    both = np.unique(np.concatenate([plain, more]), axis=0)
    counts = np.bincount(both[:, 0], minlength=size)
    order = order_or_cycle(np.concatenate([[0], np.cumsum(counts)]), both[:, 1])
    if order.number is not None:
        assert accepts(order.number, both[:, 0], both[:, 1]), "the checker refused our own certificate"
        return Meeting("proved", (), frozenset())
    assert order.cycle is not None
    ring = tuple(order.cycle.tolist())
    known = set(map(tuple, plain.tolist()))
    needed = [of[edge] for edge in zip(ring, (*ring[1:], ring[0]), strict=True) if edge not in known]
    return Meeting("ring", ring, frozenset().union(*needed))
