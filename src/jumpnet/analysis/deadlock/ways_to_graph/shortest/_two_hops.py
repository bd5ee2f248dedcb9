"""Kernels: ways of two hops from a router to routers two hops away, and whether all routers have ways to each other.

Called by `two_hops`; the twins are the walk over the routing's table, and `graph` with its sets of destinations.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry

__all__ = ["farthest", "wait_two_hops"]

ONE = np.uint64(1)


@entry
def wait_two_hops(neighbor, first, every, start, stop, mark, rows):
    """Set bit q of rows[(r - start) * P + p], for r from start to stop - 1, where a packet of r to the router two hops
    ahead, by port p and then port q of the next router, may take these.

    neighbor (R, P); first (R, P) uint8: 1 where no earlier port leads to the same router, 0 where none or itself;
    every: whether all ports on a shortest way are taken, or the first alone; mark (R,): work space, at least -1.
    """
    routers, ports = neighbor.shape
    for r in range(start, stop):
        mark[r], left = r, routers - 1
        for p in range(ports):
            if neighbor[r, p] >= 0:
                mark[neighbor[r, p]] = r
            if first[r, p] != 0:
                left -= 1
        for p in range(ports):
            m = neighbor[r, p]
            if left == 0:  # no router is two hops away that has no way yet
                break
            if m < 0 or m == r or (not every and first[r, p] == 0):
                continue
            row = (r - start) * ports + p
            for q in range(ports):
                x = neighbor[m, q]
                if x < 0 or mark[x] == r:
                    continue
                if not every:  # an earlier port leads there, or the next router's
                    mark[x] = r
                    left -= 1
                rows[row, q >> 6] |= ONE << np.uint64(q & 63)


@entry
def farthest(first, comes, hops, queue):
    """Hops from router 0 to the farthest one, -1 where some cannot be come to.

    first (R + 1,), comes (E,): hops from router r lead to comes[first[r]:first[r + 1]]; hops, queue (R,): work space,
    hops at -1.
    """
    queue[0], hops[0], end, done = 0, 0, 1, 0
    while done < end:
        n = queue[done]
        done += 1
        for e in range(first[n], first[n + 1]):
            m = comes[e]
            if hops[m] < 0:
                hops[m] = hops[n] + 1
                queue[end] = m
                end += 1
    return hops[queue[end - 1]] if end == hops.size else -1
