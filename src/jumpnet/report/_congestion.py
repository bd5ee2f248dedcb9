"""Congestion under multicasts and combined acknowledges, against one message each.

Used by nishi1997router and yang2001rdt.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.routes.listed import routes_from
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.routings import BoundRouting, bind
from jumpnet.topology import build

__all__ = ["GROUPS", "NOTE", "Loads", "Ways", "compared", "group_label"]

SPEC, ROUTING = "rdt:16", "rdt.deadlock_free"
SCHEMES = ("SM", "LPRA", "LARP")
GROUPS = ((0, 4), (1, 4), (1, 8), (1, 16), (1, 32), (2, 8), (2, 32), (2, 128))
"""Top rank of the territory, and destinations drawn from it."""
SEED = 1
NOTE = f"""Each of the 256 routers of {SPEC} sends one multicast, seed {SEED}, by the scheme of {", ".join(SCHEMES)}
that crosses the fewest links. One by one the packets take the routes of {ROUTING}. Packets are counted, not clocks."""

Channel = tuple[int, int, int]
"""Sender, receiver, rank of the link."""


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


@cache
def _ways(source: int) -> tuple[list[Channel], ...]:
    """Channels of the route from one router to each."""
    bound = _bound()
    net = bound.network
    found = routes_from(bound, source, np.arange(net.routers))
    there, rank = (array[found.router, found.port] for array in (net.neighbor, net.class_rank[net.link_class]))
    ways: tuple[list[Channel], ...] = tuple([] for _ in range(net.routers))
    for to, *channel in zip(*(part.tolist() for part in (found.of, found.router, there, rank)), strict=True):
        ways[to].append((channel[0], channel[1], channel[2]))
    return ways


@cache
def _bound() -> BoundRouting:
    return bind(ROUTING, build(SPEC))


def _at(router: int, channels: Counter[Channel]) -> int:
    """Packets on the busiest channel of a router, in or out."""
    return max(count for (a, b, _), count in channels.items() if router in (a, b))


def _loads(found: list[tuple[int, Counter[Channel]]]) -> Loads:
    """Figures of (source, its packets on each channel)."""
    every: Counter[Channel] = Counter()
    for _, mine in found:
        every.update(mine)
    return Loads(every.total(), max(every.values()), sum(_at(s, mine) for s, mine in found) / len(found))


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
        back = (_ways(r)[source] for r in tree.receivers if r != source)
        messages.append((source, Counter(chain.from_iterable(_ways(source)[d] for d in to))))
        answers.append((source, Counter(chain.from_iterable(back))))
        copies.append((source, Counter((hop.sender, hop.receiver, hop.rank) for hop in tree.hops)))
        combined.append((source, Counter((hop.receiver, hop.sender, hop.rank) for hop in tree.hops)))
    return Ways(_loads(messages), _loads(copies)), Ways(_loads(answers), _loads(combined))


def group_label(rank: int, count: int) -> str:
    """The row of a table."""
    return f"{count} destinations in a territory of rank {rank}"
