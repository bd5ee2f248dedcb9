"""Kernels of directory entries that cannot list all nodes: few pointers, and pages whose entry lists holders only.

The home's own copy needs no pointer: no message reaches it by the network. Oldest pointers come first in their row.
Naive twin: tests/naive/functional.py. Used by `_kernels`.
"""

import numpy as np

from jumpnet.coherence.caches import mark_clean, take
from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.linked import inlined, kernel

__all__ = ["emptied", "enlist", "holders_of", "popcount", "strike"]


@inlined
def popcount(w):
    """Bits of a word."""
    w = w - ((w >> np.uint64(1)) & np.uint64(0x5555555555555555))
    w = (w & np.uint64(0x3333333333333333)) + ((w >> np.uint64(2)) & np.uint64(0x3333333333333333))
    w = (w + (w >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    w = w + (w >> np.uint64(8))
    w = w + (w >> np.uint64(16))
    return np.int64((w + (w >> np.uint64(32))) & np.uint64(0x7F))


@kernel
def holders_of(page, lines_shift, valid, holders):
    """Row 0 of `holders` becomes the nodes that hold some line of a page, as far as the home knows."""
    first = page << lines_shift
    for w in range(valid.shape[1]):
        found = np.uint64(0)
        for line in range(first, first + (1 << lines_shift)):
            found |= valid[line, w]
        holders[0, w] = found


@kernel
def strike(pointer, row, node):
    """A node gives its copy up: its pointer, where it has one, is free again."""
    last = pointer.shape[1] - 1
    for i in range(last + 1):
        if pointer[row, i] == node:
            for k in range(i, last):
                pointer[row, k] = pointer[row, k + 1]
            pointer[row, last] = at.NOBODY
            return


@kernel
def emptied(row, pointer, over):
    """All copies of an entry are taken away: its pointers are free, and name every node that comes."""
    for i in range(pointer.shape[1]):
        pointer[row, i] = at.NOBODY
    over[row] = 0


@kernel
def _overflow(row, home, most, listed, over):
    """An entry that lists more nodes than it has pointers does not know them any more."""
    k = 0
    for w in range(listed.shape[1]):
        k += popcount(listed[row, w])
    at_home = listed[row, home >> 6] >> np.uint64(home & 63) & np.uint64(1)
    if k > most + np.int64(at_home):
        over[row] = 1


@kernel
def _give_up(victim, page, line, number, machine, tables, stores):
    """A node must give up its copies of an entry's line, or of every line of its page."""
    word, bit = victim >> 6, np.uint64(1) << np.uint64(victim & 63)
    state = tables.state
    tables.counts[at.EVICTIONS] += 1
    first, lines = line, 1
    if machine.by_page:
        shift = machine.page_shift - machine.line_shift
        first, lines = page << shift, 1 << shift
        tables.touched[page, word] &= ~bit
    for k in range(first, first + lines):
        tables.valid[k, word] &= ~bit
        tables.copies[k, word] &= ~bit
        if state[k] >= 0 and state[k] & at.OWNER_BITS == victim:
            row = tables.rows[rule.ROWS * (state[k] >> at.OWNER_WIDTH) + rule.PARTS * rule.OWNER + rule.EVICT]
            state[k] = (row & rule.CLASS_BITS) << at.OWNER_WIDTH | machine.nodes
        part = (number - line + k) & (stores.sets - 1)
        tables.counts[at.WRITE_BACKS] += mark_clean(stores, victim, part, k)
        take(stores, victim, part, k)


@inlined
def enlist(node, page, line, number, home, machine, tables, stores):
    """A node that is listed already gets a pointer: a free one, or that of the oldest copy, which is given up."""
    row = page if machine.by_page else line
    if node != home and not machine.evicts:
        _overflow(row, home, machine.pointers, tables.touched if machine.by_page else tables.valid, tables.over)
    elif node != home:
        pointer, k = tables.pointer, 0
        last = pointer.shape[1] - 1
        while k <= last and pointer[row, k] != node and pointer[row, k] != at.NOBODY:
            k += 1
        if k > last:
            victim, k = pointer[row, 0], last
            for i in range(last):
                pointer[row, i] = pointer[row, i + 1]
            tables.packets[page] += 2
            _give_up(victim, page, line, number, machine, tables, stores)
        pointer[row, k] = node
