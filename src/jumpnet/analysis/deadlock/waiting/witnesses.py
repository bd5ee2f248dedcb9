"""Witnesses of a dependency: a packet that holds a channel and may request the next, with its path from the source.

A proof shows that some packet does; here the walks are repeated and the packet is identified. Called by `who_waits`,
and by the simulator's replay of a cycle. Twin: `tests/naive/dependency.py`, by which tests follow each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.waiting._sightings import Sighting, depths, sightings
from jumpnet.analysis.deadlock.walks.one_by_one import started
from jumpnet.analysis.deadlock.walks.packet_walk import Job, Nodes
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.routings import ESCAPE, INTERMEDIATE, STATE, BoundRouting
from jumpnet.terms import I32, I64, Array

__all__ = ["ANY", "Witness", "crowded", "extended_witnesses", "witnesses"]

WORST = 1 << 60
GOOD = (0, 1)
"""Awaited channels outside, and channels taken, of a packet that cannot be bettered."""
DRAWS_AT_ONCE = 1 << 8
"""Draws of the start hook that are tried at once for the first by which a packet begins as it does."""
ANY = -1
"""Instead of a channel wanted: whatever the packet may ask for."""


@dataclass(frozen=True)
class Witness:
    """A packet that holds a channel and waits. Channels are numbered (router * P + port) * V + vc."""

    source: int
    """Router at which it enters."""
    destination: int
    draw: int
    """Draw of the start hook that sends it this way; 0 where there is no hook."""
    busy: int
    """Queue that the start hook finds busy, -1 for none; where it finds all but one so, that one and their number."""
    path: tuple[int, ...]
    """Channels that it has taken, in order."""
    held: int
    """Place in `path` of the channel that the dependency begins with: the last but for indirect ones (Duato)."""
    wants: int
    """Channel that it may ask for next."""
    others: tuple[int, ...]
    """Other channels that it may ask for at the same time."""
    aside: tuple[int, ...] = ()
    """Channels that it might have taken instead of those of `path`."""

    @property
    def holds(self) -> int:
        """The channel that the dependency begins with."""
        return self.path[self.held]


def witnesses(
    bound: BoundRouting,
    links: Iterable[tuple[int, int]],
    inside: Array,
    progress: Progress = silent,
    stuck: bool = False,
    to: I32 | None = None,
    begun: Job | None = None,
) -> list[Witness]:
    """For each dependency (channel held, channel wanted or ANY) a packet that shows it.

    Among those packets the one that may ask for fewest channels outside `inside` (C,) bool, then the one with the
    shortest way, then the one that may ask for fewest at all. Packets of all sources are followed only where those that
    enter at the begin of a channel do not show it, or, with `stuck`, all have a way out. `to`, `begun`: the
    destinations whose packets are looked at, and where and by which draws these begin; all without. Cost: that of
    `dependencies` again at most; mostly far less.
    """
    asked = list(links)
    best: list[tuple[tuple[int, ...], Witness | None]] = [((WORST,), None)] * len(asked)
    channels = np.zeros(len(inside), bool)
    channels[[held for held, _ in asked]] = True
    open_links = list(range(len(asked)))
    for seen in sightings(bound, channels, progress, to, begun):
        looked = _look(bound, seen, inside)
        holders = np.argsort(looked.taken, kind="stable")
        for k in open_links:
            held, wanted = asked[k]
            here = holders[slice(*np.searchsorted(looked.taken, (held, held + 1), sorter=holders))]
            here = here[_asks(looked, here, wanted)]
            if not here.size:
                continue
            first = here[np.lexsort((looked.awaited[here], looked.length[here], looked.outside[here]))[0]]
            figures = tuple(int(column[first]) for column in (looked.outside, looked.length, looked.awaited))
            if figures < best[k][0]:
                best[k] = figures, _witness(bound, seen, int(first), wanted)
        enough = GOOD if seen.near else (0 if stuck else WORST - 1,)
        open_links = [k for k in open_links if best[k][0][: len(enough)] > enough]
        if not open_links:
            break
    return [_there(found, link, bound) for (_, found), link in zip(best, asked, strict=True)]


def _there(found: Witness | None, link: tuple[int, int], bound: BoundRouting) -> Witness:
    """What was found; a dependency that no packet shows would be an error of ours."""
    assert found is not None, f"no packet of {bound.name} shows {link}"
    return found


def extended_witnesses(
    bound: BoundRouting, links: Iterable[tuple[int, int]], progress: Progress = silent
) -> list[Witness]:
    """As `witnesses` for dependencies between escape channels (`duato`): NORMAL candidates may lie between."""
    asked = list(links)
    best: list[Witness | None] = [None] * len(asked)
    channels = np.zeros(bound.network.routers * bound.network.ports * bound.vcs, bool)
    channels[[held for held, _ in asked]] = True
    for seen in sightings(bound, channels, progress):
        taken = seen.nodes.edge[seen.edge, 0]
        for k, (held, wanted) in enumerate(asked):
            for place in np.flatnonzero(taken == held).tolist() if best[k] is None else ():
                between = _normal_way(seen.nodes, int(seen.nodes.edge[seen.edge[place], 3]), wanted)
                if between is not None:
                    best[k] = _witness(bound, seen, place, wanted, between)
                    break
        if None not in best:
            break
    return [_there(found, link, bound) for found, link in zip(best, asked, strict=True)]


def _normal_way(nodes: Nodes, begin: int, wanted: int) -> list[int] | None:
    """Edges of a shortest way over NORMAL candidates to where a packet may ask for an escape channel; None without."""
    came: dict[int, tuple[int, int]] = {begin: (-1, -1)}
    todo = [begin]
    for n in todo:
        edges = range(int(nodes.first[n]), int(nodes.first[n + 1]))
        if any(nodes.edge[e, 0] == wanted and nodes.edge[e, 2] & ESCAPE for e in edges):
            way: list[int] = []
            while came[n][0] >= 0:
                n, e = came[n]
                way.insert(0, e)
            return way
        for e in edges:
            child = int(nodes.edge[e, 3])
            if not nodes.edge[e, 2] & ESCAPE and child not in came:
                came[child] = n, e
                todo.append(child)
    return None


class _Look(NamedTuple):
    """What packets of one sighting hold and wait for, (k,) each."""

    taken: I64
    """The channel that it holds."""
    base: I64
    """First channel of the router where it asks next."""
    bits: Array
    """(k, P * V) whether it may ask there for each channel of the router."""
    outside: I64
    """Channels outside of those looked at that it may ask for."""
    awaited: I64
    """Channels in all that it may ask for; 0 of a packet that has arrived."""
    length: I64
    """Channels that it has taken."""


def _look(bound: BoundRouting, seen: Sighting, inside: Array) -> _Look:
    """What the packets of a sighting hold and wait for; inside (C,) bool: channels among which they should."""
    wide, nodes = bound.network.ports * bound.vcs, seen.nodes
    child = nodes.edge[seen.edge, 3]
    words = np.ascontiguousarray(nodes.mask[child]).astype("<u8").view(np.uint8)
    bits = np.unpackbits(words, axis=1, bitorder="little")[:, :wide].astype(bool)
    base = nodes.key[child, 3] * wide
    within = inside[base[:, None] + np.arange(wide)]
    length = depths(nodes.parent[: seen.filled])[seen.node] + 1
    outside = (bits & ~within).sum(axis=1)
    return _Look(nodes.edge[seen.edge, 0], base, bits, outside, bits.sum(axis=1), length)


def _asks(looked: _Look, here: I64, wanted: int) -> Array:
    """(n,) whether each of some packets (n,) may ask for a channel next, or waits at all."""
    if wanted == ANY:
        return looked.awaited[here] > 0
    own = wanted - looked.base[here]
    there = (own >= 0) & (own < looked.bits.shape[1])
    return there & looked.bits[here, np.where(there, own, 0)]


def _witness(bound: BoundRouting, seen: Sighting, k: int, wanted: int, between: list[int] | None = None) -> Witness:
    """The packet of one sighting, by the way that the walk found first; `between`: edges that it goes on by."""
    nodes, edges = seen.nodes, [int(seen.edge[k])]
    n = int(seen.node[k])
    while (above := int(nodes.parent[n])) >= 0:
        here = range(int(nodes.first[above]), int(nodes.first[above + 1]))
        edges.insert(0, next(e for e in here if nodes.edge[e, 3] == n))
        n = above
    source, state, inter = int(nodes.key[n, 3]), int(nodes.key[n, 1]), int(nodes.key[n, 2])
    draw, busy = _begun(bound, source, seen.destination, state, inter)
    last = len(edges) - 1
    edges += between or []
    node = int(nodes.edge[edges[-1], 3])
    asked = [int(c) for c in nodes.edge[nodes.first[node] : nodes.first[node + 1], 0]]
    wanted = asked[0] if wanted == ANY else wanted
    others = tuple(dict.fromkeys(c for c in asked if c != wanted))
    path = tuple(int(nodes.edge[e, 0]) for e in edges)
    owners = np.searchsorted(nodes.first[: seen.filled + 1], edges, side="right") - 1
    offered = [int(c) for n in owners for c in nodes.edge[nodes.first[n] : nodes.first[n + 1], 0]]
    aside = tuple(dict.fromkeys(c for c in offered if c not in path))
    return Witness(source, seen.destination, draw, busy, path, last, wanted, others, aside)


def _begun(bound: BoundRouting, source: int, destination: int, state: int, inter: int) -> tuple[int, int]:
    """The first draw, and the queue that is busy or -1, with which a packet begins in a state."""
    draws, queues = int(bound.draws), job_of(bound).queues
    if draws * queues == 1:
        return 0, -1
    for first in range(0, draws, DRAWS_AT_ONCE):
        draw, busy = np.divmod(np.arange(first * queues, min(first + DRAWS_AT_ONCE, draws) * queues), queues)
        ends = np.broadcast_to([source, destination], (len(draw), 2))
        heads = started(bound, np.column_stack([ends, draw, busy - 1]))
        alike = np.flatnonzero((heads[:, STATE] == state) & (heads[:, INTERMEDIATE] == inter))
        if len(alike):
            return int(draw[alike[0]]), int(busy[alike[0]]) - 1
    raise AssertionError(f"no draw of {bound.name} begins with state {state}")


def crowded(busy: int, queues: int) -> I64:
    """(queues,) as `packet_walk.begin` has them: none is long, then each alone, then all but each."""
    queue = np.full(queues, 1 << 20 if busy > queues else 0, np.int64)
    if busy > 0:
        queue[(busy - 1) % queues] = 0 if busy > queues else 1 << 20
    return queue
