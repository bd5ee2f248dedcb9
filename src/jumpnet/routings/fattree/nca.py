"""Nearest common ancestor on a fat tree: up until the switch lies above the destination, then the only way down.

Source: Petrini and Vanneschi 1997; Leiserson 1985. Free of deadlock with one channel (up before down). `up=adaptive`
offers every upward port, `random` fixes one per level by the start's draw, `destination` takes the destination's
digits.
"""

from __future__ import annotations

from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._routing import Routing
from jumpnet.routings._up import BY_DESTINATION, RANDOM, WAYS, draw_way, prepare_way
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["FATTREE_NCA"]


def relation(net, here, head, out):
    """Down by the destination's digit when its first digits agree, else up."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    k = net.params[0]
    level = net.coord[here, 0]
    above = True
    for i in range(level):
        if net.coord[here, i + 1] != net.coord[destination, i + 1]:
            above = False
            break
    state = head[STATE]
    if above:
        return put_class(out, 0, net.coord[destination, level + 1], 0, 1, net.vcs, state, 0)
    if net.own[0] == BY_DESTINATION:
        return put_class(out, 0, k + net.coord[destination, level], 0, 1, net.vcs, state, 0)
    if net.own[0] == RANDOM:
        return put_class(out, 0, k + state % k, 0, 1, net.vcs, state // k, 0)
    count = 0
    for j in range(k):
        count = put_class(out, count, k + j, 0, 1, net.vcs, state, 0)
    return count


FATTREE_NCA = Routing(
    name="fattree.nca",
    relation=relation,
    start=draw_way,
    prepare=prepare_way,
    draws=lambda net, options: int(net.params[0] ** (net.params[1] - 1)) if options["up"] == "random" else 1,
    among=lambda net, options: "fattree.nca" if options["up"] == "random" else None,
    options={"up": WAYS},
    meanings=MEANINGS,
    fits=lambda net: None if net.family == "fattree" else "it needs a fat tree",
    default_for=("fattree",),
    adaptive=True,
    source="Petrini and Vanneschi 1997",
    summary="up to a common ancestor (adaptive, random, or by the destination), then down; free of deadlock",
)
