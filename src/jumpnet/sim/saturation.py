"""Saturation by search, not by eye: the highest offered load that the sources of a network can keep up with.

Bisection on the verdict of `simulate`, which rests on how far the sources fall behind. Used by the command line, the
studies and the papers' figures.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing import BoundRouting, Routing
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.result import Result
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

__all__ = ["Saturation", "find_saturation"]


class Saturation(NamedTuple):
    """Answer of the search."""

    load: float
    """Highest offered load found not saturated, flits per terminal and cycle; 1.0 when nothing saturates it."""
    saturated_load: float
    """Lowest offered load found saturated; above 1.0 when there is none."""
    throughput: float
    """Largest accepted load seen."""
    points: list[Result]
    """Every point simulated, in order of load."""


def find_saturation(
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    name: str = "booksim",
    resolution: float = 0.02,
    threads: int | None = None,
    **settings: Any,
) -> Saturation:
    """Search the saturation load to a relative `resolution` (0..1); about ten runs.

    Other arguments as in `simulate`; `load` is where the search starts. Raises JumpnetError as `simulate` does.

    >>> found = find_saturation("torus:4", "torus.dateline", packet_flits="1", measure_cycles=2000, warmup_cycles=500)
    >>> 0.2 < found.load < found.saturated_load < 1.1
    True
    """
    if not 0.0 < resolution < 1.0:
        raise JumpnetError(f"resolution {resolution} found, between 0 and 1 expected")
    net = build(network) if isinstance(network, str) else network
    base = config.replace(**settings) if config is not None else preset(name, **settings)
    points: dict[float, Result] = {}

    def saturates(load: float) -> bool:
        points[load] = simulate(net, routing, base.replace(load=load, drain=False), threads=threads)
        return bool(points[load].saturated)

    low, high = 0.0, 1.0 + resolution
    load = min(max(base.load, 0.01), 1.0)
    while high - low > resolution * high and high > 1e-4:
        if saturates(load):
            high = load
        else:
            low = load
            if low >= 1.0:
                break
        load = min(1.0, 2 * low) if high > 1.0 else (low + high) / 2
    ordered = [points[key] for key in sorted(points)]
    return Saturation(low, high, max(point.accepted_load for point in ordered), ordered)
