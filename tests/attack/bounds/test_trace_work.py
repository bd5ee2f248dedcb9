"""Small traces that are much work: the lines that they touch, their accesses and what they unpack to have bounds."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine import records
from jumpnet.machine.trace import open_trace
from jumpnet.machine.trace.drmemtrace import RECORD

HEAD = np.array([(25, 0, 6)], RECORD).tobytes()
"""The header of a drmemtrace file."""


def _drmemtrace(path: Path, count: int, size: int) -> None:
    path.write_bytes(gzip.compress(HEAD + np.array([(0, size, 64)], RECORD).tobytes() * count))


def _lackey(path: Path, count: int, size: int) -> None:
    path.write_text(f" L 40,{size}\n" * count)


def _parquet(path: Path, count: int, size: int) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    n = np.zeros(count, np.int64)
    columns = {"seq": n, "proc": n, "address": n, "size": n + size, "is_write": n > 0, "kind": n}
    parquet.write_table(arrow.table(columns), path)


WRITERS = [("t.trace.gz", _drmemtrace), ("t.lackey", _lackey), ("t.parquet", _parquet)]


def _read(path: Path) -> int:
    return sum(len(block.proc) for block in open_trace(path).blocks())


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_large_accesses_are_few(tmp_path: Path, name: str, write) -> None:
    """A file of 116 kB with 5 million accesses of 64 kB each was read for minutes."""
    write(tmp_path / name, 4000, records.MOST_BYTES)
    assert _read(tmp_path / name) == 4000  # within what is free
    write(tmp_path / name, 70_000, records.MEAN_BYTES)
    assert _read(tmp_path / name) == 70_000  # as many as there may be of such
    write(tmp_path / name, 70_000, records.MOST_BYTES)
    with pytest.raises(JumpnetError, match=rf"{name}: \d+ bytes touched by the first \d+ accesses found, at most \d+"):
        _read(tmp_path / name)


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_no_instruction_touches_so_much(tmp_path: Path, name: str, write) -> None:
    write(tmp_path / name, 1, records.MOST_BYTES + 1)
    with pytest.raises(JumpnetError, match=rf"{name}: .*16385.* found, .*1 to 16384 bytes"):
        _read(tmp_path / name)


def test_a_byte_holds_only_so_many_accesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One value a column can stand for any number of rows."""
    _parquet(tmp_path / "t.parquet", 100_000, 4)
    assert _read(tmp_path / "t.parquet") == 100_000
    monkeypatch.setattr(records, "FREE_ACCESSES", 0)
    monkeypatch.setattr(records, "ACCESSES_A_BYTE", 2)
    with pytest.raises(JumpnetError, match=r"t\.parquet: 65536 accesses found in \d+ bytes, at most \d+ expected"):
        _read(tmp_path / "t.parquet")


def test_entries_of_an_archive_that_overlap(tmp_path: Path) -> None:
    """A list of entries that are all the same bytes unpacks to more than so few bytes can hold."""
    data = HEAD + np.array([(0, 8, 64)], RECORD).tobytes() * 300_000
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chunk.0000", data)
    whole = file.getvalue()
    (at,) = struct.unpack("<I", whole[-6:-2])
    entry, copies = whole[at:-22], 40
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, copies, copies, copies * len(entry), at, 0)
    (tmp_path / "t.trace.zip").write_bytes(whole[:at] + entry * copies + end)
    with pytest.raises(
        JumpnetError, match=r"t\.trace\.zip: damaged after offset \d+: (more than \d+ bytes unpacked|Over)"
    ):
        _read(tmp_path / "t.trace.zip")
