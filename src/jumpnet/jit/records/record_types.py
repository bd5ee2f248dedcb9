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

WORD, BYTES = ir.IntType(64), ir.IntType(8).as_pointer()


class TableType(PlainType):
    """Type of an int64 table of so many columns in compiled code."""

    def __init__(self, columns: int) -> None:
        self.columns, self.row = columns, types.CPointer(types.int64)
        super().__init__(name=f"Table({columns})")


class CellsType(PlainType):
    """Type of an array whose numbers have 32 bits in some records and 64 in others; each number is taken as an int64.

    One number is read and written by functions that each entry defines (`tell_known`), so that a kernel which does no
    more with the array is typed once for both sizes. `jit.vectors` loads rows of numbers of the size that it is told.
    """

    def __init__(self, field: str, record: str, dtype: Any) -> None:
        self.dtype, self.words = dtype, f"{record}.{field}"
        super().__init__(name=f"Cells({self.words})")


class RecordType(PlainType):
    """Type of `m` in compiled code, of one kind of run or of all.

    place: number of each field in the record. arrays: element type, int32 or int64, of the fields that are addresses.
    known: fields that an entry may know as constants: `tell_known` says them there. tables: number of columns of the
    fields that are int64 tables. cells: fields among the arrays that are `CellsType`. The record must not change while
    a kernel runs. general: the type by which kernels take a record of this type where they reach none of the names in
    `special` (`reach`), so that they are typed for the general one alone.
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
        cells: Collection[str] = (),
    ) -> None:
        self.place, self.known = dict(place), frozenset(known)
        self.general, self.special = general, frozenset(special)
        self.arrays: dict[str, Any] = {field: types.CPointer(element) for field, element in arrays.items()}
        self.arrays |= {field: TableType(columns) for field, columns in (tables or {}).items()}
        self.cells = {field: CellsType(field, name, arrays[field]) for field in cells}
        self.arrays |= self.cells
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


def _definition(function: Any) -> Any:
    """A builder for the body of a function that each entry defines for itself, and that goes into its callers."""
    function.linkage = "weak_odr"
    function.attributes.add("alwaysinline")
    return ir.IRBuilder(function.append_basic_block())


def tell_known(context: Any, module: Any, kind: Any, values: Mapping[str, int]) -> None:
    """Define in an entry's module what kernels read in the fields that may be known: constants, or the record."""
    kinds = (kind,) if kind.general is None else (kind, kind.general)
    for of, name in [(one, name) for one in kinds for name in one.known]:
        question = _question(module, of, name)
        if question.blocks:
            continue
        builder = _definition(question)
        constant = ir.Constant(WORD, values[name]) if name in values else None
        builder.ret(constant or _read(context, builder, of, question.args[0], name))
    for field, cells in kind.cells.items():
        for of in kinds:
            _tell_cells(context, module, of.cells[field], context.get_value_type(cells.dtype))


def _cell_function(module: Any, kind: CellsType, writes: bool) -> Any:
    """The function that reads a number of such an array, or writes it; each entry defines its own."""
    of = ir.FunctionType(ir.VoidType(), [BYTES, WORD, WORD]) if writes else ir.FunctionType(WORD, [BYTES, WORD])
    return cgutils.get_or_insert_function(module, of, f"{kind.words} {'put' if writes else 'get'}")


def _tell_cells(context: Any, module: Any, kind: CellsType, number: Any) -> None:
    """Define how numbers of such an array are read and written in an entry, where they have that machine type."""
    for writes in (False, True):
        function = _cell_function(module, kind, writes)
        if function.blocks:
            continue
        builder = _definition(function)
        where = builder.gep(builder.bitcast(function.args[0], number.as_pointer()), [function.args[1]])
        if writes:
            value = function.args[2]
            builder.store(value if number == WORD else builder.trunc(value, number), where)
            builder.ret_void()
        else:
            value = builder.load(where)
            builder.ret(value if number == WORD else builder.sext(value, WORD))


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


@register_model(CellsType)
class _CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(kind.dtype.bitwidth).as_pointer())


@infer_global(operator.getitem)
class _CellsGet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0], types.int64) if isinstance(args[0], CellsType) else None


@infer_global(operator.setitem)
class _CellsSet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        cells = args[0]
        return signature(types.none, cells, types.int64, types.int64) if isinstance(cells, CellsType) else None


@lower_builtin(operator.getitem, CellsType, types.Integer)
def _get_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.call(_cell_function(builder.module, sig.args[0], False), [builder.bitcast(args[0], BYTES), args[1]])


@lower_builtin(operator.setitem, CellsType, types.Integer, types.Integer)
def _set_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    function = _cell_function(builder.module, sig.args[0], True)
    builder.call(function, [builder.bitcast(args[0], BYTES), *args[1:]])


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
