"""Locks held before a trace begins, and locks that processors hand over: argued by hand, and what cannot be."""

from __future__ import annotations

import pytest
from tests.twin.machine.timed.twin import assert_equal_the_naive_twin, made_trace

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.machine import Costs, Design, run_machine
from jumpnet.machine.timed.streams import streams_of

LOCK, UNLOCK, CONDITION = 2, 3, 5
SHORT = 5 + 4
"""A message without data, at a latency of 5."""


def _at(p, kind, address=1 << 20):
    return (p, address, 4, True, kind)


def _reads(p, lines):
    """Reads of lines at home, 1 + 10 cycles each."""
    return [(p, (p + 1) << 13 | 32 * k, 4, False, 0) for k in range(lines)]


def _run(rows, processors=2, **design):
    return assert_equal_the_naive_twin(streams_of(made_trace(rows, processors)), processors, Design(**design), 5)


def test_a_lock_that_is_held_at_the_start_argued_by_hand() -> None:
    # Processor 0 gives back what it took before the trace begins, and takes it again as anybody does.
    rows = [*_reads(0, 4), _at(0, UNLOCK), _at(1, LOCK), _at(1, UNLOCK), _at(0, LOCK)]
    found = _run(rows)
    # The other's lock comes at 20, is handled from 22, after the second read, to 32, and waits; the third read, asked
    # for at 23, is turned to as late.
    assert 11 + 1 <= 1 + 10 + SHORT < 22
    read = 4 * 11 + (32 - 23)
    free = read + 1 + 10
    # Then it goes to the other, which gives it back at once; processor 0 has asked meanwhile.
    taken = free + SHORT + 10
    back = taken + 1 + 10 + SHORT + 10
    assert found.cycles == back and found.sync_stall * 2 == (taken - 1) + (back - (read + 2))
    assert [found.messages[kind] for kind in ("lock", "grant", "unlock")] == [1, 1, 1]


@pytest.mark.parametrize("early", [False, True])
def test_a_lock_that_is_handed_over_argued_by_hand(early) -> None:
    # Processor 0 takes it, free at first; processor 1 gives it back after some time, and processor 0 takes it again.
    # Where it reads meanwhile, the giving back comes at 53, is handled from 55 on, after the fourth read, to 65, and
    # the fifth read, asked for at 56, is turned to as late.
    rows = [_at(0, LOCK), *_reads(0, 9 if early else 0), *_reads(1, 3), _at(1, UNLOCK), _at(0, LOCK)]
    found = _run(rows)
    first = 1 + 10
    given = 3 * 11 + 1 + 10 + SHORT + 10
    asked = first + (9 * 11 + (65 - 56) if early else 0) + 1 + 10
    assert (asked > given) == early
    assert found.cycles == max(asked, given)
    assert [found.messages[kind] for kind in ("lock", "grant", "unlock")] == [0, 0, 1]


@pytest.mark.parametrize("synchronisation", ["message", "free", "line"])
def test_each_taking_waits_for_the_giving_back_before_it_in_the_trace(synchronisation) -> None:
    # A lock held at the start is given back twice, before processor 2 has taken it once; and processor 3, which is
    # there first, takes it the second time. A lock of its own is given up by a condition, not what was handed over.
    pause = [_at(1, UNLOCK), *_reads(2, 20), _at(2, LOCK), *_reads(2, 1), _at(1, UNLOCK), _at(3, LOCK)]
    own = [_at(0, LOCK, 64), _at(0, CONDITION, 128), _at(0, UNLOCK, 64)]
    rows = [own[0], _at(1, UNLOCK, 192), _at(0, LOCK, 192), *own[1:], _at(1, CONDITION, 128), _at(1, CONDITION, 128)]
    streams = streams_of(made_trace([*pause, *rows, _at(1, UNLOCK, 192)], 4))
    found = assert_equal_the_naive_twin(streams, 4, Design(synchronisation=synchronisation), 5)
    assert found.cycles < 1000 and sorted(streams.members.tolist()).count(0) == 2


@pytest.mark.parametrize("synchronisation", ["message", "free"])
def test_flags_that_open_in_another_order_than_in_the_trace(synchronisation) -> None:
    # Processors 1 to 4 give the lock back once each, after so many reads: the fourth time first, then the second, third
    # and first time. Processor 0 takes what is open already at once, once the first is.
    reads = (30, 12, 20, 4)
    rows = [row for p, count in enumerate(reads, 1) for row in (*_reads(p, count), _at(p, UNLOCK), _at(0, LOCK))]
    free = {"synchronisation": "free"}
    alone, found = (_run(some, 5, **free) for some in ([*_reads(1, 30), _at(1, UNLOCK), _at(0, LOCK)], rows))
    assert found.cycles == alone.cycles + 3  # a cycle for each taking that need not wait
    assert found.sync_stall == alone.sync_stall
    assert _run(rows, 5, synchronisation=synchronisation).messages["unlock"] == (3 if synchronisation != "free" else 0)


def test_what_nobody_takes_may_be_given_back_again_and_again() -> None:
    assert _run(3 * [_at(0, UNLOCK)]).messages["unlock"] == 0  # all at its own node
    assert _run([_at(0, UNLOCK, 64), *(_at(1, UNLOCK, 64) for _ in range(2))]).messages["unlock"] == 2


def test_more_messages_in_a_row_than_there_is_room_for_argued_by_hand() -> None:
    # One a cycle, all before the home is through with the first: each waits for those before it.
    count, occupancy = 20_000, 1_000_000
    streams = streams_of(made_trace(count * [_at(0, UNLOCK)], 1))
    found = run_machine(streams, latency_cycles=5, costs=Costs(occupancy_cycles=occupancy))
    assert found.cycles == count and found.node_wait_mean == (count - 1) / 2 * (occupancy - 1)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [*_reads(0, 3), _at(0, LOCK), _at(0, UNLOCK), _at(1, UNLOCK)],
            r"made: record 5: processor 1 gives back a lock that is free, at address 0x100000, last used at record 4$",
        ),
        (
            [_at(0, UNLOCK), _at(0, UNLOCK), _at(1, LOCK)],
            r"record 1: processor 0 gives back a lock that is free, .* last used at record 0$",
        ),
        (
            [_at(0, LOCK), _at(1, UNLOCK), _at(0, LOCK), _at(1, LOCK)],
            r"record 3: processor 1 takes a lock that 0 holds, .* last used at record 2$",
        ),
    ],
)
def test_locks_that_cannot_be_are_refused(rows, words) -> None:
    with pytest.raises(JumpnetError, match=words):
        streams_of(made_trace(rows, 2))
