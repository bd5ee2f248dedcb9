"""Exact figures of a network by spec, each searched once for the whole report. Used by the sections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from jumpnet.graph.metrics import metrics
from jumpnet.topology import Family, family

__all__ = ["Figures", "figures"]

TABLE_ROUTERS = 1 << 20
"""Up to this many routers the table is built here, so that orbits too many to be of use can be dropped."""
FUNCTION_ROUTERS = 1 << 12
"""From so many routers on, one search by the neighbor function is all that a network with one orbit needs."""
MANY_ORBITS = 256
"""One search for each orbit is slower than the bit-parallel search of all routers when there are more than R / this."""


@dataclass(frozen=True, eq=False)
class Figures:
    """The figures that the papers print."""

    spec: str
    routers: int
    links: int
    degree: int
    """Largest number of channels that leave a router."""
    directed: bool
    diameter: int
    average_distance: Fraction
    """Over ordered pairs of different routers."""
    cost_ratio: float
    """(degree + diameter) / log2(routers)."""
    searches: int
    """Breadth-first searches that the figures took."""


def _one_search(member: Family, routers: int) -> bool:
    """Whether a table is more work than the search: it would be looked at once."""
    implicit = member.implicit() if routers >= FUNCTION_ROUTERS else None
    return implicit is not None and implicit.orbits is not None and len(implicit.orbits.size) == 1


@cache
def figures(spec: str) -> Figures:
    """Search the network of a spec exactly. Raises JumpnetError when it is not connected.

    >>> figures("torus:4x4").diameter
    4
    """
    member = family(spec)
    size = member.size()
    if size is None or (size[0] <= TABLE_ROUTERS and not _one_search(member, size[0])):
        net = member.build()
        if net.orbits is not None and net.orbits.size.size > net.routers // MANY_ORBITS:
            net = replace(net, orbits=None)
        found = metrics(net, require_connected=True)
    else:
        found = metrics(member, require_connected=True, most_table_bytes=0)
    assert found.diameter is not None and found.average_distance is not None and found.cost_ratio is not None
    return Figures(
        spec,
        found.routers,
        found.links,
        found.degree,
        found.directed,
        found.diameter,
        found.average_distance,
        found.cost_ratio,
        found.searches,
    )
