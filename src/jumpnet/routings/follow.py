"""The route of a pair, hop by hop, by first candidates: what path figures, loads and worst cases are made of.

Called by the kernels of `analysis` and `traffic`; the naive twin is `tests/naive/paths.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.routings.view import (
    DESTINATION,
    HEADER_FIELDS,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    View,
    call,
    call_start,
)
from jumpnet.terms import I64

__all__ = ["LOST", "STRAY", "STUCK", "TOO_LONG", "Calls", "Scratch", "calls_of", "follow", "scratch_for"]

TOO_LONG = -1
"""Code of a route that passes the limit of hops: it loops."""
STUCK = -2
"""Code of a router at which the relation gives no route, or a port without a link."""
LOST = -3
"""Code of a route that ends at another router than the destination."""
STRAY = -4
"""Code of a candidate with a channel out of range."""


class Calls(NamedTuple):
    """What kernels call of a routing, as function pointers."""

    relation: Any
    start: Any
    net: View
    """What these read (Numba takes no field called view)."""


class Scratch(NamedTuple):
    """What following a route writes: the packet's header, candidates, queues (all empty), hops."""

    head: I64
    out: I64
    queue: I64
    trace: I64
    """(n, 3) router, port, vc of each hop, or no rows."""


def calls_of(bound: Any) -> Calls:
    """What kernels call of a `BoundRouting`, whose sources are none of theirs: keys of kernels follow imports."""
    return Calls(bound.pointer, bound.start_pointer, bound.view)


@kernel(allocates=True)
def scratch_for(view, hops):
    """Scratch for routes on a view, with rows for so many hops."""
    head, out = np.zeros(HEADER_FIELDS, np.int64), np.zeros((8 * MAX_CANDIDATES, 4), np.int64)
    return Scratch(head, out, np.zeros(view.queues, np.int64), np.zeros((hops, 3), np.int64))


@kernel(allocates=True)
def follow(relation, start, view, source, destination, draw, limit, scratch):
    """Follow the first candidates from source to destination: hops, or a negative code.

    The trace of `scratch`, of no row or of limit + 1, receives [router, port, vc] of each hop.
    """
    head, out, trace = scratch.head, scratch.out, scratch.trace
    head[:] = 0
    head[SOURCE], head[DESTINATION] = source, destination
    head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, -1
    call_start(start, view, head, draw, scratch.queue)
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
