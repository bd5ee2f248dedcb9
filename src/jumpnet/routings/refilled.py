"""Tables of routings that go round faults, filled anew in a view whose links have been taken out, in compiled code.

Each with its options at their defaults. What is written is what the `prepare` of the routing makes of the network that
`fault.degraded` gives, by the same kernels. Called by the page (`explore.kernels`), in WebAssembly.
"""

from __future__ import annotations

from jumpnet.jit.decorator import open_i16, open_i32, open_i64
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings import _layers, _sssp, _tables
from jumpnet.routings._rdt.vectors import OWN_PORTS, OWN_RADIUS
from jumpnet.routings._refilled import fill_hops, first_linked, in_pieces, visit
from jumpnet.routings._refilled_nue import fill_nue
from jumpnet.routings._tables import FAR
from jumpnet.routings.rdt_fault_tolerant import fill_local
from jumpnet.routings.view import View

__all__ = [
    "LAYERS", "MOST_LAYERS", "ROUTED", "fill_dfsssp", "fill_fault_tolerant", "fill_lash", "fill_minimal",
    "fill_nue", "fill_up_down",
]  # fmt: skip

ROUTED = {
    "up_down": "fill_up_down",
    "lash": "fill_lash",
    "rdt.fault_tolerant": "fill_fault_tolerant",
    "minimal": "fill_minimal",
    "dfsssp": "fill_dfsssp",
    "nue": "fill_nue",
}
"""Routings whose tables are filled anew, and the entries that do it."""
LAYERS = 32
"""Layers that `lash` tries at most."""
SSSP_LAYERS = 16
"""Likewise `dfsssp`."""
MOST_LAYERS = {"lash": LAYERS, "dfsssp": SSSP_LAYERS}

legal = kernel(_tables._legal.py_func, allocates=True)
assign = kernel(_layers._assign.py_func, allocates=True)
balance = kernel(_sssp._balance.py_func, allocates=True)
break_all = kernel(_sssp._break_all.py_func, allocates=True)


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


@kernel(allocates=True)
def fill_ports(neighbor, hops, ports):
    """The first port on a shortest way to each destination, -1 there and without a way."""
    for d in range(hops.shape[0]):
        for r in range(hops.shape[0]):
            ports[d, r] = -1
            if hops[d, r] == FAR:
                continue
            for p in range(neighbor.shape[1] - 1, -1, -1):
                there = neighbor[r, p]
                if there >= 0 and hops[d, there] == hops[d, r] - 1:
                    ports[d, r] = p


@entry(allocates=True)
def fill_lash(view, ends, scratch):
    """Fill own and table of `lash` likewise; returns the layers, 0 for too many.

    Scratch: int32 numbers, 10 R + R P (7 + LAYERS (2 + P)) + 16, from an address that 8 divides.
    """
    rec = open_i64(view, 16)
    routers, ports = rec[7], rec[8]
    neighbor = open_i32(rec[0], (routers, ports))
    own, table = open_i64(rec[5], rec[11]), open_i16(rec[6], (rec[12], rec[13]))
    channels = routers * ports
    seen, fresh = open_i64(scratch, channels), open_i64(scratch + 8 * channels, (routers, 2))
    at = scratch + 8 * channels + 16 * routers
    stack, queue = open_i32(at, channels), open_i32(at + 4 * channels, routers)
    first, origin = (
        open_i32(at + 4 * (channels + routers), routers + 1),
        open_i32(at + 4 * (channels + 2 * routers + 1), channels),
    )
    at += 4 * (2 * channels + 2 * routers + 2)
    place, inverse = open_i32(at, (LAYERS, channels)), open_i32(at + 4 * LAYERS * channels, (LAYERS, channels))
    at += 8 * LAYERS * channels
    bits, bad = (
        open_i16(at, (LAYERS, channels, ports)),
        open_i16(at + 2 * LAYERS * channels * ports, (LAYERS, channels, ports)),
    )
    port, layer = table[:routers], table[routers:]
    fill_hops(neighbor, first, origin, queue, layer)
    fill_ports(neighbor, layer, port)
    seen[:] = -1
    bits[:], bad[:] = 0, 0
    for k in range(LAYERS):
        for c in range(channels):
            place[k, c] = c
            inverse[k, c] = c
    layers = assign(neighbor, port, open_i32(ends, routers), layer, bits, bad, place, inverse, seen, stack, fresh)
    own[0] = layers
    return layers


@entry(allocates=True)
def fill_dfsssp(view, ends, scratch):
    """Fill own and table of `dfsssp` likewise; returns the layers, 0 for too many.

    Scratch: int32 numbers, 13 R + R P (10 + 2 P) + 16, from an address that 8 divides.
    """
    rec = open_i64(view, 16)
    routers, ports = rec[7], rec[8]
    channels = routers * ports
    neighbor, has_ends = open_i32(rec[0], (routers, ports)), open_i32(ends, routers)
    own, table = open_i64(rec[5], rec[11]), open_i16(rec[6], (rec[12], rec[13]))
    port, layer = table[:routers], table[routers:]
    w, load = open_i64(scratch, 5 * routers), open_i64(scratch + 40 * routers, (routers, ports))
    at = scratch + 8 * (5 * routers + channels)
    place, stack = open_i64(at, channels), open_i64(at + 8 * channels, channels)
    at += 16 * channels
    count, more = open_i32(at, (channels, ports)), open_i32(at + 4 * channels * ports, (channels, ports))
    at += 8 * channels * ports
    first, origin = open_i32(at, routers + 1), open_i32(at + 4 * (routers + 1), channels)
    at += 4 * (routers + 1 + channels)
    queue, colour = open_i32(at, routers), open_i16(at + 4 * routers, channels)
    fill_hops(neighbor, first, origin, queue, layer)
    sends = w[:routers]
    for r in range(routers):
        sends[r] = int(has_ends[r] > 0)
    load[:], count[:], more[:] = 0, 0, 0
    cost, flow, order, starts = (
        w[routers : 2 * routers], w[2 * routers : 3 * routers], w[3 * routers : 4 * routers], w[4 * routers :],
    )  # fmt: skip
    balance(neighbor, layer, sends, port, load, cost, flow, order, starts)
    layers = break_all(neighbor, port, sends, layer, SSSP_LAYERS, count, more, colour, place, stack)
    own[0] = layers
    return layers


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
