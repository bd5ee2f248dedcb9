"""The tables of `nue` round faults, filled anew in a view whose links have been taken out.

What is written is what `nue_tables` makes of the network that `fault.degraded` gives, by the same kernels.
"""

from __future__ import annotations

from jumpnet.jit.decorator import open_i16, open_i32, open_i64
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings import _nue
from jumpnet.routings._layers import Graph
from jumpnet.routings._nue import Ways
from jumpnet.routings._offers import Offers
from jumpnet.routings._routing import MOST_VCS
from jumpnet.routings.refilled._parts import fill_hops, first_linked, in_pieces, visit

__all__ = ["fill_nue"]

route_all = kernel(_nue._route, allocates=True)


@kernel(allocates=True)
def list_members(ends, order, by_order, members):
    """The routers with terminals in the order of a visit; returns how many."""
    for r in range(ends.size):
        if order[r] >= 0:
            by_order[order[r]] = r
    found = 0
    for place in range(ends.size):
        r = by_order[place]
        if r >= 0 and ends[r] > 0:
            members[found] = r
            found += 1
    return found


@kernel(allocates=True)
def part_of(count, layers, k):
    """Where part k of `count` members begins, when they are dealt out evenly, the first parts one longer."""
    return k * (count // layers) + min(k, count % layers)


@kernel(allocates=True)
def nearest_to(hops, members, first, last):
    """The first of the members with the fewest hops to those from `first` to before `last`."""
    best, least = members[0], -1
    for m in members:
        total = 0
        for i in range(first, last):
            total += hops[members[i], m]
        if least < 0 or total < least:
            best, least = m, total
    return best


@kernel(allocates=True)
def find_up(neighbor, root, order, up):
    """The port of each router toward the root in the tree of a visit, -1 there and outside."""
    for r in range(up.size):
        up[r] = -1
        if order[r] < 0 or r == root:
            continue
        for p in range(neighbor.shape[1]):
            s = neighbor[r, p]
            if s >= 0 and (up[r] < 0 or order[s] < order[neighbor[r, up[r]]]):
                up[r] = p


@kernel(allocates=True)
def clear_graph(graph):
    """No dependencies."""
    graph.bits[:], graph.seen[:], graph.mark[0], graph.added[0] = 0, 0, 0, 0
    for c in range(graph.place.size):
        graph.place[c] = c
        graph.at[c] = c


@kernel(allocates=True)
def open_graph(address, routers, ports):
    """A graph without dependencies at an address: C + 4 R + 2 P + 4 int64 numbers, 3 C int32 and C P int16."""
    channels, rows = routers * ports, 4 * routers + 2 * ports + 2
    at = address + 8 * (channels + rows + 2)
    graph = Graph(
        open_i16(at + 12 * channels, (channels, ports)),
        open_i32(at, channels),
        open_i32(at + 4 * channels, channels),
        open_i64(address, channels),
        open_i32(at + 8 * channels, channels),
        open_i64(address + 8 * channels, 1),
        open_i64(address + 8 * (channels + 2), rows),
        open_i64(address + 8 * (channels + 1), 1),
    )
    clear_graph(graph)
    return graph


@entry(allocates=True)
def fill_nue(view, ends, scratch):
    """Fill own and table of `nue` by the links that the view has; returns 1, or 0 for a network in pieces.

    Addresses: of the view; ends (R,) int32, terminals of each router; scratch, int32 numbers from an address that 8
    divides: R P (14 + P) + 22 R + 4 P + 200.
    """
    rec = open_i64(view, 16)
    routers, ports, layers = rec[7], rec[8], rec[14]
    channels = routers * ports
    neighbor, far_port = open_i32(rec[0], (routers, ports)), open_i32(rec[1], (routers, ports))
    layer, table, has_ends = open_i64(rec[5], rec[11]), open_i16(rec[6], (rec[12], rec[13])), open_i32(ends, routers)
    w = open_i64(scratch, 6 * routers + MOST_VCS)
    order, by_order, members = w[:routers], w[routers : 2 * routers], w[2 * routers : 3 * routers]
    up, way, cost = w[3 * routers : 4 * routers], w[4 * routers : 5 * routers], w[5 * routers : 6 * routers]
    roots, at = w[6 * routers :], scratch + 8 * (6 * routers + MOST_VCS)
    load = open_i64(at, (routers, ports))
    ways = Ways(way, cost, Offers(open_i64(at + 8 * channels, (channels, 3)), open_i64(at + 32 * channels, 1)))
    at += 32 * channels + 8
    first, origin = open_i32(at, routers + 2), open_i32(at + 4 * (routers + 2), channels)
    queue = open_i32(at + 4 * (routers + 2 + channels), routers)
    at += 4 * (2 * routers + 2 + channels + channels % 2)
    fill_hops(neighbor, first[: routers + 1], origin, queue, table)
    root = first_linked(neighbor)
    if in_pieces(has_ends, table, root):
        return 0
    order[:], by_order[:] = -1, -1
    visit(neighbor, root, queue, order)
    count = list_members(has_ends, order, by_order, members)
    for k in range(layers):
        roots[k] = nearest_to(table, members[:count], part_of(count, layers, k), part_of(count, layers, k + 1))
    table[:], layer[:], load[:] = -1, 0, 0
    for k in range(layers):
        part = members[part_of(count, layers, k) : part_of(count, layers, k + 1)]
        for d in part:
            layer[d] = k
        if part.size > 0:
            order[:] = -1
            visit(neighbor, roots[k], queue, order)
            find_up(neighbor, roots[k], order, up)
            graph = open_graph(at, routers, ports)
            route_all(neighbor, far_port, has_ends, part, up, graph, load, table, ways)
    return 1
