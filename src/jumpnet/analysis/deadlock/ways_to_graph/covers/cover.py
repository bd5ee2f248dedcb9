"""All packets of a routing on a grid, covered by products: from those that packets start with on, hop by hop.

A product has a set of pairs (here, target) for each dimension and a set of values of STATE; it holds packets of one
arrival (port and virtual channel, where the relation looks at these). Every packet state is in some product, with all
its candidates; there may be states and candidates that no packet has. Called by `graph`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.covers.machine import Answers, End, Machine, Offer
from jumpnet.analysis.deadlock.ways_to_graph.covers.values import Table
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid, outer
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.products import Product, add_product, meet, size, without
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import moved, starts_written
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["Arrival", "Cover", "Departure", "Hop", "cover_of"]

MOST_STATES = 1 << 12
"""Values of STATE."""
MOST_PRODUCTS = 64
"""Products of packets of one arrival, beyond which the least one around them stands for all."""
MOST_ROUNDS = 1 << 12

Arrival = tuple[int, int]
"""Port and virtual channel by which packets came; -1 at their source, and where the relation does not look."""
SOURCE: Arrival = (-1, -1)


class Departure(NamedTuple):
    """A channel by which packets leave."""

    port: int
    vc: int
    kind: int


class Hop(NamedTuple):
    """Packets that leave."""

    before: Product
    """Pairs, with the router that they leave."""
    states: Array
    """(states,) bool: the values of STATE that they have then."""


class _More(Exception):
    """Packets take on values of STATE that were not known."""

    def __init__(self, states: I64) -> None:
        self.states = states


class Cover:
    """All packets of a routing on a grid. Raises Unfit, _More."""

    def __init__(self, bound: BoundRouting, grid: Grid, by_channel: bool, starts: I64, states: I64) -> None:
        self.bound, self.grid, self.by_channel, self.states = bound, grid, by_channel, states
        self.starting = np.isin(states, starts)
        self.machine = Machine(bound, grid, states)
        self.answers: dict[Arrival, Answers] = {}
        self.reach: dict[Arrival, list[Product]] = {}
        """Apart from each other, but where one stands for more."""
        self.hops: dict[Departure, list[Hop]] = {}
        self.ends: dict[End, None] = {}
        self.asked: dict[tuple[Arrival, Offer], list[Product]] = {}
        """For each candidate the packets that it is offered to."""
        self._spread()

    def arrival(self, port: int, vc: int) -> Arrival:
        """By what packets came that left by a port and virtual channel."""
        if not self.by_channel:
            return SOURCE
        far = np.unique(self.bound.network.far_port[self.bound.network.neighbor[:, port] >= 0, port])
        if len(far) != 1:
            raise Unfit
        return int(far[0]), vc

    def moved(self, hop: Hop, port: int) -> Product:
        """Packets after a hop by a port."""
        return (*(mask.reshape(-1) for mask in moved(self.grid, self.tables(hop.before), port)), hop.states)

    def tables(self, product: Product) -> Product:
        """The pairs of a product by coordinates."""
        return tuple(mask.reshape(k, k) for mask, k in zip(product, self.grid.sides, strict=False))

    def _spread(self) -> None:
        """Carry packets on from where they start until no product grows; raises Unfit after too many rounds."""
        everywhere = (*(np.ones(k * k, bool) for k in self.grid.sides), self.starting)
        todo = [(SOURCE, everywhere)]
        for _ in range(MOST_ROUNDS):
            if not todo:
                return
            arrival, piece = todo.pop()
            for new in self._new(arrival, piece):
                todo += self._on(arrival, new)
        raise Unfit

    def _new(self, arrival: Arrival, piece: Product) -> list[Product]:
        """The packets of a product that were not met yet."""
        known = self.reach.setdefault(arrival, [])
        new = [piece]
        for taken in known:
            new = [part for one in new for part in without(one, taken)]
        if not new:
            return []
        if len(known) + len(new) > MOST_PRODUCTS:
            hull = tuple(np.any(masks, axis=0) for masks in zip(*known, *new, strict=True))
            known[:] = [hull]
            return [hull]
        for part in new:
            add_product(known, part)
        return new

    def _on(self, arrival: Arrival, piece: Product) -> list[tuple[Arrival, Product]]:
        """Where packets come to."""
        if arrival not in self.answers:
            self.answers[arrival] = self.machine.run(*arrival)
            self._must_be_known(self.answers[arrival])
        answers, found = self.answers[arrival], []
        for end, products in answers.ends.items():
            if end not in self.ends and any(meet(piece, product) for product in products):
                self.ends[end] = None
        for offer, products in answers.offers.items():
            for product in products:
                both = meet(piece, product)
                if both is not None:
                    add_product(self.asked.setdefault((arrival, offer), []), both)
                    found += self._leave(offer, both)
        return found

    def _leave(self, offer: Offer, packets: Product) -> list[tuple[Arrival, Product]]:
        """Packets leave by a candidate."""
        d = self.grid.dimension[offer.port]
        here = packets[d].reshape(self.grid.sides[d], -1).any(axis=1)
        if (self.grid.move[offer.port][here] < 0).any():
            raise Unfit
        hop = Hop(packets[:-1], np.asarray(np.isin(self.states, _after(offer, packets[-1]))))
        known = self.hops.setdefault(Departure(offer.port, offer.vc, offer.kind), [])
        whole = [(*one.before, one.states) for one in known]
        if not add_product(whole, (*hop.before, hop.states)):
            return []
        known[:] = [Hop(one[:-1], one[-1]) for one in whole]
        return [(self.arrival(offer.port, offer.vc), self.moved(hop, offer.port))]

    def _must_be_known(self, answers: Answers) -> None:
        """Raise _More where candidates lead to values of STATE that are not among those known."""
        after = [_after(offer, product[-1]) for offer, products in answers.offers.items() for product in products]
        values = np.unique(np.concatenate([np.zeros(0, np.int64), *after]))
        if not np.isin(values, self.states).all():
            raise _More(values)

    def lacking(self, kind: int) -> bool:
        """Whether some packet on its way has no candidate with all marks of a kind."""
        return any(end.found > 0 and not any(one & kind == kind for one in end.kinds) for end in self.ends)

    @property
    def count(self) -> int:
        """Number of (destination, packet state) pairs, arrivals among them, as `dimensions.states.States.count`."""
        routers, total = self.bound.network.routers, sum(size(one) for some in self.reach.values() for one in some)
        arrived = np.zeros((len(self.states), routers), bool)
        for by, hops in self.hops.items():
            for hop in hops if self.arrival(by.port, by.vc) == SOURCE else []:
                arrived[hop.states] |= outer([m.diagonal() for m in self.tables(self.moved(hop, by.port))])
        return total - int((~arrived[self.starting]).sum())


def _after(offer: Offer, states: Array) -> I64:
    """The values of STATE after a candidate, for packets with some before."""
    return np.unique(offer.after.data[states]) if isinstance(offer.after, Table) else np.array([offer.after])


def _starts(bound: BoundRouting, job: Job) -> I64:
    """Values of STATE among which are all that packets start with. Raises Unfit."""
    state = starts_written(bound, job.draws if job.draws <= MOST_STATES else 0)
    if len(state) > MOST_STATES:
        raise Unfit
    return np.array(sorted(state), np.int64)


def cover_of(bound: BoundRouting, grid: Grid, job: Job) -> Cover | None:
    """A cover of all packets; None of a routing that does not fit, or where one may go astray.

    Cost: a run of the relation in small steps for each arrival, some seconds at most.
    """
    if bound.own or job.by_source or bound.routing.two_phases:
        return None
    try:
        starts = states = _starts(bound, job)
        while len(states) <= MOST_STATES:
            try:
                return Cover(bound, grid, job.by_channel, starts, states)
            except _More as more:
                states = np.union1d(states, more.states)
    except Unfit:
        return None
    return None
