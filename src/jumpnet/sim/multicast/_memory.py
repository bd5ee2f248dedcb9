"""One number for a multicast run: kernels take `m`, and `m.lane` is an array, `m.buffer` a size of the run.

The same device as the simulator's (`jumpnet._record` says why). Sizes that the switch allocation of the simulator reads
(`sim._switch_allocation`) have its names, so that its functions take this record too.
"""

from __future__ import annotations

from typing import Any

from jumpnet._jit import DISABLED, intrinsic, jit, types
from jumpnet._record import RecordMemory, RecordType

__all__ = ["Memory", "inlined", "kernel", "memory_at"]

SIZES = (
    "routers", "vcs", "lanes", "outlets", "link_inputs", "link_outputs", "inputs", "outputs", "buffer", "most_ways",
    "terminals", "endpoints", "spread", "ejection_ports", "rd", "va", "sa", "terminal_link", "credit", "reuse_empty",
    "cut_through", "entry_vcs", "allocator", "iterations", "selection", "speculation", "ranked", "ack_flits",
    "ack_delay", "entries", "part", "turn_row", "lane_words", "active_words", "place_fields", "event_rows",
    "relation", "start", "routing_view", "has_start", "start_draws",
)  # fmt: skip
"""`spread`: most sinks of a router; `part`: numbers in a part of `work`; `relation`, `start` and `routing_view`:
addresses of the routing's functions and of what they read; the rest as in `sim.state.Shape`."""
ARRAYS = (
    "lane", "way", "slot", "head", "outlet", "injector", "entry", "turn", "port_of", "work", "occupied", "active",
    "used", "endpoint", "sink", "sink_of", "sink_router", "place", "message", "packet", "tally", "note", "event",
    "counter", "query", "waiting", "packet_key",
)  # fmt: skip
"""Rows as in `_layout`; `occupied` (R, lane_words) lanes with flits, `active` routers with such lanes, `used` (R,)
combining entries in use, `sink_of` (T,) number of a terminal among the sinks of its router, `sink` (R, spread) the
terminals, -1 where there is none, `packet` (M, 8) routing header of each message; `sink_router`, `packet_key`, and
`query` and `waiting`, scratch of the routing, as in `sim.state.State`."""
PLACE = {name: k for k, name in enumerate((*SIZES, *ARRAYS))}


class Memory(RecordMemory):
    """Sizes and arrays of a multicast run."""

    program: Any = None
    """The routing, as `sim._memory.ask_relation` takes it in plain Python."""

    PLACE, ARRAYS = PLACE, ARRAYS

    def rows(self, name: str, fields: int) -> Any:
        """An array as a table."""
        return getattr(self, name).reshape(-1, fields)


if DISABLED:
    kernel: Any = jit
    inlined: Any = jit

    def memory_at(address: Any) -> Any:
        """The memory itself."""
        return address

else:
    MULTICAST = RecordType("MulticastMemory", PLACE, dict.fromkeys(ARRAYS, types.int64), {})

    @intrinsic
    def memory_at(typingctx, address):
        """The memory whose record lies at an address (int64)."""
        return MULTICAST(types.int64), lambda context, builder, signature, args: args[0]

    def kernel(function: Any) -> Any:
        """Compile a kernel; it allocates nothing."""
        return jit(function, _nrt=False)

    def inlined(function: Any) -> Any:
        """Compile a kernel into whatever calls it."""
        return jit(function, _nrt=False, forceinline=True)
