"""Loads that change during a run: the text of a setting as cycles and loads. Used by `config` and all that reads it."""

from __future__ import annotations

from itertools import pairwise

from jumpnet.errors import JumpnetError
from jumpnet.spec import is_count, plain

__all__ = ["mean_load", "steps_of"]

MOST_STEPS = 100
"""Of one run: a source looks through them for each of its packets."""


def steps_of(text: str) -> list[tuple[int, float]]:
    """The cycles from which a load holds, rising, and the loads, that a setting means.

    >>> steps_of("5000:0.3,8000:0.1")
    [(5000, 0.3), (8000, 0.1)]
    """
    found = list[tuple[int, float]]()
    for word in text.split(",") if text else []:
        cycle, _, load = word.partition(":")
        try:
            found.append((int(cycle) if is_count(cycle) else 0, float(plain(load))))
        except ValueError:
            found.append((0, 0.0))
    cycles = [cycle for cycle, _ in found]
    rising = all(before < after for before, after in zip([0, *cycles], cycles, strict=False))
    if not rising or any(not 0.0 <= load <= 1.0 for _, load in found):
        raise JumpnetError(
            f"load_steps {text[:60]!r} found, rising cycles with loads from 0 to 1 such as 5000:0.3,8000:0.1 expected"
        )
    if len(found) > MOST_STEPS:
        raise JumpnetError(f"load_steps with {len(found)} steps found, at most {MOST_STEPS} expected")
    return found


def mean_load(load: float, steps: list[tuple[int, float]], start: int, end: int) -> float:
    """Mean over cycles start..end-1 (over the cycle `start` where these are none) of a load that changes by steps.

    >>> mean_load(0.1, [(5000, 0.3)], 4000, 8000)
    0.25
    """
    end = max(end, start + 1)
    inside = [(cycle, after) for cycle, after in steps if start < cycle < end]
    for cycle, after in steps:
        load = after if cycle <= start else load
    if not inside:
        return load
    loads, cycles = [load, *(after for _, after in inside)], [start, *(cycle for cycle, _ in inside), end]
    return sum(each * (after - before) for each, (before, after) in zip(loads, pairwise(cycles), strict=True)) / (
        end - start
    )
