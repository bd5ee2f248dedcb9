"""Kernel of the orbits: which things pairs join, in one call that lets other threads run (SciPy's does not)."""

from __future__ import annotations

from jumpnet.jit.linked import entry

__all__ = ["join"]


@entry
def join(first, second, of):
    """Join `first[k]` and `second[k]`, for all k, in `of` (n,) int64, where each is joined to a lower one, or itself.

    In the end `of` is the lowest of each part. Cost: O(n + k), nearly.
    """
    for k in range(first.size):
        a, b = first[k], second[k]
        while of[a] != a:
            of[a] = of[of[a]]
            a = of[a]
        while of[b] != b:
            of[b] = of[of[b]]
            b = of[b]
        if a < b:
            of[b] = a
        else:
            of[a] = b
    for a in range(of.size):
        of[a] = of[of[a]]
