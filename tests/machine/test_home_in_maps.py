"""Multicasts whose maps name the home too: it takes the copy, and answers itself by no packet."""

from __future__ import annotations

import pytest

from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.timed.trees import BitMapTrees
from jumpnet.machine.trace import Trace, block_of

BARRIER = 1 << 20
TREE = BitMapTrees("rdt:4", "SM").tree(0, (1, 10))
TAKERS = (1, 0, 11, 10)
"""In the order of the tree: SM names rows and columns of its map, and so the home and node 11 beside whom it is for."""


def _written():
    """Nodes 1 and 10 have a line of node 0, and node 5 writes it."""
    meet = [(p, BARRIER, 4, True, 4) for p in range(16)]
    rows = [(1, 0, 4, False, 0), (10, 0, 4, False, 0), *meet, (5, 0, 4, True, 0)]
    return streams_of(Trace("made", 16, lambda: iter([block_of(*zip(*rows, strict=True))])), placement="interleaved")


HOW = {"directory": "line", "synchronisation": "free"}


def test_the_home_is_named_and_takes_a_copy() -> None:
    assert tuple(router for router, takes in zip(TREE.router, TREE.receives, strict=True) if takes) == TAKERS


@pytest.mark.parametrize("how", [{}, {"acknowledges": "counted"}, {"branches": "routers"}])
def test_a_home_sends_itself_no_acknowledge(how) -> None:
    """Four copies go out, one of them to node 0, and three acknowledges come back."""
    found = closed_loop(_written(), "rdt:4", multicast="SM", **HOW, **how).timing.messages
    assert (found["tell"], found["acknowledge"]) == (len(TAKERS), len(TAKERS) - 1)
