"""Unpacked sizes of the columns of a Parquet file, known before they are read: kilobytes can hold gigabytes of text.

One long text, stored once, may be the value of every row, and a list of one number repeated is stored in a few bytes.
Used by `dependence_file`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.machine.parquet_footer import chunks
from jumpnet.machine.trace.parquet import library

__all__ = ["MOST_BYTES", "require_plain", "text_bytes", "text_columns"]

MOST_BYTES = 2**31
"""Most that is unpacked of a file: as much as one of text may have."""
VALUE_BYTES = 2
"""Least that a number takes in a text, with its separator."""


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
