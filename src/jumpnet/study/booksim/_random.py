"""Knuth's lagged subtraction generator, from which BookSim2 draws: the same numbers for the same seed.

Source: Knuth, The Art of Computer Programming, volume 2, 3rd edition with the changes of its 9th printing, section 3.6
and exercise 3.6-15. x[j] = x[j - 100] - x[j - 37] modulo 2^30, of every 1009 numbers the first 100. Used by
`_destinations`.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["random_numbers"]

LONG, SHORT = 100, 37
"""The lags."""
MODULUS = 1 << 30
MADE, TAKEN = 1009, 100
"""Numbers that are made at a time, and how many of them are given out."""
STREAM_BITS = 70
WARM_UP_ROUNDS = 10


def _next(state: list[int], count: int) -> list[int]:
    """So many numbers from a state on, which is left as it is after them."""
    made = list(state)
    for j in range(LONG, LONG + count):
        made.append((made[j - LONG] - made[j - SHORT]) % MODULUS)
    state[:] = made[count:]
    return made[:count]


def _squared(x: list[int]) -> list[int]:
    """The square of a polynomial of that generator's ring."""
    wide = [0] * (2 * LONG - 1)
    wide[::2] = x
    for j in range(2 * LONG - 2, LONG - 1, -1):
        wide[j - (LONG - SHORT)] = (wide[j - (LONG - SHORT)] - wide[j]) % MODULUS
        wide[j - LONG] = (wide[j - LONG] - wide[j]) % MODULUS
    return wide[:LONG]


def _times_z(x: list[int]) -> list[int]:
    """A polynomial of the ring, times z."""
    shifted = [x[-1], *x[:-1]]
    shifted[SHORT] = (shifted[SHORT] - x[-1]) % MODULUS
    return shifted


def _started(seed: int) -> list[int]:
    x, bits = [], (seed + 2) & (MODULUS - 2)
    for _ in range(LONG):
        x.append(bits)
        bits <<= 1
        if bits >= MODULUS:
            bits -= MODULUS - 2
    x[1] += 1
    bits, rounds = seed & (MODULUS - 1), STREAM_BITS - 1
    while rounds:
        x = _squared(x)
        if bits & 1:
            x = _times_z(x)
        if bits:
            bits >>= 1
        else:
            rounds -= 1
    state = [0] * LONG
    state[LONG - SHORT :], state[: LONG - SHORT] = x[:SHORT], x[SHORT:]
    for _ in range(WARM_UP_ROUNDS):
        _next(state, 2 * LONG - 1)
    return state


def random_numbers(seed: int) -> Iterator[int]:
    """Numbers in 0..2^30 - 1 without end.

    The test value of Knuth's program, its number 1009 x 2010 without leaving any out:

    >>> state = _started(310952)
    >>> [_next(state, 1009)[0] for _ in range(2010)][-1]
    995235265
    """
    state = _started(seed)
    while True:
        yield from _next(state, MADE)[:TAKEN]
