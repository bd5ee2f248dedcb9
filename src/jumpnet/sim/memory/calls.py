"""What a run calls that is no kernel: its routing, and the pattern and the process of each class of traffic.

`Program` has them as function pointers, with what they read. A kernel calls them by the addresses that its record has
(`ask_relation` and so on); in plain Python the record has the functions themselves. Used by `record` and `engine`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from jumpnet.jit.decorator import instruction, ir
from jumpnet.jit.linked import kernel
from jumpnet.jit.random import below
from jumpnet.routings import View
from jumpnet.routings.view import HEADER_FIELDS
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import CallsRow
from jumpnet.sim.memory.rows import calls_of
from jumpnet.terms import I64
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = [
    "Calls", "Program", "addresses", "ask_destination", "ask_process", "ask_relation", "ask_start", "plain_calls",
]  # fmt: skip


class Calls(NamedTuple):
    """What a class of traffic calls: its pattern and its process as function pointers, and what they read."""

    destination: Any
    pattern_own: I64
    process: Any
    process_own: I64
    draws: int
    """Draws by which destinations are distinguished."""
    until: int = at.NO_STEP
    """Cycle from which on the process goes on with another load."""


class Program(NamedTuple):
    """What a run calls: the routing as function pointers, with what they read, and each class of traffic.

    After the classes come those further loads that the first one has, in the order of their cycles.
    """

    relation: Any
    start: Any
    view: View
    classes: tuple[Calls, ...]


def addresses(program: Program) -> dict[str, Any]:
    """Addresses and sizes by which compiled code calls: of the routing, and a row for each class of traffic."""
    rows = [
        CallsRow(
            *(c.destination.address, c.pattern_own.ctypes.data, c.pattern_own.size),
            *(c.process.address, c.process_own.ctypes.data, c.process_own.size),
            *(c.draws, c.until),
        )
        for c in program.classes
    ]
    routing = {"relation": program.relation, "start": program.start, "routing_view": program.view}
    return {**{name: thing.address for name, thing in routing.items()}, "class_calls": np.array(rows, np.int64)}


def plain_calls(program: Program) -> dict[str, Any]:
    """The same for plain Python: functions and arrays themselves, where compiled code has numbers."""
    relation, start = program.relation, program.start

    def destination_of(c: Calls) -> Callable[..., int]:
        return lambda own, size, source, draw: c.destination(own, source, draw)

    def process_of(c: Calls) -> Callable[..., int]:
        return lambda own, size, memory, key: c.process(own, memory[:MEMORY_WORDS], key)

    rows = [
        (destination_of(c), c.pattern_own, 0, process_of(c), c.process_own, 0, c.draws, c.until)
        for c in program.classes
    ]
    return {
        "relation": lambda view, here, head, out: relation(view, here, head[:HEADER_FIELDS], out.reshape(-1, 4)),
        "start": lambda view, head, draw, queue: start(view, head[:HEADER_FIELDS], draw, queue),
        "routing_view": program.view,
        "class_calls": [value for row in rows for value in row],
    }


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
    of = calls_of(m, c)
    return _call(of.destination, of.pattern_own, of.pattern_size, source, below(draw, of.draws))


@kernel
def ask_process(m, row, i):
    """Creation cycle of the next packet of source i, by the process and the load of a row."""
    of, memory = calls_of(m, row), _place(m.process_memory, i * MEMORY_WORDS)
    return _call(of.process, of.process_own, of.process_size, memory, m.process_key[i])
