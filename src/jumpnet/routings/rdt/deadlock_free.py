"""Deadlock-free routing on an RDT: ranks in descending order, x before y on each, base moves on channels of their own.

Source: yang2001rdt section IV.C.d, which leaves the base moves between ranks open. With `moves=step` (the default) a
change of rank is one base hop, to the neighbor that makes the whole route shortest; `near` takes the neighbor that
leaves the least rank-0 vector; `x` walks along x only, as the paper's extra channel suggests; `best` takes
the shortest base walk, however long. `ties=best` rounds each tie of the vector as suits the route, `zero` toward zero.

Channel classes: 0 and 1 are the dateline classes of each rank's rings; class 2, on base links only, is for changes of
rank. A change of one hop leads straight to the rank it is for, so the order (change into rank R, x_R, y_R, change into
rank R-1, ..., x_0, y_0) is free of cycles, three channels on base links and two on the others. With walks of
several hops (`x`, `best`) packets into different ranks share a channel of class 2, and on 32x32 routers that closes a
cycle: one more channel for x moves is not enough by itself. With `ties=away` or `up` on 32x32 routers, where a ring of
rank 3 has two routers, a packet may go once round such a ring, which is a cycle too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.outlook import outlook
from jumpnet.routings._rdt.plan import next_hop
from jumpnet.routings._rdt.vectors import port_of, ring_class, take, vector_fit
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.rdt.floating import DRIFT, prepare_plan, start_vector
from jumpnet.routings.view import STATE
from jumpnet.topology.rdt import class_of

__all__ = ["RDT_DEADLOCK_FREE", "descend", "fits_descent"]


@kernel
def descend(net, here, state, out, count, base, upper, kind, counted):
    """Append the one hop of descending order, within virtual channels 0..base-1 of base links and 0..upper-1 of others.

    Of ranks in the bit mask `counted` the class is the number of steps to go, at most two, and not the dateline's.
    Returns the new count, or -1 when there is no way.

    Used by `rdt.deadlock_free` and as the escape of `rdt.duato`.
    """
    rank, direction, left = next_hop(net, here, state)
    if rank < 0:
        return count
    port = port_of(net, here, rank, direction)
    if port < 0:
        return -1
    if (counted >> rank) & 1:
        ring = 2 - left
    else:
        ring = 2 if left == 0 else ring_class(net, here, rank, direction, left)
    state = take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1)
    if rank == 0:
        return put_class(out, count, port, ring, 3, base, state, kind)
    return put_class(out, count, port, ring, 2, upper, state, kind)


def relation(net, here, head, out):
    """The hop of descending order."""
    return descend(net, here, head[STATE], out, 0, net.vcs, net.vcs, 0, 0)


def fits_descent(net: Network) -> str | None:
    """Why descending order does not fit a network, or None: a change of rank must be one base hop."""
    reason = vector_fit(net, ("rdt", "prdt"), DRIFT)
    if reason is not None:
        return reason
    n, R = int(net.params[1]), int(net.params[2])
    ranks = net.params[3 + 4 * (R + 1) :]
    x, y = np.tile(np.arange(2 * n), n), np.repeat(np.arange(n), 2 * n)
    near = [ranks[class_of(x + dx, y + dy, n)] for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]
    if (np.bitwise_or.reduce(near) != np.bitwise_or.reduce(ranks)).any():
        return "it needs an assignment in which every rank is at most one base hop away, such as alpha"
    return None


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    return prepare_plan(net, {**options, "order": "descending"})


RDT_DEADLOCK_FREE = Routing(
    name="rdt.deadlock_free",
    relation=relation,
    outlook=outlook,
    vcs=3,
    fits=fits_descent,
    options={"moves": ("step", "near", "compass", "x", "best"), "ties": ("best", "zero", "away", "up")},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_vector,
    symmetric=lambda net: True,
    default_for=("rdt",),
    source="yang2001rdt, section IV.C.d",
    summary="ranks in descending order, dateline classes and a class for changes of rank; free of deadlock",
)
