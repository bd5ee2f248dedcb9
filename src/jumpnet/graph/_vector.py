"""Sets of 256 sources as one machine vector: a row of four 64-bit words, loaded, united and counted as a whole.

Written as explicit LLVM vectors because plain loops over the words are 2.4 to 5.7 times slower: the loop vectoriser
turns the loop over neighbors into gathers. Only the search of many sources (`_bfs_all.py`) calls these. With
NUMBA_DISABLE_JIT=1 the same names work on NumPy rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet._jit import DISABLED, cgutils, intrinsic, ir, models, register_model, types

__all__ = ["BITS", "WORDS", "add", "apart", "at", "count", "load", "same", "scale", "store", "total", "union", "zero"]

WORDS = 4
"""64-bit words of a row."""
BITS = 64 * WORDS
"""Members that a row can hold."""

if DISABLED:

    def at(array, index):
        """array[index], without the test for a negative index."""
        return array[index]

    def load(rows, index):
        """Row `index` of `rows` (R, WORDS) uint64."""
        return rows[index].copy()

    def store(rows, index, row):
        """Write a row."""
        rows[index] = row

    def union(a, b):
        """Members of either row."""
        return a | b

    def same(a, b):
        """Whether two rows hold the same members."""
        return bool((a == b).all())

    def zero():
        """A row of zeros: no members, or sums that start."""
        return np.zeros(WORDS, np.uint64)

    def apart(a, b):
        """Members of one of the rows only."""
        return a ^ b

    def count(row):
        """Members, counted word by word."""
        return np.bitwise_count(row).astype(np.uint64)

    def add(a, b):
        """Word-wise sum of counts."""
        return a + b

    def scale(row, factor):
        """Word-wise product of counts and a number."""
        return row * np.uint64(factor)

    def total(row):
        """Sum of the words, as int64."""
        return int(row.sum())

else:
    WORD = ir.IntType(64)
    VECTOR = ir.VectorType(WORD, WORDS)
    ALIGNMENT = 8 * WORDS

    class Row(types.Type):
        """Numba's name for the vector type."""

        def __init__(self) -> None:
            super().__init__(name=f"Row{WORDS}")

    @register_model(Row)
    class RowModel(models.PrimitiveModel):
        """A row lives in one vector register."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, VECTOR)

    ROW = Row()

    def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
        """Pointer to row `index` of a (R, WORDS) array whose first element is aligned to a row."""
        data = context.make_array(array_type)(context, builder, value=array).data
        return builder.gep(builder.bitcast(data, VECTOR.as_pointer()), [index])

    @intrinsic
    def at(typingctx: Any, array: Any, index: Any) -> Any:
        """array[index], without the test for a negative index."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
            return builder.load(builder.gep(data, [args[1]]))

        return array.dtype(array, types.intp), codegen

    @intrinsic
    def load(typingctx: Any, rows: Any, index: Any) -> Any:
        """Row `index` of `rows` (R, WORDS) uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_place(context, builder, signature.args[0], *args), align=ALIGNMENT)

        return ROW(rows, types.intp), codegen

    @intrinsic
    def store(typingctx: Any, rows: Any, index: Any, row: Any) -> Any:
        """Write a row."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], _place(context, builder, signature.args[0], *args[:2]), align=ALIGNMENT)
            return context.get_dummy_value()

        return types.void(rows, types.intp, ROW), codegen

    @intrinsic
    def union(typingctx: Any, a: Any, b: Any) -> Any:
        """Members of either row."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.or_(*args)

        return ROW(ROW, ROW), codegen

    @intrinsic
    def same(typingctx: Any, a: Any, b: Any) -> Any:
        """Whether two rows hold the same members."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            differ = builder.bitcast(builder.icmp_unsigned("!=", *args), ir.IntType(WORDS))
            return builder.icmp_unsigned("==", differ, ir.Constant(ir.IntType(WORDS), 0))

        return types.boolean(ROW, ROW), codegen

    @intrinsic
    def zero(typingctx: Any) -> Any:
        """A row of zeros: no members, or sums that start."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return ir.Constant(VECTOR, [0] * WORDS)

        return ROW(), codegen

    @intrinsic
    def apart(typingctx: Any, a: Any, b: Any) -> Any:
        """Members of one of the rows only."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.xor(*args)

        return ROW(ROW, ROW), codegen

    @intrinsic
    def count(typingctx: Any, row: Any) -> Any:
        """Members, counted word by word."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(VECTOR, [VECTOR])
            ctpop = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{WORDS}i64")
            return builder.call(ctpop, args)

        return ROW(ROW), codegen

    @intrinsic
    def add(typingctx: Any, a: Any, b: Any) -> Any:
        """Word-wise sum of counts."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.add(*args)

        return ROW(ROW, ROW), codegen

    @intrinsic
    def scale(typingctx: Any, row: Any, factor: Any) -> Any:
        """Word-wise product of counts and a number."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            spread = ir.Constant(VECTOR, ir.Undefined)
            for word in range(WORDS):
                spread = builder.insert_element(spread, args[1], ir.Constant(ir.IntType(32), word))
            return builder.mul(args[0], spread)

        return ROW(ROW, types.int64), codegen

    @intrinsic
    def total(typingctx: Any, row: Any) -> Any:
        """Sum of the words, as int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = [builder.extract_element(args[0], ir.Constant(ir.IntType(32), word)) for word in range(WORDS)]
            result = words[0]
            for word in words[1:]:
                result = builder.add(result, word)
            return result

        return types.int64(ROW), codegen
