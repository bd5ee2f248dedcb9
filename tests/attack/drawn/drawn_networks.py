"""Small networks drawn at random: members of families, with other terminals, faults or latencies, and drawn graphs.

Used by the kinds of `pairs`.
"""

from __future__ import annotations

import dataclasses
from random import Random

import numpy as np
from tests.attack.drawn.engine_draws import spec_of

from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.graph.exchange import from_edges
from jumpnet.networks import Network
from jumpnet.routings import routings
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

__all__ = ["bare", "family_member", "fitting", "network"]


def family_member(draw: Random, most: int) -> Network:
    """A member with at most so many routers."""
    while True:
        try:
            net = build(spec_of(draw, most))
        except JumpnetError:
            continue
        if 2 <= net.routers <= most and net.endpoints > 1:
            return net


def _graph(draw: Random, most: int) -> Network:
    """A drawn graph: directed or not, perhaps with parallel links, perhaps in parts."""
    n, directed = draw.randint(2, most), draw.random() < 0.4
    order = draw.sample(range(n), n)
    edges = [(order[k], order[(k + 1) % n]) for k in range(n if directed or draw.random() < 0.5 else n - 1)]
    edges += [tuple(draw.sample(range(n), 2)) for _ in range(draw.randint(0, 2 * n))]
    if draw.random() < 0.1:
        edges = edges[: draw.randint(1, len(edges))]
    return from_edges(edges, directed=directed)


def network(draw: Random, most: int) -> Network:
    """Any of these."""
    net = _graph(draw, most) if draw.random() < 0.25 else family_member(draw, most)
    if draw.random() < 0.25:
        links = np.argwhere(net.neighbor != NO_ROUTER).tolist()
        cut = [tuple(draw.choice(links)) for _ in range(draw.randint(0, 2))]
        net = degraded(net, draw.sample(range(net.routers), min(net.routers - 1, draw.randint(0, 2))), cut)
    if draw.random() < 0.15:
        rng = np.random.default_rng(draw.randrange(1 << 30))
        cycles = rng.integers(1, 6, net.neighbor.shape)
        there = net.neighbor != NO_ROUTER
        net = dataclasses.replace(net, latency=np.where(there, cycles, 0).astype(np.int32))
    if draw.random() < 0.1:
        rng = np.random.default_rng(draw.randrange(1 << 30))
        ends = rng.integers(0, 3, net.routers).astype(np.int32)
        net = dataclasses.replace(net, terminals=ends, sinks=ends, orbits=None)
    return net


def bare(net: Network) -> Network:
    """The same network of which no symmetry is known."""
    return dataclasses.replace(net, orbits=None)


def fitting(draw: Random, net: Network) -> str:
    """A routing that fits, of the family more often than not; with another option now and then."""
    names = [name for name, each in routings().items() if each.misfit(net) is None and not name.startswith("test.")]
    own = [name for name in names if "." in name]
    if not names:
        raise JumpnetError("no routing")
    return draw.choice(own if own and draw.random() < 0.7 else names)
