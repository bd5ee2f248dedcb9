"""Kernels of set-associative stores with least recent replacement: caches, translation buffers, the pruning cache.

A store is one array (sets of all owners, ways) int64, the most recent entry of a set first; an entry is 2 * tag + mark,
EMPTY where there is none. Naive twin: ordered dictionaries in tests/naive/functional.py. Called by `functional` and
the timed machine; `store` makes them.
"""

from __future__ import annotations

from jumpnet.jit.linked import inlined, kernel

__all__ = ["EMPTY", "enter", "holds", "look_up", "remove", "touch"]

EMPTY = -1


@kernel
def touch(store, row, tag):
    """Whether a set holds a tag, which becomes its most recent one."""
    for w in range(store.shape[1]):
        if store[row, w] >> 1 == tag:
            found = store[row, w]
            for v in range(w, 0, -1):
                store[row, v] = store[row, v - 1]
            store[row, 0] = found
            return True
    return False


@kernel
def enter(store, row, tag):
    """Make a tag the most recent one of a set, unmarked; returns the entry that falls out."""
    last = store.shape[1] - 1
    out = store[row, last]
    for v in range(last, 0, -1):
        store[row, v] = store[row, v - 1]
    store[row, 0] = 2 * tag
    return out


@kernel
def holds(store, row, tag):
    """Whether a set holds a tag; the order stays."""
    found = False
    for w in range(store.shape[1]):
        found = found or store[row, w] >> 1 == tag
    return found


@kernel
def remove(store, row, tag):
    """Take a tag out of a set, where it is in it."""
    last = store.shape[1] - 1
    for w in range(last + 1):
        if store[row, w] >> 1 == tag:
            for v in range(w, last):
                store[row, v] = store[row, v + 1]
            store[row, last] = EMPTY
            return


@inlined
def look_up(store, sets, owner, tag):
    """Whether a store of its owner holds a tag; it does afterwards."""
    row = owner * sets + (tag & (sets - 1))
    found = touch(store, row, tag)
    if not found:
        enter(store, row, tag)
    return found
