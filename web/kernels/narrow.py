"""Sets of few lanes in numbers of 16 or 8 bits: as many routers as a vector of 128 bits has room for, each in one.

Natively sets have 32 or 64 bits (`sim.memory.record`), which its longer vectors hold sixteen of. Same source, same
results: a kind of run whose fields `sets` and `arrived` have other numbers. And what the page keeps as sets is plain,
and no run there has packets that branch, which its code need not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

from numba import types

from jumpnet.explore.kernels.names import Eight, SingleEight, SingleSixteen, Sixteen
from jumpnet.jit.records.record_types import RecordType
from jumpnet.jit.vectors import code as vectors
from jumpnet.jit.vectors.sizes import NUMBERS
from jumpnet.sim.memory import record, run_kinds

__all__ = ["narrow_sets"]

SINGLE_OF = {SingleEight: Eight, SingleSixteen: Sixteen}
BITS = {Sixteen: (types.int16, 16), Eight: (types.int8, 8)}


@contextmanager
def narrow_sets() -> Iterator[None]:
    """Runs of these kinds can be compiled meanwhile."""
    native = record._memory_type

    @cache
    def memory_type(handle: type | None) -> Any:
        handle = SINGLE_OF.get(handle, handle)
        if handle not in BITS:
            return native(handle)
        number, bits = BITS[handle]
        general = native(None)
        arrays = {name: pointer.dtype for name, pointer in general.arrays.items()}
        arrays |= dict.fromkeys(record.CELLS, number)
        return RecordType(
            f"SimulatorMemory{bits}", general.place, arrays, general.known, None, general, set(record.CELLS)
        )

    with ExitStack() as changed:
        changed.enter_context(patch.object(record, "_memory_type", memory_type))
        narrow = {**run_kinds.PLAIN_IN_SETS, "wide": 0, "single": 0, "together": 0}
        plain = dict.fromkeys((*BITS, run_kinds.Sets), narrow) | {run_kinds.SetsWide: narrow | {"wide": 1}}
        single = dict.fromkeys(SINGLE_OF, narrow | {"single": 1, "packed": 1})
        unbranched = {run_kinds.General: run_kinds.RUNS[run_kinds.General] | {"forks": 0}}
        changed.enter_context(patch.dict(run_kinds.RUNS, plain | single | unbranched))
        longer = {number: vectors.VectorType(NUMBERS, bits) for number, bits in BITS.values()}
        changed.enter_context(patch.dict(vectors.SIXTEEN, longer))
        yield
