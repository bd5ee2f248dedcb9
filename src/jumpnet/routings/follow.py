"""The route of a pair, hop by hop, by first candidates: what path figures, loads and worst cases are made of.

Called by the kernels of `analysis` and `traffic`; the naive twin is `tests/naive/paths.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.routings.view import (
    DESTINATION,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    call,
    call_start,
)

__all__ = ["LOST", "STRAY", "STUCK", "TOO_LONG", "follow"]

TOO_LONG = -1
"""Code of a route that passes the limit of hops: it loops."""
STUCK = -2
"""Code of a router at which the relation gives no route, or a port without a link."""
LOST = -3
"""Code of a route that ends at another router than the destination."""
STRAY = -4
"""Code of a candidate with a channel out of range."""


@kernel(allocates=True)
def follow(relation, start, view, source, destination, draw, limit, head, out, queue, trace):
    """Follow the first candidates from source to destination: hops, or a negative code.

    trace (limit + 1, 3) int64 receives [router, port, vc] of each hop when it has rows.
    """
    head[:] = 0
    head[SOURCE], head[DESTINATION] = source, destination
    head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, -1
    call_start(start, view, head, draw, queue)
    here, hops = source, 0
    ports, vcs, traced = view.neighbor.shape[1], view.vcs, trace.shape[0] > 0
    while True:
        found = call(relation, view, here, head, out)
        if found == 0:
            return hops if here == destination else LOST
        if found < 0:
            return STUCK
        port = out[0, PORT]
        if found > MAX_CANDIDATES or port < 0 or port >= ports or out[0, VC] < 0 or out[0, VC] >= vcs:
            return STRAY
        there = np.int64(view.neighbor[here, port])
        if there < 0:
            return STUCK
        if traced:
            trace[hops, 0], trace[hops, 1], trace[hops, 2] = here, port, out[0, VC]
        head[STATE], head[IN_PORT], head[IN_VC] = out[0, NEXT_STATE], view.far_port[here, port], out[0, VC]
        here = there
        hops += 1
        if hops >= limit:
            return TOO_LONG
