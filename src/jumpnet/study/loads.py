"""The loads of a curve, one after the other: given ones, or found by bisection so that most lie near saturation.

Each step depends only on results already there, so that an interrupted curve goes on as if nothing had happened.
Used by `study/run.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from jumpnet.study.plan import AdaptiveLoads, RisingLoads

__all__ = ["next_loads", "saturation"]

MAX_STEPS = 11
"""Halvings of the distance to saturation; the loads of the last lie closer than any tolerance can resolve."""
PLACES = 6
"""Decimal places of a load that is found: a load is a name as well, so it has few digits."""


def _bracket(saturated: Mapping[float, bool]) -> tuple[float, float | None]:
    """The highest load known to hold below the lowest load known to saturate, and that one (None: none yet)."""
    over = [load for load, full in saturated.items() if full]
    top = min(over) if over else None
    under = [load for load, full in saturated.items() if not full and (top is None or load < top)]
    return max(under, default=0.0), top


def saturation(rule: AdaptiveLoads, saturated: Mapping[float, bool]) -> float | None:
    """The highest load that holds once it is known to within the tolerance, or to the last place of a load, else None.

    >>> saturation(AdaptiveLoads(tolerance=0.1), {0.5: False, 0.54: True})
    0.5
    """
    low, high = _bracket(saturated)
    if high is None:
        return low if low >= rule.highest else None
    return low if high - low <= rule.tolerance * high or not low < _middle(low, high) < high else None


def _middle(low: float, high: float, places: int = PLACES) -> float:
    """The load half way; no load between two that lie closer than the last of its places tells."""
    return round((low + high) / 2, places)


NEAR = 4
"""Saturation is closed in to this part of the distance between two rising loads."""


def _between(rule: RisingLoads, saturated: Mapping[float, bool]) -> list[float]:
    """The next load between rising ones that have all been run: towards saturation, then where the widest gap is, until
    `points` hold. None where no load saturates, or the first does.

    >>> _between(RisingLoads(loads=(0.1, 0.2, 0.3), points=4), {0.1: False, 0.2: False, 0.225: True})
    [0.15]
    >>> _between(RisingLoads(loads=(0.1, 0.2), points=4), {0.1: False, 0.2: False})
    []
    """
    low, high = _bracket(saturated)
    if rule.points == 0 or high is None or low not in saturated:
        return []
    apart = min(after - load for load, after in pairwise(rule.loads))
    places = ROUND if apart >= WIDE else PLACES
    held = sorted(load for load in saturated if load <= low)
    ends = (low, high)
    if high - low <= apart / NEAR or not low < _middle(low, high, places) < high:
        if not 1 < len(held) < rule.points:
            return []
        ends = max(pairwise(held), key=lambda gap: round(gap[1] - gap[0], PLACES))
    load = _middle(*ends, places)
    return [load] if ends[0] < load < ends[1] else []


ROUND, WIDE = 4, 0.01
"""Decimal places of loads between rising ones, where these are so far apart."""
AT_ONCE = 2
"""Rising loads that are run side by side: what lies beyond saturation takes longest, and is not wanted."""


def next_loads(loads: tuple[float, ...] | AdaptiveLoads | RisingLoads, saturated: Mapping[float, bool]) -> list[float]:
    """Loads to run next, given which of those already run were saturated; an empty list when the curve is complete.

    Given loads come all at once, rising ones a few at a time, up to saturation. Found ones: doubling until saturation,
    bisection to the tolerance, then the loads of the grid below it and the rest of the points at distances from
    saturation that halve.

    >>> next_loads((0.1, 0.2), {0.1: False})
    [0.2]
    >>> next_loads(AdaptiveLoads(), {})
    [0.0625]
    >>> next_loads(RisingLoads(loads=(0.1, 0.2, 0.3)), {0.1: False})
    [0.2, 0.3]
    >>> next_loads(RisingLoads(loads=(0.1, 0.2, 0.3)), {0.1: True})
    []
    >>> next_loads(RisingLoads(loads=(0.1, 0.2, 0.3), points=4), {0.1: False, 0.2: True})
    [0.15]
    """
    if isinstance(loads, RisingLoads):
        full = min((load for load, over in saturated.items() if over), default=1.0)
        rising = [load for load in loads.loads if load not in saturated and load <= full][:AT_ONCE]
        return rising or _between(loads, saturated)
    if isinstance(loads, tuple):
        return [load for load in loads if load not in saturated]
    low, high = _bracket(saturated)
    found = saturation(loads, saturated)
    if found is None:
        if high is None:
            return [min(loads.highest, round(max(2 * low, 0.0625), PLACES))]
        return [_middle(low, high)]
    have = sorted(load for load in saturated if load <= found)
    wanted = [load for load in loads.grid if load <= found and load not in saturated]
    missing = loads.points - len(have) - len(wanted)
    for step in range(1, MAX_STEPS):
        if missing <= 0:
            break
        for part in range(2 ** (step - 1)):
            share = 1 - 2.0**-step * (1 + part / 2 ** (step - 1))
            load = round(found * share, PLACES)
            near = any(abs(load - other) < 0.25 * loads.tolerance * found for other in have + wanted)
            if missing > 0 and load > 0 and not near:
                wanted.append(load)
                missing -= 1
    return sorted(wanted)
