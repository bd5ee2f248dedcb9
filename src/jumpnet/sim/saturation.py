"""Saturation by search, not by eye: the highest offered load that the sources of a network can keep up with.

Bisection on the verdict of `simulate`, which rests on how far the sources fall behind. Used by the command line, the
studies, the papers' figures, and `sim.multicast.simulate`, which asks the same of multicasts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing import BoundRouting, Routing
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.result import Result
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

__all__ = ["Saturation", "find_saturation", "search_load"]

Point = TypeVar("Point")


class Saturation(NamedTuple, Generic[Point]):
    """Answer of the search."""

    load: float
    """Highest offered load found not saturated, flits per terminal and cycle; 1.0 when nothing saturates it."""
    saturated_load: float
    """Lowest offered load found saturated; above 1.0 when there is none."""
    throughput: float
    """Largest accepted load seen."""
    points: list[Point]
    """Every point simulated, in order of load."""


def search_load(simulated: Callable[[float], Point], start: float, resolution: float) -> Saturation[Point]:
    """Double a load from `start` until a point is saturated, then halve the gap, to a relative `resolution` (0..1).

    `simulated` makes the point of a load; points say `saturated` and `accepted_load`. Raises JumpnetError for a
    resolution out of range.
    """
    if not 0.0 < resolution < 1.0:
        raise JumpnetError(f"resolution {resolution} found, between 0 and 1 expected")
    points: dict[float, Any] = {}
    low, high = 0.0, 1.0 + resolution
    load = min(max(start, 0.01), 1.0)
    while high - low > resolution * high and high > 1e-4:
        points[load] = simulated(load)
        if points[load].saturated:
            high = load
        else:
            low = load
            if low >= 1.0:
                break
        load = min(1.0, 2 * low) if high > 1.0 else (low + high) / 2
    ordered = [points[key] for key in sorted(points)]
    return Saturation(low, high, max(point.accepted_load for point in ordered), ordered)


def find_saturation(
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    name: str = "booksim",
    resolution: float = 0.02,
    threads: int | None = None,
    **settings: Any,
) -> Saturation[Result]:
    """Search the saturation load to a relative `resolution` (0..1); about ten runs.

    Other arguments as in `simulate`; `load` is where the search starts. Raises JumpnetError as `simulate` does.

    >>> found = find_saturation("torus:4", "torus.dateline", packet_flits="1", measure_cycles=2000, warmup_cycles=500)
    >>> 0.2 < found.load < found.saturated_load < 1.1
    True
    """
    net = build(network) if isinstance(network, str) else network
    base = config.replace(**settings) if config is not None else preset(name, **settings)

    def simulated(load: float) -> Result:
        return simulate(net, routing, base.replace(load=load, drain=False), threads=threads)

    return search_load(simulated, base.load, resolution)
