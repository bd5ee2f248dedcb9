"""Kernels: hashes of states, sums of a random word for each record, so that a step changes them by what it changes.

A state has 4 W lanes of 16 bits, the home's first (`_steps`). Each lane gives two random words, and the hash is their
sums over all lanes (tabulation hashing with sums). Caches that are interchangeable count alike in every place, so their
order does not matter; where they are told apart, each place has a factor of its own. Called by `_successors` and
`_slots`; its twin is tests/naive/compaction.py.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.jit.random import mix_words
from jumpnet.terms import Array

__all__ = ["crossed", "lane_sums", "lane_weights", "place_factors", "stirred"]

LANES = 1 << 16
STEP = 0x9E3779B97F4A7C15
"""Of SplitMix64."""
MASK = np.uint64(0xFFFF)


def _drawn(begin: int, many: int) -> Array:
    """So many random words (SplitMix64), from a place in its sequence on."""
    return mix_words((np.arange(begin, begin + many, dtype=np.uint64) + np.uint64(1)) * np.uint64(STEP))


def lane_weights(salt: int) -> Array:
    """(LANES, 2) uint64: two random words for each number that a lane may hold; salt: which ones."""
    return _drawn(salt * 2 * LANES, 2 * LANES).reshape(LANES, 2)


def place_factors(words: int, apart: bool) -> Array:
    """(4 * words,) uint64, odd: what each lane's words are multiplied by; caches have 1 unless they are told apart."""
    factors = _drawn(0, 4 * words) | np.uint64(1)
    if not apart:
        factors[1:] = 1
    return factors


@kernel
def lane_sums(found, state):
    """The two sums of a state (W,) uint64."""
    first, second = np.uint64(0), np.uint64(0)
    for w in range(state.size):
        word = state[w]
        for k in range(4):
            lane, factor = word >> np.uint64(16 * k) & MASK, found.factors[4 * w + k]
            first += factor * found.weights[lane, 0]
            second += factor * found.weights[lane, 1]
    return first, second


@kernel
def stirred(word):
    """64 bits that differ in about half their places where words differ (the last steps of MurmurHash3)."""
    h = (word ^ (word >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    h = (h ^ (h >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return h ^ (h >> np.uint64(33))


@kernel
def crossed(first, second):
    """Both sums in one word, so that two states have one only where neither sum tells them apart, or by chance."""
    return second ^ (first << np.uint64(32) | first >> np.uint64(32))
