"""Closed partitioning of an RDT: routes between routers of one partition never leave it, at any level of quad-section.

Source: yang2001rdt section IV.C.e, which names the property and the smallest partition (4x4), but not the rule. Here
the N x N network is cut into 2x2 partitions, these again, and so on down to 2n x 2n; a pair belongs to the smallest
partition that holds both. A pair in no partition but the whole routes as `rdt.floating` does. Inside a partition there
is no wrap-around, and a packet takes, in this order of preference: a step on a pending rank that stays inside; a base
hop to a neighbor inside from which such a step exists, the one that leaves the least rank-0 vector; a base hop of the
rank-0 vector that stays inside; else one step of the highest pending rank is rewritten by the rank below. Each change
of rank is followed by a step on that rank, so every route ends. Not free of deadlock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from jumpnet._jit import jit
from jumpnet.network import Network
from jumpnet.routing._rdt_plan import plan_table, planned, start_state
from jumpnet.routing._rdt_vectors import (
    OWN_FREE,
    OWN_RADIUS,
    OWN_TIES,
    convert,
    has_ranks,
    pending,
    port_of,
    steps,
    take,
    vector_fit,
    vector_own,
)
from jumpnet.routing._routing import Prepared, Routing
from jumpnet.routing._view import DESTINATION, SOURCE, STATE
from jumpnet.routing.rdt_floating import DRIFT
from jumpnet.terms import I64

__all__ = ["RDT_PARTITIONED", "partition_level"]

LEVEL = 58
"""Lowest bit of the partition's level in the state: its side is N / 2^level, 0 the whole network."""


@jit
def partition_level(net, here, there):
    """Level of the smallest partition that holds two routers: its side is N / 2^level, 0 for the whole network."""
    for level in range(net.own[OWN_FREE], 0, -1):
        side = net.params[0] >> level
        if (
            net.coord[here, 0] // side == net.coord[there, 0] // side
            and net.coord[here, 1] // side == net.coord[there, 1] // side
        ):
            return level
    return 0


@jit(inline="always")
def _stays(net, x, y, side, r, direction):
    """Whether a step from place (x, y) of a partition of a side, counted from its corner, stays in it."""
    k = 3 + 4 * r + 2 * (direction >> 1)
    sign = 1 - 2 * (direction & 1)
    to_x, to_y = x + sign * net.params[k], y + sign * net.params[k + 1]
    return to_x >= 0 and to_y >= 0 and to_x < side and to_y < side


@jit
def _step_inside(net, state, mask, x, y, side):
    """rank * 4 + direction of a step from (x, y) on a pending rank it has, highest first, x first; -1 if all leave.

    Partitions begin at multiples of the classes' period, so a place in one has the class it has in the network.
    """
    usable = mask & has_ranks(net, x, y)
    for r in range(net.params[2], 0, -1):
        if (usable >> r) & 1:
            for axis in range(2):
                k = steps(net, state, r, axis)
                if k != 0 and _stays(net, x, y, side, r, 2 * axis + (k < 0)):
                    return 4 * r + 2 * axis + (k < 0)
    return -1


@jit
def _hop_inside(net, state, x, y, side):
    """rank * 4 + direction of the next hop inside the partition; -1 when a step must be rewritten, -2 at the end."""
    vx, vy = steps(net, state, 0, 0), steps(net, state, 0, 1)
    mask = pending(net, state)
    if mask != 0:
        found = _step_inside(net, state, mask, x, y, side)
        if found >= 0:
            return found
        best, chosen = 1 << 40, -1
        for direction in range(4):
            sign = 1 - 2 * (direction & 1)
            dx, dy = (sign, 0) if direction < 2 else (0, sign)
            left = abs(vx - dx) + abs(vy - dy)
            inside = left < best and _stays(net, x, y, side, 0, direction)
            if inside and _step_inside(net, state, mask, x + dx, y + dy, side) >= 0:
                best, chosen = left, direction
        if chosen >= 0:
            return chosen
    if vx != 0 and _stays(net, x, y, side, 0, 1 if vx < 0 else 0):
        return 1 if vx < 0 else 0
    if vy != 0 and _stays(net, x, y, side, 0, 3 if vy < 0 else 2):
        return 3 if vy < 0 else 2
    return -1 if mask != 0 else -2


@jit
def _down(net, state, r, x, y):
    """The state with (x, y) steps of rank r as steps of rank r - 1, or as base hops where those do not fit."""
    state = take(net, take(net, state, r, 0, -x), r, 1, -y)
    n, limit = net.params[1], (1 << (net.own[1] - 1)) - 1
    dx, dy = n * (x - y), n * (x + y)
    if r > 1 and abs(steps(net, state, r - 1, 0) + dx) <= limit and abs(steps(net, state, r - 1, 1) + dy) <= limit:
        return take(net, take(net, state, r - 1, 0, dx), r - 1, 1, dy)
    k = 3 + 4 * r
    state = take(net, state, 0, 0, x * net.params[k] + y * net.params[k + 2])
    return take(net, state, 0, 1, x * net.params[k + 1] + y * net.params[k + 3])


@jit
def _rewritten(net, state):
    """The state with one step of its highest pending rank rewritten by the rank below."""
    r = net.params[2]
    while (pending(net, state) >> r) & 1 == 0:
        r -= 1
    x, y = steps(net, state, r, 0), steps(net, state, r, 1)
    if x != 0:
        return _down(net, state, r, 1 if x > 0 else -1, 0)
    return _down(net, state, r, 0, 1 if y > 0 else -1)


@jit
def _inside_vector(net, source, destination, level):
    """The vector without wrap-around, by ranks whose steps are shorter than the partition."""
    a = np.int64(net.coord[destination, 0]) - net.coord[source, 0]
    b = np.int64(net.coord[destination, 1]) - net.coord[source, 1]
    state = convert(net, a, b, 1, 0)[0]
    side = net.params[0] >> level
    for r in range(net.params[2], 0, -1):
        if max(abs(net.params[3 + 4 * r]), abs(net.params[4 + 4 * r])) >= side:
            state = _down(net, state, r, steps(net, state, r, 0), steps(net, state, r, 1))
    return state | (np.int64(level) << LEVEL)


def relation(net, here, head, out):
    """The hop inside the common partition, or the planned hop of the whole network; on every virtual channel."""
    state = head[STATE]
    level = state >> LEVEL
    if level != 0:
        side = net.params[0] >> level
        x, y = net.coord[here, 0] % side, net.coord[here, 1] % side
        hop = _hop_inside(net, state, x, y, side)
        while hop == -1:
            state = _rewritten(net, state)
            hop = _hop_inside(net, state, x, y, side)
    else:
        hop = planned(net, here, state)
        if hop > 3:
            x, y = steps(net, state, hop - 3, 0), steps(net, state, hop - 3, 1)
            hop = 4 * (hop - 3) + ((0 if x > 0 else 1) if x != 0 else (2 if y > 0 else 3))
    if hop < 0:
        return 0
    rank, direction = hop >> 2, hop & 3
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


def _start(net, head, draw, queue):
    """The vector of the whole torus, or the one without wrap-around when a partition holds both ends."""
    source, destination = head[SOURCE], head[DESTINATION]
    level = partition_level(net, source, destination)
    if level == 0:
        head[STATE] = start_state(net, source, destination, net.own[OWN_TIES])
    else:
        head[STATE] = _inside_vector(net, source, destination, level)


def _halvings(net: Network) -> int:
    N, n = int(net.params[0]), int(net.params[1])
    count = 0
    while N % (2 << count) == 0 and (N >> (count + 1)) % (2 * n) == 0:
        count += 1
    return count


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    own = vector_own(net, DRIFT, options["ties"], _halvings(net), widest=int(net.params[0]), spare=2, room=LEVEL)
    return Prepared(own, plan_table(net, int(own[OWN_RADIUS]), options["order"], "best"))


def _whole(net: Network) -> tuple[I64, I64, I64]:
    """Pairs that no partition holds: one for each place modulo 2n and displacement, with the number it stands for."""
    N, period = int(net.params[0]), 2 * int(net.params[1])
    half, x = N // 2, np.arange(N)
    split = (x[:, None] // half) != ((x[:, None] + x) % N) // half  # (place, displacement): the cut lies between
    rows = split.reshape(N // period, period, N)
    apart, first = rows.sum(axis=0), rows.argmax(axis=0) * period + np.arange(period)[:, None]
    i, j, dx, dy = (g.reshape(-1) for g in np.meshgrid(*(np.arange(k) for k in (period, period, N, N)), indexing="ij"))
    same = N // period - apart
    weight = (N // period) ** 2 - same[i, dx] * same[j, dy]
    sx, sy = np.where(apart[i, dx] > 0, first[i, dx], i), np.where(apart[j, dy] > 0, first[j, dy], j)
    keep = weight > 0
    source, to = sy * N + sx, (sy + dy) % N * N + (sx + dx) % N
    return source[keep], to[keep], weight[keep]


def _within(net: Network, side: int, last: bool, row: int) -> tuple[I64, I64, I64]:
    """Pairs of one partition of a side that no smaller one holds, sources in one row of it."""
    N = int(net.params[0])
    x, y = np.arange(side), np.arange(side)
    sx, dx, dy = (g.reshape(-1) for g in np.meshgrid(x, x, y, indexing="ij"))
    half = side // 2
    keep = (sx != dx) | (dy != row) if last else (sx // half != dx // half) | (row // half != dy // half)
    sx, dx, dy = sx[keep], dx[keep], dy[keep]
    return row * N + sx, dy * N + dx, np.full(len(sx), (N // side) ** 2)


def _cover(net: Network) -> Sequence[Callable[[], tuple[I64, I64, I64]]]:
    """All partitions of a side are alike; pairs of the whole are alike under translation."""
    N, halvings = int(net.params[0]), _halvings(net)
    if halvings == 0:
        return [partial(_within, net, N, True, row) for row in range(N)]
    chunks: list[Callable[[], tuple[I64, I64, I64]]] = [partial(_whole, net)]
    for level in range(1, halvings + 1):
        side = N >> level
        chunks += [partial(_within, net, side, level == halvings, row) for row in range(side)]
    return chunks


RDT_PARTITIONED = Routing(
    name="rdt.partitioned",
    relation=relation,
    fits=lambda net: vector_fit(net, ("rdt",), int(net.params[0]) if net.family == "rdt" else 0, LEVEL - 12),
    options={"order": ("best", "descending"), "ties": ("best", "zero")},
    prepare=_prepare,
    start=_start,
    cover=_cover,
    source="yang2001rdt, section IV.C.e",
    summary="routes within the smallest quad-section partition that holds both ends; not free of deadlock",
)
