"""Hops inside one partition of an RDT, and which pairs inside a partition are routed alike.

Used by `rdt.partitioned`, whose file gives the rule. A hop depends on the rest of the vector, the class of its place,
and which steps would leave the partition. So two pairs of one displacement, whose sources are of one class, take
the same hops as long as every step that was considered falls on the same side of the partition's border: an interval
of source places along x and one along y. `alike` covers all pairs with such boxes. Twin: the walk of every pair, in
`tests/laws/routings/test_routes_delivered.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.routings._rdt.vectors import convert, has_ranks, pending, steps, take

__all__ = ["alike", "hop_inside", "inside_vector", "rewritten"]

SOURCE_X, SOURCE_Y = 4, 5
"""Places of the source in a box: [least x, greatest x, least y, greatest y, the source's x, y]."""


@kernel
def _note(box, place, at, side):
    """Narrow a box (int64[6]) to sources for which place[x or y] stays on its side of the border; axis by `at`."""
    offset = place - box[SOURCE_X + at]
    if place < 0:
        box[2 * at + 1] = min(box[2 * at + 1], -offset - 1)
    elif place >= side:
        box[2 * at] = max(box[2 * at], side - offset)
    else:
        box[2 * at] = max(box[2 * at], -offset)
        box[2 * at + 1] = min(box[2 * at + 1], side - 1 - offset)


@kernel
def _stays(net, x, y, side, r, direction, box):
    """Whether a step from place (x, y) of a partition of a side, counted from its corner, stays in it."""
    k = 3 + 4 * r + 2 * (direction >> 1)
    sign = 1 - 2 * (direction & 1)
    to_x, to_y = x + sign * net.params[k], y + sign * net.params[k + 1]
    out_x, out_y = to_x < 0 or to_x >= side, to_y < 0 or to_y >= side
    if box is not None:
        if out_x or not out_y:  # one reason is enough to leave, both are needed to stay
            _note(box, to_x, 0, side)
        if not out_x:
            _note(box, to_y, 1, side)
    return not (out_x or out_y)


@kernel
def _step_inside(net, state, mask, x, y, side, box):
    """rank * 4 + direction of a step from (x, y) on a pending rank it has, highest first, x first; -1 if all leave.

    Partitions begin at multiples of the classes' period, so a place in one has the class it has in the network.
    """
    usable = mask & has_ranks(net, x, y)
    for r in range(net.params[2], 0, -1):
        if (usable >> r) & 1:
            for axis in range(2):
                k = steps(net, state, r, axis)
                if k != 0 and _stays(net, x, y, side, r, 2 * axis + (k < 0), box):
                    return 4 * r + 2 * axis + (k < 0)
    return -1


@kernel
def hop_inside(net, state, x, y, side, box):
    """rank * 4 + direction of the next hop inside the partition; -1 when a step must be rewritten, -2 at the end.

    `box` is None, or narrowed to the sources whose packets decide alike here.
    """
    vx, vy = steps(net, state, 0, 0), steps(net, state, 0, 1)
    mask = pending(net, state)
    if mask != 0:
        found = _step_inside(net, state, mask, x, y, side, box)
        if found >= 0:
            return found
        best, chosen = 1 << 40, -1
        for direction in range(4):
            sign = 1 - 2 * (direction & 1)
            dx, dy = (sign, 0) if direction < 2 else (0, sign)
            left = abs(vx - dx) + abs(vy - dy)
            inside = left < best and _stays(net, x, y, side, 0, direction, box)
            if inside and _step_inside(net, state, mask, x + dx, y + dy, side, box) >= 0:
                best, chosen = left, direction
        if chosen >= 0:
            return chosen
    if vx != 0 and _stays(net, x, y, side, 0, 1 if vx < 0 else 0, box):
        return 1 if vx < 0 else 0
    if vy != 0 and _stays(net, x, y, side, 0, 3 if vy < 0 else 2, box):
        return 3 if vy < 0 else 2
    return -1 if mask != 0 else -2


@kernel
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


@kernel
def rewritten(net, state):
    """The state with one step of its highest pending rank rewritten by the rank below."""
    r = net.params[2]
    while (pending(net, state) >> r) & 1 == 0:
        r -= 1
    x, y = steps(net, state, r, 0), steps(net, state, r, 1)
    if x != 0:
        return _down(net, state, r, 1 if x > 0 else -1, 0)
    return _down(net, state, r, 0, 1 if y > 0 else -1)


@kernel
def inside_vector(net, a, b, side):
    """The state of a displacement (a, b) inside a partition: no wrap-around, ranks whose steps are shorter than it."""
    state = convert(net, np.int64(a), np.int64(b), 1, 0)[0]
    for r in range(net.params[2], 0, -1):
        if max(abs(net.params[3 + 4 * r]), abs(net.params[4 + 4 * r])) >= side:
            state = _down(net, state, r, steps(net, state, r, 0), steps(net, state, r, 1))
    return state


@kernel
def _follow(net, state, x, y, side, box):
    """Follow a packet from place (x, y) to its end, which narrows the box to the sources with the same hops."""
    while True:
        hop = hop_inside(net, state, x, y, side, box)
        if hop == -2:
            return
        if hop == -1:
            state = rewritten(net, state)
            continue
        rank, axis, sign = hop >> 2, (hop >> 1) & 1, 1 - 2 * (hop & 1)
        k = 3 + 4 * rank + 2 * axis
        x, y = x + sign * net.params[k], y + sign * net.params[k + 1]
        state = take(net, state, rank, axis, -sign)


@kernel
def _columns(n, first, low, high, j):
    """(first, stop) of i for the places x = (first + n j) mod 2n + 2n i of row j of a class that lie in low..high."""
    x0 = (first + n * j) % (2 * n)
    return max(0, -((x0 - low) // (2 * n))), (high - x0) // (2 * n) + 1


@kernel
def _cover(net, side, last, a, b, c, free, box, found):
    """Boxes for the sources of class c with displacement (a, b): rows [x, y, pairs] of `found`; returns their number.

    Only pairs that no half of the partition holds, unless it is the `last`. free[j, i] marks what is still to cover:
    row j of the class is y = c // 2n + n j, its places as in `_columns`.
    """
    n, half, count = net.params[1], side // 2, 0
    first, y0 = c % (2 * n), c // (2 * n)
    state = inside_vector(net, a, b, side)
    low, high = max(0, -a), min(side, side - a) - 1
    begin, end = max(0, -((y0 + b) // n)), (min(side, side - b) - 1 - y0) // n + 1
    for j in range(begin, end):
        y, x0 = y0 + n * j, (first + n * j) % (2 * n)
        cut = last or y // half != (y + b) // half
        start, stop = _columns(n, first, low, high, j)
        for i in range(start, stop):
            x = x0 + 2 * n * i
            free[j, i] = cut or x // half != (x + a) // half
    for j in range(begin, end):
        y, x0 = y0 + n * j, (first + n * j) % (2 * n)
        start, stop = _columns(n, first, low, high, j)
        for i in range(start, stop):
            if not free[j, i]:
                continue
            box[0], box[1], box[2], box[3] = low, high, y, y0 + n * (end - 1)
            box[SOURCE_X], box[SOURCE_Y] = x0 + 2 * n * i, y
            _follow(net, state, x0 + 2 * n * i, y, side, box)
            pairs = 0
            for row in range(j, (box[3] - y0) // n + 1):
                left, right = _columns(n, first, box[0], box[1], row)
                for k in range(left, right):
                    pairs += free[row, k]
                    free[row, k] = False
            found[count, 0], found[count, 1], found[count, 2] = x0 + 2 * n * i, y, pairs
            count += 1
    return count


@entry(allocates=True)
def alike(net, side, last, b, found):
    """Representatives of all pairs of one partition of a side whose displacement in y is b.

    Writes rows [source x, source y, displacement in x, pairs it stands for] into found (K, 4), places counted from the
    partition's corner; returns their number, or -1 when there are more than K.
    """
    n = net.params[1]
    free, box = np.zeros((side // n + 1, side // (2 * n) + 1), np.bool_), np.zeros(6, np.int64)
    rows, count = np.zeros((free.size, 3), np.int64), 0
    for a in range(1 - side, side):
        for c in range(2 * n * n if a != 0 or b != 0 else 0):
            new = _cover(net, side, last, a, b, c, free, box, rows)
            if count + new > found.shape[0]:
                return -1
            for i in range(new):
                x, y, pairs = rows[i]
                found[count, 0], found[count, 1], found[count, 2], found[count, 3] = x, y, a, pairs
                count += 1
    return count
