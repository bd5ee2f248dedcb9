"""Counter-based random numbers for choices made once, when a pattern is bound: SplitMix64 of (seed, index).

Used by `hotspot` and `random_permutation`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.terms import Array

__all__ = ["hash_draws"]


def hash_draws(seed: int, count: int) -> Array:
    """(count,) uint64 numbers that depend on (seed, index) alone, equal on every machine.

    >>> bool((hash_draws(1, 4)[:2] == hash_draws(1, 2)).all())
    True
    """
    with np.errstate(over="ignore"):
        z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z += np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
