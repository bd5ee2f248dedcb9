"""Routers from which a dependency graph looks alike: a shortest cycle needs to be looked for from one of each kind.

A family declares automorphisms of its networks; which of them keep the graph of a routing is looked at, bit by bit.
Called by `prove`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.dependency import Dependencies
from jumpnet.analysis.deadlock.uniform import keeps_ports
from jumpnet.errors import JumpnetError
from jumpnet.terms import I64, Array
from jumpnet.topology import family
from jumpnet.topology.orbits import joined

__all__ = ["channels_of_each_kind"]

PART = 1 << 12
"""Routers whose rows are compared at once."""


def channels_of_each_kind(made: Dependencies) -> Array:
    """(C,) bool: the channels of one router of each orbit of the automorphisms that keep ports and dependencies.

    All channels where the family, or an automorphism, is not known. Cost: one pass over the graph for each generator.

    >>> from jumpnet.analysis.deadlock.dependency import dependencies
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> int(channels_of_each_kind(dependencies(bind("torus.dimension_order", build("torus:4x4")))).sum()) // 4
    1
    """
    net = made.bound.network
    try:
        moves = [np.asarray(g, np.int64) for g in family(net.spec).automorphisms(net)]
    except JumpnetError:
        moves = []
    moves = [g for g in moves if len(np.unique(g)) == net.routers]
    kept = [g for g in moves if keeps_ports(net, g) and _keeps_graph(made.bits.reshape(net.routers, -1), g)]
    label = joined(net.routers, kept)
    return np.repeat(label == np.arange(net.routers), len(made.bits) // net.routers)


def _keeps_graph(rows: Array, moved: I64) -> bool:
    """Whether the channels of each router have the dependencies of those of the router that it moves to."""
    parts = (slice(first, first + PART) for first in range(0, len(rows), PART))
    return all(np.array_equal(rows[part], rows[moved[part]]) for part in parts)
