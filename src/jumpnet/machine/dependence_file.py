"""Packets that wait for each other, as a table: `id,cycle,source,destination,flits,after`, as CSV or Parquet.

`after` names the packets that must have arrived before this one is sent, by their ids: with spaces between them, or in
Parquet also a list, one number or nothing. Ids are any whole numbers, in any order, and may be written as `3.0`, as a
data frame with gaps does, or in quotes; a `#` starts a comment in a CSV, whose rows and header may leave `after` out.
A header says the order of the columns. So a workload of any kind, an all-reduce say, runs in a closed loop with the
network. Called by `cli/simulate` and users.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular, read_text
from jumpnet.machine.dependences import MOST_CYCLE, MOST_FLITS, PACKET_BYTES, Dependent, places_of
from jumpnet.machine.parquet_size import require_plain, text_bytes, text_columns
from jumpnet.machine.trace.parquet import first_line, library
from jumpnet.memory import require
from jumpnet.terms import I64

__all__ = ["COLUMNS", "is_table", "read_dependent"]

COLUMNS = ("id", "cycle", "source", "destination", "flits", "after")
HIGHEST = (2**62, MOST_CYCLE, 2**31 - 1, 2**31 - 1, MOST_FLITS)
"""The largest id, cycle, node and length."""
LOWEST = (0, 0, 0, 0, 1)
MAX_FILE_BYTES = 2**31
MAX_PACKETS = 2**26
LOOK_PACKETS = 1 << 16
"""Packets after which it is asked again whether there is room for them."""
WAIT_BYTES = 48
"""Memory of one id to wait for, on top of a packet's: read, sorted, and as a place."""
TEXT_COPIES = 3
"""Copies of a file while it becomes text."""
LINE_BYTES = 64
"""Memory of a line on top of its characters."""
WHOLE = re.compile(r"[+-]?[0-9]+(\.0)?")
QUOTED = re.compile('^"([^"]*)"$')
OTHERWISE = re.compile(r"[0-9] *[;|/] *[0-9]|[\[({\"]")
"""Ids between which no blanks alone stand, or that are written as a list of Python, or in quotes with commas."""


def is_table(path: str) -> bool:
    """Whether a file's name says that it is such a table.

    >>> is_table("allreduce.csv"), is_table("app.tra.bz2")
    (True, False)
    """
    return path.endswith((".csv", ".parquet"))


@public
def read_dependent(path: str | Path) -> Dependent:
    """The packets of a table; raises JumpnetError with the line or row for anything else, for an id used twice, and for
    one to wait for that no packet has.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.csv")
    ...     _ = path.write_text("id,cycle,source,destination,flits,after\\n7,0,0,1,2,\\n8,5,1,0,1,7\\n")
    ...     read_dependent(path).source
    array([0, 1])
    """
    file = Path(path)
    rows = _parquet(file) if file.suffix == ".parquet" else _csv(file)
    rows.require_memory()
    table: I64 = np.array(rows.numbers, np.int64).reshape(-1, 5)
    waits = np.repeat(np.arange(len(table)), np.array(rows.waits, np.int64))
    after = np.array(rows.after, np.int64)
    at, known = places_of(file.name, table[:, 0].copy(), after)
    if not known.all():
        lost = int(np.flatnonzero(~known)[0])
        who = f"packet {table[waits[lost], 0]} is to wait for {after[lost]}"
        raise JumpnetError(f"{file.name}: {who}, an id that no packet has")
    order = np.argsort(at, kind="stable")
    first = np.searchsorted(at[order], np.arange(len(table) + 1))
    cycle, source, destination, flits = (np.ascontiguousarray(table[:, k]) for k in range(1, 5))
    return Dependent(cycle, source, destination, flits, first, waits[order], 0, table[:, 0].copy())


class _Rows:
    """The packets read so far; refuses more than there may be, or than memory has room for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.numbers = array("q")
        """The five numbers of each packet, one packet after the other."""
        self.after = array("q")
        """The ids that they wait for, likewise."""
        self.waits = array("q")
        """How many each waits for."""

    def add(self, where: str, values: Sequence[int], after: Sequence[int]) -> None:
        """One more packet, whose numbers are within bounds."""
        for name, value, low, high in zip(COLUMNS, values, LOWEST, HIGHEST, strict=False):
            if not low <= value <= high:
                raise JumpnetError(f"{where}: {name} {value} found, {low} to {high} expected")
        for value in after:
            if not 0 <= value <= HIGHEST[0]:
                raise JumpnetError(f"{where}: after {value} found, 0 to {HIGHEST[0]} expected")
        if len(self.waits) >= MAX_PACKETS:
            raise JumpnetError(f"{self.name}: more than {MAX_PACKETS} packets found, at most {MAX_PACKETS} expected")
        self.numbers.extend(values)
        self.after.extend(after)
        self.waits.append(len(after))
        if not len(self.waits) % LOOK_PACKETS:
            self.require_memory()

    def require_memory(self) -> None:
        """Raise JumpnetError where there is no room for what these packets become."""
        count = len(self.waits)
        require(PACKET_BYTES * count + WAIT_BYTES * len(self.after), f"{count} packets with their dependences")


def _whole(value: Any) -> int:
    """A whole number, also one that is written or kept as a fraction; raises ValueError for others.

    >>> _whole("7"), _whole(3.0), _whole(" 12.0 "), _whole(Decimal("3.00"))
    (7, 3, 12, 3)
    """
    if isinstance(value, str) and WHOLE.fullmatch(value.strip()):
        return int(value.strip().removesuffix(".0"))
    if isinstance(value, float | Decimal):
        value, parts = value.as_integer_ratio()
        if parts == 1:
            return int(value)
    elif type(value) is int:
        return value
    raise ValueError


def _ids(after: Any) -> list[int]:
    """The ids of a cell `after`: text, a list, one number, or nothing."""
    if after is None or (isinstance(after, float) and after != after):
        return []
    if isinstance(after, str):
        after = after.split()
    return [_whole(one) for one in (after if isinstance(after, list) else [after])]


def _plain(cell: str) -> str:
    """A cell without the quotes that some programs write around every one.

    >>> _plain(' 7 '), _plain(' "1 2"')
    ('7', '1 2')
    """
    return QUOTED.sub(r"\1", cell.strip()).strip()


def _blanks(after: str) -> str:
    """How ids are told apart, where something else stands between them.

    >>> _blanks("1;2"), _blanks("1 2")
    (', with blanks between the ids of `after`', '')
    """
    return ", with blanks between the ids of `after`" if OTHERWISE.search(after) else ""


def _csv(file: Path) -> _Rows:
    rows = _Rows(file.name)
    with suppress(OSError):  # which `read_text` tells of
        require(TEXT_COPIES * file.stat().st_size, f"{file.name}: its text")
    text = read_text(file, MAX_FILE_BYTES, "packets with dependences expected", "utf-8-sig")
    require(LINE_BYTES * text.count("\n") + len(text), f"{file.name}: its lines")
    order = list(range(len(COLUMNS)))
    for line, words in enumerate(text.splitlines(), 1):
        cells = [_plain(cell) for cell in words.partition("#")[0].split(",")]
        if not rows.waits and set(COLUMNS[:5]) <= set(cells) <= set(COLUMNS) and len(cells) == len(set(cells)):
            order = [cells.index(name) for name in COLUMNS if name in cells]
            continue
        if cells == [""]:
            continue
        where = f"{file.name}:{line}"
        try:
            if len(cells) not in (5, 6) or len(cells) < len(order) - (order == [0, 1, 2, 3, 4, 5]):
                raise ValueError
            cells = [cells[k] for k in order if k < len(cells)]
            values, after = [_whole(cell) for cell in cells[:5]], _ids(" ".join(cells[5:]))
        except ValueError:
            said = f"{where}: {words.strip()[:60]!r} found, {','.join(COLUMNS)} as whole numbers expected"
            raise JumpnetError(said + _blanks(words.partition("#")[0])) from None
        rows.add(where, values, after)
    return rows


def _parquet(file: Path) -> _Rows:
    arrow, reader = library()
    rows = _Rows(file.name)
    must_be_regular(file, "a Parquet file expected")
    try:
        with reader.ParquetFile(file, memory_map=False) as look:
            texts = text_columns(look)
        with reader.ParquetFile(file, memory_map=False, pre_buffer=False, read_dictionary=texts) as table:
            missing = [name for name in COLUMNS if name not in table.schema_arrow.names]
            if missing:
                raise JumpnetError(f"{file.name}: no column {missing[0]!r} found, {','.join(COLUMNS)} expected")
            if table.metadata.num_rows > MAX_PACKETS:
                raise JumpnetError(f"{file.name}: {table.metadata.num_rows} rows found, at most {MAX_PACKETS} expected")
            require_plain(table, file, COLUMNS, COLUMNS[-1])
            unpacked = 0
            for batch in table.iter_batches(batch_size=1 << 16, columns=list(COLUMNS)):
                unpacked += sum(map(text_bytes, batch.columns))
                if unpacked > MAX_FILE_BYTES:
                    raise JumpnetError(
                        f"{file.name}: {unpacked} bytes of text found, at most {MAX_FILE_BYTES} expected"
                    )
                for row in batch.select(COLUMNS).to_pylist():
                    where = f"{file.name}: row {len(rows.waits)}"
                    try:
                        values, after = [_whole(row[name]) for name in COLUMNS[:5]], _ids(row["after"])
                    except (TypeError, ValueError, OverflowError):
                        said = f"{str(list(row.values()))[:60]} found, {','.join(COLUMNS)} as whole numbers expected"
                        raise JumpnetError(f"{where}: {said}{_blanks(str(row['after']))}") from None
                    rows.add(where, values, after)
    except JumpnetError:
        raise
    except (arrow.ArrowException, OSError, ValueError, TypeError, RecursionError) as error:
        raise JumpnetError(f"{file.name}: no whole Parquet file found: {first_line(error)[:80]}") from None
    return rows
