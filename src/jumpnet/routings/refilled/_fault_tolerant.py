"""The tables of `rdt.fault_tolerant` round faults, filled anew in a view whose links have been taken out."""

from __future__ import annotations

from jumpnet.jit.decorator import open_i16, open_i32, open_i64
from jumpnet.jit.linked import entry
from jumpnet.routings._rdt.vectors import OWN_PORTS, OWN_RADIUS
from jumpnet.routings.rdt.fault_tolerant import fill_local
from jumpnet.routings.view import View

__all__ = ["fill_fault_tolerant"]


@entry(allocates=True)
def fill_fault_tolerant(view, ends, scratch):
    """Fill own and table of `rdt.fault_tolerant` likewise; returns 1. Some link must be missing.

    Scratch: int32 numbers, R (3 + top rank) + the longer of R and the columns of the table, and twice those columns.
    """
    rec = open_i64(view, 16)
    routers, ports = rec[7], rec[8]
    at = (routers, ports)
    own, table, params = open_i64(rec[5], rec[11]), open_i16(rec[6], (rec[12], rec[13])), open_i64(rec[4], rec[10])
    neighbor, far, kinds, coord = (
        open_i32(rec[0], at),
        open_i32(rec[1], at),
        open_i32(rec[2], at),
        open_i32(rec[3], (routers, rec[9])),
    )
    own[OWN_PORTS] = 0
    net = View(neighbor, far, kinds, coord, params, own, table, rec[14], rec[15], view)
    radius, ranks = own[OWN_RADIUS], params[2] + 1
    area, longer = (2 * radius + 1) ** 2, max(routers, (2 * radius + 1) ** 2)
    w = open_i32(scratch, routers + longer + area)
    allowed = open_i32(scratch + 4 * (routers + longer + area), (ranks, routers))
    allowed[:] = 1
    table[:] = -1
    fill_local(net, radius, allowed, table, w[:routers], w[routers : routers + longer], w[routers + longer :])
    return 1
