"""Bubble flow control: a routing with cycles is free of deadlock when they are rings that packets enter with a bubble.

Sources: Carrion et al. 1997; Puente et al. 2001. Called by `prove`, for routings that mark candidates ENTERS.

The condition. Every dependency goes to a later channel, or from a channel to the next one of its *ring*: a cycle of
channels each of which leads, within the ring, to one other. By a candidate marked ENTERS a packet gets a channel only
where the buffer has room for it and for one more packet. Dependencies along a ring are never marked; all others that
lead to a channel of a ring are, and so are all candidates by which packets come to it from their terminals.

Why it suffices. Let packets have one length, buffers room for two or more, and a packet get a channel only when its
buffer can take it whole. Count a packet in the buffer of the channel that it got last. Some buffer of a ring then
always has room for one more packet: a packet that enters leaves such room where it goes, one that goes on leaves it
where it was, one that leaves adds to it. Now say that packets could stand for ever, and take the latest channels where
any does. The buffers after those empty, if no more packets enter, so none waits for them for good. Then those at the
front in a ring all wait for its next channel. Going back from the buffer with room, over empty ones, which have room,
one comes to a packet that may move. So none stands for ever, as long as allocation is fair.

With escapes (the adaptive bubble router of Puente et al.). Let candidates marked ESCAPE fulfil the condition among
themselves: every packet has one wherever it is; channels offered so are not offered otherwise; dependencies are those
of a packet in such a channel on its escapes; and packets come to a ring from all other channels, as from terminals, by
ENTERS. That is enough. A packet that waits under cut-through stands in one buffer whole, so one outside the escape
channels holds none of them, and no dependency leads round by other channels. Say that all packets left in the network
wait. If some are in escape channels, the argument above finds one that may move: leaving a ring for any channel adds
room to it. If none are, all escape channels are empty, each has room for two, and any packet may take its escape.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.bit_rows import unpack
from jumpnet.analysis.deadlock.conditions._bubble import OFFERED, OTHERWISE, WITHOUT, part_by_escape, part_by_kind
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dimensions.graph import Marks, marks_by_dimension
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, piece_end, silent
from jumpnet.analysis.deadlock.walks.packet_walk import FULL, new_nodes, new_space, parts
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.process.threads import interruptible
from jumpnet.routings.view import ESCAPE, NORMAL
from jumpnet.terms import I64, Array

__all__ = ["Marked", "escape_dependencies", "marked_dependencies", "ring_numbers"]


class Marked(NamedTuple):
    """Dependencies with their kinds; one that packets have in both ways stands twice. E of them, C channels."""

    holder: I64
    """(E,)."""
    wanted: I64
    """(E,)."""
    enters: Array
    """(E,) whether it is marked ENTERS."""
    unmarked: Array
    """(C,) whether some packet may ask for the channel at its source without ENTERS."""


def marked_dependencies(made: Dependencies, progress: Progress = silent) -> Marked:
    """The dependencies of a routing by kind.

    Cost: that of `dependencies` on one thread, without its short cuts but for that of grids.
    """
    short = _marks(made, NORMAL)
    return _walked(made, part_by_kind, progress) if short is None else _listed(made, short)


def _marks(made: Dependencies, only: int) -> Marks | None:
    """The kinds of candidates, where that takes no walk."""
    if made.kinds is not None:
        return made.kinds.marks(only)
    if made.cover is not None:
        return made.cover.marks(only)
    return marks_by_dimension(made.bound, job_of(made.bound), only) if made.by == "dimensions" else None


def _listed(made: Dependencies, marks: Marks) -> Marked:
    """Bits as lists."""
    (first, entering), (second, others) = (unpack(bits, made.base) for bits in (marks.entering, marks.continuing))
    holders = [np.repeat(np.arange(len(made.used)), np.diff(starts)) for starts in (first, second)]
    holder, wanted = np.concatenate(holders), np.concatenate([entering, others]).astype(np.int64)
    return Marked(holder, wanted, np.arange(len(holder)) < len(entering), marks.unmarked == 1)


def escape_dependencies(made: Dependencies, progress: Progress = silent) -> tuple[Marked, Array] | None:
    """Those of the escape channels by kind, and which channels they are (C,); None where the condition fails at once.

    It does where a packet has no escape, and where a channel is offered as an escape and otherwise. `unmarked` says of
    a channel whether a packet may ask for it without ENTERS at its source, or in a channel that is no escape. Cost as
    that of `marked_dependencies`.
    """
    short = _marks(made, ESCAPE)
    if short is None:
        how = np.zeros(len(made.used), np.uint8)
        found = _walked(made, part_by_escape, progress, how)
        escape, otherwise, always = how & OFFERED != 0, how & OTHERWISE != 0, not (how & WITHOUT).any()
    else:
        found = _listed(made, short)
        escape, otherwise, always = short.escape == 1, short.otherwise == 1, short.always
    if not always or (escape & otherwise).any():
        return None
    inside, unmarked = escape[found.holder], found.unmarked.copy()
    unmarked[found.wanted[~inside & ~found.enters]] = True
    return Marked(found.holder[inside], found.wanted[inside], found.enters[inside], unmarked), escape


def _walked(made: Dependencies, part: Callable[..., int], progress: Progress, *more: Array) -> Marked:
    """What a kernel finds on all walks of packets."""
    bound, net, job = made.bound, made.bound.network, job_of(made.bound)
    space = new_space(bound.view.queues)
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int32)
    rows = len(made.used)
    entering, continuing = (np.zeros((rows, net.ports * bound.vcs), np.uint8) for _ in range(2))
    unmarked = np.zeros(rows, np.uint8)
    size, at, walks = 1 << (4 * net.routers).bit_length(), 0, parts(job, sinks)
    pointers = bound.pointer, bound.start_pointer, bound.view
    while at < walks:
        nodes, stop = new_nodes(size, made.bits.shape[1]), piece_end(at, walks, progress)
        tables = entering, continuing, unmarked, *more
        search = partial(part, *pointers, job, nodes, space, sinks, at, stop, *tables)
        at = interruptible(search)
        size *= 2 if space.counters[FULL] else 1
    pairs = [np.nonzero(kind) for kind in (entering, continuing)]
    holder = np.concatenate([h for h, _ in pairs])
    bit = np.concatenate([b for _, b in pairs])
    enters = np.arange(len(holder)) < len(pairs[0][0])
    return Marked(holder, made.base[holder] + bit, enters, unmarked == 1)


def ring_numbers(marked: Marked) -> I64:
    """(C,) numbers by which each dependency ascends, but for those on a cycle, which join channels of one number.

    `cycles.checker.accepts_rings` says whether these cycles are rings, and entered as the condition asks.
    """
    from scipy.sparse import csr_array  # a while to load, and most proofs do without
    from scipy.sparse.csgraph import connected_components

    def graph(size: int, holder: I64, wanted: I64) -> csr_array:
        return csr_array((np.ones(len(holder), np.int64), (holder, wanted)), shape=(size, size))

    whole = graph(len(marked.unmarked), marked.holder, marked.wanted)
    count, label = connected_components(whole, directed=True, connection="strong")
    holder, wanted = label[marked.holder], label[marked.wanted]
    across = holder != wanted
    between = graph(count, holder[across], wanted[across])
    number = order_or_cycle(between.indptr, between.indices).number
    assert number is not None, "components closed a cycle"
    return np.asarray(number[label])
