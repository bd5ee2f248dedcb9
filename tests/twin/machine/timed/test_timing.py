"""The timed machine equals its naive twin, event by event: cycles, stalls, messages by kind, destinations."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiny.protocols import COUNTING, LAST, LAST_OWNER, PAST, SINGLE, WITHOUT_ALLOCATION
from tests.twin.machine.timed.that_count import that_count
from tests.twin.machine.timed.twin import TREES, assert_equal_the_naive_twin, made_trace, rows_of

from jumpnet.coherence.functional import PAGE_ENTRIES, Functional, tables_named
from jumpnet.coherence.protocol import register
from jumpnet.coherence.rules import codes as rule
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import ACKNOWLEDGES, BRANCHES, SYNCHRONISATION
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.machine import KINDS, Costs, Design, run_machine
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.timed.together import check_together
from jumpnet.machine.timed.trees import BitMapTrees

ENTRIES = [
    Entries(maps=BitMapTrees("rdt:8", "SM")), Entries(maps=BitMapTrees("rdt:8", "LPRA")), Entries(1),
    Entries(2, evicts=True), Entries(chained=True),
]  # fmt: skip
PIECE = st.tuples(
    st.sampled_from([0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 7]),
    st.integers(0, 9),
    st.sampled_from([0, 24, 32, 64, 128, 256, 4096, 4128, 8192]),
    st.lists(st.booleans(), min_size=1, max_size=6),
)


def _parts(data, directory, alone):
    """The parts of a machine that are left out unless asked for; alone: entries list everybody."""
    pages = directory == "page" and alone
    costs = {
        "stage_1_cycles": data.draw(st.sampled_from([1, 20])),
        "stage_2_cycles": data.draw(st.sampled_from([1, 20])),
        "bus_request_cycles": data.draw(st.sampled_from([0, 1, 4])),
        "bus_line_cycles": data.draw(st.sampled_from([0, 1, 9])),
        "handlers": data.draw(st.dictionaries(st.sampled_from(KINDS), st.integers(1, 25), max_size=4)),
    }
    return costs, {
        "memory_processors": data.draw(st.sampled_from([1, 2, 3])),
        "translation": data.draw(st.sampled_from([None, (1, 1), (2, 0), (0, 2), (1, 2)])),
        "pruning": data.draw(st.sampled_from([0, 1, 2, 16])) if pages else 0,
        "page_entry": data.draw(st.sampled_from(PAGE_ENTRIES)) if pages else PAGE_ENTRIES[0],
    }


@pytest.mark.parametrize("focus", ["any", "multicast", "caches", "entries", "parts"])
@settings(max_examples=120)
@given(data=st.data())
def test_equals_the_naive_twin(focus, data) -> None:
    names = ["binomial", "LARP", "REMAKE"] if focus == "multicast" else sorted(TREES.keys() - {"REMAKE"})
    trees = TREES[name := data.draw(st.sampled_from(names))]
    processors = 10 if focus == "multicast" else data.draw(st.sampled_from([1, 2, 5, 10]))
    if name == "REMAKE":  # a processor at every router
        processors = trees.routers
    program = data.draw(st.lists(PIECE, min_size=1, max_size=40))
    entries = None
    directory = data.draw(st.sampled_from(["page", "page", "line"] if focus == "parts" else ["line", "page"]))
    if focus == "entries":
        trees, entries = None, data.draw(st.sampled_from(ENTRIES))
    protocol = data.draw(st.sampled_from(["invalidate", "update", "mixed", "mesi", "moesi", "dragon", "single"]))
    register(SINGLE)
    if entries is not None and entries.evicts:
        directory, protocol = "line", data.draw(st.sampled_from(["limited", "limited_update"]))
    elif entries is not None and entries.chained and protocol == "invalidate":
        protocol = "chained"
    alone = entries is None or not (entries.pointers or entries.chained)
    dear, parts = _parts(data, directory, alone) if focus == "parts" or data.draw(st.booleans()) else ({}, {})
    latency = data.draw(st.sampled_from([0, 7, 40]))
    cycles = data.draw(st.sampled_from([(10, 2, 20), (1, 0, 1), (3, 5, 2)]))
    given = dict(
        protocol=protocol,
        directory=directory,
        clusters_of=1 if focus == "multicast" else data.draw(st.sampled_from([1, 3])),
        update_pages=frozenset({1}),
        caches=data.draw(st.sampled_from([(64, 1), (64, 2), (256, 2)] if focus == "caches" else [None, None, (64, 2)])),
        migrates=0 if entries is not None and entries.pointers else data.draw(st.sampled_from([0, 0, 1, 3])),
        page_bytes=data.draw(st.sampled_from([64, 4096])),
        hints=focus == "caches" or data.draw(st.booleans()),
        outstanding=data.draw(st.sampled_from([1, 1, 2, 4])),
        acknowledges="combined"
        if focus == "multicast"
        else data.draw(st.sampled_from(ACKNOWLEDGES[: 3 if trees else 2])),
        branches=data.draw(st.sampled_from(BRANCHES)) if trees and name != "REMAKE" else BRANCHES[0],
        synchronisation=data.draw(st.sampled_from(SYNCHRONISATION)),
        costs=Costs(
            *cycles,
            remake_cycles=data.draw(st.sampled_from([0, 6])),
            forward_cycles=data.draw(st.sampled_from([1, 4])),
            **dear,
        ),
        **parts,
    )
    nodes = -(-processors // given["clusters_of"])
    design = Design(**that_count(lambda **some: check_together(Design(**some), trees, entries, nodes), given))
    trace = made_trace(rows_of(program, processors), processors)
    placement = data.draw(st.sampled_from(["first-touch", "round-robin", "interleaved"]))
    chunk = data.draw(st.sampled_from([None, None, 1, 7]))
    sizes = {"clusters_of": design.clusters_of, "page_bytes": design.page_bytes}
    streams = streams_of(trace, **sizes, placement=placement, chunk=chunk)
    assert_equal_the_naive_twin(streams, processors, design, latency, trees, entries)


def test_a_line_is_written_again_while_it_is_on_its_way_home() -> None:
    # Caches of one way: the second line throws the first one out, dirty, whose page lies at node 0.
    rows = [(0, 0, 4, False, 0), *((p, 1 << 20, 4, True, 4) for p in (0, 1))]
    rows += [(1, address, 4, True, 0) for address in (0, 4096, 0, 4096, 0)]
    fast = assert_equal_the_naive_twin(streams_of(made_trace(rows, 2)), 2, Design(caches=(64, 1)), 40)
    assert fast.caches["write_backs"] == 4


def test_a_dirty_line_that_falls_out_leaves_the_copy_of_another_cache_of_the_node() -> None:
    # Processors 2 and 3 are a node: one writes, the other reads by the bus, the first throws its copy out.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(6)]
    rows = [(0, 0, 4, False, 0), *meet, (2, 0, 4, True, 0), *meet, (3, 0, 4, False, 0), *meet]
    rows += [(2, 4096, 4, False, 0), *meet, (4, 0, 4, True, 0)]
    design = Design(caches=(64, 1), clusters_of=2, directory="line")
    fast = assert_equal_the_naive_twin(streams_of(made_trace(rows, 6), clusters_of=2), 6, design, 40)
    assert fast.caches["write_backs"] == 1 and fast.destinations_histogram == {1: 2}


def test_a_line_falls_out_while_it_is_asked_for() -> None:
    # Node 3 asks to write a line that three others hold, and a line of its own page takes its place before the answer.
    rows = [(3, 4096, 4, False, 0), *((p, 0, 4, False, 0) for p in range(4))]
    rows += [(p, 1 << 20, 4, True, 4) for p in range(4)]
    rows += [(3, 0, 4, True, 0), (3, 4096, 4, True, 0), (3, 0, 4, True, 0)]
    design = Design(caches=(64, 1), hints=True, outstanding=2, directory="line")
    fast = assert_equal_the_naive_twin(streams_of(made_trace(rows, 4)), 4, design, 40)
    assert fast.caches["hints"] == 1  # of the first read of its own page, not of the line asked for


PARTS: dict[str, object] = {"parts": True}


OTHERS = (*WITHOUT_ALLOCATION, COUNTING, PAST, LAST, LAST_OWNER)


@cache
def _one_at_a_time(processors):
    """Every access is followed by a barrier, so that the order of the trace is the order of time."""
    draw = np.random.default_rng(7)
    rows = []
    for _ in range(400):
        p, address = int(draw.integers(processors)), 32 * int(draw.integers(12)) + 4096 * int(draw.integers(2))
        rows += [(p, address, 4, bool(draw.integers(2)), 0)] + [(q, 1 << 20, 4, True, 4) for q in range(processors)]
    return made_trace(rows, processors)


@cache
def _streams_of_one_at_a_time(processors, clusters_of):
    """Which nothing may write to, so all machines take the same."""
    return streams_of(_one_at_a_time(processors), clusters_of=clusters_of)


@pytest.mark.parametrize("protocol", ["invalidate", "update", "mixed", "mesi", "moesi", "dragon", "chained", "limited",
                                      "limited_update", *(made.name for made in OTHERS)])  # fmt: skip
@pytest.mark.parametrize("directory", ["line", "page"])
@pytest.mark.parametrize("caches", [None, (64, 2), (256, 2)])
@pytest.mark.parametrize("more", [{}, {"hints": True}, {"outstanding": 3}, {"trees": TREES["SM"]}, PARTS])
def test_one_processor_at_a_time_counts_as_the_functional_machine(protocol, directory, caches, more) -> None:
    for made in OTHERS:
        register(made)
    trace, few = _one_at_a_time(6), protocol.startswith("limited")
    same = {
        "protocol": protocol,
        "directory": directory,
        "clusters_of": 1 if few else 2,
        "caches": caches,
    }
    entries = Entries(2, evicts=True) if few else Entries(chained=True) if protocol == "chained" else None
    if entries is not None and (more not in ({}, {"hints": True}) or (few and directory == "page")):
        return
    if more.get("hints") and not (caches and tables_named(protocol).gives_up(in_silence=True)):
        with pytest.raises(JumpnetError, match="hints found without"):
            Design(**same, **more)
        return
    if more is PARTS:
        same |= {"translation": (1, 1)}
        more = {"memory_processors": 2}
        if directory == "page":
            same = that_count(lambda **some: Design(**some), {**same, "pruning": 4, "page_entry": "valid_holders"})
    engine = Functional(6, **same, update_pages={1} if protocol == "mixed" else (), hints=bool(more.get("hints")))
    for block in trace.blocks():
        engine.feed(*block)
    # Long barriers: what has fallen out of a cache is at home before the next access.
    timed = run_machine(
        _streams_of_one_at_a_time(6, same["clusters_of"]),
        **same,
        **more,
        entries=entries,
        update_pages=frozenset({1} if protocol == "mixed" else ()),
        synchronisation="free",
        costs=Costs(sync_cycles=1000),
    )
    any_owner = bool((rules_of(tables_named(protocol)).rows & rule.FETCHES).any())
    assert timed.destinations_histogram == engine.destinations_histogram
    assert timed.caches["misses"] == engine.misses
    if few:
        assert timed.caches["evictions"] == engine.evictions > 0
    parts = ("stage_1_misses", "stage_2_misses", "pruned")
    counted = timed.caches if caches else {k: v for k, v in timed.caches.items() if k in parts}
    assert {k: v for k, v in counted.items() if k not in ("misses", "evictions")} == {
        k: engine.machine[k] for k in counted if k not in ("misses", "evictions")
    }
    assert [k for k in counted if k in parts] == [k for k in engine.machine if k in parts]
    if caches:
        assert sum(engine.machine[k] for k in ("write_backs", "hints")) > 0 or not any_owner
    if (
        any_owner and protocol != "mixed"
    ) or protocol == "through":  # else the home that is alone writes without a request
        assert timed.transactions == engine.machine["requests"]


def test_buffered_writes_save_their_stalls() -> None:
    # Three writes to lines of another node's page: one after another, or all under way at once.
    rows = [(0, 32 * k, 4, False, 0) for k in range(3)] + [(p, 1 << 20, 4, True, 4) for p in (0, 1)]
    rows += [(1, 32 * k, 4, True, 0) for k in range(3)]
    runs = [run_machine(streams_of(made_trace(rows, 2)), latency_cycles=50, outstanding=k) for k in (1, 2, 3)]
    assert runs[0].cycles > runs[1].cycles > runs[2].cycles
    assert [run.messages for run in runs] == 3 * [runs[0].messages]


def test_a_multicast_spares_the_home_its_acknowledges() -> None:
    # Seven nodes read a line of node 0, and the last one writes it.
    rows = [(p, 0, 4, False, 0) for p in range(7)] + [(p, 1 << 20, 4, True, 4) for p in range(7)] + [(6, 0, 4, True, 0)]
    streams = streams_of(made_trace(rows, 7))
    ask, answer = 10 + 4 + 10, 4 + 10
    near, far = 4 + 10, (4 + 1 + 4) + 10  # three nodes are told by the home, two by one of these
    # One by one the home's processor has 10 cycles of work for each of five, which are there as it turns to them.
    stall = {
        "single": ask + near + 4 + 5 * 10 + answer,
        "counted": ask + far + 4 + 10 + answer,
        "combined": ask + far + 4 + (1 + 4) + 10 + answer,
    }
    for how, cycles in stall.items():
        assert round(7 * run_machine(streams, acknowledges=how, trees=TREES["binomial"]).write_stall) == cycles


def test_arrivals_at_a_barrier_are_combined_on_the_way() -> None:
    # Seven nodes come at once: 6 and 5 to 4, 3 to 2, and 4, 2 and 1 to the home, whose processor handles one message.
    once, twice = (streams_of(made_trace(n * [(p, 1 << 20, 4, True, 4) for p in range(7)], 7)) for n in (1, 2))
    own, hop, routers = 1 + 10, 4, 1
    there = own + hop + routers + hop
    back = there + 10 + hop + routers + hop + 10
    found = run_machine(twice, acknowledges="combined", trees=TREES["binomial"])
    # The home's processors go on first, and wait for the others the second time.
    assert found.cycles == 2 * back
    assert found.messages["barrier"] == found.messages["release"] == 12
    assert run_machine(once, trees=TREES["binomial"]).cycles == own + hop + 6 * 10 + hop + routers + hop + 10


def test_barriers_of_different_members_are_combined_apart() -> None:
    """All, then three of them twice, again and again: two trees of different shapes at one time."""
    everyone, some = [(p, 1 << 20, 4, True, 4) for p in range(7)], [(p, 1 << 21, 4, True, 4) for p in (1, 2, 5)]
    streams = streams_of(made_trace(3 * [*everyone, *some, *some], 7), placement="interleaved")
    for name in ("binomial", "LARP"):
        assert_equal_the_naive_twin(streams, 7, Design(acknowledges="combined"), 7, TREES[name])


def test_the_router_counts_until_the_longest_acknowledge_is_there() -> None:
    # Node 1 owns the line, and its acknowledge brings it: sent first, it is the last one to arrive.
    meet = [(p, 1 << 20, 4, True, 4) for p in range(5)]
    rows = [(0, 0, 4, False, 0), *meet, (2, 0, 4, False, 0), (3, 0, 4, False, 0), *meet, (1, 0, 4, True, 0), *meet]
    streams = streams_of(made_trace([*rows, (4, 0, 4, True, 0)], 5))
    known = streams_of(made_trace(rows, 5))
    same = {"acknowledges": "counted", "synchronisation": "free"}
    before, after = (run_machine(s, **same).write_stall * 5 for s in (known, streams))
    ask, told, brought = 10 + 4 + 10, 4 + 10, 12
    assert round(after - before) == ask + told + brought + 10 + 12 + 10


def test_flags_are_opened_and_awaited() -> None:
    # Processor 1 waits with its lock held until processor 0 opens, long after; processor 2 waits for the next opening,
    # and comes once more when there is none to wait for.
    rows = [(1, 8, 4, True, 2), (1, 16, 4, True, 5), (1, 8, 4, True, 3)]
    rows += [(0, 4096 + 32 * k, 4, True, 0) for k in range(50)] + [(0, 16, 4, True, 5), (2, 16, 4, True, 5)]
    rows += 2 * [(0, 16, 4, True, 5)] + [(2, 16, 4, True, 5)]
    streams = streams_of(made_trace(rows, 3))
    assert streams.members.tolist() == [0, 0, -1] and streams.first_flag.tolist() == [2]
    about = [code >> 3 for p in range(3) for code in streams.references.take(p, 0, 99).tolist() if code & 7 > 5]
    assert sorted(about) == [2, 2, 3, 3]  # each opened once and awaited once
    for how in ("free", "message"):
        found = run_machine(streams, synchronisation=how)
        assert found.sync_stall * 3 > 50 * 10


@pytest.mark.parametrize(
    ("design", "match"),
    [
        ({"protocol": "updat"}, "unknown protocol 'updat'; did you mean 'update'"),
        ({"acknowledges": "combined"}, "acknowledges 'combined' found without multicast"),
        ({"outstanding": 0}, "0 outstanding requests found, 1 to 64 expected"),
        ({"caches": (96, 1)}, "caches of 96 bytes in 1 ways found, a power of two of sets expected"),
        ({"caches": (100, 1)}, "caches of 100 bytes"),
        ({"clusters_of": 0}, "clusters of 0 processors found"),
        ({"clusters_of": 1 << 70}, "clusters of 1180591620717411303424 processors found"),
        ({"caches": (64,)}, "caches .64,. found, two whole numbers or None expected"),
        ({"translation": 3}, "translation 3 found, two whole numbers or None expected"),
        ({"update_pages": {"a"}}, "page 'a' in update mode found, a whole number expected"),
        ({"line_bytes": 0}, "lines of 0 and pages of 4096 bytes found, 1 to 16777216 and no line larger than a page"),
        ({"hints": 2}, "Design: hints 2 found, true or false expected"),
        ({"migrates": 1 << 62}, "migrates 4611686018427387904 found, 0 to 999999999 expected"),
        ({"quantum": -1}, "quantum of -1 cycles found, 1 or more expected"),
    ],
)
def test_designs_that_are_none_are_refused(design, match) -> None:
    with pytest.raises(JumpnetError, match=match):
        run_machine(streams_of(made_trace([(0, 64, 4, True, 0)], 2)), **design)


def test_lines_far_apart_are_numbered_as_those_close_by() -> None:
    """By sorting and by a table, and homes by whoever is first in the trace, not by number."""
    lines = [(8, 2), (3, 1), (8, 0), (200, 1), (3, 2), (130, 0)]
    rows = [(p, 32 * line, 4, False, 0) for line, p in lines]
    far = streams_of(made_trace(rows, 3))
    near = streams_of(made_trace([*rows, *((0, 32 * 8, 4, False, 0) for _ in range(200))], 3))
    assert far.number.tolist() == near.number.tolist() == [3, 8, 130, 200]
    assert far.page.tolist() == near.page.tolist() == [0, 0, 1, 1] and far.home.tolist() == [2, 1] == near.home.tolist()
    assert far.first.tolist() == [0, 2, 4, 6] and far.code.tolist() == [8 * k for k in (1, 2, 0, 3, 1, 0)]
    assert near.code[:2].tolist() == [8, 16] and near.code[-4:].tolist() == [0, 24, 8, 0]
    swapped = streams_of(made_trace(rows, 3), placement="round-robin")
    assert (
        swapped.home.tolist()
        == [0, 1]
        == streams_of(made_trace(rows[::-1], 3), placement="round-robin").home[::-1].tolist()
    )


def test_homes_are_given_by_page_and_processors_by_number() -> None:
    rows = [(2, 4096 * page, 4, False, 0) for page in (3, 5, 7)]
    streams = streams_of(made_trace(rows, 3), placement="given", homes={5: 0, 9: 1}, processors=4)
    assert (streams.home.tolist(), len(streams.first)) == ([2, 0, 2], 5)


def test_bad_streams_are_refused() -> None:
    for words, wrong in (
        ("home 3 of page 5 found, 0 to 2 expected", {"placement": "given", "homes": {5: 3}}),
        ("homes without placement 'given'", {"homes": {5: 0}}),
        ("no homes with placement 'given'", {"placement": "given"}),
        ("processor 2 found, 0 to 1 expected", {"processors": 2}),
        ("-1 processors found, 1 to", {"processors": -1}),
    ):
        with pytest.raises(JumpnetError, match=words):
            streams_of(made_trace([(2, 4096 * 5, 4, False, 0)], 3), **wrong)
    with pytest.raises(JumpnetError, match="barrier passed 1 times by processor 1 and 2 by 0"):
        streams_of(made_trace([(p, 64, 4, True, 4) for p in (0, 1, 0)], 2))
    with pytest.raises(JumpnetError, match="1 processors wait for ever, the first is 1"):
        run_machine(streams_of(made_trace([(0, 64, 4, True, 2), (1, 64, 4, True, 2)], 2)))
    with pytest.raises(JumpnetError, match="unknown placement 'far'"):
        streams_of(made_trace([(0, 64, 4, True, 0)], 2), placement="far")
    with pytest.raises(JumpnetError, match="Costs: spacing_cycles 'x' found, a whole number expected"):
        Costs(spacing_cycles="x")
    slow = Costs(bus_line_cycles=999_999_999)
    with pytest.raises(JumpnetError, match="a run that takes 274,877,906,944 cycles or more found, fewer expected"):
        run_machine(streams_of(made_trace([(0, 32 * k, 4, True, 0) for k in range(400)], 1)), costs=slow)
    with pytest.raises(JumpnetError, match="occupancy_cycles 0 found"):
        Costs(occupancy_cycles=0)
