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
join = kernel(_layers._join, allocates=True)
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


@kernel(allocates=True)
def open_layers(scratch, routers, ports, count):
    """Layers without dependencies at an address, and room for a path.

    Scratch: int32 numbers, 4 R + R P (3 + count (2 + P)) + 4, from an address that 8 divides.
    """
    channels = routers * ports
    seen, path = open_i64(scratch, channels), open_i64(scratch + 8 * channels, routers)
    at = scratch + 8 * (channels + routers)
    fresh, mark, added = open_i64(at, routers), open_i64(at + 8 * routers, 1), open_i64(at + 8 * routers + 8, 1)
    at += 8 * routers + 16
    stack = open_i32(at, channels)
    at += 4 * channels
    place, inverse = open_i32(at, (count, channels)), open_i32(at + 4 * count * channels, (count, channels))
    at += 8 * count * channels
    bits = open_i16(at, (count, channels, ports))
    bad = open_i16(at + 2 * count * channels * ports, (count, channels, ports))
    seen[:], mark[0] = 0, 0
    bits[:], bad[:] = 0, 0
    for k in range(count):
        for c in range(channels):
            place[k, c] = c
            inverse[k, c] = c
    return Layers(bits, bad, place, inverse, seen, stack, mark, fresh, added), path


@entry(allocates=True)
def fill_lash(view, ends, scratch):
    """Fill own and table of `lash` likewise; returns the layers, 0 for too many.

    Scratch: int32 numbers, 4 R + R P (3 + LAYERS (2 + P)) + 16, from an address that 8 divides.
    """
    rec = open_i64(view, 16)
    routers, ports = rec[7], rec[8]
    neighbor = open_i32(rec[0], (routers, ports))
    own, table = open_i64(rec[5], rec[11]), open_i16(rec[6], (rec[12], rec[13]))
    channels = routers * ports
    first, origin = open_i32(scratch, routers + 1), open_i32(scratch + 4 * (routers + 1), channels)
    queue = open_i32(scratch + 4 * (routers + 1 + channels), routers)
    port, layer = table[:routers], table[routers:]
    fill_hops(neighbor, first, origin, queue, layer)
    fill_ports(neighbor, layer, port)
    room, path = open_layers(scratch, routers, ports, LAYERS)
    layers = assign(neighbor, port, open_i32(ends, routers), layer, room, path)
    own[0] = layers
    return layers


@entry(allocates=True)
def fill_dfsssp(view, ends, scratch):
    """Fill own and table of `dfsssp` likewise; returns the layers, 0 for too many.

    Scratch: int32 numbers, 13 R + R P (10 + MOST_LAYERS (2 + P)) + 16, from an address that 8 divides.
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
    used = break_all(neighbor, port, sends, layer, MOST_LAYERS, count, more, Search(colour, place, stack))
    room, path = open_layers(scratch, routers, ports, MOST_LAYERS)  # what stood there is done with
    layers = join(neighbor, port, has_ends, layer, used, room, path)
    own[0] = layers
    return layers
