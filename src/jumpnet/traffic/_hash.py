"""Counter-based random numbers for choices made once, when a pattern is bound: SplitMix64 of (seed, index).

Used by `hotspot` and `random_permutation`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.random import mix_words
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
        return mix_words(z)
