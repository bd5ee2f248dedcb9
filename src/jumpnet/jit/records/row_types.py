"""Types of compiled code for the rows of `records.rows`; loaded with Numba, when something must be compiled."""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from llvmlite import ir

from jumpnet.jit.compiler import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    signature,
    types,
)
from jumpnet.jit.plain_types import PlainType
from jumpnet.jit.records.record_types import RecordType

__all__ = ["row_type"]

WORD = ir.IntType(64)


class RowType(PlainType):
    """Type of a row in compiled code: its named numbers, and the bits of each number."""

    def __init__(self, table: str, names: tuple[str, ...], bits: int) -> None:
        self.names, self.bits, self.place = names, bits, {name: k for k, name in enumerate(names)}
        super().__init__(name=f"Row({table}:{','.join(names)}:{bits})")


_row_type = cache(RowType)


def row_type(m: Any, table: str, names: tuple[str, ...], bits: int) -> RowType | None:
    """Type of a row of a table of `m`; None where `m` is no record that has it."""
    return _row_type(table, names, bits) if isinstance(m, RecordType) and table in m.place else None


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
