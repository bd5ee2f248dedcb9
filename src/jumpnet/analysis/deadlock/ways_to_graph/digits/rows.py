"""Rows of bits from sets of targets: what the packets that leave each router by each channel ask for next.

Called by `graph` and `changes`, for all routers at once or piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import are_set, words_of
from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.rows.pieces import PIECE_BYTES
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, ESCAPES, STATES
from jumpnet.analysis.deadlock.ways_to_graph.digits._sets import Asks, ask, count, depend
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import Key
from jumpnet.analysis.deadlock.ways_to_graph.digits.spread import Spread
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import Array

__all__ = ["Rows", "graph_of", "marks_of"]


def marks_of(spread: Spread) -> tuple[Array, Array, Array]:
    """(used, escape, counters) as `blank.Graph` says."""
    counters = counters_of(0)
    net, vcs = spread.net, spread.bound.vcs
    slots = net.ports * vcs
    asked, escapes = np.zeros((2, net.routers, words_of(slots)), np.uint64)
    for key, branches in spread.branches.items():
        layout = spread.layouts[key.middle]
        counters[STATES] += int(count(spread.hulls[key], layout.seg))
        for branch in branches:
            first = branch.candidates[0]
            counters[CHOICES] |= len(branch.candidates) > 1
            for c in branch.candidates:
                counters[ADAPTIVE] |= c.digit != first.digit or not np.array_equal(c.port, first.port)
                ask(branch.sets, *spread.by(c, layout), vcs, c.vc, layout.seg, asked)
                if c.kind & ESCAPE:
                    counters[ESCAPES] = 1
                    ask(branch.sets, *spread.by(c, layout), vcs, c.vc, layout.seg, escapes)
    used, escape = (are_set(what, slots).astype(np.uint8).reshape(-1) for what in (asked, escapes))
    return used, escape, counters


def graph_of(spread: Spread) -> Graph:
    """As `blank.Graph` says."""
    net, bits = spread.net, blank(spread.bound)[0]
    Rows(spread).fill(range(net.routers), bits.reshape(net.routers, net.ports, spread.bound.vcs, -1))
    return bits, *marks_of(spread)


class Rows:
    """What packets ask for, held for all keys, and the rows of any routers."""

    def __init__(self, spread: Spread) -> None:
        self.spread = spread
        self.words = words_of(spread.net.ports * spread.bound.vcs)
        self.wanted: dict[Key, list[Asks]] = {}
        for branches in spread.branches.values():
            for c in (c for branch in branches for c in branch.candidates):
                assert c.then is not None
                if c.then not in self.wanted:
                    self.wanted[c.then] = list(self._wanted(c.then))

    def _wanted(self, key: Key) -> Iterator[Asks]:
        """What packets of a key ask for by each candidate of each branch."""
        spread = self.spread
        layout = spread.layouts[key.middle]
        for branch in spread.branches.get(key, ()):
            for c in branch.candidates:
                asked = np.zeros((spread.net.routers, self.words), np.uint64)
                port, digit, base, radix = spread.by(c, layout)
                ask(branch.sets, port, digit, base, radix, spread.bound.vcs, c.vc, layout.seg, asked)
                yield Asks(branch.sets, asked, port, digit, base, c.vc)

    def begun(self) -> list[Asks]:
        """What packets ask for that begin."""
        return [asks for key in self.spread.starts for asks in self._wanted(key)]

    def fill(self, some: range, rows: Array, after: list[Asks] | None = None) -> None:
        """OR the rows of some routers into rows (len(some), P, V, W); after: what packets ask for in place of what they
        go on to."""
        spread = self.spread
        for key, branches in spread.branches.items():
            layout = spread.layouts[key.middle]
            for branch in branches:
                for c in branch.candidates:
                    assert c.then is not None
                    for leaves in spread.leaving(branch.sets, c, layout, some):
                        for asks in self.wanted[c.then] if after is None else after:
                            depend(
                                branch.sets, leaves, c.vc, asks, spread.net.neighbor, spread.bound.vcs, layout.seg,
                                some.start, rows,
                            )  # fmt: skip

    def pieces(self) -> Iterator[Array]:
        """The rows of all routers, some after others."""
        return (rows for _, rows in self.some(1))

    def some(self, each: int) -> Iterator[tuple[int, Array]]:
        """Every so manyth piece of them, and its first channel."""
        net, vcs = self.spread.net, self.spread.bound.vcs
        many = max(1, PIECE_BYTES // (net.ports * vcs * self.words * 8))
        for first in range(0, net.routers, many * each):
            some = range(first, min(first + many, net.routers))
            rows = np.zeros((len(some), net.ports, vcs, self.words), np.uint64)
            self.fill(some, rows)
            yield first * net.ports * vcs, rows.reshape(-1, self.words)
