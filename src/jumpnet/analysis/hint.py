"""What else a network that saturates could be routed by, from exact channel loads: nothing is simulated.

No routing carries more than 1 / its largest channel load. The hint names the routing with the least largest load of
those that fit the network, give each packet one port a hop whatever the queues are, and are proved free of deadlock.
It gives a bound, not a forecast: virtual channels and buffers decide how near a run comes to it. Silent where the loads
say nothing (choices on the way) or would take long. Called by `sim.result`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.loads import ChannelLoads, channel_loads
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import MOST_VCS, BoundRouting, Routing, bind, routings
from jumpnet.routings.reads import fields_read
from jumpnet.traffic import BoundPattern
from jumpnet.traffic import bind as bind_traffic

__all__ = ["hint_for", "least_load", "others"]

MOST_ROUTERS = 256
"""Larger networks get no hint: the proofs would take longer than many a run."""
MOST_ROUTES = 1 << 22
"""Routes of one routing that are followed, some 60 ns a hop."""
MOST_ASKED = 1 << 16
"""Destinations that are drawn from a traffic pattern, but for uniform traffic, which is known."""
WORTH = 0.8
"""A hint is given for a largest load of at most this part of the one there is."""
ROUNDING = 1e-9
"""Part by which sums of loads may differ."""
MORE_OPTIONS = ("lash:paths=balanced",)
"""Tried beside every routing with its default options."""


def _routes(bound: BoundRouting, pattern: BoundPattern) -> int:
    """Routes that `channel_loads` follows, or more."""
    net = bound.network
    uniform = pattern.pattern.name == "uniform"
    alike = uniform and net.orbits is not None and bound.symmetric and bool((net.terminals == 1).all())
    sources = len(net.orbits.representative) if alike and net.orbits is not None else net.endpoints
    return sources * (net.routers if uniform else min(pattern.draws, net.routers)) * bound.draws


def _loads(bound: BoundRouting, pattern: BoundPattern) -> ChannelLoads | None:
    """Loads that hold whatever the queues are, as far as the start goes; None without, and where it would take long."""
    looks = bound.routing.start is not None and bool(fields_read(bound.routing.start, 3))
    if looks or _routes(bound, pattern) > MOST_ROUTES:
        return None
    return channel_loads(bound, pattern)


def least_load(net: Network, pattern: BoundPattern) -> float:
    """What the largest channel load of no routing is below: what must cross a cut, spread over all its channels.

    Cuts are all between two values of a coordinate, both ways. 0 for other traffic than uniform.

    >>> from jumpnet.topology import build
    >>> net = build("mesh:8x8")
    >>> round(least_load(net, bind_traffic("uniform", net)), 2)
    2.03
    """
    if pattern.pattern.name != "uniform":
        return 0.0
    least, (here, _, there) = 0.0, net.channel_ends
    for place in net.coord.T:
        for value in sorted(set(place.tolist()))[:-1]:
            for side in (place <= value, place > value):
                crossing = net.terminals[side].sum() * net.sinks[~side].sum() / pattern.draws
                channels = np.count_nonzero(side[here] & ~side[there])
                least = max(least, crossing / channels if channels else 0.0)
    return float(least)


def others(net: Network, runs: Callable[[Routing], bool]) -> Iterator[BoundRouting]:
    """The shipped routings that fit a network and `runs` takes, with the virtual channels that they need."""
    shipped = [name for name, one in routings().items() if (one.relation.__module__ or "").startswith("jumpnet.")]
    for name in (*shipped, *MORE_OPTIONS):
        try:
            bound = bind(name, net)
        except JumpnetError:
            continue
        if bound.vcs <= MOST_VCS and runs(bound.routing):
            yield bound


def _better(pattern: BoundPattern, runs: Callable[[Routing], bool], limit: float) -> ChannelLoads | None:
    """The least loads below a limit of a routing that leaves no choices and is proved free of deadlock."""
    found: list[tuple[float, int, BoundRouting, ChannelLoads]] = []
    for bound in others(pattern.network, runs):
        try:
            loads = _loads(bound, pattern)
        except JumpnetError:  # a route that does not arrive
            continue
        if loads is not None and loads.maximum <= limit:
            found.append((loads.maximum, bound.vcs, bound, loads))
    for _, _, bound, loads in sorted(found, key=lambda one: one[:2]):
        proof = prove(bound)
        if proof.deadlock_free and not proof.adaptive:
            return loads
    return None


def hint_for(bound: BoundRouting, traffic: str, offered: float, runs: Callable[[Routing], bool]) -> str | None:
    """One sentence on a routing that may carry more than `bound` under the same traffic, or None.

    offered: the load that was too much, flits per terminal and cycle; what could not carry it either is not named.
    runs: whether a routing can run under the other settings.

    >>> from jumpnet.topology import build
    >>> hint_for(bind("up_down", build("random:20,d=4,seed=1")), "uniform", 0.4, lambda routing: True)[:61]
    'lash:paths=balanced has a largest channel load of 0.89 agains'
    """
    net = bound.network
    if net.routers > MOST_ROUTERS:
        return None
    pattern = bind_traffic(traffic, net)
    if pattern.pattern.name != "uniform" and net.endpoints * pattern.draws > MOST_ASKED:
        return None
    try:
        mine = _loads(bound, pattern)
        if mine is None:
            return None
        limit = min(WORTH * mine.maximum, 1.0 / offered)
        if least_load(net, pattern) > limit * (1 + ROUNDING) or prove(bound).adaptive:
            return None
    except JumpnetError:
        return None
    other = _better(pattern, runs, limit)
    if other is None:
        return None
    vcs = bind(other.routing, net).vcs
    most = min(1.0, mine.ideal_throughput), min(1.0, other.ideal_throughput)
    bound_by = f": it may carry up to {most[1]:.2f} instead of {most[0]:.2f}" if most[0] < most[1] else ""
    return (
        f"{other.routing} has a largest channel load of {other.maximum:.2f} against {mine.maximum:.2f} of {bound.name}"
        f"{bound_by} (try --routing {other.routing}, {vcs} virtual channel{'s' * (vcs > 1)})"
    )
