"""E-cube routing on cube-connected cycles: once round the ring, crossing every wrong dimension, then to the place.

Source: Dally and Seitz 1987 (their CCC example); Preparata and Vuillemin 1981. The class is the number of times the
ring was wrapped going up (three classes); the last way down the ring has its own two dateline classes.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["CCC_ECUBE"]

UP, DOWN, ACROSS = 0, 1, 2


def relation(net, here, head, out):
    """Cross when this place's bit is wrong; else go up the ring, or the shorter way when no bit is wrong."""
    destination = head[DESTINATION]
    n = net.params[0]
    i, to = net.coord[here, 0], net.coord[destination, 0]
    wrong = net.coord[here, 1] ^ net.coord[destination, 1]
    wraps = head[STATE]
    if (wrong >> i) & 1:
        return put_class(out, 0, ACROSS, wraps, 3, net.vcs, wraps, 0)
    ahead = (to - i) % n
    if wrong == 0 and ahead == 0:
        return 0
    if wrong == 0 and 2 * ahead > n:
        return put_class(out, 0, DOWN, 0 if to > i else 1, 3, net.vcs, wraps, 0)
    return put_class(out, 0, UP, wraps, 3, net.vcs, wraps + 1 if i == n - 1 else wraps, 0)


CCC_ECUBE = Routing(
    name="ccc.ecube",
    relation=relation,
    vcs=3,
    fits=lambda net: None if net.family == "ccc" else "it needs cube-connected cycles",
    default_for=("ccc",),
    source="Dally and Seitz 1987",
    summary="dimensions in ring order, three classes; free of deadlock",
)
