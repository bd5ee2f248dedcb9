"""What a memory trace is: blocks of arrays in one global order, read as a stream. One file of `trace` reads one format.

Formats: the Parquet columns of the trace capture, Valgrind lackey, Dinero din, DynamoRIO drmemtrace. Every reader keeps
memory bounded by `BLOCK` records, checks what it reads, and answers a bad file with one line that names the offset.
Used by `trace` and `workload`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jumpnet.api.public import public
from jumpnet.arrays.checks import refuse_masked
from jumpnet.errors import JumpnetError
from jumpnet.terms import I64, Array

__all__ = [
    "ATOMIC", "BARRIER", "BLOCK", "CONDITION", "DATA", "LOCK", "MOST_PROCESSORS", "SPACE_BITS", "UNLOCK", "Block",
    "Format", "Trace", "block_of", "checked", "checked_blocks", "within_bounds",
]  # fmt: skip

BLOCK = 1 << 16
"""Records of a block, at most."""
SPACE_BITS = 48
"""Addresses are below 2**48, the virtual space of today's machines."""
MOST_PROCESSORS = 1 << 14
"""Processors of the largest machine in the papers."""
MOST_BYTES = 1 << 14
"""Bytes of one access, at most: the widest instructions of today's processors save their whole state, some 11 kB."""
FREE_BYTES = 64 << 20
MEAN_BYTES = 256
"""Bytes that the accesses of a trace touch, at most, are FREE_BYTES and so many for each access: the work of a reader
goes with the lines touched, and a file of some kilobytes can hold millions of the largest accesses."""
FREE_ACCESSES = 1 << 20
ACCESSES_A_BYTE = 1 << 12
"""Likewise for the accesses of each byte of a file: a column of Parquet can hold one value for any number of rows."""
DATA, ATOMIC, LOCK, UNLOCK, BARRIER, CONDITION = range(6)
"""Values of `kind`; those from LOCK on do not reach the memory system."""


class Block(NamedTuple):
    """Records in global order; all arrays have the same length (K,)."""

    proc: I64
    """(K,) int64 processor that issued the access, 0 and up."""
    address: I64
    """(K,) int64 byte address."""
    size: I64
    """(K,) int64 bytes, at least 1."""
    is_write: Array
    """(K,) bool."""
    kind: Array
    """(K,) uint8: DATA and so on."""


TYPES = (np.int64, np.int64, np.int64, np.bool_, np.uint8)
"""Of the columns of a block."""


@public
@dataclass(frozen=True)
class Trace:
    """A trace that can be read again and again."""

    name: str
    """File or workload, for messages and results."""
    processors: int | None
    """Number of processors where the trace says it; None where only reading to the end tells."""
    blocks: Callable[[], Iterator[Block]]
    """Starts reading at the beginning."""


@dataclass(frozen=True)
class Format:
    """A trace format."""

    name: str
    """Registered name, e.g. `lackey`."""
    endings: tuple[str, ...]
    """Endings of file names by which it is recognised."""
    open: Callable[[Path], Trace]
    """Opens a file (or a folder) and checks its head."""
    source: str = ""
    """Where the layout is described."""
    summary: str = ""
    """One line for a list."""
    folders: bool = False
    """Whether a folder may hold a trace."""


@public
def block_of(proc: Any, address: Any, size: Any, is_write: Any, kind: Any = 0) -> Block:
    """A block from anything array-like; scalars apply to all records. Accesses of size 0 count as one byte.

    Raises JumpnetError for what is no array of whole numbers, or of another length than the addresses.

    >>> block_of(0, [64, 96], 4, [True, False]).proc.tolist()
    [0, 0]
    """
    at = np.ascontiguousarray(_numbers("address", address), np.int64).reshape(-1)

    def column(name: str, values: Any, dtype: Any) -> Any:
        given = _numbers(name, values)
        if given.shape not in ((), (1,), at.shape):
            raise JumpnetError(f"{name}: shape {given.shape} found, one number or {at.size} expected")
        return np.ascontiguousarray(np.broadcast_to(given.astype(dtype, copy=False), at.shape))

    if (kinds := _numbers("kind", kind)).size and not 0 <= kinds.min() <= kinds.max() < 256:
        raise JumpnetError(f"kind: {int(kinds.min())} to {int(kinds.max())} found, 0 to {CONDITION} expected")
    sizes = np.maximum(column("size", size, np.int64), 1)
    writes = column("is_write", is_write, np.bool_)
    return Block(column("proc", proc, np.int64), at, sizes, writes, column("kind", kind, np.uint8))


def _numbers(name: str, values: Any) -> Any:
    """An array of whole numbers, of whatever type; a conversion would cut others off in silence."""
    refuse_masked(name, values)
    try:
        given = np.asarray(values)
    except ValueError:
        raise JumpnetError(f"{name}: rows of different lengths found, whole numbers expected") from None
    kind = given.dtype.kind
    whole = kind in "iub" or (kind == "f" and bool((np.isfinite(given) & (given == np.floor(given))).all()))
    if given.size and not whole:
        raise JumpnetError(f"{name}: an array of {given.dtype} found, whole numbers expected")
    return given


def checked(block: Block, first: int, name: str, processors: int | None) -> Block:
    """The block itself, or JumpnetError with the number of the first bad record (`first` is the block's first).

    >>> checked(block_of(9, [64], 4, True), 100, "t.din", 8)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: t.din: record 100: processor 9 found, 0 to 7 expected
    """
    shape = np.shape(block.address)[:1]
    if not all(type(c) is np.ndarray and (c.dtype, c.shape) == (t, shape) for c, t in zip(block, TYPES, strict=True)):
        block = block_of(*block)  # one made by hand: kernels trust lengths and types
    limit = processors if processors is not None else MOST_PROCESSORS
    bad = np.flatnonzero((block.proc < 0) | (block.proc >= limit))
    if bad.size:
        i = int(bad[0])
        raise JumpnetError(f"{name}: record {first + i}: processor {block.proc[i]} found, 0 to {limit - 1} expected")
    bad = np.flatnonzero((block.size < 1) | (block.size > MOST_BYTES))
    if bad.size:
        i = int(bad[0])
        raise JumpnetError(f"{name}: record {first + i}: size {block.size[i]} found, 1 to {MOST_BYTES} bytes expected")
    bad = np.flatnonzero((block.address < 0) | (block.address > (1 << SPACE_BITS) - block.size))
    if bad.size:
        i = int(bad[0])
        word = int(block.address[i]) & (2**64 - 1)
        raise JumpnetError(f"{name}: record {first + i}: address {word:#x} found, below 2**{SPACE_BITS} expected")
    bad = np.flatnonzero(block.kind > CONDITION)
    if bad.size:
        i = int(bad[0])
        raise JumpnetError(f"{name}: record {first + i}: kind {block.kind[i]} found, 0 to {CONDITION} expected")
    return block


def checked_blocks(trace: Trace) -> Iterator[Block]:
    """The blocks of a trace, whoever made it: JumpnetError for a record that is none, as `checked` says.

    Its processors are those of any trace; whoever runs it says which there are. Cost: some 2 ns a record.

    >>> list(checked_blocks(Trace("t", 1, lambda: iter([block_of(0, [64, -64], 4, True)]))))
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: t: record 1: address 0xffffffffffffffc0 found, below 2**48 expected
    """
    first = 0
    for block in trace.blocks():
        yield checked(block, first, trace.name, None)
        first += len(block.proc)


def within_bounds(trace: Trace, packed_bytes: int) -> Trace:
    """The same trace; reading it raises JumpnetError where its accesses so far are, or touch, more than they may.

    packed_bytes: of its file or files, as they lie on the disk.

    >>> big = Trace("t", 1, lambda: iter([block_of(0, np.zeros(5000), MOST_BYTES, False)]))
    >>> sum(len(block.proc) for block in within_bounds(big, 100).blocks())
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: t: 81920000 bytes touched by the first 5000 accesses found, at most 68388864 expected
    """
    most_accesses = FREE_ACCESSES + ACCESSES_A_BYTE * packed_bytes

    def blocks() -> Iterator[Block]:
        touched = accesses = 0
        for block in trace.blocks():
            touched, accesses = touched + int(block.size.sum()), accesses + len(block.size)
            if touched > (most := FREE_BYTES + MEAN_BYTES * accesses):
                found = f"{touched} bytes touched by the first {accesses} accesses found"
                raise JumpnetError(f"{trace.name}: {found}, at most {most} expected")
            if accesses > most_accesses:
                found = f"{accesses} accesses found in {packed_bytes} bytes"
                raise JumpnetError(f"{trace.name}: {found}, at most {most_accesses} expected")
            yield block

    return replace(trace, blocks=blocks)
