"""Numbers of channels by class, where classes alone have an order: proofs of hundreds of millions of dependencies.

The class of a channel is that of its link (rank or level, and direction) and its virtual channel. If classes can be
numbered so that each dependency leads to a class of a higher number, these are numbers of the channels. If they cannot,
it says nothing, but where the graph looks alike from every router. Called by `prove` and `digits`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.cycles._rise import note_met
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["numbers_by_class", "numbers_by_port"]

MOST_CLASSES = 1 << 12
FIRST_ROWS = 1 << 15
"""Rows that are looked at before any others."""


def numbers_by_class(net: Network, vcs: int, bits: Array, base: I64) -> I64 | None:
    """(C,) numbers that ascend along all dependencies and are the same for all channels of a class, if there are any.

    bits (C, W), base (C,): the graph, see `Dependencies`. Cost: some nanoseconds a dependency, and no list of them.

    >>> from jumpnet.analysis.deadlock.dependency import dependencies
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> made = dependencies(bind("dragonfly.minimal", build("dragonfly:2")))
    >>> len(np.unique(numbers_by_class(made.bound.network, made.bound.vcs, made.bits, made.base)))
    4
    """
    link = np.maximum(net.link_class.reshape(-1).astype(np.int64), 0)
    return _numbers((link[:, None] * vcs + np.arange(vcs)).reshape(-1), net.ports * vcs, bits, base)


def numbers_by_port(slots: int, bits: Array, base: I64) -> I64 | None:
    """(C,) likewise, where classes are port and virtual channel, of which a router has so many.

    Where every router has the same dependencies, moved, and moves are a finite group (`translation`), None says that
    there is a cycle: one of classes, gone round often enough, comes back to the router that it began at.
    """
    return _numbers(np.arange(len(bits)) % slots, slots, bits, base)


def _numbers(channel_class: I64, slots: int, bits: Array, base: I64) -> I64 | None:
    """(C,) the number of each channel's class, where classes have an order along all dependencies; else None."""
    classes = int(channel_class.max(initial=0)) + 1
    if classes > MOST_CLASSES:
        return None
    met, ways = np.zeros((classes, classes), bool), np.zeros((classes, 2), bool)
    there = base // slots
    first, number = 0, np.zeros(classes, np.int64)
    while first < len(bits):  # few rows first, more and more: classes without an order show it early
        rows = slice(first, 8 * first + FIRST_ROWS)
        note_met(bits[rows], first, there, slots, channel_class, met, ways)
        holder, wanted = np.nonzero(met)
        found = numbering(row_starts(holder, classes), wanted)
        if found is None:
            return None
        first, number = rows.stop, found
    return number[channel_class]
