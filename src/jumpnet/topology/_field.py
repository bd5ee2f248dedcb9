"""Finite fields GF(q) for the families that are defined over one: addition and multiplication as tables.

Elements are 0..q-1; for q = p^m an element's base-p digits are the coefficients of its polynomial. Used by `slimfly`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.terms import I64

__all__ = ["Field", "field", "prime_power"]


class Field(NamedTuple):
    """GF(q) with a primitive element: `power[i]` is its i-th power."""

    q: int
    p: int
    """Characteristic: q is a power of this prime."""
    add: I64
    """(q, q) sums."""
    mul: I64
    """(q, q) products."""
    neg: I64
    """(q,) additive inverses."""
    power: I64
    """(q-1,) powers of the primitive element, exponents 0..q-2: every element but 0, once."""


def prime_power(q: int) -> tuple[int, int] | None:
    """(p, m) with q = p^m and p prime, or None.

    >>> prime_power(9), prime_power(12)
    ((3, 2), None)
    """
    if q < 2:
        return None
    p = next((d for d in range(2, int(q**0.5) + 1) if q % d == 0), q)
    m = 0
    while q % p == 0:
        q //= p
        m += 1
    return (p, m) if q == 1 else None


def _powers_of_x(p: int, m: int, low: tuple[int, ...]) -> list[int]:
    """Powers of x modulo the monic polynomial x^m + low (coefficients of 1, x, ..) until they return to 1; [] at 0."""
    power = [1]
    digits = [1] + [0] * (m - 1)
    while True:
        top = digits[-1]
        digits = [(a - top * b) % p for a, b in zip([0, *digits[:-1]], low, strict=True)]
        value = sum(a * p**i for i, a in enumerate(digits))
        if value in (0, 1) or len(power) == p**m:
            return power if value == 1 else []
        power.append(value)


def field(q: int) -> Field:
    """GF(q) by its first primitive polynomial. Raises JumpnetError unless q is a prime power. Cost: O(q^2).

    >>> f = field(9)
    >>> len(set(f.power.tolist())), int(f.add[1, f.neg[1]])
    (8, 0)
    """
    found = prime_power(q)
    if found is None:
        raise JumpnetError(f"q={q} found, a prime power expected")
    p, m = found
    power: list[int] = []
    for code in range(1, q):
        low = tuple(code // p**i % p for i in range(m))
        power = _powers_of_x(p, m, low)
        if len(power) == q - 1:
            break
    # Addition digit by digit; multiplication by adding exponents.
    digits = np.stack([np.arange(q) // p**i % p for i in range(m)], axis=1)
    weights = p ** np.arange(m)
    add = ((digits[:, None] + digits[None]) % p @ weights).astype(np.int64)
    exponent = np.zeros(q, np.int64)
    exponent[power] = np.arange(q - 1)
    powers = np.array(power, np.int64)
    mul = powers[(exponent[:, None] + exponent[None]) % (q - 1)]
    mul[0, :] = mul[:, 0] = 0
    return Field(q, p, add, mul, ((-digits) % p @ weights).astype(np.int64), powers)
