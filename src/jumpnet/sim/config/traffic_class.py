"""A class of traffic: its load, pattern, process and lengths of packets; texts of settings as numbers.

Used by `config` and all that reads it.
"""

from __future__ import annotations

import math
from itertools import pairwise
from numbers import Complex, Number, Real
from typing import Any

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from jumpnet.errors import JumpnetError, written
from jumpnet.settings.model import Model
from jumpnet.settings.typed import parts_of
from jumpnet.spec import is_count, plain
from jumpnet.terms import I64

__all__ = ["Traffic", "TrafficClass", "booksim", "mean_load", "numbers_of", "packet_lengths", "steps_of"]

MOST_STEPS = 100
"""Of one run: a source looks through them for each of its packets."""
LONGEST = 1_000_000
"""Flits of a packet."""
EXPECTED = "such as 16, 1*0.8+5*0.2 or 4..16 expected"


def numbers_of(name: str, text: str, least: int) -> list[int]:
    """The numbers of a setting `1,2,3`, from `least` on."""
    words = text.split(",") if text else []
    if any(not is_count(word) or int(word) < least for word in words):
        raise JumpnetError(f"{name} {text!r} found, numbers from {least} such as 5,1 expected")
    return [int(word) for word in words]


def packet_lengths(text: str) -> tuple[I64, np.ndarray]:
    """Lengths (n,) in flits and their probabilities (n,) that a setting means.

    >>> packet_lengths("1*0.75+5*0.25")
    (array([1, 5]), array([0.75, 0.25]))
    """
    try:
        if ".." in text:
            low, high = (int(plain(word)) for word in text.split(".."))
            if not 1 <= low <= high <= LONGEST:
                raise ValueError
            lengths = np.arange(low, high + 1)
            weights = np.ones(lengths.size)
        else:
            pairs = [word.split("*") for word in text.split("+")]
            lengths = np.array([int(plain(pair[0])) for pair in pairs])
            weights = np.array([float(plain(pair[1])) if len(pair) > 1 else 1.0 for pair in pairs])
        if lengths.size == 0 or lengths.min() < 1 or lengths.max() > LONGEST:
            raise ValueError
        if weights.min() < 0.0 or not math.isfinite(weights.sum()) or weights.sum() <= 0.0:
            raise ValueError
    except ValueError:
        raise JumpnetError(f"packet_flits {text!r} found, {EXPECTED}") from None
    return lengths.astype(np.int64), weights / weights.sum()


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
    rising = all(before < after for before, after in pairwise([0, *(cycle for cycle, _ in found)]))
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
    since = [start, *(min(max(start, cycle), end) for cycle, _ in steps), end]
    loads = [load, *(after for _, after in steps)]
    held = [(one, b - a) for one, (a, b) in zip(loads, pairwise(since), strict=True) if a < b]
    return held[0][0] if len(held) == 1 else sum(one * cycles for one, cycles in held) / (end - start)


def booksim(name: str, default: Any, **limits: Any) -> Any:
    """A setting, with BookSim 2's name of it; units and values may differ (`study.booksim` translates)."""
    return Field(default, json_schema_extra={"booksim": name}, **limits)


class Traffic(Model):
    """What packets of one class every terminal sends; frozen, unknown names refused."""

    load: float = booksim("injection_rate", 0.1, ge=0.0, le=1.0)
    """Offered load in flits per terminal and cycle (of requests, when there are replies)."""
    traffic: str = booksim("traffic", "uniform")
    """Spec of the traffic pattern."""
    injection: str = booksim("injection_process", "bernoulli")
    """Spec of the injection process."""
    packet_flits: str = booksim("packet_size", "16")
    """Lengths: `16`, a mix with weights `1*0.8+5*0.2`, or an equal choice of a range `4..16`."""

    @field_validator("*", mode="before")
    @classmethod
    def _is_number(cls, given: Any, info: ValidationInfo) -> Any:
        """Where a number is expected, neither True, which is one to Python, nor a complex one."""
        kinds = parts_of(cls.model_fields[str(info.field_name)].annotation)
        if not {int, float, bool} & {*kinds} or given is None or isinstance(given, str):
            return given
        if getattr(given, "shape", None) == () and isinstance(given, np.generic | np.ndarray):
            given = given.item()
        real = isinstance(given, Number) and (isinstance(given, Real) or not isinstance(given, Complex))
        if real and isinstance(given, bool) == (bool in kinds):
            return given
        if bool in kinds and real and given in (0, 1):
            return bool(given)
        expected = "true or false" if bool in kinds else "a whole number" if int in kinds else "a number"
        raise ValueError(f"{info.field_name} {written(given):.200} found, {expected} expected")

    @field_validator("packet_flits", mode="before")
    @classmethod
    def _is_text(cls, given: Any) -> Any:
        if isinstance(given, str | int) and not isinstance(given, bool):
            return given
        raise ValueError(f"packet_flits {written(given)} found, {EXPECTED}")

    @property
    def mean_packet_flits(self) -> float:
        """Mean length of a created packet."""
        lengths, weights = packet_lengths(self.packet_flits)
        return float(np.dot(lengths, weights))


class TrafficClass(Traffic):
    """One more class of packets."""

    priority: int = Field(0, ge=-(2**31), lt=2**31)
    """Packets of a class with a higher number go first."""
