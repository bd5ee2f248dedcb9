"""What Figures 9, 10 and 11 share: comparisons of curves with verdicts, tables, the drawing.

Source: yang2001rdt, section IV.B. Verdicts come from the whole runs, which are kept; a short run beside them shows
that the simulator still gives such figures. Used by every `evaluation_` file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from jumpnet.report._kept import kept
from jumpnet.report._measures import MUCH, NOISE, against, much_more
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Table, claimed
from jumpnet.report.yang2001rdt._curves import (
    ADAPTIVE,
    ALL,
    LANES,
    NETWORKS,
    RDT,
    READINGS,
    Curve,
    Plan,
    Point,
    from_kept,
    to_keep,
)
from jumpnet.report.yang2001rdt._curves import curves as simulated

__all__ = [
    "Whole", "compare", "degree", "figure", "latency_tables", "point_table", "run_text",
    "steadiness", "whole_runs",
]  # fmt: skip

KEY = "yang2001rdt"
UNSTEADY = 0.03
"""Relative difference from the whole run's accepted load from which on a short run is marked unsteady."""


class Whole(NamedTuple):
    """The runs that the verdicts of one figure are of."""

    curves: Mapping[str, Curve]
    plan: Plan
    said: str
    """Where they come from, for the reader."""
    data: Mapping[str, Any]
    """What is to be kept of them; empty unless they were made now."""


def whole_runs(name: str, full_plan: Plan, short: Plan, progress: Progress, full: bool) -> Whole:
    """The curves of all contestants: simulated under `full`, else those that are committed.

    Where none are committed they are of the short plan, and the text says so. Raises JumpnetError when those that are
    committed are of other runs.
    """
    if full:
        found = simulated(ALL, full_plan, progress)
        return Whole(found, full_plan, "Run in full now.", to_keep(full_plan, found))
    results = kept(KEY, name)
    if results is None:
        said = f"No whole run is kept; `jumpnet paper {KEY} --only {name} --full --record` makes one."
        return Whole(simulated(ALL, short, progress), short, said, {})
    return Whole(from_kept(results.data, full_plan, ALL), full_plan, results.said, {})


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
    the highest load that both take. So are they where `mine` ends in a deadlock: its throughput then says nothing of
    congestion. Over all loads one verdict must hold wherever the bands part, and at high load.
    """
    both = sorted(mine.kept_up.keys() & other.kept_up.keys())
    verdicts = {load: _at(mine.kept_up[load], other.kept_up[load]) for load in both}

    def told(load: float) -> str:
        a, b = mine.kept_up[load], other.kept_up[load]
        return f"at load {load:g} {a.latency:.1f}±{a.half_width:.1f} against {b.latency:.1f}±{b.half_width:.1f} clocks"

    limits = f"throughput {mine.throughput:.4f} against {other.throughput:.4f}"
    if where == "low":
        return (verdicts[both[0]], told(both[0])) if both else ("alike", "no load that both take")
    high = {"above": "below", "below": "above"}.get(against(mine.throughput, other.throughput, NOISE), "alike")
    if high == "alike" or (high == "above" and mine.points[-1].deadlocked):
        high = verdicts[both[-1]] if both else "alike"
    if where == "high" or not both:
        return high, "; ".join([limits, *(told(load) for load in both[-1:])])
    parted = {verdict for verdict in (*verdicts.values(), high) if verdict != "alike"}
    why = "; ".join(dict.fromkeys([told(both[0]), told(both[-1]), limits]))
    if len(parted) == 1:
        return parted.pop(), why
    return ("alike" if not parted else "now below, now above"), why


def degree(mine: float, other: float) -> str:
    """How much better one throughput is than another: `much better`, `better`, `alike` or `worse`."""
    if much_more(mine, other):
        return "much better"
    return {"above": "better", "below": "worse", "alike": "alike"}[against(mine, other, NOISE)]


Claims = Sequence[tuple[str, str, str]]
"""Claims of the text: (golden name, other network, where)."""


def _claim_table(golden: Golden, claims: Claims, found: Mapping[str, Curve]) -> Table:
    """The claims, for each reading of the RDT's routing."""
    rows: Rows = []
    for name, other, where in claims:
        cells: list[Cell | None] = []
        for option, who in READINGS.items():
            answer, why = compare(found[who.label], found[other], where)
            last = found[who.label].points[-1]
            why += f"; it deadlocks at load {last.load:g}" if last.deadlocked else ""
            cells.append(claimed(golden, name, answer, reading=f"base_moves:{option}", detail=why))
        rows.append((golden["claims"][name]["text"], cells))
    return Table("Claims of the text", f"{KEY}, section IV.B", [f"moves={o}" for o in READINGS], rows, NOTE)


def _much_table(golden: Golden, much: Sequence[tuple[str, str]], found: Mapping[str, Curve]) -> Table:
    """Claims that something is `much better`: throughput of the RDT against others."""
    rows: Rows = []
    for name, other in much:
        cells: list[Cell | None] = []
        for option, who in READINGS.items():
            mine, least = found[who.label].throughput, found[other].throughput
            why = f"throughput {mine:.4f} against {least:.4f}: {mine / least:.2f} times"
            answer = degree(mine, least)
            cells.append(claimed(golden, name, answer, reading=f"base_moves:{option}", detail=why))
        rows.append((golden["claims"][name]["text"], cells))
    note = f"`much`: at least {MUCH:.0%} more throughput; the measure is ours, the paper gives none."
    return Table("What the abstract says", f"{KEY}, abstract", [f"moves={o}" for o in READINGS], rows, note)


def _adaptive_table(golden: Golden, found: Mapping[str, Curve]) -> Table:
    """Throughput of the adaptive routings against the paper's with as many virtual channels, and with its three."""
    rows: Rows = []
    for who in ADAPTIVE:
        mine, cells = found[who.label], []
        for other in (LANES, RDT):
            against = found[other.label]
            ratio = mine.throughput / against.throughput
            why = (
                f"throughput {mine.throughput:.4f} with {mine.vcs} virtual channels against "
                f"{against.throughput:.4f} with {against.vcs}"
            )
            cells += [
                claimed(golden, "adaptive_improves", degree(mine.throughput, against.throughput), detail=why),
                Cell(None, round(ratio, 3), claim="adaptive_improves"),
            ]
        rows.append((who.label, list(cells)))
    columns = (
        f"against {found[LANES.label].vcs} channels", "ratio",
        f"against {found[RDT.label].vcs} channels", "ratio to that",
    )  # fmt: skip
    note = (
        "The deterministic routing is given as many virtual channels as the adaptive ones have, as more lanes of its "
        "classes, and beside it the three that it needs. "
        f"`much`: at least {MUCH:.0%} more throughput, a measure of ours."
    )
    return Table("Adaptive routing against descending order", f"{KEY}, section IV.C.g", columns, rows, note)


def point_table(found: Mapping[str, Curve], plan: Plan, number: str = "") -> Table:
    """Latency at the lowest load and throughput of every curve; `number` of the paper's figure that it belongs to."""
    columns = (
        "virtual channels", f"network latency at load {plan.loads[0]:g}", "95% band ±", "throughput",
        "saturated at load",
    )  # fmt: skip
    claim = f"figure_{number}" if number else ""
    rows: Rows = []
    for label, curve in found.items():
        first, last = curve.points[0], curve.points[-1]
        end = f"{last.load:g}" if last.saturated else f"above {last.load:g}"
        end += " (deadlock)" if last.deadlocked else ""
        numbers = curve.vcs, round(first.latency, 2), round(first.half_width, 2), round(curve.throughput, 4), end
        rows.append((label, [Cell(None, number, claim=claim) for number in numbers]))
    source = f"{KEY}, Figure {number}" if number else "computed here"
    note = (
        "Latency in clocks, loads in flits per node and clock; throughput is the most that was accepted at the "
        "loads tried, up to the first that saturates the network, where the paper ends its runs too."
    )
    return Table("Simulated points", source, columns, rows, note)


def steadiness(short: Point, whole: Point | None) -> str:
    """Whether a point of a short run is that of the whole run, which ends at the first load that saturates it."""
    if whole is None:
        return "saturated as well" if short.saturated else "unsteady"
    if short.saturated != whole.saturated or abs(short.accepted / whole.accepted - 1) > UNSTEADY:
        return "unsteady"
    wide = short.half_width + whole.half_width
    return "steady" if whole.saturated or abs(short.latency - whole.latency) <= wide else "unsteady"


def _short_table(short: Mapping[str, Curve], whole: Mapping[str, Curve], plan: Plan, number: str) -> Table:
    """The short run's points beside the same points of the whole run."""
    rows: Rows = []
    for label, curve in short.items():
        there = {p.load: p for p in whole[label].points}
        for p in curve.points:
            same = there.get(p.load)
            ended = f"saturated at {whole[label].points[-1].load:g}"
            accepted = round(p.accepted, 4), round(same.accepted, 4) if same else ended
            latency = round(p.latency, 1), round(same.latency, 1) if same else ended
            figures = *accepted, *latency, steadiness(p, same)
            rows.append(
                (f"{label}, load {p.load:g}", [Cell(None, value, claim=f"figure_{number}") for value in figures])
            )
    clocks = plan.ignored_clocks + plan.measured_clocks
    columns = "accepted, short", "accepted, whole", "latency, short", "latency, whole", "the short run is"
    note = (
        f"{clocks:,} clocks a point, the first {plan.ignored_clocks:,} ignored, simulated now. `unsteady`: accepted "
        f"load more than {UNSTEADY:.0%} from the whole run's, latency beyond both bands, or saturation in one only."
    )
    return Table("A short run beside the whole one", f"{KEY}, Figure {number}", columns, rows, note)


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


def figure(name: str, title: str, source: str, found: Mapping[str, Curve], claim: str = "") -> Figure:
    """Latency over throughput of every curve, with its bands."""
    data: dict[str, list[Any]] = {
        key: []
        for key in ("network", "routing", "virtual_channels", "offered_load", "accepted_load",
                    "network_latency_mean_cycles", "half_width_cycles", "saturated")
    }  # fmt: skip
    for curve in found.values():
        for p in curve.points:
            who = curve.who.label, curve.who.routing, curve.vcs
            row = (*who, p.load, p.accepted, p.latency, p.half_width, p.saturated)
            for key, value in zip(data, row, strict=True):
                data[key].append(value)
    return Figure(name, title, source, partial(_draw, found), data, claim=claim)


def latency_tables(
    golden: Golden, number: str, claims: Claims, much: Sequence[tuple[str, str]], short: Plan, whole: Whole,
    progress: Progress
) -> list[Table]:  # fmt: skip
    """Of one figure: claims, whole points, adaptive routing, what the abstract says, and the short run now."""
    found = whole.curves
    points = point_table(found, whole.plan, number)
    tables = [_claim_table(golden, claims, found), points, _adaptive_table(golden, found)]
    if much:
        tables.append(_much_table(golden, much, found))
    return [*tables, _short_table(simulated(NETWORKS, short, progress), found, short, number)]


def run_text(whole: Whole) -> str:
    """Which runs stand behind the verdicts, for the reader."""
    plan = whole.plan
    clocks = plan.ignored_clocks + plan.measured_clocks
    length = f"{clocks:,} clocks a point, the first {plan.ignored_clocks:,} ignored"
    loads = f"{len(plan.loads)} loads from {plan.loads[0]:g} to {plan.loads[-1]:g}, up to the first that saturates"
    return f"The verdicts are of these runs: {length}; {loads}; one seed. {whole.said}"


NOTE = """`below`: the RDT's latency is lower, or its throughput higher; `alike`: the bands overlap. The columns are
readings of how a packet gets to the next rank. `x` is not free of deadlock on these 4096 nodes (see the section on
virtual channels); where it deadlocks, its curve ends, and the highest load that both take is compared."""
