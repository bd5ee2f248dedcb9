"""Routing vectors of the recursive diagonal torus: how a displacement becomes steps on each rank, and back to ports.

Source: yang2001rdt section III.A. A packet carries one pair of step counts (x, y) for each rank in its STATE; a hop
takes one off. Used by every `rdt.*` and `prdt.*` routing. All kernels read the family's `params` (see
`topology/rdt.py`) and these integers of `own`, made by `vector_own`:
[bits of rank 0, bits of the middle ranks, bits of the top rank, the state of no steps, ranks in use as a bit mask,
radius of the plan table, rounding of ties, ports of the steps (see `_ports`), free for the routing].
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import inlined, kernel
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = [
    "OWN_FREE",
    "OWN_NONE",
    "OWN_PORTS",
    "OWN_RADIUS",
    "OWN_RANKS",
    "OWN_TIES",
    "TIES",
    "class_at",
    "convert",
    "has_ranks",
    "pending",
    "place_of",
    "port_of",
    "ring_class",
    "ring_move",
    "short_ranks",
    "steps",
    "take",
    "target_of",
    "vector_fit",
    "vector_own",
]  # fmt: skip

OWN_NONE, OWN_RANKS, OWN_RADIUS, OWN_TIES, OWN_PORTS, OWN_FREE = 3, 4, 5, 6, 7, 8
PORT_RANKS = 6
"""Ranks up to this one have room in the number of ports."""
TIES = {"best": 0, "zero": 1, "away": 2, "up": 3}
"""Rounding of a remainder of exactly n: whatever gives the shortest route, toward zero, away from it, or upwards."""


def _bounds(net: Network) -> tuple[int, list[int], int]:
    """Ranks in use (bit mask), and the largest step counts on all ranks but the top one, and on that.

    A rank that no router has is folded into the rank below it, which then takes n times as many steps more.
    """
    N, n, R = (int(v) for v in net.params[:3])
    used = int(np.bitwise_or.reduce(net.params[3 + 4 * (R + 1) :]))
    component = int(np.abs(net.params[3 + 4 * R : 5 + 4 * R]).max())
    top = N // (2 * component) + 1
    bound = [n] * max(R, 1)
    for p in range(R - 1, 0, -1):
        if not (used >> p) & 1:
            bound[p - 1] += n * bound[p]
    return used, bound if R else [top], top


def short_ranks(net: Network) -> int:
    """Bit mask of the upper ranks of which no packet has more than two steps to go on an axis.

    >>> from jumpnet.topology import build
    >>> bin(short_ranks(build("prdt:64,R=3"))), bin(short_ranks(build("prdt:64,R=2")))
    ('0b1110', '0b10')
    """
    N, n, R = (int(v) for v in net.params[:3])
    most = _bounds(net)[1]
    component = int(np.abs(net.params[3 + 4 * R : 5 + 4 * R]).max())
    most.append(N // (2 * component) + 1 if n == 1 else -(-N // (2 * component)))  # n=1 rounds halves up more than once
    return sum(1 << r for r in range(1, R + 1) if most[r] <= 2)


def vector_fit(net: Network, families: tuple[str, ...], drift: int, room: int = 63) -> str | None:
    """Why the vectors of a network do not fit `room` bits of a packet's state, or None."""
    if net.family not in families:
        return f"it needs a network of family {' or '.join(families)}"
    R = int(net.params[2])
    _, below, top = _bounds(net)
    low, middle = below[0], max(below[1:], default=int(net.params[1]))
    bits = 2 * ((low + drift).bit_length() + 1) + 2 * max(R - 1, 0) * (middle.bit_length() + 1)
    if bits + 2 * (top.bit_length() + 1) > room:
        return f"it needs vectors of at most {room} bits; ranks to {R} on side {net.params[0]} need more"
    return None


def vector_own(net: Network, drift: int, ties: str, *free: int, widest: int = 0, spare: int = 0, room: int = 63) -> I64:
    """(numbers,) the integers of `own` for a network: bits of three counts, then what `OWN_NONE` and so on name.

    `drift` is how far base moves may stretch the rank-0 vector, `widest` the longest rank-0 vector where it may grow
    beyond that; `spare` bits are added to each count of a middle rank; the state keeps to `room` bits.
    """
    R = int(net.params[2])
    used, below, top = _bounds(net)
    low, middle = below[0], max(below[1:], default=int(net.params[1]))
    b0, bm = max(low + drift, widest).bit_length() + 1, middle.bit_length() + 1 + spare
    bt = min(24, (room - (2 * b0 + 2 * bm * max(R - 1, 0))) // 2)
    if R == 0:
        b0 = min(24, max(b0, top.bit_length() + 1))
    none = 0
    for r in range(R + 1):
        width, shift = (b0, 0) if r == 0 else (bm, 2 * b0 + 2 * bm * (r - 1)) if r < R else (bt, 0)
        if r == R and R > 0:
            shift = 2 * b0 + 2 * bm * (R - 1)
        none |= (1 << (width - 1)) << shift | (1 << (width - 1)) << (shift + width)
    return np.array([b0, bm, bt, none, used, low + drift, TIES[ties], _ports(net), *free], np.int64)


def _ports(net: Network) -> int:
    """1 + 2 * the ports of all steps, where they are those of every router; 0 where some link is missing.

    Step (r, direction) leaves by the port with number (ports >> 8r + 2 direction) & 3 of those of rank r. With them a
    hop is worked out from the router's number; tables as large as the network come from far memory for every head.
    """
    N, n, R = (int(v) for v in net.params[:3])
    y, x = np.divmod(np.arange(net.routers), N)
    if R > PORT_RANKS or net.routers != N * N or not np.array_equal(net.coord, np.stack((x, y), axis=1)):
        return 0
    row = y // n
    ranks = net.params[3 + 4 * (R + 1) + (y - row * n) * (2 * n) + (x - row * n) % (2 * n)]
    slot, ports = np.zeros(net.routers, np.int64), 0
    for r in range(R + 1):
        has = np.flatnonzero(ranks >> r & 1)
        if not has.size:
            continue
        own_y, own_x, own_ports = y[has], x[has], 4 * slot[has]
        for direction in range(4):
            sign, k = 1 - 2 * (direction & 1), 3 + 4 * r + 2 * (direction >> 1)
            to = (own_y + sign * net.params[k + 1]) % N * N + (own_x + sign * net.params[k]) % N
            port = direction
            if (net.neighbor[has, own_ports + direction] != to).any():  # where links coincide, another
                order = [direction, *(d for d in range(4) if d != direction)]
                leads = np.stack([net.neighbor[has, own_ports + d] == to for d in order])
                first = leads.argmax(axis=0)
                if not leads.any(axis=0).all() or (first != first[0]).any():
                    return 0
                port = order[int(first[0])]
            ports |= port << 8 * r + 2 * direction
        slot[has] += 1
    return 1 + 2 * ports


@inlined
def _place(net, r, axis):
    """Lowest bit and width of one step count in the state."""
    b0, bm, R = net.own[0], net.own[1], net.params[2]
    if r == 0:
        return axis * b0, b0
    low = 2 * b0 + 2 * bm * (r - 1)
    width = bm if r < R else net.own[2]
    return low + axis * width, width


@kernel
def steps(net, state, r, axis):
    """Signed step count of rank r on axis 0 (x) or 1 (y)."""
    low, width = _place(net, r, axis)
    return ((state >> low) & ((1 << width) - 1)) - (1 << (width - 1))


@kernel
def take(net, state, r, axis, count):
    """The state with `count` added to one step count."""
    low, _ = _place(net, r, axis)
    return state + (np.int64(count) << low)


@kernel
def pending(net, state):
    """Bit mask of the upper ranks with steps to go."""
    b0, bm, bt, R = net.own[0], net.own[1], net.own[2], net.params[2]
    differs = (state ^ net.own[OWN_NONE]) >> (2 * b0)  # a count is 0 where its bits are those of no steps
    mask = 0
    for r in range(1, R):
        if differs & ((1 << (2 * bm)) - 1) != 0:
            mask |= 1 << r
        differs >>= 2 * bm
    if R > 0 and differs & ((1 << (2 * bt)) - 1) != 0:
        mask |= 1 << R
    return mask


@kernel
def class_at(net, x, y):
    """Class 0..2n^2-1 of a place (yang2001rdt Theorem 2)."""
    n = net.params[1]
    row = y // n
    return (y - row * n) * (2 * n) + (x - row * n) % (2 * n)


@kernel
def has_ranks(net, x, y):
    """Bit mask of the ranks, rank 0 included, that the router at a place has."""
    return net.params[3 + 4 * (net.params[2] + 1) + class_at(net, x, y)]


@kernel
def place_of(net, here):
    """Place (x, y) of a router."""
    if net.own[OWN_PORTS] == 0:
        return np.int64(net.coord[here, 0]), np.int64(net.coord[here, 1])
    y = here // net.params[0]
    return here - y * net.params[0], y


@kernel
def target_of(net, here, r, direction):
    """Router one step from `here` on rank r; direction 0 x+, 1 x-, 2 y+, 3 y-."""
    N = net.params[0]
    sign = 1 - 2 * (direction & 1)
    k = 3 + 4 * r + 2 * (direction >> 1)
    x, y = place_of(net, here)
    x = (x + sign * net.params[k]) % N
    y = (y + sign * net.params[k + 1]) % N
    return y * N + x


@kernel
def port_of(net, here, r, direction):
    """Port of one step on rank r, or the port that leads to the same router where links coincide; -1 if none."""
    x, y = place_of(net, here)
    ranks = has_ranks(net, x, y)
    if (ranks >> r) & 1 == 0:
        return -1
    slot = 0
    for q in range(r):
        slot += (ranks >> q) & 1
    if net.own[OWN_PORTS] != 0:
        return 4 * slot + ((net.own[OWN_PORTS] >> (1 + 8 * r + 2 * direction)) & 3)
    target = target_of(net, here, r, direction)
    if net.neighbor[here, 4 * slot + direction] == target:
        return 4 * slot + direction
    for port in range(4 * slot, 4 * slot + 4):
        if net.neighbor[here, port] == target:
            return port
    for port in range(net.neighbor.shape[1]):
        if net.neighbor[here, port] == target:
            return port
    return -1


@kernel
def ring_move(net, r, direction, count):
    """(axis, move): the base coordinate whose wrap-around is the dateline of rank r, and its change in `count` steps.

    Each ring passes the wrap-around of one base coordinate once: of x, or of y where x stays.
    """
    k = 3 + 4 * r + 2 * (direction >> 1)
    axis = 0 if net.params[k] != 0 else 1
    return axis, (1 - 2 * (direction & 1)) * net.params[k + axis] * count


@kernel
def ring_class(net, here, r, direction, count):
    """Dateline class of a step with `count` steps to go on its ring: 0 while the wrap lies ahead, else 1."""
    axis, move = ring_move(net, r, direction, count)
    x, y = place_of(net, here)
    at = (y if axis == 1 else x) + move
    return 0 if at < 0 or at >= net.params[0] else 1


@inlined
def _round(a, d, ties, up):
    """a/d to the nearest integer and whether it was a tie; a tie goes by the rule, or up when `up` (rule best)."""
    q = a // d
    twice = 2 * (a - q * d)
    if twice != d:
        return (q + 1 if twice > d else q), False
    if ties == 0:
        return (q + 1 if up else q), True
    if ties == 3:
        return q + 1, True
    return (q + 1 if (a < 0) == (ties == 1) else q), True


@kernel
def convert(net, a, b, ties, code):
    """Steps of each rank for a displacement (a, b) in the base torus: (state, bit mask of the ties met).

    Simple vector routing, bottom rank first. Bit 2r (2r+1) of `code` rounds a tie of x_{r+1} (y_{r+1}) up when
    `ties` is 0; the mask has the same places. Ranks that no router has go back to the rank below.
    """
    n, R, ranks = net.params[1], net.params[2], net.own[4]
    state, met = net.own[3], 0
    for r in range(R):
        g, tie_x = _round(a + b, 2 * n, ties, (code >> (2 * r)) & 1 == 1)
        f, tie_y = _round(b - a, 2 * n, ties, (code >> (2 * r + 1)) & 1 == 1)
        met |= (tie_x << (2 * r)) | (tie_y << (2 * r + 1))
        state = take(net, state, r, 0, a - n * (g - f))
        state = take(net, state, r, 1, b - n * (g + f))
        a, b = g, f
    state = take(net, take(net, state, R, 0, a), R, 1, b)
    for r in range(R - 1, 0, -1):
        if (ranks >> r) & 1 == 0:
            g, f = steps(net, state, r, 0), steps(net, state, r, 1)
            state = take(net, take(net, state, r, 0, -g), r, 1, -f)
            state = take(net, take(net, state, r - 1, 0, n * (g - f)), r - 1, 1, n * (g + f))
    return state, met
