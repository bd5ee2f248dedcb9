"""One number for a whole machine: kernels take `m`, and `m.line` or `m.occupancy` is an array or a size of the run.

The same device as the simulator's (`jit.records.record` says why): `m` is the address of a record of sizes and of
addresses of flat int64 arrays. Under NUMBA_DISABLE_JIT=1 it is an object with the arrays themselves.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.records.record import RecordMemory, reader_of

__all__ = ["ARRAYS", "SIZES", "Memory", "memory_at"]

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


memory_at = reader_of(Memory)
