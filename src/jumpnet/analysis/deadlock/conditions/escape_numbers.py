"""Duato's condition without its graph: numbers of the escape channels, checked against every packet state.

Source: Duato 1993, as in `duato`, which builds the extended dependency graph and so needs memory and time for sets of
channels. A proof only needs numbers that ascend along it. Called by `prove` for large networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import first_channels
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.analysis.deadlock.walks.depth_first import FINE, WITHOUT
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.walks.search import search
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.escapes import class_numbers, numbers_in_phases, without_escape
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import circle_free, on_grid
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import ONE_SINK
from jumpnet.analysis.deadlock.ways_to_graph.orbits.escapes import lacking, numbers_by_orbit
from jumpnet.analysis.deadlock.ways_to_graph.orbits.states import StatesByOrbit
from jumpnet.process.threads import processors
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["Numbered", "is_large", "numbered_escapes", "steps"]

MANY_STEPS = 1 << 24
"""States times words of escape channels from which on numbers are tried before sets of channels (a second)."""
MOST_ROUNDS = 16
"""Rounds in which numbers may be raised."""
TRIED = 2
"""Destinations to which all packets are followed, to see that numbers ascend that were found without them."""

TRIED_SOURCES, TRIED_DRAWS = 16, 64
"""Of how many sources, by how many draws, where all are too many: packets in two phases."""


def is_large(made: Dependencies) -> bool:
    """Whether the extended dependency graph would take seconds, or numbers are soon there."""
    return made.moved is not None or made.kinds is not None or made.cover is not None or steps(made) > MANY_STEPS


def steps(made: Dependencies) -> int:
    """Words of sets of escape channels, in all packet states together, that the extended graph would be made of."""
    return made.states * (int(made.escape.sum()) + 63) // 64


@dataclass(frozen=True, eq=False)
class Numbered:
    """Numbers of the escape channels that ascend along every way from one to another, in every packet state."""

    number: I64 | None
    """(C,) -1 but for escape channels; None where some packet finds no escape, or there is a cycle."""
    without_escape: tuple[int, int] | None
    """(router, destination) of that packet."""
    cycle: I64 | None = None
    """Channels of a shortest cycle of extended dependencies, where that is what was found."""


def numbered_escapes(
    made: Dependencies,
    threads: int | None = None,
    progress: Progress = silent,
    checkpoint: ProofCheckpoint | None = None,
) -> Numbered | None:
    """Numbers that prove Duato's condition, or a packet without escape.

    They begin as the order of the dependencies between escape channels that follow each other at once. In each state
    there is a greatest number among the escape channels from which a packet may have come over NORMAL candidates, and
    the ESCAPE candidates are raised above it, until a round raises none. None where the numbers do not settle in
    MOST_ROUNDS, which says nothing about the condition, or where packets may come back to a state. Cost: a round takes
    about twice what `dependencies` takes. On a grid classes of channels are numbered instead (`dimensions.escapes`),
    which takes no time; where their numbers do not ascend, the channels' own are tried. `checkpoint` keeps what
    each round came to, and the walks of a round that have ended.
    """
    if made.phased:
        return _by_phases(made, threads)
    classes = _classes(made)
    if made.cover is not None:
        return None if classes is None else _held(made.bound, classes, threads)
    if classes is not None:
        return Numbered(classes, None)
    if made.kinds is not None:
        return _by_kinds(made, threads)
    if made.moved is not None:
        numbered = _by_orbits(made.moved, threads)
        if numbered is not None:
            return numbered
    number = _first_numbers(made)
    return None if number is None else _raised(made, number, threads, progress, checkpoint)


def _classes(made: Dependencies) -> I64 | None:
    """(C,) numbers by classes of channels on a grid, -1 but for escape channels; None where none are found."""
    if made.cover is not None:
        on = None if made.cover.lacking() else made.cover.on
    else:
        on = on_grid(made.bound) if made.by == "dimensions" else None
        on = None if on is None or without_escape(on) else on
    if on is None or not circle_free(on):
        return None
    classes = class_numbers(on, made.bound.network, made.bound.vcs)
    return None if classes is None else np.where(made.escape != 0, classes, -1)


def _raised(
    made: Dependencies, number: I64, threads: int | None, progress: Progress, checkpoint: ProofCheckpoint | None
) -> Numbered | None:
    """The numbers after as many rounds as it takes until none is raised."""
    alike = made.by == "translation"
    first, number = (0, number) if checkpoint is None else checkpoint.numbers(made.bound, number)
    for turn in range(first, MOST_ROUNDS):
        keep = None if checkpoint is None or alike else partial(checkpoint.search, made.bound, turn, number)
        sinks = ONE_SINK if alike else None
        found = search(made.bound, job_of(made.bound), number, threads, progress, sinks, keep)
        if found.what == WITHOUT:
            return Numbered(None, (found.router, found.destination))
        if found.what != FINE:
            return None
        if found.raised == 0:
            return Numbered(number, None)
        if alike:
            _most_everywhere(number, made.bound.network.routers)
        if checkpoint is not None:
            checkpoint.keep_numbers(made.bound, turn + 1, number)
    return None


def _by_orbits(moved: StatesByOrbit, threads: int | None) -> Numbered | None:
    """From states of packets from one router of each orbit; checked against all packets to a few destinations."""
    without = lacking(moved)
    if without is not None:
        return Numbered(None, without)
    order = numbers_by_orbit(moved, processors(threads=threads))
    if order is None or order.number is None:
        return None if order is None else Numbered(None, None, order.cycle)
    return _held(moved.bound, order.number, threads)


def _by_phases(made: Dependencies, threads: int | None) -> Numbered | None:
    """From an order of classes of escapes on a grid; checked against some packets to a few destinations."""
    number, job = numbers_in_phases(made.bound), job_of(made.bound)
    if number is None:
        return None
    few = job._replace(sources=job.sources[:: -(-len(job.sources) // TRIED_SOURCES)], draws=min(job.draws, TRIED_DRAWS))
    return _held(made.bound, np.where(made.escape != 0, number, -1), threads, few)


def _by_kinds(made: Dependencies, threads: int | None) -> Numbered | None:
    """From an order of kinds of escapes; checked against all packets to a few destinations."""
    assert made.kinds is not None
    number = made.kinds.escape_numbers()
    return None if number is None else _held(made.bound, np.where(made.escape != 0, number, -1), threads)


def _held(bound: BoundRouting, number: I64, threads: int | None, job: Job | None = None) -> Numbered | None:
    """Numbers that ascend along all ways of packets to a few destinations too; job: where they begin, all if None."""
    sinks = np.linspace(0, bound.network.routers - 1, TRIED).astype(np.int32)
    found = search(bound, job or job_of(bound), number.copy(), threads, silent, sinks)
    return Numbered(number, None) if found.what == FINE and found.raised == 0 else None


def _first_numbers(made: Dependencies) -> I64 | None:
    """Numbers that ascend along the dependencies between escape channels that follow each other at once; or None.

    Where one destination stands for all, channels of the same port and virtual channel have the same.
    """
    slots = made.bound.network.ports * made.bound.vcs
    alike = made.by == "translation"
    indptr, indices = _among_escapes(made, 1 if alike else made.bound.network.routers)
    if alike:
        number = numbering(indptr, indices % slots)
        number = None if number is None else np.tile(number, made.bound.network.routers)
    else:
        number = numbering(indptr, indices)
    if number is not None:
        number[made.escape == 0] = -1
    return number


def _most_everywhere(number: I64, routers: int) -> None:
    """Give each channel the greatest number of its port and virtual channel, in place."""
    rows = number.reshape(routers, -1)
    rows[:] = rows.max(axis=0)


def _among_escapes(made: Dependencies, routers: int) -> tuple[I64, I64]:
    """The dependencies of the first routers' channels, between escapes that follow each other at once, in compressed
    rows."""
    net, slots = made.bound.network, made.bound.network.ports * made.bound.vcs
    place = np.arange(slots, dtype=np.uint64)
    mask = np.zeros((net.routers, made.bits.shape[1]), np.uint64)
    for s in range(slots):
        mask[:, s >> 6] |= made.escape.reshape(-1, slots)[:, s].astype(np.uint64) << (place[s] & np.uint64(63))
    base, first = first_channels(net, made.bound.vcs, 0, routers * slots), routers * slots
    bits = np.where(made.escape[:first, None] != 0, made.bits[:first] & mask[base // slots], np.uint64(0))
    return unpack(bits, base)
