"""Receivers of random sets of destinations: Monte-Carlo with confidence bands, and exact expectations for one or two.

Source: kudoh1995rhbd section 5.2: the offsets of the destinations from the source follow a normal distribution in x and
in y independently, rounded to routers; the "variance" of its figures is sigma. Destinations are different from each
other and from the source. On a PRDT all sources are alike; on an RDT with few ranks a router the sources are of every
class in turn. Called by the report and benchmarks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.multicast._checked import check, counted
from jumpnet.multicast._sample import Offsets, count_prefixes, draw_sets, pair_totals
from jumpnet.multicast._scheme import Scheme
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import OUTSIDE, Territories
from jumpnet.own.hooks import call_hook
from jumpnet.own.strict import RAISED
from jumpnet.terms import F64, I64

__all__ = [
    "BAND", "Sampled", "exact_receivers", "normal_chances", "normal_thresholds", "sample_receivers",
]  # fmt: skip

BAND = 1.959963984540054
"""Half-width of a 95% confidence band in standard errors (normal approximation)."""
MOST_DRAWS_PER_TRIAL = 1e6
ROUNDINGS = ("nearest", "truncated")


class Draws(NamedTuple):
    """How destinations are drawn; see `sample_receivers`."""

    repeats: bool
    source: bool
    rounding: str


@dataclass(frozen=True, eq=False)
class Sampled:
    """Averages over trials, for each number of destinations and each scheme."""

    destinations: tuple[int, ...]
    schemes: tuple[str, ...]
    trials: int
    mean: F64
    """(points, schemes) receivers, on average."""
    band: F64
    """(points, schemes) half the width of the 95% confidence band of the mean."""
    top_rank: F64
    """(points,) top rank, on average."""


def normal_chances(sigma: float, reach: int) -> F64:
    """(2 reach + 1,) chances of the values -reach..reach of a normal, rounded to the nearest; the tails beyond belong
    to the ends.

    >>> [round(p, 4) for p in normal_chances(1.0, 2).tolist()]
    [0.0668, 0.2417, 0.3829, 0.2417, 0.0668]
    """
    beyond = [0.5 * math.erfc((k + 0.5) / (sigma * math.sqrt(2))) for k in range(reach)]
    half = [a - b for a, b in zip(beyond, [*beyond[1:], 0.0], strict=True)]
    return np.array([*reversed(half), 1.0 - 2.0 * beyond[0], *half])


def normal_thresholds(sigma: float, reach: int, rounding: str = "nearest") -> I64:
    """(2 reach + 1,) ends of the intervals of 63-bit draws that stand for the values -reach..reach.

    rounding: `nearest`, or `truncated` toward zero. Raises JumpnetError for another word.

    >>> [int(end >> 53) for end in normal_thresholds(1.0, 2, "truncated")]  # of 1024
    [23, 162, 861, 1000, 1023]
    """
    if rounding not in ROUNDINGS:
        raise unknown_name("rounding", rounding, ROUNDINGS)
    beyond = 0.5 if rounding == "nearest" else 1.0
    ends = [round(2.0**62 * math.erfc((k + beyond) / (sigma * math.sqrt(2)))) for k in range(reach)]
    return np.array([*reversed(ends), *(min(2**63 - e, 2**63 - 1) for e in ends), 2**63 - 1], np.int64)


def _reach(sigma: float) -> int:
    return max(2, math.ceil(9.0 * sigma))


def _check(where: Territories, sigma: float, most: int) -> None:
    if not 0.1 <= sigma <= where.side:
        raise JumpnetError(f"sigma {sigma:g} found, 0.1 to the side {where.side} expected")
    if most < 1 or most >= where.routers:
        raise JumpnetError(f"{most} destinations found, 1 to {where.routers - 1} expected in {where.spec}")
    # The set is complete once the rarest needed offset has come; the most - 1 commoner ones come before it.
    p = np.sort(np.outer(normal_chances(sigma, _reach(sigma)), normal_chances(sigma, _reach(sigma))).reshape(-1))[::-1]
    if most >= len(p) or most / p[most] > MOST_DRAWS_PER_TRIAL:
        raise JumpnetError(f"{most} different destinations at sigma {sigma:g} found, fewer expected: they hardly occur")


def _draw(
    where: Territories, sigma: float, points: Sequence[int], trials: int, seed: int, draws: Draws
) -> tuple[I64, I64, I64]:
    """(offsets, digits, top ranks) of every trial; the last two as on a PRDT."""
    offsets, digits = (np.empty((trials, points[-1]), np.int64) for _ in range(2))
    tops = np.empty((trials, len(points)), np.int64)
    ends = normal_thresholds(sigma, _reach(sigma), draws.rounding)
    of = Offsets(where.rank_of, where.packed, where.side, where.top + 1, ends, draws.repeats, draws.source)
    draw_sets(of, seed, 0, np.array(points, np.int64), offsets, digits, tops)
    if (tops < 0).any() and not where.shifts.any():
        raise JumpnetError(f"{where.spec}: sigma {sigma:g} leads outside the territory of rank {where.top}")
    return offsets, digits, tops


def _spread(where: Territories, offsets: I64) -> tuple[I64, I64]:
    """Sources and destinations of the trials, the sources in every class of routers in turn."""
    kind = np.arange(len(offsets), dtype=np.int64) % where.fanout
    x, y = kind % (2 * where.n), kind // (2 * where.n)
    side = where.side
    to = (y[:, None] + offsets // side) % side * side + (x[:, None] + offsets % side) % side
    return y * side + x, to


@public
def sample_receivers(
    where: Territories,
    schemes: Sequence[Scheme],
    sigma: float,
    destinations: Sequence[int],
    *,
    trials: int = 10_000,
    seed: int = 1,
    repeats: bool = False,
    source: bool = False,
    rounding: str = "nearest",
) -> Sampled:
    """Average receivers over random destinations.

    destinations: numbers of destinations, ascending; a trial draws the largest set once, and the smaller ones are its
    beginnings. repeats: let destinations repeat and hit the source, as plain draws do. source: let them hit the source,
    but not repeat. rounding: of the offsets, `nearest` or `truncated`. Raises JumpnetError for a sigma, number or word
    out of range, and for trials below 2. Cost: about 20 ns a draw and 10 ns a destination, scheme and point.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.territory import territories
    >>> found = sample_receivers(territories("prdt:128"), [scheme("SM")], 1.0, [1, 4], trials=100)
    >>> float(found.mean[0, 0]), bool(found.mean[1, 0] > 4)
    (1.0, True)
    """
    points = tuple(destinations)
    if not points or list(points) != sorted(set(points)) or trials < 2:
        raise JumpnetError(
            f"{trials} trials and destinations {points} found, at least 2 and ascending numbers expected"
        )
    _check(where, sigma, points[-1])
    offsets, digits, tops = _draw(where, sigma, points, trials, seed, Draws(repeats, source, rounding))
    found = []
    for scheme in schemes:  # every scheme sees the same draws
        found.append(np.empty((trials, len(points)), np.int64))
        if where.shifts.any():
            sources, to = _spread(where, offsets)
            for i, k in enumerate(points):
                found[-1][:, i], tops[:, i] = receivers_of_sets(where, scheme, sources, to[:, :k])
        else:
            at = np.array(points, np.int64)
            count_prefixes(counted(scheme, where), digits, tops, where.stride, where.fanout, at, found[-1])
        scheme.refuse_fault(found[-1])
        if (tops < 0).any():
            raise JumpnetError(f"{where.spec}: sigma {sigma:g} leads outside the territory of rank {where.top}")
    every = np.stack(found, axis=-1)
    spread = every.std(axis=0, ddof=1) / math.sqrt(trials)
    return Sampled(points, tuple(s.name for s in schemes), trials, every.mean(axis=0), BAND * spread, tops.mean(axis=0))


def exact_receivers(where: Territories, scheme: Scheme, sigma: float, destinations: int) -> float:
    """Expected receivers of one or two random destinations, by enumeration of every offset or pair of offsets.

    Raises JumpnetError for other numbers of destinations. Cost: one closed form for each pair of offsets within nine
    sigma.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.territory import territories
    >>> exact_receivers(territories("prdt:128"), scheme("SM"), 1.0, 1)
    1.0
    """
    if destinations not in (1, 2):
        raise JumpnetError(f"{destinations} destinations found, 1 or 2 expected for an exact expectation")
    _check(where, sigma, destinations)
    if where.shifts.any():
        raise JumpnetError(
            f"{where.spec} found, a prdt (every router has every rank) expected for an exact expectation"
        )
    reach, side = _reach(sigma), where.side
    chance = normal_chances(sigma, reach)
    both = np.outer(chance, chance)
    y, x = np.indices(both.shape) - reach
    offset = (y % side * side + x % side).reshape(-1)
    p: F64 = np.bincount(offset, weights=both.reshape(-1), minlength=side * side)
    p[0] = 0.0
    p /= p.sum()
    places = np.flatnonzero(p > 0)
    if (where.rank_of[places] == OUTSIDE).any():
        raise JumpnetError(f"{where.spec}: sigma {sigma:g} leads outside the territory of rank {where.top}")
    packed, rank, p = where.packed[places], where.rank_of[places], p[places]
    if destinations == 2:
        total = float(pair_totals(counted(scheme, where), packed, rank, p, where.stride, where.fanout))
        scheme.refuse_fault(np.array([RAISED if total < 0 else 0]))
        return total
    check(scheme, where)
    size = where.stride, where.fanout
    found = [
        call_hook(f"multicast scheme {scheme.name}", "count", scheme.count, [digits], 1, top, *size, own=scheme.own)
        for digits, top in zip(packed.tolist(), rank.tolist(), strict=True)
    ]
    return float(p @ np.array(found, np.float64) / p.sum()) if len(found) else 0.0
