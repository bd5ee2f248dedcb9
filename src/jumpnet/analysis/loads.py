"""Exact load of every channel under a traffic pattern, ideal throughput, and load by rank or level.

Loads are in flits a cycle on a channel when every terminal offers one flit a cycle: sums over all sources, draws of
the pattern and draws of the start hook (Dally and Towles section 3.2). First candidates only, so an adaptive routing is
taken without its choices. Called by the report and studies; kernels in `routes.follow`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.orbits.labels import orbit_labels
from jumpnet.analysis.routes.follow import load_of
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.process.threads import processors, share
from jumpnet.routings import BoundRouting
from jumpnet.routings.follow import calls_of
from jumpnet.terms import F64, I64
from jumpnet.traffic import BoundPattern

__all__ = ["ChannelLoads", "channel_loads"]

CHUNK = 1 << 18


@dataclass(frozen=True, eq=False)
class ChannelLoads:
    """Channel loads of a routing under a pattern; see the module for the unit."""

    network: Network
    routing: str
    pattern: str
    load: F64
    """(R, P) load of each channel, all its virtual channels together; 0 without a link."""

    @property
    def maximum(self) -> float:
        """Load of the busiest channel."""
        return float(self.load.max(initial=0.0))

    @property
    def ideal_throughput(self) -> float:
        """Offered load, in flits a cycle a terminal, at which the busiest channel is full."""
        return 1.0 / self.maximum if self.maximum else float("inf")

    @property
    def by_rank(self) -> dict[int, tuple[int, float, float]]:
        """For each rank, level or dimension: its number of channels, and their mean and largest load."""
        net, found = self.network, {}
        real = net.link_class >= 0
        rank = np.where(real, net.class_rank[np.where(real, net.link_class, 0)], -1)
        for r in np.unique(rank[real]).tolist():
            loads = self.load[rank == r]
            found[r] = (int(loads.size), float(loads.mean()), float(loads.max()))
        return found


def _pairs(bound: BoundRouting, pattern: BoundPattern, terminals: I64) -> tuple[I64, I64, I64]:
    """(sources, destinations, weights) of the routers that terminals send between, one row for each different pair."""
    net = bound.network
    at, to = net.terminal_router.astype(np.int64), net.sink_router.astype(np.int64)
    rows = []
    for t in terminals.tolist():
        sent = [d for d in (pattern(t, k) for k in range(pattern.draws)) if d >= 0]
        if max(sent, default=0) >= len(to):
            found = f"{pattern.pattern.name} on {net.spec}: destination {max(sent)} found"
            raise JumpnetError(f"{found}, one of the {len(to)} terminals that receive expected")
        routers, count = np.unique(to[np.array(sent, np.int64)], return_counts=True)
        rows.append((np.full(len(routers), at[t]), routers, count))
    return tuple(np.concatenate(part).astype(np.int64) for part in zip(*rows, strict=True))  # type: ignore[return-value]


def _uniform_pairs(bound: BoundRouting, terminals: I64) -> tuple[I64, I64, I64]:
    """As `_pairs` for uniform traffic (every other terminal), without asking the pattern for every draw.

    A terminal's own number is left out, which may receive at another router (`fly`).
    """
    net = bound.network
    at, to, sinks = (numbers.astype(np.int64) for numbers in (net.terminal_router, net.sink_router, net.sinks))
    routers = np.flatnonzero(sinks > 0)
    source = np.repeat(at[terminals], len(routers))
    destination = np.tile(routers, len(terminals))
    weight = sinks[destination] - (np.repeat(to[terminals], len(routers)) == destination)
    keep = weight > 0
    return source[keep], destination[keep], weight[keep]


@public
def channel_loads(bound: BoundRouting, pattern: BoundPattern, threads: int | None = None) -> ChannelLoads:
    """The load of every channel of a routing under a pattern on the same network.

    Where traffic is uniform and the routing symmetric, one source per orbit is followed and spread over the orbit.
    Raises JumpnetError when a route does not arrive. Cost: routes times hops times about 60 ns.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> from jumpnet.traffic import bind as pattern
    >>> net = build("torus:4x4")
    >>> round(channel_loads(bind("torus.dateline", net), pattern("uniform", net)).maximum, 4)
    0.8
    """
    net = bound.network
    if pattern.network.spec != net.spec:
        raise JumpnetError(f"a pattern on {pattern.network.spec} found, one on {net.spec} expected")
    uniform = pattern.pattern.name == "uniform" and pattern.options.get("self") == 0
    uniform = uniform and net.endpoints == len(net.sink_router)
    terminals = np.arange(net.endpoints, dtype=np.int64)
    label = None
    if uniform and bound.symmetric and bool((net.terminals == 1).all()) and net.orbits is not None:
        label = orbit_labels(net)
    if label is not None:
        terminals = np.unique(label)
    per = max(1, CHUNK // max(1, net.routers if uniform else pattern.draws))
    parts = [terminals[k : k + per] for k in range(0, len(terminals), per)]
    limit, calls = 4 * net.routers + 64, calls_of(bound)
    sizes = np.bincount(label, minlength=net.routers) if label is not None else np.ones(net.routers, np.int64)

    def work(part: I64) -> tuple[F64, I64]:
        """(R, P) loads by some pairs, and the pair that fails, if one does."""
        load, failed = np.zeros((net.routers, net.ports, bound.vcs)), np.zeros(4, np.int64)
        source, destination, weight = _uniform_pairs(bound, part) if uniform else _pairs(bound, pattern, part)
        load_of(calls, bound.draws, source, destination, weight * sizes[source], min(limit, 65536), load, failed)
        return load.sum(axis=2), failed

    total, workers = np.zeros((net.routers, net.ports)), processors(len(parts), threads)
    for first in range(0, len(parts), workers):
        for load, failed in share(work, parts[first : first + workers], workers):
            if failed[0] < 0:
                pair = f"from router {failed[1]} to {failed[2]}"
                raise JumpnetError(f"routing {bound.name} on {net.spec} does not deliver {pair}")
            total += load
    if label is not None:
        spread = np.zeros_like(total)
        np.add.at(spread, label, total)
        total = (spread / np.maximum(1, sizes)[:, None])[label]
    return ChannelLoads(net, bound.name, pattern.pattern.name, total / (pattern.draws * bound.draws))
