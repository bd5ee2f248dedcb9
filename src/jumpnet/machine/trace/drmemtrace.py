"""DynamoRIO drmemtrace: one `.trace.gz` or `.trace.zip` a thread, packed records of u16 type, u16 size, u64 value.

Only layout versions that were read from real files are accepted. Threads are numbered in the order of their file names
and merged by their timestamp markers (microseconds); the order between threads inside a timestamp is not in the files.
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular
from jumpnet.machine.records import BLOCK, Block, Format, Trace, block_of, checked
from jumpnet.terms import I64, Array

__all__ = ["drmemtrace"]

RECORD = np.dtype([("type", "<u2"), ("size", "<u2"), ("value", "<u8")])
READ, WRITE, HEADER, MARKER = 0, 1, 25, 28
MOST_TYPE = 63
TIMESTAMP = 2
VERSIONS = (1, 6)
"""Versions of the header whose files have been read."""
ENDINGS = (".trace.gz", ".trace.zip")
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MOST_UNPACKED = 1100
"""Bytes to which one byte of a file unpacks, at most: 1032 by deflate, but entries of an archive may overlap."""


class Accesses(NamedTuple):
    """Accesses of a thread in its order, and the timestamp of each."""

    times: Array
    """(K,) uint64."""
    records: Array
    """(K,) of RECORD."""


def _streams(path: Path) -> Iterator[IO[bytes]]:
    if path.name.endswith(".gz"):
        with gzip.open(path) as file:
            yield file  # type: ignore[misc]
        return
    with zipfile.ZipFile(path) as archive:
        for name in sorted(n for n in archive.namelist() if n.startswith("chunk.")):
            if (packed := archive.getinfo(name).compress_type) not in PACKED:  # LZMA takes what memory a file asks for
                raise zipfile.BadZipFile(f"{name} packed by method {packed}, 0 (stored) or 8 (deflated) expected")
            with archive.open(name) as member:
                yield member


def _records(path: Path) -> Iterator[tuple[int, Array]]:
    """Pieces of at most BLOCK records with the number of the first; offsets are in the unpacked thread file."""
    done, rest, most = 0, b"", MOST_UNPACKED * path.stat().st_size
    try:
        for stream in _streams(path):
            while data := stream.read(BLOCK * RECORD.itemsize - len(rest)):
                data = rest + data
                whole = len(data) // RECORD.itemsize
                rest = data[whole * RECORD.itemsize :]
                if whole:
                    yield done, np.frombuffer(data, RECORD, whole)
                    done += whole
                if done * RECORD.itemsize > most:
                    raise ValueError(f"more than {most} bytes unpacked found, at most {MOST_UNPACKED} for each packed")
    # RuntimeError: an archive that is encrypted, or packed in a way that zipfile does not know
    except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, RuntimeError) as error:
        why = " ".join(str(error).split())
        raise JumpnetError(f"{path.name}: damaged after offset {done * RECORD.itemsize}: {why}") from None
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


def _thread(path: Path) -> Iterator[Accesses]:
    """The accesses of a thread in its order, in pieces of one or more, each access with the timestamp before it."""
    now, empty = 0, True
    for first, records in _records(path):
        if first == 0:
            _check_head(path, records[0])
        empty = False
        odd = np.flatnonzero(records["type"] > MOST_TYPE)
        if odd.size:
            at = (first + int(odd[0])) * RECORD.itemsize
            raise JumpnetError(f"{path.name}: unknown record type {records['type'][odd[0]]} found at offset {at}")
        marks = (records["type"] == MARKER) & (records["size"] == TIMESTAMP)
        times = np.maximum.accumulate(np.where(marks, records["value"], np.uint64(0)))
        times = np.maximum(times, np.uint64(now))
        now = int(times[-1])
        accesses = records["type"] <= WRITE
        if accesses.any():
            yield Accesses(times[accesses], records[accesses])
    if empty:
        raise JumpnetError(f"{path.name}: empty file found, a drmemtrace header expected")


def _merged(threads: list[Iterator[Accesses]]) -> Iterator[tuple[I64, Array]]:
    """Threads and accesses by timestamp, those of one timestamp by thread, in pieces.

    A piece goes as far as all is known: to the earliest end of the pieces at hand.
    """
    held = {proc: piece for proc, thread in enumerate(threads) if (piece := next(thread, None))}
    while held:
        until, last = min((int(piece.times[-1]), proc) for proc, piece in held.items())
        parts = []
        for proc, piece in list(held.items()):
            count = int(np.searchsorted(piece.times, np.uint64(until), "right" if proc <= last else "left"))
            parts.append((np.full(count, proc), Accesses(*(column[:count] for column in piece))))
            rest: Accesses | None = Accesses(*(column[count:] for column in piece))
            if count == len(piece.times):
                rest = next(threads[proc], None)
            if rest is None:
                del held[proc]
            else:
                held[proc] = rest
        procs = np.concatenate([numbers for numbers, _ in parts])
        order = np.argsort(np.concatenate([part.times for _, part in parts]), kind="stable")
        yield procs[order], np.concatenate([part.records for _, part in parts])[order]


def _blocks(files: list[Path]) -> Iterator[Block]:
    record = 0
    for procs, records in _merged([_thread(path) for path in files]):
        for start in range(0, len(procs), BLOCK):
            proc, part = procs[start : start + BLOCK], records[start : start + BLOCK]
            block = block_of(proc, part["value"].view(np.int64), part["size"], part["type"] == WRITE)
            yield _checked(block, record, files)
            record += len(proc)


def _checked(block: Block, record: int, files: list[Path]) -> Block:
    """The block, unless one of its accesses is wrong: then that one's file is named."""
    try:
        return checked(block, record, "", len(files))
    except JumpnetError:
        for k, proc in enumerate(block.proc.tolist()):
            checked(Block(*(column[k : k + 1] for column in block)), record + k, files[proc].name, len(files))
        raise


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
