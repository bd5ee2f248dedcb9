"""Types of compiled code for the records of `records.record`; loaded with Numba, when something must be compiled."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping
from typing import Any

from llvmlite import ir

from jumpnet.jit.compiler import (
    AbstractTemplate,
    AttributeTemplate,
    Conversion,
    cgutils,
    infer_getattr,
    infer_global,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    models,
    register_model,
    signature,
    types,
)
from jumpnet.jit.plain_types import PlainType
from jumpnet.jit.records.reach import names_reached

__all__ = ["RecordType", "only_for", "tell_known"]

WORD = ir.IntType(64)


class TableType(PlainType):
    """Type of an int64 table of so many columns in compiled code."""

    def __init__(self, columns: int) -> None:
        self.columns, self.row = columns, types.CPointer(types.int64)
        super().__init__(name=f"Table({columns})")


class RecordType(PlainType):
    """Type of `m` in compiled code, of one kind of run or of all.

    place: number of each field in the record. arrays: element type, int32 or int64, of the fields that are addresses.
    known: fields that an entry may know as constants: `tell_known` says them there. tables: number of columns of the
    fields that are int64 tables. The record must not change while a kernel runs. general: the type by which kernels
    take a record of this type where they reach none of the names in `special` (`reach`), so that they are typed for
    the general one alone.
    """

    def __init__(
        self,
        name: str,
        place: Mapping[str, int],
        arrays: Mapping[str, Any],
        known: Collection[str] = (),
        tables: Mapping[str, int] | None = None,
        general: RecordType | None = None,
        special: Collection[str] = (),
    ) -> None:
        self.place, self.known = dict(place), frozenset(known)
        self.general, self.special = general, frozenset(special)
        self.arrays: dict[str, Any] = {field: types.CPointer(element) for field, element in arrays.items()}
        self.arrays |= {field: TableType(columns) for field, columns in (tables or {}).items()}
        super().__init__(name=name)

    def taken_as(self, functions: tuple[Any, ...]) -> types.Type:
        """The general type for functions that reach nothing special."""
        if self.general is None or names_reached(functions) & self.special:
            return self
        return self.general

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """To the general type: the address is the same."""
        return Conversion.safe if self.general and other == self.general else None


def _question(module: Any, kind: Any, name: str) -> Any:
    """The function that answers with a field; each entry defines its own."""
    return cgutils.get_or_insert_function(module, ir.FunctionType(WORD, [WORD]), f"{kind.name}.{name}")


def tell_known(context: Any, module: Any, kind: Any, values: Mapping[str, int]) -> None:
    """Define in an entry's module what kernels read in the fields that may be known: constants, or the record."""
    kinds = (kind,) if kind.general is None else (kind, kind.general)
    for of, name in [(one, name) for one in kinds for name in one.known]:
        question = _question(module, of, name)
        if question.blocks:
            continue
        question.linkage = "weak_odr"
        question.attributes.add("alwaysinline")
        builder = ir.IRBuilder(question.append_basic_block())
        constant = ir.Constant(WORD, values[name]) if name in values else None
        builder.ret(constant or _read(context, builder, of, question.args[0], name))


def _read(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    record = builder.inttoptr(value, WORD.as_pointer())
    word = builder.load(builder.gep(record, [ir.Constant(WORD, kind.place[name])]))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    if name in kind.arrays:
        return builder.inttoptr(word, context.get_value_type(kind.arrays[name]))
    return word


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD)


@lower_cast(RecordType, RecordType)
def _as_general(context: Any, builder: Any, kind: Any, other: Any, value: Any) -> Any:
    return value


@infer_getattr
class _RecordAttributes(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        if name in kind.arrays:
            return kind.arrays[name]
        return types.int64 if name in kind.place else None


@lower_getattr_generic(RecordType)
def _load(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    if name in kind.known:
        return builder.call(_question(builder.module, kind, name), [value])
    return _read(context, builder, kind, value, name)


@register_model(TableType)
class _TableModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


_CELL = types.UniTuple(types.int64, 2)


@infer_global(operator.getitem)
class _TableGet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        table, index = args
        if not isinstance(table, TableType):
            return None
        if isinstance(index, types.Integer):
            return signature(table.row, table, types.int64)
        return signature(types.int64, table, _CELL)


@infer_global(operator.setitem)
class _TableSet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if not isinstance(args[0], TableType):
            return None
        return signature(types.none, args[0], _CELL, types.int64)


def _row(builder: Any, kind: Any, table: Any, index: Any) -> Any:
    return builder.gep(table, [builder.mul(index, ir.Constant(WORD, kind.columns))])


def _cell(builder: Any, kind: Any, table: Any, index: Any) -> Any:
    row, column = (builder.extract_value(index, k) for k in range(2))
    return builder.gep(_row(builder, kind, table, row), [column])


@lower_builtin(operator.getitem, TableType, types.Integer)
def _get_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _row(builder, sig.args[0], *args)


@lower_builtin(operator.getitem, TableType, types.UniTuple)
def _get_cell(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(_cell(builder, sig.args[0], *args))


@lower_builtin(operator.setitem, TableType, types.UniTuple, types.Integer)
def _set_cell(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], _cell(builder, sig.args[0], *args[:2]))


def only_for(memory: RecordType, compiled: Any, otherwise: int) -> Any:
    """What compiled code calls in place of a kernel that runs with one type of record; with others it is a number."""

    def stub(m, *rest):
        """Compiled code only."""

    class Chosen(AbstractTemplate):
        key = stub

        def generic(self, args: Any, kws: Any) -> Any:
            if args[0] == memory:
                return types.Dispatcher(compiled).get_call_type(self.context, args, kws)
            return signature(types.int64, *args)

    infer_global(stub, types.Function(Chosen))

    @lower_builtin(stub, types.VarArg(types.Any))
    def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if sig.args[0] != memory:
            return ir.Constant(ir.IntType(64), otherwise)
        return context.get_function(types.Dispatcher(compiled), sig)(builder, args)

    return stub
