"""Changes between routings under bubble flow control: the rings of all of them, and what packets routed anew ask for.

The condition is that of `bubble`, asked of all packets before, during and after a change. It may be: a packet that is
routed anew stands whole in one buffer, and asks from then on as the later routing says; it never goes back. So when
nothing moves any more each packet asks by one routing, and rings have had room for one more packet at any time. A head
that is routed anew within a ring and asks to enter it again breaks the condition: then all may ask for room for two
where there is room for one. Called by `changeover` and `certificates.text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.conditions.bubble import Marked
from jumpnet.analysis.deadlock.walks.packet_states import Section
from jumpnet.routings.view import ENTERS, ESCAPE
from jumpnet.terms import Array

__all__ = ["Rings", "rings_of_change"]


class Rings(NamedTuple):
    """What packets of all routings hold and ask for, of all channels or of escapes alone."""

    marked: Marked
    among: Array
    """(C,) bool: the channels that it is about."""
    holds: bool
    """False where a packet has no escape, or a channel is offered as an escape and otherwise."""


def rings_of_change(sections: Iterable[Section], size: int, escapes: bool) -> Rings:
    """The dependencies by kind, between `size` channels, from the states of all packets (`Changeover.sections`).

    escapes: those of ESCAPE candidates alone.

    Cost: the states of all routings, and their dependencies sorted for each destination.
    """
    found, unmarked = np.zeros(0, np.int64), np.zeros(size, bool)
    offered, otherwise, holds = np.zeros(size, bool), np.zeros(size, bool), True
    for section in sections:
        left, channel, kind, after = section.ways.T
        asked, enters = (kind & ESCAPE != 0) | (not escapes), kind & ENTERS != 0
        offered[channel[asked]] = True
        otherwise[channel[~asked]] = True
        some = np.zeros(len(section.router), bool)
        some[left[asked]] = True
        holds &= bool(some[left].all())
        unmarked[channel[section.begins[left] & asked & ~enters]] = True
        first = np.searchsorted(left, np.arange(len(section.router) + 1))
        many = first[after + 1] - first[after]
        wanted = np.repeat(first[after] - np.cumsum(many) + many, many) + np.arange(int(many.sum()))
        pairs = 2 * (np.repeat(channel, many) * size + channel[wanted]) + enters[wanted]
        found = np.union1d(found, pairs[asked[wanted]])
    holder, rest = np.divmod(found, 2 * size)
    wanted, enters = rest // 2, rest % 2 == 1
    inside = offered[holder]
    unmarked[wanted[~inside & ~enters]] = True
    marked = Marked(holder[inside], wanted[inside], enters[inside], unmarked & offered)
    return Rings(marked, offered, holds and not (offered & otherwise).any())
