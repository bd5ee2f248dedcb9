"""Trace readers: what they read, and that foreign, truncated and impossible files are refused in one line."""

from __future__ import annotations

import gzip
import json
import zipfile

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Block, Trace, block_of, open_trace
from jumpnet.machine.trace.drmemtrace import RECORD
from jumpnet.machine.traffic import coherence_traffic


def _rows(trace):
    return [row for block in trace.blocks() for row in zip(*(c.tolist() for c in block), strict=True)]


def assert_refused(path, match, **options) -> None:
    with pytest.raises(JumpnetError, match=match) as caught:
        list(open_trace(path, **options).blocks())
    assert "\n" not in str(caught.value)


def test_lackey(tmp_path) -> None:
    path = tmp_path / "a.lackey"
    path.write_text("==1== Lackey\nI  04001000,3\n L 1ffe,8\n S 20,4\n M 40,2\n")
    assert _rows(open_trace(path)) == [
        (0, 0x1FFE, 8, False, 0),
        (0, 0x20, 4, True, 0),
        (0, 0x40, 2, False, 0),
        (0, 0x40, 2, True, 0),
    ]
    path.write_text(" L 10,4\n L 20,")
    assert_refused(path, r"line 2 \(offset 8\): 'L 20,' found")
    path.write_bytes(b"")
    assert_refused(path, "empty file found, lines ` L addr,size` with I, L, S or M and 1 to 16384 bytes expected")
    path.write_bytes(b"\x7fELF\x02\x01" + bytes(9000))
    assert_refused(path, r"line 1 \(offset 0\)")
    path.write_text(" L ffffffffffffffff,4\n")
    assert_refused(path, "record 0: address 0xffffffffffffffff found, below")


def test_din(tmp_path) -> None:
    path = tmp_path / "a.din"
    path.write_text("0 10 a comment\n1 20\n2 30\n")
    assert _rows(open_trace(path)) == [(0, 16, 4, False, 0), (0, 32, 4, True, 0)]
    path.write_text("1 20 7\n")
    assert _rows(open_trace(path, "din-proc")) == [(7, 32, 4, True, 0)]
    path.write_text("3 20\n")
    assert_refused(path, "label 0, 1 or 2 expected")
    path.write_bytes(b"0" * 10_000)
    assert_refused(path, r"line 1 \(offset 0\)")
    path.write_text("1 20 99999\n")
    assert_refused(path, "processor 99999 found", format_name="din-proc")


def _records(*rows):
    return np.array(list(rows), RECORD).tobytes()


def test_drmemtrace(tmp_path) -> None:
    first = _records(
        (25, 0, 6), (22, 4, 9), (28, 2, 100), (0, 8, 64), (10, 3, 5), (28, 2, 300), (1, 4, 128), (26, 0, 0)
    )
    second = _records((25, 0, 6), (28, 2, 200), (1, 2, 96), (26, 0, 0))
    with gzip.open(tmp_path / "1.trace.gz", "wb") as file:
        file.write(first)
    with zipfile.ZipFile(tmp_path / "2.trace.zip", "w") as archive:
        archive.writestr("chunk.0000", second[:17])  # records may straddle chunks
        archive.writestr("chunk.0001", second[17:])
    trace = open_trace(tmp_path)
    assert trace.processors == 2
    assert _rows(trace) == [(0, 64, 8, False, 0), (1, 96, 2, True, 0), (0, 128, 4, True, 0)]


def test_bad_drmemtrace(tmp_path) -> None:
    path = tmp_path / "1.trace.gz"

    def write(data: bytes) -> None:
        with gzip.open(path, "wb") as file:
            file.write(data)

    write(_records((25, 0, 7)))
    assert_refused(path, "version 7 found, 1 and 6 can be read")
    write(_records((0, 8, 64)))
    assert_refused(path, "type 0 found at offset 0, a header")
    write(_records((25, 0, 6), (0, 8, 64))[:-5])
    assert_refused(path, "7 bytes found at offset 12")
    write(_records((25, 0, 6), (99, 8, 64)))
    assert_refused(path, "type 99 found at offset 12")
    write(_records((25, 0, 6), (0, 8, 2**64 - 4096)))
    assert_refused(path, "record 0: address 0xfffffffffffff000 found, below")
    write(b"")
    assert_refused(path, "type 0|empty")
    path.write_bytes(gzip.compress(_records((25, 0, 6)) + bytes(120_000))[:-9])
    assert_refused(path, "damaged after offset")
    path.write_bytes(b"not gzip at all")
    assert_refused(path, "damaged after offset 0")


def _parquet(path, metadata=None, **change):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {
        "seq": np.arange(4, dtype=np.uint32),
        "proc": np.array([0, 0, 1, 1], np.uint16),
        "address": np.array([64, 96, 64, 96], np.uint64),
        "size": np.full(4, 8, np.uint8),
        "is_write": np.array([True, False, True, False]),
        "kind": np.zeros(4, np.uint8),
    }
    columns.update(change)
    table = arrow.table({k: v for k, v in columns.items() if v is not None})
    about = {"processors": 2, "seq_first_create": 1} if metadata is None else metadata
    parquet.write_table(table.replace_schema_metadata({"memcap": json.dumps(about)}), path)
    return path


def test_parquet(tmp_path) -> None:
    trace = open_trace(_parquet(tmp_path / "a.parquet"))
    assert trace.processors == 2
    assert _rows(trace) == [(0, 96, 8, False, 0), (1, 64, 8, True, 0), (1, 96, 8, False, 0)]


def test_parquet_without_kinds_and_numbers(tmp_path) -> None:
    rows = [(0, 64, 8, True, 0), (0, 96, 8, False, 0), (1, 64, 8, True, 0), (1, 96, 8, False, 0)]
    path = tmp_path / "a.parquet"
    assert _rows(open_trace(_parquet(path, {}, kind=None, seq=None))) == rows
    locks = np.array([0, 2, 0, 3], np.uint8)
    found = _rows(open_trace(_parquet(path, {}, kind=locks, seq=None)))
    assert found == [(*row[:4], kind) for row, kind in zip(rows, locks, strict=True)]
    assert_refused(_parquet(path, seq=None), "seq_first_create without a column 'seq' found")


def test_bad_parquet(tmp_path) -> None:
    path = tmp_path / "a.parquet"
    assert_refused(
        _parquet(path, proc=np.array([0, 0, 2, 1], np.uint16)), "record 2: processor 2 found, 0 to 1 expected"
    )
    assert_refused(
        _parquet(path, address=np.array([0, 0, 2**63 + 1, 1], np.uint64)), "record 2: address 0x8000000000000001"
    )
    assert_refused(_parquet(path, address=np.array([0, 0, 2**48 - 4, 1], np.uint64)), "record 2: address")
    assert_refused(_parquet(path, kind=np.array([0, 9, 0, 0], np.uint8)), "record 1: kind 9")
    assert_refused(_parquet(path, size=None), "no column 'size' found, columns proc, address, size, is_write expected")
    assert_refused(_parquet(path, kind=np.array(["data"] * 4)), "column 'kind' of string found, int expected")
    assert_refused(_parquet(path, size=np.full(4, 0.5)), "column 'size' of double found")
    assert_refused(_parquet(path, metadata=[1]), "not a JSON object")
    assert_refused(_parquet(path, metadata={"processors": -1}), "-1 processors found")
    whole = _parquet(path).read_bytes()
    half = whole[: len(whole) // 2]
    path.write_bytes(half)
    assert_refused(path, f"not a whole Parquet file: .* found at offset {len(half) - 4}, b'PAR1' expected")
    path.write_bytes(b"GIF8" + whole[4:])
    assert_refused(path, "b'GIF8' found at offset 0")
    path.write_bytes(whole[:4] + b"\xff" * (len(whole) - 12) + whole[-8:])
    assert_refused(path, "not a whole Parquet file|damaged after record 0")


def test_a_format_with_a_workload_is_refused() -> None:
    with pytest.raises(JumpnetError, match="--format din found with 'workload:lu', which is no file"):
        open_trace("workload:lu", "din")


def test_unknown_files(tmp_path) -> None:
    (tmp_path / "a.xyz").write_text("")
    assert_refused(tmp_path / "a.xyz", "unknown ending")
    assert_refused(tmp_path / "a.xyz", "did you mean 'lackey'", format_name="lackei")
    (tmp_path / "empty").mkdir()
    assert_refused(tmp_path / "empty", "files found in the folder")
    assert_refused(tmp_path / "empty", "empty: a folder found, a lackey file expected", format_name="lackey")
    for ending in ("din", "parquet", "lackey"):
        (tmp_path / f"a.{ending}").mkdir()
        assert_refused(tmp_path / f"a.{ending}", f"a.{ending}: a folder found, a {ending} file expected")
    (tmp_path / "empty" / "1.trace.gz").mkdir()
    assert_refused(tmp_path / "empty", "1.trace.gz: not a regular file")


@pytest.mark.parametrize("machine", [coherence_traffic, streams_of])
@pytest.mark.parametrize(
    ("address", "size", "kind", "match"),
    [
        (-64, 4, 0, "address 0xf+c0"),
        (2**63 - 4, 8, 0, "address 0x7f+c"),
        (0, 2**33, 0, "size 8589934592"),
        (0, 4, 9, "kind 9"),
    ],
)
def test_records_that_are_none_are_refused_of_a_trace_of_ones_own(machine, address, size, kind, match) -> None:
    """As of a file: beyond 2**63 no line was touched, -1 was a page more each time, 8 GB were lines one by one."""
    block = block_of([0, 1], [64, address], [4, size], False, [0, kind])
    with pytest.raises(JumpnetError, match=rf"mine: record 1: {match} found"):
        machine(Trace("mine", 2, lambda: iter([block])))


@pytest.mark.parametrize("name", Block._fields)
def test_columns_of_a_block_made_by_hand_have_one_length(name) -> None:
    """Kernels read beyond the shorter ones: 271 misses of 12 references, in silence."""
    block = block_of([0, 1, 2, 3], [64] * 4, 4, [False, True, False, True])
    longer = block._replace(**{name: np.concatenate([getattr(block, name)] * 2)})
    with pytest.raises(JumpnetError, match=r"shape \(\d,\) found, one number or \d expected"):
        coherence_traffic(Trace("mine", 4, lambda: iter([longer])))


def test_columns_of_other_types_count_alike() -> None:
    block = block_of([0, 1, 2, 3], [64] * 4, 4, [False, True, False, True])
    others = Block(*(column.tolist() for column in block))
    runs = [coherence_traffic(Trace("mine", 4, lambda made=made: iter([made]))) for made in (block, others)]
    assert runs[0] == runs[1]
    with pytest.raises(JumpnetError, match="kind: 256 to 256 found, 0 to 5 expected"):
        block_of(0, [64], 4, True, 256)  # was cut to 0
