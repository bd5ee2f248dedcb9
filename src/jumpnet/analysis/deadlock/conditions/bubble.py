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

import numpy as np

from jumpnet.analysis.deadlock.conditions.rings import Marked, Rings, rings_of
from jumpnet.analysis.deadlock.cycles.checker import accepts_rings
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.compressed_rows import components, holders, row_starts
from jumpnet.analysis.deadlock.walks.packet_states import sections
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.graph import Marks, marks_by_dimension
from jumpnet.routings.view import ESCAPE, NORMAL
from jumpnet.terms import I64, Array

__all__ = ["escape_dependencies", "marked_dependencies", "ring_numbers", "rings_hold"]


def marked_dependencies(made: Dependencies, progress: Progress = silent) -> Marked:
    """The dependencies of a routing by kind.

    Cost: that of `dependencies` on one thread, without its short cuts but for that of grids.
    """
    short = _marks(made, NORMAL)
    return _walked(made, False, progress).marked if short is None else _listed(made, short)


def _marks(made: Dependencies, only: int) -> Marks | None:
    """The kinds of candidates, where that takes no walk."""
    if made.kinds is not None:
        return made.kinds.marks(only)
    if made.cover is not None:
        return made.cover.marks(only)
    return marks_by_dimension(made.bound, only) if made.by == "dimensions" else None


def _listed(made: Dependencies, marks: Marks) -> Marked:
    """Bits as lists."""
    (first, entering), (second, others) = (unpack(bits, made.base) for bits in (marks.entering, marks.continuing))
    holder = np.concatenate([holders(first), holders(second)])
    wanted = np.concatenate([entering, others]).astype(np.int64)
    return Marked(holder, wanted, np.arange(len(holder)) < len(entering), marks.unmarked == 1)


def escape_dependencies(made: Dependencies, progress: Progress = silent) -> tuple[Marked, Array] | None:
    """Those of the escape channels by kind, and which channels they are (C,); None where the condition fails at once.

    It does where a packet has no escape, and where a channel is offered as an escape and otherwise. `unmarked` says of
    a channel whether a packet may ask for it without ENTERS at its source, or in a channel that is no escape. Cost as
    that of `marked_dependencies`.
    """
    short = _marks(made, ESCAPE)
    if short is None:
        found = _walked(made, True, progress)
        return (found.marked, found.among) if found.holds else None
    escape, listed = short.escape == 1, _listed(made, short)
    if not short.always or (escape & (short.otherwise == 1)).any():
        return None
    inside = escape[listed.holder]
    unmarked = listed.unmarked.copy()
    unmarked[listed.wanted[~inside & ~listed.enters]] = True
    return Marked(listed.holder[inside], listed.wanted[inside], listed.enters[inside], unmarked), escape


def _walked(made: Dependencies, escapes: bool, progress: Progress) -> Rings:
    """What all walks of packets show."""
    bound = made.bound
    return rings_of(sections(bound, job_of(bound), progress=progress), bound.network, bound.vcs, escapes)


def rings_hold(marked: Marked) -> I64 | None:
    """(C,) `ring_numbers` where the checker accepts them; None where the condition does not hold."""
    number = ring_numbers(marked)
    return number if accepts_rings(number, *marked) else None


def ring_numbers(marked: Marked) -> I64:
    """(C,) numbers by which each dependency ascends, but for those on a cycle, which join channels of one number.

    `cycles.checker.accepts_rings` says whether these cycles are rings, and entered as the condition asks.
    """
    count, label = components(len(marked.unmarked), marked.holder, marked.wanted)
    holder, wanted = label[marked.holder], label[marked.wanted]
    between = np.unique((holder * count + wanted)[holder != wanted])
    number = numbering(row_starts(between // count, count), between % count)
    assert number is not None, "components closed a cycle"
    return np.asarray(number[label])
