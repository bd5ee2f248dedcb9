"""Saturation by search, not by eye: the highest offered load that the sources of a network can keep up with.

Bisection on the verdict of `simulate`, which rests on how far the sources fall behind. Used by the command line, the
studies, the papers' figures, and `sim.multicast.simulate`, which asks the same of multicasts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Generic, TypeVar

from jumpnet.api.public import public
from jumpnet.api.shown import Shown, ShownCurves, columns
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config.sim_config import SimConfig, changed
from jumpnet.sim.config.unknown import refuse_unknown
from jumpnet.sim.resolve.by_routing import bound_with
from jumpnet.sim.result.figures import COLUMNS
from jumpnet.sim.result.point import Point as SimulatedPoint
from jumpnet.sim.result.point import hint_of
from jumpnet.sim.result.point_cache import point_key, recall, remember
from jumpnet.sim.simulate import simulate
from jumpnet.topology import as_network

__all__ = ["Saturation", "find_saturation", "search_load"]

Point = TypeVar("Point", bound=Shown)


@dataclass(frozen=True, eq=False)
class Saturation(ShownCurves, Generic[Point]):
    """Answer of the search."""

    load: float
    """Highest offered load found not saturated, flits per terminal and cycle; 1.0 when nothing saturates it."""
    saturated_load: float
    """Lowest offered load found saturated; above 1.0 when there is none."""
    throughput: float
    """Largest accepted load seen."""
    points: list[Point]
    """Every point simulated, in order of load."""
    find_hint: Callable[[], str | None] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """One line: the answer, and how many points it took."""
        held = f"load {self.load:.4g} held, {self.saturated_load:.4g} saturated"
        return f"Saturation({held}, throughput {self.throughput:.4g}, {counted(len(self.points), 'point')})"

    @columns(COLUMNS)
    def rows(self) -> list[dict[str, Any]]:
        """Every point simulated, in order of load, keys as in `jumpnet results`."""
        return [row for point in self.points for row in point.rows()]

    def networks(self) -> dict[str, Any]:
        """Those of the points that were simulated, not remembered."""
        bound = (getattr(point, "bound", None) for point in self.points)
        return {routing.network.spec: routing.network for routing in bound if routing is not None}

    @property
    def hint(self) -> str | None:
        """A routing that may carry more, by exact channel loads; None where they name none, or nothing saturates."""
        return self.find_hint() if self.find_hint is not None and self.saturated_load <= 1.0 else None


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


@public
def find_saturation(
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    name: str = "booksim",
    resolution: float = 0.02,
    threads: int | None = None,
    memory: Path | None = None,
    progress: Callable[[int, float], None] | None = None,
    **settings: Any,
) -> Saturation[SimulatedPoint]:
    """Search the saturation load to a relative `resolution` (0..1); about ten runs.

    memory: a folder that keeps the points' figures, so that the same search simulates none of them again
    (`point_cache`; points from there have no histograms). progress(points so far, load) is called before each point.
    Other arguments as in `simulate`; `load` (flits per terminal and cycle, as all loads here) is where the search
    starts. Raises JumpnetError as `simulate` does.

    >>> found = find_saturation("torus:4", "torus.dateline", packet_flits="1", measure_cycles=2000, warmup_cycles=500)
    >>> 0.2 < found.load < found.saturated_load < 1.1
    True
    """
    net = as_network(network)
    beside = ("routing", "config", "name", "resolution", "threads", "memory", "progress")
    refuse_unknown(settings, SimConfig.model_fields, beside)
    base = changed(config, name, settings)
    base.refuse(("load_steps",), "where the load is searched")

    done = count()

    def simulated(load: float) -> SimulatedPoint:
        if progress is not None:
            progress(next(done), load)
        point = base.replace(load=load, drain=False)
        key = point_key(net, routing, point) if memory is not None else None
        found = recall(memory, key) if memory is not None and key else None
        if found is None:
            found = simulate(net, routing, point, threads=threads)
            if memory is not None and key:
                remember(memory, key, found)
        return found

    found = search_load(simulated, base.load, resolution)
    return replace(found, find_hint=partial(_hint, net, routing, base, found.saturated_load))


def _hint(net: Network, routing: str | Routing | BoundRouting | None, base: SimConfig, load: float) -> str | None:
    return hint_of(bound_with(routing, net, base.vcs, base.least_vcs), base, load)
