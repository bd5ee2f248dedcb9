"""Unpacked sizes of the columns of a Parquet file, known before they are read: kilobytes can hold gigabytes of text.

One long text, stored once, may be the value of every row, and a list of one number repeated is stored in a few bytes.
The footer says the sizes. It is read here: pyarrow ends the process where statistics of a column do not fit. It is a
structure of Thrift's compact protocol (apache/parquet-format, parquet.thrift: FileMetaData, RowGroup, ColumnChunk,
ColumnMetaData). Used by `dependence_file`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.machine.trace.parquet import library

__all__ = ["MOST_BYTES", "Chunk", "chunks", "require_plain", "text_bytes", "text_columns"]

MOST_BYTES = 2**31
"""Most that is unpacked of a file: as much as one of text may have."""
VALUE_BYTES = 2
"""Least that a number takes in a text, with its separator."""
TAIL_BYTES = 8
"""The footer's length and the file's mark, at the end."""
TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
INTEGERS = (4, 5, 6)
DEEPEST = 16
"""Structures and lists inside each other; the format has seven."""
ROW_GROUPS, COLUMNS, ABOUT, NAMES, VALUES, UNPACKED = 4, 1, 3, 3, 5, 6
"""Fields: of the file, of a group of rows, of a column in it, then three of what is said about that."""


class Chunk(NamedTuple):
    """A column in a group of rows."""

    name: str
    """Of the column of the table that it is, or is part of."""
    values: int
    bytes_unpacked: int


class _Reader:
    """Structures of the compact protocol as dictionaries of their fields by number."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _varint(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found
            if shift > 63:
                raise ValueError("a number of more than 64 bits")

    def _number(self) -> int:
        found = self._varint()
        return found >> 1 ^ -(found & 1)

    def _bytes(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._data):
            raise IndexError
        return self._data[self._at - count : self._at]

    def structure(self, deep: int = 0) -> dict[int, Any]:
        """The next structure."""
        found: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._number()
            kind = head & 15
            found[field] = kind == TRUE if kind in (TRUE, FALSE) else self._value(kind, deep + 1)
        return found

    def _value(self, kind: int, deep: int) -> Any:
        if deep > DEEPEST:
            raise ValueError(f"more than {DEEPEST} structures in each other")
        if kind in INTEGERS:
            return self._number()
        if kind == BINARY:
            return self._bytes(self._varint())
        if kind == STRUCT:
            return self.structure(deep)
        if kind in (LIST, SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15, deep + 1) for _ in range(count)]
        if kind == MAP:
            count = self._varint()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4, deep + 1), self._value(kinds & 15, deep + 1)) for _ in range(count)]
        if kind in (TRUE, FALSE, BYTE):  # in a list, a byte each
            return self._byte()
        if kind == DOUBLE:
            return self._bytes(8)
        raise ValueError(f"a field of kind {kind}")


def chunks(path: Path) -> list[Chunk]:
    """Every column of every group of rows. Raises JumpnetError where the footer is none. O(bytes of the footer)."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL_BYTES))
        length = int.from_bytes(file.read(4), "little")
        if length > size - TAIL_BYTES:
            raise JumpnetError(f"{path.name}: a footer of {length} bytes found in a Parquet file of {size}")
        file.seek(size - TAIL_BYTES - length)
        data = file.read(length)
    try:
        groups = _Reader(data).structure().get(ROW_GROUPS, [])
        about = [column[ABOUT] for group in groups for column in group[COLUMNS]]
        return [Chunk(each[NAMES][0].decode(), int(each[VALUES]), int(each[UNPACKED])) for each in about]
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"[:80]
        raise JumpnetError(f"{path.name}: not a whole Parquet file: {why} found in its footer") from None


def require_plain(table: Any, file: Path, columns: Sequence[str], lists: str) -> None:
    """Raise JumpnetError unless these columns hold numbers or text, the one called `lists` also lists of them, and no
    more than text of `MOST_BYTES` could hold. table: the file as a `ParquetFile`."""
    types = library()[0].types
    plain = (
        types.is_integer, types.is_floating, types.is_decimal, types.is_null, types.is_boolean,
        types.is_string, types.is_large_string,
    )  # fmt: skip
    for column in columns:
        kind = table.schema_arrow.field(column).type
        if column == lists and (types.is_list(kind) or types.is_large_list(kind)):
            kind = kind.value_type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if not any(fits(kind) for fits in plain):
            raise JumpnetError(f"{file.name}: column {column!r} of {str(kind)[:40]} found, whole numbers expected")
    parts = [part for part in chunks(file) if part.name in columns]
    found = sum(max(part.bytes_unpacked, VALUE_BYTES * part.values, 0) for part in parts)
    if found > MOST_BYTES * len(columns):
        raise JumpnetError(f"{file.name}: {found} bytes unpacked found, at most {MOST_BYTES * len(columns)} expected")


def text_columns(table: Any) -> list[str]:
    """Which columns of a `ParquetFile` hold text: read as dictionaries each text comes once, and not for every row."""
    all_columns = [table.schema.column(k) for k in range(len(table.schema))]
    return [column.path for column in all_columns if column.physical_type == "BYTE_ARRAY"]


def text_bytes(column: Any) -> int:
    """Bytes of the texts of a column that was read as a dictionary, or as lists from one; 0 of numbers."""
    arrow = library()[0]
    if arrow.types.is_list(column.type) or arrow.types.is_large_list(column.type):
        column = column.flatten()
    if not arrow.types.is_dictionary(column.type) or not arrow.types.is_string(column.type.value_type):
        return 0
    import pyarrow.compute as compute

    each = compute.binary_length(column.dictionary).cast(arrow.int64())
    return int(compute.sum(each.take(column.indices)).as_py() or 0)
