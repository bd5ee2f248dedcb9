"""What homes and owners do beside answering, in time and argued by hand: who waits for a home, what each home keeps to
itself, and what an owner keeps."""

from __future__ import annotations

import pytest
from tests.tiny.protocols import SINGLE
from tests.twin.machine.timed.twin import TREES, assert_equal_the_naive_twin, made_trace

from jumpnet.coherence.functional import Functional
from jumpnet.coherence.protocol import register
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.machine import run_machine
from jumpnet.machine.timed.streams import streams_of

MEETING = 1 << 20
PAGE = 4096


def _meet(processors):
    return [(p, MEETING, 4, True, 4) for p in range(processors)]


def _timed(rows, processors, **design):
    return run_machine(streams_of(made_trace(rows, processors)), **{"synchronisation": "free", **design})


def _counted(rows, processors, **design):
    """What both machines count for a trace."""
    engine = Functional(processors, **design)
    for block in made_trace(rows, processors).blocks():
        engine.feed(*block)
    return engine.machine, _timed(rows, processors, **design).caches


@pytest.mark.parametrize("nodes", [2, 3, 5])
def test_a_home_is_free_when_the_last_message_of_a_barrier_is_sent(nodes) -> None:
    """Its own processor goes on at once, and asks it for a line a cycle later: it waits for all but the first."""
    rows, by_message = [*_meet(nodes), (0, 0, 4, False, 0)], {"synchronisation": "message"}
    none, some = (_timed(rows, nodes, costs=Costs(spacing_cycles=k), **by_message).read_stall for k in (0, 100))
    assert [round(nodes * stall) for stall in (none, some)] == [10, 10 + max(0, (nodes - 2) * 100 - 1)]


@pytest.mark.parametrize("entries", [None, Entries(3)])
@pytest.mark.parametrize("readers", [1, 2, 3])
def test_a_home_is_free_when_the_last_of_a_list_is_told(readers, entries) -> None:
    """It writes a line that others have, and reads another one meanwhile, which waits for all messages but the first.

    All is quiet before: who goes on after the barrier does so late.
    """
    rows = [(0, 0, 4, False, 0), *_meet(4), *((p, 0, 4, False, 0) for p in range(1, 1 + readers)), *_meet(4)]
    rows += [(0, 0, 4, True, 0), (0, 32, 4, False, 0)]
    how = {"outstanding": 2, "directory": "line", "entries": entries, "latency_cycles": 900}
    spaced = (Costs(spacing_cycles=k, sync_cycles=9000) for k in (0, 100))
    none, some = (4 * _timed(rows, 4, costs=costs, **how).read_stall for costs in spaced)
    assert round(some - none) == (readers - 1) * 100


def test_a_router_that_counts_arrivals_waits_for_the_latest() -> None:
    """Node 1 is at the barrier first, far away; the home comes later, before the other's message."""
    rows = [(0, 0, 4, False, 0), (1, PAGE, 4, False, 0), (0, 32, 4, False, 0), *_meet(2)]
    found = _timed(rows, 2, synchronisation="message", acknowledges="counted", latency_cycles=100)
    own, far = 10, 100 + 4
    there = 1 + own + 1 + own + far  # node 1 reads, and tells the home
    assert found.cycles == there + own + far + own


def test_each_home_has_translation_and_pruning_cache_of_its_own() -> None:
    """Pages of nodes 0 and 1 are written by turns; neither pushes the other out of stores of one entry."""
    rows = [(0, 0, 4, False, 0), (1, PAGE, 4, False, 0), *_meet(3)]
    for _ in range(3):
        for line in (0, PAGE):
            rows += [(2, line, 4, True, 0), *_meet(3), (line // PAGE, line, 4, False, 0), *_meet(3)]
    translation, pruning = {"translation": (0, 1)}, {"pruning": 1}
    for found in _counted(rows, 3, **translation):
        assert found["stage_2_misses"] == 2  # each home's first request
    for found in _counted(rows, 3, **pruning):
        assert found["pruned"] == 4  # each home's second and third writer


def test_who_loses_a_dirty_line_to_another_writer_has_nothing_to_write_back() -> None:
    """Node 1 writes, node 2 reads and writes, and owns the line: node 1 then gives up a clean copy."""
    rows = [(0, 0, 4, False, 0), *_meet(3), (1, 0, 4, True, 0), *_meet(3), (2, 0, 4, False, 0), *_meet(3)]
    rows += [(2, 0, 4, True, 0), *_meet(3), (1, PAGE, 4, False, 0)]
    for found in _counted(rows, 3, protocol="dragon", caches=(32, 1), directory="line"):
        assert (found["write_backs"], found["hints"]) == (0, 1)


def test_an_owner_that_a_map_names_beside_those_who_are_told_of_its_write_keeps_its_line() -> None:
    """SM's map of nodes 5 and 8 names node 1 too, which writes: it is told, answers, and has the line for a reader."""
    assert Entries(maps=TREES["SM"]).named(0, (5, 8), 10) == (1, 5, 8)
    rows = [(0, 0, 4, False, 0), *_meet(10), (1, 0, 4, True, 0), *_meet(10), *((p, 0, 4, False, 0) for p in (5, 8))]
    rows += [*_meet(10), (1, 0, 4, True, 0), *_meet(10), (9, 0, 4, False, 0)]
    design = Design(protocol="dragon", directory="line", synchronisation="free")
    found = assert_equal_the_naive_twin(streams_of(made_trace(rows, 10)), 10, design, 5, TREES["SM"])
    assert found.messages["fetch"] == found.messages["owner's data"] == 3  # for nodes 5, 8 and 9


def test_what_is_told_brings_the_line_and_no_fetch_is_sent() -> None:
    """Where one copy there is at a time, the home tells its owner of a reader too: a fetch would have no time."""
    register(SINGLE)
    rows = [(0, 0, 4, False, 0), *_meet(2), (1, 0, 4, True, 0), *_meet(2), (0, 0, 4, False, 0)]
    assert _timed(rows, 2, protocol="single").messages["fetch"] == 0
    for kind in ("fetch", "owner's data"):
        with pytest.raises(JumpnetError, match="found without a protocol whose copies may be dirty beside readers"):
            _timed(rows, 2, protocol="single", costs=Costs(handlers={kind: 5}))
