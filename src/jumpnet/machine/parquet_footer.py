"""What the footer of a Parquet file says of its columns, read here: pyarrow ends the process where statistics of one of
them do not fit.

The footer is a structure of Thrift's compact protocol (apache/parquet-format, parquet.thrift: FileMetaData, RowGroup,
ColumnChunk, ColumnMetaData). Used by `parquet_size`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError

__all__ = ["Chunk", "chunks"]

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
