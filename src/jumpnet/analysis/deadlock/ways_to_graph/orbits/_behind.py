"""Kernels: which escape channels may lie behind a packet in each state, by kind, and where exactly among some kinds.

Called by `escapes`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, inlined
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I8, I32, I64

__all__ = ["Met", "kinds_ahead", "kinds_behind", "ways_within"]


@inlined
def _add(into, n, from_, m):
    """Row n of the sets `into` (rows, W) gets the members of row m of `from_`."""
    for w in range(into.shape[1]):
        into[n, w] |= from_[m, w]


@entry
def kinds_behind(states, order, nodes, row, kinds, behind, held):
    """Sets of kinds of escape channels, (N, W) words: behind[n], which packets at node n may hold.

    row (N,): -1 where there is no escape, else which of kinds (V, W) has the kinds that it is of; order: nodes,
    candidates lead to later ones. held (V, W): which packets may hold that ask for an escape of a row.
    """
    for i in range(nodes):
        n = order[i]
        for e in range(states.first[n], states.first[n + 1]):
            if states.kind[e] & ESCAPE != 0:
                _add(behind, states.child[e], kinds, row[n])
            else:
                _add(behind, states.child[e], behind, n)
        if row[n] >= 0:
            _add(held, row[n], behind, n)


@entry
def kinds_ahead(states, order, nodes, row, kinds, ahead):
    """Likewise ahead[n], which packets at node n may still ask for before they take one."""
    for i in range(nodes):
        n = order[nodes - 1 - i]
        if row[n] >= 0:
            _add(ahead, n, kinds, row[n])
        for e in range(states.first[n], states.first[n + 1]):
            if states.kind[e] & ESCAPE == 0:
                _add(ahead, n, ahead, states.child[e])


@inlined
def _common(one, n, two, m):
    """Whether row n of the sets `one` (rows, W) and row m of `two` have a member in common."""
    both = np.uint64(0)
    for w in range(one.shape[1]):
        both |= one[n, w] & two[m, w]
    return both != 0


class Met(NamedTuple):
    """Where packets that hold an escape channel come to."""

    table: I32
    """(power of two,) hash table of line + 1, 0 where free."""
    line: I32
    """(T, 5): row held, node, router as seen from the one where the escape begins, line before or -1, port of the last
    hop; each of the first three once, nearer ones first."""
    asks: I8
    """(T,) 1 where the escape there is one that is looked for."""
    lines: I64
    """(1,) their number."""


@inlined
def _come(met, holder, node, there, before, port):
    """Add to `met` that packets which hold an escape of a row come to a node there, unless that is known; False where
    there is no room."""
    table, line, lines = met.table, met.line, met.lines
    size = table.size
    h = (holder * 0x4F1BBCDD ^ there * 0x45D9F3B ^ node * 0x27D4EB2F) & 0x7FFFFFFFFFFF
    at = (h ^ (h >> 19)) & (size - 1)
    while table[at] != 0:
        i = table[at] - 1
        if line[i, 0] == holder and line[i, 1] == node and line[i, 2] == there:
            return True
        at = (at + 1) & (size - 1)
    if lines[0] == line.shape[0]:
        return False
    i = lines[0]
    lines[0] += 1
    table[at] = i + 1
    line[i, 0], line[i, 1], line[i, 2], line[i, 3], line[i, 4] = holder, node, there, before, port
    return True


@entry
def ways_within(neighbor, vcs, states, nodes, row, kinds, ahead, near, met):
    """Where packets that hold an escape channel come to without taking another, as long as one of near[row] (V, W) is
    still to be asked for; and whether that is so where they are. Returns whether there was room.
    """
    for n in range(nodes):
        if row[n] < 0 or not _common(kinds, row[n], near, row[n]):
            continue
        for e in range(states.first[n], states.first[n + 1]):
            if states.kind[e] & ESCAPE != 0:
                port = np.int64(states.slot[e]) // vcs
                there = neighbor[states.router[n], port]
                if not _come(met, row[n], states.child[e], there, -1, port):
                    return False
    i = 0
    while i < met.lines[0]:
        held, m, there = met.line[i, 0], met.line[i, 1], met.line[i, 2]
        if _common(ahead, m, near, held):
            if row[m] >= 0 and _common(kinds, row[m], near, held):
                met.asks[i] = 1
            for f in range(states.first[m], states.first[m + 1]):
                if states.kind[f] & ESCAPE == 0:
                    port = np.int64(states.slot[f]) // vcs
                    if not _come(met, held, states.child[f], neighbor[there, port], i, port):
                        return False
        i += 1
    return True
