"""UGAL on a HyperX as BookSim 2 does it: detours only in the dimensions in which source and destination differ.

Source: BookSim 2, ugal on flatfly. The minimal way may seem slower by a little. Classes as in
`hyperx.valiant`, but for odd numbers of channels, where they are as in `hyperx.valiant_booksim`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_shared_half
from jumpnet.routings.hyperx._steps import line_port, must_be_lines, ordered_port
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["HYPERX_UGAL_BOOKSIM", "faster_detour", "least_cycle"]

BIAS = 2
"""The minimal way's flits times hops may exceed the detour's by this much."""


@kernel
def _middle(net, source, destination, draw):
    """(router, its hops from the source, its hops to the destination): `draw`, but in a line that both share there."""
    router, size, before, after = 0, 1, 0, 0
    for d in range(net.coord.shape[1]):
        at, to = net.coord[source, d], net.coord[destination, d]
        between = at if at == to else net.coord[draw, d]
        before += between != at
        after += between != to
        router += between * size
        size *= net.params[d]
    return router, before, after


@kernel
def faster_detour(net, head, draw, queue, order):
    """The router of the drawn detour where it promises to be faster than the minimal way, -1 else.

    order: that of the dimensions on both ways.
    """
    source, destination = head[SOURCE], head[DESTINATION]
    middle, before, after = _middle(net, source, destination, draw)
    if before == 0:
        return -1
    direct, detour = ordered_port(net, source, destination, order), ordered_port(net, source, middle, order)
    short = _middle(net, source, destination, source)[2]
    return middle if short * queue[direct] > (before + after) * queue[detour] + BIAS else -1


def least_cycle(net: Network, vcs: int) -> int:
    """Channels of a shortest cycle at least: three, or four where no side is longer than two.

    However many virtual channels there are, as links alone say so. Of the extended graph of escape channels, which has
    dependencies across others too, nothing is said.
    A detour leaves a line that source and destination share alone, and each of the two ways corrects a coordinate once.
    So two hops in one dimension lead from the source's coordinate to the destination's, which differs from it: no
    packet asks for a channel back to where it comes from, which a cycle of two would need. Where sides are two a
    dimension is hopped in once, so a cycle, which comes back in each of its dimensions, has two of these.
    """
    return 3 if (net.params > 2).any() else 4


def relation(net, here, head, out):
    """That of `hyperx.valiant` with BookSim's halves; STATE is the phase."""
    phase = head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    port = line_port(net, here, head[DESTINATION] if phase == 1 else head[INTERMEDIATE])[0]
    if port < 0:
        return 0
    return put_shared_half(out, port, phase, net.vcs, phase)


def start(net, head, draw, queue):
    """Minimal (phase 1 at once) unless the detour through the drawn router promises to be faster."""
    middle = faster_detour(net, head, draw, queue, 0)
    head[STATE] = 1
    if middle >= 0:
        head[STATE] = 0
        head[INTERMEDIATE] = middle


HYPERX_UGAL_BOOKSIM = Routing(
    name="hyperx.ugal_booksim",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases="some",
    least_cycle=least_cycle,
    vcs=2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="BookSim 2, ugal",
    summary="dimension order or a detour in the dimensions that differ, as BookSim has it; free of deadlock",
)
