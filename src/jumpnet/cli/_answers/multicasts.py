"""The rows of `jumpnet simulate --multicast`: one point, the same multicasts sent in three ways, or a search.

Called by `simulate`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

__all__ = ["multicast_rows", "multicast_saturation", "saturation_figures", "tell_deadlock"]


HINT = " (branches wait for each other in buffers shorter than a packet: try --preset jump1, or longer buffers)"


def tell_deadlock(ring: Sequence[tuple[int, int, int]] | None, hint: str = "") -> None:
    """One line for the channels (router, output port, vc) that wait for each other, if any."""
    if ring:
        sys.stderr.write("jumpnet: deadlock: " + " -> ".join(map(str, ring)) + hint + "\n")


def multicast_rows(
    spec: str, routing: str, preset: str, kind: str, comparing: bool, distribution: bool, settings: dict[str, Any]
) -> list[dict[str, Any]]:
    """Rows in the keys of `jumpnet simulate`; raises JumpnetError for bad settings."""
    from jumpnet.sim.config.traffic_class import packet_lengths
    from jumpnet.sim.multicast.simulate import compare, simulate_multicasts

    if comparing:
        found = compare(spec, routing, name=preset, multicast=kind, **settings)
    else:
        found = [("", simulate_multicasts(spec, routing, name=preset, multicast=kind, **settings), {})]
    for _, result, _ in found:
        whole = result.config.buffer_flits >= packet_lengths(result.config.packet_flits)[0].max()
        tell_deadlock(result.deadlock, "" if whole else HINT)
    return [
        {
            **({"way": way} if comparing else {}),
            **result.row(),
            **gains,
            **(result.distributions() if distribution else {}),
        }
        for way, result, gains in found
    ]


def saturation_figures(found: Any, kinds: Sequence[str]) -> dict[str, Any]:
    """What a search for saturation (`sim.saturation.Saturation`) found; points with the mean latency of each kind."""

    def mean(point: Any, kind: str) -> float | None:
        cycles = float(point.figures[f"{kind}_latency_mean_cycles"])
        return cycles if math.isfinite(cycles) else None

    return {
        "saturation_load": found.load,
        "saturated_load": found.saturated_load,
        "saturation_throughput": found.throughput,
        "points": [
            {"load": p.offered_load, "accepted_load": p.accepted_load, "saturated": p.saturated}
            | {f"{kind}_latency_mean_cycles": mean(p, kind) for kind in kinds}
            for p in found.points
        ],
    }


def multicast_saturation(spec: str, routing: str, preset: str, kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The row of a search for saturation under multicasts; raises JumpnetError for bad settings."""
    from jumpnet.sim.multicast.simulate import find_multicast_saturation

    found = find_multicast_saturation(spec, routing, name=preset, multicast=kind, **settings)
    first = found.points[0]
    cast = first.cast.model_dump(exclude={"multicast", "scheme", "tree_routing"})
    known = [kind for kind in ("packet", "multicast", "acknowledge") if f"{kind}_latency_mean_cycles" in first.figures]
    return {"spec": spec, "routing": first.routing, **cast, **saturation_figures(found, known)}
