"""Where the head of a packet may stand when another routing takes its place.

Called by `changeover`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from jumpnet.networks import Network
from jumpnet.terms import I32

__all__ = ["standing"]


def standing(old: Network, new: Network) -> Iterator[tuple[I32, list[int]]]:
    """Routers of the new network with a link, in or out, or a terminal, and the sinks to which packets may stand there.

    A router of the new one with neither is out, and what stands there is lost.
    The sinks come once each and in ascending order. With two-way links packets may stand anywhere. With one-way ones
    only where the old network has a way to their sink: no routing that delivers its packets had them elsewhere.
    Cost: O(channels) for each sink of a one-way network.

    >>> from jumpnet.topology import build
    >>> net = build("fly:2")
    >>> [(routers.tolist(), sinks) for routers, sinks in standing(net, net)]
    [([0, 1, 2], [2]), ([0, 1, 3], [3])]
    """
    router, _, far = new.channel_ends
    linked, sinks = np.union1d(router, far), np.flatnonzero(new.sinks > 0).tolist()
    linked = np.union1d(linked, np.flatnonzero(new.terminals > 0))
    if not old.directed:
        yield linked.astype(np.int32), sinks
        return
    router, _, far = old.channel_ends
    back = csr_matrix((np.ones(len(router), np.int8), (far, router)), (old.routers, old.routers))

    def behind(sink: int) -> bytes:
        """The routers that have a way to a sink."""
        found = breadth_first_order(back, sink, return_predecessors=False)
        return np.intersect1d(linked, found).astype(np.int32).tobytes()

    for routers, some in groupby(sinks, behind):
        yield np.frombuffer(routers, np.int32), list(some)
