"""Breadth-first search from one source: over a neighbor table, or over a neighbor function for implicit networks.

Both leave the routers in the order they were reached and the number reached at each distance, from which every
distance figure follows; visited routers are bits, so that 50 million routers take 6 MB beside the order. Naive twin:
`tests/naive/distances.py`. Only `distances.py` calls them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED, address_of, jit, open_i64
from jumpnet.jit.linked import entry, kernel, pointer
from jumpnet.networks import Implicit
from jumpnet.terms import I64

__all__ = ["call_neighbors", "compile_neighbors", "record_of", "search_implicit", "search_table", "tabulate"]

if DISABLED:

    def compile_neighbors(neighbors: Callable[..., int]) -> Any:
        """The neighbor function itself."""
        return neighbors

    def record_of(implicit: Implicit) -> I64:
        """What compiled searches hand to the neighbor function: here the parameters themselves."""
        return implicit.params

    def call_neighbors(neighbors: Any, record: I64, router: int, out: I64) -> int:
        """Write the neighbors of a router to `out`; their number."""
        return neighbors(record, router, out)

else:
    NEIGHBORS = "int64(int64, int64, int64)"

    @cache
    def compile_neighbors(neighbors: Callable[..., int]) -> Any:
        """The neighbor function as a C function pointer: searches are compiled once for all families."""
        compiled = kernel(neighbors, inline=True, allocates=True)

        def enter(address, router, out):
            """The neighbor function by addresses."""
            record = open_i64(address, 3)
            return compiled(open_i64(record[0], record[1]), router, open_i64(out, record[2]))

        return pointer(NEIGHBORS, enter, neighbors)

    def record_of(implicit: Implicit) -> I64:
        """What compiled searches hand to the neighbor function: address and length of params, ports, routers, fault.

        The caller keeps `implicit.params` alive. The last two are for a user's own function (`_own_neighbors`).
        """
        params = implicit.params
        return np.array([params.ctypes.data, params.size, implicit.ports, implicit.routers, 0], np.int64)

    @jit(inline="always")
    def call_neighbors(neighbors, record, router, out):
        """Write the neighbors of a router to `out`; their number."""
        return neighbors(address_of(record), router, address_of(out))


@entry
def search_table(neighbor, source, visited, order, counts):
    """Search along the channels of a neighbor table (R, P), -1 where there is no link. Returns the number of levels.

    visited (R/8 + 1,) uint8 and counts (R,) int64 are zero before; order (R,) int32. Filled: order, the routers as
    they were reached; counts, how many at each distance.
    """
    visited[source >> 3] |= np.uint8(1 << (source & 7))
    order[0] = source
    begin, end, level = 0, 1, 0
    while begin < end:
        counts[level] = end - begin
        level += 1
        last = end
        for i in range(begin, last):
            r = order[i]
            for p in range(neighbor.shape[1]):
                s = neighbor[r, p]
                if s >= 0 and not (visited[s >> 3] >> (s & 7)) & 1:
                    visited[s >> 3] |= np.uint8(1 << (s & 7))
                    order[end] = s
                    end += 1
        begin = last
    return level


@entry
def search_implicit(neighbors, record, source, visited, order, counts, out):
    """As `search_table`, with the neighbors by a function; out (P,) int64 is its work space."""
    visited[source >> 3] |= np.uint8(1 << (source & 7))
    order[0] = source
    begin, end, level = 0, 1, 0
    while begin < end:
        counts[level] = end - begin
        level += 1
        last = end
        for i in range(begin, last):
            for k in range(call_neighbors(neighbors, record, order[i], out)):
                s = out[k]
                if not (visited[s >> 3] >> (s & 7)) & 1:
                    visited[s >> 3] |= np.uint8(1 << (s & 7))
                    order[end] = s
                    end += 1
        begin = last
    return level


@entry
def tabulate(neighbors, record, routers, table, out):
    """Fill table (routers, P) int32 with the neighbors of routers `routers`, each once and none itself, then -1."""
    for i in range(routers.size):
        used = 0
        for k in range(call_neighbors(neighbors, record, routers[i], out)):
            new = out[k] != routers[i]
            for j in range(used):
                if table[i, j] == out[k]:
                    new = False
            if new:
                table[i, used] = out[k]
                used += 1
        for j in range(used, table.shape[1]):
            table[i, j] = -1
