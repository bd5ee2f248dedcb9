"""Adaptive routing on an RDT by Duato's condition: any productive hop, and descending order on channels to escape by.

Source: yang2001rdt section IV.C.g names the method (after Duato 1995); the rules are ours. At a router that has a
pending rank, every hop that shortens that rank's vector; at another, base hops to every neighbor that has a pending
rank; with no rank pending, every base hop that shortens the rank-0 vector. Each change of rank is followed by a step
on a pending rank, so every route ends. The ESCAPE candidate is the hop of `rdt.deadlock_free` from the packet's
present vector; the highest pending rank never rises again, so that order still numbers the escape channels.

That holds where a router has one upper rank: on it a packet stays until its steps there are done. Where routers have
several, as on a PRDT, steps of other ranks lie between those of one, and lead back behind the dateline of its rings. So
there the escape's channel of a rank with at most two steps to go is their number, whatever the place, which falls with
each of them. A rank with more, whose classes must be those of the dateline, is gone to its end before others when it is
the highest. Where such a rank is odd both its axes move both coordinates, and x is gone before y (on all networks).

Virtual channels: base links 0..2 escape and 3.. adaptive; upper links 0..1 escape and 2.. adaptive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.plan import next_hop
from jumpnet.routings._rdt.vectors import OWN_FREE, has_ranks, pending, port_of, short_ranks, steps, take
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put
from jumpnet.routings.rdt.deadlock_free import descend, fits_descent
from jumpnet.routings.rdt.floating import prepare_plan, start_vector
from jumpnet.routings.view import NORMAL, STATE

__all__ = ["RDT_DUATO"]

ODD = 0xAAAA_AAAA
"""Ranks both of whose axes move both coordinates, as a bit mask."""
COUNTED, WAITED, ORDERED = OWN_FREE, OWN_FREE + 1, OWN_FREE + 2
"""Places in `own`: bit masks of the ranks whose escapes go by the steps to go, of those that others must wait for (both
0 where no router has two upper ranks), and of those of which x is gone before y."""


@kernel
def _put(net, here, state, out, count, rank, direction, first):
    """Append a NORMAL hop on every virtual channel from `first` on."""
    port = port_of(net, here, rank, direction)
    if port < 0:
        return count
    state = take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1)
    for v in range(first, net.vcs):
        count = put(out, count, port, v, state, NORMAL)
    return count


@kernel
def _productive(net, here, state, out, count, rank, first):
    """Append every hop of one rank that shortens its vector."""
    for axis in range(2):
        k = steps(net, state, rank, axis)
        if k != 0:
            count = _put(net, here, state, out, count, rank, 2 * axis + (k < 0), first)
            if (net.own[ORDERED] >> rank) & 1:
                return count
    return count


@kernel
def _open(net, mask):
    """Of the pending ranks those that may be gone on now."""
    if mask & net.own[WAITED] != 0:
        rank = net.params[2]
        while (mask >> rank) & 1 == 0:
            rank -= 1
        if (net.own[WAITED] >> rank) & 1:
            return 1 << rank
    return mask


def relation(net, here, head, out):
    """Adaptive candidates, then the escape hop."""
    state = head[STATE]
    mask = pending(net, state)
    count = 0
    escape = min(net.vcs, 3)
    x, y = net.coord[here, 0], net.coord[here, 1]
    wanted = _open(net, mask)
    usable = wanted & has_ranks(net, x, y)
    if usable != 0:
        for rank in range(1, net.params[2] + 1):
            if (usable >> rank) & 1:
                count = _productive(net, here, state, out, count, rank, 2)
    elif mask == 0:
        count = _productive(net, here, state, out, count, 0, escape)
    else:
        for direction in range(4):
            sign = 1 - 2 * (direction & 1)
            dx, dy = (sign, 0) if direction < 2 else (0, sign)
            if wanted & has_ranks(net, x + dx, y + dy):
                count = _put(net, here, state, out, count, 0, direction, escape)
    return descend(net, here, state, out, count, min(net.vcs, 3), min(net.vcs, 2), 1, net.own[COUNTED])


def escape_class(net, here, head, out):
    """The escape hop and what is left of its ring: with the router it says the class."""
    rank, direction, left = next_hop(net, here, head[STATE])
    return 0 if rank < 0 else (((left << 4) + rank) << 2) + direction + 1


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    plan = prepare_plan(net, {**options, "order": "descending", "moves": "step"})
    ranks = net.params[3 + 4 * (int(net.params[2]) + 1) :]
    several = any(int(of).bit_count() > 2 for of in ranks)  # bit 0 is rank 0
    short, upper = short_ranks(net), (2 << int(net.params[2])) - 2
    masks = [short, upper & ~short] if several else [0, 0]
    return Prepared(np.array([*plan.own, *masks, upper & ~short & ODD], np.int64), plan.table)


RDT_DUATO = Routing(
    name="rdt.duato",
    relation=relation,
    escape_class=escape_class,
    vcs=4,
    fits=fits_descent,
    options={"ties": ("best", "zero")},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_vector,
    symmetric=lambda net: True,
    adaptive=True,
    source="yang2001rdt, section IV.C.g; Duato 1995",
    summary="adaptive over ranks and axes, descending order as escape; free of deadlock by Duato's condition",
)
