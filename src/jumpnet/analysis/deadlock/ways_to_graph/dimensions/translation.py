"""Routings that look at nothing but the way still to go: one destination stands for all on hypercubes and HyperX.

Where every port adds a number to one coordinate, modulo its side, the network looks alike from each router. A relation
that reads only differences of coordinates, modulo the sides, sends packets the same ways everywhere, whatever their
destination. That it reads nothing else is not declared but found, by running it on coordinates of which only the
differences are known, in every state that packets to one destination come to: in one run for all states that answer
each question alike. Called by `dependency`; what else is asked of such graphs, by `conditions.escape_numbers` and
`waiting`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import are_set, words_of
from jumpnet.analysis.deadlock.rows.blank import Graph, ends_everywhere
from jumpnet.analysis.deadlock.rows.pieces import bits_bytes
from jumpnet.analysis.deadlock.symbolic.batched_runs import KNOWN, Number, Run
from jumpnet.analysis.deadlock.symbolic.header import Elements, Header, Opaque, Unfit, View
from jumpnet.analysis.deadlock.walks.packet_walk import FULL, STATES, Job
from jumpnet.analysis.deadlock.walks.walkers import Direct, first_walks, phase_walks
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import grid_of
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE
from jumpnet.terms import I64, Array

__all__ = ["ONE_SINK", "dependencies_by_translation", "looks_alike", "wide"]

ONE_SINK = np.zeros(1, np.int32)
"""The destination that stands for all."""
MOST_RUNS = 1 << 17
"""Runs in plain Python, each for all states of packets to one destination that are answered alike (some seconds)."""


SPREAD_BYTES = 1 << 27
"""Bytes beyond which dependencies that are alike at all routers are kept once."""
FEW = 32
"""Packets that take no longer one by one, in numbers, than parted on, in tables."""


def _number(run: Run, data: Array) -> Number | int:
    """A number that is known of each packet; of one alone it is a number as any other, and its run takes no longer."""
    return int(data[0]) if len(run.which) == 1 else Number(run, data)


class _Known(Opaque):
    """What may be known of a router: how far the destination lies from it, in each dimension."""

    def __init__(self, run: Run, sides: tuple[int, ...], ahead: I64, far: bool) -> None:
        self.run, self.sides, self.ahead, self.far = run, sides, ahead, far
        """ahead: (packets, dimensions)."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Known) or self.far == other.far:
            raise Unfit
        return not _number(self.run, np.asarray(self.ahead.any(axis=1)))

    def __xor__(self, other: Any) -> Number | int:
        if not isinstance(other, _Known) or self.far == other.far or any(k != 2 for k in self.sides):
            raise Unfit
        return _number(self.run, self.ahead @ (1 << np.arange(len(self.sides))))


class _Coordinate(Opaque):
    """One coordinate; all that it may be used for is to be taken from the other router's."""

    def __init__(self, place: _Known, dimension: int) -> None:
        self.place, self.dimension = place, dimension

    def __sub__(self, other: Any) -> _Difference:
        if not isinstance(other, _Coordinate) or other.dimension != self.dimension or other.place.far == self.place.far:
            raise Unfit
        ahead = self.place.ahead[:, self.dimension]
        return _Difference(self.place.run, ahead if self.place.far else -ahead, self.place.sides[self.dimension])


class _Difference(Opaque):
    """A difference that is known modulo the side alone."""

    def __init__(self, run: Run, value: I64, side: int) -> None:
        self.run, self.value, self.side = run, value, side

    def __mod__(self, by: Any) -> Number | int:
        if by != self.side:
            raise Unfit
        return _number(self.run, self.value % self.side)


class _View(View):
    """The network as the relation may see it."""

    def __init__(self, bound: BoundRouting) -> None:
        self.coord = Elements(bound.view.coord.shape, _Known, _Coordinate)
        self.params, self.own, self.table, self.vcs = bound.view.params, bound.view.own, bound.view.table, bound.vcs


class _Out:
    """Where candidates are written; of what they are only that it is known is looked at."""

    def __setitem__(self, index: tuple[Any, Any], value: Any) -> None:
        if not (isinstance(index[0], KNOWN) and isinstance(index[1], KNOWN) and isinstance(value, KNOWN)):
            raise Unfit


def looks_alike(bound: BoundRouting) -> tuple[int, ...] | None:
    """The sides of a grid each of whose ports adds a number to one coordinate, modulo its side; None of others."""
    grid = grid_of(bound.network, longest=None)
    if grid is None:
        return None
    for d, move in zip(grid.dimension, grid.move, strict=True):
        k = grid.sides[d]
        if (move < 0).any() or len(np.unique((move - np.arange(k)) % k)) > 1:
            return None
    return grid.sides


def _reads_differences(
    bound: BoundRouting, sides: tuple[int, ...], nodes: Array, states: int, phases: bool = False
) -> bool:
    """Whether the relation reads nothing else at nodes router * states + STATE of packets to router 0.

    phases: whether router 0 may be the one in the middle too.
    """
    relation, view = rebuilt(bound.routing.relation), _View(bound)
    here, state = np.divmod(np.asarray(nodes, np.int64), states)
    ahead = -bound.network.coord[here].astype(np.int64) % np.array(sides)
    todo: list[tuple[I64, list[int]]] = [(np.arange(len(here)), [])]
    for _ in range(MOST_RUNS):
        if not todo:
            return True
        run = Run(*todo.pop(), todo, FEW)
        near, far = (_Known(run, sides, ahead[run.which], end) for end in (False, True))
        target = {DESTINATION: far, INTERMEDIATE: far} if phases else {DESTINATION: far}
        try:
            found = relation(view, near, Header({**target, STATE: _number(run, state[run.which])}), _Out())
            int(found)
        except Exception:
            if not run.parted:
                return False
    return False


def dependencies_by_translation(bound: BoundRouting, job: Job, phases: bool = False) -> Graph | None:
    """(bits, used, escape, counters) as all walks make them, from the walk to router 0; None where that does not do.

    bits has C rows, or, where they would take more than SPREAD_BYTES, one for each port and virtual channel. Every
    router must be source and sink, and packets start in one way, or (phases) on two ways that are followed apart. Not
    of routings for bubble flow control, of which kinds of candidates are asked besides.
    """
    net = bound.network
    started = bound.routing.start is not None and not phases
    if bound.own or bound.routing.bubble or started or not ends_everywhere(net):
        return None
    sides = looks_alike(bound)
    bits = np.zeros((net.ports * bound.vcs, words_of(net.ports * bound.vcs)), np.uint64)
    follower = None if sides is None else _followed(bound, job, phases, bits)
    if sides is None or follower is None:
        return None
    states = follower.places.states
    nodes = np.arange(states * net.routers) if phases else follower.nodes()
    if not _reads_differences(bound, sides, nodes, states, phases):
        return None
    places = follower.places
    used, escape = (_asked_for(asked, net.routers, len(bits)) for asked in (places.asked, places.escapes))
    counters = follower.space.counters.copy()
    counters[STATES] *= net.routers
    return bits if wide(bound) else np.tile(bits, (net.routers, 1)), used, escape, counters


def wide(bound: BoundRouting) -> bool:
    """Whether dependencies, channel by channel, take more than SPREAD_BYTES."""
    return bits_bytes(bound) > SPREAD_BYTES


def _followed(bound: BoundRouting, job: Job, phases: bool, bits: Array) -> Direct | None:
    """The walks to router 0, with what channels wait for in bits; None where packets have no numbers, or fail."""
    follower = phase_walks(bound, job, ONE_SINK) if phases else first_walks(bound, job, ONE_SINK)
    while isinstance(follower, Direct):
        bits[:] = 0
        if follower.explore_alike(bits, phases):
            return follower
        if phases and not follower.space.counters[FULL]:
            return None
        follower = follower.wider(0)
    return None


def _asked_for(asked: Array, routers: int, kinds: int) -> Array:
    """(C,) uint8: which ports and virtual channels packets ask for anywhere; asked (R, W)."""
    return np.tile(are_set(np.bitwise_or.reduce(asked, axis=0), kinds).astype(np.uint8), routers)
