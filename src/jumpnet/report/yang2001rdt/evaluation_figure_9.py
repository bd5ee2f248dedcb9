"""Figure 9 of the RDT paper: latency over throughput, uniform traffic of 16-flit packets; loads by rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from jumpnet.report._measures import NOISE, against
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._curves import ADAPTIVE, LANES, READINGS, Contestant, Curve, Plan, Point
from jumpnet.report.yang2001rdt._evaluation import figure, latency_tables, run_text, whole_runs
from jumpnet.topology import build

TITLE = "Figure 9: uniform traffic, packets of 16 flits"
ORDER = 73

SHORT = Plan(16, "uniform", (0.04, 0.08, 0.14, 0.2, 0.5), 300, 500)
FULL = Plan(16, "uniform", (0.01, 0.04, 0.08, 0.12, 0.14, 0.16, 0.2, 0.24, 0.32, 0.5), 1000, 9000)
CLAIMS = (
    ("evaluation_2d", "2D torus", "all"),
    ("evaluation_low", "3D torus", "low"),
    ("evaluation_high", "3D torus", "high"),
    ("evaluation_4d", "4D torus", "high"),
    ("evaluation_hypercube", "hypercube", "high"),
)
MUCH = (("abstract_2d", "2D torus"), ("abstract_3d", "3D torus"))
LOWEST = ("4D torus", "hypercube")


def _order_table(golden: Golden, found: Mapping[str, Curve]) -> Table:
    """Who is slowest and who fastest at the lowest load."""
    first = {who: found[who].points[0] for who in ("2D torus", "3D torus", *LOWEST)}
    told = ", ".join(f"{who} {p.latency:.1f}±{p.half_width:.1f}" for who, p in first.items())
    slow = "2D torus"
    rest = [p for who, p in first.items() if who != slow]
    large = all(first[slow].latency - first[slow].half_width > p.latency + p.half_width for p in rest)
    others = [p for who, p in first.items() if who not in LOWEST]
    low = all(first[who].latency + first[who].half_width < p.latency - p.half_width for who in LOWEST for p in others)
    why = f"network latency at load {rest[0].load:g}, clocks: {told}"
    rows: Rows = [
        (golden["claims"][name]["text"], [claimed(golden, name, answer, detail=why)])
        for name, answer in (
            ("latency_2d_large", "largest" if large else "not the largest"),
            ("latency_high_dimensions", "below" if low else "not below"),
        )
    ]
    return Table("Tori and hypercube among themselves", "yang2001rdt, section IV.B", ("found",), rows)


class RankLoads(NamedTuple):
    """What the channels of the RDT carry at one load, by rank."""

    point: Point
    channels: Mapping[int, int]
    """Channels of each rank."""

    @property
    def base(self) -> float:
        """Mean load of a channel of rank 0."""
        return self.point.rank_mean[0]

    @property
    def upper(self) -> float:
        """Mean load of a channel of the upper ranks."""
        ranks = [rank for rank in self.point.rank_mean if rank > 0]
        flits = sum(self.point.rank_mean[rank] * self.channels[rank] for rank in ranks)
        return flits / sum(self.channels[rank] for rank in ranks)

    @property
    def share(self) -> float:
        """Part of all hops that channels of upper ranks carry."""
        flits = {rank: load * self.channels[rank] for rank, load in self.point.rank_mean.items()}
        return sum(f for rank, f in flits.items() if rank > 0) / sum(flits.values())

    @property
    def busiest(self) -> int:
        """The rank of the channel with the largest load."""
        return max(self.point.rank_max, key=lambda rank: self.point.rank_max[rank])


def _channels(who: Contestant) -> dict[int, int]:
    """Channels of each rank."""
    net = build(who.spec)
    rank, count = np.unique(net.class_rank[net.link_class[net.neighbor >= 0]], return_counts=True)
    return dict(zip(rank.tolist(), count.tolist(), strict=True))


SHARES = {"above": "increase", "below": "decrease", "alike": "alike"}


def _loads(golden: Golden, first: RankLoads, last: RankLoads, reading: str) -> list[Cell | None]:
    """A routing's row: its lowest load and the highest that it keeps up with."""
    at, mean, largest = last.point.load, last.point.rank_mean, last.point.rank_max
    congested = against(last.upper, last.base, NOISE)
    why = (
        f"mean load {last.upper:.3f} of a channel of the upper ranks against {last.base:.3f} of rank 0, at load {at:g}"
    )
    grows = SHARES[against(last.share, first.share, NOISE)]
    share = f"{first.share:.3f} of all hops at load {first.point.load:g} and {last.share:.3f} at load {at:g}"
    loads = ", ".join(f"{rank}: {mean[rank]:.3f}/{largest[rank]:.3f}" for rank in mean)
    return [
        claimed(golden, "upper_ranks_congested", congested, detail=why, reading=reading),
        claimed(golden, "upper_messages", grows, detail=f"upper ranks carry {share}", reading=reading),
        Cell(None, f"rank {last.busiest}", claim="upper_ranks_congested", reading=reading),
        Cell(None, loads, claim="upper_ranks_congested", reading=reading),
    ]


def _ranks(golden: Golden, found: Mapping[str, Curve]) -> Table:
    """Loads of the channels of the RDT by rank, at the highest load that each routing keeps up with."""
    rows: Rows = []
    options = {who.label: f"base_moves:{option}" for option, who in READINGS.items()}
    for who in (*READINGS.values(), LANES, *ADAPTIVE):
        curve, channels = found[who.label], _channels(who)
        first, last = (RankLoads(point, channels) for point in (curve.points[0], curve.highest))
        rows.append((who.label, _loads(golden, first, last, options.get(who.label, ""))))
    columns = ("upper ranks against rank 0", "share of the upper ranks", "busiest channel", "rank: mean/largest load")
    return Table("Load of the RDT's channels by rank", "yang2001rdt, section IV.B", columns, rows, RANKS)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The five networks, the RDT's other routings, the claims."""
    whole = whole_runs("evaluation_figure_9", FULL, SHORT, progress, full)
    tables = latency_tables(golden, "9", CLAIMS, MUCH, SHORT, whole, progress)
    tables[1:1] = [_order_table(golden, whole.curves)]
    tables.append(_ranks(golden, whole.curves))
    title = "Latency over throughput, uniform, 16 flits"
    picture = figure("rdt-figure-9", title, "yang2001rdt, Figure 9", whole.curves, "figure_9")
    return Section(TITLE, f"{TEXT}\n\n{run_text(whole)}", tables, (picture,), whole.data)


RANKS = """At the highest load that each routing keeps up with. A channel's mean load is compared between the upper
ranks and rank 0; beside it the part of all hops that upper ranks carry, against the lowest load. A change of rank
takes a base hop."""

TEXT = """Five networks of 4096 nodes with the parameters of Table IV. The paper leaves open the switch's buffers (8
flits for each virtual channel here) and how a packet gets to the next rank, so two readings of its routing are run.
Neither has the printed average path length, so that latencies cannot be the paper's to the clock. The RDT has three
virtual channels, the third for changes of rank as the paper says; the others have two. Our simulator gives every
link of the RDT three, the paper links of rank 0 along x only."""
