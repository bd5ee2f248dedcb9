"""What a run would take of the memory, counted before anything is allocated; used by `allocate` and by studies."""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.packing import most_set_bytes
from jumpnet.sim.memory.shape import Shape, packet_bytes, pool_rows, turn_row, want_words
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = ["estimate_bytes"]


def estimate_bytes(shape: Shape) -> int:
    """Memory of a run in bytes."""
    lanes = shape.routers * shape.lanes + shape.routers * (shape.outputs - shape.link_outputs) * shape.vcs
    words = lanes * (4 * shape.lane_stride + 4 * shape.buffer)
    words += shape.routers * shape.out_vcs * at.OUT_VC_FIELDS * 4
    words += shape.routers * shape.lanes * 8 * want_words(shape)
    words += shape.routers * (4 * shape.cells + 8 * shape.out_vc_words + 2 * turn_row(shape))
    words += pool_rows(shape) * packet_bytes(shape)
    sources = shape.terminals + shape.units
    words += sources * 8 * (at.TERMINAL_FIELDS + MEMORY_WORDS + 16 + shape.queue_limit)
    words += sources * shape.injection_ports * 8 * (1 + shape.vcs + shape.classes * at.INJECTOR_FIELDS)
    return words + most_set_bytes(shape) + 4 * 2**20
