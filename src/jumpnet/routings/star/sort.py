"""Sorting route on a star graph: the first symbol goes home; when it is home, a wrong one is fetched. Shortest.

Source: Akers, Harel and Krishnamurthy 1987. With D the diameter, D/2 + 1 classes keep it free of deadlock: a new one
when a hop to a lower router number is followed by one to a higher. STATE is the level of `rise_class`.
"""

from __future__ import annotations

from jumpnet.networks import Network
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class, rise_class
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["STAR_SORT"]


def relation(net, here, head, out):
    """Port p exchanges the symbols at places 0 and p + 1; the lowest wrong place is fetched."""
    destination = head[DESTINATION]
    n = net.params[0]
    port = -1
    for i in range(1, n):
        if net.coord[destination, i] == net.coord[here, 0]:
            port = i - 1
    if port < 0:
        for i in range(n - 1, 0, -1):
            if net.coord[destination, i] != net.coord[here, i]:
                port = i - 1
    if port < 0:
        return 0
    level = rise_class(head[STATE], net.neighbor[here, port] > here)
    return put_class(out, 0, port, level >> 1, 3 * (n - 1) // 2 // 2 + 1, net.vcs, level, 0)


def _classes(net: Network) -> int:
    return 3 * (int(net.params[0]) - 1) // 2 // 2 + 1


STAR_SORT = Routing(
    name="star.sort",
    relation=relation,
    vcs=lambda net, options: _classes(net),
    fits=lambda net: None if net.family == "star" else "it needs a star graph",
    default_for=("star",),
    source="Akers, Harel and Krishnamurthy 1987",
    summary="sorts the symbols, shortest; a class for every second hop, free of deadlock",
)
