"""Machine vectors (`jit.vectors.numbers`) in compiled code; loaded with Numba, when something must be compiled."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir

from jumpnet.jit.compiler import (
    AbstractTemplate,
    cgutils,
    infer_global,
    intrinsic,
    lower_builtin,
    models,
    register_model,
    signature,
    types,
)
from jumpnet.jit.plain_types import PlainType
from jumpnet.jit.vectors.sizes import NUMBERS, WORDS

__all__ = ["at", "choose", "count", "found", "load", "splat", "store", "total", "zero"]


class VectorType(PlainType):
    """Type of a vector in compiled code."""

    def __init__(self, numbers: int, bits: int) -> None:
        super().__init__(name=f"Vector{numbers}x{bits}")
        self.numbers, self.bits = numbers, bits
        self.llvm = ir.VectorType(ir.IntType(bits), numbers)


SIXTEEN = {types.int32: VectorType(NUMBERS, 32), types.int64: VectorType(NUMBERS, 64)}
ROW = VectorType(WORDS, 64)


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.llvm)


def _vector_in(cells: Any) -> VectorType:
    """What lies in some cells: rows in a table, else numbers."""
    return ROW if isinstance(cells, types.Array) else SIXTEEN[cells.dtype]


def _place(context: Any, builder: Any, kind: Any, cells: Any, first: Any) -> tuple[Any, int]:
    """Where a vector lies, and how it is aligned."""
    if isinstance(kind, types.Array):
        data = context.make_array(kind)(context, builder, value=cells).data
        return builder.gep(builder.bitcast(data, ROW.llvm.as_pointer()), [first]), 8 * WORDS
    vector = SIXTEEN[kind.dtype]
    return builder.bitcast(builder.gep(cells, [first]), vector.llvm.as_pointer()), vector.bits // 8


def _splat(builder: Any, kind: VectorType, number: Any) -> Any:
    number = builder.trunc(number, kind.llvm.element)
    one = builder.insert_element(ir.Constant(kind.llvm, ir.Undefined), number, ir.IntType(32)(0))
    first = ir.Constant(ir.VectorType(ir.IntType(32), kind.numbers), [0] * kind.numbers)
    return builder.shuffle_vector(one, one, first)


def _is_set(builder: Any, vector: Any) -> Any:
    return builder.icmp_signed("!=", vector, ir.Constant(vector.type, [0] * vector.type.count))


@intrinsic
def at(typingctx, array, index):
    """array[index], without the test for a negative index."""

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
        return builder.load(builder.gep(data, [args[1]]))

    return array.dtype(array, types.intp), codegen


@intrinsic
def load(typingctx, cells, first):
    """Numbers first..first+15 of some cells, or row `first` of a table (R, WORDS) of rows."""

    def codegen(context, builder, signature, args):
        place, align = _place(context, builder, signature.args[0], *args)
        return builder.load(place, align=align)

    return _vector_in(cells)(cells, types.int64), codegen


@intrinsic
def store(typingctx, cells, first, vector):
    """Write them back."""

    def codegen(context, builder, signature, args):
        place, align = _place(context, builder, signature.args[0], *args[:2])
        builder.store(args[2], place, align=align)
        return context.get_dummy_value()

    return types.none(cells, types.int64, _vector_in(cells)), codegen


@intrinsic
def splat(typingctx, cells, number):
    """Sixteen times the same number, of the size of those of some cells."""
    vector = SIXTEEN[cells.dtype]

    def codegen(context, builder, signature, args):
        return _splat(builder, vector, args[1])

    return vector(cells, types.int64), codegen


@intrinsic
def zero(typingctx):
    """A row of zeros."""

    def codegen(context, builder, signature, args):
        return ir.Constant(ROW.llvm, [0] * WORDS)

    return ROW(), codegen


@intrinsic
def found(typingctx, vector):
    """Bit k: whether number or word k is not 0."""

    def codegen(context, builder, signature, args):
        bits = builder.bitcast(_is_set(builder, args[0]), ir.IntType(args[0].type.count))
        return builder.zext(bits, ir.IntType(64))

    return types.int64(vector), codegen


@intrinsic
def choose(typingctx, which, one, other):
    """Number k of `one` where number k of `which` is not 0, else of `other`."""

    def codegen(context, builder, signature, args):
        return builder.select(_is_set(builder, args[0]), args[1], args[2])

    return one(one, one, one), codegen


@intrinsic
def count(typingctx, row):
    """Members, counted word by word."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ROW.llvm, [ROW.llvm])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{WORDS}i64"), args)

    return ROW(ROW), codegen


@intrinsic
def total(typingctx, row):
    """Sum of the words, as int64."""

    def codegen(context, builder, signature, args):
        result = builder.extract_element(args[0], ir.IntType(32)(0))
        for word in range(1, WORDS):
            result = builder.add(result, builder.extract_element(args[0], ir.IntType(32)(word)))
        return result

    return types.int64(ROW), codegen


def _teach(symbol: Any, instruction: str, by_number: bool) -> None:
    """Teach the compiler an operator of two vectors, or of one and a plain number."""

    @infer_global(symbol)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if not isinstance(args[0], VectorType):
                return None
            fits = isinstance(args[1], types.Integer) if by_number else args[1] == args[0]
            return signature(args[0], args[0], types.int64 if by_number else args[0]) if fits else None

    @lower_builtin(symbol, VectorType, types.Integer if by_number else VectorType)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        other = _splat(builder, sig.args[0], args[1]) if by_number else args[1]
        return getattr(builder, instruction)(args[0], other)


for _symbol, _instruction in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor"),
                              (operator.add, "add"), (operator.sub, "sub")):  # fmt: skip
    _teach(_symbol, _instruction, by_number=False)
for _symbol, _instruction in ((operator.lshift, "shl"), (operator.rshift, "ashr"), (operator.mul, "mul")):
    _teach(_symbol, _instruction, by_number=True)


def _teach_one(symbol: Any, instruction: str) -> None:
    """Teach the compiler an operator of one vector."""

    @infer_global(symbol)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(args[0], args[0]) if len(args) == 1 and isinstance(args[0], VectorType) else None

    @lower_builtin(symbol, VectorType)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(args[0])


_teach_one(operator.invert, "not_")
_teach_one(operator.neg, "neg")
