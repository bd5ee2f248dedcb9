"""Kernel: in which STATEs packets come to each router, for one way to go after the other. Called by `graph`."""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.jit.linked import entry
from jumpnet.terms import Array

__all__ = ["Questions", "Tree", "spread"]


class Tree(NamedTuple):
    """All ways to go, which end at one router; each goes on as another one."""

    order: Array
    """(R,) each after all that lead to it, the end last."""
    depth: Array
    """(R,) hops."""
    port: Array
    """(R,) the port by which it goes on."""
    kind: Array
    """(R,) its kind."""


class Questions(NamedTuple):
    """What packets ask on a way of each kind, and how they go on."""

    asked: Array
    """(K,) the port that the question is about, P for none."""
    after: Array
    """(K, 2, 2^S) the STATEs that packets go on with, as bits, by answer and those that they have."""
    many: Array
    """(2^S,) ones in each number."""


@entry
def spread(beyond, up, ways, questions, start, rows, seen):
    """Go through the ways to go in order; the number of states met.

    beyond (P, R): the router at each port. up (P + 1, R): whether that has the higher number; never in the last row.
    ways: `Tree`; questions: `Questions`. start: the STATEs that packets start with. rows (most depth + 1, R): room,
    filled with `start`, none at the end. seen (K, K + 1, R) is filled: the STATEs with which packets leave a router by
    a way of one kind before one of another.
    """
    order, depth, port, kind = ways
    asked, after, many = questions
    routers, states = order.size, 0
    for i in range(routers - 1):
        way = order[i]
        row, p, k = rows[depth[way]], port[way], kind[way]
        then = beyond[p, way]
        met, ahead, question = seen[k, kind[then]], rows[depth[way] - 1], up[asked[k]]
        no, yes = after[k, 0], after[k, 1]
        for here in range(routers):
            bits = row[here]
            met[here] |= bits
            states += many[bits]
            ahead[beyond[p, here]] |= yes[bits] if question[here] else no[bits]
            row[here] = start
    for here in range(routers):
        states += many[rows[0, here]]
    return states
