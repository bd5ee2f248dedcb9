"""On-off injection: a two-state Markov chain at each source; packets come only while it is on, with probability r1.

Each cycle an off source turns on with probability alpha and an on source turns off with probability beta. Two of
alpha, beta and r1 may be given (-1 leaves one open); the third follows from the rate, as in BookSim.
Source: Dally and Towles, section 24.2.2 (Markov-modulated process).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.random import draw63
from jumpnet.terms import I64
from jumpnet.traffic.injection_process import COUNTER, LAST, MODE, NEVER, Process

__all__ = ["ONOFF"]

SCALE = 2**63
LONGEST_SILENCE = 250_000
"""Cycles that a source which is off may wait for its next packet on average: each takes a draw."""
OFF = 1
ON = 2


def advance(own, memory, key):
    """own = thresholds of alpha, beta, r1, and of being on at the start, in units of 2**-63."""
    if own[2] == 0 or own[3] == 0:
        memory[LAST] = NEVER
        return memory[LAST]
    if memory[MODE] == 0:
        memory[MODE] = ON if draw63(key, memory[COUNTER]) < own[3] else OFF
        memory[COUNTER] += 1
    cycle = memory[LAST]
    while True:
        cycle += 1
        turns = draw63(key, memory[COUNTER]) < own[0 if memory[MODE] == OFF else 1]
        memory[COUNTER] += 1
        if turns:
            memory[MODE] = ON + OFF - memory[MODE]
        if memory[MODE] == ON:
            creates = draw63(key, memory[COUNTER]) < own[2]
            memory[COUNTER] += 1
            if creates:
                memory[LAST] = cycle
                return cycle


def _prepare(packets_per_cycle: float, options: Mapping[str, Any]) -> I64:
    rate, alpha, beta, r1 = packets_per_cycle, options["alpha"], options["beta"], options["r1"]
    given = f"alpha={alpha:g}, beta={beta:g}, r1={r1:g}"
    if sum(x < 0 for x in (alpha, beta, r1)) != 1:
        raise JumpnetError(f"onoff: {given} found, exactly one of them left open (-1) expected")
    if rate == 0.0:
        return np.zeros(4, np.int64)
    if alpha < 0:
        alpha = beta * rate / (r1 - rate) if r1 > rate else 2.0
    elif beta < 0:
        beta = alpha * (r1 - rate) / rate
    else:
        r1 = rate * (alpha + beta) / alpha if alpha > 0 else 2.0
    if not (0 < alpha <= 1 and 0 <= beta <= 1 and 0 < r1 <= 1):
        raise JumpnetError(f"onoff: {given} found, such that {rate:g} packets a cycle are possible expected")
    silence = 1 / alpha + 1 / rate
    if silence > LONGEST_SILENCE:
        raise JumpnetError(
            f"onoff: {silence:.3g} cycles between bursts found ({given}, {rate:g} packets a cycle), "
            f"at most {LONGEST_SILENCE} expected: every cycle of every source is drawn"
        )
    shares = [alpha, beta, r1, alpha / (alpha + beta)]
    return np.array([min(int(x * SCALE), SCALE - 1) for x in shares], np.int64)


ONOFF = Process(
    name="onoff",
    advance=advance,
    prepare=_prepare,
    options={"alpha": 0.5, "beta": 0.5, "r1": -1.0},
    meanings={
        "alpha": "Probability a cycle that an off source turns on; -1: what the rate asks for.",
        "beta": "Probability a cycle that an on source turns off; -1: what the rate asks for.",
        "r1": "Probability of a packet in a cycle that is on; -1: what the rate asks for.",
    },
    source="Dally and Towles, section 24.2.2",
    summary="bursts: packets only while a two-state chain is on",
)
