"""Where the territory of a multicast lies and where its tree starts: measures for the three papers that speak of them.

Used by kudoh1995rhbd, nishi1997router and yang2001rdt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jumpnet.multicast.children import children
from jumpnet.multicast.territory import Territories
from jumpnet.networks import Network
from jumpnet.terms import NO_ROUTER

__all__ = [
    "Place", "Roots", "by_rank", "children_at", "needed_top", "place", "roots", "sources", "territories_at",
    "unsurrounded",
]  # fmt: skip

BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""The four neighbors on the base torus."""


class Place(NamedTuple):
    """A territory, seen from its source."""

    inside: int
    """Base hops within which all routers lie in it; -1 if the source itself does not."""
    farthest: int
    """Base hops to the farthest router in it."""


def territories_at(where: Territories, top: int) -> str:
    """What shows the territories of ranks 0 to top in the page, as its links have it.

    The source is in the middle, of the class of router 0, around which the report draws them: they look the same.

    >>> from jumpnet.multicast.territory import territories
    >>> territories_at(territories("prdt:16"), 2)
    'net=prdt:16&panel=multicast&multicast.to=own&multicast.source=136&multicast.territory=true&multicast.ranks=2'
    """
    source = where.side // 2 * (where.side + 1)
    shown = f"multicast.to=own&multicast.source={source}&multicast.territory=true&multicast.ranks={top}"
    return f"net={where.spec}&panel=multicast&{shown}"


def children_at(where: Territories, above: Sequence[tuple[int, int]] = ()) -> str:
    """What shows the multicast from a router to all its children on rank 0 in the page, as its links have it.

    above: children on rank 1, in units of that rank, to whose children on rank 0 it goes instead. The source is the
    router nearest to the middle that has rank 1, so that no move comes before.

    >>> from jumpnet.multicast.territory import territories
    >>> children_at(territories("prdt:16"))
    'net=prdt:16&panel=multicast&multicast.to=own&multicast.source=136&multicast.receivers=120.135.137.151.152.153.168'
    """
    source = where.origin(where.side // 2 * (where.side + 1), 1)
    x, y = where.vectors[0], where.vectors[1]
    found = set()
    for a, b in above or [(0, 0)]:
        for c, d in children(where.n):
            dx, dy = (a * y[0] + b * y[1] + c * x[0] + d * x[1]).tolist()
            found.add(where.moved(source, dx, dy))
    receivers = ".".join(map(str, sorted(found - {source})))
    shown = f"multicast.to=own&multicast.source={source}&multicast.receivers={receivers}"
    return f"net={where.spec}&panel=multicast&{shown}"


def place(where: Territories, source: int, top: int) -> Place:
    """The territory of a source and top rank.

    >>> from jumpnet.multicast.territory import territories
    >>> place(territories("prdt:16"), 0, 0)
    Place(inside=1, farthest=2)
    """
    side, members = where.side, where.members(source, top)
    held = np.zeros((side, side), bool)
    held[(members // side - source // side) % side, (members % side - source % side) % side] = True
    along = np.minimum(np.arange(side), side - np.arange(side))
    far = along[:, None] + along[None, :]
    inside = int(far.max()) if held.all() else int(far[~held].min()) - 1
    return Place(inside, int(far[held].max()))


def sources(where: Territories) -> list[int]:
    """A router of each class."""
    return [y * where.side + x for y in range(where.n) for x in range(2 * where.n)]


def unsurrounded(where: Territories, top: int) -> int:
    """Classes of sources that do not lie in their territory together with their four neighbors."""
    return sum(place(where, source, top).inside < 1 for source in sources(where))


class Roots(NamedTuple):
    """The roots of the trees of one rank."""

    has: int
    """Routers with links of the rank."""
    used: int
    """Those of them at which multicasts of the rank start, over all sources."""
    plain: int
    """Roots of that rank in one tree of as many children over the same routers; at least one."""

    @property
    def many(self) -> bool:
        """Whether every router of the rank is a root, and there are more of them than in a plain tree."""
        return self.used == self.has > self.plain


def roots(where: Territories, net: Network) -> list[Roots]:
    """Roots by rank, from 0 to the highest that multicasts use: routers by the network's links, roots by the hops.

    >>> from jumpnet.multicast.territory import territories
    >>> from jumpnet.topology import build
    >>> roots(territories("rdt:16"), build("rdt:16"))[-1]
    Roots(has=64, used=64, plain=1)
    """
    ranks = np.where(net.neighbor != NO_ROUTER, net.class_rank[net.link_class], -1)
    found = []
    for rank in range(where.top + 1):
        starts = {where.moved(s, *map(int, where.hops[where.class_at(s), rank])) for s in range(where.routers)}
        has = set(np.flatnonzero((ranks == rank).any(axis=1)).tolist())
        found.append(Roots(len(has), len(has & starts), max(1, where.routers // where.fanout ** (rank + 1))))
    return found


def by_rank(found: Sequence[Roots]) -> str:
    """The roots of each rank in words."""
    return "; ".join(f"rank {r}: {f.used} of {f.has}, a plain tree {f.plain}" for r, f in enumerate(found))


def needed_top(where: Territories) -> tuple[str, str]:
    """Whether a lower rank than the highest is enough for a multicast to the source's four neighbors; in detail."""
    tops = {where.address(s, [where.moved(s, *d) for d in BESIDE]).top for s in sources(where)}
    answer = "lower rank" if max(tops) < where.top else "the top rank"
    ranks = ", ".join(map(str, sorted(tops)))
    return answer, f"top ranks over the classes of sources: {ranks}; highest rank {where.top}"
