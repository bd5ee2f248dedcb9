"""What a simulation answers: the resolved settings that went in, figures with units in their names, and provenance.

`Result.row()` is one flat object (JSON line, table row); `Result.hash` names the point by what went in (`point_name`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from jumpnet.api.shown import Shown, columns
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.resolve.bubble import refusal
from jumpnet.sim.result.figures import COLUMNS, PointFigures
from jumpnet.sim.result.point_name import point_hash, provenance
from jumpnet.terms import F64, I32, I64

LATENCIES = ("packet", "network", "flit")
"""Latency from creation to the tail's arrival, from the head's injection to that, and that of single flits."""


def told(config: SimConfig, figures: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that every row of results shows, then the figures; None for one that JSON has no number for."""
    shown = ("traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed")
    known = {k: None if isinstance(v, float | np.floating) and not np.isfinite(v) else v for k, v in figures.items()}
    return {name: getattr(config, name) for name in shown} | known


@dataclass(frozen=True, eq=False)
class Point(PointFigures, Shown):
    """The figures of one simulated point, by name."""

    spec: str
    """Network."""
    routing: str
    """Routing with its options."""
    config: SimConfig
    """Every setting, resolved."""
    figures: Mapping[str, Any]
    """Measured figures by name, units in the names; see docs/simulator.md."""

    def row(self) -> dict[str, Any]:
        """Everything as one flat object: names, settings that matter for a point, figures."""
        return {"spec": self.spec, "routing": self.routing, **told(self.config, self.figures)}

    @columns(COLUMNS)
    def rows(self) -> list[dict[str, Any]]:
        """Everything in one row, keys as in `jumpnet results`."""
        return [{**self.row(), "load": self.config.load}]


@dataclass(frozen=True, eq=False)
class Result(Point):
    """One simulated point, with its histograms, channels and events."""

    latency_histogram: I64
    """(cells,) measured packets by packet latency in cycles; the last cell holds the longer ones."""
    network_latency_histogram: I64
    """(cells,) likewise from injection of the head."""
    flit_latency_histogram: I64
    """(cells,) their flits, each from its own injection to its own arrival."""
    channel_load: F64
    """(R, P) flits per cycle of each channel in the measured window, nan where there is none."""
    channel_buffer: F64
    """(R, P) mean flits in an input buffer at the far end of each channel, nan where there is none, or no sample."""
    buffer_occupancy: F64
    """(samples,) mean flits of an input buffer, one sample a batch."""
    batches: I64
    """(n, 5) packets that arrived in each `batch_cycles` from cycle 0 on, measured or not: how many, sums of their
    packet latencies, network latencies and latencies of flits, and their flits."""
    reply_histograms: I64 | None = None
    """(3, cells) the replies among them, in the order of LATENCIES; None without replies."""
    events: I32 | None = None
    """(n, 8) recorded events, see `events`; None when none were asked for."""
    trace: str = ""
    """Hash of the packets that were replayed; empty when traffic was drawn."""
    own: Mapping[str, str] = field(default_factory=dict)
    """Hashes of what a user made, see `point_name.own_parts`."""
    provenance: Mapping[str, str] = field(default_factory=provenance)
    bound: BoundRouting | None = field(default=None, repr=False)
    """What was simulated, where a hint may follow from it."""

    @cached_property
    def hint(self) -> str | None:
        """Of a saturated run: a routing that may carry more, by exact channel loads; None where they name none."""
        if self.bound is None or self.trace or not self.figures["saturated"]:
            return None
        return hint_of(self.bound, self.config, self.figures["offered_load"])

    def __repr__(self) -> str:
        """One line: what went in, and the figures that are looked at first."""
        found, cycles = self.figures, self.figures["packet_latency_mean_cycles"]
        said = "saturated, " if found["saturated"] else ""
        said += f"accepted {found['accepted_load']:.4g}, packet latency {cycles:.4g} cycles"
        return f"{type(self).__name__}({self.spec}, {self.routing}, load {self.config.load:.4g}: {said})"

    @property
    def hash(self) -> str:
        """Name of the point by what went in."""
        return point_hash(self.spec, self.routing, self.config, self.trace, self.own)

    def row(self) -> dict[str, Any]:
        """Everything as one flat object, with the hash, and what was replayed if packets were."""
        row = {**super().row(), "hash": self.hash}
        if self.trace:
            row |= {"traffic": f"trace:{self.trace}", "injection": "trace", "packet_flits": "trace"}
        return row

    def distributions(self) -> dict[str, list[int]]:
        """Measured packets and flits by latency, up to the longest: entry k counts those of k cycles."""
        rows = {"": (self.latency_histogram, self.network_latency_histogram, self.flit_latency_histogram)}
        if self.reply_histograms is not None:
            rows["reply_"] = tuple(self.reply_histograms)
        return {
            f"{name}{kind}_latency_histogram": up_to_last(row)
            for name, of_class in rows.items()
            for kind, row in zip(LATENCIES, of_class, strict=True)
        }


def up_to_last(histogram: I64) -> list[int]:
    """The cells of a histogram up to the last that is not empty.

    >>> up_to_last(np.array([0, 2, 1, 0, 0]))
    [0, 2, 1]
    """
    return [int(n) for n in histogram[: int(histogram.nonzero()[0].max(initial=-1)) + 1]]


def hint_of(bound: BoundRouting, config: SimConfig, offered: float) -> str | None:
    """A routing that may carry more than `bound` where the load offered was too much, or None (`analysis.hint`)."""
    if config.reply_flits:
        return None
    from jumpnet.analysis.hint import hint_for  # the proofs are more to load than all of a run

    return hint_for(bound, config.traffic, offered, lambda routing: refusal(routing, config) is None)
