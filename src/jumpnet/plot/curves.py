"""Latency-throughput curves: packet latency over accepted load, one line for each curve, with confidence bands.

Called by the verb `plot` and by the report's evaluation. A curve ends where its network saturates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["curves_of", "draw_curves"]

MARKERS = "osD^vP*X"
NOT_SETTINGS = ("load", "hash")


def curves_of(rows: Sequence[Mapping[str, Any]], settings: Sequence[str]) -> dict[str, list[Mapping[str, Any]]]:
    """Rows by curve, in the order they come; a curve is named by those settings that differ between rows.

    >>> rows = [{"spec": "a", "seed": 1}, {"spec": "b", "seed": 1}]
    >>> list(curves_of(rows, ["spec", "seed"]))
    ['a', 'b']
    """
    differ = [key for key in settings if len({str(row.get(key)) for row in rows}) > 1]
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        words = [str(row[key]) if key in ("spec", "routing", "traffic") else f"{key}={row.get(key)}" for key in differ]
        found.setdefault(", ".join(words) or "all", []).append(row)
    return found


def draw_curves(figure: Any, rows: Sequence[Mapping[str, Any]], settings: Sequence[str], title: str = "") -> None:
    """Fill a Matplotlib figure with the curves of rows (keys as a simulation's result).

    Saturated points are left out of the lines; a dotted line marks the accepted load at saturation.
    """
    axes = figure.subplots()
    limit = 0.0
    curves = curves_of(rows, settings)
    for number, (name, points) in enumerate(curves.items()):
        held = sorted((p for p in points if not p["saturated"]), key=lambda p: p["accepted_load"])
        over = [p["accepted_load"] for p in points if p["saturated"]]
        colour = f"C{number % 10}"
        if held:
            load = np.array([p["accepted_load"] for p in held])
            latency = np.array([p["packet_latency_mean_cycles"] for p in held], float)
            width = np.array([p["packet_latency_half_width_cycles"] or 0.0 for p in held], float)
            marker = MARKERS[number % len(MARKERS)]
            axes.plot(load, latency, marker=marker, color=colour, label=name)
            axes.fill_between(load, latency - width, latency + width, color=colour, alpha=0.2, linewidth=0)
            limit = max(limit, 6 * float(latency.min()))
        if over:
            axes.axvline(max(over), color=colour, linestyle=":", linewidth=1)
    axes.set_xlabel("accepted load (flits per terminal and cycle)")
    axes.set_ylabel("packet latency (cycles)")
    axes.set_xlim(left=0)
    if limit:
        axes.set_ylim(0, limit)
    if title:
        axes.set_title(title)
    if len(curves) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
