"""One number for everything: kernels take `m`, and `m.lane` or `m.buffer` is an array or a size of the run.

`m` is the address of a record (`jit.records.record` says why). Arrays are flat in kernels: row i of a table starts at i
times its width. Under NUMBA_DISABLE_JIT=1, `m` is the `Memory` object itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from jumpnet.jit.decorator import DISABLED, intrinsic, types
from jumpnet.jit.later import Later
from jumpnet.jit.linked import kernel
from jumpnet.jit.records.record import RecordMemory
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import run_kinds as kinds
from jumpnet.sim.memory.calls import Program, addresses, plain_calls
from jumpnet.sim.memory.packing import NOT_PACKED, Packing, packing_in, shared_out
from jumpnet.sim.memory.places import MATCHINGS, matches, places_row, vc_places
from jumpnet.sim.memory.shape import Shape
from jumpnet.sim.memory.space import zeros
from jumpnet.sim.memory.state import ARRAYS as STATE_ARRAYS
from jumpnet.sim.memory.state import MulticastState, State

__all__ = [
    "ARRAYS", "CALLS", "FIELDS", "PLACE", "SIZES", "Memory", "Share", "memory_at", "narrow",
]  # fmt: skip


class Share(NamedTuple):
    """The share of a run that one thread does."""

    threads: int
    thread: int
    first_router: int
    """A multiple of 32."""
    end_router: int
    box_size: int
    """Numbers of a box of `memory.threads.mail`."""
    outbox_numbers: int
    """Numbers of `sets` in all rings of `memory.outbox`."""


BLIND = at.ISLIP, at.PIM, *MATCHINGS
"""Allocators that look at priorities, and at what is speculative, among the lanes of an input that bid for one output
only."""


def _ranked(s: Shape) -> int:
    """Where priorities count in switch allocation: 1 everywhere, 2 as `BLIND` allocators look at them, 0 nowhere."""
    return (2 if s.allocator in BLIND else 1) if s.speculation or s.priority else 0


def _by_lists(s: Shape) -> bool:
    """Whether `router.lists` serves: one input-first pass without priorities, and lanes that fit one word."""
    first = s.vc_allocator == at.INPUT_FIRST and s.allocator == at.INPUT_FIRST
    one_pass = s.iterations == 1 and first and not (_ranked(s) or s.kinds or s.by_place or s.sharing)
    fits = s.lanes <= at.WORD_LANES and s.outputs <= at.WORD_LANES
    return one_pass and s.has_speedup == 0 and fits and s.most_branches == 0


DERIVED: dict[str, Callable[[Shape, State], int]] = {
    "want_words": lambda s, _: s.want_words,
    "packet_rows": lambda _, state: len(state.packet),
    "delivery_rows": lambda _, state: len(state.delivery),
    "event_rows": lambda _, state: len(state.event),
    "batches_rows": lambda _, state: len(state.batches),
    "histogram_cells": lambda _, state: state.histogram.shape[1],
    "wheel_cells": lambda _, state: state.wheel.size,
    "awake_words": lambda _, state: state.awake.size,
    "traced": lambda _, state: int(state.trace_first.size > 0),
    "work_rows": lambda s, _: s.work_rows,
    "places_row": lambda s, _: places_row(s),
    "vc_places": lambda s, _: vc_places(s),
    "matches": lambda s, _: int(matches(s)),
    "turn_row": lambda s, _: s.turn_row,
    "flow_size": lambda _, state: state.flow.shape[1],
    "ahead_size": lambda _, state: state.ahead.shape[1],
    "link_out_vcs": lambda s, _: s.link_outputs * s.vcs,
    "ranked": lambda s, _: _ranked(s),
    "by_lists": lambda s, _: int(_by_lists(s)),
    "forks": lambda s, _: int(s.most_branches > 0),  # whether packets branch
    "route_ports": lambda s, state: state.routes.size // (at.STATE_SLOTS * s.routers**2),
    "route_places": lambda _, state: state.routes.size,
    "held_row": lambda s, _: s.switch_inputs + s.switch_outputs,
    "lacking_row": lambda s, _: s.inputs + s.outputs + 2,
    "diagonal": lambda s, _: 2 * s.switch_inputs + s.switch_outputs,
    "sweeps": lambda s, _: int(s.allocator >= at.WAVEFRONT),  # whether the switch allocator is a wavefront
    "by_queues": lambda s, _: s.start_looks,  # while routers are sets; a constant in most code of these
    "vc_ranked": lambda s, _: int(s.priority > 0 and s.vc_allocator not in BLIND),
}
"""Sizes that follow from others and from the arrays."""
CALLS = ("relation", "start", "routing_view", "class_calls")
SIZES = (*Shape._fields, *DERIVED, *Share._fields, *Packing._fields, "packed")
FINITE = ("finite", "receive_buffer")
"""Whether terminals have finite receive buffers, and their rows (`terminals.finite_buffers`)."""
FIELDS = (*SIZES, *State._fields, *CALLS, *MulticastState._fields, *FINITE)
PLACE = {name: k for k, name in enumerate(FIELDS)}
ARRAYS = {**STATE_ARRAYS, "class_calls": np.int64, "receive_buffer": np.int64}
"""Fields that are arrays, and the type of their numbers."""


class Memory(RecordMemory):
    """Sizes, arrays and functions of a run, and the record that kernels read them from."""

    PLACE, ARRAYS = PLACE, ARRAYS

    def __init__(
        self,
        shape: Shape,
        state: State,
        program: Program,
        share: Share | None = None,
        multicast: MulticastState | None = None,
    ) -> None:
        self.shape, self.program, self.multicast = shape, program, multicast
        self.share, self._looks = share or Share(1, 0, 0, shape.routers, 0, 0), shape.start_looks
        packing = NOT_PACKED
        if state.sets.size:
            kept = state.routes.size if self.share.threads == 1 else 0  # threads would meet in one table of routes
            packing = packing_in(shape, state.out_vc, state.length, kept)
        self.packing = shared_out(shape, packing, self.share.outbox_numbers, self.share.thread)
        super().__init__(packed=0, finite=0, receive_buffer=np.zeros(0, np.int64))
        self.replace_arrays(state)

    def replace_arrays(self, state: State, multicast: MulticastState | None = None) -> None:
        """Go on with other arrays (one of them has grown)."""
        self.state, self.multicast = state, multicast or self.multicast
        for array in state:
            assert array.flags.c_contiguous and array.dtype in (np.int16, np.int32, np.int64)
        if state.answers[:1].any():
            state.stations[...] = 0
        state.routes[...], state.answers[:1] = 0, 0  # the routing may be another one
        state.states[...] = np.arange(state.states.size) ^ 1  # a state of another slot: any number may be a packet's
        for group in (self.shape, self.share, self.packing, state, self.multicast):
            self.replace(**group._asdict() if group is not None else {})
        self.replace(**{name: of(self.shape, state) for name, of in DERIVED.items()})
        if DISABLED:
            self.__dict__.update(plain_calls(self.program))
        else:
            self.replace(**addresses(self.program))
        if self.share.threads > 1:
            self.replace(route_ports=0)  # likewise
        self.plain, self.common = self._has(kinds.PLAIN), self._has(kinds.COMMON)
        s, alike = self.shape, self.packing.ring > 0 and self._has(kinds.ALIKE_IN_SETS)
        one_goes_first = max(s.allocator, s.vc_allocator) <= at.ISLIP and s.selection <= at.CREDITS
        self.packs = alike and one_goes_first and s.start_looks <= self._looks
        """Whether `run` can keep the routers as sets: not under a routing after a fault that looks at queues where the
        first one does not."""
        grids = (grid for grid, sizes in kinds.GRID_SIZES.items() if self._has(sizes))
        self._grid = next(grids, None) if self.plain else None

    def _has(self, values: Mapping[str, int]) -> bool:
        """Whether the record has these values."""
        return all(getattr(self, name) == value for name, value in values.items())

    def grow(self, name: str, rows: int) -> None:
        """Go on with an array that has at least so many rows: its own, then zeros."""
        array = getattr(self.state, name)
        if rows > len(array):
            more = zeros((rows, *array.shape[1:]), array.dtype)
            more[: len(array)] = array
            self.replace_arrays(self.state._replace(**{name: more}))

    def pack(self, packed: bool) -> None:
        """Say whether the next `run` keeps the routers as sets."""
        self.replace(packed=int(packed))

    def kind(self, packed: bool) -> type:
        """What kind of record this is to compiled code, while routers are kept as rows or as sets."""
        if packed:
            return self._grid or (kinds.SetsWide if self.packing.wide else kinds.Sets)
        return kinds.Plain if self.plain else kinds.Common if self.common else kinds.General

    @property
    def address(self) -> Any:
        """What compiled code takes: where the record lies, and of which kind it is."""
        return self if DISABLED else self.kind(self.packed == 1)(super().address)

    @property
    def rows_address(self) -> Any:
        """The same for what makes sets of rows, and rows of sets."""
        return self if DISABLED else (kinds.SetsWide if self.packing.wide else kinds.Sets)(super().address)

    @property
    def general_address(self) -> Any:
        """The same for kernels that run seldom: of no kind that plain runs have, so that one code serves them all."""
        return self if DISABLED else kinds.General(super().address)


if DISABLED:

    def memory_at(address: Any) -> Any:
        """The memory itself."""
        return address

    def narrow(function: Any) -> Any:
        """Compile a kernel for runs whose sets have 32 bits; others do not come to it."""
        return function

else:
    CELLS = ("sets", "arrived")
    """Arrays whose numbers have as many bits as sets need."""
    BY_ROWS = ("load", "store", "splat")
    """What a kernel reaches where it takes sixteen such numbers at once: vectors of another type."""

    @cache
    def _memory_type(handle: type | None) -> Any:
        """The type of `m` in compiled code for a kind of run, or for the two sorts of them."""
        from jumpnet.jit.records.record_types import RecordType

        of = {np.int16: types.int16, np.int32: types.int32, np.int64: types.int64}
        elements = {name: of[kind or np.int32] for name, kind in ARRAYS.items()}
        asked = {field for known in kinds.RUNS.values() for field in known}
        if handle in (kinds.GridSingleWide, kinds.GridWide):
            return _memory_type(kinds.SetsWide)
        if handle is kinds.SetsWide:
            wide = {**elements, "sets": types.int64, "arrived": types.int64}
            return RecordType("SimulatorMemoryWide", PLACE, wide, asked, None, _memory_type(None), BY_ROWS, CELLS)
        return RecordType("SimulatorMemory", PLACE, elements, asked, cells=CELLS)

    @intrinsic
    def memory_at(typingctx, address):
        """The memory whose record lies at an address (`run_kinds.RUNS`)."""
        from jumpnet.jit.records.record_types import tell_known

        handle = address.instance_class
        memory = _memory_type(handle)

        def codegen(context, builder, signature, args):
            tell_known(context, builder.module, memory, kinds.RUNS[handle])
            return builder.extract_value(args[0], 0)

        return memory(address), codegen

    def narrow(function: Any) -> Any:
        """Compile a kernel for runs whose sets have 32 bits; for others, which do not come to it, it is 0."""

        def chosen() -> Any:
            from jumpnet.jit.records.record_types import only_for

            return only_for(_memory_type(None), kernel(function).made, 0)

        return Later(function, chosen)
