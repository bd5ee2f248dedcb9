"""Free rows dealt out to threads and joined again: none is lost or twice there, beside a plain list for each thread."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jumpnet.sim.engine.free_lists import FreeLists
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, PACKET_ROW

FOLLOWING = PACKET_ROW.following


def _memory(rows: int, rng: np.random.Generator) -> Any:
    """A table of free rows in no order."""
    order = rng.permutation(rows) * at.PACKET_FIELDS
    packet = np.full((rows, at.PACKET_FIELDS), -7, np.int32)
    packet[order[:-1] // at.PACKET_FIELDS, FOLLOWING] = order[1:]
    packet[order[-1] // at.PACKET_FIELDS, FOLLOWING] = -1
    counter = np.zeros(at.COUNTERS, np.int64)
    counter[COUNTER.free] = order[0]
    return SimpleNamespace(packet=packet, counter=counter)


def _walk(packet: Any, first: int) -> list[int]:
    found, p = [], int(first)
    while p >= 0 and len(found) <= len(packet):
        found.append(p)
        p = int(packet[p // at.PACKET_FIELDS, FOLLOWING])
    return found


def _take(packet: Any, first: int) -> tuple[int, int]:
    return first, int(packet[first // at.PACKET_FIELDS, FOLLOWING])


def _give_back(packet: Any, first: int, row: int) -> int:
    packet[row // at.PACKET_FIELDS, FOLLOWING] = first
    return row


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_rows_are_dealt_out_and_come_back(threads: int) -> None:
    """Threads that take and give back at random, one of them mostly gives, so that lists are cut anew now and then."""
    rng = np.random.default_rng(threads)
    room = 4
    state, lists, held = _memory(120, rng), FreeLists(threads), list[int]()
    cut_anew = 0
    for turn in range(200):
        before = set(_walk(state.packet, state.counter[COUNTER.free]))
        expected = lists.counts.copy()
        firsts = lists.deal(state, room)
        cut_anew += bool((lists.counts != expected).any())
        each = [_walk(state.packet, first) for first in firsts]
        assert [len(rows) for rows in each] == lists.counts.tolist()
        assert min(map(len, each)) >= room
        assert sorted(row for rows in each for row in rows) == sorted(before)
        taken = np.zeros(threads, np.int64)
        for k in range(threads):
            for _ in range(int(rng.integers(0, 12))):
                if held and (rng.random() < 0.5 if k else rng.random() < 0.9):
                    row = held.pop(int(rng.integers(len(held))))
                    firsts[k], taken[k] = _give_back(state.packet, firsts[k], row), taken[k] - 1
                elif lists.counts[k] - taken[k] > 1 and len(held) < 120 - 2 * threads * room:
                    row, firsts[k] = _take(state.packet, firsts[k])
                    held.append(row)
                    taken[k] += 1
        lists.join(state, firsts, taken)
        state.counter[COUNTER.packets] += taken.sum()
        if turn % 17 == 5 and held:  # another takes a packet out meanwhile
            first = int(state.counter[COUNTER.free])
            state.counter[COUNTER.free] = _give_back(state.packet, first, held.pop())
            state.counter[COUNTER.packets] -= 1
        if turn % 23 == 7:  # or the table is another one
            state.packet = state.packet.copy()
        assert len(_walk(state.packet, state.counter[COUNTER.free])) == 120 - len(held)
    assert 10 < cut_anew < 190
