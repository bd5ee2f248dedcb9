"""Named rows: `lane = lane_of(m, r, b)` is a row of the flat array `m.lane`, and `lane.left` a number of it.

The row of a table in a record (`_record`) is the address of its first number; a named number is one load or store, as
fast as `m.lane[start + 4]` and typed in one step instead of three. What follows the named numbers is indexed from 0:
`lane[slot]`. Nothing checks an index. Under NUMBA_DISABLE_JIT=1 a row is a small object on the array itself.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from jumpnet._jit import (
    DISABLED,
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    intrinsic,
    ir,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    signature,
    types,
)
from jumpnet._record import RecordType

__all__ = ["named_rows"]

WORD = ir.IntType(64)


class RowType(types.Type):
    """Type of a row in compiled code: its named numbers, and the bits of each number."""

    def __init__(self, table: str, names: tuple[str, ...], bits: int) -> None:
        self.names, self.bits, self.place = names, bits, {name: k for k, name in enumerate(names)}
        super().__init__(name=f"Row({table}:{','.join(names)}:{bits})")


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
    kind = RowType(table, words, bits)

    def found(m: Any) -> Any:
        if not isinstance(m, RecordType) or table not in m.place:
            return None

        def codegen(context, builder, sig, args):
            start = WORD(0)
            for number, width in zip(args[1:], widths, strict=True):
                factor = (
                    context.get_getattr(m, width)(context, builder, m, args[0], width)
                    if isinstance(width, str)
                    else WORD(width)
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


if not DISABLED:

    @register_model(RowType)
    class _RowModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.IntType(kind.bits).as_pointer())

    @infer_getattr
    class _RowAttributes(AttributeTemplate):
        key = RowType

        def generic_resolve(self, kind: Any, name: str) -> Any:
            return types.int64 if name in kind.place else None

    def _read(builder: Any, kind: Any, place: Any) -> Any:
        number = builder.load(place)
        return number if kind.bits == 64 else builder.sext(number, WORD)

    def _write(builder: Any, kind: Any, place: Any, number: Any) -> None:
        builder.store(number if kind.bits == 64 else builder.trunc(number, ir.IntType(kind.bits)), place)

    @lower_getattr_generic(RowType)
    def _get(context: Any, builder: Any, kind: Any, row: Any, name: str) -> Any:
        return _read(builder, kind, builder.gep(row, [ir.Constant(WORD, kind.place[name])]))

    @lower_setattr_generic(RowType)
    def _set(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
        kind = sig.args[0]
        _write(builder, kind, builder.gep(args[0], [ir.Constant(WORD, kind.place[name])]), args[1])

    @infer_global(operator.getitem)
    class _GetItem(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
                return signature(types.int64, args[0], types.int64)
            return None

    @infer_global(operator.setitem)
    class _SetItem(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
                return signature(types.none, args[0], types.int64, types.int64)
            return None

    def _beyond(builder: Any, kind: Any, row: Any, index: Any) -> Any:
        return builder.gep(builder.gep(row, [ir.Constant(WORD, len(kind.names))]), [index])

    @lower_builtin(operator.getitem, RowType, types.Integer)
    def _get_beyond(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        return _read(builder, kind, _beyond(builder, kind, args[0], args[1]))

    @lower_builtin(operator.setitem, RowType, types.Integer, types.Integer)
    def _set_beyond(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        _write(builder, kind, _beyond(builder, kind, args[0], args[1]), args[2])
