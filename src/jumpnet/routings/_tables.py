"""Kernels that fill routing tables of any network: distances to every destination, and the legal ones of up*/down*.

Called by `minimal`, `up_down` and `lash`; the twins in `tests/twin/routings/test_routing_tables.py` use NetworkX.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import entry
from jumpnet.networks import Network
from jumpnet.terms import I16, I32, I64, Array

__all__ = [
    "FAR", "LONG_FAR", "distances", "first_linked", "long_distances", "must_be_connected", "refuse_table",
    "tree_ports", "up_down_distances", "visit_order",
]  # fmt: skip

FAR = 2**15 - 1
"""Table entry of a router from which the destination cannot be reached."""
LONG_FAR = 2**16 - 1
"""The same in a table without signs."""
TABLE_LIMIT_BYTES = 4 << 30


def needs_too_much(net: Network, tables: int) -> bool:
    """Whether `tables` tables of one 16-bit word for each pair of routers would not fit."""
    return 2 * tables * net.routers * net.routers > TABLE_LIMIT_BYTES


def refuse_table(net: Network, name: str, tables: int, besides: str = "") -> None:
    """Raise JumpnetError when `tables` tables of one 16-bit word for each pair of routers would not fit.

    `besides`: what else stands against it.
    """
    if needs_too_much(net, tables):
        needed = 2 * tables * net.routers * net.routers
        raise JumpnetError(
            f"routing {name} on {net.spec} needs tables of {needed / 2**30:.1f} GiB, "
            f"at most {TABLE_LIMIT_BYTES >> 30} GiB expected{besides}"
        )


@entry
def _arrivals(neighbor, first, fill, origin):
    """List the routers with a channel into each router: origin[first[r]:first[r + 1]]; fill (R,) is work space."""
    routers, ports = neighbor.shape
    for r in range(routers):
        for p in range(ports):
            if neighbor[r, p] >= 0:
                first[neighbor[r, p] + 1] += 1
    for r in range(routers):
        first[r + 1] += first[r]
        fill[r] = first[r]
    for r in range(routers):
        for p in range(ports):
            s = neighbor[r, p]
            if s >= 0:
                origin[fill[s]] = r
                fill[s] += 1


@entry
def _distances(first, origin, far, queue, table):
    """table[d, r] = hops from r to d, far where there is no way; breadth-first backwards from every d.

    queue (R,) is work space. Returns -1, or the first d that a router is so many hops from that they would read as no
    way.
    """
    for d in range(table.shape[0]):
        table[d] = far
        table[d, d] = 0
        queue[0] = d
        end, done = 1, 0
        while done < end:
            r = queue[done]
            done += 1
            for e in range(first[r], first[r + 1]):
                s = origin[e]
                if table[d, s] == far:
                    if table[d, r] == far - 1:
                        return d
                    table[d, s] = table[d, r] + 1
                    queue[end] = s
                    end += 1
    return -1


def distances(net: Network) -> I16:
    """(R, R) hops to each destination (row) from each router (column). Cost O(R * channels) time, 2 R^2 bytes.

    Raises JumpnetError where some are more than FAR - 1 hops apart.

    >>> from jumpnet.topology import build
    >>> distances(build("torus:4"))[0].tolist()
    [0, 1, 2, 1]
    """
    table = np.zeros((net.routers, net.routers), np.int16)
    far_from = _filled(net, FAR, table)
    if far_from >= 0:
        raise JumpnetError(
            f"{net.spec}: {FAR} hops or more to router {far_from} found, less expected by routing tables"
        )
    return table


def long_distances(net: Network) -> I16:
    """(R, R) the same, as numbers of 16 bits without sign, which hold whatever `refuse_table` lets pass: read them by
    `& LONG_FAR`. LONG_FAR where there is no way.
    """
    table = np.zeros((net.routers, net.routers), np.uint16)
    _filled(net, LONG_FAR, table)
    return table.view(np.int16)


def _filled(net: Network, far: int, table: Array) -> int:
    first = np.zeros(net.routers + 1, np.int64)
    origin = np.zeros(net.channels, np.int32)
    _arrivals(net.neighbor, first, np.zeros(net.routers, np.int64), origin)
    return int(_distances(first, origin, far, np.zeros(net.routers, np.int32), table))


def must_be_connected(net: Network) -> str | None:
    """Why a routing for two-way connected networks does not fit, or None; routers out of service do not count."""
    if net.directed:
        return "it needs two-way links"
    ends = (net.terminals > 0) | (net.sinks > 0)
    first = first_linked(net)
    if (missed := ends & (visit_order(net, first) < 0)).any():
        return f"it needs a connected network, and router {missed.argmax()} has no way from router {first}"
    return None


def first_linked(net: Network) -> int:
    """The first router with a link: 0 unless that one is out of service."""
    return int((net.neighbor >= 0).any(axis=1).argmax())


@entry
def _visit(neighbor, root, queue, order):
    """order (R,), -1 before, gets the place of each router in a breadth-first visit from the root; queue (R,) is work
    space."""
    queue[0] = root
    order[root] = 0
    end, done = 1, 0
    while done < end:
        r = queue[done]
        done += 1
        for p in range(neighbor.shape[1]):
            s = neighbor[r, p]
            if s >= 0 and order[s] < 0:
                order[s] = end
                queue[end] = s
                end += 1


def visit_order(net: Network, root: int) -> I64:
    """(R,) place of each router in a breadth-first visit from the root; -1 where it cannot be reached."""
    order = np.full(net.routers, -1, np.int64)
    _visit(net.neighbor, root, np.zeros(net.routers, np.int32), order)
    return order


def tree_ports(net: Network, root: int) -> I64:
    """(R,) the port toward the root in the tree of a breadth-first visit of a two-way network; -1 there and outside."""
    order = visit_order(net, root)
    if net.ports == 0:
        return np.full(net.routers, -1)
    earlier = np.where(net.neighbor >= 0, order[net.neighbor], net.routers)
    ports = earlier.argmin(axis=1)
    return np.where((order >= 0) & (np.arange(net.routers) != root), ports, -1)


@entry
def _legal(first, up, by_order, queue, table):
    """table[d, r] = hops of the shortest legal way from r to d; table[R + d, r] when only down hops are left.

    up[first[r]:first[r + 1]] are the neighbors of r that are visited before it; queue (R,) is work space.
    """
    routers = by_order.size
    for d in range(routers):
        down, free = table[routers + d], table[d]
        down[:] = FAR
        down[d] = 0
        queue[0] = d
        end, done = 1, 0
        while done < end:
            r = queue[done]
            done += 1
            for e in range(first[r], first[r + 1]):
                if down[up[e]] == FAR:
                    down[up[e]] = down[r] + 1
                    queue[end] = up[e]
                    end += 1
        for i in range(routers):
            r = by_order[i]
            best = int(down[r])
            for e in range(first[r], first[r + 1]):
                best = min(best, int(free[up[e]]) + 1)
            free[r] = best


def up_down_distances(net: Network, order: I64) -> I16:
    """(2R, R) hops of the shortest way of up hops (to an earlier place in `order`) followed by down hops.

    Row d: to destination d from each router; row R + d: when the packet has already gone down. Raises JumpnetError
    for so many routers that some hops may not fit.
    """
    if net.routers > FAR:
        raise JumpnetError(f"{net.spec}: {net.routers} routers found, at most {FAR} expected by tables of up*/down*")
    table = np.zeros((2 * net.routers, net.routers), np.int16)
    by_order: I32 = np.argsort(order).astype(np.int32)
    is_up = (net.neighbor >= 0) & (order[net.neighbor] < order[:, None])
    first = np.concatenate([[0], np.cumsum(is_up.sum(axis=1))])
    _legal(first, net.neighbor[is_up], by_order, np.zeros(net.routers, np.int32), table)
    return table
