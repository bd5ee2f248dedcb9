"""Dependencies of a routing from sets of targets: at every router, for each kind of packet, products of sets of digits.

The sets begin with all packets and go with them from router to router until nothing is added (Cousot and Cousot 1977).
Where sets that meet are no product together, the least product around them stands for both; then, and where a question
could not be answered, there are at least all dependencies of the routing. Called by `dependency`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from jumpnet.analysis.deadlock.cycles.checker import accepts_pieces
from jumpnet.analysis.deadlock.cycles.numbers_by_class import numbers_by_class
from jumpnet.analysis.deadlock.cycles.numbers_by_rise import numbers_by_rise, numbers_of_rises
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import Graph, first_channels
from jumpnet.analysis.deadlock.rows.pieces import Counted, Pieces, no_rows
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.limits import MEMORY_LIMIT_BYTES
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.digits.asked import LEAST, asked_digits
from jumpnet.analysis.deadlock.ways_to_graph.digits.bound_for import bound_for
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Split, Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.rows import Rows, graph_of, marks_of
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import NO_PORT
from jumpnet.analysis.deadlock.ways_to_graph.digits.spread import Crowded, Spread
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["GraphByDigits", "dependencies_by_digits"]

MOST = 16
"""Entries of tables for each pair of routers, about as long as it takes to find the pair's way."""
MOST_ENTRIES = 1 << 34
SETS = 16
"""Sets at every router that are at hand at once, a guess."""
SHARE = 8
"""Routers for each value of a digit, below which there are not fewer sets than pairs of routers."""
SOME = 16
"""Pieces of rows, of one of which numbers are proposed first."""
LANES = (64, 4, 1)
"""Most sets of packets of one STATE. Another is begun only where packets are no product with those of any before, so
that many take no longer; fewer are tried where these are too many in all."""


class GraphByDigits(NamedTuple):
    """The graph, and whether it has no more than the routing's dependencies.

    Where it has more and no number, packets have to be followed.
    """

    graph: Graph
    exact: bool
    ends: Callable[[], bool]
    """Whether every packet is known to come to an end of its way, whatever it chooses."""
    number: I64 | None = None
    """(C,) by which every dependency ascends."""
    pieces: Pieces | None = None
    """The rows of bits, where the graph has none."""
    bound_for: Callable[[int, int], I64] | None = None
    """Some destinations of sets whose packets hold one channel and ask for another, where there may be a cycle."""

    @property
    def cyclic(self) -> bool:
        """Whether there is a cycle that may be of sets alone."""
        return not self.exact and self.number is None


def dependencies_by_digits(
    bound: BoundRouting, job: Job, apart: bool = False, long: bool = False
) -> GraphByDigits | None:
    """The dependencies, or some more; None where the routing or the network does not fit, or walks take no longer.

    apart: the rows of bits are made piece by piece, and None is said of a cycle too. long: whether walks take minutes.
    """
    if is_foreign(bound) or job.by_channel or bound.routing.bubble or bound.network.ports > NO_PORT:
        return None
    if bound.network.routers * int(bound.network.coord.max(axis=0, initial=0).sum()) // 8 * SETS > MEMORY_LIMIT_BYTES:
        return None
    system = asked_digits(bound, job)
    if system is None or not (apart or long or sum(system.radix) * SHARE <= bound.network.routers):
        return None  # there are no walks where rows are not held
    pairs = bound.network.routers * len(system.sinks) * job.draws
    steps = Steps(min(max(LEAST, MOST * pairs), MOST_ENTRIES))
    for lanes in LANES:
        try:
            spread = Spread(bound, system, job, lanes, steps)
            return _found_apart(spread) if apart else _found(spread)
        except Crowded:
            continue
        except (Unfit, Split):  # the latter of a question that the routers tried before did not come to
            return None
    return None


def _found_apart(spread: Spread) -> GraphByDigits | None:
    """What sets say where rows of bits are not held; None where no numbers are found."""
    net, vcs, marks, rows = spread.net, spread.bound.vcs, marks_of(spread), Rows(spread)
    for number in _proposed(spread, rows):
        seen = Counted(net, vcs, rows.pieces())
        if accepts_pieces(number, seen):
            pieces = Pieces(seen.count, rows.pieces, number)
            return GraphByDigits((no_rows(spread.bound), *marks), spread.exact, spread.ends, number, pieces)
    return None


def _proposed(spread: Spread, rows: Rows) -> Iterator[I64]:
    """Numbers that may ascend: from some of the rows, as they take longest to be made, and at last from all."""
    net, vcs = spread.net, spread.bound.vcs
    number = numbers_by_rise(net, vcs, rows.some(SOME))
    has_order = number is not None
    if number is not None:
        yield number
    del number  # there may be a hundred million
    yield numbers_of_rises(net, vcs)
    number = numbers_by_rise(net, vcs, rows.some(1)) if has_order else None  # what some rows bar, all do
    if number is not None:
        yield number


def _found(spread: Spread) -> GraphByDigits:
    """What sets say; without a number of a cycle for which they cannot vouch."""
    graph = graph_of(spread)
    if spread.exact:
        return GraphByDigits(graph, True, spread.ends)
    base = first_channels(spread.net, spread.bound.vcs)
    number = numbers_by_class(spread.net, spread.bound.vcs, graph[0], base)
    if number is None:
        number = numbering(*unpack(graph[0], base))
    return GraphByDigits(graph, False, spread.ends, number, bound_for=partial(bound_for, spread))


def is_foreign(bound: BoundRouting) -> bool:
    """Whether the routing is of a user's own, which is not run so."""
    return bool(bound.own)
