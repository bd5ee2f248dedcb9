"""All packet states of a routing on a grid, as cases: from the pairs that packets start with on, hop by hop.

A state is a pair of routers, STATE, and the channel of arrival where the relation looks at it. The relation is run once
for all pairs with one STATE and channel; what packets come to is then found by cutting its cases. Pairs that were met
before with the same STATE and channel are left out, so that each state is in one case. Called by `graph`, `moves`,
`changes`, `covers`, `inequalities` and `all_sizes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Header, Unfit, called
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case, View, cases
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid, outer
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.products import Product, add_product, meet, size, without
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import IN_PORT, IN_VC, INTERMEDIATE, NEXT_STATE, PORT, STATE, VC
from jumpnet.routings.writes import constants_written
from jumpnet.terms import I64

__all__ = [
    "MOST_DRAWS", "Key", "Known", "States", "Stay", "moved", "starts_of", "starts_written", "state_started",
    "states_on",
]  # fmt: skip

MOST_CASES = 1024
"""Cases beyond which they are no short cut any more."""
MOST_PIECES = 1 << 15
"""Products of pairs that may be met one after the other."""
MOST_AT_ONCE = 256
"""Cases of all pairs with one STATE and channel, beyond which those of the pairs that are met may be fewer."""
MOST_DRAWS = 64


class Key(NamedTuple):
    """What a packet has besides its pair of routers."""

    state: int = 0
    port: int = -1
    """Port at which it arrived; -1 at its source, and where the relation does not look."""
    vc: int = -1

    def fields(self) -> dict[int, int]:
        """The fields of its header."""
        return {STATE: self.state, IN_PORT: self.port, IN_VC: self.vc}


class Stay(NamedTuple):
    """The packets of one key in one case."""

    key: Key
    case: Case


@dataclass(frozen=True, eq=False)
class States:
    """All packet states of a routing on a grid, or of one phase of it."""

    bound: BoundRouting
    grid: Grid
    by_channel: bool
    """Whether the relation looks at the channel of arrival."""
    stays: list[Stay]
    """Apart from each other."""

    starts: frozenset[int]
    """Values of STATE that packets start with."""
    known: Known
    """What the relation answers."""

    @property
    def count(self) -> int:
        """Number of (destination, packet state) pairs, arrivals among them.

        No packet starts where it goes to: such a pair is a state only where a hop leads to it with that key.
        """
        routers = self.bound.network.routers
        arrived = {Key(state): np.zeros(routers, bool) for state in self.starts}
        for stay in self.stays:
            for row in np.unique(stay.case.rows[:, (PORT, VC, NEXT_STATE)], axis=0).tolist():
                if (key := self.after(*row)) in arrived:
                    arrived[key] |= outer([mask.diagonal() for mask in moved(self.grid, stay.case.masks, row[0])])
        never = sum(routers - int(some.sum()) for some in arrived.values())
        return sum(size(stay.case.masks) for stay in self.stays) - never

    def begins(self, key: Key) -> bool:
        """Whether packets start with a key."""
        return key.port < 0 and key.state in self.starts

    def after(self, port: int, vc: int, state: int) -> Key:
        """The key of a packet that went by a port and vc and took on a STATE."""
        return _after(self.bound, self.by_channel, port, vc, state)

    def followers(self, stay: Stay, port: int, vc: int, state: int) -> Iterator[Case]:
        """The cases of the next router, for the packets of a stay that went by a port and vc."""
        return self.known.cases(self.after(port, vc, state), moved(self.grid, stay.case.masks, port))


class Known:
    """What a relation answers for each key, kept: the cases of all pairs, unless there are many, or it does not say."""

    def __init__(self, bound: BoundRouting, grid: Grid) -> None:
        self.bound, self.grid = bound, grid
        self._of: dict[Key, list[Case] | None] = {}
        self._left = MOST_CASES

    def first(self, key: Key, masks: Product) -> Iterator[Case]:
        """`cases`, where they are few. Raises Unfit when the relation has run too often."""
        for case in self.cases(key, masks):
            self._left -= self._of[key] is None
            if self._left < 0:
                raise Unfit
            yield case

    def cases(self, key: Key, masks: Product) -> Iterator[Case]:
        """The cases of some pairs with a key. Raises Unfit."""
        known = self._everywhere(key)
        if known is None:
            yield from cases(self.bound, self.grid, masks, key.fields())
            return
        for case in known:
            both = meet(masks, case.masks)
            if both is not None:
                yield Case(both, case.found, case.rows)

    def _everywhere(self, key: Key) -> list[Case] | None:
        """The cases of all pairs with a key; None where these are many, or the relation does not say."""
        if key not in self._of:
            everywhere = tuple(np.ones((k, k), bool) for k in self.grid.sides)
            try:
                found = list(islice(cases(self.bound, self.grid, everywhere, key.fields()), MOST_AT_ONCE + 1))
            except Unfit:
                found = []
            self._left -= len(found) if len(found) > MOST_AT_ONCE else 0
            if self._left < 0:
                raise Unfit
            self._of[key] = found if 0 < len(found) <= MOST_AT_ONCE else None
        return self._of[key]


def moved(grid: Grid, masks: Product, port: int) -> Product:
    """The pairs of the next router after a hop by a port."""
    d, move = grid.dimension[port], grid.move[port]
    there = np.zeros_like(masks[d])
    here = np.flatnonzero(masks[d].any(axis=1))
    if len(np.unique(move[here])) == len(here):
        there[move[here]] = masks[d][here]
    else:
        np.logical_or.at(there, move[here], masks[d][here])
    return (*masks[:d], there, *masks[d + 1 :])


def _after(bound: BoundRouting, by_channel: bool, port: int, vc: int, state: int) -> Key:
    if not by_channel:
        return Key(state)
    arrival = np.unique(bound.network.far_port[bound.network.neighbor[:, port] >= 0, port])
    if len(arrival) != 1:
        raise Unfit
    return Key(state, int(arrival[0]), vc)


def starts_of(bound: BoundRouting, job: Job) -> set[int]:
    """The values of STATE that packets start with, whatever their source and destination; raises Unfit."""
    if bound.routing.start is None:
        return {0}
    if job.draws > MOST_DRAWS or job.queues > 1:
        raise Unfit
    start = rebuilt(bound.routing.start)
    return {state_started(start, View(bound), draw) for draw in range(job.draws)}


def state_started(start: Callable[..., Any], view: Any, draw: int) -> int:
    """STATE as a hook sets it that writes nothing else, and looks at no queue; raises Unfit of others."""
    head = Header()
    called(start, view, head, draw, ())
    if set(head) != {STATE} or not isinstance(head[STATE], int | np.integer):
        raise Unfit
    return int(head[STATE])


def starts_written(bound: BoundRouting, draws: int, why: str = "") -> frozenset[int]:
    """The values of STATE that the text of a hook writes, for so many draws; raises Unfit where it says too little."""
    state, middle = (
        constants_written(bound.routing.start, 1, field, draws, before)
        for field, before in ((STATE, 0), (INTERMEDIATE, -1))
    )
    if state is None or middle != {-1}:
        raise Unfit(why)
    return state


def states_on(bound: BoundRouting, grid: Grid, starts: set[int], by_channel: bool) -> States:
    """All packet states, where every router is source and sink. Raises Unfit, also where a packet is not delivered."""
    everywhere, known, met = tuple(np.ones((k, k), bool) for k in grid.sides), Known(bound, grid), 0
    todo = [(Key(state), everywhere) for state in sorted(starts)]
    seen: dict[Key, list[Product]] = {}
    stays: dict[tuple[Any, ...], tuple[Stay, list[Product]]] = {}
    while todo:
        key, masks = todo.pop()
        new = [masks]
        for taken in seen.setdefault(key, []):
            new = [piece for one in new for piece in without(one, taken)]
        for piece in new:
            add_product(seen[key], piece)
            for case in known.first(key, piece):
                _must_go_on(bound, grid, case)
                _, pieces = stays.setdefault((key, case.found, case.rows.tobytes()), (Stay(key, case), []))
                add_product(pieces, case.masks)
                met += 1
                if met > MOST_PIECES or len(pieces) > MOST_CASES:
                    raise Unfit
                for port, vc, state in case.rows[:, (PORT, VC, NEXT_STATE)].tolist():
                    todo.append((_after(bound, by_channel, port, vc, state), moved(grid, case.masks, port)))
    found = [Stay(key, case._replace(masks=masks)) for (key, case), pieces in stays.values() for masks in pieces]
    if len(found) > MOST_CASES:
        raise Unfit
    if any(stay.case.found > 0 and _may_start_at_its_end(stay, starts) for stay in found):
        raise Unfit  # a hop from there is one of no packet, unless another hop leads there
    return States(bound, grid, by_channel, found, frozenset(starts), known)


def _may_start_at_its_end(stay: Stay, starts: set[int]) -> bool:
    """Whether packets that start where they go to, which there are none of, are among those of a stay."""
    return stay.key.port < 0 and stay.key.state in starts and all(mask.diagonal().any() for mask in stay.case.masks)


def _must_go_on(bound: BoundRouting, grid: Grid, case: Case) -> None:
    """Raise Unfit unless the packets of a case have arrived, or go on by links that are there."""
    if case.found == 0:
        if any(mask[~np.eye(len(mask), dtype=bool)].any() for mask in case.masks):
            raise Unfit
        return
    ports, vcs = case.rows[:, PORT], case.rows[:, VC]
    known: I64 = (ports >= 0) & (ports < bound.network.ports) & (vcs >= 0) & (vcs < bound.vcs)
    if case.found < 0 or not known.all():
        raise Unfit
    if any((grid.move[p][case.masks[grid.dimension[p]].any(axis=1)] < 0).any() for p in ports.tolist()):
        raise Unfit
