"""Up to a spine, down to the leaf, on a folded Clos network: free of deadlock with one channel.

Source: Dally and Towles section 6.3. `up=adaptive` offers every spine, `random` draws one, `destination` takes the
spine numbered as the destination leaf modulo the spines.
"""

from __future__ import annotations

from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._routing import Routing
from jumpnet.routings._up import BY_DESTINATION, RANDOM, WAYS, draw_way, prepare_way
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["CLOS_NCA"]


def relation(net, here, head, out):
    """Spines (level 0) go down to the destination leaf, leaves up."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    if net.coord[here, 0] == 0:
        return put_class(out, 0, net.coord[destination, 1], 0, 1, net.vcs, 0, 0)
    spines = net.params[0]
    if net.own[0] == BY_DESTINATION:
        return put_class(out, 0, net.coord[destination, 1] % spines, 0, 1, net.vcs, 0, 0)
    if net.own[0] == RANDOM:
        return put_class(out, 0, head[STATE], 0, 1, net.vcs, 0, 0)
    count = 0
    for spine in range(spines):
        count = put_class(out, count, spine, 0, 1, net.vcs, 0, 0)
    return count


CLOS_NCA = Routing(
    name="clos.nca",
    relation=relation,
    start=draw_way,
    prepare=prepare_way,
    draws=lambda net, options: int(net.params[0]) if options["up"] == "random" else 1,
    among=lambda net, options: "clos.nca" if options["up"] == "random" else None,
    options={"up": WAYS},
    meanings=MEANINGS,
    fits=lambda net: None if net.family == "clos" else "it needs a folded Clos network",
    default_for=("clos",),
    adaptive=True,
    source="Dally and Towles, section 6.3",
    summary="any spine up (adaptive, random, or by the destination), then down; free of deadlock",
)
