"""What a cycle of dependencies means: can packets revisit a state, and can they wait for each other in a knot.

Sources: Duato 1993 (knots); Dally and Towles chapter 14. Called by `prove` when the dependency graph has a cycle.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.waiting.symmetric_waits import waits_by_dimension, waits_by_translation
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.analysis.deadlock.walks.depth_first import CIRCLES
from jumpnet.analysis.deadlock.walks.packet_states import walked
from jumpnet.analysis.deadlock.walks.search import search
from jumpnet.analysis.deadlock.walks.waits import Waits, is_knot_left, walked_waits
from jumpnet.analysis.deadlock.walks.walkers import failed, job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import circle_free, on_grid
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import ONE_SINK
from jumpnet.analysis.deadlock.ways_to_graph.orbits.outlooks import (
    equivariant_labels,
    seen_outlooks,
    waits_everywhere,
)
from jumpnet.errors import JumpnetError

__all__ = ["awaited_sets", "has_knot", "knot_without_walks", "may_circle"]


MOST_KEPT_BYTES = 1 << 28
"""Bytes of awaited sets up to which `Dependencies.awaited` keeps them."""


def awaited_sets(made: Dependencies, progress: Progress = silent) -> Waits:
    """What packets that hold each channel may wait for, from every packet state that was looked at.

    Cost: that of `dependencies` again, once: `made` keeps them.
    """
    if not made.awaited:
        waits = _asked(made, progress)
        many = int(waits.used[0])
        waits = waits._replace(after=waits.after[:many].copy(), mask=waits.mask[:many].copy())
        if waits.first.nbytes + waits.after.nbytes + waits.mask.nbytes > MOST_KEPT_BYTES:
            return waits
        made.awaited.append(waits)
    return made.awaited[0]


def _asked(made: Dependencies, progress: Progress) -> Waits:
    """The same, asked of the packets."""
    bound, net, job = made.bound, made.bound.network, job_of(made.bound)
    if made.by == "translation":
        alike = waits_by_translation(made)  # channels of a port and virtual channel share their list
        return alike._replace(first=np.tile(alike.first, net.routers))
    by_dimension = waits_by_dimension(made) if made.by == "dimensions" else None
    if by_dimension is not None:
        return by_dimension
    if made.to is not None:
        return walked_waits(bound, walked(bound, made.begun or job, made.to, progress))
    sinks, label = np.flatnonzero(net.sinks > 0).astype(np.int32), equivariant_labels(bound)
    if label is not None:
        seen, _ = seen_outlooks(bound, job, label, sinks, partial(failed, bound), progress)
        return waits_everywhere(bound, label, seen)
    return walked_waits(bound, walked(bound, job, progress=progress))


def has_knot(made: Dependencies, progress: Progress = silent) -> bool:
    """Whether, given a cycle, some channels can be held by packets each of which waits only for channels of the set."""
    quick = knot_without_walks(made)
    return is_knot_left(awaited_sets(made, progress), made.base, made.used) if quick is None else quick


def knot_without_walks(made: Dependencies) -> bool | None:
    """The same, or None where all packets would have to be followed for it."""
    if not made.choices:
        return True  # any cycle is one: each dependency has a packet that wants nothing else
    if made.to is not None:  # who chose the destinations saw that these packets can
        return True
    if made.by == "hops":  # likewise of all channels of the links: a packet one hop from its end wants one neighbor's
        return True
    if made.by == "translation":  # the largest knot is carried to itself, so it has all channels of a port or none
        alike = waits_by_translation(made)
        slots = len(alike.first)
        return is_knot_left(alike, np.zeros(slots, np.int64), made.used[:slots])
    by_dimension = waits_by_dimension(made) if made.by == "dimensions" else None
    return None if by_dimension is None else is_knot_left(by_dimension, made.base, made.used)


def may_circle(
    made: Dependencies,
    threads: int | None = None,
    progress: Progress = silent,
    checkpoint: ProofCheckpoint | None = None,
) -> bool:
    """Whether packets may come back to a state; raises JumpnetError when they have no choice about it.

    `checkpoint` keeps the walks that have ended without a circle.
    """
    bound = made.bound
    job = job_of(bound) if made.begun is None else made.begun
    if made.phased:
        return False  # `dependencies` looked at every route of each phase
    if made.ends is not None and made.ends():
        return False
    on = on_grid(bound) if made.by == "dimensions" else None
    if on is not None and circle_free(on):
        return False
    label = equivariant_labels(bound)
    if label is not None and not job.home:
        job = job._replace(sources=np.unique(label).astype(np.int32))
    sinks = ONE_SINK if made.by == "translation" else made.to
    none = np.zeros(0, np.int64)
    keep = None if checkpoint is None or sinks is not None else partial(checkpoint.search, bound, -1, none)
    found = search(bound, job, none, threads, progress, sinks, keep)
    if found.what == CIRCLES and not made.adaptive:
        way = "-".join(str(r) for r in (*found.way[found.turn :], found.way[found.turn]))
        raise JumpnetError(
            f"{bound.name} on {bound.network.spec} does not deliver: the packet from {found.way[0]} to "
            f"{found.destination} goes round {way}"
        )
    return found.what == CIRCLES
