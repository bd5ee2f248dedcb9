"""DynamoRIO drmemtrace: one `.trace.gz` or `.trace.zip` a thread, packed records of u16 type, u16 size, u64 value.

Only layout versions that were read from real files are accepted. Threads are numbered in the order of their file names
and merged by their timestamp markers (microseconds); the order between threads inside a timestamp is not in the files.
"""

from __future__ import annotations

import gzip
import heapq
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular
from jumpnet.machine.records import BLOCK, Block, Format, Trace, block_of, checked
from jumpnet.terms import Array

__all__ = ["drmemtrace"]

RECORD = np.dtype([("type", "<u2"), ("size", "<u2"), ("value", "<u8")])
READ, WRITE, HEADER, MARKER = 0, 1, 25, 28
MOST_TYPE = 63
TIMESTAMP = 2
VERSIONS = (1, 6)
"""Versions of the header whose files have been read."""
ENDINGS = (".trace.gz", ".trace.zip")


def _streams(path: Path) -> Iterator[IO[bytes]]:
    if path.name.endswith(".gz"):
        with gzip.open(path) as file:
            yield file  # type: ignore[misc]
        return
    with zipfile.ZipFile(path) as archive:
        for name in sorted(n for n in archive.namelist() if n.startswith("chunk.")):
            with archive.open(name) as member:
                yield member


def _records(path: Path) -> Iterator[tuple[int, Array]]:
    """Pieces of at most BLOCK records with the number of the first; offsets are in the unpacked thread file."""
    done, rest = 0, b""
    try:
        for stream in _streams(path):
            while data := stream.read(BLOCK * RECORD.itemsize - len(rest)):
                data = rest + data
                whole = len(data) // RECORD.itemsize
                rest = data[whole * RECORD.itemsize :]
                if whole:
                    yield done, np.frombuffer(data, RECORD, whole)
                    done += whole
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise JumpnetError(f"{path.name}: damaged after offset {done * RECORD.itemsize}: {error}") from None
    if rest:
        raise JumpnetError(
            f"{path.name}: {len(rest)} bytes found at offset {done * RECORD.itemsize}, records of 12 bytes expected"
        )


def _check_head(path: Path, record: Array) -> None:
    if record["type"] != HEADER:
        raise JumpnetError(f"{path.name}: record type {record['type']} found at offset 0, a header (25) expected")
    if int(record["value"]) not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise JumpnetError(f"{path.name}: drmemtrace version {record['value']} found, {known} can be read")


def _thread(path: Path, proc: int) -> Iterator[tuple[int, int, Block]]:
    """(timestamp, thread, accesses up to the next timestamp), in the thread's order."""
    now, empty = 0, True
    for first, records in _records(path):
        if first == 0:
            _check_head(path, records[0])
        empty = False
        odd = np.flatnonzero(records["type"] > MOST_TYPE)
        if odd.size:
            at = (first + int(odd[0])) * RECORD.itemsize
            raise JumpnetError(f"{path.name}: unknown record type {records['type'][odd[0]]} found at offset {at}")
        marks = np.flatnonzero((records["type"] == MARKER) & (records["size"] == TIMESTAMP))
        for start, stop in zip([0, *marks.tolist()], [*marks.tolist(), len(records)], strict=True):
            part = records[start:stop]
            if len(part) and part["type"][0] == MARKER and part["size"][0] == TIMESTAMP:
                now = max(now, int(part["value"][0]))
            part = part[part["type"] <= WRITE]
            if len(part):
                yield now, proc, block_of(proc, part["value"].view(np.int64), part["size"], part["type"] == WRITE)
    if empty:
        raise JumpnetError(f"{path.name}: empty file found, a drmemtrace header expected")


def _blocks(files: list[Path]) -> Iterator[Block]:
    record = 0
    threads = [_thread(path, proc) for proc, path in enumerate(files)]
    for _, proc, block in heapq.merge(*threads, key=lambda piece: piece[:2]):
        yield checked(block, record, files[proc].name, len(files))
        record += len(block.proc)


def _open(path: Path) -> Trace:
    files = sorted(f for f in path.rglob("*") if f.name.endswith(ENDINGS)) if path.is_dir() else [path]
    if not files:
        raise JumpnetError(f"{path.name}: no {' or '.join(ENDINGS)} files found in the folder")
    for file in files:
        must_be_regular(file, "a drmemtrace file expected")
        _, records = next(_records(file), (0, np.zeros(1, RECORD)))
        _check_head(file, records[0])
    return Trace(path.name, len(files), lambda: _blocks(files))


drmemtrace = Format(
    "drmemtrace", ENDINGS, _open, "DynamoRIO drcachesim, trace_entry.h", "one file a thread, binary", folders=True
)
