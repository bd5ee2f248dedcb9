"""Kernels of set-associative stores with least recent replacement: caches, translation buffers, the pruning cache.

A store is one flat array int64, sets of all owners of so many ways each, the most recent entry of a set first; an entry
is 2 * tag + mark, EMPTY where there is none. A set is named by where its first entry lies. Naive twin: lists in
tests/twin/coherence/test_recent.py. Called by `caches` and both machines; `store` makes them.
"""

import numpy as np

from jumpnet.jit.linked import inlined, kernel

__all__ = ["EMPTY", "enter", "holds", "index_of", "look_up", "remove", "touch"]

EMPTY = -1


@inlined
def index_of(w):
    """A place in a store, never below 0, as an index: compiled code asks a signed one for its sign each time."""
    return np.uint64(w)


@kernel
def touch(store, first, ways, tag):
    """Whether a set holds a tag, which becomes its most recent one."""
    for w in range(first, first + ways):
        found = store[index_of(w)]
        if found >> 1 == tag:
            for v in range(w, first, -1):
                store[index_of(v)] = store[index_of(v - 1)]
            store[index_of(first)] = found
            return True
    return False


@kernel
def enter(store, first, ways, tag):
    """Make a tag the most recent one of a set, unmarked; returns the entry that falls out."""
    last = first + ways - 1
    out = store[index_of(last)]
    for v in range(last, first, -1):
        store[index_of(v)] = store[index_of(v - 1)]
    store[index_of(first)] = 2 * tag
    return out


@kernel
def holds(store, first, ways, tag):
    """Whether a set holds a tag; the order stays."""
    found = False
    for w in range(first, first + ways):
        found = found or store[index_of(w)] >> 1 == tag
    return found


@kernel
def remove(store, first, ways, tag):
    """Take a tag out of a set, where it is in it."""
    last = first + ways - 1
    for w in range(first, last + 1):
        if store[index_of(w)] >> 1 == tag:
            for v in range(w, last):
                store[index_of(v)] = store[index_of(v + 1)]
            store[index_of(last)] = EMPTY
            return


@inlined
def look_up(store, ways, sets, owner, tag):
    """Whether a store of its owner holds a tag; it does afterwards."""
    first = (owner * sets + (tag & (sets - 1))) * ways
    found = touch(store, first, ways, tag)
    if not found:
        enter(store, first, ways, tag)
    return found
