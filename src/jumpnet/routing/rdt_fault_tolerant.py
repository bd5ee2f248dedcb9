"""Fault-tolerant floating vector routing on an RDT: the local tables are rewritten round missing links and routers.

Source: yang2001rdt section IV.C.h: a fault is bypassed by rewriting the table that holds the nearest router of each
rank. Any RDT network with links missing is taken as faulty (see `fault.degraded`). Each router's table has, for every
step of an upper rank (rank, direction), the base hop towards the nearest router where that very step works, and for
every small rank-0 vector the first hop of a shortest way over working base links. A packet takes a pending step that
works where it is, else the hop towards the nearest one; the nearest distance falls with every hop, so every route
ends. Not free of deadlock.

net.table[router, 4 (r - 1) + direction] = distance * 8 + base direction, -1 where there is no way;
net.table[router, 4 R + (y + radius) * side + x + radius] = base direction for a rank-0 vector (x, y), -1 likewise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet._jit import jit
from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing._rdt_vectors import OWN_RADIUS, pending, port_of, steps, take, target_of, vector_fit, vector_own
from jumpnet.routing._routing import Prepared, Routing
from jumpnet.routing._view import STATE, make_view
from jumpnet.routing.rdt_floating import start_vector
from jumpnet.terms import I16

__all__ = ["RDT_FAULT_TOLERANT"]

DRIFT = 10
LIMIT_BYTES = 2 << 30


@jit
def _base(net, here, direction):
    """Router one working base hop away, -1 when the link is missing."""
    return target_of(net, here, 0, direction) if port_of(net, here, 0, direction) >= 0 else -1


@jit
def _towards(net, r, direction, column, table, distance, queue):
    """Fill one column for a step of rank r: breadth-first from all routers where it works."""
    routers = table.shape[0]
    head = tail = 0
    for here in range(routers):
        distance[here] = -1
        table[here, column] = -1
        if port_of(net, here, r, direction) >= 0:
            distance[here] = 0
            table[here, column] = 0
            queue[tail] = here
            tail += 1
    while head < tail:
        here = queue[head]
        head += 1
        for d in range(4):
            there = _base(net, here, d)
            if there >= 0 and distance[there] < 0:
                distance[there] = distance[here] + 1
                table[there, column] = min(distance[there], 4000) * 8 + (d ^ 1)
                queue[tail] = there
                tail += 1


@jit
def _nearby(net, goal, radius, first, table, queue):
    """Fill the rank-0 entries that lead to `goal`: breadth-first from it, within the window of vectors."""
    side, N = 2 * radius + 1, net.params[0]
    seen = np.zeros(side * side, np.uint8)
    middle = radius * side + radius
    seen[middle], queue[0], head, tail = 1, middle, 0, 1
    while head < tail:
        place = queue[head]
        head += 1
        vx, vy = place % side - radius, place // side - radius
        here = (net.coord[goal, 1] - vy) % N * N + (net.coord[goal, 0] - vx) % N
        for d in range(4):
            sign = 1 - 2 * (d & 1)
            to_x, to_y = vx - sign * (d < 2), vy - sign * (d > 1)
            if abs(to_x) <= radius and abs(to_y) <= radius:
                there, at = _base(net, here, d), (to_y + radius) * side + to_x + radius
                if there >= 0 and seen[at] == 0:
                    seen[at] = 1
                    table[there, first + at] = d ^ 1
                    queue[tail] = at
                    tail += 1


@jit
def _fill(net, radius, table):
    """Fill the whole table; see the module."""
    routers, R = table.shape[0], net.params[2]
    side = 2 * radius + 1
    distance, queue = np.empty(routers, np.int32), np.empty(max(routers, side * side), np.int32)
    for r in range(1, R + 1):
        for d in range(4):
            _towards(net, r, d, 4 * (r - 1) + d, table, distance, queue)
    for goal in range(routers):
        _nearby(net, goal, radius, 4 * R, table, queue)


@jit
def _choose(net, here, state):
    """(rank, direction) of the next hop of a packet with pending ranks; rank -1 when no pending step can be reached."""
    least, rank, direction = np.int64(1 << 20), -1, 0
    vx, vy = steps(net, state, 0, 0), steps(net, state, 0, 1)
    for r in range(net.params[2], 0, -1):
        for axis in range(2):
            k = steps(net, state, r, axis)
            if k == 0:
                continue
            d = 2 * axis + (k < 0)
            entry = np.int64(net.table[here, 4 * (r - 1) + d])
            if entry < 0:
                continue
            if entry < 8:
                return r, d
            base = entry & 7
            sign = 1 - 2 * (base & 1)
            left = abs(vx - sign * (base < 2)) + abs(vy - sign * (base > 1))
            if (entry >> 3) * 256 + left < least:
                least, rank, direction = (entry >> 3) * 256 + left, 0, int(base)
    return rank, direction


def relation(net, here, head, out):
    """The pending step that works here, the hop towards the nearest one, or the hop of the rank-0 vector."""
    state = head[STATE]
    vx, vy = steps(net, state, 0, 0), steps(net, state, 0, 1)
    radius = net.own[OWN_RADIUS]
    if abs(vx) > radius or abs(vy) > radius:
        return -1
    if pending(net, state) != 0:
        rank, direction = _choose(net, here, state)
    else:
        if vx == 0 and vy == 0:
            return 0
        rank = 0
        direction = np.int64(net.table[here, 4 * net.params[2] + (vy + radius) * (2 * radius + 1) + vx + radius])
    if rank < 0 or direction < 0:
        return -1
    port = port_of(net, here, rank, direction)
    if port < 0:
        return -1
    state = take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1)
    for v in range(net.vcs):
        out[v, 0] = port
        out[v, 1] = v
        out[v, 2] = state
        out[v, 3] = 0
    return net.vcs


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    own = vector_own(net, DRIFT, "zero")
    R, radius = int(net.params[2]), int(own[OWN_RADIUS])
    columns = 4 * R + (2 * radius + 1) ** 2
    if 2 * columns * net.routers > LIMIT_BYTES:
        raise JumpnetError(
            f"{net.spec}: local tables of {2 * columns * net.routers / 2**30:.1f} GiB needed, "
            f"at most {LIMIT_BYTES >> 30} expected"
        )
    table: I16 = np.full((net.routers, columns), -1, np.int16)
    empty = np.zeros((0, 0), np.int16)
    view, _alive = make_view(net.neighbor, net.far_port, net.link_class, net.coord, net.params, own, empty, 1)
    _fill(view, radius, table)
    return Prepared(own, table)


def _fits(net: Network) -> str | None:
    reason = vector_fit(net, ("rdt", "prdt"), DRIFT)
    if reason is None and int(net.params[2]) == 0:
        return "it needs a network with upper ranks"
    return reason


RDT_FAULT_TOLERANT = Routing(
    name="rdt.fault_tolerant",
    relation=relation,
    fits=_fits,
    prepare=_prepare,
    start=start_vector,
    source="yang2001rdt, section IV.C.h",
    summary="floating vector routing by local tables rewritten round faults; not free of deadlock",
)
