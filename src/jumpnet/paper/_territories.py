"""Where the territory of a multicast lies: one measure for the three papers that say that it surrounds its source.

Used by kudoh1995rhbd, nishi1997router and yang2001rdt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.multicast.territory import Territories

__all__ = ["Place", "needed_top", "place", "sources", "unsurrounded"]

BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""The four neighbors on the base torus."""


class Place(NamedTuple):
    """A territory, seen from its source."""

    inside: int
    """Base hops within which all routers lie in it; -1 if the source itself does not."""
    farthest: int
    """Base hops to the farthest router in it."""


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


def needed_top(where: Territories) -> tuple[str, str]:
    """Whether a lower rank than the highest is enough for a multicast to the source's four neighbors; in detail."""
    tops = {where.address(s, [where.moved(s, *d) for d in BESIDE]).top for s in sources(where)}
    answer = "lower rank" if max(tops) < where.top else "the top rank"
    ranks = ", ".join(map(str, sorted(tops)))
    return answer, f"top ranks over the classes of sources: {ranks}; highest rank {where.top}"
