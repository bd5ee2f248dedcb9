"""The outlook of RDT routings that follow a plan: which packets, at which routers, ask for the same channels.

Used by `rdt.deadlock_free`, `prdt.vector`, `rdt.floating` and `rdt.fixed`; `narrow` by `rdt.turn_model` too.
See `Routing.outlook`. A hop's channels depend on its rank and direction, and on whether the rest of its ring passes
the wrap-around, one coordinate's matter.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._rdt.plan import next_hop
from jumpnet.routings._rdt.vectors import ring_move, take, target_of
from jumpnet.routings.view import STATE

__all__ = ["narrow", "outlook"]


@kernel
def narrow(net, out, axis, at, move):
    """Narrow out[axis, 0:2] to the coordinates that `move` takes to the same side of 0..N-1 as `at`."""
    N = net.params[0]
    if at + move < 0:
        out[axis, 1] = min(out[axis, 1], -move - 1)
    elif at + move >= N:
        out[axis, 0] = max(out[axis, 0], N - move)
    else:
        out[axis, 0], out[axis, 1] = max(out[axis, 0], -move), min(out[axis, 1], N - 1 - move)


@kernel
def _packed(rank, direction, left):
    """One hop as an integer above 0, below 2^31."""
    return (((left << 4) + rank) << 2) + direction + 1


def outlook(net, here, head, out):
    """The next two hops; out[axis] becomes the interval of coordinates in which they ask for the same channels."""
    state = head[STATE]
    for axis in range(2):
        out[axis, 0], out[axis, 1] = 0, net.params[0] - 1
    rank, direction, left = next_hop(net, here, state)
    if rank < 0:
        return 0
    seen = _packed(rank, direction, left)
    axis, move = ring_move(net, rank, direction, left)
    narrow(net, out, axis, net.coord[here, axis], move)
    there = target_of(net, here, rank, direction)
    k = 3 + 4 * rank + 2 * (direction >> 1)
    for axis in range(2):
        narrow(net, out, axis, net.coord[here, axis], (1 - 2 * (direction & 1)) * net.params[k + axis])
    rank, direction, left = next_hop(net, there, take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1))
    if rank < 0:
        return seen << 31
    axis, move = ring_move(net, rank, direction, left)
    at = net.coord[here, axis]
    narrow(net, out, axis, at, net.coord[there, axis] - at + move)
    return (seen << 31) + _packed(rank, direction, left)
