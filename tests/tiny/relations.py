"""What a routing does to one packet, in plain Python: its start hook, its candidates at a router, and its way."""

from __future__ import annotations

from jumpnet.routings import IN_PORT, STATE, BoundRouting
from jumpnet.routings.view import new_out
from jumpnet.terms import I64


def started(bound: BoundRouting, head: I64, draw: int, queue: I64) -> int:
    """STATE of a packet after the start hook."""
    assert bound.routing.start is not None
    bound.routing.start(bound.view, head, draw, queue)
    return int(head[STATE])


def way_of(bound: BoundRouting, head: I64) -> list[tuple[int, int]]:
    """(router, virtual channel) of each hop, to the end."""
    net, here, hops = bound.network, int(head[0]), []
    while True:
        out = new_out()
        if bound.routing.relation(bound.view, here, head, out) == 0:
            assert here == head[1]
            return hops
        head[STATE], head[IN_PORT] = out[0, 2], net.far_port[here, out[0, 0]]
        here = int(net.neighbor[here, out[0, 0]])
        hops.append((here, int(out[0, 1])))


def candidates(bound: BoundRouting, here: int, head: I64) -> list[list[int]]:
    """Candidates at a router: port, channel, next state and kind of each."""
    out = new_out()
    return out[: bound.routing.relation(bound.view, here, head, out)].tolist()
