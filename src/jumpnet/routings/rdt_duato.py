"""Adaptive routing on an RDT by Duato's condition: any productive hop, and descending order on channels to escape by.

Source: yang2001rdt section IV.C.g names the method (after Duato 1995); the rules are ours. At a router that has a
pending rank, every hop that shortens that rank's vector; at another, base hops to every neighbor that has a pending
rank; with no rank pending, every base hop that shortens the rank-0 vector. Each change of rank is followed by a step
on a pending rank, so every route ends. The ESCAPE candidate is the hop of `rdt.deadlock_free` from the packet's
present vector; the highest pending rank never rises again, so that order still numbers the escape channels.

That holds where a router has one upper rank. On a PRDT, whose routers have all, packets change between ranks in the
middle of one: on prdt:32, with ranks to 2 or 3, the condition fails, and freedom from deadlock is not proved.

Virtual channels: base links 0..2 escape and 3.. adaptive; upper links 0..1 escape and 2.. adaptive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.plan import next_hop
from jumpnet.routings._rdt.vectors import has_ranks, pending, port_of, steps, take
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put
from jumpnet.routings.rdt_deadlock_free import descend, fits_descent
from jumpnet.routings.rdt_floating import prepare_plan, start_vector
from jumpnet.routings.view import NORMAL, STATE

__all__ = ["RDT_DUATO"]


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
    return count


def relation(net, here, head, out):
    """Adaptive candidates, then the escape hop."""
    state = head[STATE]
    mask = pending(net, state)
    count = 0
    escape = min(net.vcs, 3)
    x, y = net.coord[here, 0], net.coord[here, 1]
    usable = mask & has_ranks(net, x, y)
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
            if mask & has_ranks(net, x + dx, y + dy):
                count = _put(net, here, state, out, count, 0, direction, escape)
    return descend(net, here, state, out, count, min(net.vcs, 3), min(net.vcs, 2), 1)


def sight(net, here, head, out):
    """The escape hop and what is left of its ring: with the router it says the class."""
    rank, direction, left = next_hop(net, here, head[STATE])
    return 0 if rank < 0 else (((left << 4) + rank) << 2) + direction + 1


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    return prepare_plan(net, {**options, "order": "descending", "moves": "step"})


RDT_DUATO = Routing(
    name="rdt.duato",
    relation=relation,
    sight=sight,
    vcs=4,
    fits=fits_descent,
    options={"ties": ("best", "zero")},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_vector,
    symmetric=lambda net: True,
    adaptive=True,
    source="yang2001rdt, section IV.C.g; Duato 1995",
    summary="adaptive over ranks and axes, descending order as escape; free of deadlock by Duato's condition on RDTs",
)
