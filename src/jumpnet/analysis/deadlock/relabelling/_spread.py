"""Kernel: in which STATEs packets come to each router, for one way to go after the other. Called by `graph`."""

from __future__ import annotations

from jumpnet.jit.linked import entry

__all__ = ["spread"]


@entry
def spread(beyond, up, order, depth, port, kind, asked, after, many, start, rows, seen):
    """Go through the ways to go in `order`, the end last; the number of states met.

    beyond (P, R): the router at each port. up (P + 1, R): whether that has the higher number; never in the last row.
    depth, port, kind (R,): of each way its hops, the port by which it goes on, and its kind. asked (K,): the
    port of each kind's question, P for none. after (K, 2, 2^S): the STATEs that packets go on with, as bits, by answer
    and those that they have. many (2^S,): ones in each number. start: the STATEs that packets start with. rows (most
    depth + 1, R): room, filled with `start`, none at the end. seen (K, K + 1, R) is filled: the STATEs with which
    packets leave a router by a way of one kind before one of another.
    """
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
