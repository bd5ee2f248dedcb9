"""One number for a whole machine: kernels take `m`, and `m.line` or `m.occupancy` is an array or a size of the run.

The same device as the simulator's (`jumpnet.jit.record` says why): `m` is the address of a record of sizes and of
addresses of flat int64 arrays. Under NUMBA_DISABLE_JIT=1 it is an object with the arrays themselves.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED, cgutils, intrinsic, types
from jumpnet.jit.record import RecordMemory

__all__ = ["ARRAYS", "SIZES", "Memory", "caches_of", "memory_at"]

SIZES = (
    "processors", "nodes", "rows", "words", "cluster", "by_page", "outstanding", "ways", "sets", "hints", "multicast",
    "acknowledges", "most_places", "by_message", "occupancy", "spacing", "sync", "forward", "short", "word", "long",
    "pointers", "shared",
)  # fmt: skip
ARRAYS = (
    "first", "code", "page", "number", "home", "mode", "members", "where", "barrier", "expected", "proc", "register",
    "line", "valid", "touched", "pending", "cache", "node", "message", "thing", "gather", "place", "tally", "heap",
    "outbox", "count", "kinds", "histogram", "stamp", "over", "rules",
)  # fmt: skip
"""As `timed._tables` describes them."""
PLACE = {name: k for k, name in enumerate((*SIZES, *ARRAYS))}


class Memory(RecordMemory):
    """Sizes and arrays of a machine."""

    PLACE, ARRAYS = PLACE, dict.fromkeys(ARRAYS, np.int64)


if DISABLED:

    def memory_at(address: Any) -> Any:
        """The memory itself."""
        return address

    def caches_of(m: Any) -> Any:
        """(processors * sets, ways) the caches, as `coherence.recent` takes them."""
        return m.cache.reshape(m.processors * m.sets, m.ways)

else:

    @cache
    def _machine() -> Any:
        from jumpnet.jit.record_types import RecordType

        return RecordType("MachineMemory", PLACE, dict.fromkeys(ARRAYS, types.int64), {})

    @intrinsic
    def memory_at(typingctx, address):
        """The memory whose record lies at an address (int64)."""
        return _machine()(types.int64), lambda context, builder, signature, args: args[0]

    @intrinsic
    def caches_of(typingctx, m):
        """(processors * sets, ways) the caches, as `coherence.recent` takes them."""
        kind = types.Array(types.int64, 2, "C")

        def codegen(context, builder, signature, args):
            word = context.get_value_type(types.int64)

            def size(name):
                place = builder.gep(builder.inttoptr(args[0], word.as_pointer()), [word(PLACE[name])])
                return builder.load(place)

            made = context.make_array(kind)(context, builder)
            rows, ways = builder.mul(size("processors"), size("sets")), size("ways")
            shape = cgutils.pack_array(builder, [rows, ways])
            strides = cgutils.pack_array(builder, [builder.mul(ways, word(8)), word(8)])
            made.data = builder.inttoptr(size("cache"), made.data.type)
            made.shape, made.strides = shape, strides
            made.nitems, made.itemsize = builder.mul(rows, ways), word(8)
            made.meminfo, made.parent = (cgutils.get_null_value(x.type) for x in (made.meminfo, made.parent))
            return made._getvalue()

        return kind(_machine()), codegen
