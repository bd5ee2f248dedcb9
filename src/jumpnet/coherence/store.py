"""Empty set-associative stores, and their shapes: caches, translation buffers, pruning caches of both machines.

The kernels that use them are in `recent`. Called by `functional` and the timed machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.coherence.recent import EMPTY
from jumpnet.errors import JumpnetError, written
from jumpnet.memory import require

__all__ = ["BUFFERS", "empty_buffer", "empty_store", "pair_of"]

BUFFERS = ("a first translation stage", "a second translation stage", "a pruning cache")
"""What messages call them."""

MOST_WAYS, FEW_WAYS = 64, 8
"""Translation buffers and pruning caches search all entries up to 64, and have 8 ways above."""


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def pair_of(what: str, value: tuple[int, int] | None) -> tuple[int, int]:
    """Two numbers of a setting, both 0 for None. Raises JumpnetError for anything else.

    >>> pair_of("caches", (16384, np.int64(4))), pair_of("caches", None)
    ((16384, 4), (0, 0))
    """
    if value is None:
        return 0, 0
    if not (isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_whole, value))):
        raise JumpnetError(f"{what} {written(value):.80} found, two whole numbers or None expected")
    return int(value[0]), int(value[1])


def empty_store(owners: int, entries: int, ways: int, what: str) -> tuple[Any, int, int]:
    """An empty store for each owner, one flat array int64, its ways and the sets of one owner; no ways for 0 entries.

    Raises JumpnetError where the sets are no power of two, or do not fit in memory. Cost: O(owners * entries).

    >>> store, ways, sets = empty_store(3, 8, 2, "a cache")
    >>> len(store), ways, sets
    (24, 2, 4)
    """
    if entries == 0:
        return np.zeros(0, np.int64), 0, 1
    sets = entries // max(ways, 1)
    if ways < 1 or sets < 1 or sets * ways != entries or sets & (sets - 1):
        raise JumpnetError(f"{what} of {entries} entries in {ways} ways found, a power of two of sets expected")
    require(8 * owners * entries, f"{owners} times {what} of {entries} entries")
    return np.full(owners * entries, EMPTY, np.int64), ways, sets


def empty_buffer(owners: int, entries: int, what: str) -> tuple[Any, int, int]:
    """The same for a buffer whose ways follow from its entries: all of them up to 64, 8 above.

    >>> empty_buffer(1, 64, "a buffer")[1:], empty_buffer(1, 128, "a buffer")[1:]
    ((64, 1), (8, 16))
    """
    if entries < 0:
        raise JumpnetError(f"{what} of {entries} entries found, 0 or more expected")
    return empty_store(owners, entries, entries if entries <= MOST_WAYS else FEW_WAYS, what)
