"""Congestion under multicasts and combined acknowledges, against one message each.

Used by nishi1997router and yang2001rdt.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.routes.listed import routes_from
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.routings import BoundRouting, bind
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = ["GROUPS", "NOTE", "Loads", "Ways", "compared", "group_label"]

SPEC, ROUTING = "rdt:16", "rdt.deadlock_free"
SCHEMES = ("SM", "LPRA", "LARP")
GROUPS = ((0, 4), (1, 4), (1, 8), (1, 16), (1, 32), (2, 8), (2, 32), (2, 128))
"""Top rank of the territory, and destinations drawn from it."""
SEED = 1
NOTE = f"""Each of the 256 routers of {SPEC} sends one multicast, seed {SEED}, by the scheme of {", ".join(SCHEMES)}
that crosses the fewest links. One by one the packets take the routes of {ROUTING}. Packets are counted, not clocks."""

RANKS = 8
"""Room for the rank in the number of a channel."""


class Loads(NamedTuple):
    """Packets on the channels when every router multicasts once."""

    crossings: float
    """Channels crossed by all packets together."""
    busiest: float
    """Packets on the busiest channel."""
    source: float
    """Packets of a multicast on the busiest link of its own source, the mean over the sources."""


class Ways(NamedTuple):
    """One load carried both ways."""

    singly: Loads
    together: Loads


def _numbers(sender: I64 | Sequence[int], receiver: I64 | Sequence[int], rank: I64 | Sequence[int]) -> I64:
    """Channels as numbers."""
    a, b, r = (np.asarray(of, np.int64) for of in (sender, receiver, rank))
    found: I64 = (a * _bound().network.routers + b) * RANKS + r
    return found


@cache
def _ways(source: int) -> tuple[I64, I64]:
    """Channels of the routes from one router to all, one route after the other; where each begins."""
    bound = _bound()
    net = bound.network
    found = routes_from(bound, source, np.arange(net.routers))
    there, rank = (array[found.router, found.port] for array in (net.neighbor, net.class_rank[net.link_class]))
    return _numbers(found.router, there, rank), np.searchsorted(found.of, np.arange(net.routers + 1))


def _way(source: int, to: int) -> I64:
    """Channels of the route from a router to another."""
    channels, first = _ways(source)
    return channels[first[to] : first[to + 1]]


@cache
def _bound() -> BoundRouting:
    return bind(ROUTING, build(SPEC))


def _most(channels: I64) -> int:
    """Packets on the busiest channel."""
    return int(np.unique(channels, return_counts=True)[1].max())


def _at(router: int, channels: I64) -> int:
    """Packets on the busiest channel of a router, in or out."""
    sender, receiver = np.divmod(channels // RANKS, _bound().network.routers)
    return _most(channels[(sender == router) | (receiver == router)])


def _loads(found: list[tuple[int, I64]]) -> Loads:
    """Figures of (source, the channels of its packets, as often as they cross them)."""
    every = np.concatenate([mine for _, mine in found])
    return Loads(every.size, _most(every), sum(_at(s, mine) for s, mine in found) / len(found))


@cache
def compared(rank: int, count: int) -> tuple[Ways, Ways]:
    """Messages, and acknowledges: from every router to as many of its territory, by the scheme with the fewest hops.

    Both kinds of acknowledges answer that multicast: all its receivers do. Combined they cross each of its hops once.
    """
    where, draw = territories(SPEC), random.Random(SEED)
    messages, copies, answers, combined = [], [], [], []
    for source in range(where.routers):
        to = draw.sample([r for r in where.members(source, rank).tolist() if r != source], count)
        trees = [multicast_tree(where, scheme(name), source, to) for name in SCHEMES]
        tree = min(trees, key=lambda found: len(found.hops))
        _, sender, receiver, ranks = zip(*tree.hops, strict=True)
        messages.append((source, np.concatenate([_way(source, d) for d in to])))
        answers.append((source, np.concatenate([_way(r, source) for r in tree.receivers if r != source])))
        copies.append((source, _numbers(sender, receiver, ranks)))
        combined.append((source, _numbers(receiver, sender, ranks)))
    return Ways(_loads(messages), _loads(copies)), Ways(_loads(answers), _loads(combined))


def group_label(rank: int, count: int) -> str:
    """The row of a table."""
    return f"{count} destinations in a territory of rank {rank}"
