"""Numbers of channels of graphs that are not held: by class, and within a class by the number of the next router.

The class of a channel is that of its link, its virtual channel, and whether it leads to a router of a higher number. If
classes have an order but for dependencies within one, and along all of these the number of the router that the channel
leads to rises, or falls along all, then class and router number the channels: that of the shift routings, which begin
a new virtual channel where a fall is followed by a rise. A proposal only; the checker looks at each dependency again.
Called by `digits`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from jumpnet.analysis.deadlock.cycles._rise import note_met
from jumpnet.analysis.deadlock.cycles.numbers_by_class import MOST_CLASSES
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["numbers_by_rise", "numbers_of_rises"]


def numbers_of_rises(net: Network, vcs: int) -> I64:
    """(C,) numbers that ascend along dependencies where each virtual channel has hops that rise, then hops that fall.

    Whether they do is for the checker to see.

    >>> from jumpnet.topology import build
    >>> numbers_of_rises(build("mesh:3"), 1).tolist()
    [1, 6, 2, 5, 6, 4]
    """
    there = np.repeat(net.neighbor.reshape(-1).astype(np.int64), vcs)
    here, vc = np.repeat(np.arange(net.routers), net.ports * vcs), np.tile(np.arange(vcs), net.routers * net.ports)
    falls = there <= here
    return (2 * vc + falls) * net.routers + np.where(falls, net.routers - 1 - there, there)


def numbers_by_rise(net: Network, vcs: int, pieces: Iterable[tuple[int, Array]]) -> I64 | None:
    """(C,) numbers by which every dependency ascends; None where classes and routers give none.

    pieces: rows of `Dependencies.bits`, and the channel of the first of them; where some are left out, the numbers may
    not ascend along these. Cost: some nanoseconds a dependency, no list of them.

    >>> from jumpnet.analysis.deadlock.cycles.checker import accepts_bits
    >>> from jumpnet.analysis.deadlock.dependency import dependencies
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> net = build("debruijn:2,n=3")
    >>> made = dependencies(bind("debruijn.shift", net))
    >>> accepts_bits(numbers_by_rise(net, 2, [(0, made.bits)]), made.bits, made.base)
    True
    """
    there = np.repeat(net.neighbor.reshape(-1).astype(np.int64), vcs)
    link = np.maximum(net.link_class.reshape(-1).astype(np.int64), 0)
    rises = net.neighbor.reshape(-1) > np.repeat(np.arange(net.routers), net.ports)
    classes = 2 * vcs * (int(link.max(initial=0)) + 1)
    if classes > MOST_CLASSES:
        return None
    of = ((2 * link + rises)[:, None] * vcs + np.arange(vcs)).reshape(-1).astype(np.int32)
    met, ways = np.zeros((classes, classes), bool), np.zeros((classes, 2), bool)
    slots = net.ports * vcs
    for first, bits in pieces:
        note_met(bits, first, there, slots, of, met, ways)
    if ways.all(axis=1).any():  # along some the router's number rises, along others of the class it falls or stays
        return None
    np.fill_diagonal(met, False)
    holder, wanted = np.nonzero(met)
    place = numbering(row_starts(holder, classes), wanted)
    if place is None:
        return None
    return place[of] * net.routers + np.where(ways[of, 0], there, net.routers - 1 - there)
