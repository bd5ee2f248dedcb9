"""One number for a whole machine: kernels take `m`, and `m.line` or `m.occupancy` is an array or a size of the run.

The same device as the simulator's (`jit.records.record` says why): `m` is the address of a record of sizes and of
addresses of flat int64 arrays. Under NUMBA_DISABLE_JIT=1 it is an object with the arrays themselves.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED, cgutils, intrinsic, types
from jumpnet.jit.records.record import RecordMemory

__all__ = ["ARRAYS", "SIZES", "Memory", "caches_of", "first_stage_of", "memory_at", "pruning_of", "second_stage_of"]

SIZES = (
    "processors", "nodes", "rows", "words", "cluster", "by_page", "outstanding", "ways", "sets", "hints", "multicast",
    "acknowledges", "most_places", "by_message", "least_cycles", "spacing", "sync", "forward", "short", "word", "long",
    "pointers", "evicts", "remake", "migrates", "page_flits", "shared", "units", "bus_request", "bus_line", "holders",
    "stage_1_sets", "stage_1_ways", "stage_2_sets", "stage_2_ways", "stage_1_cycles", "stage_2_cycles", "pruning_sets",
    "pruning_ways", "line_cycles", "everyone", "objects", "flagged", "networks", "room",
    "ends",
)  # fmt: skip
ARRAYS = (
    "first", "code", "page", "number", "home", "mode", "members", "where", "barrier", "expected", "proc", "register",
    "line", "valid", "touched", "pending", "cache", "node", "message", "thing", "gather", "place", "tally", "heap",
    "outbox", "count", "kinds", "histogram", "stamp", "over", "rules", "page_number", "page_line", "handler", "bus",
    "told", "believed", "asked", "wanted", "moving", "stage_1", "stage_2", "pruning", "due", "answer", "network_of",
    "needs", "passes", "kept", "sent", "entered", "freed", "held", "first_flag", "relay",
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

    def _store_of(array: str, owners: str, sets: str, ways: str) -> Any:
        def found(m: Any) -> Any:
            numbers = getattr(m, array)
            return numbers.reshape(getattr(m, owners) * getattr(m, sets) if len(numbers) else 1, getattr(m, ways))

        return found

else:

    @cache
    def _machine() -> Any:
        from jumpnet.jit.records.record_types import RecordType

        return RecordType("MachineMemory", PLACE, dict.fromkeys(ARRAYS, types.int64), {})

    @intrinsic
    def memory_at(typingctx, address):
        """The memory whose record lies at an address (int64)."""
        return _machine()(types.int64), lambda context, builder, signature, args: args[0]

    def _store_of(array: str, owners: str, sets: str, ways: str) -> Any:
        @intrinsic
        def found(typingctx, m):
            kind = types.Array(types.int64, 2, "C")

            def codegen(context, builder, signature, args):
                word = context.get_value_type(types.int64)

                def size(name):
                    place = builder.gep(builder.inttoptr(args[0], word.as_pointer()), [word(PLACE[name])])
                    return builder.load(place)

                made = context.make_array(kind)(context, builder)
                rows, columns = builder.mul(size(owners), size(sets)), size(ways)
                shape = cgutils.pack_array(builder, [rows, columns])
                strides = cgutils.pack_array(builder, [builder.mul(columns, word(8)), word(8)])
                made.data = builder.inttoptr(size(array), made.data.type)
                made.shape, made.strides = shape, strides
                made.nitems, made.itemsize = builder.mul(rows, columns), word(8)
                made.meminfo, made.parent = (cgutils.get_null_value(x.type) for x in (made.meminfo, made.parent))
                return made._getvalue()

            return kind(_machine()), codegen

        return found


caches_of = _store_of("cache", "processors", "sets", "ways")
"""(processors * sets, ways) the caches, as `coherence.recent` takes them."""
first_stage_of = _store_of("stage_1", "processors", "stage_1_sets", "stage_1_ways")
"""The same of each processor's translation."""
second_stage_of = _store_of("stage_2", "nodes", "stage_2_sets", "stage_2_ways")
"""The same of each home's translation."""
pruning_of = _store_of("pruning", "nodes", "pruning_sets", "pruning_ways")
"""The same of each home's pruning cache."""
