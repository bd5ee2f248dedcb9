"""Kernels: which escape channels may lie behind a packet in each state, by kind, and where exactly among some kinds.

Called by `escapes`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, inlined
from jumpnet.routings.view import ESCAPE

__all__ = ["MOST_HOPS", "kinds_behind", "pairs_within"]

MOST_HOPS = 12
"""Hops between two escape channels whose ports fit one number."""
_MOST_STEPS = 1 << 26
"""Hops that are gone back and forth in all (seconds)."""
_WIDTH = 5
"""Bits of a port in that number."""


@inlined
def _add(into, n, from_, m):
    for w in range(into.shape[1]):
        into[n, w] |= from_[m, w]


@entry
def kinds_behind(states, order, nodes, row, kinds, behind, ahead, met):
    """Sets of kinds of escape channels, (N, W) words: behind[n], which packets at node n may hold, ahead[n], which
    they may still ask for before they take one.

    row (N,): -1 where there is no escape, else which of kinds (V, W) has the kinds that it is of; order: `in_order`.
    Bit b of met[a] (K, W) is set where packets that hold kind a may ask for kind b.
    """
    for i in range(nodes):
        n = order[i]
        for e in range(states.first[n], states.first[n + 1]):
            if states.kind[e] & ESCAPE != 0:
                _add(behind, states.child[e], kinds, row[n])
            else:
                _add(behind, states.child[e], behind, n)
        if row[n] >= 0:
            for a in range(met.shape[0]):
                if behind[n, a >> 6] >> np.uint64(a & 63) & np.uint64(1) != 0:
                    _add(met, a, kinds, row[n])
    for i in range(nodes):
        n = order[nodes - 1 - i]
        if row[n] >= 0:
            _add(ahead, n, kinds, row[n])
        for e in range(states.first[n], states.first[n + 1]):
            if states.kind[e] & ESCAPE == 0:
                _add(ahead, n, ahead, states.child[e])


@inlined
def _common(one, n, two, m):
    both = np.uint64(0)
    for w in range(one.shape[1]):
        both |= one[n, w] & two[m, w]
    return both != 0


@inlined
def _note(table, found, count, holder, there, wanted, way):
    """Add (holder, there, wanted) with its way, unless it is there; False where there is no room."""
    size = table.size
    h = (holder * 0x4F1BBCDD ^ there * 0x45D9F3B ^ wanted * 0x27D4EB2F) & 0x7FFFFFFFFFFF
    at = (h ^ (h >> 19)) & (size - 1)
    while table[at] != 0:
        i = table[at] - 1
        if found[i, 0] == holder and found[i, 1] == there and found[i, 2] == wanted:
            return True
        at = (at + 1) & (size - 1)
    if count[0] == found.shape[0]:
        return False
    i = count[0]
    count[0] += 1
    table[at] = i + 1
    found[i, 0], found[i, 1], found[i, 2], found[i, 3] = holder, there, wanted, way
    return True


@entry
def pairs_within(neighbor, vcs, states, nodes, row, kinds, ahead, near, table, found, count, stack):
    """found (T, 4): an escape channel and one that is asked for after it, in states of packets from all of which one
    of near[row] (V, W) is still to be asked for: (row, router of the second seen from the first, row, way).

    The way is the ports from the first router to the second, five bits each, the first lowest, with a 1 above them.
    count[0] counts them. Returns the node reached, short of `nodes` where there is no room, -1 where a way is too long
    or all are too many.
    """
    steps = 0
    for n in range(nodes):
        if row[n] < 0 or not _common(kinds, row[n], near, row[n]):
            continue
        for e in range(states.first[n], states.first[n + 1]):
            if states.kind[e] & ESCAPE == 0:
                continue
            port = np.int64(states.slot[e]) // vcs
            stack[0, 0], stack[0, 1] = states.child[e], neighbor[states.router[n], port]
            stack[0, 2], stack[0, 3] = port | 1 << _WIDTH, 1
            top = 1
            while top > 0:
                top, steps = top - 1, steps + 1
                m, there, way, hops = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
                if not _common(ahead, m, near, row[n]):
                    continue
                wanted = row[m] >= 0 and _common(kinds, row[m], near, row[n])
                if wanted and not _note(table, found, count, row[n], there, row[m], way):
                    return n
                if hops == MOST_HOPS or steps == _MOST_STEPS:
                    return -1
                for f in range(states.first[m], states.first[m + 1]):
                    if states.kind[f] & ESCAPE == 0:
                        port = np.int64(states.slot[f]) // vcs
                        shift = _WIDTH * hops
                        stack[top, 0], stack[top, 1] = states.child[f], neighbor[there, port]
                        stack[top, 2] = (way ^ 1 << shift) | port << shift | 1 << (shift + _WIDTH)
                        stack[top, 3] = hops + 1
                        top += 1
    return nodes
