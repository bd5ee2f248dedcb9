"""Parquet traces with the columns proc, address, size, is_write, and maybe kind and seq; rows in global order.

Without `kind` every record is data.
The schema metadata `memcap` (JSON) may name the number of processors and `seq_first_create`: records before it belong
to the serial part of the program, when the caches are still empty by definition, and are left out. Needs pyarrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.records import BLOCK, DATA, MOST_PROCESSORS, Block, Format, Trace, block_of, checked

__all__ = ["first_line", "library", "parquet"]

COLUMNS = {"proc": "int", "address": "int", "size": "int", "is_write": "bool", "kind": "int", "seq": "int"}
NEEDED = ("proc", "address", "size", "is_write")

MARK = b"PAR1"


def library() -> tuple[Any, Any]:
    """pyarrow and its Parquet reader; raises JumpnetError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet as reader
    except ImportError:
        raise JumpnetError("Parquet traces need pyarrow, which is not installed: pip install pyarrow") from None
    return pyarrow, reader


def first_line(error: Exception) -> str:
    """The first line of what pyarrow says; it may say nothing."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def _check_marks(path: Path) -> None:
    """A Parquet file begins and ends with its mark; one that was cut off does not."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        for offset in (0, max(0, size - len(MARK))):
            file.seek(offset)
            found = file.read(len(MARK))
            if found != MARK:
                raise JumpnetError(
                    f"{path.name}: not a whole Parquet file: {found!r} found at offset {offset}, {MARK!r} expected"
                )


def _head(path: Path) -> tuple[int | None, int]:
    """Processors (None when not said) and the seq at which the parallel part starts."""
    arrow, reader = library()
    _check_marks(path)
    try:
        schema = reader.read_schema(path)
    except (arrow.ArrowException, OSError, ValueError, RecursionError) as error:
        raise JumpnetError(f"{path.name}: not a whole Parquet file: {first_line(error)}") from None
    for name, kind in COLUMNS.items():
        if name not in schema.names:
            if name in NEEDED:
                raise JumpnetError(f"{path.name}: no column {name!r} found, columns {', '.join(NEEDED)} expected")
            continue
        found = schema.field(name).type
        fits = arrow.types.is_boolean(found) if kind == "bool" else arrow.types.is_integer(found)
        if not fits:
            raise JumpnetError(f"{path.name}: column {name!r} of {found} found, {kind} expected")
    try:
        about = json.loads((schema.metadata or {}).get(b"memcap", b"{}"))
        processors, first = about.get("processors"), about.get("seq_first_create", 0)
    except (ValueError, AttributeError, RecursionError):
        raise JumpnetError(f"{path.name}: metadata 'memcap' is not a JSON object") from None
    if processors is not None and not (type(processors) is int and 1 <= processors <= MOST_PROCESSORS):
        raise JumpnetError(f"{path.name}: {repr(processors)[:40]} processors found, 1 to {MOST_PROCESSORS} expected")
    if type(first) is not int or not 0 <= first < 1 << 63:
        raise JumpnetError(f"{path.name}: seq_first_create {repr(first)[:40]} found, a whole number expected")
    if first and "seq" not in schema.names:
        raise JumpnetError(f"{path.name}: seq_first_create without a column 'seq' found, both or neither expected")
    return processors, first


def _blocks(path: Path, processors: int | None, start: int) -> Iterator[Block]:
    arrow, reader = library()
    record = 0
    try:
        # Without `pre_buffer=False` the whole file comes to lie in memory.
        with reader.ParquetFile(path, memory_map=False, pre_buffer=False) as file:
            names = [name for name in COLUMNS if name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=BLOCK, columns=names):
                if not batch.num_rows:
                    continue
                if any(batch.column(i).null_count for i in range(batch.num_columns)):
                    raise JumpnetError(f"{path.name}: a missing value found after record {record}")
                col = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in names}
                address, kind = col["address"].astype(np.int64), col.get("kind", DATA)
                made = block_of(col["proc"], address, col["size"], col["is_write"], kind)
                checked(made, record, path.name, processors)
                record += batch.num_rows
                yield from _from(made, col.get("seq"), start)
    except JumpnetError:
        raise
    except (arrow.ArrowException, OSError, ValueError, TypeError, RecursionError) as error:
        raise JumpnetError(f"{path.name}: damaged after record {record}: {first_line(error)}") from None


def _from(block: Block, seq: Any, start: int) -> Iterator[Block]:
    """The records of a block from number `start` on, if there are any; all where they have no numbers."""
    if seq is None:
        yield block
    elif seq[-1] >= start:
        keep = np.searchsorted(seq, start)
        yield Block(*(column[keep:] for column in block))


def _open(path: Path) -> Trace:
    processors, start = _head(path)
    return Trace(path.name, processors, lambda: _blocks(path, processors, start))


parquet = Format("parquet", (".parquet",), _open, "columns of the trace capture", "columns, one row an access")
