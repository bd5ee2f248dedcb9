"""Sets of nodes that were told before are looked up by their words: the same as when each is made anew.

Those that few pointers name, and lists from copy to copy, are in no table: kernels make them by themselves.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from jumpnet.jit.linked import entry
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import machine, start
from jumpnet.machine.timed.design import Design
from jumpnet.machine.timed.kernels import sets_seen
from jumpnet.machine.timed.kernels.layout import memory_at
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.workload import workload

MACHINES: dict[str, dict[str, Any]] = {
    "trees": {"multicast": "SM", "acknowledges": "combined"},
    "routers": {"multicast": "SM", "branches": "routers", "migrates": 2},
    "maps": {"encoding_name": "SM", "protocol": "update"},
    "pointers": {"encoding_name": "limited_broadcast", "directory": "line"},
    "list": {"encoding_name": "chained", "directory": "line"},
}


@pytest.mark.parametrize("name", MACHINES)
def test_sets_looked_up_are_those_made_anew(name, monkeypatch) -> None:
    """Also where the table has one row, which every other set takes from the one before."""
    streams = streams_of(workload("water:processors=16,molecules=16,steps=1").trace())
    made, start_tree = [], machine.Run.start_tree
    monkeypatch.setattr(machine.Run, "start_tree", lambda run: made.append(run) or start_tree(run))
    found, times = [], []
    for rows in (start.SETS_SEEN, 1, 0):
        monkeypatch.setattr(start, "SETS_SEEN", rows)
        made.clear()
        found.append(closed_loop(streams, "rdt:4", **MACHINES[name]))
        times.append(len(made))
    assert found[0] == found[1] == found[2]
    assert times[0] < times[1] < times[2] or (name in ("pointers", "list") and times == [0, 0, 0])


def test_a_list_of_the_same_nodes_in_another_order_is_another_way() -> None:
    """On a line 0 -> 2 -> 1 -> 15 -> 0 is two hops longer than 0 -> 1 -> 2 -> 15 -> 0."""

    def stall(*orders: tuple[int, ...]) -> float:
        barrier = [(p, 1 << 20, 4, True, 4) for p in range(16)]
        rows = [(0, 0, 4, False, 0), *barrier]
        for order in orders:
            rows += [row for p in order for row in ((p, 0, 4, False, 0), *barrier)] + [(0, 0, 4, True, 0), *barrier]
        trace = Trace("made", 16, lambda: iter([block_of(*zip(*rows, strict=True))]))
        design = {"encoding_name": "chained", "directory": "line", "synchronisation": "free"}
        return closed_loop(streams_of(trace), "mesh:16x1", **design).timing.write_stall * 16

    near, far = (15, 2, 1), (15, 1, 2)
    assert stall(near) < stall(far)
    assert stall(near, far) == stall(near) + stall(far)


def _made(rows: list[tuple[int, int, int, bool, int]], processors: int) -> Any:
    return streams_of(Trace("made", processors, lambda: iter([block_of(*zip(*rows, strict=True))])))


@pytest.mark.parametrize("overflows_first", [True, False])
def test_an_entry_that_overflowed_names_everybody_and_another_with_the_same_nodes_does_not(overflows_first) -> None:
    """Two lines of node 0: eight nodes read one, of which all but 1 and 2 let it go and say so; 1 and 2 read the other.

    Six pointers were too few for the first one, whose entry lists 1 and 2 in the end, as the other's does. Node 3
    writes both: of the first all 15 others hear, itself too, of the second two.
    """
    barrier = [(p, 1 << 20, 4, True, 4) for p in range(16)]
    shrunk, small = 0, 32
    rows = [(0, shrunk, 4, False, 0), (0, small, 4, False, 0), *barrier]
    rows += [(p, shrunk, 4, False, 0) for p in range(1, 9)] + barrier
    rows += [(p, 4096 * p + shrunk, 4, False, 0) for p in range(3, 9)] + barrier  # to the only place of that set
    rows += [(p, small, 4, False, 0) for p in (1, 2)] + barrier
    writes = [(3, line, 4, True, 0) for line in (shrunk, small)]  # the first takes the place of what it read before
    rows += writes if overflows_first else writes[::-1]
    how = {"encoding_name": "limited_broadcast", "directory": "line", "caches": (64, 1), "hints": True}
    run = closed_loop(_made(rows, 16), "mesh:4x4", synchronisation="free", **how).timing
    assert run.caches["hints"] == 6 + 1 and run.destinations_histogram == {3: 2}  # with the home's own copy
    assert run.messages["tell"] == 15 + 2


@pytest.mark.parametrize("fewer_first", [True, False])
def test_each_barrier_of_a_home_lets_its_own_nodes_go(fewer_first) -> None:
    """A barrier of all eight nodes and one of four have the same home: seven and three are told to go on."""
    few, all_ = ([(p, address, 4, True, 4) for p in range(n)] for n, address in ((4, 1 << 20), (8, (1 << 20) + 64)))
    rows = [(0, 1 << 20, 4, False, 0), *(few + all_ if fewer_first else all_ + few)]
    run = closed_loop(_made(rows, 8), "mesh:4x2", multicast="full_map")
    assert run.timing.messages["release"] == 7 + 3


def test_the_same_nodes_told_by_another_home_are_another_way(monkeypatch) -> None:
    """Node 3 has written lines of nodes 0 and 9, which 1 and 2 read then, and writes both again."""
    barrier = [(p, 1 << 20, 4, True, 4) for p in range(16)]
    rows = [(0, 0, 4, False, 0), (9, 4096, 4, False, 0), *barrier, (3, 0, 4, True, 0), (3, 4096, 4, True, 0), *barrier]
    rows += [(p, line, 4, False, 0) for line in (0, 4096) for p in (1, 2)] + barrier
    rows += [(3, 0, 4, True, 0), *barrier, (3, 4096, 4, True, 0)]
    found = []
    for sets in (1, 0):
        monkeypatch.setattr(start, "SETS_SEEN", sets)
        run = closed_loop(_made(rows, 16), "mesh:4x4", multicast="full_map", synchronisation="free", directory="line")
        found.append(run)
    assert found[0] == found[1] and run.timing.destinations_histogram == {1: 2, 2: 2}


def _barrier(nodes, address: int) -> list[tuple[int, int, int, bool, int]]:
    return [(p, address, 4, True, 4) for p in nodes]


@pytest.mark.parametrize("sets", [1, 0])
def test_sets_that_differ_in_their_second_word_are_two(sets, monkeypatch) -> None:
    """Of 64 nodes, 44 and 45 read a line, one after the other, and each time node 0 writes it: maps tell three in all,
    the first reader once more as it keeps its copy."""
    monkeypatch.setattr(start, "SETS_SEEN", sets)
    rows = [(0, 0, 4, False, 0)]
    for reader in (44, 45):
        rows += [(reader, 0, 4, False, 0), *_barrier(range(64), 1 << 20), (0, 0, 4, True, 0)]
        rows += _barrier(range(64), 1 << 20)
    how = {"directory": "line", "encoding_name": "full_map", "multicast": "full_map", "protocol": "update"}
    found = closed_loop(_made(rows, 64), "torus:8x8", synchronisation="free", **how).timing
    assert found.messages["tell"] == found.messages["acknowledge"] == 1 + 2


@pytest.mark.parametrize("sets", [1, 0])
def test_a_barrier_lets_nodes_of_every_word_go_and_no_others(sets, monkeypatch) -> None:
    """One of nodes 0, 40 and 41, before and after one of all 64, and before that node 50 reads what node 0 writes."""
    monkeypatch.setattr(start, "SETS_SEEN", sets)
    few, everybody = _barrier([0, 40, 41], (1 << 20) + 64), _barrier(range(64), 1 << 20)
    rows = [(0, 0, 4, False, 0), *few, (50, 0, 4, False, 0), *everybody, (0, 0, 4, True, 0), *few]
    found = closed_loop(_made(rows, 64), "torus:8x8", directory="line", multicast="full_map").timing
    assert found.messages["release"] == found.messages["barrier"] == 2 + 63 + 2 and found.messages["tell"] == 1


@entry
def _place_of(address, home):
    return sets_seen.place_of(memory_at(address), home)


def test_pairs_of_nodes_are_spread_over_the_table() -> None:
    """By chance the 496 pairs of 32 nodes would fall on 467 rows of 4096."""
    m = start.machine(_made([(p, 0, 4, False, 0) for p in range(32)], 32), Design(), None, None)
    m.replace(sets_seen=4096)
    for home in range(32):
        places = set()
        for a, b in itertools.combinations(range(32), 2):
            m.told[:] = 1 << a | 1 << b
            places.add(int(_place_of(m.address, home)))
        assert len(places) > 400
