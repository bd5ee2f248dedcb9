"""Kernel of layered routing: put each path into the first layer whose dependency graph it leaves acyclic.

Source: Skeie, Lysne and Theiss 2002 (LASH). Each layer keeps an order of its channels in which every dependency
ascends; a new dependency against the order searches what lies between and moves it, or finds a cycle
(Marchetti-Spaccamela et al. 1996). Called by `lash`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I16, I32, Array

__all__ = ["MOST_FIRST_FIT_LAYERS", "MOST_LAYERS", "assign_layers", "reorder"]

MOST_LAYERS = 16
"""Layers that are tried at most."""
MOST_FIRST_FIT_LAYERS = 32
"""Likewise by `lash`, which finds out in a second at 1024 routers; random 3-regular ones need 24."""


@kernel
def reorder(neighbor, bits, place, at, x, y, seen, stack, mark):
    """Make place[x] < place[y] for a new dependency x -> y; False when y already leads to x.

    place (C,) is the order of the channels, at (C,) its inverse; seen (C,) holds marks of earlier searches.
    """
    ports = neighbor.shape[1]
    low, high = place[y], place[x]
    stack[0] = y
    seen[y] = mark
    top = 1
    while top > 0:
        top -= 1
        c = stack[top]
        r = neighbor[c // ports, c % ports]
        for p in range(ports):
            if bits[c, p]:
                m = r * ports + p
                if m == x:
                    return False
                if place[m] < high and seen[m] != mark:
                    seen[m] = mark
                    stack[top] = m
                    top += 1
    moved = 0
    to = low
    for i in range(low, high + 1):
        c = at[i]
        if seen[c] == mark:
            stack[moved] = c
            moved += 1
        else:
            at[to] = c
            place[c] = to
            to += 1
    for i in range(moved):
        at[to] = stack[i]
        place[stack[i]] = to
        to += 1
    return True


def assign_layers(neighbor: I32, next_port: I16, ends: Array, layer: I16, limit: int) -> int:
    """layer[d, s] for the path from s to d by next_port[d, router]; returns the number of layers, 0 if above `limit`.

    layer[d, d] = 0; a pair without a path (next_port -1), or of routers not in ends (R,) bool, gets -1. Memory 25 bytes
    a channel and layer.
    """
    routers, ports = neighbor.shape
    channels = routers * ports
    bits, bad = (np.zeros((limit, channels, ports), np.bool_) for _ in range(2))
    place, at = (np.tile(np.arange(channels, dtype=np.int32), (limit, 1)) for _ in range(2))
    seen, stack = np.full(channels, -1), np.zeros(channels, np.int32)
    fresh = np.zeros((routers, 2), np.int64)
    return int(_assign(neighbor, next_port, ends, layer, bits, bad, place, at, seen, stack, fresh))


@entry
def _assign(neighbor, next_port, ends, layer, bits, bad, place, at, seen, stack, fresh):
    """`assign_layers` with work space: dependencies that a layer has, and such as would close a cycle, bits and bad
    (L, C, P); the order of each layer's channels, and its inverse, place and at (L, C); fresh (R, 2)."""
    routers, ports = neighbor.shape
    limit = bits.shape[0]
    mark = np.int64(0)
    used = 1
    for d in range(routers):
        for s in range(routers):
            layer[d, s] = 0
            if s == d:
                continue
            if next_port[d, s] < 0 or not (ends[s] and ends[d]):
                layer[d, s] = -1
                continue
            for k in range(limit + 1):
                if k == limit:
                    return 0
                added = 0
                fits = True
                r = s
                held = -1
                while r != d:
                    p = next_port[d, r]
                    if held >= 0 and not bits[k, held, p]:
                        fits = not bad[k, held, p]
                        c = r * ports + p
                        if fits and place[k, held] > place[k, c]:
                            mark += 1
                            fits = reorder(neighbor, bits[k], place[k], at[k], held, c, seen, stack, mark)
                            if not fits and added == 0:
                                bad[k, held, p] = True
                        if not fits:
                            break
                        bits[k, held, p] = True
                        fresh[added, 0], fresh[added, 1] = held, p
                        added += 1
                    held = r * ports + p
                    r = int(neighbor[r, p])
                if fits:
                    layer[d, s] = k
                    used = max(used, k + 1)
                    break
                for i in range(added):
                    bits[k, fresh[i, 0], fresh[i, 1]] = False
    return used
