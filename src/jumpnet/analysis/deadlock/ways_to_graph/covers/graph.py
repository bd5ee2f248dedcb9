"""The channel dependency graph of a routing on a grid from a cover of its packets, and what conditions ask of it.

At least the routing's dependencies, perhaps more: a proof counts, a cycle does not. Called by `dependency` and
`conditions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import are_set, set_bits
from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.drawn import drawn_packets
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.covers.cover import SOURCE, Arrival, Cover, Departure, cover_of
from jumpnet.analysis.deadlock.ways_to_graph.covers.machine import Offer
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.graph import Marks
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import OnGrid, circle_free, grid_for
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.products import Product, meet
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ENTERS, ESCAPE, NORMAL, PORT, VC
from jumpnet.terms import Array

__all__ = ["Covered", "covered"]


class Covered:
    """All packets of a routing on a grid, and some more."""

    def __init__(self, cover: Cover) -> None:
        self.cover, self.bound, self.grid = cover, cover.bound, cover.grid

    @cached_property
    def graph(self) -> Graph:
        """As `blank.Graph` says. Raises AssertionError where a packet that is followed is not in it."""
        (bits,) = self._placed(lambda wanted: 0, 1)
        used, escape = self._flags(lambda by: True), self._flags(lambda by: by.kind & ESCAPE != 0)
        ends = self.cover.ends
        has = any(end.found > 1 for end in ends), any(end.several for end in ends)
        self._hold(bits, used)
        escapes = any(offer.kind & ESCAPE for _, offer in self.cover.asked)
        return bits, used, escape, counters_of(self.cover.count, *has, escapes)

    @cached_property
    def on(self) -> OnGrid:
        """The packets as cases of one candidate each, which are not apart from each other."""
        cases = []
        for (_, offer), products in self.cover.asked.items():
            rows = np.array([[offer.port, offer.vc, 0, offer.kind]])
            cases += [Case(self.cover.tables(product), 1, rows) for product in products]
        return OnGrid(self.grid, cases)

    @cached_property
    def arrive(self) -> bool:
        """Whether no packet comes back to a place."""
        return circle_free(self.on)

    def lacking(self) -> bool:
        """Whether some packet on its way may have no ESCAPE candidate."""
        return self.cover.lacking(ESCAPE)

    def marks(self, only: int = NORMAL) -> Marks:
        """What bubble flow control asks for, see `Marks`: of all candidates, or of those marked `only`."""
        entering, continuing = self._placed(
            lambda wanted: -1 if wanted.kind & only != only else 0 if wanted.kind & ENTERS else 1, 2
        )
        unmarked = blank(self.bound)[1]
        for (arrival, offer), products in self.cover.asked.items():
            if arrival == SOURCE and offer.kind & only == only and not offer.kind & ENTERS:
                for product in products:
                    if (product[-1] & self.cover.starting).any():
                        self._flag(unmarked, self._here(product), offer.port, offer.vc)
        escape = self._flags(lambda by: by.kind & ESCAPE != 0)
        otherwise = self._flags(lambda by: by.kind & only != only)
        return Marks(entering, continuing, unmarked, escape, otherwise, not self.cover.lacking(only))

    def _here(self, product: Product) -> tuple[Array, ...]:
        return tuple(np.asarray(table.any(axis=1)) for table in self.cover.tables(product))

    def _flag(self, flags: Array, here: tuple[Array, ...], port: int, vc: int) -> None:
        array, at = self.grid.channels(flags, self.bound.vcs, here)
        array[(*at, port, vc)] = 1

    def _flags(self, counts: Callable[[Departure], bool]) -> Array:
        """(C,) uint8: where some packet leaves by a channel, in a way that counts."""
        flags = blank(self.bound)[1]
        for by, hops in self.cover.hops.items():
            for hop in hops if counts(by) else []:
                self._flag(flags, self._here(hop.before), by.port, by.vc)
        return flags

    def _placed(self, sort: Callable[[Offer], int], sorts: int) -> list[Array]:
        """(C, W) bits of the dependencies on candidates of each sort, none of those of sort -1."""
        found = [blank(self.bound)[0] for _ in range(sorts)]
        words = found[0].shape[1]
        masks: dict[Any, tuple[tuple[Array, ...], Array]] = {}
        for by, here, wanted in self._pairs():
            which, bit = sort(wanted), wanted.port * self.bound.vcs + wanted.vc
            if which >= 0:
                key = by.port, by.vc, which, tuple(those.tobytes() for those in here)
                _, mask = masks.setdefault(key, (here, np.zeros(words, np.uint64)))
                set_bits(mask, [bit])
        for (port, vc, which, _), (here, mask) in masks.items():
            array, at = self.grid.channels(found[which], self.bound.vcs, here)
            array[(*at, port, vc)] |= mask
        return found

    def _pairs(self) -> Iterator[tuple[Departure, tuple[Array, ...], Offer]]:
        """A channel, coordinates of the routers that it leaves, and what packets ask for at its end."""
        by_arrival: dict[Arrival, list[tuple[Offer, list[Product]]]] = {}
        for (arrival, offer), products in self.cover.asked.items():
            by_arrival.setdefault(arrival, []).append((offer, products))
        for by, hops in self.cover.hops.items():
            d, move = self.grid.dimension[by.port], self.grid.move[by.port]
            for hop in hops:
                come, before = self.cover.moved(hop, by.port), self._here(hop.before)
                pairs = hop.before[d].reshape(len(move), -1)
                for offer, products in by_arrival.get(self.cover.arrival(by.port, by.vc), []):
                    for product in products:
                        both = meet(come, product)
                        if both is not None:
                            here = list(self._here(both))
                            then = both[d].reshape(len(move), -1)
                            here[d] = before[d] & (pairs & then[move]).any(axis=1)
                            yield by, tuple(here), offer

    def _hold(self, bits: Array, used: Array) -> None:
        """See that packets which are drawn have no dependencies but these."""
        slots = self.bound.network.ports * self.bound.vcs
        for here, held, rows in drawn_packets(self.bound):
            bit = rows[:, PORT] * self.bound.vcs + rows[:, VC]
            assert used[here * slots + bit].all(), "a packet asks for a channel that the cover has not"
            if held >= 0:
                assert are_set(bits[held], slots)[bit].all(), "a packet has a dependency that the cover has not"


def covered(bound: BoundRouting, job: Job) -> Covered | None:
    """All packets of a routing on a grid and some more; None where that does not fit, or packets may go round."""
    grid = grid_for(bound)
    cover = None if grid is None else cover_of(bound, grid, job)
    return None if cover is None else Covered(cover)
