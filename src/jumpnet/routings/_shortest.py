"""What a routing says of itself that goes by shortest ways: the graph whose ways these are.

Said by `minimal`, `up_down`, `srt.minimal_table` and, on one channel, `lash`, whose tables have an entry for each pair
of routers; proofs of large networks do without the table. Read by `analysis.deadlock.ways_to_graph.shortest.graph`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.terms import Array

__all__ = ["Shortest"]


class Shortest(NamedTuple):
    """A graph of pairs (router, STATE). Packets start with STATE 0 and end at their router, whatever their STATE."""

    then: Array
    """(R, P, S) STATE after a hop by a port with STATE s, -1 where there is no such hop."""
    every: bool
    """Whether all ports on a shortest way are candidates, or the first alone; always with every virtual channel."""
