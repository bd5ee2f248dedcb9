"""Stores with least recent replacement against lists: every operation, on two sets of one store."""

from __future__ import annotations

import random

import numpy as np
import pytest

from jumpnet.coherence.recent import EMPTY, enter, holds, remove, touch

WHAT = ["touch", "enter", "enter", "holds", "remove", "mark"]


@pytest.mark.parametrize("ways", [1, 2, 3, 4])
def test_every_operation_is_that_of_a_list(ways):
    draw = random.Random(ways)
    steps = [(draw.choice(WHAT), draw.randrange(2), draw.randrange(6)) for _ in range(600)]
    store = np.full(2 * ways, EMPTY, np.int64)
    lists = [[], []]  # entries of each set, the most recent one first
    for what, row, tag in steps:
        mine, first = lists[row], row * ways
        found = [entry for entry in mine if entry // 2 == tag]
        if what == "touch":
            assert touch(store, first, ways, tag) == bool(found)
            mine[:] = found + [entry for entry in mine if entry not in found]
        elif what == "enter" and not found:
            assert enter(store, first, ways, tag) == (mine.pop() if len(mine) == ways else EMPTY)
            mine.insert(0, 2 * tag)
        elif what == "holds":
            assert holds(store, first, ways, tag) == bool(found)
        elif what == "remove":
            remove(store, first, ways, tag)
            mine[:] = [entry for entry in mine if entry not in found]
        elif what == "mark" and mine:
            mine[0] |= 1
            store[first] |= 1
        assert store.reshape(2, ways).tolist() == [each + [EMPTY] * (ways - len(each)) for each in lists]
