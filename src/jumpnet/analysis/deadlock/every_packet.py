"""The dependencies of every packet, followed one after the other: what is done where no quicker way serves.

Source: Dally and Seitz 1987. Called by `dependency`; twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from jumpnet.analysis.deadlock.graph import Dependencies, dependencies_from
from jumpnet.analysis.deadlock.rows.blank import Graph
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.analysis.deadlock.walks.counters import union
from jumpnet.analysis.deadlock.walks.limits import refuse_if_too_long
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import failed
from jumpnet.analysis.deadlock.ways_to_graph.orbits.outlooks import place_everywhere, seen_outlooks
from jumpnet.process.threads import share
from jumpnet.terms import I64

__all__ = ["by_walks"]


def by_walks(walks: SharedWalks, phased: bool, label: I64 | None, checkpoint: ProofCheckpoint | None) -> Dependencies:
    """The graph from following packets, from one source of each orbit or phase by phase where that is possible.

    label (R,): see `equivariant_labels`, None to follow packets from every source.
    """
    bound, job, workers = walks.bound, walks.job, walks.workers
    work: Callable[[int], Graph] = walks.part
    if label is not None:
        seen, states = seen_outlooks(bound, job, label, walks.sinks, partial(failed, bound), walks.progress, workers)
        work = place_everywhere(bound, label, seen, states, workers)
    if phased and checkpoint is not None:
        walks.keep_phases(checkpoint)
    tried = share(walks.phases, range(workers), workers) if phased else []
    made = [graph for graph in tried if graph is not None]
    phased = len(made) == workers
    if not phased:
        refuse_if_too_long(bound, job, label is None)
        walks.done, walks.kept = 0, None
        if checkpoint is not None and label is None:
            walks.keep_walks(checkpoint)
        made = share(work, range(workers), workers)
    made += [walks.kept.graph] if walks.kept is not None else []
    return dependencies_from(bound, union(made), phased)
