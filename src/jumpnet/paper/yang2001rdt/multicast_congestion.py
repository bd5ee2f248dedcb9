"""Section V.C of the RDT paper: congestion under multicasts and combined acknowledges, against one message each."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import NamedTuple

from jumpnet.analysis.paths import route
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.routing import BoundRouting, bind
from jumpnet.topology import build

TITLE = "Multicasts and combined acknowledges against one message each"
ORDER = 94

KEY = "yang2001rdt"
SPEC, ROUTING = "rdt:16", "rdt.deadlock_free"
SCHEMES = ("SM", "LPRA", "LARP")
GROUPS = ((0, 4), (1, 4), (1, 8), (1, 16), (1, 32), (2, 8), (2, 32), (2, 128))
"""Top rank of the territory, and destinations drawn from it."""
SEED = 1
DRASTIC = 0.5
"""What is left of the congestion where we call it drastically reduced; the paper gives no measure."""

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
def _way(source: int, destination: int) -> tuple[Channel, ...]:
    """Channels of the route from one router to another."""
    bound = _bound()
    net, hops = bound.network, route(bound, source, destination)
    rank = net.class_rank[[net.link_class[hop.router, hop.port] for hop in hops]].tolist()
    return tuple((h.router, int(net.neighbor[h.router, h.port]), r) for h, r in zip(hops, rank, strict=True))


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
        messages.append((source, Counter(channel for d in to for channel in _way(source, d))))
        answers.append((source, Counter(channel for r in tree.receivers if r != source for channel in _way(r, source))))
        copies.append((source, Counter((hop.sender, hop.receiver, hop.rank) for hop in tree.hops)))
        combined.append((source, Counter((hop.receiver, hop.sender, hop.rank) for hop in tree.hops)))
    return Ways(_loads(messages), _loads(copies)), Ways(_loads(answers), _loads(combined))


def _answer(singly: float, together: float) -> str:
    if together <= DRASTIC * singly:
        return "drastically"
    return "somewhat" if together < singly else "not"


def _cells(golden: Golden, claim: str, ways: Ways) -> list[Cell | None]:
    """One verdict for each reading of congestion."""
    return [
        claimed(golden, claim, _answer(one, tree), reading=f"congestion_measured:{name}",
                detail=f"{one:.10g} one by one, {tree:.10g} by the tree")
        for name, one, tree in zip(Loads._fields, *ways, strict=True)
    ]  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """The same destinations reached one by one and by one multicast."""
    tables: dict[str, list[tuple[str, list[Cell | None]]]] = {"multicast_reduces": [], "combining_reduces": []}
    for done, (rank, count) in enumerate(GROUPS):
        progress(done, len(GROUPS))
        for claim, ways in zip(tables, compared(rank, count), strict=True):
            label = f"{count} destinations in a territory of rank {rank}"
            tables[claim].append((label, _cells(golden, claim, ways)))
    titles = (
        "Messages: a multicast against one by one",
        "Acknowledges of the multicast's receivers: combined against one by one",
    )
    source, columns = f"{KEY}, section V.C; {SPEC}", ("channels crossed", "busiest channel", "link of the source")
    made = [Table(t, source, columns, rows, NOTE) for t, rows in zip(titles, tables.values(), strict=True)]
    return Section(TITLE, TEXT, made)


NOTE = f"""Each of the 256 routers sends one multicast, seed {SEED}, by the scheme of {", ".join(SCHEMES)} that crosses
the fewest links. One by one the packets take the routes of {ROUTING}. `drastically`: {DRASTIC:.0%} or less is left, a
measure of ours; `somewhat`: less; `not`: as much or more. Packets are counted, not clocks."""
TEXT = """The paper says that multicasts by the bit-map schemes and combined acknowledges reduce the congestion of the
network drastically. It points to another paper for how this was measured, so three measures stand side by side.

At its own source a multicast saves most: about one copy leaves in place of a message to each destination. Elsewhere it
depends on the destinations. A reduced map names more routers than were asked for, and unless a good part of the
territory is meant, their copies cross more links than single messages to the destinations would. Combining the answers
of all those receivers is a saving by every measure; an acknowledge then crosses each link of the tree once."""
