"""The tables of `up_down` round faults, filled anew in a view whose links have been taken out."""

from __future__ import annotations

from jumpnet.jit.decorator import open_i16, open_i32, open_i64
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings import _tables
from jumpnet.routings._tables import FAR
from jumpnet.routings.refilled._parts import fill_hops, first_linked, in_pieces, visit

__all__ = ["fill_up_down"]

legal = kernel(_tables._legal, allocates=True)


@kernel(allocates=True)
def center_of(hops, root):
    """The first router of least eccentricity among those that reach the root."""
    best, least = root, FAR + 1
    for r in range(hops.shape[0]):
        farthest = 0
        for d in range(hops.shape[0]):
            if hops[d, root] < FAR:
                farthest = max(farthest, int(hops[d, r]))
        if farthest < least:
            best, least = r, farthest
    return best


@kernel(allocates=True)
def list_up(neighbor, order, first, up):
    """The neighbors of r that are visited before it: up[first[r]:first[r + 1]]."""
    found = 0
    for r in range(neighbor.shape[0]):
        first[r] = found
        for p in range(neighbor.shape[1]):
            s = neighbor[r, p]
            if s >= 0 and order[s] < order[r]:
                up[found] = s
                found += 1
    first[neighbor.shape[0]] = found


@entry(allocates=True)
def fill_up_down(view, ends, scratch):
    """Fill own and table of `up_down` by the links that the view has; returns 1, or 0 for a network in pieces.

    Addresses: of the view; ends (R,) int32, terminals of each router; scratch, 4 R + R P + 1 int32 numbers.
    """
    rec = open_i64(view, 16)
    routers, ports = rec[7], rec[8]
    neighbor = open_i32(rec[0], (routers, ports))
    own, table = open_i64(rec[5], rec[11]), open_i16(rec[6], (rec[12], rec[13]))
    w, edges = open_i32(scratch, 4 * routers + routers * ports + 1), routers * ports
    first, origin = w[: routers + 1], w[routers + 1 : routers + 1 + edges]
    queue, by_order = w[routers + 1 + edges : 2 * routers + 1 + edges], w[2 * routers + 1 + edges :]
    hops, order = table[:routers], own[1 : 1 + routers]
    fill_hops(neighbor, first, origin, queue, hops)
    root = first_linked(neighbor)
    if in_pieces(open_i32(ends, routers), hops, root):
        return 0
    root = center_of(hops, root)
    order[:] = -1
    visit(neighbor, root, queue, order)
    alone = 0
    for r in range(routers):
        if order[r] < 0:
            by_order[alone] = r
            alone += 1
    for place in range(routers - alone):
        by_order[alone + place] = queue[place]
    list_up(neighbor, order, first, origin)
    legal(first, origin, by_order[:routers], queue, table)
    return 1
