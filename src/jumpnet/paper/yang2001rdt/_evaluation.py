"""What Figures 9, 10 and 11 share: the networks, their curves by simulation, comparisons with verdicts, the drawing.

Source: yang2001rdt, section IV.B and Table IV (preset `yang2001`). A curve climbs the loads until its network is
saturated. Latency is the paper's network latency, from the head's entry to the tail's arrival.
Used by every `evaluation_` file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from jumpnet.network import Network
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Table
from jumpnet.papers import claim
from jumpnet.routing import bind
from jumpnet.sim.simulate import simulate
from jumpnet.terms import F64
from jumpnet.topology import build

__all__ = [
    "ADAPTIVE", "BEYOND_NOISE", "NETWORKS", "RDT", "RDTS", "Contestant", "Curve", "Plan", "Point", "compare",
    "curves", "figure", "latency_figure", "point_table", "rank_loads", "run_text",
]  # fmt: skip


class Contestant(NamedTuple):
    """A network with its routing, as one curve."""

    label: str
    spec: str
    routing: str


RDT = Contestant("RDT(2,4,1)/α", "rdt:64", "rdt.deadlock_free")
READING = Contestant("RDT, base moves along x", "rdt:64", "rdt.deadlock_free:moves=x,ties=zero")
"""The reading of the RDT's routing whose path lengths are nearest to those that the paper prints."""
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
RDTS = (RDT, READING, *ADAPTIVE)

KEEPS_UP = 0.9
"""A network that accepts less than this part of the offered load is saturated, however short the run."""
BEYOND_NOISE = 0.03
"""Relative difference of throughputs that counts."""


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
    points: tuple[Point, ...]

    @property
    def throughput(self) -> float:
        """Most that it accepted, flits per node and clock."""
        return max(p.accepted for p in self.points)

    @property
    def kept_up(self) -> dict[float, Point]:
        """The points that are not saturated, by load."""
        return {p.load: p for p in self.points if not p.saturated}


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
    net = build(who.spec)
    routing = bind(who.routing, net)
    points: list[Point] = []
    for load in plan.loads:
        result = simulate(
            net,
            routing,
            name="yang2001",
            load=load,
            vcs=routing.vcs,
            packet_flits=plan.packet_flits,
            traffic=plan.traffic,
            warmup_cycles=plan.ignored_clocks,
            measure_cycles=plan.measured_clocks,
            batch_cycles=max(20, plan.measured_clocks // 12),
            check_every_cycles=2000,
        )
        saturated = bool(result.saturated or result.accepted_load < KEEPS_UP * load)
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
    return Curve(who, tuple(points))


def curves(contestants: Sequence[Contestant], plan: Plan, progress: Progress) -> dict[str, Curve]:
    """The curve of each contestant by label, as many at a time as there are cores."""
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


def _at(mine: Point, other: Point) -> str:
    """`below`, `above` or `alike`: the latency of one point against another, by their bands."""
    if mine.latency + mine.half_width < other.latency - other.half_width:
        return "below"
    if mine.latency - mine.half_width > other.latency + other.half_width:
        return "above"
    return "alike"


def compare(mine: Curve, other: Curve, where: str) -> tuple[str, str]:
    """Where the latency of `mine` lies against `other` at `low`, `high` or `all` loads, and why.

    Low is the lowest load; at high load the higher throughput is below, and equal ones (within 3%) are compared at
    the highest load that both take. Over all loads one verdict must hold wherever the bands part, and at high load.
    """
    both = sorted(mine.kept_up.keys() & other.kept_up.keys())
    verdicts = {load: _at(mine.kept_up[load], other.kept_up[load]) for load in both}

    def told(load: float) -> str:
        a, b = mine.kept_up[load], other.kept_up[load]
        return f"at load {load:g} {a.latency:.1f}±{a.half_width:.1f} against {b.latency:.1f}±{b.half_width:.1f} clocks"

    limits = f"throughput {mine.throughput:.3f} against {other.throughput:.3f}"
    if where == "low":
        return (verdicts[both[0]], told(both[0])) if both else ("alike", "no load that both take")
    ratio = mine.throughput / other.throughput
    if ratio > 1 + BEYOND_NOISE:
        high = "below"
    elif ratio < 1 - BEYOND_NOISE:
        high = "above"
    else:
        high = verdicts[both[-1]] if both else "alike"
    if where == "high" or not both:
        return high, "; ".join([limits, *(told(load) for load in both[-1:])])
    parted = {verdict for verdict in (*verdicts.values(), high) if verdict != "alike"}
    why = "; ".join([told(both[0]), told(both[-1]), limits])
    if len(parted) == 1:
        return parted.pop(), why
    return ("alike" if not parted else "now below, now above"), why


def _claim_table(golden: Golden, claims: Sequence[tuple[str, str, str]], found: Mapping[str, Curve]) -> Table:
    """Claims of the text, (golden name, other network, where), for both readings of the RDT's routing."""
    rdts = RDT.label, READING.label
    rows: list[tuple[str, list[Cell | None]]] = []
    for name, other, where in claims:
        cells: list[Cell | None] = []
        for label in rdts:
            answer, why = compare(found[label], found[other], where)
            cells.append(Cell(claim(golden, name), answer, why))
        rows.append((golden["claims"][name]["text"], cells))
    return Table("Claims of the text", "yang2001rdt, section IV.B", rdts, rows, NOTE)


def point_table(found: Mapping[str, Curve], plan: Plan) -> Table:
    """Latency at the lowest load and throughput of every curve."""
    columns = (f"network latency at load {plan.loads[0]:g}", "95% band ±", "throughput", "saturated at load")
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, curve in found.items():
        first, last = curve.points[0], curve.points[-1]
        end = f"{last.load:g}" if last.saturated else f"above {last.load:g}"
        end += " (deadlock)" if last.deadlocked else ""
        numbers = round(first.latency, 2), round(first.half_width, 2), round(curve.throughput, 4)
        rows.append((label, [*(Cell(None, number) for number in numbers), Cell(None, end)]))
    return Table(
        "Simulated points",
        "computed here",
        columns,
        rows,
        "Latency in clocks, loads in flits per node and clock; throughput is the most that was accepted.",
    )


def _draw(found: Mapping[str, Curve], figure: Any) -> None:
    axes = figure.subplots()
    top = 2 * max(min(p.latency for p in curve.points) for curve in found.values())
    for curve in found.values():
        x = [p.accepted for p in curve.points]
        y = [p.latency for p in curve.points]
        width = [p.half_width if np.isfinite(p.half_width) else 0.0 for p in curve.points]
        dashed = curve.who.spec == RDT.spec and curve.who != RDT
        (line,) = axes.plot(x, y, "--" if dashed else "-", marker="o", markersize=3, label=curve.who.label)
        low, high = [a - w for a, w in zip(y, width, strict=True)], [a + w for a, w in zip(y, width, strict=True)]
        axes.fill_between(x, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set_ylim(0, top)
    axes.set_xlabel("network throughput (flits per node and clock)")
    axes.set_ylabel("average network latency (clocks)")
    axes.legend(fontsize=8)


def figure(name: str, title: str, source: str, found: Mapping[str, Curve]) -> Figure:
    """Latency over throughput of every curve, with its bands."""
    data: dict[str, list[Any]] = {
        key: []
        for key in ("network", "routing", "offered_load", "accepted_load", "network_latency_mean_cycles",
                    "half_width_cycles", "saturated")
    }  # fmt: skip
    for curve in found.values():
        for p in curve.points:
            row = (curve.who.label, curve.who.routing, p.load, p.accepted, p.latency, p.half_width, p.saturated)
            for key, value in zip(data, row, strict=True):
                data[key].append(value)
    return Figure(name, title, source, partial(_draw, found), data)


def latency_figure(
    number: str, words: str, plan: Plan, claims: Sequence[tuple[str, str, str]], golden: Golden, progress: Progress
) -> tuple[dict[str, Curve], list[Table], Figure]:
    """A figure of the paper: curves of the five networks and the RDT's other routings, claims and points, drawing."""
    found = curves((*NETWORKS, *RDTS[1:]), plan, progress)
    tables = [_claim_table(golden, claims, found), point_table(found, plan)]
    title, source = f"Latency over throughput, {words}", f"yang2001rdt, Figure {number}"
    return found, tables, figure(f"rdt-figure-{number}", title, source, found)


def run_text(plan: Plan, full: bool) -> str:
    """Which runs were made, for the reader."""
    clocks = plan.ignored_clocks + plan.measured_clocks
    length = f"{clocks:,} clocks a point, the first {plan.ignored_clocks:,} ignored"
    loads = f"{len(plan.loads)} loads from {plan.loads[0]:g} to {plan.loads[-1]:g} at most"
    if full:
        return f"Run in full (--full): {length}, as in Table IV; {loads}."
    return f"Short runs: {length}; {loads}. `jumpnet paper yang2001rdt --full` runs Table IV's 10,000 clocks."


NOTE = """`below`: the RDT's latency is lower, or its throughput higher; `alike`: the bands overlap. The first column
routes by rdt.deadlock_free with our base moves, the second by the reading that reproduces the printed path lengths.
That reading is not free of deadlock: with one channel for all base moves along x a ring closes, and its curve ends."""
