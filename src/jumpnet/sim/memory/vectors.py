"""Sixteen int32 numbers at once: one vector register, or as many as the processor needs for it; in Python, an array.

Where each number is a set of at most 31 members, `&`, `|` and `^` work on sixteen sets; `+`, `-` and shifts by a plain
number on sixteen numbers (they wrap). Used by the kernels that keep routers as bit sets (`sets.switch_allocation`).
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from jumpnet._jit import (
    DISABLED,
    AbstractTemplate,
    infer_global,
    intrinsic,
    ir,
    lower_builtin,
    models,
    register_model,
    signature,
    types,
)

__all__ = ["choose", "found", "load", "splat", "store"]

if DISABLED:

    def load(cells: Any, first: int) -> Any:
        """Numbers first..first+15 of an array."""
        return cells[first : first + 16].copy()

    def store(cells: Any, first: int, numbers: Any) -> None:
        """Write them back."""
        cells[first : first + 16] = numbers

    def splat(number: int) -> Any:
        """Sixteen times the same number."""
        return np.full(16, number, np.int64).astype(np.int32)

    def found(numbers: Any) -> int:
        """Bit k: whether number k is not 0."""
        return sum(1 << int(k) for k in np.flatnonzero(numbers))

    def choose(which: Any, one: Any, other: Any) -> Any:
        """Number k of `one` where number k of `which` is not 0, else of `other`."""
        return np.where(which != 0, one, other)

else:
    NUMBER = ir.IntType(32)
    VECTOR = ir.VectorType(NUMBER, 16)

    class SixteenType(types.Type):
        """Type of sixteen numbers in compiled code."""

        def __init__(self) -> None:
            super().__init__(name="Sixteen")

    SIXTEEN = SixteenType()

    @register_model(SixteenType)
    class _SixteenModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, VECTOR)

    def _splat(builder: Any, number: Any) -> Any:
        one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), builder.trunc(number, NUMBER), NUMBER(0))
        return builder.shuffle_vector(one, one, ir.Constant(VECTOR, [0] * 16))

    def _is_set(builder: Any, numbers: Any) -> Any:
        return builder.icmp_signed("!=", numbers, ir.Constant(VECTOR, [0] * 16))

    def _place(builder: Any, cells: Any, first: Any) -> Any:
        return builder.bitcast(builder.gep(cells, [first]), VECTOR.as_pointer())

    @intrinsic
    def load(typingctx, cells, first):
        """Numbers first..first+15 of an array."""

        def codegen(context, builder, signature, args):
            return builder.load(_place(builder, *args), align=4)

        return SIXTEEN(cells, types.int64), codegen

    @intrinsic
    def store(typingctx, cells, first, numbers):
        """Write them back."""

        def codegen(context, builder, signature, args):
            builder.store(args[2], _place(builder, *args[:2]), align=4)
            return context.get_dummy_value()

        return types.none(cells, types.int64, SIXTEEN), codegen

    @intrinsic
    def splat(typingctx, number):
        """Sixteen times the same number."""

        def codegen(context, builder, signature, args):
            return _splat(builder, args[0])

        return SIXTEEN(types.int64), codegen

    @intrinsic
    def found(typingctx, numbers):
        """Bit k: whether number k is not 0."""

        def codegen(context, builder, signature, args):
            return builder.zext(builder.bitcast(_is_set(builder, args[0]), ir.IntType(16)), ir.IntType(64))

        return types.int64(SIXTEEN), codegen

    @intrinsic
    def choose(typingctx, which, one, other):
        """Number k of `one` where number k of `which` is not 0, else of `other`."""

        def codegen(context, builder, signature, args):
            return builder.select(_is_set(builder, args[0]), args[1], args[2])

        return SIXTEEN(SIXTEEN, SIXTEEN, SIXTEEN), codegen

    def _teach(symbol: Any, instruction: str, by_number: bool) -> None:
        """Teach the compiler an operator of two such vectors, or of one and a plain number."""
        second = types.int64 if by_number else SIXTEEN

        @infer_global(symbol)
        class _Typing(AbstractTemplate):
            def generic(self, args: Any, kws: Any) -> Any:
                fits = args[0] == SIXTEEN and (isinstance(args[1], types.Integer) if by_number else args[1] == SIXTEEN)
                return signature(SIXTEEN, SIXTEEN, second) if fits else None

        @lower_builtin(symbol, SixteenType, types.Integer if by_number else SixteenType)
        def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            other = _splat(builder, args[1]) if by_number else args[1]
            return getattr(builder, instruction)(args[0], other)

    for _symbol, _instruction in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor"),
                                  (operator.add, "add"), (operator.sub, "sub")):  # fmt: skip
        _teach(_symbol, _instruction, by_number=False)
    for _symbol, _instruction in ((operator.lshift, "shl"), (operator.rshift, "ashr")):
        _teach(_symbol, _instruction, by_number=True)

    def _teach_one(symbol: Any, instruction: str) -> None:
        """Teach the compiler an operator of one such vector."""

        @infer_global(symbol)
        class _Typing(AbstractTemplate):
            def generic(self, args: Any, kws: Any) -> Any:
                return signature(SIXTEEN, SIXTEEN) if args == (SIXTEEN,) else None

        @lower_builtin(symbol, SixteenType)
        def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return getattr(builder, instruction)(args[0])

    _teach_one(operator.invert, "not_")
    _teach_one(operator.neg, "neg")
