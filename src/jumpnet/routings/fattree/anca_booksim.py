"""Nearest common ancestor on a fat tree as BookSim 2's `anca` goes up: of two ways drawn at random the less used one.

Source: BookSim 2, anca on fattree; two choices: Mitzenmacher 2001. Every switch on the way up draws two of its ways,
which may be the same, and takes the one with fewer of its credits used up, the first of equals; the only way down is
as in `fattree.nca`. Free of deadlock with one channel (up before down).

It goes up by one or two of the ways where `fattree.nca` offers all of them, and down by the same one, on the same
virtual channels: whatever STATE holds, each way of a packet is one of `fattree.nca`.

STATE holds the ways that are still open, a pair of digits for each switch on the way up, the lowest pair for the next
one: the first number of a pair is the way drawn first. A choice writes the chosen way into both digits.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, IN_PORT, SOURCE, STATE

__all__ = ["FATTREE_ANCA_BOOKSIM"]


@kernel
def _lies_above(net, here, destination):
    """Whether the switch `here` is an ancestor of the destination: their digits down to its level are the same."""
    above = True
    for i in range(net.coord[here, 0]):
        above &= net.coord[here, i + 1] == net.coord[destination, i + 1]
    return above


def relation(net, here, head, out):
    """Down by the destination's digit where the switch lies above it, else up by the lowest pair of STATE."""
    destination, k, state = head[DESTINATION], net.params[0], head[STATE]
    if here == destination:
        return 0
    if _lies_above(net, here, destination):
        return put_class(out, 0, net.coord[destination, net.coord[here, 0] + 1], 0, 1, net.vcs, state, 0)
    one, other, rest = state % k, state // k % k, state // (k * k)
    count = put_class(out, 0, k + one, 0, 1, net.vcs, rest, 0)
    return count if one == other else put_class(out, count, k + other, 0, 1, net.vcs, rest, 0)


def start(net, head, draw, queue):
    """At the source STATE is the draw; there and at every switch on the way up its lowest pair becomes the choice."""
    at_source, k = head[IN_PORT] < 0, net.params[0]
    here = head[SOURCE] if at_source else draw
    if at_source:
        head[STATE] = draw
    if here == head[DESTINATION] or _lies_above(net, here, head[DESTINATION]):
        return
    state = head[STATE]
    one, other = state % k, state // k % k
    taken = other if queue[k + one] > queue[k + other] else one
    head[STATE] = state // (k * k) * (k * k) + taken * (k + 1)


FATTREE_ANCA_BOOKSIM = Routing(
    name="fattree.anca_booksim",
    relation=relation,
    start=start,
    revises=True,
    among=lambda net, options: "fattree.nca",
    draws=lambda net, options: int(net.params[0] ** (2 * (net.params[1] - 1))),
    fits=lambda net: None if net.family == "fattree" else "it needs a fat tree",
    adaptive=True,
    source="BookSim 2, anca",
    summary="up to a common ancestor by the less used of two ways drawn at every switch; free of deadlock",
)
