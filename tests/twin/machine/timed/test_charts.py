"""The timed machine: cycles of single references, argued by hand from the messages that they take."""

from __future__ import annotations

import pytest
from tests.tiny.protocols import LAST, LAST_OWNER, PASSING, THROUGH
from tests.twin.machine.timed.twin import assert_equal_the_naive_twin, made_trace

from jumpnet.coherence.protocol import register
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.machine import Costs, Design, run_machine
from jumpnet.machine.timed.streams import streams_of


def test_a_read_miss_argued_by_hand() -> None:
    # Processor 0 touches the line first and is its home; then processor 1 reads it: asks (occupancy), message,
    # home (occupancy), message with data, own processor (occupancy).
    rows = [(0, 0, 4, False, 0), *((p, 1 << 20, 4, True, 4) for p in (0, 1)), (1, 0, 4, False, 0)]
    costs = Costs(occupancy_cycles=10, sync_cycles=20)
    found = run_machine(streams_of(made_trace(rows, 2)), costs=costs, latency_cycles=5, synchronisation="free")
    first = 1 + 10
    barrier = first + 1 + 20
    assert found.cycles == barrier + 1 + 10 + (5 + 4) + 10 + (5 + 12) + 10
    assert found.messages["data"] == found.messages["done"] == found.messages["read request"] == 1
    assert (found.read_stall, found.sync_stall) == ((10 + 56) / 2, (20 + barrier - 1) / 2)


@pytest.mark.parametrize("protocol", ["msi", "mesi", "moesi", "dragon"])
def test_two_writers_and_a_reader_argued_by_hand(protocol) -> None:
    # Node 0 is the home; nodes 1 and 2 write a line, and node 1 reads it. The acknowledge of node 1 brings the line.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(3)]
    rows = [(0, 0, 4, False, 0), *meet, (1, 64, 4, True, 0), *meet, (2, 64, 4, True, 0), *meet, (1, 64, 4, False, 0)]
    found = run_machine(
        streams_of(made_trace(rows, 3)), latency_cycles=5, protocol=protocol, directory="line", synchronisation="free"
    )
    short, word, line = 5 + 4, 5 + 5, 5 + 12
    asks = word if protocol == "dragon" else short  # an update brings the word
    first = 10 + asks + 10 + line + 10
    second = 10 + asks + 10 + asks + 10 + line + 10 + line + 10
    assert round(found.write_stall * 3) == first + second
    # Dragon's node 1 has kept its copy; the others fetch the line from node 2.
    missed = 0 if protocol == "dragon" else 10 + short + 10 + short + 10 + line + 10 + line + 10
    assert round(found.read_stall * 3) == 10 + missed
    assert found.destinations_histogram == {1: 1}


@pytest.mark.parametrize("pointers", [2, 3])
def test_a_writer_whose_home_has_no_pointer_left_argued_by_hand(pointers) -> None:
    """Nodes 1 and 2 read a line of node 0, one after the other, then node 3 writes it under update.

    With two pointers node 1 is told that its copy goes, and acknowledges; then node 2 is told of the word alone. With
    three both are told of it, their acknowledges are handled one after the other, and node 3 has the third.
    """
    meet = [(p, 1 << 20, 4, True, 4) for p in range(4)]
    rows = [(0, 0, 4, False, 0), *meet, (1, 64, 4, False, 0), *meet, (2, 64, 4, False, 0), *meet, (3, 64, 4, True, 0)]
    rows += [*meet, (1, 64, 4, False, 0)]
    how = {"protocol": "limited_update", "directory": "line", "synchronisation": "free", "latency_cycles": 5}
    found = run_machine(streams_of(made_trace(rows, 4)), entries=Entries(pointers, evicts=True), **how)
    short, word, line = 5 + 4, 5 + 5, 5 + 12
    goes = short + 10 + short + 10  # node 1 is told, and its acknowledge is handled
    told = word + 10 + short + 10 if pointers == 2 else word + 10 + short + 10 + 10
    asks = 10 + word + 10
    assert round(found.write_stall * 4) == asks + (goes if pointers == 2 else 0) + told + line + 10
    # Node 1 has lost its copy and asks for the line again, for which node 2's goes.
    assert found.caches["evictions"] == (2 if pointers == 2 else 0)
    assert found.messages["tell"] == (3 if pointers == 2 else 2)
    assert found.destinations_histogram == ({1: 1} if pointers == 2 else {2: 1})


@pytest.mark.parametrize(("protocol", "asks"), [("msi", 2), ("mesi", 1), ("moesi", 1), ("dragon", 1), ("update", 2)])
def test_a_sole_reader_writes_in_silence_or_asks_argued_by_hand(protocol, asks) -> None:
    meet = [(p, 1 << 20, 4, True, 4) for p in range(2)]
    rows = [(0, 0, 4, False, 0), *meet, (1, 64, 4, False, 0), *meet, (1, 64, 4, True, 0)]
    found = run_machine(streams_of(made_trace(rows, 2)), protocol=protocol, directory="line", synchronisation="free")
    assert found.transactions == 1 + asks
    assert (found.write_stall > 0) == (asks == 2)


@pytest.mark.parametrize("made", [THROUGH, PASSING])
@pytest.mark.parametrize("outstanding", [1, 2])
def test_a_write_that_leaves_no_copy_argued_by_hand(made, outstanding) -> None:
    """Node 1 writes a line of node 0 twice: a word goes there, and a short message back, each time."""
    register(made)
    meet = [(p, 1 << 20, 4, True, 4) for p in range(2)]
    rows = [(0, 0, 4, False, 0), *meet, (1, 64, 4, True, 0), (1, 64, 4, True, 0), *meet]
    how = {"directory": "line", "synchronisation": "free", "outstanding": outstanding, "latency_cycles": 5}
    found = run_machine(streams_of(made_trace(rows, 2)), protocol=made.name, **how)
    assert found.messages["write request"] == found.messages["data"] == 2
    assert found.caches["misses"] == 3
    each = 10 + (5 + 5) + 10 + (5 + 4) + 10
    # The second waits for the end of the first, also where a processor need not wait: no word is left out.
    assert round(found.write_stall * 2) == 2 * each


@pytest.mark.parametrize(("made", "stays"), [(LAST, False), (LAST, True), (LAST_OWNER, False), (LAST_OWNER, True)])
def test_a_home_whose_last_sharer_goes_argued_by_hand(made, stays) -> None:
    """Nodes 1 and 2 read a line of node 0, so that both share it, and node 1 gives it up, node 2 too unless it stays.

    Then node 3 reads it: of a line that nobody has it is the owner, and writes it in silence; else it asks. Each of
    caches of one line hears a word with an answer for the line that falls out, but for lines that node 0 has itself.
    """
    register(made)
    meet = [(p, 1 << 20, 4, True, 4) for p in range(4)]
    rows = [(0, 0, 4, False, 0), *meet, (1, 64, 4, False, 0), *meet, (2, 64, 4, False, 0), *meet]
    for p in (1,) if stays else (1, 2):
        rows += [(p, 128 * p, 4, False, 0), *meet]
    rows += [(3, 64, 4, False, 0), *meet, (3, 64, 4, True, 0)]
    how = {"directory": "line", "synchronisation": "free", "caches": (32, 1), "latency_cycles": 5}
    found = run_machine(streams_of(made_trace(rows, 4)), protocol=made.name, **how, costs=Costs(sync_cycles=100))
    short, line = 5 + 4, 5 + 12
    assert found.messages["write back"] == found.messages["write back done"] == (1 if stays else 2)
    asks = 10 + short + 10 + short + 10 + short + 10 + line + 10  # node 2 is told, node 3 has a copy
    assert round(found.write_stall * 4) == (asks - line + short if stays else 0)
    assert found.messages["tell"] == int(stays)


def test_a_lock_and_a_barrier_argued_by_hand() -> None:
    # Processor 0 takes and gives back a lock of its own node, then both meet at a barrier of node 0.
    rows = [(0, 1 << 20, 4, True, 2), (0, 1 << 20, 4, True, 3), *((p, 1 << 21, 4, True, 4) for p in (0, 1))]
    found = run_machine(streams_of(made_trace(rows, 2)), latency_cycles=5)
    granted = 1 + 10
    unlocked = granted + 1 + 10
    own = unlocked + 10  # was there a cycle after the unlock, and waits for it
    other = own + 10  # came at 1 + 10 + (5 + 4), and waits for both
    assert found.cycles == other + (5 + 4) + 10
    assert found.sync_stall * 2 == (granted - 1) + (other - (granted + 2)) + (found.cycles - 1)
    assert (found.messages["barrier"], found.messages["release"], found.messages["grant"]) == (1, 1, 0)


def test_two_processors_at_a_cell_of_barnes_argued_by_hand() -> None:
    # The cell and its lock lie at node 0, whose processor puts a body into the cell; the other one waits for the lock,
    # reads what the cell holds by then, and puts in its own.
    lock, unlock = ([(p, 2048, 4, True, kind) for p in (0, 1)] for kind in (2, 3))
    rows = [lock[0], (0, 0, 8, True, 0), unlock[0], lock[1], (1, 0, 8, False, 0), (1, 0, 8, True, 0), unlock[1]]
    found = assert_equal_the_naive_twin(streams_of(made_trace(rows, 2)), 2, Design(directory="line"), 5)
    short, line = 5 + 4, 5 + 12
    written = (1 + 10) + 1 + 10  # its lock, and its write
    # The other's lock has come meanwhile, is turned to first and waits; then comes the unlock.
    assert 1 + 10 + short < written
    granted = written + 10 + 10 + short + 10
    read = granted + 1 + 10 + short + 10 + line + 10
    assert found.cycles == read + 1 + 10 + short + 10 + short + 10 + 1
    assert found.sync_stall * 2 == 10 + granted - 1
    assert [found.messages[kind] for kind in ("lock", "grant", "unlock", "data", "tell", "done")] == [1, 1, 1, 2, 0, 2]
