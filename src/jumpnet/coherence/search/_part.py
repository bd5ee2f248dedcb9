"""What one thread of the search works with, all its room made beforehand. Made by `states` for the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.terms import I32, I64, Array

__all__ = ["BLOCK", "FIRST", "LONGEST_PATH", "NEXT_ONE", "WRITTEN", "Part", "new_part"]

NEXT_ONE, END, WRITTEN, FIRST = 0, 1, 2, 3
LONGEST_PATH = 256
BLOCK = 8
"""States whose ways on are made before one of them is looked for."""
RECENT = 1 << 14


class Part(NamedTuple):
    """Some states in a row to go on from, and what was met after them."""

    counts: I64
    """The next state to go on from, the end, how many of `fresh` are written, the first."""
    ways: I64
    """(C,) ways on from each state, the first one's first."""
    fresh: Array
    """(F, W) uint64 states that were not found before, in order; some stand twice."""
    parent: I32
    """(F,) what each comes from."""
    fresh_hashes: Array
    """(F, 2) uint64 of each, as `marks` has them."""
    recent: I32
    """(RECENT,) numbers in `fresh` by hash, so that few stand twice."""
    made: I64
    """(K, 3) ways on, as `_successors.successors` has them."""
    hashes: Array
    """(K, 2) uint64: their sums, then as `marks` has them."""
    source: I64
    """(K,) the states before them."""
    now: I64
    """(n,) caches of the state that is gone on from."""
    caches: I64
    """(n,) caches after a step."""
    home: I64
    """(HOME,) by `codes`."""
    note: I64
    """(2,) what of the tables is missing."""
    after: Array
    """(K, W) uint64 the states after them, those that were made."""
    path: Array
    """(LONGEST_PATH, W) uint64, states one after the other."""
    places: I64
    """(LONGEST_PATH,) their slots."""


def new_part(caches: int, most: int, states: int, fresh: int) -> Part:
    """Room for so many states of that many caches, with at most `most` ways on, and for what is met."""
    words, block = caches // 4 + 1, BLOCK * most
    room = fresh + block
    return Part(
        counts=np.zeros(4, np.int64), ways=np.zeros(states, np.int64),
        fresh=np.zeros((room, words), np.uint64), parent=np.zeros(room, np.int32),
        fresh_hashes=np.zeros((room, 2), np.uint64), recent=np.zeros(RECENT, np.int32),
        made=np.zeros((block, 3), np.int64), hashes=np.zeros((block, 2), np.uint64), source=np.zeros(block, np.int64),
        now=np.zeros(caches, np.int64), caches=np.zeros(caches, np.int64), home=np.zeros(at.HOME, np.int64),
        note=np.zeros(2, np.int64), after=np.zeros((block, words), np.uint64),
        path=np.zeros((LONGEST_PATH, words), np.uint64), places=np.zeros(LONGEST_PATH, np.int64),
    )  # fmt: skip
