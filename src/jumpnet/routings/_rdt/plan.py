"""In which order a packet visits the ranks of an RDT, and which base moves take it there: one small table.

Source: yang2001rdt section III.B leaves the order of ranks and the choice among base moves open. Steps on upper ranks
never change a router's class, so the rest of a route's base moves depends on the class, the set of pending ranks, and
the rank-0 vector alone: `plan_table` solves that small problem once. Used by the `rdt.*` routings.

`net.table[class * 2^R + pending / 2, (y + radius) * side + x + radius]` holds `cost * 16 + action`: the base moves to
go, and 0..3 for a base move (x+, x-, y+, y-) or 3 + r for the next step on rank r.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.networks import Network
from jumpnet.routings._rdt.vectors import OWN_RADIUS, OWN_RANKS, class_at, convert, pending, place_of, steps
from jumpnet.terms import I16, I64
from jumpnet.topology.rdt import class_of

__all__ = ["MOVES", "ORDERS", "next_hop", "plan_table", "planned", "start_state"]

ORDERS = {"best": 0, "ascending": 1, "descending": 2}
"""Which pending rank comes next: any, as the base moves meet it; the lowest; the highest."""
MOVES = {"best": 0, "step": 1, "near": 2, "x": 3, "plain": 4, "compass": 5}
"""Base moves to the next rank. best: the walk that makes the whole route shortest. step: the neighbor that does, one
step only. near: the nearest router with such a rank, of these the one that leaves the least rank-0 vector (the paper's
step 2), of equals the first of x+, x-, y+, y-. compass: as near, of equals the first of north, east, south, west
(y-, x+, y+, x-). x: along x only, the way that costs least. plain: the nearest, whatever the vector."""
COMPASS = (3, 0, 2, 1)

FAR = 1000


class Plans(NamedTuple):
    """The best plans so far, by class c, set of pending ranks P, and rank-0 vector (x, y), both from -radius on."""

    ranks: I64
    """(classes,) bits of the ranks that routers of a class have."""
    moved: I64
    """(classes, 4) class after a base move."""
    radius: int
    order: int
    """A value of `ORDERS`."""
    moves: int
    """A value of `MOVES`."""
    cost: I64
    """(classes, 2^R, side, side) base moves and steps to go, FAR where no plan is known."""
    table: I16
    """See the module."""


@kernel
def _shift(direction):
    """Displacement of a base move."""
    if direction == 0:
        return 1, 0
    if direction == 1:
        return -1, 0
    if direction == 2:
        return 0, 1
    return 0, -1


@kernel
def _walk_to(moved, ranks, c, direction, allowed):
    """Steps in one direction to a class that has an allowed rank; FAR when there is none."""
    s = 1
    c = moved[c, direction]
    while s < 2 * len(ranks):
        if ranks[c] & allowed:
            return s
        c = moved[c, direction]
        s += 1
    return FAR


@kernel
def _choose(plans, c, allowed, vx, vy):
    """Base direction of the rules that look no further than the next rank; -1 when no way leads there."""
    best, chosen, moves = 10 * FAR * FAR, -1, plans.moves
    for k in range(4):
        d = COMPASS[k] if moves == 5 else k
        if moves == 3 and d > 1:
            continue
        s = _walk_to(plans.moved, plans.ranks, c, d, allowed)
        if s >= FAR:
            continue
        dx, dy = _shift(d)
        left = abs(vx - s * dx) + abs(vy - s * dy)
        if moves == 2 or moves == 5:
            cost = FAR * s + left
        elif moves == 3:
            cost = FAR * (s + left) + s
        else:
            cost = s
        if cost < best:
            best, chosen = cost, d
    return chosen


@kernel
def _next_ranks(order, P):
    """Bits of the ranks of which the next one may be, of the pending ranks: bit r of them, and bit r - 1 of P."""
    if order == 0:
        return 2 * P
    chosen, r = 0, 1
    while P >> (r - 1) != 0:
        if P >> (r - 1) & 1 and (order == 2 or chosen == 0):
            chosen = 1 << r
        r += 1
    return chosen


@kernel
def _rank_step(plans, c, P, y, x, usable):
    """(cost, action) of the best step on a usable rank; action -1 where none costs less than the plan so far."""
    best, action = plans.cost[c, P, y, x], -1
    r = 1
    while usable >> r != 0:
        after = P & ~(1 << (r - 1))
        if (usable >> r) & 1 and plans.cost[c, after, y, x] < best:
            best, action = plans.cost[c, after, y, x], 3 + r
        r += 1
    return best, action


@kernel
def _base_move(plans, c, P, y, x, allowed):
    """Likewise of the base moves toward an allowed rank."""
    moves, radius = plans.moves, plans.radius
    best, action = plans.cost[c, P, y, x], -1
    vx, vy = x - radius, y - radius
    only = _choose(plans, c, allowed, vx, vy) if moves >= 2 else -1
    for d in range(4):
        if moves >= 2 and d != only:
            continue
        to = plans.moved[c, d]
        if moves == 1 and plans.ranks[to] & allowed == 0:
            continue
        dx, dy = _shift(d)
        if abs(vx - dx) > radius or abs(vy - dy) > radius:
            continue
        reach = plans.cost[to, P, y - dy, x - dx] + 1
        if reach < best:
            best, action = reach, d
    return best, action


@kernel
def _improve(plans, c, P, y, x, allowed):
    """Whether a plan now costs less than before, which is then noted."""
    usable = plans.ranks[c] & allowed
    if P == 0:
        best, action = abs(x - plans.radius) + abs(y - plans.radius), 0
    elif usable:
        best, action = _rank_step(plans, c, P, y, x, usable)
    else:
        best, action = _base_move(plans, c, P, y, x, allowed)
    if action < 0 or best >= plans.cost[c, P, y, x]:
        return False
    plans.cost[c, P, y, x] = best
    plans.table[c * plans.cost.shape[1] + P, y * (2 * plans.radius + 1) + x] = best * 16 + action
    return True


@entry
def _fill(plans):
    """Fill the table by increasing pending set; within one set, repeat until nothing changes (see the module)."""
    classes, sets, side, _side = plans.cost.shape
    for P in range(sets):
        allowed = _next_ranks(plans.order, P)
        changed = True
        while changed:
            changed = False
            for c in range(classes):
                for y in range(side):
                    for x in range(side):
                        changed |= _improve(plans, c, P, y, x, allowed)


def first_alike(ranks: I64, n: int) -> I64:
    """(2n^2,) the first class that a translation carries each to which keeps the ranks of all classes.

    Packets at classes that are alike must go alike, as proofs and figures follow those of one router of each orbit.

    >>> first_alike(np.array([1, 2, 1, 2, 1, 2, 1, 2]), 2).tolist()
    [0, 1, 0, 1, 0, 1, 0, 1]
    """
    x, y = np.tile(np.arange(2 * n), n), np.repeat(np.arange(n), 2 * n)
    first = np.arange(len(ranks))
    for dx, dy in zip(x.tolist(), y.tolist(), strict=True):
        to = class_of(x + dx, y + dy, n)
        if (ranks[to] == ranks).all():
            first = np.minimum(first, to)
    return first


def plan_table(net: Network, radius: int, order: str, moves: str) -> I16:
    """(2n^2 2^R, side^2) the plan of each class, pending ranks and rank-0 vector; side = 2 radius + 1, see the module.

    order, moves: of `ORDERS` and `MOVES`.

    Raises JumpnetError when a rank cannot be reached by the rule (an assignment where it is too far away).
    """
    n, R = int(net.params[1]), int(net.params[2])
    ranks = np.array(net.params[3 + 4 * (R + 1) :], np.int64)
    x, y = np.tile(np.arange(2 * n), n), np.repeat(np.arange(n), 2 * n)
    moved = np.empty((2 * n * n, 4), np.int64)
    for d, (dx, dy) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        row = np.floor_divide(y + dy, n)
        moved[:, d] = (y + dy - row * n) * (2 * n) + np.mod(x + dx - row * n, 2 * n)
    table = np.full((len(ranks) << R, (2 * radius + 1) ** 2), FAR * 16, np.int16)
    cost = np.full((len(ranks), 1 << R, 2 * radius + 1, 2 * radius + 1), FAR, np.int64)
    _fill(Plans(ranks, moved, radius, ORDERS[order], MOVES[moves], cost, table))
    # Of equal ways the one that comes first in `_fill` stays, which differs from class to class.
    table = table.reshape(len(ranks), -1)[first_alike(ranks, n)].reshape(table.shape)
    used = int(np.bitwise_or.reduce(ranks)) >> 1
    middle = radius * (2 * radius + 1) + radius
    for c in range(len(ranks)):
        for P in range(1 << R):
            if P & ~used == 0 and table[(c << R) + P, middle] >= FAR * 16:
                raise JumpnetError(f"{net.spec}: a rank is too far from some routers for order={order}, moves={moves}")
    return table


@kernel
def planned(net, here, state):
    """Action of a packet: -1 arrived, 0..3 a base move, 3 + r a step on rank r. No table means highest rank first."""
    mask = pending(net, state)
    if mask == 0:
        x, y = steps(net, state, 0, 0), steps(net, state, 0, 1)
        if x != 0:
            return 0 if x > 0 else 1
        return -1 if y == 0 else 2 if y > 0 else 3
    if net.table.shape[0] == 0:
        r = net.params[2]
        while (mask >> r) & 1 == 0:
            r -= 1
        return 3 + r
    x, y = place_of(net, here)
    return _entry(net, class_at(net, x, y), mask, state) & 15


@kernel
def next_hop(net, here, state):
    """(rank, direction, left) of the planned hop: steps to go in that direction, 0 for a change of rank.

    Rank -1 when the packet has arrived. Direction: 0 x+, 1 x-, 2 y+, 3 y-; x before y.
    """
    action = planned(net, here, state)
    if action < 0:
        return -1, 0, 0
    rank = 0 if action < 4 else action - 3
    if action < 4 and pending(net, state) != 0:
        return 0, np.int64(action), 0
    x, y = steps(net, state, rank, 0), steps(net, state, rank, 1)
    if x != 0:
        return rank, (0 if x > 0 else 1), abs(x)
    return rank, (2 if y > 0 else 3), abs(y)


@inlined
def _entry(net, kind, mask, state):
    """`cost * 16 + action` of the plan for a class (kind), pending ranks (mask) and the rank-0 vector of a state."""
    radius = net.own[OWN_RADIUS]
    x, y = steps(net, state, 0, 0), steps(net, state, 0, 1)
    row = (kind << net.params[2]) + (mask >> 1)
    return np.int64(net.table[row, (y + radius) * (2 * radius + 1) + x + radius])


@kernel
def _round(a, d, up):
    """a/d to the nearest integer, a tie up or down; and whether it was a tie."""
    q = a // d
    twice = 2 * (a - q * d)
    return (q + 1 if twice > d or (twice == d and up != 0) else q), twice == d


@kernel
def _trial(net, kind, a, b, code, least):
    """Hops of the planned route of a displacement from a class under one rounding `code`, and the ties it meets.

    The same vector as `convert` makes, without packing it. Stops early, with ties so far, once `least` is reached.
    """
    n, R = net.params[1], net.params[2]
    met, mask, upper, vx, vy = 0, 0, 0, 0, 0
    for r in range(R):
        g, tie_x = _round(a + b, 2 * n, (code >> (2 * r)) & 1)
        f, tie_y = _round(b - a, 2 * n, (code >> (2 * r + 1)) & 1)
        met |= (tie_x << (2 * r)) | (tie_y << (2 * r + 1))
        x, y = a - n * (g - f), b - n * (g + f)
        if r == 0:
            vx, vy = x, y
        elif x != 0 or y != 0:
            mask |= 1 << r
            upper += abs(x) + abs(y)
            if upper >= least:
                return upper, met
        a, b = g, f
    if R == 0:
        return abs(a) + abs(b), met
    if a != 0 or b != 0:
        mask |= 1 << R
        upper += abs(a) + abs(b)
    if mask == 0 or net.table.shape[0] == 0:
        return upper + abs(vx) + abs(vy), met
    radius = net.own[OWN_RADIUS]
    row, column = (kind << R) + (mask >> 1), (vy + radius) * (2 * radius + 1) + vx + radius
    return upper + (np.int64(net.table[row, column]) >> 4), met


@kernel
def _trial_folded(net, kind, a, b, code):
    """As `own.trial` where some rank is missing from every router: from the packed vector."""
    state, met = convert(net, a, b, 0, code)
    total, mask = 0, pending(net, state)
    for r in range(1, net.params[2] + 1):
        total += abs(steps(net, state, r, 0)) + abs(steps(net, state, r, 1))
    if mask == 0 or net.table.shape[0] == 0:
        return total + abs(steps(net, state, 0, 0)) + abs(steps(net, state, 0, 1)), met
    return total + (_entry(net, kind, mask, state) >> 4), met


@kernel
def start_state(net, here, destination, ties):
    """The vector of a new packet. With ties best (0): the rounding at each tie, of the ranks and of the half-way
    round, that gives the shortest planned route; the first of equals.
    """
    N, R = net.params[0], net.params[2]
    x, y = place_of(net, here)
    to_x, to_y = place_of(net, destination)
    a, b = (to_x - x) % N, (to_y - y) % N
    a -= N if 2 * a > N else 0
    b -= N if 2 * b > N else 0
    if ties != 0:
        return convert(net, a, b, ties, 0)[0]
    kind = class_at(net, x, y)
    folded = net.own[OWN_RANKS] != (2 << R) - 1
    best, chosen, least = 0, 0, 1 << 40
    for flip in range(4):
        if (flip & 1 and 2 * a != N) or (flip & 2 and 2 * b != N):
            continue
        code = 0
        while code >= 0:
            if folded:
                cost, met = _trial_folded(net, kind, a - N * (flip & 1), b - N * (flip >> 1), code)
            else:
                cost, met = _trial(net, kind, a - N * (flip & 1), b - N * (flip >> 1), code, least)
            if cost < least:
                best, chosen, least = code, flip, cost
            place = 2 * R - 1
            while place >= 0 and not ((met >> place) & 1 and (code >> place) & 1 == 0):
                place -= 1
            code = ((code | (1 << place)) & ((2 << place) - 1)) if place >= 0 else -1
    return convert(net, a - N * (chosen & 1), b - N * (chosen >> 1), 0, best)[0]
