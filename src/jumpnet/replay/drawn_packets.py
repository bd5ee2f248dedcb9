"""Packets for which the start hook of a routing draws what is wanted: others are sent first, until its draws fall so.

Draws are a function of the seed, the source and the number of the packet there (`memory.starts`), so that the number is
all there is to choose. Used by `replay.deadlock`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.random import below, draw63, stream_key
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic import PacketList

__all__ = ["nearby", "with_draws"]

MOST_AHEAD = 4000
"""Packets that a source may send first."""
PAUSE = 100
"""Cycles for the last of them to arrive, besides two for each."""


def _draw(seed: int, source: int, number: int, draws: int) -> int:
    """The draw for a packet by its number at a source."""
    return int(below(draw63(stream_key(seed, 2 * source + 1), 4 * number + 2), draws))


def _ahead(seed: int, source: int, wanted: list[int], draws: int) -> int | None:
    """How many packets must go before those of a source, whose draws shall be `wanted` (-1: any); None for too many."""
    for ahead in range(MOST_AHEAD):
        if all(w < 0 or _draw(seed, source, ahead + k, draws) == w for k, w in enumerate(wanted)):
            return ahead
    return None


def nearby(net: Network) -> I64:
    """(terminals,) for each a terminal of a router beside its own, where one receives, else of another router.

    >>> from jumpnet.topology import build
    >>> nearby(build("mesh:3")).tolist(), nearby(build("clos:2,1,3")).tolist()
    ([1, 2, 1], [1, 2, 0])
    """
    here, sinks = net.terminal_router.astype(np.int64), np.flatnonzero(net.sinks > 0)
    beside = net.neighbor[here]
    beside = np.where((beside >= 0) & (beside != here[:, None]) & (net.sinks[beside] > 0), beside, -1).max(axis=1)
    other = sinks[np.searchsorted(sinks, here, side="right") % len(sinks)]
    return np.searchsorted(net.sink_router, np.where(beside >= 0, beside, other))


def with_draws(packets: PacketList, wanted: I64, draws: int, seed: int, near: I64) -> PacketList | None:
    """The same packets, later, after short ones from their sources, so that each draws what is `wanted` (-1: any).

    near: (terminals,) a terminal for the packets that each source sends first. None where too many are needed.
    """
    first: list[tuple[int, int, int, int]] = []
    for source in np.unique(packets.source).tolist():
        own = np.flatnonzero(packets.source == source)
        own = own[np.argsort(packets.cycle[own], kind="stable")]
        ahead = _ahead(seed, source, wanted[own].tolist(), draws)
        if ahead is None:
            return None
        first += [(cycle, source, int(near[source]), 1) for cycle in range(ahead)]
    table = np.array(first, np.int64).reshape(-1, 4)
    later = packets.cycle + (2 * (table[:, 0].max() + 1) + PAUSE if len(table) else 0)
    ends = (np.concatenate([table[:, k], old]).astype(np.int32) for k, old in enumerate(packets[1:], 1))
    return PacketList(np.concatenate([table[:, 0], later]), *ends)
