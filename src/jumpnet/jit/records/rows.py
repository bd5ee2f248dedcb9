"""Named rows: `lane = lane_of(m, r, b)` is a row of the flat array `m.lane`, and `lane.left` a number of it.

The row of a table in a record (`record`) is the address of its first number; a named number is one load or store,
as fast as `m.lane[start + 4]` and typed in one step instead of three. What follows the named numbers is indexed from 0:
`lane[slot]`. Nothing checks an index. Under NUMBA_DISABLE_JIT=1 a row is a small object on the array itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.jit.decorator import DISABLED, intrinsic, ir, types

__all__ = ["named_rows"]


def _plain_rows(table: str, names: tuple[str, ...], widths: tuple[int | str, ...]) -> Any:
    """The same in plain Python: a class of small objects."""

    class Row:
        """A row of an array, by name; numbers after the named ones by index."""

        __slots__ = ("_array", "_first")

        def __init__(self, m: Any, *numbers: int) -> None:
            self._array, self._first = getattr(m, table), 0
            for number, width in zip(numbers, widths, strict=True):
                self._first = (self._first + number) * (getattr(m, width) if isinstance(width, str) else width)

        def __getitem__(self, k: int) -> Any:
            return self._array[self._first + len(names) + k]

        def __setitem__(self, k: int, value: int) -> None:
            self._array[self._first + len(names) + k] = value

    def number(k: int) -> property:
        def get(row: Row) -> Any:
            return row._array[row._first + k]

        def put(row: Row, value: int) -> None:
            row._array[row._first + k] = value

        return property(get, put)

    for k, name in enumerate(names):
        setattr(Row, name, number(k))
    return Row


def named_rows(table: str, names: Sequence[str], bits: int = 64, widths: tuple[int | str, ...] = (1,)) -> Any:
    """A function that gives a row of `m.<table>`: (m, start) -> the row that begins at number `start` of the array.

    table: a field of the record whose value is a flat array. names: of the first numbers of a row, in order.
    bits: 16, 32 or 64, the size of the array's numbers. widths: numbers or sizes of the record by which rows are found
    otherwise: with (w,) row i begins at i * w, with (v, w) the function is (m, i, k) and the row begins at
    (i * v + k) * w.
    """
    words = tuple(names)
    if len(set(words)) < len(words):
        raise ValueError(f"names of a row of {table} that differ expected, {words} found")
    if DISABLED:
        return _plain_rows(table, words, widths)

    def found(m: Any) -> Any:
        from jumpnet.jit.records.row_types import row_type

        kind = row_type(m, table, words, bits)
        if kind is None:
            return None

        def codegen(context, builder, sig, args):
            start = ir.IntType(64)(0)
            for number, width in zip(args[1:], widths, strict=True):
                factor = (
                    context.get_getattr(m, width)(context, builder, m, args[0], width)
                    if isinstance(width, str)
                    else ir.IntType(64)(width)
                )
                start = builder.mul(builder.add(start, number), factor)
            address = context.get_getattr(m, table)(context, builder, m, args[0], table)
            return builder.gep(builder.bitcast(address, ir.IntType(bits).as_pointer()), [start])

        return kind(m, *[types.int64] * len(widths)), codegen

    if len(widths) == 2:

        @intrinsic
        def row_of(typingctx, m, i, k):
            """A row by two numbers."""
            return found(m)

        return row_of

    @intrinsic
    def row_at(typingctx, m, i):
        """A row by one number."""
        return found(m)

    return row_at
