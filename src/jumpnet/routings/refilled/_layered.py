"""The tables of `lash` and `dfsssp` round faults, filled anew in a view whose links have been taken out."""

from __future__ import annotations

from jumpnet.jit.decorator import open_i16, open_i32, open_i64
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings import _layers, _sssp
from jumpnet.routings._layers import MOST_FIRST_FIT_LAYERS as LAYERS
from jumpnet.routings._layers import MOST_LAYERS, Layers
from jumpnet.routings._sssp import Search
from jumpnet.routings._tables import FAR
from jumpnet.routings.refilled._parts import fill_hops

__all__ = ["fill_dfsssp", "fill_lash"]

assign = kernel(_layers._assign, allocates=True)
balance = kernel(_sssp._balance, allocates=True)
break_all = kernel(_sssp._break_all, allocates=True)


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
    seen, path, fresh = (
        open_i64(scratch, channels),
        open_i64(scratch + 8 * channels, routers),
        open_i64(scratch + 8 * (channels + routers), routers),
    )
    at = scratch + 8 * (channels + 2 * routers)
    mark, added = open_i64(at, 1), open_i64(at + 8, 1)
    at += 16
    stack, queue = open_i32(at, channels), open_i32(at + 4 * channels, routers)
    first, origin = (
        open_i32(at + 4 * (channels + routers), routers + 1),
        open_i32(at + 4 * (channels + 2 * routers + 1), channels),
    )
    at += 4 * (2 * channels + 2 * routers + 2)
    place, inverse = (
        open_i32(at, (LAYERS, channels)),
        open_i32(at + 4 * LAYERS * channels, (LAYERS, channels)),
    )
    at += 8 * LAYERS * channels
    bits, bad = (
        open_i16(at, (LAYERS, channels, ports)),
        open_i16(at + 2 * LAYERS * channels * ports, (LAYERS, channels, ports)),
    )
    port, layer = table[:routers], table[routers:]
    fill_hops(neighbor, first, origin, queue, layer)
    fill_ports(neighbor, layer, port)
    seen[:], mark[0] = 0, 0
    bits[:], bad[:] = 0, 0
    for k in range(LAYERS):
        for c in range(channels):
            place[k, c] = c
            inverse[k, c] = c
    room = Layers(bits, bad, place, inverse, seen, stack, mark, fresh, added)
    layers = assign(neighbor, port, open_i32(ends, routers), layer, room, path)
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
    layers = break_all(neighbor, port, sends, layer, MOST_LAYERS, count, more, Search(colour, place, stack))
    own[0] = layers
    return layers
