"""Graphs as walks make them: what is counted of the packets, and several graphs put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.analysis.deadlock.rows.blank import Graph
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, COUNTERS, ESCAPES, STATES
from jumpnet.terms import I64

__all__ = ["counters_of", "union"]


def counters_of(states: int, choices: bool = False, adaptive: bool = False, escapes: bool = False) -> I64:
    """(COUNTERS,) the number of states, and whether packets have choices, some between ports, and escapes."""
    counters = np.zeros(COUNTERS, np.int64)
    counters[[STATES, CHOICES, ADAPTIVE, ESCAPES]] = states, choices, adaptive, escapes
    return counters


def union(graphs: Sequence[Graph]) -> Graph:
    """The dependencies of all graphs, in the arrays of the first."""
    bits, used, escape, count = graphs[0]
    for more in graphs[1:]:
        for total, piece in zip((bits, used, escape), more, strict=False):
            np.bitwise_or(total, piece, out=total)
        count[STATES] += more[3][STATES]
        count[[ADAPTIVE, CHOICES, ESCAPES]] |= more[3][[ADAPTIVE, CHOICES, ESCAPES]]
    return bits, used, escape, count
