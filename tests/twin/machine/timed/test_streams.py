"""The streams of a trace equal those of their naive twin in whatever chunks they are read, and so does what runs them;
a long trace takes no more memory than a short one."""

from __future__ import annotations

import gzip
import importlib.util
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.draws import draws
from tests.naive import streams as naive
from tests.twin.machine.timed.twin import made_trace, rows_of

from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.machine import run_machine
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of, open_trace
from jumpnet.machine.trace.drmemtrace import RECORD as RECORD_OF_DRMEMTRACE
from jumpnet.machine.traffic import coherence_traffic

CHUNKS = (1, 7, 1000)
# Few locks and conditions, some on pages with data, so that records of all kinds meet; most orders of them cannot be.
DATA = st.tuples(st.integers(0, 2), st.integers(0, 300), st.integers(1, 80), st.booleans(), st.integers(0, 1))
KIND = st.sampled_from([2, 2, 3, 3, 4, 5, 5])
ABOUT = st.tuples(st.integers(0, 2), st.sampled_from([64, 72, 1 << 20]), st.just(4), st.just(True), KIND)


def _in_blocks(rows, processors, size):
    parts = [rows[k : k + size] for k in range(0, len(rows), size)]
    blocks = [block_of(*(np.array(column) for column in zip(*part, strict=True))) for part in parts]
    return Trace("made", processors, lambda: iter(blocks))


def _plain(streams):
    count = len(streams.first) - 1
    left = ("references", "first", "sizes")
    found = {name: column.tolist() for name, column in streams._asdict().items() if name not in left}
    return {**found, "code": [streams.references.take(p, 0, 1 << 30).tolist() for p in range(count)]}


def assert_same_in_chunks(rows, chunk, **how):
    try:
        right = naive.streams(rows, 3, **how)
    except naive.WrongError as error:
        with pytest.raises(JumpnetError) as caught:
            streams_of(_in_blocks(rows, 3, chunk), chunk=chunk, **how)
        assert str(caught.value) == f"made: {error}"
        return
    assert _plain(streams_of(_in_blocks(rows, 3, chunk), chunk=chunk, **how)) == right
    assert _plain(streams_of(made_trace(rows, 3), **how)) == right


# Two take a lock, and the second one gives it back first.
TWO = [(0, 64, 4, True, 2), (1, 64, 4, True, 2), (1, 64, 4, True, 3), (0, 64, 4, True, 3)]


@settings(max_examples=draws(400))
@example(rows=TWO, clusters_of=1, placement="first-touch", chunk=7)
@given(
    rows=st.lists(st.one_of(ABOUT, ABOUT, DATA), min_size=1, max_size=40),
    clusters_of=st.integers(1, 2),
    placement=st.sampled_from(["first-touch", "round-robin", "interleaved"]),
    chunk=st.sampled_from(CHUNKS),
)
def test_any_records_give_the_streams_of_the_naive_twin(rows, clusters_of, placement, chunk) -> None:
    assert_same_in_chunks(rows, chunk, clusters_of=clusters_of, placement=placement, page_bytes=128)


def _work(count, seed=1):
    """Locked work, flags, barriers and locks that are handed over, as rows."""
    draw = np.random.default_rng(seed)
    kinds, who, where = draw.integers(0, [[8], [10], [40]], (3, count)).tolist()
    pieces = [(k, p, 128 * a, [bool(a % 3), False, True]) for k, p, a in zip(kinds, who, where, strict=True)]
    return rows_of(pieces, 6)


def test_chunks_change_no_result() -> None:
    rows = _work(200)
    assert {row[4] for row in rows} == {0, 2, 3, 4, 5}
    whole = streams_of(made_trace(rows, 6), clusters_of=2)
    same = {"clusters_of": 2, "caches": (256, 2), "translation": (2, 2), "outstanding": 2}
    tree = {"multicast": "full_map", "acknowledges": "combined"}
    alone, right = run_machine(whole, latency_cycles=9, **same), closed_loop(whole, "torus:2x2", **same, **tree)
    engine = Functional(6, clusters_of=2, caches=(256, 2))
    engine.feed(*block_of(*(np.array(column) for column in zip(*rows, strict=True))))
    for chunk in CHUNKS:
        trace = _in_blocks(rows, 6, chunk)
        found = streams_of(trace, clusters_of=2, chunk=chunk)
        assert found.code.size == 0 and _plain(found) == _plain(whole)
        assert run_machine(found, latency_cycles=9, **same) == alone
        assert closed_loop(found, "torus:2x2", **same, **tree) == right
        traffic = coherence_traffic(trace, clusters_of=2, caches=(256, 2))
        assert (traffic.messages, traffic.misses, traffic.packets) == (engine.messages, engine.misses, engine.packets())
        assert traffic.machine == engine.machine and traffic.destinations_histogram == engine.destinations_histogram


def _drawn(pieces):
    """A trace of so many pieces of 1000 records, never in memory together: locked work on 64 kB, and barriers."""

    def blocks():
        draw = np.random.default_rng(3)
        for _ in range(pieces):
            address, write = 8 * draw.integers(0, 1 << 13, 990), draw.random(990) < 0.3
            proc = np.sort(draw.integers(0, 4, 990))
            kind = np.zeros(990, np.int64)
            kind[::100], address[::100] = 2, 1 << 20
            kind[2::100], address[2::100], proc[2::100] = 3, 1 << 20, proc[::100]
            yield block_of(proc, address, 8, write, kind)
            yield block_of(np.arange(4), np.full(4, 1 << 21), 8, True, 4)

    return Trace("drawn", 4, blocks)


def _waits(pieces):
    """Flags and locks that are handed over, 500 each a piece, at two addresses each, in turns of two processors."""

    def blocks():
        for k in range(pieces):
            address = (1 << 20) + 8 * np.tile([0, 0, 1, 1], 250)
            last = [0, 1] if k == 0 else []  # who opens has a record more
            proc, where = np.append(np.tile([1, 0, 0, 1], 250), last), np.append(address, address[[0, 2]][: len(last)])
            yield block_of(proc, where, 8, True, 5)
            yield block_of(np.tile([0, 1, 1, 0], 250), address + 64, 8, True, np.tile([3, 2], 500))

    return Trace("waits", 2, blocks)


def _peak(work, *of):
    tracemalloc.start()
    try:
        work(*of)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _read(pieces, chunk=200):
    return streams_of(_drawn(pieces), chunk=chunk)


def _timed(pieces, chunk=200):
    closed_loop(_read(pieces, chunk), "torus:2x2", caches=(4096, 2))


def _synchronised(pieces):
    run_machine(streams_of(_waits(pieces), chunk=200), latency_cycles=5)


def _functional(pieces):
    coherence_traffic(_drawn(pieces), encoding_name="full_map", network="torus:2x2")


@pytest.mark.parametrize("work", [_read, _timed, _synchronised, _functional])
def test_a_long_trace_takes_no_more_memory_than_a_short_one(work) -> None:
    work(1)  # what is made once
    short, long = (_peak(work, pieces) for pieces in (4, 40))
    assert long - short < 100_000 < 36 * 1000 * 8  # bytes that the references, or waits, more would take
    if work in (_read, _timed):  # where all is in memory it shows
        assert _peak(work, 40, None) - short > 1_000_000


def test_files_of_every_format_are_read_in_chunks(tmp_path) -> None:
    draw = np.random.default_rng(5)
    address, write = 4 * draw.integers(0, 500, 300), draw.random(300) < 0.5
    one = [(0, int(a), 4, bool(w), 0) for a, w in zip(address, write, strict=True)]
    many = [(k % 3, *row[1:]) for k, row in enumerate(one)]
    lines = [f"{int(w)} {a:x}" for _, a, _, w, _ in one]
    (tmp_path / "a.din").write_text("\n".join(lines))
    (tmp_path / "a.dinp").write_text("\n".join(f"{line} {row[0]}" for line, row in zip(lines, many, strict=True)))
    (tmp_path / "a.lackey").write_text("\n".join(f" {'LS'[w]} {a:x},4" for _, a, _, w, _ in one))
    packed = [(25, 0, 6), (28, 2, 100), *((int(w), 4, a) for _, a, _, w, _ in one), (26, 0, 0)]
    with gzip.open(tmp_path / "a.trace.gz", "wb") as file:
        file.write(np.array(packed, RECORD_OF_DRMEMTRACE).tobytes())
    right = {"a.din": one, "a.lackey": one, "a.trace.gz": one, "a.dinp": many}
    if importlib.util.find_spec("pyarrow"):
        from pyarrow import parquet, table

        columns = dict(zip(("proc", "address", "size", "is_write", "kind"), zip(*many, strict=True), strict=True))
        parquet.write_table(table({"seq": np.arange(300), **columns}), tmp_path / "a.parquet")
        right["a.parquet"] = many
    for name, rows in right.items():
        processors = 3 if rows is many else 1
        found = streams_of(open_trace(tmp_path / name), chunk=7, processors=processors)
        assert _plain(found) == naive.streams(rows, processors), name
