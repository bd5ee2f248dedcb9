"""Where packets of the sets are bound for that hold one channel and ask for another: some destinations of each set.

Called by `bounds.partial_graph`, by way of `graph`: packets to these may have a dependency that sets have.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import set_bits
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import Candidate
from jumpnet.analysis.deadlock.ways_to_graph.digits.sets import Layout
from jumpnet.analysis.deadlock.ways_to_graph.digits.spread import Branch, Spread
from jumpnet.terms import I64, Array

__all__ = ["MOST_SETS", "bound_for"]

MOST_SETS = 4
"""Sets of packets of which a destination is named, for each dependency."""


def bound_for(spread: Spread, held: int, wanted: int) -> I64:
    """(K,) a destination of each of the first MOST_SETS sets whose packets hold a channel and ask for another.

    Channels are (router * ports + port) * vcs + vc. A set may have no packet that the routing sends.
    """
    found = list[int]()
    for sinks in _sets(spread, held, wanted):
        new = [sink for sink in sinks.tolist() if sink not in found]
        found += new[:1]
        if len(found) == MOST_SETS:
            break
    return np.array(found, np.int64)


def _sets(spread: Spread, held: int, wanted: int) -> Iterator[I64]:
    """The destinations of each set that has some."""
    for key, branches in spread.branches.items():
        layout = spread.layouts[key.middle]
        for branch, left in _candidates(branches):
            assert left.then is not None
            leaving = _by_channel(spread, layout, branch.sets, left, held)
            for after, next_one in _candidates(spread.branches.get(left.then, []) if leaving.any() else []):
                both = leaving & _by_channel(spread, layout, after.sets, next_one, wanted)
                sinks = _sinks(spread, layout, both)
                if len(sinks):
                    yield sinks


def _candidates(branches: list[Branch]) -> Iterator[tuple[Branch, Candidate]]:
    """Each candidate of some branches."""
    return ((branch, candidate) for branch in branches for candidate in branch.candidates)


def _by_channel(spread: Spread, layout: Layout, sets: Array, candidate: Candidate, channel: int) -> Array:
    """(W,) what of sets (R, W) leaves by a channel, where that is the candidate's; else nothing."""
    ports, vcs = spread.net.ports, spread.bound.vcs
    (router, port), vc = divmod(channel // vcs, ports), channel % vcs
    row, goes = sets[router].copy(), np.flatnonzero(candidate.port[router] == port)
    if candidate.vc != vc or not len(goes):
        return np.zeros_like(row)
    if candidate.digit is not None:
        mine = np.zeros_like(row)
        set_bits(mine, (goes + int(layout.base[candidate.digit])).tolist())
        row &= mine | ~layout.seg[candidate.digit]
    return row


def _sinks(spread: Spread, layout: Layout, row: Array) -> I64:
    """The sinks in a product (W,); none where another router in the header may be none."""
    if any(not (row & seg).any() for seg in layout.seg):
        return np.zeros(0, np.int64)
    sinks = spread.system.sinks
    bit = layout.base[: len(spread.system.radix)] + spread.system.digit[sinks]
    return sinks[(row[bit >> 6] >> (bit & 63).astype(np.uint64) & np.uint64(1)).all(axis=1)]
