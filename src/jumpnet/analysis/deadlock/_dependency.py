"""Kernels of the channel dependency graph: fill its bit rows, one destination at a time, and list its edges.

A channel here is (router, port, vc), numbered (router * ports + port) * vcs + vc. A packet that holds one asks next for
channels of the router it leads to, so a row of ports * vcs bits holds all its dependencies. Naive twin:
`tests/naive/dependency.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.packet_walk import FAILURE, FULL, NODES, STATES, walk_part
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I64, Array

__all__ = ["collect_edges", "count_edges", "edge_list", "explore", "kinds_met", "trail", "unpack"]


@kernel
def collect_edges(nodes, space, bits, used, escape):
    """OR the candidates of the node each edge enters into the row of its channel."""
    words = bits.shape[1]
    for n in range(space.counters[NODES]):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            channel, child = nodes.edge[e, 0], nodes.edge[e, 3]
            used[channel] = 1
            if nodes.edge[e, 2] & ESCAPE != 0:
                escape[channel] = 1
            for w in range(words):
                bits[channel, w] |= nodes.mask[child, w]


@entry
def explore(relation, start, view, job, nodes, space, sinks, at, stop, bits, used, escape):
    """Walk destinations sinks[at:stop]; ORs into bits (C, W), used (C,), escape (C,).

    Returns `stop`, or the position of the destination at which a packet failed or the arrays were too small.
    """
    count = space.counters
    for i in range(at, stop):
        if not walk_part(relation, start, view, job, nodes, space, sinks, i):
            continue
        if count[FULL] != 0 or count[FAILURE] != 0:
            return i
        count[STATES] += count[NODES]
        collect_edges(nodes, space, bits, used, escape)
    return stop


@entry
def trail(nodes, node, out):
    """Write the routers from a source to a node into `out`, in order; returns how many."""
    length = 0
    n = node
    while n >= 0:
        length += 1
        n = nodes.parent[n]
    n = node
    for i in range(length):
        if length - 1 - i < out.size:
            out[length - 1 - i] = nodes.key[n, 3]
        n = nodes.parent[n]
    return length


@entry
def edge_list(bits, base, indptr, indices):
    """Rows of bits to compressed rows: bit b of row c becomes base[c] + b; returns the number of edges.

    With `indices` empty only `indptr` is filled.
    """
    total = 0
    for c in range(bits.shape[0]):
        indptr[c] = total
        for w in range(bits.shape[1]):
            word = bits[c, w]
            b = 64 * w
            while word != 0:
                if word & np.uint64(1):
                    if indices.size > 0:
                        indices[total] = base[c] + b
                    total += 1
                word >>= np.uint64(1)
                b += 1
    indptr[bits.shape[0]] = total
    return total


@entry
def count_edges(bits):
    """Number of bits that are set."""
    total = 0
    for c in range(bits.shape[0]):
        for w in range(bits.shape[1]):
            word = bits[c, w]
            while word != 0:
                word &= word - np.uint64(1)
                total += 1
    return total


@entry
def kinds_met(bits, base, kind, met):
    """Set met[kind[c], kind[d]] for each edge from c to d = base[c] + b, bit b of row c."""
    for c in range(bits.shape[0]):
        for w in range(bits.shape[1]):
            word, b = bits[c, w], base[c] + 64 * w
            while word != 0:
                if word & np.uint64(1):
                    met[kind[c], kind[b]] = True
                word >>= np.uint64(1)
                b += 1


def unpack(bits: Array, base: I64 | None = None) -> tuple[I64, I64]:
    """Rows of bits (C, W) as (indptr, indices); bit b of row c is node base[c] + b, or b without a base."""
    rows = len(bits)
    start = np.zeros(rows, np.int64) if base is None else np.ascontiguousarray(base, np.int64)
    indptr = np.zeros(rows + 1, np.int64)
    indices = np.zeros(edge_list(bits, start, indptr, np.zeros(0, np.int32)), np.int32)
    edge_list(bits, start, indptr, indices)
    return indptr, indices
