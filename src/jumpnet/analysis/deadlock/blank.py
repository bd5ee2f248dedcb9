"""A channel dependency graph without a dependency yet: its arrays, which every way of making it fills."""

from __future__ import annotations

import numpy as np

from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["Graph", "beyond", "blank"]

Graph = tuple[Array, Array, Array, Array]
"""(bits, used, escape, counters), see `graph.Dependencies`."""


def blank(bound: BoundRouting, vcs: int | None = None) -> tuple[Array, Array, Array]:
    """The arrays bits, used and escape of `graph.Dependencies`, without a dependency yet.

    vcs: virtual channels of a port, where there are more than the routing's.
    """
    net, vcs = bound.network, bound.vcs if vcs is None else vcs
    rows, words = net.routers * net.ports * vcs, (net.ports * vcs + 63) // 64
    return np.zeros((rows, words), np.uint64), np.zeros(rows, np.uint8), np.zeros(rows, np.uint8)


def beyond(bound: BoundRouting, routers: int | None = None) -> I64:
    """(C,) the first channel of the router that each channel leads to; of the first so many routers if said."""
    net, vcs = bound.network, bound.vcs
    return np.repeat(net.neighbor[:routers].reshape(-1).astype(np.int64), vcs) * (net.ports * vcs)
