"""Kernel of deliveries: receivers of each message of a table of bit sets, by the closed form of a bit-map scheme.

Naive twin: `Encoding.message` of each set by itself, in tests/twin/machine/test_deliveries.py. Called by `traffic`.
"""

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.multicast.receivers import address_set, call_count

__all__ = ["receivers_of_bits"]


@entry(allocates=True)
def receivers_of_bits(count, tables, at, home, words, out):
    """Receivers of each message; 0 where the home is the only destination, -1 where no territory holds them all.

    at: (nodes,) router of each node. home: (M,) nodes. words: (M, W) uint64 bit sets of nodes. out: (M,) int64.
    """
    to, digits = np.empty(len(at), np.int64), np.empty(len(at), np.int64)
    side, n = tables.side, tables.n
    for m in range(len(home)):
        k = 0
        for node in range(len(at)):
            if words[m, node >> 6] >> np.uint64(node & 63) & np.uint64(1) and node != home[m]:
                to[k] = at[node]
                k += 1
        out[m] = 0
        if k:
            x, y = at[home[m]] % side, at[home[m]] // side
            top = address_set(tables, x, y, to, k, digits)
            out[m] = call_count(count, digits, k, top, tables.stride, 2 * n * n) if top >= 0 else -1
