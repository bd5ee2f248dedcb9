"""Bernoulli injection: in every cycle a source creates a packet with the same probability.

The gap to the next packet is geometric, and the binary digits of a geometric number are independent: digit k is 1 with
probability x / (1 + x), x = (1 - p) ** (2 ** k). So a gap takes a few comparisons with integers, is exact, and is
the same on every machine. Source: Dally and Towles, section 24.2; the digits, from the generating function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import kernel
from jumpnet.jit.random import draw63
from jumpnet.terms import I64
from jumpnet.traffic.injection_process import LAST, NEVER, Process

__all__ = ["BERNOULLI", "geometric_digits", "geometric_gap"]

SCALE = 2**63


def geometric_digits(p: float) -> I64:
    """(digits,) thresholds, in units of 2**-63, of the binary digits of a geometric number with success rate p.

    >>> geometric_digits(1.0).tolist(), len(geometric_digits(0.001)) < 20
    ([], True)
    """
    digits: list[int] = []
    x = 1.0 - p
    while x > 2.0**-64 and len(digits) < 40:
        digits.append(min(int(x / (1.0 + x) * SCALE), SCALE - 1))
        x *= x
    return np.array(digits, np.int64)


@kernel
def geometric_gap(own, first, memory, key):
    """Failures before the next success, from the thresholds own[first:]; uses one draw a digit."""
    gap, draw, digits = 0, memory[1], own.size - first
    for k in range(digits):
        gap += (draw63(key, draw + k) < own[first + k]) << k  # a coin: a branch would be guessed wrong
    memory[1] = draw + digits
    return gap


def advance(own, memory, key):
    """own = [1 when packets come at all, thresholds...]."""
    if own[0] == 0:
        memory[LAST] = NEVER
    else:
        memory[LAST] += 1 + geometric_gap(own, 1, memory, key)
    return memory[LAST]


def _prepare(packets_per_cycle: float, options: Mapping[str, Any]) -> I64:
    if not 0.0 <= packets_per_cycle <= 1.0:
        raise JumpnetError(f"{packets_per_cycle} packets a cycle found, 0 to 1 expected")
    if packets_per_cycle == 0.0:
        return np.zeros(1, np.int64)
    return np.concatenate([np.ones(1, np.int64), geometric_digits(packets_per_cycle)])


BERNOULLI = Process(
    name="bernoulli",
    advance=advance,
    prepare=_prepare,
    source="Dally and Towles, section 24.2",
    summary="a packet with the same probability in every cycle",
)
