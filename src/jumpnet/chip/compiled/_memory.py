"""One number for a whole network of chips: kernels take `s`, and `s.buffer` or `s.slices` is a table or a size of it.

The device of the simulator and the timed machine (`jit.records.record` says why). Under NUMBA_DISABLE_JIT=1 `s` is an
object with the tables themselves. Tables are described in `_layout`.
"""

from __future__ import annotations

from jumpnet.chip.compiled._layout import COLUMNS, Sizes, State
from jumpnet.jit.records.record import RecordMemory, reader_of

__all__ = ["Memory", "memory_at"]

PLACE = {name: k for k, name in enumerate((*Sizes._fields, "rows", "flit_rows", *State._fields))}


class Memory(RecordMemory):
    """Sizes and tables of a network; `rows` and `flit_rows` say how long the two are now that grow."""

    PLACE, TABLES = PLACE, COLUMNS

    def __init__(self, sizes: Sizes, state: State) -> None:
        super().__init__(**sizes._asdict(), rows=len(state.row), flit_rows=len(state.row_flits), **state._asdict())


memory_at = reader_of(Memory)
