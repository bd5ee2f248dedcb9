"""The same argument for one network whose sides are known: meshes and tori with sides too long for tables of pairs.

Kinds of packet states are told apart by inequalities, however long the sides; where each of them is follows from the
same inequalities, so that dependencies of kinds become dependencies of channels. There are at least the routing's own:
what packets of a kind may come to is known by kinds alone. Called by `dependency` and `conditions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.blank import Graph, blank, ends_everywhere
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.graph import Marks
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import LONGEST_SIDE, Grid, grid_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import MOST_DRAWS, starts_of, starts_written
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import Candidate, Flow, State, Step, flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.linear import HERE, Linear, constant, place_bounds
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.order import channel_numbers
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import ranked
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Ring
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import NORMAL
from jumpnet.terms import I64, Array

__all__ = ["Kinds", "kinds_of_packets", "rings_of"]

Places = tuple[slice, ...]
"""Coordinates in each dimension."""


def rings_of(net: Network) -> list[Ring] | None:
    """The dimensions of a network whose ports 2d and 2d + 1 lead on and back along dimension d; None of another.

    Further ports are left out.

    >>> from jumpnet.topology import build
    >>> rings_of(build("mesh:2x9"))[1]
    Ring(least=9, closed=False, side=9, single=False)
    """
    grid = grid_of(net, longest=None)
    if grid is None or len(grid.move) < 2 * len(grid.sides) or tuple(net.params[: len(grid.sides)]) != grid.sides:
        return None
    rings = []
    for d, k in enumerate(grid.sides):
        up, down = (bool((move >= 0).all()) for move in grid.move[2 * d : 2 * d + 2])
        ring = Ring(k, up and k > 1, k, single=k == 2 and up and not down)
        if not (_leads(net, grid, 2 * d, ring) and _leads(net, grid, 2 * d + 1, ring)):
            return None
        rings.append(ring)
    return rings


def _leads(net: Network, grid: Grid, port: int, ring: Ring) -> bool:
    """Whether a port leads one on, or back, along its dimension, wherever it should, and the other port in return."""
    d, there = port // 2, np.arange(ring.least) + (1 if port % 2 == 0 else -1)
    expected = there % ring.least if ring.closed else np.where((there >= 0) & (there < ring.least), there, -1)
    if ring.single and port % 2 == 1:
        expected = np.full(ring.least, -1)
    taken = expected[net.coord[:, d]] >= 0
    back = net.far_port[taken, port] == (port if ring.single else port ^ 1)
    if not taken.any():
        return bool((grid.move[port] < 0).all())
    return grid.dimension[port] == d and np.array_equal(grid.move[port], expected) and bool(back.all())


class _Hop(NamedTuple):
    """Packets of one kind that leave by a candidate for another kind."""

    step: Step
    places: Places


class Kinds:
    """All packets of a routing on one network, by kinds."""

    def __init__(self, bound: BoundRouting, rings: list[Ring], flow: Flow) -> None:
        self.bound, self.rings, self.flow = bound, rings, flow
        self._within: dict[tuple[int, int], slice | None] = {}

    @property
    def graph(self) -> Graph:
        """As `blank.Graph` says; of states the kinds are counted."""
        (bits,), used, escape = self._placed(lambda wanted: 0, 1), *self._asked()
        asked = self.flow.asked.values()
        choices = any(len(some) > 1 for some in asked)
        adaptive = any(len({one.port for one in some}) > 1 for some in asked)
        return bits, used, escape, counters_of(len(asked), choices, adaptive, bool(self.flow.escapes()))

    @cached_property
    def arrive(self) -> bool:
        """Whether no packet comes back to a place."""
        return ranked(self.flow.asked, self.flow.hops(), len(self.rings)) is not None

    def marks(self, only: int = NORMAL) -> Marks:
        """What bubble flow control asks for, see `Marks`: of all candidates, or of those marked `only`."""
        entering, continuing = self._placed(
            lambda wanted: -1 if wanted.kind & only != only else 0 if wanted.enters else 1, 2
        )
        _, escape = self._asked()
        otherwise = self._flags(lambda state, one: one.kind & only != only)
        begins = self.flow.starts
        unmarked = self._flags(
            lambda state, one: state.key in begins and one.kind & only == only and not one.enters,
        )
        always = all(any(one.kind & only == only for one in some) for some in self.flow.asked.values() if some)
        return Marks(entering, continuing, unmarked, escape, otherwise, always)

    def escape_numbers(self) -> I64 | None:
        """(C,) numbers of the escape channels that ascend along all extended dependencies, -1 elsewhere (Duato).

        None where some packet has no escape, or no order was found.
        """
        if self.flow.two_phases or self.flow.without_escape():
            return None
        order = ranked(self.flow.escapes(), self.flow.extended(), len(self.rings))
        return None if order is None else channel_numbers(order, self.bound.network, self.bound.vcs)

    def _asked(self) -> tuple[Array, Array]:
        return self._flags(lambda state, one: True), self._flags(lambda state, one: one.escape)

    def _flags(self, counts: Callable[[State, Candidate], bool]) -> Array:
        """(C,) uint8: where some packet asks for a channel by a candidate that counts."""
        flags = blank(self.bound)[1]
        for state, some in self.flow.asked.items():
            places = self._places(state)
            for one in some:
                if places is not None and counts(state, one):
                    self._channels(flags)[(*places[::-1], one.port, one.vc)] = 1
        return flags

    def _placed(self, sort: Callable[[Candidate], int], sorts: int) -> list[Array]:
        """(C, W) bits of the dependencies on candidates of each sort, none of those of sort -1."""
        found = [blank(self.bound)[0] for _ in range(sorts)]
        for hop in self._hops():
            masks = np.zeros((sorts, found[0].shape[1]), np.uint64)
            for wanted in self.flow.next_after(hop.step.after):
                bit, which = wanted.port * self.bound.vcs + wanted.vc, sort(wanted)
                if which >= 0:
                    masks[which, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
            at = (*hop.places[::-1], hop.step.by.port, hop.step.by.vc)
            for bits, mask in zip(found, masks, strict=True):
                self._channels(bits)[at] |= mask
        there = self._links()
        for bits in found:
            bits &= there
        return found

    def _links(self) -> Array:
        """(C, W): for each channel the bits of the channels that the next router has."""
        net, vcs = self.bound.network, self.bound.vcs
        mask = np.zeros((net.routers, (net.ports * vcs + 63) // 64), np.uint64)
        for bit in range(net.ports * vcs):
            linked = (net.neighbor[:, bit // vcs] >= 0).astype(np.uint64)
            mask[:, bit >> 6] |= linked << np.uint64(bit & 63)
        return np.repeat(
            np.where((net.neighbor >= 0)[..., None], mask[net.neighbor], 0).reshape(-1, mask.shape[1]), vcs, 0
        )

    def _channels(self, array: Array) -> Any:
        """An array of channels by coordinates, the last dimension first, port and virtual channel."""
        sides = [ring.least for ring in reversed(self.rings)]
        return array.reshape(*sides, self.bound.network.ports, self.bound.vcs, *array.shape[1:])

    def _hops(self) -> Iterator[_Hop]:
        for state, some in self.flow.steps.items():
            for step in some:
                d, up = step.by.port // 2, step.by.port % 2 == 0
                places = self._places(step.after)  # of other dimensions as much is known as before the hop, or more
                along = _slice(self._hop_facts(state.regions[d], step, d, up), self._odd(d, state.regions[d]))
                if places is not None and along is not None:
                    yield _Hop(step, (*places[:d], along, *places[d + 1 :]))

    def _hop_facts(self, region: int, step: Step, d: int, up: bool) -> Iterable[Linear]:
        """What is known of the coordinate before a hop from a region to another, and of the target's."""
        part, one = self.flow.regions[d].part, constant(1 if up else -1)
        before, after = part(region).facts, part(step.after.regions[d]).facts
        first, last = constant(0), constant(self.rings[d].least - 1)
        if step.move.rises == up:
            return *before, (last - HERE).minus(1) if up else HERE.minus(1), *(fact.put(HERE + one) for fact in after)
        end, other = (last, first) if up else (first, last)
        return *before, HERE - end, end - HERE, *(fact.put(other) for fact in after)

    def _places(self, state: State) -> Places | None:
        """Where packets of a kind may be; None where there are none."""
        found = [self._in_region(d, region) for d, region in enumerate(state.regions)]
        return None if None in found else tuple(one for one in found if one is not None)

    def _in_region(self, d: int, region: int) -> slice | None:
        if (d, region) not in self._within:
            self._within[d, region] = _slice(self.flow.regions[d].part(region).facts, self._odd(d, region))
        return self._within[d, region]

    def _odd(self, d: int, region: int) -> int | None:
        return self.flow.regions[d].part(region).odd[0]


def _starts(bound: BoundRouting, job: Job) -> set[int]:
    """Values of STATE among which are all that packets start with; raises Unfit."""
    try:
        return starts_of(bound, job)
    except Unfit:
        return set(starts_written(bound, job.draws if job.draws <= MOST_DRAWS else 0))


def _slice(facts: Iterable[Linear], odd: int | None) -> slice | None:
    """The coordinates here that facts allow; odd: their remainder by two, where it is known."""
    bounds = place_bounds(facts)
    if bounds is None:
        return None
    least, most = bounds
    if odd is None:
        return slice(least, most + 1)
    least += (odd - least) % 2
    return None if least > most else slice(least, most + 1, 2)


def kinds_of_packets(bound: BoundRouting, job: Job, longest: int = LONGEST_SIDE) -> Kinds | None:
    """All packets of a routing by kinds, on a mesh or torus with a side longer than `longest`; None if that is unfit.

    Cost: that of `flow_of`, some seconds at most.
    """
    net, phases = bound.network, bool(bound.routing.two_phases)
    if bound.own or not ends_everywhere(net) or job.by_source or (phases and job.by_channel) or net.coord.ndim != 2:
        return None
    if net.coord.shape[1] == 0 or int(net.coord.max(initial=0)) < longest:
        return None
    rings = rings_of(net)
    if rings is None:
        return None
    try:
        starts = (0, 1) if phases else tuple(sorted(_starts(bound, job)))
        return Kinds(bound, rings, flow_of(Run(bound, bound.view.own), rings, starts, job.by_channel))
    except Unfit:
        return None
