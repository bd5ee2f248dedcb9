"""Small files that unpack to much, or that are all of one strange thing: refused early, or read at the usual pace."""

from __future__ import annotations

import bz2
import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.attack.files.bombs import attack, bombs_of
from tests.attack.files.readers import readers

from jumpnet.errors import JumpnetError
from jumpnet.files import read_bytes
from jumpnet.machine.trace import drmemtrace as reader
from jumpnet.machine.trace import open_trace
from jumpnet.machine.trace.netrace import HEADER, PACKET, open_netrace, packet_list
from jumpnet.study.booksim.run import configuration
from jumpnet.topology import build

RECORD = reader.RECORD
FELL = [
    ("remembered point", "64 GB of holes"), ("remembered point", "/dev/zero"), ("booksim", "numbers beyond 64 bits"),
    ("dependent packets in Parquet", "a pipe"),
]  # fmt: skip
"""Those that have fallen."""


def test_bombs_are_refused_and_a_fall_is_seen() -> None:
    """All of them by name: `python -m tests.attack.files.bombs`."""
    assert min(len(bombs_of(name)) for name in readers()) >= 8
    falls, slow = attack([*FELL, ("fails", "nothing")])
    assert [(fall.reader, fall.why) for fall in falls if "ZeroDivisionError" not in fall.why] == [] and len(falls) == 1
    assert falls[0].reader == "fails" and slow == []


def test_packets_beyond_those_of_the_header_are_not_kept(tmp_path: Path) -> None:
    """91 kB once took 3 GB before they were refused, 3 kB a packet. A first reading, of few, loads the compiler."""
    head = HEADER.pack(0x484A5455, 1.0, b"bomb", 16, 0, 9, 10, 0, 0)
    for measured, packets in ((False, 20), (True, 3 * 10**5)):
        (tmp_path / "b.tra.bz2").write_bytes(bz2.compress(head + PACKET.pack(1, 1, 0, 1, 2, 3, 0, 0) * packets))
        trace = open_netrace(tmp_path / "b.tra.bz2")
        if measured:
            tracemalloc.start()
        with pytest.raises(JumpnetError, match="more than the 10 packets of the header found"):
            packet_list(trace)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 64 << 20


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    tracemalloc.start()
    assert read_bytes(tmp_path / "a", 1 << 31, "a text expected") == b"a"
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 << 20


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    """One of holes once took 2 GB first."""
    with (tmp_path / "p.csv").open("wb") as file:
        file.truncate(8 << 30)
    tracemalloc.start()
    with pytest.raises(JumpnetError, match="more than 2147483648 bytes found"):
        read_bytes(tmp_path / "p.csv", 1 << 31, "a text expected")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 << 20


def _drmemtrace(path: Path, rows: np.ndarray) -> None:
    path.write_bytes(gzip.compress(np.concatenate([np.array([(25, 0, 6)], RECORD), rows]).tobytes()))


def test_a_timestamp_before_each_access_makes_no_blocks_of_one(tmp_path: Path) -> None:
    """58 kB of them once took a minute."""
    count = 200_000
    rows = np.zeros(2 * count, RECORD)
    rows["type"][::2], rows["size"][::2], rows["value"][::2] = 28, 2, np.arange(count)
    rows["size"][1::2], rows["value"][1::2] = 8, 64
    _drmemtrace(tmp_path / "t.trace.gz", rows)
    blocks = list(open_trace(tmp_path / "t.trace.gz").blocks())
    assert sum(len(block.proc) for block in blocks) == count
    assert len(blocks) <= 2 + 2 * count // reader.BLOCK


def _naive(threads: list[list[tuple[int, int, int]]]) -> Iterator[tuple[int, int]]:
    """(thread, address) in the order of timestamps, then of threads, then of their files."""
    found = []
    for proc, rows in enumerate(threads):
        now = 0
        for kind, size, value in rows:
            if (kind, size) == (28, 2):
                now = max(now, value)
            elif kind <= 1:
                found.append((now, proc, value))
    yield from ((proc, value) for _, proc, value in sorted(found, key=lambda row: row[:2]))


@pytest.mark.parametrize("seed", range(30))
def test_threads_are_merged_as_one_by_one(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(seed)
    monkeypatch.setattr(reader, "BLOCK", 7)
    threads = []
    for proc in range(int(draw.integers(1, 5))):
        rows = []
        for k in range(int(draw.integers(0, 60))):
            stamp = (28, 2, int(draw.integers(0, 12)) + (2**64 - 20 if draw.random() < 0.03 else k // 3))
            rows.append(stamp if draw.random() < 0.4 else (int(draw.integers(0, 3)), 4, 1000 * proc + k))
        threads.append(rows)
        _drmemtrace(tmp_path / f"t{proc}.trace.gz", np.array(rows, RECORD))
    found = [pair for block in open_trace(tmp_path).blocks() for pair in zip(block.proc, block.address, strict=True)]
    assert found == list(_naive(threads))


@pytest.mark.parametrize("about", ["[" * 100_000, '{"processors": 0}', '{"seq_first_create": -1}', "1" * 5000, "[]"])
def test_metadata_of_parquet(tmp_path: Path, about: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    n = np.arange(5)
    columns = {"seq": n, "proc": n, "address": n, "size": n, "is_write": n > 2, "kind": n * 0}
    table = arrow.table(columns).replace_schema_metadata({"memcap": about})
    parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(JumpnetError, match=r"t\.parquet: .*(JSON object|expected)"):
        open_trace(tmp_path / "t.parquet")
    parquet.write_table(
        table.replace_schema_metadata({"memcap": json.dumps({"processors": 5})}), tmp_path / "t.parquet"
    )
    assert sum(len(block.proc) for block in open_trace(tmp_path / "t.parquet").blocks()) == 5


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"0,1\r0,1\n1,0\n", r"m\.csv:1: new-line character seen in unquoted field"),
        (b"0,1\n1," + b"9" * 200_000 + b"\n", r"m\.csv:2: field larger than field limit"),
        (b"0,1e308\n1,0\n", r"m\.csv:1: '1e308' found"),
    ],
)
def test_a_matrix_that_csv_does_not_take(tmp_path: Path, text: bytes, found: str) -> None:
    (tmp_path / "m.csv").write_bytes(text)
    with pytest.raises(JumpnetError, match=found) as told:
        build(f"file:{tmp_path / 'm.csv'}")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("line", ["seed = 1e400", "seed = nan", "stopping_thres = inf", "internal_speedup = nan"])
def test_a_number_of_booksim_that_is_none(tmp_path: Path, line: str) -> None:
    (tmp_path / "b.cfg").write_text(f"topology = torus; k = 4; n = 2; routing_function = dim_order;\n{line};\n")
    with pytest.raises(JumpnetError, match=r"b\.cfg(:2:1)?: .* found, .* expected"):
        configuration(tmp_path / "b.cfg", {})
