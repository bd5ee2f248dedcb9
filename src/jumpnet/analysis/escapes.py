"""Duato's condition without its graph: numbers of the escape channels, held against every packet state.

Source: Duato 1993, as in `duato`, which builds the extended dependency graph and so needs room and time for sets of
channels. A proof only needs numbers that ascend along it. Called by `prove` for large networks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.analysis._dependency import unpack
from jumpnet.analysis._direct_search import FINE, WITHOUT
from jumpnet.analysis.cycles import order_or_cycle
from jumpnet.analysis.dependency import Dependencies
from jumpnet.analysis.search import search
from jumpnet.analysis.uniform import Progress, silent
from jumpnet.analysis.walks import job_of
from jumpnet.terms import I64

__all__ = ["Numbered", "is_large", "numbered_escapes"]

MANY_STEPS = 1 << 24
"""States times words of escape channels from which on numbers are tried before sets of channels (a second)."""
MOST_ROUNDS = 16
"""Rounds in which numbers may be raised."""


def is_large(made: Dependencies) -> bool:
    """Whether the extended dependency graph would take seconds."""
    return made.states * (int(made.escape.sum()) + 63) // 64 > MANY_STEPS


@dataclass(frozen=True, eq=False)
class Numbered:
    """Numbers of the escape channels that ascend along every way from one to another, in every packet state."""

    number: I64 | None
    """(C,) -1 but for escape channels; None where some packet finds no escape."""
    without_escape: tuple[int, int] | None
    """(router, destination) of that packet."""


def numbered_escapes(made: Dependencies, threads: int | None = None, progress: Progress = silent) -> Numbered | None:
    """Numbers that prove Duato's condition, or a packet without escape.

    They begin as the order of the dependencies between escape channels that follow each other at once. In each state
    there is a greatest number among the escape channels from which a packet may have come over NORMAL candidates, and
    the ESCAPE candidates are raised above it, until a round raises none. None where the numbers do not settle in
    MOST_ROUNDS, which says nothing about the condition, or where packets may come back to a state. Cost: a round takes
    about twice what `dependencies` takes.
    """
    number = order_or_cycle(*_among_escapes(made)).number
    if number is None:
        return None
    number[made.escape == 0] = -1
    for _ in range(MOST_ROUNDS):
        found = search(made.bound, job_of(made.bound), number, threads, progress)
        if found.what == WITHOUT:
            return Numbered(None, (found.router, found.destination))
        if found.what != FINE:
            return None
        if found.raised == 0:
            return Numbered(number, None)
    return None


def _among_escapes(made: Dependencies) -> tuple[I64, I64]:
    """The dependencies between escape channels that follow each other at once, in compressed rows."""
    net, slots = made.bound.network, made.bound.network.ports * made.bound.vcs
    place = np.arange(slots, dtype=np.uint64)
    mask = np.zeros((net.routers, made.bits.shape[1]), np.uint64)
    for s in range(slots):
        mask[:, s >> 6] |= made.escape.reshape(-1, slots)[:, s].astype(np.uint64) << (place[s] & np.uint64(63))
    bits = np.where(made.escape[:, None] != 0, made.bits & mask[made.base // slots], np.uint64(0))
    return unpack(bits, made.base)
