"""One router of each orbit of the automorphisms of a dependency graph: a shortest cycle is searched from these alone.

A family declares automorphisms of its networks; which of them preserve the graph of a routing is checked, bit by bit.
Called by `prove`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.orbits.labels import keeps_ports, known_moves
from jumpnet.networks import Network
from jumpnet.terms import I64, Array
from jumpnet.topology.orbits import joined

__all__ = ["representative_channels"]

PART = 1 << 12
"""Routers whose rows are compared at once."""


def representative_channels(net: Network, bits: Array) -> Array:
    """(C,) bool: the channels of one router of each orbit of the automorphisms that preserve ports and dependencies.

    bits (C, W): the graph, see `Dependencies`. All channels where the family, or an automorphism, is unknown. Cost: one
    pass over the graph for each generator.

    >>> from jumpnet.analysis.deadlock.dependency import dependencies
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> made = dependencies(bind("torus.dimension_order", build("torus:4x4")))
    >>> int(representative_channels(made.bound.network, made.bits).sum()) // 4
    1
    """
    moves = [g for g in known_moves(net) or [] if len(np.unique(g)) == net.routers]
    kept = [g for g in moves if keeps_ports(net, g) and _keeps_graph(bits.reshape(net.routers, -1), g)]
    label = joined(net.routers, kept)
    return np.repeat(label == np.arange(net.routers), len(bits) // net.routers)


def _keeps_graph(rows: Array, moved: I64) -> bool:
    """Whether the channels of each router have the dependencies of those of the router that it moves to."""
    parts = (slice(first, first + PART) for first in range(0, len(rows), PART))
    return all(np.array_equal(rows[part], rows[moved[part]]) for part in parts)
