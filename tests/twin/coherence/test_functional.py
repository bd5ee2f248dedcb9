"""The functional coherence engine equals its naive twin, and sees the first study's peaks in the shared traces."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import functional as naive
from tests.tiny.protocols import MESIF, PASSING, SINGLE, WITHOUT_ALLOCATION
from tests.twin.machine.timed.that_count import that_count

from jumpnet.coherence.functional import Functional, FunctionalDesign
from jumpnet.coherence.protocol import register
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import Design
from jumpnet.machine.trace import block_of, open_trace

TRACES = Path(__file__).parents[4] / "shared" / "traces"
RECORDS = st.lists(
    st.tuples(st.integers(0, 79), st.integers(0, 40_000), st.integers(1, 80), st.booleans(), st.integers(0, 3)),
    max_size=200,
)


def _crowd(seed):
    """Many references of few processors to few lines, so that caches and buffers run over."""
    draw = random.Random(seed)
    return [
        (draw.randrange(11), 100 * draw.randrange(60), draw.choice((4, 64)), draw.random() < 0.3, draw.randrange(3))
        for _ in range(1200)
    ]


def _fed(records, processors=80, **options):
    engine = Functional(processors, collect=True, **options)
    for part in (records[:50], records[50:]):
        if part:
            columns = [np.array(c) for c in zip(*part, strict=True)]
            engine.feed(*block_of(*columns))
    return engine


@given(RECORDS, st.sampled_from(["invalidate", "update"]), st.sampled_from(["line", "page"]), st.sampled_from([1, 4]))
def test_messages_equal_the_naive_twin(records, protocol, directory, clusters_of) -> None:
    engine = _fed(records, protocol=protocol, directory=directory, clusters_of=clusters_of)
    sent = Counter()
    for part in engine.take_sets():
        kept = [(home, frozenset(nodes)) for home, nodes, _ in part]
        assert len(set(kept)) == len(kept)  # equal messages are one entry with their number
        for home, nodes, count in part:
            sent[home, frozenset(nodes)] += count
    expected = naive.messages(records, protocol, directory, clusters_of)
    assert sent == expected
    sizes = Counter()
    for (_, destinations), count in expected.items():
        sizes[len(destinations)] += count
    assert engine.destinations_histogram == dict(sizes)
    assert engine.references == sum(r[4] < 2 for r in records)


@given(
    st.integers(0, 1 << 30),
    st.sampled_from(["invalidate", "update", "mixed", "mesi", "moesi", "dragon", "single"]),
    st.sampled_from(["line", "page"]),
    st.sampled_from([1, 4]),
    st.sampled_from([(64, 1), (256, 2), (1024, 4)]),
    st.booleans(),
    st.sampled_from(
        [
            {},
            {"exclusive": True},
            {"pruning": 4},
            {"translation": (2, 3)},
            {"placement": "given", "homes": {0: 2, 3: 1}},
            {"placement": "round-robin"},
            {"placement": "interleaved"},
            {"page_entry": "valid_holders", "exclusive": True},
            {"pointers": 2},
            {"pointers": 1, "evicts": True},
            {"pointers": 2, "evicts": True, "placement": "round-robin"},
        ]
    ),
)
def test_machines_of_limited_size_equal_the_naive_twin(
    seed, protocol, directory, clusters_of, caches, hints, more
) -> None:
    records = _crowd(seed)
    if protocol == "mixed":
        more = {**more, "update_pages": {1, 4}}
    register(SINGLE)
    options = {
        "protocol": protocol,
        "directory": directory,
        "clusters_of": clusters_of,
        "caches": caches,
        "page_bytes": 1024,
        "hints": hints,
        **more,
    }
    assert_equal_the_twin(records, 11, **that_count(lambda **given: Functional(11, **given), options))


def _sent(engine):
    sent = Counter()
    for part in engine.take_sets():
        unknown = [False] * len(part.home) if part.overflowed is None else part.overflowed.tolist()
        for (home, nodes, count), lost in zip(part, unknown, strict=True):
            sent[(home, frozenset(nodes), *([True] if lost else []))] += count
    return sent


def assert_equal_the_twin(records, processors, **options):
    engine = _fed(records, processors, **options)
    expected, figures = naive.machine(records, processors, **options)
    assert _sent(engine) == expected
    assert engine.machine == {key: figures[key] for key in engine.machine}
    assert (engine.evictions, engine.misses) == (figures["evictions"], figures["misses"])
    packets = {page: figures["packets", page] for page in {r[1] // 1024 for r in records}}
    assert engine.packets_of_pages() == packets
    assert engine.packets_of_pages(True) == {page: n - figures["spared", page] for page, n in packets.items()}


@pytest.mark.parametrize("directory", ["line", "page"])
@pytest.mark.parametrize("more", [{"hints": True, "exclusive": True}, {"translation": (128, 256), "pruning": 1024}])
def test_machines_of_many_nodes_and_stores_of_several_sets_equal_the_naive_twin(directory, more) -> None:
    """More nodes than a word of a bit set has bits; stores above 64 entries, which have several sets."""
    draw = random.Random(3)
    few, many = (
        [(draw.randrange(130), 32 * draw.randrange(900), 4, draw.random() < 0.3, 0) for _ in range(2000)],
        [(draw.randrange(64, 66), 1024 * draw.randrange(400), 4, draw.random() < 0.1, 0) for _ in range(4000)],
    )
    options = {"protocol": "invalidate", "directory": directory, "clusters_of": 1, "caches": (1024, 2), **more}
    options = that_count(lambda **given: Functional(130, **given), {**options, "page_bytes": 1024})
    assert_equal_the_twin(few + many, 130, **options)


def test_a_write_that_everybody_is_told_of() -> None:
    """Whole words of the bit sets."""
    engine = Functional(130, protocol="invalidate", directory="line")
    engine.feed(*block_of([*range(130), 129], [64] * 131, 4, [False] * 130 + [True]))
    assert engine.destinations_histogram == {129: 1} and engine.packets() == 2 * (129 + 1 + 128)


def test_equal_destinations_of_different_homes_are_kept_apart() -> None:
    """Every node tells every other one of one write: some of the 4032 messages meet in the table of different ones."""
    n, records = 64, []
    for home in range(n):
        for other in range(n):
            if other != home:
                line = 4096 * home + 32 * other
                records += [(home, line, 4, False, 0), (other, line, 4, False, 0), (home, line, 4, True, 0)]
    engine = _fed(records, n, protocol="invalidate", directory="line")
    assert _sent(engine) == {(home, frozenset({other})): 1 for home in range(n) for other in range(n) if other != home}


@given(
    st.integers(0, 1 << 30),
    st.sampled_from(["line", "page"]),
    st.sampled_from([1, 4]),
    st.sets(st.integers(0, 11)),
)
def test_pages_cost_what_they_cost_alone(seed, directory, clusters_of, chosen) -> None:
    """With caches without limit a page's packets depend on its own protocol only, whatever the others have."""
    records = [(p, 512 * (a // 100), *more) for p, a, *more in _crowd(seed)]
    options = {"directory": directory, "clusters_of": clusters_of, "page_bytes": 4096}
    alone = {p: _fed(records, 11, protocol=p, **options) for p in ("invalidate", "update")}
    both = _fed(records, 11, protocol="mixed", update_pages=chosen, **options)
    for multicast in (False, True):
        found = both.packets_of_pages(multicast)
        cost = {p: engine.packets_of_pages(multicast) for p, engine in alone.items()}
        assert found == {page: cost["update" if page in chosen else "invalidate"][page] for page in found}
        assert both.packets(multicast) == sum(found.values()) > 0
    # Caches that hold everything are caches without limit.
    large = naive.machine(records, 11, "mixed", directory, clusters_of, (1 << 16, 2048), update_pages=chosen)[1]
    assert both.packets_of_pages() == {page: large["packets", page] for page in found}


@given(
    st.integers(0, 1 << 30),
    st.sampled_from(["invalidate", "update", "mixed", "mesi", "moesi", "dragon"]),
    st.sampled_from(["line", "page"]),
    st.sampled_from([1, 2]),
    st.sampled_from([{"page_entry": "valid_holders"}, {"pointers": 3}, {"pointers": 2, "evicts": True}]),
)
def test_entries_that_cannot_list_everybody_equal_the_naive_twin(seed, protocol, directory, clusters_of, more) -> None:
    """Caches without limit: in the twin caches that hold everything, one for each node."""
    records = [(p // clusters_of * clusters_of, *rest) for p, *rest in _crowd(seed)]
    options = {"protocol": protocol, "directory": directory, "clusters_of": clusters_of, "page_bytes": 1024, **more}
    if protocol == "mixed":
        options["update_pages"] = {1, 4}
    options = that_count(lambda **given: Functional(11, **given), options)
    engine = _fed(records, 11, **options)
    expected, figures = naive.machine(records, 11, caches=(1 << 16, 2048), **options)
    assert _sent(engine) == expected
    assert (engine.evictions, engine.misses) == (figures["evictions"], figures["misses"])
    assert engine.packets_of_pages() == {page: figures["packets", page] for page in {r[1] // 1024 for r in records}}


def test_an_evicted_copy_is_gone_and_missed_again() -> None:
    """One pointer: node 2 takes the pointer of node 1, whose next read misses; the home needs none."""
    proc, write = [0, 1, 2, 1, 0], [False] * 5
    for evicts, misses, evictions in ((True, 4, 2), (False, 3, 0)):
        engine = Functional(3, directory="line", pointers=1, evicts=evicts)
        engine.feed(*block_of(proc, [64] * 5, 4, write))
        assert (engine.misses, engine.evictions) == (misses, evictions)
    # The same where who has a copy is known apart from who is listed.
    register(PASSING)
    engine = Functional(3, protocol=PASSING.name, directory="line", pointers=1, evicts=True)
    engine.feed(*block_of(proc, [64] * 5, 4, write))
    assert (engine.misses, engine.evictions) == (4, 2)
    # Of a page, every line of the node goes.
    engine = Functional(3, directory="page", pointers=1, evicts=True)
    engine.feed(*block_of([0, 1, 1, 2, 1, 1], [64, 64, 128, 64, 64, 128], 4, [False] * 6))
    assert (engine.misses, engine.evictions) == (6, 2)


def _referred(engine, *references, line=64):
    """The engine after (node, is_write) of one line, one after the other."""
    node, write = zip(*references, strict=True)
    engine.feed(*block_of(list(node), [line] * len(node), 4, list(write)))
    return engine


def test_a_write_makes_an_entry_know_again_whom_it_lists() -> None:
    """Two pointers and readers 1, 2 and 3: nobody is named to writer 1. Then only nodes 1 and 2 have the line."""
    engine = Functional(4, directory="line", pointers=2, collect=True)
    _referred(engine, (0, False), (1, False), (2, False), (3, False), (1, True), (2, False), (1, True))
    (sets,) = engine.take_sets()
    known = {tuple(nodes): bool(over) for (_, nodes, _), over in zip(sets, sets.overflowed, strict=True)}
    assert known == {(0, 2, 3): True, (2,): False}


def test_a_write_frees_the_pointers_of_those_whose_copies_it_takes() -> None:
    """Two pointers, nodes 1 and 2; node 1 writes and keeps one, so that node 3 has the other. Then node 2 takes 1's."""
    engine = Functional(4, protocol="limited", pointers=2, directory="line")
    _referred(engine, (0, False), (1, False), (2, False), (1, True), (3, False))
    assert (engine.misses, engine.evictions) == (4, 0)
    assert (_referred(engine, (2, False)).misses, engine.evictions) == (5, 1)
    assert (_referred(engine, (3, False), (1, False)).misses, engine.evictions) == (6, 2)


def test_a_pointer_that_is_free_again_leaves_the_others_in_order() -> None:
    """Nodes 1 and 2 have the pointers when 1 drops its copy; so 3 finds one free, and 4 takes that of 2, the oldest."""
    engine = Functional(5, directory="line", pointers=2, evicts=True, hints=True, caches=(32, 1))
    _referred(engine, (0, False), (1, False), (2, False))
    _referred(_referred(engine, (1, False), line=128), (3, False), (4, False))
    assert (engine.evictions, engine.misses) == (1, 6)
    assert (_referred(engine, (3, False)).misses, _referred(engine, (2, False)).misses) == (6, 7)


def test_a_node_that_gives_its_page_up_owns_no_line_of_it_and_is_not_named() -> None:
    """One pointer of a page: node 1 has written a line when node 2 reads another one. It gives the page up."""
    engine = Functional(3, directory="page", pointers=1, evicts=True)
    _referred(_referred(engine, (0, False), (1, True)), (2, False), line=128)
    assert engine.evictions == 1 and engine.destinations_histogram == {1: 1}
    _referred(engine, (2, True), line=128)
    assert engine.destinations_histogram == {1: 2}  # the home alone, not node 1
    assert (_referred(engine, (1, True)).misses, engine.machine["fetches"]) == (4, 0)


def test_a_dirty_copy_goes_on_in_its_node_where_one_node_at_a_time_may_read() -> None:
    """Processors 0 and 1 are a node with caches of a line each: 0 writes, 1 reads by the bus, 0's copy falls out."""
    register(SINGLE)
    engine = Functional(4, protocol="single", clusters_of=2, caches=(32, 1), directory="line")
    _referred(_referred(engine, (0, True), (1, False)), (0, False), line=128)
    assert engine.machine["write_backs"] == 0
    assert _referred(engine, (1, False), line=256).machine["write_backs"] == 1


def test_a_clean_copy_that_falls_out_makes_no_other_of_its_node_dirty() -> None:
    """The same with reads alone, under tables of which clean sole copies are told: nothing is ever written back."""
    register(MESIF)
    engine = Functional(4, protocol="mesif", clusters_of=2, caches=(32, 1), directory="line")
    _referred(_referred(engine, (0, False), (1, False)), (0, False), line=128)
    _referred(engine, (1, False), line=256)
    assert (engine.machine["write_backs"], engine.machine["hints"]) == (0, 1)


@pytest.mark.parametrize("made", WITHOUT_ALLOCATION)
def test_a_writer_that_would_get_no_copy_finds_the_one_of_its_node(made) -> None:
    """Processor 1 writes by the bus what 0 of the same node has read, and has a copy then: the node misses once."""
    register(made)
    engine = Functional(4, protocol=made.name, clusters_of=2, caches=(32, 1), directory="line")
    _referred(engine, (0, False), (1, True), (1, True))
    figures = engine.machine
    assert (engine.misses, figures["bus_transfers"], figures["cache_misses"], figures["fetches"]) == (1, 1, 2, 0)


def test_an_entry_of_valid_holders_forgets_who_has_no_line_left() -> None:
    """Node 1 only ever had a line that node 0 has taken back: it is told of nothing more."""
    proc, address, write = [0, 1, 0, 0, 2, 0], [64, 64, 64, 96, 96, 96], [True, False, True, True, False, True]
    for page_entry, expected in (("never_cleared", {1: 2, 2: 1}), ("valid_holders", {1: 2})):
        engine = Functional(3, directory="page", page_entry=page_entry)
        engine.feed(*block_of(proc, address, 4, write))
        assert engine.destinations_histogram == expected, page_entry


def test_tables_grow_and_flush() -> None:
    """More pages and more different messages than the first tables hold."""
    n = 40_000
    proc = np.arange(n) % 64
    address = (np.arange(n) * 7919 % 997) * 4096
    write = np.arange(n) % 3 == 0
    engine = Functional(64, protocol="update", directory="line", collect=True)
    engine.feed(*block_of(proc, address, 4, write))
    sent = _sent(engine)
    records = zip(proc.tolist(), address.tolist(), [4] * n, write.tolist(), [0] * n, strict=True)
    assert sent == naive.messages(records, "update", "line", 1)
    assert engine.pages == 997


def test_a_design_is_equal_to_itself_read_back_and_takes_numbers_of_numpy() -> None:
    design = FunctionalDesign(protocol="mixed", update_pages=np.array([3, 1, 3]), caches=(np.int64(1024), np.int32(2)))
    assert pickle.loads(pickle.dumps(design)) == design == replace(design, update_pages={1, 3})
    assert design != replace(design, update_pages=[1]) and design == replace(design, caches=(1024, 2))
    timed = Design(caches=(np.int64(1024), np.int32(2)), translation=(np.uint8(4), 4))
    assert timed == Design(caches=(1024, 2), translation=(4, 4)) and timed.sets == 16
    with pytest.raises(JumpnetError, match=r"caches \(1024, True\) found, two whole numbers or None expected"):
        FunctionalDesign(caches=(1024, True))


def test_bad_machines_are_refused_in_one_line() -> None:
    for options, found in (
        ({"protocol": "invalidat"}, "did you mean 'invalidate'"),
        ({"line_bytes": 33}, "power of two"),
        ({"page_bytes": 16}, "power of two"),
        ({"clusters_of": 0}, "clusters of 0"),
        ({"caches": (96, 1)}, "a cache of 3 entries in 1 ways found"),
        ({"caches": (100, 1)}, "caches of 100 bytes found, a multiple of the line's 32"),
        ({"caches": (128, 3)}, "4 entries in 3 ways"),
        ({"caches": (128, 0)}, "4 entries in 0 ways"),
        ({"caches": (1 << 50, 1)}, "of memory"),
        ({"placement": "given"}, "no homes with placement 'given'"),
        ({"homes": {1: 2}}, "homes without placement"),
        ({"homes": {1: 4}, "placement": "given"}, "home 4 of page 1 found, 0 to 3"),
        ({"pruning": -1}, "-1 entries found"),
        ({"translation": (65, 4)}, "65 entries in 8 ways"),
        ({"page_entry": "valid_holder"}, "did you mean 'valid_holders'"),
        ({"pointers": -1}, "a directory of -1 pointers found, at least 0 expected"),
        ({"caches": (64,)}, "caches .64,. found, two whole numbers or None expected"),
        ({"translation": "x"}, "translation 'x' found, two whole numbers or None expected"),
        ({"update_pages": ["a"]}, "page 'a' in update mode found, a whole number expected"),
        ({"update_pages": "ab"}, "update_pages 'ab' found, values, each a whole number, expected"),
        ({"line_bytes": "x"}, "FunctionalDesign: line_bytes 'x' found, a whole number expected"),
        ({"clusters_of": 1 << 70}, "clusters of 1180591620717411303424 processors found, 1 to 16384 expected"),
        ({"evicts": True}, "a directory of 0 pointers found, at least 1 expected"),
        ({"pointers": 2, "pruning": 4}, "2 pointers with pruning found"),
        ({"pointers": 2, "page_entry": "valid_holders"}, "2 pointers with valid_holders found"),
    ):
        with pytest.raises(JumpnetError, match=found):
            Functional(4, **options)
    with pytest.raises(JumpnetError, match="processor 4 found, 0 to 3"):
        Functional(4).feed(*block_of(4, [64], 4, True))


@pytest.mark.skipif(not TRACES.is_dir(), reason="the shared traces are not here")
def test_first_study_of_water() -> None:
    """Figures of the traces' README: two peaks of processors, and of clusters of four."""
    trace = open_trace(TRACES / "water_nsq_64mol_p32.parquet")
    one = Functional(32, protocol="invalidate", directory="page")
    four = Functional(32, protocol="invalidate", directory="page", clusters_of=4)
    for block in trace.blocks():
        one.feed(*block)
        four.feed(*block)
    shares = {k: v / four.messages for k, v in four.destinations_histogram.items()}
    assert round(shares[4] + shares[5], 2) == 0.91
    assert round(shares[7], 3) == 0.046
    peaks = sorted(one.destinations_histogram, key=one.destinations_histogram.get)
    assert set(peaks[-2:]) == {18, 19}
    assert one.destinations_histogram[31] > 20 * one.destinations_histogram[30]
