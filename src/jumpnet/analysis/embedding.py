"""Embedding one network (the guest) in another (the host): dilation and congestion of every dimension of the guest.

Every guest channel becomes the host route between the places of its ends. The RDT paper (yang2001rdt section IV.C.f)
claims that a hypercube of the same size runs on a PRDT in 2 steps a dimension, on RDT(2,4,1)/alpha in 2(R+1); a
dimension needs at least as many steps as the longer of its dilation and its congestion; `routes.timetable` makes a real
schedule. The report takes `hypercube_places` from here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.analysis.routes.follow import load_of
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.follow import calls_of
from jumpnet.terms import I64

__all__ = ["DimensionFigures", "embed", "grid_places", "hypercube_places"]


@dataclass(frozen=True)
class DimensionFigures:
    """One dimension of the guest, all its channels in use at once."""

    dimension: int
    channels: int
    """Number of guest channels of the dimension."""
    dilation: int
    """Hops of the longest host route of one."""
    mean_dilation: float
    """Average hops of their host routes."""
    congestion: int
    """Largest number of these routes through one host channel."""

    @property
    def steps(self) -> int:
        """Fewest steps in which the dimension can finish when a channel carries one message a step."""
        return max(self.dilation, self.congestion)


def hypercube_places(side: int) -> I64:
    """(side^2,) router y * side + x of each hypercube node: its low address bits are x, the high ones y.

    Neighbors in dimension i are 2^i apart in x, or 2^(i - k) in y for side 2^k.

    >>> hypercube_places(4)[:5].tolist()
    [0, 1, 2, 3, 4]
    """
    if side < 1 or side & (side - 1):
        raise JumpnetError(f"side {side} found, a power of two expected to hold a hypercube")
    return np.arange(side * side, dtype=np.int64)


def grid_places(guest: Network, host: Network) -> I64:
    """Places of a mesh or torus of D dimensions on a 2-D host, by folding one dimension after the other, snakelike.

    Dimension d repeats the block of the earlier ones a times along x and b along y, a the most that divides its length
    and fits; copies are mirrored, so that neighbors in the folded dimension meet at their common edge.
    Raises JumpnetError when the guest does not fit the host's grid.

    >>> from jumpnet.topology import build
    >>> grid_places(build("mesh:2x2x2"), build("torus:4x4")).tolist()
    [0, 1, 4, 5, 3, 2, 7, 6]
    """
    if host.coord.shape[1] != 2:
        raise JumpnetError(f"{host.spec} has {host.coord.shape[1]} coordinates, 2 expected to lay out a grid")
    sides = [int(k) + 1 for k in host.coord.max(axis=0)]
    at, size = np.zeros((guest.routers, 2), np.int64), [1, 1]
    for d in range(guest.coord.shape[1]):
        c = guest.coord[:, d].astype(np.int64)
        length = int(c.max()) + 1
        across = next((a for a in range(length, 0, -1) if length % a == 0 and a * size[0] <= sides[0]), 1)
        if d == 1 and length * size[1] <= sides[1]:
            across = 1  # two dimensions lie on the grid as they are
        down = c // across
        copy = np.stack([np.where(down % 2 == 1, across - 1 - c % across, c % across), down], axis=1)
        for axis in range(2):
            inner = np.where(copy[:, axis] % 2 == 1, size[axis] - 1 - at[:, axis], at[:, axis])
            at[:, axis] = copy[:, axis] * size[axis] + inner
        size = [size[0] * across, size[1] * (length // across)]
    if size[0] > sides[0] or size[1] > sides[1]:
        raise JumpnetError(f"{guest.spec} folds to {size[0]}x{size[1]}, at most {sides[0]}x{sides[1]} expected")
    return at[:, 1] * sides[0] + at[:, 0]


def embed(bound: BoundRouting, guest: Network, places: I64) -> tuple[DimensionFigures, ...]:
    """Dilation and congestion of each dimension (link rank) of a guest placed on the routing's network.

    `places` (guest routers,) names a host router for each guest router, all different. Raises JumpnetError otherwise,
    or when a route does not arrive. Cost: one route for each guest channel.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> host = build("torus:4x4")
    >>> [f.dilation for f in embed(bind("torus.dateline", host), build("hypercube:4"), hypercube_places(4))]
    [1, 2, 1, 2]
    """
    host = bound.network
    if len(places) != guest.routers or np.unique(places).size != guest.routers:
        raise JumpnetError(f"{guest.spec}: {len(places)} places found, {guest.routers} different ones expected")
    if places.min() < 0 or places.max() >= host.routers:
        raise JumpnetError(f"{guest.spec}: a place beyond router {host.routers - 1} of {host.spec} found")
    rows, ports = np.nonzero(guest.neighbor >= 0)
    rank = guest.class_rank[guest.link_class[rows, ports]]
    found = []
    for dimension in np.unique(rank).tolist():
        r, p = rows[rank == dimension], ports[rank == dimension]
        source, destination = places[r], places[guest.neighbor[r, p]]
        load, failed = np.zeros((host.routers, host.ports, bound.vcs)), np.zeros(4, np.int64)
        load_of(calls_of(bound), 1, source, destination, np.ones(len(r), np.int64), 65536, load, failed)
        if failed[0] < 0:
            raise JumpnetError(f"routing {bound.name} does not deliver from router {failed[1]} to {failed[2]}")
        busiest = int(load.sum(axis=2).max())
        found.append(DimensionFigures(dimension, len(r), int(failed[3]), float(load.sum() / len(r)), busiest))
    return tuple(found)
