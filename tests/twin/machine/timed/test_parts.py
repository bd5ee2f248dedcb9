"""The parts of a node in time, argued by hand: bus, memory-based processors, translation, pruning; what is refused."""

from __future__ import annotations

import pytest
from tests.twin.machine.timed.twin import assert_equal_the_naive_twin, made_trace

from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.machine import run_machine
from jumpnet.machine.timed.streams import streams_of

MEET = [(p, 1 << 20, 4, True, 4) for p in range(3)]


def _that_carry(streams, page_bytes):
    """The same with pages that are as long as before, and of which so many bytes are carried where they move."""
    return streams._replace(sizes=streams.sizes._replace(page_bytes=page_bytes))


def _figures(rows, processors, **design):
    streams = streams_of(made_trace(rows, processors), clusters_of=design.get("clusters_of", 1))
    streams = _that_carry(streams, design.get("page_bytes", 4096))
    return run_machine(streams, latency_cycles=5, synchronisation="free", **design)


def _reader_far_away():
    """Processor 0 touches a line first and is its home; after a barrier processor 1 reads it."""
    return [(0, 0, 4, False, 0), *((p, 1 << 20, 4, True, 4) for p in (0, 1)), (1, 0, 4, False, 0)]


@pytest.mark.parametrize(
    ("costs", "translation", "more"),
    [
        ({"handlers": {"data": 3}}, None, -7),  # the reader's own node takes the line in
        ({"handlers": {"read request": 1}}, None, -18),  # at the reader's node and at the home
        ({"bus_request_cycles": 4}, None, 4),  # the request on the reader's bus; the home's copy is in memory
        ({"bus_line_cycles": 7}, None, 7),  # the line on the reader's bus
        ({"stage_1_cycles": 5}, (1, 0), 5),  # the reader's translation
        ({"stage_2_cycles": 6}, (0, 1), 0),  # the home has translated the page for its own processor
    ],
)
def test_what_each_part_adds_to_a_read_argued_by_hand(costs, translation, more) -> None:
    plain = _figures(_reader_far_away(), 2)
    found = _figures(_reader_far_away(), 2, costs=Costs(**costs), translation=translation)
    # What is the same for both processors ends before the barrier; the reader's own part is its read stall.
    first = {"data": 0, "read request": -9}.get(next(iter(costs.get("handlers", {})), ""))
    if first is None:  # processor 0's own miss: its request and line on its bus, its translation, its home's
        first = sum(costs.values())
    assert round(2 * (found.read_stall - plain.read_stall)) == first + more


def test_a_bus_serves_first_who_asks_first_argued_by_hand() -> None:
    # Both processors of node 1 read lines of node 0 at once: the second request takes the bus after the first.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(4)]
    rows = [(0, 0, 4, False, 0), (0, 32, 4, False, 0), *meet, (2, 0, 4, False, 0), (3, 32, 4, False, 0)]
    costs = Costs(occupancy_cycles=1, bus_request_cycles=4)
    before, after = (_figures(some, 4, clusters_of=2, costs=costs).read_stall * 4 for some in (rows[:-2], rows))
    alone = 4 + 1 + (5 + 4) + 1 + (5 + 12) + 1
    assert round(after - before) == alone + (4 + alone)


def test_two_memory_based_processors_handle_two_lines_at_once() -> None:
    # Two nodes read a line each at a third at the same time: the lines lie in different memories, or in the same one.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(3)]
    for second, apart in ((32, True), (64, False)):
        rows = [(0, 0, 4, False, 0), (0, second, 4, False, 0), *meet, (1, 0, 4, False, 0), (2, second, 4, False, 0)]
        one, two = (_figures(rows, 3, memory_processors=k) for k in (1, 2))
        assert (two.node_wait_mean < one.node_wait_mean) == apart
        assert round(3 * (one.read_stall - two.read_stall)) == (10 if apart else 0)


def test_two_requests_that_take_each_other_s_translation_end() -> None:
    # Nodes 1 and 2 ask at once for lines of different pages of node 0, by different memory-based processors: each
    # finds the one entry of translation taken by the other, looks its page up once, and goes on with that.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(3)]
    rows = [(0, 0, 4, False, 0), (0, 4128, 4, False, 0), *meet, (1, 0, 4, False, 0), (2, 4128, 4, False, 0)]
    streams = streams_of(made_trace(rows, 3))
    design = Design(memory_processors=2, translation=(0, 1), synchronisation="free")
    assert assert_equal_the_naive_twin(streams, 3, design, 5).caches["stage_2_misses"] == 4


def test_few_pointers_and_lists_from_copy_to_copy_argued_by_hand() -> None:
    # Two pointers: copies of nodes 1 and 2 are named, with that of node 3 all but the home are told.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(5)]
    for readers, told in (((1, 2), 1), ((1, 2, 3), 4)):
        reads = [row for p in readers for row in [(p, 0, 4, False, 0), *meet]]
        rows = [(0, 0, 4, False, 0), *meet, *reads, (1, 0, 4, True, 0)]
        assert _figures(rows, 5, directory="line", entries=Entries(2)).messages["tell"] == told
    # A page's list: node 1, which has written, is told first, and its line goes on to node 2, home, and to node 3.
    rows = [(0, 0, 4, False, 0), *meet, (2, 32, 4, False, 0), *meet, (1, 64, 4, True, 0), *meet, (3, 64, 4, True, 0)]
    chained = {"protocol": "chained", "entries": Entries(chained=True)}
    before, after = (_figures(some, 5, **chained).write_stall * 5 for some in (rows[:-1], rows))
    short, line = 5 + 4, 5 + 12
    assert round(after - before) == 10 + short + 10 + short + 10 + line + 10 + line + 10 + line + 10


def test_a_home_that_writes_for_itself_alone_asks_neither_translation_nor_pruning_cache() -> None:
    # Node 0 reads and writes lines of two pages of its own, and again; then nodes 1 and 2 read and write one of them.
    rows = [(0, 4096 * page, 4, write, 0) for page in (0, 1, 0) for write in (False, True)]
    rows = [*rows, *(row for p in (1, 2) for row in [*MEET, (p, 0, 4, False, 0), *MEET, (p, 0, 4, True, 0)])]
    parts = {"protocol": "update", "pruning": 4, "translation": (0, 1)}
    found, engine = _figures(rows, 3, **parts), Functional(3, **parts)
    for block in made_trace(rows, 3).blocks():
        engine.feed(*block)
    # No translation: for both first reads, and for what others ask first, as the other page was looked up last.
    assert found.caches["stage_2_misses"] == engine.machine["stage_2_misses"] == 3
    assert found.caches["pruned"] == engine.machine["pruned"] == 1
    assert found.destinations_histogram == engine.destinations_histogram == {1: 1, 2: 1}


def test_a_pruning_cache_and_a_page_of_holders_spare_messages_argued_by_hand() -> None:
    # Nodes 1 to 3 read different lines of a page of node 0, which writes the first of them twice: the page's entry
    # lists all three, the line's own list node 1. What the pruning cache lacks is told to the page's.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(4)]
    rows = [(0, 0, 4, False, 0), *meet, *((p, 32 * (p - 1), 4, False, 0) for p in (1, 2, 3)), *meet, (0, 0, 4, True, 0)]
    rows += [*meet, (1, 0, 4, False, 0), *meet, (0, 0, 4, True, 0)]
    assert _figures(rows, 4).destinations_histogram == {3: 2}
    assert _figures(rows, 4, pruning=4).destinations_histogram == {1: 1, 3: 1}
    assert _figures(rows, 4, page_entry="valid_holders").destinations_histogram == {3: 2}  # 2 and 3 hold others of it
    dropped = [*rows[:-1], (2, 4096, 4, False, 0), *meet, rows[-1]]  # node 2's line has fallen out of its cache
    one_way = {"caches": (32, 1), "hints": True}
    assert _figures(dropped, 4, page_entry="valid_holders", **one_way).destinations_histogram == {2: 1, 3: 1}
    assert _figures(dropped, 4, **one_way).destinations_histogram == {3: 2}


def test_a_barrier_line_passes_all_clusters_argued_by_hand() -> None:
    # Three clusters meet twice: each time the line is through all of them 3 * 4 cycles after the last has come. Two of
    # them meet by message, and locks take messages too.
    rows = 2 * [(p, 1 << 20, 4, True, 4) for p in range(3)]
    streams = streams_of(made_trace(rows, 3))
    found = run_machine(streams, latency_cycles=5, synchronisation="line", costs=Costs(barrier_line_cycles=4))
    assert found.cycles == 2 * (1 + 3 * 4) and found.flits == 0
    few = [
        *rows,
        *((p, 2 << 20, 4, True, 4) for p in (0, 1)),
        *((p, 3 << 20, 4, True, k) for p in (0, 1) for k in (2, 3)),
    ]
    found = run_machine(streams_of(made_trace(few, 3)), latency_cycles=5, synchronisation="line")
    assert found.messages["barrier"] == found.messages["release"] == found.messages["lock"] == 1


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({"memory_processors": 9}, "9 memory-based processors of a node found, 1 to 8 expected"),
        ({"pruning": 4, "directory": "line"}, "found without directory page"),
        ({"page_entry": "valid_holders", "directory": "line"}, "found without directory page"),
        ({"page_entry": "valid_holder"}, "valid_holders"),
        ({"translation": (3, -1)}, "a second translation stage of -1 entries found, 0 or more expected"),
        ({"pruning": 65}, "a power of two of sets expected"),
    ],
)
def test_parts_that_are_none_are_refused(design, words) -> None:
    with pytest.raises(JumpnetError, match=words):
        _figures(_reader_far_away(), 2, **design)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"handlers": {"date": 3}}, "did you mean 'data'"),
        ({"handlers": {"data": 0}}, "0 cycles for data found, 1 to 999999999 expected"),
        ({"bus_line_cycles": -1}, "bus_line_cycles -1 found, 0 to 999999999 expected"),
        ({"stage_1_cycles": 0}, "stage_1_cycles 0 found, 1 to 999999999 expected"),
    ],
)
def test_costs_that_are_none_are_refused(costs, words) -> None:
    with pytest.raises(JumpnetError, match=words):
        Costs(**costs)


def test_a_hot_page_moves_argued_by_hand() -> None:
    """Node 1 reads three lines of node 0's page, which asked for one itself: it is two ahead then, and has the page."""
    meet = [(p, 1 << 20, 4, True, 4) for p in (0, 1)]
    rows = [(0, 0, 4, False, 0)]
    for line in (0, 32, 64):
        rows += [*meet, (1, line, 4, False, 0)]
    last = [*meet, (1, 96, 4, False, 0)]
    slow = {"page_bytes": 64, "costs": Costs(sync_cycles=100)}  # the page is there before the next read
    stay, move = ([_figures(made, 2, migrates=k, **slow) for made in (rows, rows + last)] for k in (0, 2))
    away, at_home = 10 + (5 + 4) + 10 + (5 + 12) + 10, 10
    assert [round(2 * (more.read_stall - less.read_stall)) for less, more in (stay, move)] == [away, at_home]
    assert [run.messages["page"] for run in (*stay, *move)] == [0, 0, 1, 1] and move[1].caches["moves"] == 1
    assert move[0].flits - stay[0].flits == 4 + 64 // 4 and stay[1].messages["data"] == 4 > move[1].messages["data"]
    # Without waiting between: the request goes to the old home, on to the new one, waits for the page, is handled.
    rows = [(0, 0, 4, False, 0), *meet, *((1, line, 4, False, 0) for line in (0, 32, 64, 96))]
    design = Design(migrates=2, page_bytes=64, synchronisation="free")
    found = assert_equal_the_naive_twin(_that_carry(streams_of(made_trace(rows, 2)), 64), 2, design, 5)
    # The page leaves node 0 ten cycles before that has handled the request, and comes while node 1 puts it aside.
    to_node_0, to_node_1, page, again = 10 + (5 + 4) + 10, (5 + 4) + 10, 10, 10
    assert round(2 * found.read_stall) == 10 + 3 * away + to_node_0 + to_node_1 + page + again


def test_who_has_not_heard_of_a_move_asks_the_old_home_argued_by_hand() -> None:
    """The page of node 0 has moved to node 1 as before. Node 2 asks node 0, which sends it on, then node 1 at once."""
    meet = [(p, 1 << 20, 4, True, 4) for p in range(3)]
    rows = [(0, 0, 4, False, 0)]
    for p, line in ((1, 0), (1, 32), (1, 64), (2, 96), (2, 128)):
        rows += [*meet, (p, line, 4, False, 0)]
    slow = {"page_bytes": 64, "costs": Costs(sync_cycles=100), "migrates": 2}
    moved, first, second = (_figures(rows[: len(rows) - 4 * k], 3, **slow) for k in (2, 1, 0))
    direct, by_node_0 = 10 + (5 + 4) + 10 + (5 + 12) + 10, (5 + 4) + 10
    assert round(3 * (first.read_stall - moved.read_stall)) == direct + by_node_0
    assert round(3 * (second.read_stall - first.read_stall)) == direct
    assert first.messages["read request"] - moved.messages["read request"] == 2 and moved.caches["moves"] == 1


def test_a_copy_goes_for_one_more_argued_by_hand() -> None:
    """Nodes 1, 2 and 3 read a line of node 0, one after another; two pointers, so that node 1 gives up its copy."""
    meet = [(p, 1 << 20, 4, True, 4) for p in range(4)]
    rows = [(0, 0, 4, False, 0)]
    for p in (1, 2, 3):
        rows += [*meet, (p, 0, 4, False, 0)]
    few = {"entries": Entries(2, evicts=True), "protocol": "limited", "directory": "line"}
    plain, found = _figures(rows, 4, directory="line"), _figures(rows, 4, **few)
    message, handler = 5 + 4, 10
    # Node 1 is told, and its acknowledge comes to the home before the line goes to node 3.
    assert round(4 * (found.read_stall - plain.read_stall)) == 2 * (message + handler)
    assert (found.messages["tell"], found.messages["acknowledge"], found.caches["evictions"]) == (1, 1, 1)
    assert found.destinations_histogram == {}
    again = [*rows, *meet, (2, 0, 4, False, 0), *meet, (1, 0, 4, False, 0)]
    # Node 2 has its copy yet; node 1 misses again, for which node 2 gives up.
    assert _figures(again, 4, **few).caches["misses"] == _figures(rows, 4, **few).caches["misses"] + 1


def test_a_link_of_a_list_is_taken_out_with_a_word() -> None:
    """Of caches of one line: node 1 reads another line, and tells the home; under msi nobody is told."""
    meet = [(p, 1 << 20, 4, True, 4) for p in range(3)]
    rows = [(0, 0, 4, False, 0), *meet, (1, 0, 4, False, 0), *meet, (1, 64, 4, False, 0), *meet, (2, 0, 4, True, 0)]
    same = {"caches": (32, 1), "directory": "line", "entries": Entries(chained=True)}
    msi, chained = (_figures(rows, 3, protocol=name, **same) for name in ("msi", "chained"))
    assert (msi.caches["hints"], chained.caches["hints"]) == (0, 1)
    assert (msi.destinations_histogram, chained.destinations_histogram) == ({2: 1}, {1: 1})


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({"protocol": "limited"}, "protocol limited without such entries found"),
        ({"entries": Entries(2, evicts=True)}, "protocol invalidate found, entries that take a copy"),
        ({"protocol": "limited", "entries": Entries(1, evicts=True)}, "1 pointers found, at least 2 expected"),
        ({"protocol": "limited", "entries": Entries(2, evicts=True)}, "directory page found with entries that"),
        ({"entries": Entries(2, chained=True)}, "pointers and a list found, one of them expected"),
    ],
)
def test_entries_that_take_copies_go_with_their_tables_alone(design, words) -> None:
    with pytest.raises(JumpnetError, match=words):
        _figures(_reader_far_away(), 2, **design)


@pytest.mark.parametrize("entries", [Entries(1), Entries(chained=True)])
@pytest.mark.parametrize("part", [{"pruning": 4}, {"page_entry": "valid_holders"}])
def test_entries_that_list_few_know_no_shorter_lists(entries, part) -> None:
    with pytest.raises(JumpnetError, match="entries that list everybody expected"):
        _figures(_reader_far_away(), 2, entries=entries, **part)
