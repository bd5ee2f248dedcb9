"""Parts of a network that hang together. Called by `fault.random_faults` and `analysis.what_is_left`."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from jumpnet.networks import Network
from jumpnet.terms import I32

__all__ = ["components"]


def components(net: Network) -> I32:
    """(R,) number of the part of each router: of one-way networks those in which every router reaches every other.

    A router without links is a part of its own. O(channels).

    >>> from jumpnet.fault.degraded import degraded
    >>> from jumpnet.topology import build
    >>> components(degraded(build("mesh:1x4"), links=[(1, 2)])).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    """
    router, _, far = net.channel_ends
    graph = csr_matrix((np.ones(router.size, np.int8), (router, far)), (net.routers, net.routers))
    label: I32 = connected_components(graph, directed=True, connection="strong")[1]
    return label
