"""The curves of Figures 9, 10 and 11: the networks, their runs by simulation, and how the results are kept.

Source: yang2001rdt, section IV.B and Table IV (preset `yang2001`). A curve climbs the loads until its network is
saturated. Latency is the paper's network latency, from the head's entry to the tail's arrival. Used by `_evaluation`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.report._section import Progress
from jumpnet.sim.simulate import simulate
from jumpnet.terms import F64
from jumpnet.topology import build

__all__ = [
    "ADAPTIVE", "ALL", "LANES", "NETWORKS", "RDT", "READINGS", "Contestant", "Curve", "Plan", "Point", "curves",
    "from_kept", "rank_loads", "to_keep",
]  # fmt: skip


class Contestant(NamedTuple):
    """A network with its routing, as one curve."""

    label: str
    spec: str
    routing: str
    vcs: int | None = None
    """Virtual channels; None means the preset's: two, or as many as the routing needs."""


RDT = Contestant("RDT(2,4,1)/α", "rdt:64", "rdt.deadlock_free")
READINGS = {
    "step": RDT,
    "x": Contestant("RDT, base moves along x", "rdt:64", "rdt.deadlock_free:moves=x"),
}
"""Readings of the paper's routing (`base_moves` of the golden file): how a packet gets to the next rank."""
NETWORKS = (
    RDT,
    Contestant("2D torus", "torus:64x64", "torus.dateline"),
    Contestant("3D torus", "torus:16x16x16", "torus.dateline"),
    Contestant("4D torus", "torus:8x8x8x8", "torus.dateline"),
    Contestant("hypercube", "hypercube:12", "hypercube.ecube"),
)
"""The paper's five."""
ADAPTIVE = (
    Contestant("RDT, adaptive (Duato)", "rdt:64", "rdt.duato"),
    Contestant("RDT, adaptive (turn model)", "rdt:64", "rdt.turn_model"),
)
"""What the paper announces."""
LANES = Contestant("RDT, 4 channels", "rdt:64", "rdt.deadlock_free", 4)
"""The paper's routing with as many virtual channels as the adaptive ones have."""
ALL = (*NETWORKS, READINGS["x"], LANES, *ADAPTIVE)

KEEPS_UP = 0.9
"""A network that accepts less than this part of the offered load is saturated, however short the run."""


class Plan(NamedTuple):
    """One figure's runs."""

    packet_flits: int
    traffic: str
    loads: tuple[float, ...]
    """Offered loads in ascending order, flits per node and clock."""
    ignored_clocks: int
    measured_clocks: int


class Point(NamedTuple):
    """One simulated point of a curve."""

    load: float
    accepted: float
    latency: float
    """Mean network latency in clocks."""
    half_width: float
    """Half width of its 95% band in clocks."""
    saturated: bool
    rank_mean: Mapping[int, float]
    """Mean load of the channels of each rank or dimension, flits per clock."""
    rank_max: Mapping[int, float]
    """Load of its busiest channel."""
    deadlocked: bool


class Curve(NamedTuple):
    """The points of one network in order of load; the last one may be saturated."""

    who: Contestant
    vcs: int
    """Virtual channels it had."""
    points: tuple[Point, ...]

    @property
    def throughput(self) -> float:
        """Most that it accepted, flits per node and clock."""
        return max(p.accepted for p in self.points)

    @property
    def kept_up(self) -> dict[float, Point]:
        """The points that are not saturated, by load."""
        return {p.load: p for p in self.points if not p.saturated}

    @property
    def highest(self) -> Point:
        """The point of the highest load that it keeps up with; of the lowest load when it keeps up with none."""
        return ([p for p in self.points if not p.saturated] or [self.points[0]])[-1]


def rank_loads(net: Network, channel_load: F64) -> tuple[dict[int, float], dict[int, float]]:
    """Mean and largest load of the channels of each rank."""
    rank = np.where(np.isnan(channel_load), -1, net.class_rank[net.link_class])
    kinds = [int(k) for k in np.unique(rank) if k >= 0]
    return (
        {k: float(channel_load[rank == k].mean()) for k in kinds},
        {k: float(channel_load[rank == k].max()) for k in kinds},
    )


def _curve(who: Contestant, plan: Plan) -> Curve:
    """Climb the loads until the network is saturated."""
    net, vcs = build(who.spec), 0
    points: list[Point] = []
    for load in plan.loads:
        result = simulate(
            net,
            who.routing,
            name="yang2001",
            load=load,
            vcs=who.vcs,
            packet_flits=plan.packet_flits,
            traffic=plan.traffic,
            warmup_cycles=plan.ignored_clocks,
            measure_cycles=plan.measured_clocks,
            batch_cycles=max(20, plan.measured_clocks // 12),
            check_every_cycles=2000,
            threads=1,
        )
        saturated = bool(result.saturated or result.accepted_load < KEEPS_UP * load)
        vcs = result.config.vcs or 0
        points.append(
            Point(
                load,
                result.accepted_load,
                result.network_latency_mean_cycles,
                result.network_latency_half_width_cycles,
                saturated,
                *rank_loads(net, result.channel_load),
                result.deadlock is not None,
            )
        )
        if saturated:
            break
    return Curve(who, vcs, tuple(points))


def curves(contestants: Sequence[Contestant], plan: Plan, progress: Progress) -> dict[str, Curve]:
    """The curve of each contestant by label, as many at a time as there are cores, each in one thread."""
    found: dict[str, Curve] = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        waiting = [pool.submit(_curve, who, plan) for who in contestants]
        progress(0, len(contestants))
        try:
            for done, future in enumerate(as_completed(waiting), 1):
                curve = future.result()
                found[curve.who.label] = curve
                progress(done, len(contestants))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return {who.label: found[who.label] for who in contestants}


def _number(value: float) -> float | None:
    """Six digits behind the point; None where there is no number."""
    return round(value, 6) if math.isfinite(value) else None


def to_keep(plan: Plan, found: Mapping[str, Curve]) -> dict[str, Any]:
    """The curves as JSON."""
    return {
        "plan": json_plan(plan),
        "curves": [
            {
                "who": list(curve.who),
                "vcs": curve.vcs,
                "points": [
                    {
                        **{name: _number(getattr(p, name)) for name in ("load", "accepted", "latency", "half_width")},
                        "saturated": p.saturated,
                        "deadlocked": p.deadlocked,
                        "rank_mean": {str(k): _number(v) for k, v in p.rank_mean.items()},
                        "rank_max": {str(k): _number(v) for k, v in p.rank_max.items()},
                    }
                    for p in curve.points
                ],
            }
            for curve in found.values()
        ],
    }


def json_plan(plan: Plan) -> dict[str, Any]:
    """A plan as JSON gives it back."""
    return {**plan._asdict(), "loads": list(plan.loads)}


def _point(data: Mapping[str, Any]) -> Point:
    """A point from JSON."""
    load, accepted, latency, width = (
        math.nan if data[k] is None else float(data[k]) for k in ("load", "accepted", "latency", "half_width")
    )
    mean, largest = ({int(k): float(v) for k, v in data[name].items()} for name in ("rank_mean", "rank_max"))
    return Point(load, accepted, latency, width, bool(data["saturated"]), mean, largest, bool(data["deadlocked"]))


def from_kept(data: Mapping[str, Any], plan: Plan, contestants: Sequence[Contestant]) -> dict[str, Curve]:
    """The curves that were kept. Raises JumpnetError when they are of other runs than those asked for."""
    who = [Contestant(*entry["who"]) for entry in data["curves"]]
    if data["plan"] != json_plan(plan) or who != list(contestants):
        raise JumpnetError(
            f"kept curves of {plan.traffic}, {plan.packet_flits} flits: other runs found than those of the section, "
            "`jumpnet paper yang2001rdt --only evaluation_figure --full --record` expected"
        )
    return {
        one.label: Curve(one, int(entry["vcs"]), tuple(map(_point, entry["points"])))
        for one, entry in zip(who, data["curves"], strict=True)
    }
