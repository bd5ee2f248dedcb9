"""A plain n-ary tree under the bit-map schemes: Figures 5 and 6 of kudoh1995rhbd and of nishi1997router.

A leaf is written by its digits, the child taken at each level, the top level first. The schemes count children from
the source's own (digit 0, the M of the RDT), so digits go to them turned by the source's; maps come back turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from jumpnet.multicast import Scheme
from jumpnet.plot.figure import PALETTE
from jumpnet.report._section import Figure

__all__ = ["DESTINATIONS", "SOURCE", "Cast", "Leaf", "Visit", "cast", "draw_cast", "figures_5_and_6"]

Leaf = tuple[int, ...]
SOURCE: Leaf = (0, 0, 0, 0)
DESTINATIONS: tuple[Leaf, ...] = ((0, 0, 0, 1), (0, 0, 1, 2), (0, 1, 0, 1), (0, 2, 0, 1), (0, 2, 1, 1))
"""Two near the source, three in the other subtrees of level 2; the top node sends to one child only."""


class Visit(NamedTuple):
    """A node that the message passes."""

    node: Leaf
    """Children taken from the root; () is the root, of level 0."""
    bit_map: int
    """The map of its level, or its own, as children of the tree."""
    served: int
    """The children that it sends to."""
    local: bool
    """Whether it is the root of a subtree with the source."""
    starts: bool
    """Whether the multicast starts here; the nodes above hand the message down to one child."""

    @property
    def level(self) -> int:
        """Its level; the root's is 0."""
        return len(self.node)


@dataclass(frozen=True)
class Cast:
    """One multicast on a tree."""

    fanout: int
    height: int
    source: Leaf
    destinations: tuple[Leaf, ...]
    visits: tuple[Visit, ...]
    receivers: tuple[Leaf, ...]

    @property
    def bits(self) -> int:
        """Bits of the maps of the nodes that have one of their own."""
        return self.fanout * len(self.visits)


def cast(scheme: Scheme, fanout: int, source: Leaf, destinations: Sequence[Leaf]) -> Cast:
    """Send down the tree; the multicast starts at the root of the least subtree with source and destinations.

    >>> from jumpnet.multicast import scheme
    >>> [len(cast(scheme(name), 3, (0, 0), [(0, 1), (1, 2)]).receivers) for name in ("full", "SM", "LPRA", "LARP")]
    [2, 4, 4, 4]
    """
    height, every = len(source), (1 << fanout) - 1
    start = next(k for k in range(height) if k == height - 1 or len({leaf[k] for leaf in (source, *destinations)}) > 1)
    turned = [tuple((a - b) % fanout for a, b in zip(leaf, source, strict=True)) for leaf in destinations]
    top = height - 1 - start
    maps = scheme.maps([tuple(reversed(leaf[start:])) for leaf in turned])
    visits: list[Visit] = [
        Visit(source[:k], 1 << source[k], 1 << source[k], local=True, starts=False) for k in range(start)
    ]
    receivers: list[Leaf] = []

    def there(mask: int, level: int) -> int:
        return sum(1 << (child + source[level]) % fanout for child in range(fanout) if mask >> child & 1)

    def down(node: Leaf, rank: int) -> None:
        level, place = start + len(node), (*source[:start], *_turned_back(node, source[start:], fanout))
        mask = scheme.forwards(maps, rank, node, top, every)
        known = scheme.read(maps, rank, node)
        visits.append(Visit(place, there(known, level), there(mask, level), not any(node), not node))
        for child in range(fanout):
            if mask >> child & 1:
                if rank:
                    down((*node, child), rank - 1)
                else:
                    receivers.append((*place, (child + source[level]) % fanout))

    down((), top)
    return Cast(fanout, height, source, tuple(destinations), tuple(visits), tuple(receivers))


def _turned_back(node: Leaf, source: Leaf, fanout: int) -> Iterator[int]:
    return ((a + b) % fanout for a, b in zip(node, source, strict=False))


def draw_cast(axes: Any, found: Cast, below: Leaf, title: str) -> None:
    """The subtree below a node: all its links, those that the message takes, s, d, and a dot at each receiver."""
    n, height, first = found.fanout, found.height, len(below)

    def x(node: Leaf) -> float:
        width = n ** (height - len(node))
        return sum(c * n ** (height - 1 - k) for k, c in enumerate(node) if k >= first) + (width - 1) / 2

    served = {v.node: v for v in found.visits}
    for level in range(first, height):
        for rest in product(range(n), repeat=level - first):
            node = (*below, *rest)
            visit = served.get(node)
            spreads = visit is not None and visit.served != visit.bit_map
            for child in range(n):
                taken = visit is not None and visit.served >> child & 1
                style = {"color": PALETTE[1 if spreads else 0], "linewidth": 1.8} if taken else {"color": "#c8ccd2"}
                axes.plot([x(node), x((*node, child))], [-level, -level - 1], zorder=2 if taken else 1, **style)
            if spreads:
                axes.text(x(node), -level + 0.1, "B", ha="center", color=PALETTE[1], fontweight="bold")
    for leaf in product(range(n), repeat=height - first):
        whole = (*below, *leaf)
        if whole in found.receivers:
            axes.plot([x(whole)], [-height], "o", color="#20262e", markersize=4)
        letter = "s" if whole == found.source else "d" if whole in found.destinations else ""
        axes.text(x(whole), -height - 0.55, letter, ha="center")
    axes.set_title(title, loc="left")
    axes.axis("off")
    axes.set_ylim(-height - 0.8, -first + 0.4)


def figures_5_and_6(
    paper: str, files: str, found: Mapping[str, Cast], schemes: Sequence[str], inches: tuple[int, int], note: str
) -> list[Figure]:
    """Maps at each node (`found["full"]`), and who receives under each scheme.

    paper: bibliography key. files: what the names of the files begin with. inches: width and height of Figure 6.
    """

    def data(names: Sequence[str]) -> dict[str, list[Any]]:
        rows = [(name, *leaf) for name in names for leaf in found[name].receivers]
        return {"scheme": [r[0] for r in rows], "receiving leaf": ["".join(map(str, r[1:])) for r in rows]}

    def five(figure: Any) -> None:
        draw_cast(figure.subplots(), found["full"], SOURCE[:1], "a map at each node")

    def six(figure: Any) -> None:
        figure.set_size_inches(*inches)
        for axes, name in zip(figure.subplots(len(schemes), 1), schemes, strict=True):
            draw_cast(axes, found[name], SOURCE[:1], name)

    maps, who = "A hierarchical bit-map directory", "Who receives under the schemes"
    return [
        Figure(f"{files}-figure-5", maps, f"{paper}, Figure 5", five, data(("full",)), note, "figure_5"),
        Figure(f"{files}-figure-6", who, f"{paper}, Figure 6", six, data(schemes), note, "figure_6"),
    ]
