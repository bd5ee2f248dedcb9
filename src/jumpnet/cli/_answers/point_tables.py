"""One simulated point as tables for a person: what was run and how it went, and the latencies beside each other.

Used by the verb `simulate`; `--all` and `--json` have every figure by its own name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jumpnet.cli._command.output import give_or_take, print_figures, print_rows, short_spec

__all__ = ["print_point"]

LATENCY = re.compile(r"(.+)_latency_(mean|half_width|p\d+|max)_cycles")
DETAILS = {
    "accepted_load_half_width", "accepted_max_by_source", "accepted_min_by_source", "buffer_occupancy_by_rank_flits",
    "buffer_occupancy_max_flits", "buffer_occupancy_mean_flits", "channel_load_by_rank", "channel_load_max_by_rank",
    "cycles", "flit_hops", "flit_hops_per_cpu_second", "longest_wait_cycles", "source_lag", "warmup_cycles",
    "warmup_detected",
}  # fmt: skip
"""Figures that few ask for."""
ALARMS = {"deadlock": None, "deadlocked": False, "drained": True, "starved": False}
"""Figures that say nothing while they have this value."""
SAID_ELSEWHERE = {"hint", "points"}


def _latencies(row: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Latencies by what they are of (packet, network, flit, ...), and there by figure; none where only means are known.

    >>> _latencies({"packet_latency_mean_cycles": 20.0, "packet_latency_max_cycles": 31})
    {'packet': {'mean': 20.0, 'max': 31}}
    >>> _latencies({"packet_latency_mean_cycles": 20.0})
    {}
    """
    found: dict[str, dict[str, Any]] = {}
    for key, value in row.items():
        if named := LATENCY.fullmatch(key):
            found.setdefault(named[1], {})[named[2]] = value
    return found if any(len(figures) > 1 for figures in found.values()) else {}


def _summary(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The most important figures of a point.

    >>> _summary({"spec": "ring", "accepted_load": 0.25, "accepted_load_half_width": 0.01, "starved": False})
    [('spec', 'ring'), ('accepted_load', '0.25 ± 0.01')]
    """
    tabled = bool(_latencies(row))
    shown = {
        key: value
        for key, value in row.items()
        if key not in SAID_ELSEWHERE | DETAILS
        and not (tabled and LATENCY.fullmatch(key))
        and not (key in ALARMS and value == ALARMS[key])
    }
    if "traffic" in shown:
        shown["traffic"] = short_spec(str(row["traffic"]))
    if "accepted_load" in shown:
        shown["accepted_load"] = give_or_take(row["accepted_load"], row.get("accepted_load_half_width"))
    return list(shown.items())


def print_point(title: str, row: Mapping[str, Any], whole: bool) -> None:
    """Print what a run or a search found; with `whole` every figure by its name in Python and JSON.

    Points of a search follow as a table of their own.
    """
    if whole:
        print_rows(title, ["figure", "value"], [item for item in row.items() if item[0] not in SAID_ELSEWHERE])
    else:
        print_figures(title, _summary(row))
        latencies = _latencies(row)
        heads = list(dict.fromkeys(key for figures in latencies.values() for key in figures if key != "half_width"))
        rows = []
        for what, figures in latencies.items():
            cells = [figures.get(key) for key in heads]
            if "mean" in figures:
                cells[heads.index("mean")] = give_or_take(figures["mean"], figures.get("half_width"))
            rows.append([what.replace("_", " "), *cells])
        if rows:
            print_rows("latency in cycles", ["of", *heads], rows)
    if points := row.get("points"):
        print_rows("points", [key.replace("_", " ") for key in points[0]], [list(point.values()) for point in points])
