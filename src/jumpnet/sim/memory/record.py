"""One number for everything: kernels take `m`, and `m.lane` or `m.buffer` is an array or a size of the run.

`m` is the address of a record (`jit.records.record` says why). Arrays are flat in kernels: row i of a table starts at i
times its width. Under NUMBA_DISABLE_JIT=1, `m` is the `Memory` object itself. Every kernel of the simulator starts
from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from jumpnet.jit.decorator import DISABLED, instruction, intrinsic, ir, types
from jumpnet.jit.later import Later
from jumpnet.jit.linked import kernel
from jumpnet.jit.random import below
from jumpnet.jit.records.reach import marked
from jumpnet.jit.records.record import RecordMemory
from jumpnet.routings import View
from jumpnet.routings.view import HEADER_FIELDS
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.packing import NOT_PACKED, Packing, packing_of, shared_out
from jumpnet.sim.memory.run_kinds import (
    GRID_SIZES,
    GRIDS,
    KNOWN,
    PLAIN,
    Forked,
    General,
    GridSingleWide,
    GridWide,
    Rows,
    RowsWide,
    SingleWide,
    Wide,
    plain_kind,
)
from jumpnet.sim.memory.shape import Shape
from jumpnet.sim.memory.space import zeros
from jumpnet.sim.memory.state import ARRAYS as STATE_ARRAYS
from jumpnet.sim.memory.state import MulticastState, State
from jumpnet.terms import I64
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = [
    "Calls", "Memory", "Part", "Program",
    "ask_destination", "ask_process", "ask_relation", "ask_start", "forked", "memory_at", "narrow",
]  # fmt: skip


class Calls(NamedTuple):
    """What a class of traffic calls: its pattern and its process as function pointers, and what they read."""

    destination: Any
    pattern_own: I64
    process: Any
    process_own: I64
    draws: int
    """Draws by which destinations are distinguished."""


class Program(NamedTuple):
    """What a run calls: the routing as function pointers, with what they read, and each class of traffic."""

    relation: Any
    start: Any
    view: View
    classes: tuple[Calls, ...]


class Part(NamedTuple):
    """The part of a run that one thread does."""

    threads: int
    thread: int
    first_router: int
    """A multiple of 32."""
    end_router: int
    box_size: int
    """Numbers of a box of `memory.threads.mail`."""
    outbox_numbers: int
    """Numbers of `sets` in all rings of `memory.outbox`."""


BLIND = at.ISLIP, at.PIM
"""Allocators that look at priorities among the lanes of an input that bid for one output only."""


def _ranked(s: Shape) -> int:
    """Where priorities count in switch allocation: 1 everywhere, 2 as `BLIND` allocators look at them, 0 nowhere."""
    return 1 if s.speculation else (2 if s.allocator in BLIND else 1) if s.priority else 0


def _by_lists(s: Shape) -> bool:
    """Whether `router.lists` serves: one input-first pass without priorities, and lanes that fit one word."""
    first = s.vc_allocator == at.INPUT_FIRST and s.allocator == at.INPUT_FIRST
    one_pass = s.iterations == 1 and first and not (_ranked(s) or s.kinds)
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
    "part": lambda s, _: s.part,
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
    "vc_ranked": lambda s, _: int(s.priority > 0 and s.vc_allocator not in BLIND),
}
"""Sizes that follow from others and from the arrays."""
CALLS = ("relation", "start", "routing_view", "class_calls")
SIZES = (*Shape._fields, *DERIVED, *Part._fields, *Packing._fields, "packed")
FINITE = ("finite", "receive_buffer")
"""Whether terminals have finite receive buffers, and their rows (`terminals.finite_buffers`)."""
FIELDS = (*SIZES, *State._fields, *CALLS, *MulticastState._fields, *FINITE)
PLACE = {name: k for k, name in enumerate(FIELDS)}
ARRAYS = {**STATE_ARRAYS, "class_calls": np.int64, "receive_buffer": np.int64}
"""Fields that are arrays, and the type of their numbers."""


def _calls(program: Program) -> dict[str, Any]:
    """Addresses and sizes by which compiled code calls: of the routing, and a row for each class of traffic."""
    rows = np.zeros((len(program.classes), at.CALL_FIELDS), np.int64)
    for row, c in zip(rows, program.classes, strict=True):
        row[:3] = c.destination.address, c.pattern_own.ctypes.data, c.pattern_own.size
        row[3:6] = c.process.address, c.process_own.ctypes.data, c.process_own.size
        row[6] = c.draws
    routing = {"relation": program.relation, "start": program.start, "routing_view": program.view}
    return {**{name: thing.address for name, thing in routing.items()}, "class_calls": rows}


def _plain_calls(program: Program) -> dict[str, Any]:
    """The same for plain Python: functions and arrays themselves, where compiled code has numbers."""
    relation, start = program.relation, program.start

    def destination_of(c: Calls) -> Callable[..., int]:
        return lambda own, size, source, draw: c.destination(own, source, draw)

    def process_of(c: Calls) -> Callable[..., int]:
        return lambda own, size, memory, key: c.process(own, memory[:MEMORY_WORDS], key)

    rows = [(destination_of(c), c.pattern_own, 0, process_of(c), c.process_own, 0, c.draws, 0) for c in program.classes]
    return {
        "relation": lambda view, here, head, out: relation(view, here, head[:HEADER_FIELDS], out.reshape(-1, 4)),
        "start": lambda view, head, draw, queue: start(view, head[:HEADER_FIELDS], draw, queue),
        "routing_view": program.view,
        "class_calls": [value for row in rows for value in row],
    }


class Memory(RecordMemory):
    """Sizes, arrays and functions of a run, and the record that kernels read them from."""

    PLACE, ARRAYS = PLACE, ARRAYS

    def __init__(
        self,
        shape: Shape,
        state: State,
        program: Program,
        part: Part | None = None,
        multicast: MulticastState | None = None,
    ) -> None:
        self.shape, self.program, self.multicast = shape, program, multicast
        self.share = part or Part(1, 0, 0, shape.routers, 0, 0)
        packing = NOT_PACKED
        if state.sets.size:
            packing = packing_of(shape, state.lane, state.out_vc, state.length, state.routes.size)
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
            self.__dict__.update(_plain_calls(self.program))
        else:
            self.replace(**_calls(self.program))
        if self.share.threads > 1:
            self.replace(route_ports=0, together=0)  # threads that kept routes in one table would meet there
        self.plain = self._has(PLAIN)
        self.packs = self.packing.ring > 0 and self.plain and self.shape.start_looks == 0
        """Whether `run` can keep the routers as sets: not under a routing after a fault that looks at queues."""
        self._grids = {kind: grid for kind, grid in GRIDS.items() if self._has(GRID_SIZES[grid])}

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
        if self.multicast is not None or not self.plain:
            return General if self.multicast is None else Forked
        packing = self.packing if packed else NOT_PACKED
        kind = plain_kind(self.shape.vcs, packing.wide, packing.single, packing.together and self.share.threads == 1)
        return self._grids.get(kind, kind) if packed else kind

    @property
    def address(self) -> Any:
        """What compiled code takes: where the record lies, and of which kind it is."""
        return self if DISABLED else self.kind(self.packed == 1)(super().address)

    @property
    def rows_address(self) -> Any:
        """The same for what makes sets of rows, and rows of sets."""
        return self if DISABLED else (RowsWide if self.packing.wide else Rows)(super().address)

    @property
    def general_address(self) -> Any:
        """The same for kernels that run seldom: of no kind that plain runs have, so that one code serves them all."""
        return self if DISABLED else (General if self.multicast is None else Forked)(super().address)


if DISABLED:

    def memory_at(address: Any) -> Any:
        """The memory itself."""
        return address

    def forked(otherwise: int) -> Callable[..., Any]:
        """Compile a kernel for runs whose packets branch; in others a call is that number, and does nothing."""

        def make(function: Any) -> Any:
            return lambda m, *rest: function(m, *rest) if m.forks == 1 else otherwise

        return make

    def narrow(function: Any) -> Any:
        """Compile a kernel for runs whose sets have 32 bits; others do not come to it."""
        return function

else:
    BRANCHING = "packets branch"
    """What a kernel reaches that differs where packets branch."""
    CELLS = ("sets",)
    """Arrays whose numbers have as many bits as sets need."""
    BY_ROWS = ("load", "store", "splat")
    """What a kernel reaches where it takes sixteen such numbers at once: vectors of another type."""

    @cache
    def _memory_type(handle: type | None) -> Any:
        """The type of `m` in compiled code for a kind of run, or for the three sorts of them."""
        from jumpnet.jit.records.record_types import RecordType

        of = {np.int16: types.int16, np.int32: types.int32, np.int64: types.int64}
        elements = {name: of[kind or np.int32] for name, kind in ARRAYS.items()}
        asked = {field for known in KNOWN.values() for field in known}
        if handle is Forked:
            general = _memory_type(None)
            return RecordType("SimulatorMemoryForked", PLACE, elements, asked, None, general, {BRANCHING}, CELLS)
        if handle in (SingleWide, GridSingleWide, GridWide, RowsWide):
            return _memory_type(Wide)
        if handle is Wide:
            wide = {**elements, "sets": types.int64}
            return RecordType("SimulatorMemoryWide", PLACE, wide, asked, None, _memory_type(None), BY_ROWS, CELLS)
        return RecordType("SimulatorMemory", PLACE, elements, asked, cells=CELLS)

    @intrinsic
    def memory_at(typingctx, address):
        """The memory whose record lies at an address (`run_kinds.KNOWN`)."""
        from jumpnet.jit.records.record_types import tell_known

        handle = address.instance_class
        memory = _memory_type(handle)

        def codegen(context, builder, signature, args):
            tell_known(context, builder.module, memory, KNOWN[handle])
            return builder.extract_value(args[0], 0)

        return memory(address), codegen

    def forked(otherwise: int) -> Callable[..., Any]:
        """Compile a kernel for runs whose packets branch; in others a call is that number, and is not compiled."""

        def make(function: Any) -> Any:
            def chosen() -> Any:
                from jumpnet.jit.records.record_types import only_for

                return only_for(_memory_type(Forked), kernel(function).made, otherwise)

            return Later(marked(function, BRANCHING), chosen)

        return make

    def narrow(function: Any) -> Any:
        """Compile a kernel for runs whose sets have 32 bits; for others, which do not come to it, it is 0."""

        def chosen() -> Any:
            from jumpnet.jit.records.record_types import only_for

            return only_for(_memory_type(None), kernel(function).made, 0)

        return Later(function, chosen)


def _by_address(builder, function, *words):
    word = ir.IntType(64)
    return builder.call(builder.inttoptr(function, ir.FunctionType(word, [word] * len(words)).as_pointer()), words)


@instruction(_by_address)
def _call(function, a, b, c, d):
    """Call a function by its address."""
    return function(a, b, c, d)


@instruction(lambda builder, array, index: builder.ptrtoint(builder.gep(array, [index]), ir.IntType(64)))
def _place(array, index):
    """Address of an element; in plain Python the array from there on."""
    return array[index:]


@kernel
def ask_relation(m, r, p):
    """Candidates of packet p at router r, written to `query`."""
    here = r if m.subnets == 1 else r % m.subnet_routers
    return _call(m.relation, m.routing_view, here, _place(m.packet, p), _place(m.query, 0))


@kernel
def ask_start(m, p, draw, r):
    """Run the start hook for packet p; the queues that it reads are in `waiting`: one router's, or of r's block."""
    first = r // m.start_sees * m.start_sees * m.link_outputs if m.start_sees > 1 else 0
    _call(m.start, m.routing_view, _place(m.packet, p), draw, _place(m.waiting, first))


@kernel
def ask_destination(m, c, source, draw):
    """Destination terminal of a packet of class c, of a draw that is divided among those that it distinguishes."""
    row = c * at.CALL_FIELDS
    own, size = m.class_calls[row + 1], m.class_calls[row + 2]
    return _call(m.class_calls[row], own, size, source, below(draw, m.class_calls[row + 6]))


@kernel
def ask_process(m, c, i):
    """Creation cycle of the next packet of source i, of class c."""
    row = c * at.CALL_FIELDS
    own, size = m.class_calls[row + 4], m.class_calls[row + 5]
    return _call(m.class_calls[row + 3], own, size, _place(m.memory, i * MEMORY_WORDS), m.process_key[i])
