"""Figures of networks and of routes: by orbits, without, by neighbor functions, and by searches in plain Python."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from fractions import Fraction
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
from tests.attack.drawn import drawn_networks
from tests.attack.pairs import Seen
from tests.naive.paths import naive_lengths, naive_loads, naive_route, naive_stretch

from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.listed import routes_from
from jumpnet.analysis.routes.paths import path_figures, route
from jumpnet.analysis.routes.table import routes_between
from jumpnet.errors import JumpnetError
from jumpnet.graph import metrics as metrics_module
from jumpnet.graph.metrics import Metrics, metrics
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.topology import family
from jumpnet.traffic import bind as bind_traffic

__all__ = ["compared"]

PATTERNS = ["uniform", "uniform", "transpose", "bit_complement", "tornado", "neighbor", "hotspot:count=2", "local",
            "uniform:self=1", "random_permutation"]  # fmt: skip
NAIVE_PAIRS = 3000
MOST_DRAWS = 20_000
"""Packets of a pattern."""


def _searched(net: Network) -> list[list[int]]:
    """Distances by searches in plain Python, -1 without a path."""
    far = [[-1] * net.routers for _ in range(net.routers)]
    rows = [[r for r in row if r >= 0] for row in net.neighbor.tolist()]
    for source, row in enumerate(far):
        row[source], now, hops = 0, [source], 0
        while now:
            hops += 1
            found = {r for here in now for r in rows[here] if row[r] < 0}
            for r in found:
                row[r] = hops
            now = list(found)
    return far


def _naive(net: Network) -> dict[str, Any]:
    """Some figures from these."""
    far, n = np.array(_searched(net)), net.routers
    connected = bool((far >= 0).all())
    found: dict[str, Any] = {"connected": connected, "distance_counts": tuple(np.bincount(far[far >= 0]).tolist())}
    if connected:
        of_each = far.max(axis=1)
        found |= {"diameter": int(of_each.max()), "radius": int(of_each.min()), "average_distance_with_self":
                  Fraction(int(far.sum()), n * n), "average_distance": Fraction(int(far.sum()), max(1, n * (n - 1))),
                  "eccentricity_counts": {k: int(m) for k, m in enumerate(np.bincount(of_each)) if m}}  # fmt: skip
        ends = np.outer(net.terminals, net.sinks)
        np.fill_diagonal(ends, 0)
        if ends.any():
            found["terminal_diameter"] = int(far[ends > 0].max())
            found["average_terminal_distance"] = Fraction(int((far * ends).sum()), int(ends.sum()))
    return found


def _unlike(one: Metrics, other: Metrics) -> str:
    names = [f.name for f in fields(Metrics) if f.name not in ("searches", "spec", "family")]
    said = [f"{n}: {getattr(one, n)} and {getattr(other, n)}" for n in names if getattr(one, n) != getattr(other, n)]
    return "; ".join(said)


def _metrics(net: Network, seen: Seen) -> str:
    """How figures of a network differ."""
    found = metrics(net)
    if said := _unlike(found, metrics(drawn_networks.bare(net))):
        return f"metrics without orbits: {said}"
    for name, value in _naive(net).items():
        if getattr(found, name) != value:
            return f"metrics: {name} {getattr(found, name)} found, {value} by searches"
    member = None
    with suppress(JumpnetError):  # a drawn graph, or with faults
        member = family(net.spec)
    if member is not None and member.implicit() is not None and net.orbits is not None:
        seen["metrics by neighbor functions"] += 1
        with patch.object(metrics_module, "TABLE_LIMIT_BYTES", 0):
            if said := _unlike(metrics(member), metrics(member.build())):
                return f"metrics by neighbor function: {said}"
    return ""


def _routes(draw: Random, bound: BoundRouting, plain: BoundRouting, seen: Seen) -> str:
    """How figures of routes differ."""
    one, other = path_figures(bound, threads=1), path_figures(plain, threads=2)
    known = one.stretch_maximum or other.stretch_maximum
    if replace(one, stretch_maximum=known) != replace(other, stretch_maximum=known):
        return f"path figures: {one} by orbits, {other} without"
    net = bound.network
    ends = bool((net.terminals > 0).all() and (net.sinks > 0).all())
    if ends and net.routers**2 * bound.draws <= NAIVE_PAIRS:
        seen["path figures in plain Python"] += 1
        if {k: n for k, n in enumerate(one.counts) if n} != dict(naive_lengths(bound)):
            return f"path figures: {one.counts}, {naive_lengths(bound)} in plain Python"
        if known and known != naive_stretch(bound):  # 0 where pairs were given
            return f"stretch: {known}, {naive_stretch(bound)} in plain Python"
    return ""


def _loads(draw: Random, bound: BoundRouting, plain: BoundRouting, seen: Seen) -> str:
    traffic = draw.choice(PATTERNS)
    try:
        pattern = bind_traffic(traffic, bound.network)
    except JumpnetError:
        return ""
    if bound.network.endpoints * pattern.draws > MOST_DRAWS:
        return ""
    loads = [channel_loads(each, pattern, threads).load for each, threads in ((bound, 1), (plain, 1), (plain, 2))]
    if not all(np.allclose(load, loads[0], atol=1e-11) for load in loads):
        return f"loads of {traffic}: {loads[0].max()} by orbits, {loads[1].max()} and {loads[2].max()} without"
    if bound.draws == 1 and bound.network.endpoints * pattern.draws <= NAIVE_PAIRS:
        seen["loads in plain Python"] += 1
        if not np.allclose(loads[0], naive := naive_loads(bound, pattern), atol=1e-11):
            return f"loads of {traffic}: {loads[0].max()}, {naive.max()} in plain Python"
    return ""


def _single(draw: Random, bound: BoundRouting, seen: Seen) -> str:
    """One route in four ways."""
    net = bound.network
    ends, sinks = np.flatnonzero(net.terminals > 0).tolist(), np.flatnonzero(net.sinks > 0).tolist()
    for _ in range(6 if ends and sinks else 0):
        s, d, k = draw.choice(ends), draw.choice(sinks), draw.randrange(bound.draws)
        if s == d:
            continue
        seen["single routes"] += 1
        way = [(h.router, h.port, h.vc) for h in route(bound, s, d, k)]
        if way != naive_route(bound, s, d, k):
            return f"route {s} to {d}, draw {k}: {way}, {naive_route(bound, s, d, k)} in plain Python"
        table = routes_between(bound, s, d)
        if [int(net.neighbor[r, p]) for r, p, _ in way] not in [path for _, path in table]:
            return f"route {s} to {d}: {way} not in {table}"
        if bound.draws == 1:
            hops = routes_from(bound, s, np.array([d]))
            if list(zip(*(column.tolist() for column in hops[1:]), strict=True)) != way:
                return f"route {s} to {d}: {way}, {hops} from one router"
    return ""


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One network with a routing, and how it differs."""
    net = drawn_networks.network(draw, draw.choice([12, 40, 90]))
    case: Any = f"{net.spec} directed {net.directed} latency {net.latency is not None}"
    if how := _metrics(net, seen):
        return (case, net.neighbor.tolist()), how
    name = drawn_networks.fitting(draw, net)
    bound, plain = bind(name, net), bind(name, drawn_networks.bare(net))
    if bound.draws > 64:
        return case, ""
    seen["with a routing"] += 1
    case = f"{case} {name}"
    for look in (_routes, _loads):
        if how := look(draw, bound, plain, seen):
            return case, how
    return case, _single(draw, bound, seen)
