"""Kernels of the bisection: every halving of a small network. Naive twin: `tests/twin/graph/test_bisection.py`."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry

__all__ = ["least_cut"]


@entry(allocates=True)
def least_cut(links, weight, allowed, best_of):
    """Fewest links between router sets whose weights differ by at most `allowed`; the set's mask goes to best_of[0].

    links: (n, n) int64 symmetric, n <= 30. weight: (n,) int64. Sets are walked in Gray-code order, one router changing
    sides at a time, router n-1 fixed: O(n 2^(n-1)).
    """
    n = links.shape[0]
    side = np.zeros(n, np.int64)
    total = 0
    for i in range(n):
        total += weight[i]
    cut, here = 0, 0
    best = -1
    mask = 0
    for step in range(1 << (n - 1)):
        if step:
            bit = 0
            while not (step >> bit) & 1:
                bit += 1
            change = 0
            for j in range(n):
                if j != bit:
                    change += links[bit, j] if side[j] == side[bit] else -links[bit, j]
            cut += change
            side[bit] ^= 1
            mask ^= 1 << bit
            here += weight[bit] if side[bit] else -weight[bit]
        if abs(total - 2 * here) <= allowed and (best < 0 or cut < best):
            best = cut
            best_of[0] = mask
    return best
