"""Bit sets in int64 words of 32 bits: positive numbers, so that plain Python and kernels agree.

Member x of a set is bit x & 31 of word x >> 5. Used by every kernel of the simulator.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import DISABLED, intrinsic, jit, types

__all__ = ["WORD_BITS", "bit", "lowest"]

WORD_BITS = 32

if DISABLED:

    def lowest(word: int) -> int:
        """Number of the lowest set bit of a word that is not 0."""
        word = int(word)
        return (word & -word).bit_length() - 1

else:

    @intrinsic
    def lowest(typingctx, word):
        """Number of the lowest set bit of a word that is not 0: one instruction."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen


@jit(inline="always")
def bit(x):
    """The bit of member x in its word."""
    return np.int64(1) << (np.int64(x) & 31)
