"""Lists of lanes of 32 neighbouring routers: one number for a lane says its row, its router and its own number.

The stages of `router.lists` are loops over such lists, in the two halves of `flow`.
"""

from jumpnet.jit.linked import inlined
from jumpnet.sim.memory import layout as at

__all__ = ["entry", "number_of", "router_of", "row_of"]


@inlined
def entry(m, r, b):
    """Lane b of router r as it stands in the lists."""
    row = (r * m.lanes + b) * m.lane_stride
    return row << at.ROW_SHIFT | (r & 31) << at.ROUTER_SHIFT | b


@inlined
def row_of(lane):
    """Start of the row of a lane in a list."""
    return lane >> at.ROW_SHIFT


@inlined
def router_of(lane):
    """Router of a lane in a list, among the 32."""
    return lane >> at.ROUTER_SHIFT & 31


@inlined
def number_of(lane):
    """Number of a lane in a list, among those of its router."""
    return lane & at.LANE_NUMBER
