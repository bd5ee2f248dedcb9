"""Minimal adaptive routing on a hypercube with e-cube as escape: free of deadlock by Duato's condition.

Source: Duato 1993. Class 0 is the escape channel, class 1 is adaptive.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.hypercube._steps import lowest_bit, must_be_hypercube
from jumpnet.routings.view import DESTINATION, ESCAPE, NORMAL

__all__ = ["HYPERCUBE_DUATO"]


def relation(net, here, head, out):
    """The port of every wrong bit, adaptive class; last that of the lowest one, escape class."""
    wrong = here ^ head[DESTINATION]
    if wrong == 0:
        return 0
    count = 0
    for d in range(net.params[0]):
        if (wrong >> d) & 1:
            count = put_class(out, count, d, 1, 2, net.vcs, 0, NORMAL)
    return put_class(out, count, lowest_bit(wrong), 0, 2, net.vcs, 0, ESCAPE)


HYPERCUBE_DUATO = Routing(
    name="hypercube.duato",
    relation=relation,
    vcs=2,
    fits=must_be_hypercube,
    symmetric=lambda net: True,
    adaptive=True,
    source="Duato 1993",
    summary="minimal adaptive with an e-cube escape channel; free of deadlock (Duato)",
)
