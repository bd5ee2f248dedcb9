"""Recorded points of BookSim 2: one row is one run with its settings, the cycles it measured, and its figures.

The files are `data/*.csv`; settings that all runs share are `_runner.DEFAULTS`. Used by `recorded` and `booksim`.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError

__all__ = ["DATA", "Point", "read_points", "write_rows"]

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Point:
    """One run of BookSim: what went in, in jumpnet's words, and what came out."""

    spec: str
    """Network."""
    routing: str
    """jumpnet's routing that follows the same rules."""
    traffic: str
    """Pattern, in jumpnet's words."""
    packet_flits: int
    buffer_flits: int
    load: float
    """Offered load, flits per node and cycle."""
    kind: str
    """`latency`, or `overload` for a run far beyond saturation whose accepted load is the saturation throughput."""
    warmup_cycles: int
    measured_cycles: int
    status: str
    """`stable`, or how it was given up."""
    seed: int
    """BookSim's seed."""
    accepted: float
    """Accepted load, flits per node and cycle."""
    packet_latency: float
    """Mean, cycles; likewise the other latencies."""
    network_latency: float
    flit_latency: float
    hops: float
    """Mean number of routers traversed (links + 1); nan when it was given up."""

    @property
    def series(self) -> tuple[str, str, int, int]:
        """What the points of one curve share."""
        return self.spec, self.traffic, self.packet_flits, self.buffer_flits

    @property
    def settings(self) -> tuple[object, ...]:
        """What runs that differ in their seed only share."""
        return *self.series, self.load, self.kind, self.warmup_cycles

    @property
    def booksim_traffic(self) -> str:
        """The pattern in BookSim's words."""
        name, _, options = self.traffic.partition(":")
        if name == "hotspot":
            nodes = options.removeprefix("nodes=").replace("-", ",")
            return "hotspot({{" + nodes + "}})"
        return {"bit_complement": "bitcomp"}.get(name, name)

    def with_figures(self, figures: dict[str, Any], period_cycles: int, warmup_periods: int = 3) -> Point:
        """A copy with the figures that a run with that sample period gave."""
        numbers: dict[str, Any] = {name: math.nan if figures[name] is None else figures[name] for name in FIGURES}
        return replace(
            self,
            status="stable" if figures["stable"] else "unstable",
            measured_cycles=(figures["samples"] - warmup_periods) * period_cycles,
            **numbers,
        )


FIGURES = ("accepted", "packet_latency", "network_latency", "flit_latency", "hops")


def read_points(folder: Path = DATA) -> list[Point]:
    """The points of every CSV file of a folder, by file; raises JumpnetError for none and for bad rows."""
    found: list[Point] = []
    types = {field.name: {"str": str, "int": int, "float": float}[str(field.type)] for field in fields(Point)}
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="ascii") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                try:
                    found.append(Point(**{name: kind(row[name]) for name, kind in types.items()}))
                except (KeyError, TypeError, ValueError) as error:
                    raise JumpnetError(f"{path}:{number}: {error} found, a point expected") from None
    if not found:
        raise JumpnetError(f"{folder}: no recorded points found")
    return found


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write dictionaries with equal keys as CSV."""
    listed = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="ascii") as file:
        writer = csv.DictWriter(file, list(listed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)
