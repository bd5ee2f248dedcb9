"""Adaptive routing on an RDT by the turn model: ranks in descending order, negative-first within each rank's torus.

Source: yang2001rdt section IV.C.g names the method (after Glass and Ni 1992); the turns are ours. On each rank a
packet takes all its negative hops (x-, y-) first, in any order, then all its positive ones (x+, y+): turns from
positive to negative are prohibited. A change of rank is one base hop to any neighbor that has the highest pending rank.

Channel classes: 2 less the wrap-arounds of the base torus that the present run of negative (or positive) hops still
has ahead; between wraps x_r + y_r falls (rises) with every hop, so no cycle closes. On odd ranks both axes move one
base axis the same way and only its wraps count. Class 3, on base links only, is for changes of rank, which lead
straight to the rank they are for.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.outlook import narrow
from jumpnet.routings._rdt.vectors import has_ranks, pending, port_of, steps, take, target_of
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.rdt.deadlock_free import fits_descent
from jumpnet.routings.rdt.duato import RDT_DUATO
from jumpnet.routings.rdt.floating import start_vector
from jumpnet.routings.view import STATE

__all__ = ["RDT_TURN_MODEL"]


@kernel
def _wraps(net, here, rank, x, y):
    """Wrap-arounds of base x and y that x steps of x_r and y steps of y_r still pass (both of one sign), as 0..2.

    Odd ranks count those of one base axis only: the one that both x_r and y_r move the same way (base y on rank 1,
    base x on rank 3, and so on).
    """
    N, k = net.params[0], 3 + 4 * rank
    ahead = 0
    for d in range(2):
        if rank & 1 and (net.params[k + d] > 0) != (net.params[k + 2 + d] > 0):
            continue
        at = net.coord[here, d] + x * net.params[k + d] + y * net.params[k + 2 + d]
        if at < 0 or at >= N:
            ahead += 1
    return ahead


@kernel
def _run(net, here, state, out, rank):
    """Candidates within a rank: its negative hops, or its positive ones when no negative hop is left."""
    x, y = steps(net, state, rank, 0), steps(net, state, rank, 1)
    if x < 0 or y < 0:
        x, y = min(x, 0), min(y, 0)
    ring = 2 - min(2, _wraps(net, here, rank, x, y))
    count = 0
    for axis in range(2):
        k = y if axis == 1 else x
        if k == 0:
            continue
        direction = 2 * axis + (k < 0)
        port = port_of(net, here, rank, direction)
        if port < 0:
            return -1
        there = take(net, state, rank, axis, 2 * (direction & 1) - 1)
        count = put_class(out, count, port, ring, 4 if rank == 0 else 3, net.vcs, there, 0)
    return count


@kernel
def _highest(net, state):
    """The highest rank with steps to go, 0 where only rank 0 may have some."""
    mask, rank = pending(net, state), 0
    while mask >> (rank + 1):
        rank += 1
    return rank


def relation(net, here, head, out):
    """Negative-first candidates of the highest pending rank, or the base hops into it."""
    state = head[STATE]
    rank = _highest(net, state)
    x, y = net.coord[here, 0], net.coord[here, 1]
    if (has_ranks(net, x, y) >> rank) & 1:
        return _run(net, here, state, out, rank)
    count = 0
    for direction in range(4):
        sign = 1 - 2 * (direction & 1)
        dx, dy = (sign, 0) if direction < 2 else (0, sign)
        if (has_ranks(net, x + dx, y + dy) >> rank) & 1:
            port = port_of(net, here, 0, direction)
            there = take(net, state, 0, direction >> 1, -sign)
            count = put_class(out, count, port, 3, 4, net.vcs, there, 0)
    return count if count > 0 else -1


@kernel
def _narrow_run(net, here, there, state, out, rank):
    """Narrow the bounds of `here` to where a run of negative or positive hops from `there` passes the same wraps."""
    x, y = steps(net, state, rank, 0), steps(net, state, rank, 1)
    if x < 0 or y < 0:
        x, y = min(x, 0), min(y, 0)
    for axis in range(2):
        k, at = 3 + 4 * rank + axis, net.coord[here, axis]
        narrow(net, out, axis, at, net.coord[there, axis] - at + x * net.params[k] + y * net.params[k + 2])


@kernel
def _narrow_next(net, here, state, out, rank, direction):
    """Likewise for a hop and the run after it; the rank of that run."""
    there, sign = target_of(net, here, rank, direction), 1 - 2 * (direction & 1)
    for axis in range(2):
        k = 3 + 4 * rank + 2 * (direction >> 1)
        narrow(net, out, axis, net.coord[here, axis], sign * net.params[k + axis])
    after = take(net, state, rank, direction >> 1, -sign)
    upper = _highest(net, after)
    _narrow_run(net, here, there, after, out, upper)
    return upper


def outlook(net, here, head, out):
    """The vectors that the next two hops are taken from, as a state; out[axis] becomes where these ask alike.

    They are that of the highest pending rank, and, where a hop may be its last, that of the rank after it.
    """
    state = head[STATE]
    for axis in range(2):
        out[axis, 0], out[axis, 1] = 0, net.params[0] - 1
    rank = _highest(net, state)
    ranks = has_ranks(net, net.coord[here, 0], net.coord[here, 1])
    own = rank if (ranks >> rank) & 1 else 0
    if own == rank:
        _narrow_run(net, here, here, state, out, rank)
    lowest = rank
    x, y = steps(net, state, rank, 0), steps(net, state, rank, 1)
    for direction in range(4):
        k, sign = (y if direction > 1 else x), 1 - 2 * (direction & 1)
        if own != rank or k * sign > 0:
            lowest = min(lowest, _narrow_next(net, here, state, out, own, direction))
    look = state
    for r in range(net.params[2] + 1):
        if r != rank and r != lowest:
            look = take(net, take(net, look, r, 0, -steps(net, look, r, 0)), r, 1, -steps(net, look, r, 1))
    return look


RDT_TURN_MODEL = Routing(
    name="rdt.turn_model",
    relation=relation,
    outlook=outlook,
    vcs=4,
    fits=fits_descent,
    options={"ties": ("best", "zero")},
    meanings=MEANINGS,
    prepare=RDT_DUATO.prepare,
    start=start_vector,
    symmetric=lambda net: True,
    adaptive=True,
    source="yang2001rdt, section IV.C.g; Glass and Ni 1992",
    summary="descending ranks, negative-first within each rank's torus, any neighbor at a change; free of deadlock",
)
