"""The rows of `jumpnet simulate --multicast`: one point, or the same multicasts sent in three ways."""

from __future__ import annotations

from typing import Any

__all__ = ["multicast_rows"]


def multicast_rows(
    spec: str, routing: str, preset: str, kind: str, comparing: bool, distribution: bool, settings: dict[str, Any]
) -> list[dict[str, Any]]:
    """Rows in the keys of `jumpnet simulate`; raises JumpnetError for bad settings."""
    from jumpnet.sim.multicast.simulate import compare, simulate_multicasts

    if comparing:
        found = compare(spec, routing, name=preset, multicast=kind, **settings)
    else:
        found = [("", simulate_multicasts(spec, routing, name=preset, multicast=kind, **settings), {})]
    return [
        {
            **({"way": way} if comparing else {}),
            **result.row(),
            **gains,
            **(result.distributions() if distribution else {}),
        }
        for way, result, gains in found
    ]
