"""Hints to the processor without any other effect: plain Python and kernels agree. Used by `coherence.search`.

Those for the flat arrays of records are in `jit.instructions`.
"""

from __future__ import annotations

from typing import Any

from jumpnet.jit.decorator import DISABLED, cgutils, intrinsic, ir, types

__all__ = ["prefetch"]

if DISABLED:

    def prefetch(array: Any, index: int) -> None:
        """Element `index` of an array, counted through all dimensions, will be used soon."""

else:

    @intrinsic
    def prefetch(typingctx, array, index):
        """Element `index` of an array, counted through all dimensions, will be used soon."""

        def codegen(context, builder, signature, args):
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [place.type, *[ir.IntType(32)] * 3])
            hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            builder.call(hint, [place, *(ir.IntType(32)(number) for number in (0, 3, 1))])
            return context.get_dummy_value()

        return types.none(array, types.int64), codegen
