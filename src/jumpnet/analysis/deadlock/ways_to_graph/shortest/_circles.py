"""Kernel: four packets, each with two hops to go by the first ports, that wait for each other. Called by `circles`."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel

__all__ = ["circle_of_four"]


@kernel
def _waits(bits, row, bit):
    """Whether a packet that holds the channel of a row may wait for that of a bit."""
    return (bits[row, bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1) != 0


@kernel
def _two_hops_on(neighbor, far_port, r, room):
    """Lists in `room` the routers two hops from r, see `circle_of_four`; returns how many."""
    near, met, ports, found = room[0], room[1], neighbor.shape[1], 0
    near[r] = r
    for p in range(ports):
        if neighbor[r, p] >= 0:
            near[neighbor[r, p]] = r
    for p in range(ports):
        m = neighbor[r, p]
        if m < 0:
            continue
        for q in range(ports):
            x = neighbor[m, q]
            if x < 0 or near[x] == r:
                continue
            if met[x] != r:
                met[x] = r
                room[2, x], room[3, x], room[4, x], room[5, x] = p, q, far_port[m, q], p
                room[6, found] = x
                found += 1
            elif far_port[m, q] < room[4, x]:
                room[4, x], room[5, x] = far_port[m, q], p
    return found


@entry
def circle_of_four(neighbor, far_port, bits, vcs, start, stop, room, cycle):
    """Write into cycle (4, 2) the routers and ports of a cycle of four dependencies whose least router is one of
    start..stop-1; whether there is one.

    No two ports of a router lead to the same one, none to itself, and links lead both ways. bits: `Dependencies.bits`
    for `vcs`; room (7, R): work space, room[0] and room[1] at -1. Of the routers x two hops from r: room[2, x] the
    port of r by which packets go there, room[3, x] the next port; room[4, x] the port of x by which packets come back,
    room[5, x] the port of r that they come by; room[6] a list of them.
    """
    ports = neighbor.shape[1]
    for r in range(start, stop):
        for i in range(_two_hops_on(neighbor, far_port, r, room)):
            x = room[6, i]
            there, back, last = room[2, x], room[5, x], room[4, x]
            m, y = neighbor[r, there], neighbor[r, back]
            if x < r or m < r or y < r or m == y:
                continue
            home = far_port[r, back]
            waits_at_m = _waits(bits, (m * ports + room[3, x]) * vcs, last * vcs)
            if waits_at_m and _waits(bits, (y * ports + home) * vcs, there * vcs):
                cycle[0, 0], cycle[0, 1], cycle[1, 0], cycle[1, 1] = r, there, m, room[3, x]
                cycle[2, 0], cycle[2, 1], cycle[3, 0], cycle[3, 1] = x, last, y, home
                return True
    return False
