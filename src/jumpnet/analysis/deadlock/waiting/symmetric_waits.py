"""What packets that hold a channel may wait for, without following every packet, for knots of large networks.

On a grid from cases of pairs (`dimensions`): a packet that takes a channel in one case may ask at the next router as
another one says, where in each dimension some coordinate of a target is in both. Cases are products, so these are all
routers and no others. Where a routing looks at nothing but the way to go, packets to one router show what waits on a
port and virtual channel anywhere, as every channel is carried to all others of its port. Called by `knots`; twin:
`waits.walked_waits`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.walks.packet_states import walked
from jumpnet.analysis.deadlock.walks.waits import Waits, add_everywhere, grown, merge_alike, new_waits, walked_waits
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case, bits_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import one_key, states_for
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import ONE_SINK
from jumpnet.routings.view import PORT, VC
from jumpnet.terms import I64

__all__ = ["waits_by_dimension", "waits_by_translation"]


def waits_by_dimension(made: Dependencies) -> Waits | None:
    """The lists of all channels; None where packets have several STATEs, or look at where they come from."""
    bound, states = made.bound, states_for(made.bound, plain=True)
    on = None if states is None else one_key(states)
    if on is None:
        return None
    slots, vcs = bound.network.ports * bound.vcs, bound.vcs
    waits = new_waits(len(made.used), made.bits.shape[1], 4 * len(made.used))
    asked = [(case, bits_of(case.rows, vcs, made.bits.shape[1])) for case in on.cases if case.found > 0]
    for first, _ in asked:
        for port, vc in first.rows[:, (PORT, VC)].tolist():
            for after, mask in asked:
                channels = _where(on.grid, first, port, after) * slots + port * vcs + vc
                while int(waits.used[0]) + len(channels) > len(waits.after):
                    waits = grown(waits)
                add_everywhere(channels, mask, waits)
    return waits


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
    bound, words = made.bound, made.bits.shape[1]
    waits = walked_waits(bound, walked(bound, job_of(bound), ONE_SINK))
    merged, at = new_waits(bound.network.ports * bound.vcs, words, 1 << 10), 0
    while at < len(made.used):
        at = int(merge_alike(waits, merged, at))
        merged = grown(merged) if at < len(made.used) else merged
    return merged
