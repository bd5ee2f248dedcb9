"""Radix sort of whole numbers: every pass counts digits, adds up the counts, and moves every key to its place, which is
anywhere in the other array (structure of SPLASH-2 RADIX, Woo et al., ISCA 1995).

Per pass: each processor counts the digits of its keys; barrier; each adds up the counts of its share of the digits over
all processors; barrier; each adds what the shares before its own hold; barrier; each moves its keys; barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.jit.random import draws63, stream_key
from jumpnet.machine.workload._recorder import LONGEST_PIECE, Shared, Space, inlined, load, runner, store
from jumpnet.machine.workload._workload import Program, Workload, shares

__all__ = ["Radix"]

SEED = 1995


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    keys: Shared
    """(2 * n,) two arrays of keys, read and written in turn."""
    place: Shared
    """(P, radix) counts, then the place of each processor's next key with that digit."""
    total: Shared
    """(P,) keys with a digit of each processor's share."""
    n: int
    bits: int
    """Bits of a digit."""
    first_key: Any
    """(P + 1,) shares of keys."""
    first_digit: Any
    """(P + 1,) shares of digits."""


@inlined
def count(t, s, p, k, source, shift):
    """Clear this processor's counts, then count its keys, as many of them as a piece has room for; False for none."""
    radix = 1 << s.bits
    most = (LONGEST_PIECE - radix) // 3
    first, stop = s.first_key[p] + k * most, s.first_key[p + 1]
    if k == 0:
        for d in range(radix):
            store(t, p, s.place, p * radix + d, 0)
    elif first >= stop:
        return False
    for i in range(first, min(first + most, stop)):
        d = p * radix + ((load(t, p, s.keys, source + i) >> shift) & (radix - 1))
        store(t, p, s.place, d, load(t, p, s.place, d) + 1)
    return True


@inlined
def add_up(t, s, p, d, before):
    """Digit d: how many such keys the processors before each one have, `before` more added; all of them returned."""
    for q in range(len(s.first_key) - 1):
        i = (q << s.bits) + d
        here = load(t, p, s.place, i)
        store(t, p, s.place, i, before)
        before += here
    return before


@inlined
def shift_share(t, s, p, d, by):
    """Digit d: all places later by so many."""
    for q in range(len(s.first_key) - 1):
        i = (q << s.bits) + d
        store(t, p, s.place, i, load(t, p, s.place, i) + by)


def turn(t, s, phase, p, k):
    """The k-th key, digit or share of processor p in this phase."""
    radix, part = 1 << s.bits, phase % 4
    source = phase // 4 % 2 * s.n
    shift = phase // 4 * s.bits
    if part == 0:
        return count(t, s, p, k, source, shift)
    if part == 3:
        i = s.first_key[p] + k
        if i >= s.first_key[p + 1]:
            return False
        key = load(t, p, s.keys, source + i)
        d = p * radix + ((key >> shift) & (radix - 1))
        place = load(t, p, s.place, d)
        store(t, p, s.place, d, place + 1)
        store(t, p, s.keys, s.n - source + place, key)
        return True
    d = s.first_digit[p] + k
    if d >= s.first_digit[p + 1]:
        return False
    if part == 1:
        before = 0 if k == 0 else load(t, p, s.total, p)
        store(t, p, s.total, p, add_up(t, s, p, d, before))
        return True
    before = 0
    for q in range(p):
        before += load(t, p, s.total, q)
    shift_share(t, s, p, d, before)
    return True


@dataclass(frozen=True)
class Radix(Workload):
    """`radix:processors=32,n=32768,bits=8,passes=2`."""

    name: ClassVar[str] = "radix"
    summary: ClassVar[str] = "radix sort; every pass moves keys anywhere"
    small: ClassVar[str] = "radix:processors=5,n=500,bits=4"
    checks: ClassVar[str] = "keys not where sorting puts them:"
    tolerance: ClassVar[float] = 0.0

    processors: int = 32
    n: int = 32768
    """Keys."""
    bits: int = 8
    """Bits of a digit."""
    passes: int = 2
    """Digits of a key."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("n", self.n <= 1 << 24, "at most 2**24")
        self.require("bits", self.bits <= 10, "1 to 10")
        self.require("passes", self.bits * self.passes <= 62, f"at most {62 // self.bits} passes of {self.bits} bits")

    def program(self) -> Program:
        """n keys of bits * passes bits drawn with a fixed seed, room for as many more, and counts of digits."""
        values = draws63(stream_key(SEED, 0), np.arange(self.n)) >> (63 - self.bits * self.passes)
        space = Space()
        processors, radix = self.processors, 1 << self.bits
        arrays = Arrays(
            space.array(np.concatenate([values, np.zeros_like(values)])),
            space.array(np.zeros(processors * radix, np.int64)),
            space.array(np.zeros(processors, np.int64)),
            self.n,
            self.bits,
            shares(self.n, processors),
            shares(radix, processors),
        )

        def error() -> float:
            at = self.passes % 2 * self.n
            return float((arrays.keys.data[at : at + self.n] != np.sort(values)).sum())

        return Program(RUN, arrays, space.array(np.zeros(1)), processors, 4 * self.passes, error)


RUN: Any = runner(inlined(turn))
