"""A channel dependency graph without a dependency yet: its arrays, which every way of making it fills."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import words_of
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["Graph", "Rows", "blank", "ends_everywhere", "first_channels"]

Graph = tuple[Array, Array, Array, Array]
"""(bits, used, escape, counters), see `graph.Dependencies`."""


class Rows(NamedTuple):
    """What is known of each of C channels, see `graph.Dependencies`."""

    bits: Array
    """(C, W) uint64: what a packet that holds it may ask for next."""
    used: Array
    """(C,) uint8: whether a packet may hold it."""
    escape: Array
    """(C,) uint8: whether as an ESCAPE candidate."""


def blank(bound: BoundRouting, vcs: int | None = None) -> Rows:
    """Rows without a dependency yet.

    vcs: virtual channels of a port, where there are more than the routing's.
    """
    net, vcs = bound.network, bound.vcs if vcs is None else vcs
    rows = net.routers * net.ports * vcs
    bits = np.zeros((rows, words_of(net.ports * vcs)), np.uint64)
    return Rows(bits, np.zeros(rows, np.uint8), np.zeros(rows, np.uint8))


def first_channels(net: Network, vcs: int, first: int = 0, stop: int | None = None) -> I64:
    """(stop - first,) the first channel of the router that each of the channels first..stop-1 leads to; of all if None.

    -(P * V) of a port without link.
    """
    stop = net.neighbor.size * vcs if stop is None else stop
    begin = first // vcs
    there = net.neighbor.reshape(-1)[begin : -(-stop // vcs)].astype(np.int64) * (net.ports * vcs)
    return np.repeat(there, vcs)[first - begin * vcs : stop - begin * vcs]


def ends_everywhere(net: Network) -> bool:
    """Whether packets enter and leave at every router."""
    return bool((net.terminals > 0).all() and (net.sinks > 0).all())
