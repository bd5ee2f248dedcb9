"""Fault-tolerant floating vector routing on an RDT: the local tables are rewritten round missing links and routers.

Source: yang2001rdt section IV.C.h: a fault is bypassed by rewriting the table that holds the nearest router of each
rank. Any RDT network with links missing is taken as faulty (see `fault.degraded`). Each router's table has, for every
step of an upper rank (rank, direction), the base hop towards the nearest router where that very step works, and for
every small rank-0 vector the first hop of a shortest way over working base links. A packet takes a pending step that
works where it is, else the hop towards the nearest one; the nearest distance falls with every hop, so every route
ends. `avoid=torus` keeps, as the paper's "alternative torus", to whole tori of each rank while it has any: tori with a
missing node or link are not used at all.

Alone it is not free of deadlock (the paper does not say how it is to be). `layers=least` is ours: each pair of routers
keeps to one layer of virtual channels, and no layer has a cycle (`_path_layers.py`); the layer is in the highest bits
of STATE.

net.table[router, 4 (r - 1) + direction] = distance * 8 + base direction, -1 where there is no way;
net.table[router, 4 R + (y + radius) * side + x + radius] = base direction for a rank-0 vector (x, y), -1 likewise;
with layers, net.table[router, own[OWN_FREE] + destination] = layer of the pair, of own[OWN_FREE + 1] layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import entry, kernel
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._path_layers import LAYERS, pair_layers
from jumpnet.routings._rdt.plan import start_state
from jumpnet.routings._rdt.vectors import (
    OWN_FREE,
    OWN_RADIUS,
    OWN_TIES,
    has_ranks,
    pending,
    port_of,
    steps,
    take,
    target_of,
    vector_fit,
    vector_own,
)
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, SOURCE, STATE, View, make_view
from jumpnet.terms import I16, I64, Array

__all__ = ["RDT_FAULT_TOLERANT", "fill_local"]

DRIFT = 10
LIMIT_BYTES = 2 << 30
LAYER_BIT = 58
"""First bit of the layer in STATE; the vectors keep below it."""
_made: WeakKeyDictionary[Network, dict[tuple[str, str], tuple[I64, I16]]] = WeakKeyDictionary()


@kernel
def _base(net, here, direction):
    """Router one working base hop away, -1 when the link is missing."""
    return target_of(net, here, 0, direction) if port_of(net, here, 0, direction) >= 0 else -1


@kernel
def _towards(net, r, direction, column, allowed, table, distance, queue):
    """Fill one column for a step of rank r: breadth-first from all routers where it works and is allowed."""
    routers = table.shape[0]
    head = tail = 0
    for here in range(routers):
        distance[here] = -1
        table[here, column] = -1
        if allowed[r, here] and port_of(net, here, r, direction) >= 0:
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


@kernel
def _nearby(net, goal, radius, first, table, queue, seen):
    """Fill the rank-0 entries that lead to `goal`: breadth-first from it, within the window of vectors."""
    side, N = 2 * radius + 1, net.params[0]
    seen[:] = 0
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


@kernel
def _near_gaps(net, radius, near):
    """near[goal] = 1 where a base hop is missing at a router from which a vector of the window leads to the goal."""
    N = net.params[0]
    near[:] = 0
    for here in range(near.size):
        missing = False
        for d in range(4):
            missing = missing or _base(net, here, d) < 0
        if missing:
            for vy in range(-radius, radius + 1):
                for vx in range(-radius, radius + 1):
                    near[(net.coord[here, 1] + vy) % N * N + (net.coord[here, 0] + vx) % N] = 1


@kernel
def _as_for(net, whole, radius, first, table, near, hops):
    """Fill the rank-0 entries that lead to all goals not near a gap as those are that lead to `whole`, one of them.

    Work space: hops (side^2,).
    """
    side, N = 2 * radius + 1, net.params[0]
    for at in range(side * side):
        vx, vy = at % side - radius, at // side - radius
        here = (net.coord[whole, 1] - vy) % N * N + (net.coord[whole, 0] - vx) % N
        hops[at] = table[here, first + at]
    for here in range(table.shape[0]):
        at = 0
        for vy in range(-radius, radius + 1):
            row, x = (net.coord[here, 1] + vy) % N * N, (net.coord[here, 0] - radius) % N
            for _ in range(side):
                if near[row + x] == 0:
                    table[here, first + at] = hops[at]
                at += 1
                x = x + 1 if x + 1 < N else 0


@kernel
def fill_local(net, radius, allowed, table, distance, queue, seen):
    """Fill the whole table, all -1 before; see the module. allowed (R + 1, routers): where a rank's steps may be taken.

    Where no base hop is missing all ways to a goal are those to any other, so one of these is searched for.
    Work space: distance (routers,), seen (side^2,), queue as long as the longer of both, side = 2 radius + 1.
    """
    R, near, whole = net.params[2], distance, -1
    for r in range(1, R + 1):
        for d in range(4):
            _towards(net, r, d, 4 * (r - 1) + d, allowed, table, distance, queue)
    _near_gaps(net, radius, near)
    for goal in range(table.shape[0]):
        if whole < 0 or near[goal] != 0:
            _nearby(net, goal, radius, 4 * R, table, queue, seen)
            if near[goal] == 0:
                whole = goal
    if whole >= 0:
        _as_for(net, whole, radius, 4 * R, table, near, queue)


@entry(allocates=True)
def _fill(net, radius, allowed, table):
    """`fill_local` with work space of its own."""
    routers, area = table.shape[0], (2 * radius + 1) ** 2
    distance, queue = np.empty(routers, np.int32), np.empty(max(routers, area), np.int32)
    fill_local(net, radius, allowed, table, distance, queue, np.empty(area, np.uint8))


@kernel
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
    if net.own[OWN_FREE] == 0:
        return put_class(out, 0, port, 0, 1, net.vcs, state, 0)
    return put_class(out, 0, port, state >> LAYER_BIT, net.own[OWN_FREE + 1], net.vcs, state, 0)


def escape_class(net, here, head, out):
    """Nothing more than the candidates at one router of an orbit; layers of pairs do not move with automorphisms."""
    return -1 if net.own[OWN_FREE] != 0 else 0


def start_layer(net, head, draw, queue):
    """Set the vector from source to destination, and the layer of the pair."""
    head[STATE] = start_state(net, head[SOURCE], head[DESTINATION], net.own[OWN_TIES])
    if net.own[OWN_FREE] != 0:
        layer = np.int64(net.table[head[SOURCE], net.own[OWN_FREE] + head[DESTINATION]])
        head[STATE] += max(layer, np.int64(0)) << LAYER_BIT


@entry(allocates=True)
def _rank_links(net, r, ends, whole):
    """(routers * 4, 2) router and far end of each step of rank r that works; whole[router]: it has all it should."""
    count = 0
    for here in range(whole.size):
        if (has_ranks(net, net.coord[here, 0], net.coord[here, 1]) >> r) & 1 == 0:
            continue
        for d in range(4):
            if port_of(net, here, r, d) < 0:
                whole[here] = False
            ends[count, 0], ends[count, 1] = here, target_of(net, here, r, d)
            count += 1
    return count


def _whole_tori(view: View) -> Array:
    """(R + 1, routers) bool: routers on a torus of each rank without a missing step; everywhere, if it has none."""
    from scipy.sparse import csr_matrix  # a while to load, and `jumpnet list` loads every routing
    from scipy.sparse.csgraph import connected_components

    routers, ranks = view.neighbor.shape[0], int(view.params[2])
    allowed = np.ones((ranks + 1, routers), bool)
    for r in range(1, ranks + 1):
        ends, whole = np.zeros((4 * routers, 2), np.int64), np.ones(routers, bool)
        a, b = ends[: _rank_links(view, r, ends, whole)].T
        graph = csr_matrix((np.ones(len(a), np.int8), (a, b)), (routers, routers))
        torus = connected_components(graph, directed=False)[1]
        intact = ~np.isin(torus, torus[~whole])
        if intact[a].any():
            allowed[r] = intact
    return allowed


def _tables(net: Network, options: Mapping[str, Any]) -> tuple[I64, I16]:
    """`own` and the table for the options `avoid` and `layers`, made once for a network."""
    known = _made.setdefault(net, {})
    chosen = options["avoid"], options["layers"]
    if chosen not in known:
        known[chosen] = _prepared(net, options)
        if chosen[1] == "least":
            known[chosen] = _layered(net, *known[chosen], chosen[0])
    return known[chosen]


def _prepared(net: Network, options: Mapping[str, Any]) -> tuple[I64, I16]:
    own = vector_own(net, DRIFT, "zero", 0, 1, room=LAYER_BIT)
    R, radius = int(net.params[2]), int(own[OWN_RADIUS])
    columns = 4 * R + (2 * radius + 1) ** 2 + (net.routers if options["layers"] == "least" else 0)
    if 2 * columns * net.routers > LIMIT_BYTES:
        raise JumpnetError(
            f"{net.spec}: local tables of {2 * columns * net.routers / 2**30:.1f} GiB needed, "
            f"at most {LIMIT_BYTES >> 30} expected"
        )
    table: I16 = np.full((net.routers, columns), -1, np.int16)
    empty = np.zeros((0, 0), np.int16)
    view, _alive = make_view(net.neighbor, net.far_port, net.link_class, net.coord, net.params, own, empty, 1)
    allowed = np.ones((R + 1, net.routers), bool)
    if options["avoid"] == "torus":
        allowed = _whole_tori(view)
    _fill(view, radius, allowed, table)
    return own, table


def _layered(net: Network, own: I64, table: I16, avoid: str) -> tuple[I64, I16]:
    """The same with the layer of each pair in the last columns."""
    layers, layer = pair_layers(f"rdt.fault_tolerant:avoid={avoid}", net, Prepared(own, table), relation, start_layer)
    first = table.shape[1] - net.routers
    table[:, first:] = layer
    own[OWN_FREE], own[OWN_FREE + 1] = first, layers
    return own, table


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    return Prepared(*_tables(net, options))


def _vcs(net: Network, options: Mapping[str, Any]) -> int:
    return 1 if options["layers"] == "none" else int(_tables(net, options)[0][OWN_FREE + 1])


def _fits(net: Network) -> str | None:
    reason = vector_fit(net, ("rdt", "prdt"), DRIFT, room=LAYER_BIT)
    if reason is None and int(net.params[2]) == 0:
        return "it needs a network with upper ranks"
    return reason


RDT_FAULT_TOLERANT = Routing(
    name="rdt.fault_tolerant",
    relation=relation,
    escape_class=escape_class,
    fits=_fits,
    vcs=_vcs,
    options={"layers": LAYERS, "avoid": ("link", "torus")},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_layer,
    source="yang2001rdt, section IV.C.h",
    summary="floating vector routing by local tables rewritten round faults; layers=least makes it free of deadlock",
)
