"""The routes from one router to many, in arrays, and how many of many do not arrive.

Called by the report.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.routes.follow import channels_of, lost_of
from jumpnet.analysis.routes.paths import route
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting
from jumpnet.routings.follow import calls_of
from jumpnet.terms import I64

__all__ = ["Routes", "lost_between", "routes_from"]

USUAL_HOPS = 16
"""Hops of a route for which there is room at first."""


class Routes(NamedTuple):
    """K routes of C hops in all."""

    of: I64
    """(C,) number of the route that each hop belongs to, ascending."""
    router: I64
    """(C,) router that each hop leaves."""
    port: I64
    """(C,) port by which it does."""
    vc: I64
    """(C,) virtual channel."""


def routes_from(bound: BoundRouting, source: int, destinations: I64) -> Routes:
    """The route from a router to each of (K,) destinations, first candidates taken; none of a router to itself.

    The hops of each are those of `paths.route`. Raises JumpnetError for a router that is not there and for a route
    that does not arrive. Cost: about 50 ns a hop.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> found = routes_from(bind("torus.dateline", build("torus:4x4")), 0, np.array([10, 1]))
    >>> found.of.tolist(), found.router.tolist()
    ([0, 0, 0, 0, 1], [0, 1, 2, 6, 0])
    """
    net, limit = bound.network, 4 * bound.network.routers + 64
    ends = np.array([source, *destinations], np.int64)
    if ((ends < 0) | (ends >= net.routers)).any():
        wrong = ends[(ends < 0) | (ends >= net.routers)][0]
        raise JumpnetError(f"router {wrong} found, 0 to {net.routers - 1} expected in {net.spec}")
    hops, room = np.zeros(ends.size - 1, np.int64), np.empty((USUAL_HOPS * ends.size, 3), np.int64)
    given = calls_of(bound), source, ends[1:], limit
    while (used := channels_of(*given, hops, room)) > len(room):
        room = np.empty((used, 3), np.int64)
    if used < 0:
        route(bound, source, int(ends[1:][hops < 0][0]))  # says why it does not arrive
    return Routes(np.repeat(np.arange(hops.size), hops), *room[:used].T)


def lost_between(bound: BoundRouting, sources: I64, destinations: I64, most_hops: int) -> int:
    """How many routes from (S,) sources to (K,) other destinations do not arrive, or not before `most_hops` hops.

    sources, destinations: numbers of routers of the network. Cost: about 50 ns a hop.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> lost_between(bind("torus.dateline", build("torus:4x4")), np.array([0, 1]), np.arange(16), 4)
    2
    """
    return int(lost_of(calls_of(bound), sources, destinations, most_hops))
