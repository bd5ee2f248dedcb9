"""What packets hold and ask for by kind of candidate, from all their states: the rings of bubble flow control.

Called by `bubble`, which has the condition, and by `changeover`, which puts the states of several routings together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.blank import first_channels
from jumpnet.analysis.deadlock.walks.packet_states import Section
from jumpnet.networks import Network
from jumpnet.routings.view import ENTERS, ESCAPE
from jumpnet.terms import I64, Array

__all__ = ["Marked", "Rings", "rings_of"]


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


class Rings(NamedTuple):
    """What packets hold and ask for, of all channels or of escapes alone."""

    marked: Marked
    among: Array
    """(C,) bool: the channels that it is about."""
    holds: bool
    """False where a packet has no escape, or a channel is offered as an escape and otherwise."""


def rings_of(sections: Iterable[Section], net: Network, vcs: int, escapes: bool) -> Rings:
    """The dependencies by kind, from the states of all packets. escapes: those of ESCAPE candidates alone.

    Dependencies are in the order of the channels held, then of those asked for. `unmarked` says of a channel whether a
    packet may ask for it without ENTERS at its source, or (escapes) in a channel that is no escape. Cost: the states.
    """
    slots, size = net.ports * vcs, net.neighbor.size * vcs
    met, unmarked = np.zeros((size, slots, 2), bool), np.zeros(size, bool)
    offered, otherwise, holds = np.zeros(size, bool), np.zeros(size, bool), True
    for section in sections:
        left, channel, kind, _ = section.ways.T
        asked, enters = (kind & ESCAPE != 0) | (not escapes), kind & ENTERS != 0
        offered[channel[asked]] = True
        otherwise[channel[~asked]] = True
        some = np.zeros(len(section.router), bool)
        some[left[asked]] = True
        holds &= bool(some[left].all())
        unmarked[channel[section.begins[left] & asked & ~enters]] = True
        way, then = section.pairs()
        way, then = way[asked[then]], then[asked[then]]
        met[channel[way], channel[then] % slots, enters[then].astype(np.int64)] = True
    holder, bit, entering = np.nonzero(met)
    wanted, enters, inside = first_channels(net, vcs)[holder] + bit, entering == 1, offered[holder]
    unmarked[wanted[~inside & ~enters]] = True
    marked = Marked(holder[inside], wanted[inside], enters[inside], unmarked)
    return Rings(marked, offered, holds and not (offered & otherwise).any())
