"""Multicast trees, made in the page: `multicast.tree.multicast_tree` as an entry, for the bit-map schemes of jumpnet.

Tables of a network come as one int32 array (`tree_tables`), destinations as another. The tree is made rank by rank, not
by the walk that `multicast_tree` is; that one is its twin.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.decorator import open_i32
from jumpnet.jit.linked import entry, kernel
from jumpnet.multicast.children import children
from jumpnet.multicast.territory import Territories
from jumpnet.terms import I32

__all__ = ["SCHEMES", "grow_tree", "list_territory", "tree_rows", "tree_tables"]

SCHEMES = ("SM", "LPRA", "LARP", "LARP:path", "REMAKE", "full")
SM, LPRA, LARP, LARP_PATH, REMAKE = range(5)
HEAD = 5
"""Numbers before the tables: side, n, bits of a digit, top rank, children."""
TOLD = 8
"""Numbers before the hops in the answer: top rank, root, steps, hops, receivers, remakes, origin, nothing."""


def tree_tables(where: Territories) -> I32:
    """(numbers,) all tables of a network as one array: `HEAD` numbers, then each table row by row, for `grow_tree`.

    >>> from jumpnet.multicast.territory import territories
    >>> tree_tables(territories("rdt:8"))[:5].tolist()
    [8, 2, 3, 1, 8]
    """
    head = [where.side, where.n, where.stride, where.top, where.fanout]
    tables = (where.vectors, where.hops, where.shifts, where.rank_of, where.packed)
    parts = [np.array(head), np.array(children(where.n)), *tables]
    return np.concatenate([part.reshape(-1) for part in parts]).astype(np.int32)


def tree_rows(where: Territories) -> int:
    """Most receivers, and routers of one rank, that a tree has: room that `grow_tree` needs.

    >>> from jumpnet.multicast.territory import territories
    >>> tree_rows(territories("rdt:8"))
    64
    """
    return int(where.fanout ** (where.top + 1))


@kernel
def moved(t, router, dx, dy):
    """The router (dx, dy) away on the base torus."""
    side = int(t[0])
    return (router // side + dy) % side * side + (router % side + dx) % side


@kernel
def table_at(t, which, router, rank):
    """Where in the tables the pair of numbers of a router's class and a rank stands: 0 of its hop, 1 of its shift."""
    side, n, ranks, kids = int(t[0]), int(t[1]), int(t[3]) + 1, int(t[4])
    x, y = router % side, router // side
    row = y // n
    kind = (y - row * n) * (2 * n) + (x - row * n) % (2 * n)
    return 5 + 2 * kids + 4 * ranks + which * kids * ranks * 2 + (kind * ranks + rank) * 2


@kernel
def find_digits(t, source, to, k, digits):
    """The least top rank that holds all destinations, -1 for none, and their digits, packed."""
    side, top, kids = int(t[0]), int(t[3]), int(t[4])
    rank_of = 5 + 2 * kids + 4 * (top + 1) + 4 * kids * (top + 1)
    for least in range(top + 1):
        shift = table_at(t, 1, source, least)
        origin = moved(t, source, int(t[shift]), int(t[shift + 1]))
        held = 0
        for i in range(k):
            x = (to[i] % side - origin % side) % side
            y = (to[i] // side - origin // side) % side
            rank = t[rank_of + y * side + x]
            digits[i] = t[rank_of + side * side + y * side + x]
            held += int(rank >= 0 and rank <= least)
        if held == k:
            return least
    return -1


@entry(allocates=True)
def list_territory(tables, source, out):
    """Write the least top rank of a multicast from a router that reaches each router, -1 for none; returns 1.

    Addresses of int32 numbers: tables; out (side^2 + 2,).
    """
    head = open_i32(tables, HEAD)
    side, top, kids = int(head[0]), int(head[3]), int(head[4])
    t = open_i32(tables, HEAD + 2 * kids + 4 * (top + 1) * (1 + kids) + 2 * side * side)
    o, work = open_i32(out, side * side), open_i32(out + 4 * side * side, 2)
    for router in range(side * side):
        work[0] = router
        o[router] = find_digits(t, source, work[:1], 1, work[1:])
    return 1


@kernel
def children_of(rule, digits, k, r, node, top, stride, every):
    """The children that a router of rank r serves, as a mask; node: its digits, that of rank r + 1 lowest."""
    starts = r == top
    first = node >> (stride * (top - r - 1)) if r < top else 0
    local = first == 0 if rule == LARP else node == 0
    if rule == LPRA and not local:
        return every
    if rule in (LARP, LARP_PATH) and local and not starts:
        return every
    mask = 0
    for i in range(k):
        above = digits[i] >> (stride * (r + 1))
        counts = rule == SM or starts or (rule == LARP_PATH and above != 0)
        if rule == LARP:
            counts = starts or digits[i] >> (stride * top) != 0
        if rule == LPRA or rule >= REMAKE:
            counts = above == node
        if counts:
            mask |= 1 << ((digits[i] >> (stride * r)) & ((1 << stride) - 1))
    return mask


@kernel
def add_hop(out, step, sender, receiver, rank):
    """Write a hop."""
    row = TOLD + 4 * out[3]
    out[row], out[row + 1], out[row + 2], out[row + 3] = step, sender, receiver, rank
    out[3] += 1


@kernel
def go_to_rank(t, out, router, rank, step):
    """Base hops, y first, to the nearest router that has a rank; returns that router."""
    at = table_at(t, 0, router, rank)
    here = router
    for axis in (1, 0):
        left = int(t[at + axis])
        way = 1 if left > 0 else -1
        for _ in range(abs(left)):
            there = moved(t, here, way * (1 - axis), way * axis)
            add_hop(out, step, here, there, 0)
            here = there
            step += 1
    return here


@kernel
def serve(t, out, seen, stamp, router, rank, mask, step):
    """Hops of one rank to the children of a mask, y first, each place entered once."""
    n, kids = int(t[1]), int(t[4])
    vector, wide = 5 + 2 * kids + 4 * rank, 4 * n + 1
    for digit in range(kids):
        if (mask >> digit) & 1 == 0:
            continue
        a, b, here, later = 0, 0, router, step
        for axis in (1, 0):
            left = int(t[5 + 2 * digit + axis])
            way = 1 if left > 0 else -1
            for _ in range(abs(left)):
                if axis == 1:
                    b += way
                else:
                    a += way
                dx, dy = a * t[vector] + b * t[vector + 2], a * t[vector + 1] + b * t[vector + 3]
                there = moved(t, router, dx, dy)
                place = (b + 2 * n) * wide + a + 2 * n
                if seen[place] != stamp:
                    seen[place] = stamp
                    add_hop(out, later, here, there, rank)
                here = there
                later += 1


@entry(allocates=True)
def grow_tree(tables, source, to, k, rule, out, most, work):
    """Write the multicast from a router to k different others under `SCHEMES[rule]`; returns 1, or 0 out of reach.

    Addresses of int32 numbers: tables; to (k,); out: `TOLD` numbers, 16 most of hops (step, sender, receiver, rank) in
    no order, most receivers, 2 most routers whose processors make a new map; work: k + 6 most + 512.
    """
    head = open_i32(tables, HEAD)
    side, stride, top, kids = int(head[0]), int(head[2]), int(head[3]), int(head[4])
    t = open_i32(tables, HEAD + 2 * kids + 4 * (top + 1) * (1 + kids) + 2 * side * side)
    targets, o = open_i32(to, k), open_i32(out, TOLD + 19 * most)
    w = open_i32(work, k + 6 * most + 512)
    digits, nodes, below, seen = w[:k], w[k : k + 3 * most], w[k + 3 * most : k + 6 * most], w[k + 6 * most :]
    o[:TOLD] = 0
    seen[:] = 0
    top = find_digits(t, source, targets, k, digits)
    if top < 0:
        return 0
    receivers, remade = TOLD + 16 * most, TOLD + 17 * most
    root = go_to_rank(t, o, source, top, 0) if top > 0 else source
    nodes[0], nodes[1], nodes[2] = root, 0, o[3]
    o[0], o[1], count, stamp = top, root, 1, 0
    for rank in range(top, -1, -1):
        following = 0
        for i in range(count):
            router, node, step = int(nodes[3 * i]), int(nodes[3 * i + 1]), int(nodes[3 * i + 2])
            if rule == REMAKE and (rank < top or router != source):
                o[remade + o[5]] = router
                o[5] += 1
            mask = children_of(rule, digits, k, rank, node, top, stride, (1 << kids) - 1)
            stamp += 1
            serve(t, o, seen, stamp, router, rank, mask, step)
            for digit in range(kids):
                if (mask >> digit) & 1 == 0:
                    continue
                a, b, vector = int(t[5 + 2 * digit]), int(t[6 + 2 * digit]), 5 + 2 * kids + 4 * rank
                child = moved(t, router, a * t[vector] + b * t[vector + 2], a * t[vector + 1] + b * t[vector + 3])
                ready = step + abs(a) + abs(b)
                if rank == 0:
                    o[receivers + o[4]] = child
                    o[4] += 1
                    o[2] = max(int(o[2]), ready)
                    continue
                before = int(o[3])
                place = go_to_rank(t, o, child, rank - 1, ready) if rank > 1 else child
                below[3 * following] = place
                below[3 * following + 1] = node << stride | digit
                below[3 * following + 2] = ready + o[3] - before
                following += 1
        nodes, below, count = below, nodes, following
    return 1
