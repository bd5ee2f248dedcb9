"""What packets that hold a channel may wait for, without following every packet, for knots of large networks.

On a grid from cases of pairs (`dimensions`): a packet that takes a channel in one case may ask at the next router as
another one says, where in each dimension some coordinate of a target is in both. Cases are products, so these are all
routers and no others. Where a routing looks at nothing but the way to go, packets to one router show what waits on a
port and virtual channel anywhere, as every channel is carried to all others of its port. Called by `knots`; twin:
`waits.collect_waits`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.dimensions.cases import Case
from jumpnet.analysis.deadlock.dimensions.grid import Grid
from jumpnet.analysis.deadlock.dimensions.moves import grid_for, one_key
from jumpnet.analysis.deadlock.dimensions.states import starts_of, states_on
from jumpnet.analysis.deadlock.dimensions.translation import ONE_SINK
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.packet_walk import EDGES, FULL, new_nodes, new_space
from jumpnet.analysis.deadlock.walks.waits import Waits, add_everywhere, collect_waits, grown, merge_alike, new_waits
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.process.threads import interruptible
from jumpnet.routings.view import PORT, VC
from jumpnet.terms import I64, Array

__all__ = ["waits_by_dimension", "waits_by_translation"]


def waits_by_dimension(made: Dependencies) -> Waits | None:
    """The lists of all channels; None where packets have several STATEs, or look at where they come from."""
    bound, job = made.bound, job_of(made.bound)
    grid = grid_for(bound)
    if grid is None or job.by_source or job.by_channel:
        return None
    try:
        on = one_key(states_on(bound, grid, starts_of(bound, job), by_channel=False))
    except Unfit:
        return None
    if on is None:
        return None
    slots, vcs = bound.network.ports * bound.vcs, bound.vcs
    waits = new_waits(len(made.used), made.bits.shape[1], 4 * len(made.used))
    asked = [(case, _mask(case, vcs, made.bits.shape[1])) for case in on.cases if case.found > 0]
    for first, _ in asked:
        for port, vc in first.rows[:, (PORT, VC)].tolist():
            for after, mask in asked:
                channels = _where(grid, first, port, after) * slots + port * vcs + vc
                while int(waits.used[0]) + len(channels) > len(waits.after):
                    waits = grown(waits)
                add_everywhere(channels, mask, waits)
    return waits


def _mask(case: Case, vcs: int, words: int) -> Array:
    """What packets of a case ask for, as bits port * vcs + vc."""
    mask = np.zeros(words, np.uint64)
    for bit in (case.rows[:, PORT] * vcs + case.rows[:, VC]).tolist():
        mask[bit >> 6] |= np.uint64(1 << (bit & 63))
    return mask


def _where(grid: Grid, first: Case, port: int, after: Case) -> I64:
    """Routers where some packet is in one case, and by the port comes to where it is in the other."""
    routers, stride = np.zeros(1, np.int64), 1
    for d, (here, there) in enumerate(zip(first.masks, after.masks, strict=True)):
        to = grid.move[port] if d == grid.dimension[port] else np.arange(grid.sides[d])
        both = (here & there[to]).any(axis=1) & (to >= 0)
        routers = (routers + stride * np.flatnonzero(both)[:, None]).reshape(-1)
        stride *= grid.sides[d]
    return routers


def waits_by_translation(made: Dependencies) -> Waits:
    """One list for each port and virtual channel, that of all its channels; bits are of the router they lead to."""
    bound = made.bound
    job, space, words = job_of(bound), new_space(bound.view.queues), made.bits.shape[1]
    size, waits, at = 1 << (4 * bound.network.routers).bit_length(), new_waits(len(made.used), words, 1 << 16), 0
    pointers, nodes = (bound.pointer, bound.start_pointer, bound.view), new_nodes(size, words)
    while at < 1:
        at = interruptible(partial(collect_waits, *pointers, job, nodes, space, ONE_SINK, 0, 1, waits))
        if space.counters[FULL]:
            size *= 2
            nodes = new_nodes(size, words)
        elif at < 1:
            waits = grown(waits, int(space.counters[EDGES]))
    merged, at = new_waits(bound.network.ports * bound.vcs, words, 1 << 10), 0
    while at < len(made.used):
        at = int(merge_alike(waits, merged, at))
        merged = grown(merged) if at < len(made.used) else merged
    return merged
