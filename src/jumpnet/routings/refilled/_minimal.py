"""The table of `minimal` round faults, filled anew in a view whose links have been taken out."""

from __future__ import annotations

from jumpnet.jit.decorator import open_i16, open_i32, open_i64
from jumpnet.jit.linked import entry
from jumpnet.routings._tables import FAR
from jumpnet.routings.refilled._parts import fill_hops

__all__ = ["fill_minimal"]


@entry(allocates=True)
def fill_minimal(view, ends, scratch):
    """Fill the table of `minimal` likewise; returns 1. Scratch: as for `up_down`."""
    rec = open_i64(view, 16)
    routers, ports = rec[7], rec[8]
    w = open_i32(scratch, 2 * routers + 1 + routers * ports)
    table = open_i16(rec[6], (rec[12], rec[13]))
    first, queue, origin = w[: routers + 1], w[routers + 1 : 2 * routers + 1], w[2 * routers + 1 :]
    fill_hops(open_i32(rec[0], (routers, ports)), first, origin, queue, table)
    for d in range(routers):
        for r in range(routers):
            if table[d, r] == FAR:
                table[d, r] = -1  # which reads as LONG_FAR
    return 1
