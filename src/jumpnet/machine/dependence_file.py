"""Packets that wait for each other, as a table: `id,cycle,source,destination,flits,after`, as CSV or Parquet.

`after` names the packets that must have arrived before this one is sent, by their ids: with spaces between them, or in
Parquet also a list, one number or nothing. Ids are any whole numbers, in any order, and may be written as `3.0`, as a
data frame with gaps does; a `#` starts a comment in a CSV. So a workload of any kind, an all-reduce say, runs in a
closed loop with the network. Called by `cli/simulate` and users.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.files import read_text
from jumpnet.machine.dependences import PACKET_BYTES, Dependent, places_of
from jumpnet.machine.trace.parquet import library
from jumpnet.memory import require
from jumpnet.terms import I64

__all__ = ["COLUMNS", "is_table", "read_dependent", "write_dependent"]

COLUMNS = ("id", "cycle", "source", "destination", "flits", "after")
HIGHEST = (2**62, 2**39, 2**31 - 1, 2**31 - 1, 1_000_000)
"""The largest id, cycle, node and length."""
LOWEST = (0, 0, 0, 0, 1)
MAX_FILE_BYTES = 2**31
MAX_PACKETS = 2**26


def is_table(path: str) -> bool:
    """Whether a file's name says that it is such a table.

    >>> is_table("allreduce.csv"), is_table("app.tra.bz2")
    (True, False)
    """
    return path.endswith((".csv", ".parquet"))


def read_dependent(path: str | Path) -> Dependent:
    """The packets of a table; raises JumpnetError with the line or row for anything else, and for an id used twice."""
    file = Path(path)
    numbers, after = _parquet(file) if file.suffix == ".parquet" else _csv(file)
    require(PACKET_BYTES * len(numbers), f"{len(numbers)} packets with their dependences")
    table: I64 = np.array(numbers, np.int64).reshape(-1, 5)
    waits = np.repeat(np.arange(len(table)), [len(ids) for ids in after])
    wanted = np.array([one for ids in after for one in ids], np.int64)
    at, known = places_of(file.name, table[:, 0].copy(), wanted)
    at, waits = at[known], waits[known]
    order = np.argsort(at, kind="stable")
    first = np.searchsorted(at[order], np.arange(len(table) + 1))
    cycle, source, destination, flits = (np.ascontiguousarray(table[:, k]) for k in range(1, 5))
    return Dependent(cycle, source, destination, flits, first, waits[order], int((~known).sum()))


def write_dependent(path: str | Path, packets: Dependent) -> None:
    """Write packets as a CSV so that `read_dependent` gives them back, their places as ids."""
    after: list[list[int]] = [[] for _ in packets.cycle]
    for k in range(len(packets.cycle)):
        for other in packets.waiting[packets.first[k] : packets.first[k + 1]].tolist():
            after[other].append(k)
    columns = (packets.cycle, packets.source, packets.destination, packets.flits)
    rows = zip(*(column.tolist() for column in columns), after, strict=True)
    lines = [",".join(map(str, [k, *row[:4], " ".join(map(str, row[4]))])) for k, row in enumerate(rows)]
    Path(path).write_text("\n".join([",".join(COLUMNS), *lines]) + "\n", encoding="ascii")


Rows = tuple[list[list[int]], list[list[int]]]
"""Of each packet: its five numbers, and the ids that it waits for."""


def _whole(value: Any) -> int:
    """A whole number, also one that is written or kept as a fraction; raises ValueError for others.

    >>> _whole("7"), _whole(3.0), _whole(" 12.0 ")
    (7, 3, 12)
    """
    if isinstance(value, str):
        value = value.strip().removesuffix(".0")
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError
    return int(value)


def _ids(after: Any) -> list[int]:
    """The ids of a cell `after`: text, a list, one number, or nothing."""
    if after is None or (isinstance(after, float) and after != after):
        return []
    if isinstance(after, str):
        after = after.split()
    return [_whole(one) for one in (after if isinstance(after, list) else [after])]


def _checked(where: str, values: Sequence[Any], after: Sequence[Any]) -> tuple[list[int], list[int]]:
    """One row, whose values are within bounds."""
    for name, value, low, high in zip(COLUMNS, values, LOWEST, HIGHEST, strict=False):
        if not low <= value <= high:
            raise JumpnetError(f"{where}: {name} {value} found, {low} to {high} expected")
    for value in after:
        if not 0 <= value <= HIGHEST[0]:
            raise JumpnetError(f"{where}: after {value} found, 0 to {HIGHEST[0]} expected")
    return [int(value) for value in values], [int(value) for value in after]


def _csv(file: Path) -> Rows:
    numbers: list[list[int]] = []
    afters: list[list[int]] = []
    text = read_text(file, MAX_FILE_BYTES, "packets with dependences expected", "ascii")
    for line, words in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in words.partition("#")[0].split(",")]
        if cells == [""] or (not numbers and tuple(cells) == COLUMNS):
            continue
        where = f"{file.name}:{line}"
        try:
            if len(cells) not in (5, 6):
                raise ValueError
            values, after = [_whole(cell) for cell in cells[:5]], _ids(" ".join(cells[5:]))
        except ValueError:
            raise JumpnetError(f"{where}: {words.strip()[:60]!r} found, {','.join(COLUMNS)} expected") from None
        row, ids = _checked(where, values, after)
        numbers.append(row)
        afters.append(ids)
    return numbers, afters


def _parquet(file: Path) -> Rows:
    arrow, reader = library()
    numbers: list[list[int]] = []
    afters: list[list[int]] = []
    try:
        with reader.ParquetFile(file, memory_map=False, pre_buffer=False) as table:
            missing = [name for name in COLUMNS if name not in table.schema_arrow.names]
            if missing:
                raise JumpnetError(f"{file.name}: no column {missing[0]!r} found, {','.join(COLUMNS)} expected")
            if table.metadata.num_rows > MAX_PACKETS:
                raise JumpnetError(f"{file.name}: {table.metadata.num_rows} rows found, at most {MAX_PACKETS} expected")
            for batch in table.iter_batches(batch_size=1 << 16, columns=list(COLUMNS)):
                for row in batch.select(COLUMNS).to_pylist():
                    where = f"{file.name}: row {len(numbers)}"
                    try:
                        values, after = [_whole(row[name]) for name in COLUMNS[:5]], _ids(row["after"])
                    except (TypeError, ValueError, OverflowError):
                        said = f"{str(list(row.values()))[:60]} found, {','.join(COLUMNS)} as whole numbers expected"
                        raise JumpnetError(f"{where}: {said}") from None
                    one, ids = _checked(where, values, after)
                    numbers.append(one)
                    afters.append(ids)
    except JumpnetError:
        raise
    except (arrow.ArrowException, OSError, ValueError, TypeError, RecursionError) as error:
        raise JumpnetError(f"{file.name}: no whole Parquet file found: {str(error).splitlines()[0][:80]}") from None
    return numbers, afters
