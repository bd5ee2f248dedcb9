"""What some broken routers and links leave of a network, whatever its routing: its pieces, and distances in them.

The figures of `jumpnet degrade --fault` and of the page's panel *Faults*; those of a routing: `analysis.degradation`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from jumpnet.api.public import public
from jumpnet.api.shown import Shown
from jumpnet.fault.components import components
from jumpnet.fault.degraded import degraded
from jumpnet.graph.distances import distance_counts
from jumpnet.networks import Network

__all__ = ["WhatIsLeft", "what_is_left"]


@dataclass(frozen=True)
class WhatIsLeft(Shown):
    """Figures of a network with faults. Pairs are ordered pairs of terminals at different routers that work."""

    network: str
    """Its spec, without the faults."""
    working: int
    """Routers that work."""
    pieces: int
    """Parts that hang together; of one-way networks those in which every router reaches every other."""
    largest_piece: int
    """Routers of the piece with most terminals, then most routers."""
    joined: Fraction | None
    """Part of the pairs that a path joins; None without a pair."""
    diameter: int | None
    """Largest distance of a pair that a path joins, in hops; None without such a pair."""
    average_distance: Fraction | None
    """Mean distance of the pairs that a path joins, in hops."""

    def __repr__(self) -> str:
        """One line, with the decimals that the page shows."""
        hops = "no pair is joined"
        if self.average_distance is not None:
            hops = f"diameter {self.diameter}, average distance {float(self.average_distance):.4f}"
        joined = "" if self.joined is None else f"{float(100 * self.joined):.1f} % of pairs joined, "
        pieces = f"pieces {self.pieces}, largest {self.largest_piece}"
        return f"WhatIsLeft({self.network}: routers {self.working}, {pieces}, {joined}{hops})"


@public
def what_is_left(net: Network, routers: Iterable[int] = (), links: Iterable[tuple[int, int]] = ()) -> WhatIsLeft:
    """What is left of a network without some routers and links, a link being (router, port) at either end.

    Raises JumpnetError for names out of range. Cost: that of `distance_counts` from every router.

    >>> from jumpnet.topology import build
    >>> what_is_left(build("mesh:3x3"), routers=[1, 3])
    WhatIsLeft(mesh:3x3: routers 7, pieces 2, largest 6, 71.4 % of pairs joined, diameter 4, average distance 1.8667)
    """
    out = {int(router) for router in routers}
    left = degraded(net, sorted(out), links)
    label = components(left)
    works = ~np.isin(np.arange(left.routers), sorted(out))
    own, size = np.unique(label[works], return_counts=True)
    ends = np.bincount(label, left.terminals + left.sinks)[own]
    counts = distance_counts(left).terminal_counts
    joined, sends, takes = sum(counts[1:]), left.terminals.astype(np.int64), left.sinks.astype(np.int64)
    pairs = int(sends.sum()) * int(takes.sum()) - int((sends * takes).sum())
    return WhatIsLeft(
        network=net.spec,
        working=int(works.sum()),
        pieces=own.size,
        largest_piece=int(size[np.lexsort((-size, -ends))[0]]) if own.size else 0,
        joined=Fraction(joined, pairs) if pairs else None,
        diameter=len(counts) - 1 if joined else None,
        average_distance=Fraction(sum(hops * many for hops, many in enumerate(counts)), joined) if joined else None,
    )
