"""Kernels: sets of targets as bits, a product of one set for each digit at every router, and what leaves by each port.

A row of words holds the bits of all digits; `seg` (D, W) says which bits are whose. Called by `sets` and `graph`.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import jit

__all__ = ["arrive", "ask", "count", "depend", "real"]


@jit
def _some(row, seg):
    """Whether a product has an element."""
    for d in range(seg.shape[0]):
        found = False
        for w in range(row.size):
            if row[w] & seg[d, w] != 0:
                found = True
                break
        if not found:
            return False
    return True


@jit
def _by_port(row, port, base, radix, group, touched, met):
    """Sort the values of a digit by the port that they go by: how many ports; group (P, W) has the bits of each.

    met (P,) is scratch, False before and after.
    """
    ports = 0
    for e in range(radix):
        bit = base + e
        if row[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1) != 0:
            p = port[e]
            if not met[p]:
                met[p] = True
                touched[ports] = p
                ports += 1
            group[p, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    for i in range(ports):
        met[touched[i]] = False
    return ports


@jit
def _unite(row, more, seg):
    """OR one product into another: (whether it grew, whether the result is no more than both)."""
    apart, inside, around = 0, True, True
    for d in range(seg.shape[0]):
        differs = False
        for w in range(row.size):
            old, new = row[w] & seg[d, w], more[w] & seg[d, w]
            differs |= old != new
            inside &= new & ~old == 0
            around &= old & ~new == 0
        apart += differs
    if inside:
        return False, True
    exact = around or apart <= 1 or not _some(row, seg)
    for w in range(row.size):
        row[w] |= more[w]
    return True, exact


@jit
def _ways(row, port, digit, base, radix, group, touched, met):
    """Number of ports that packets of a row leave by, in touched; group as in `_by_port`, where there is a digit."""
    if digit >= 0:
        return _by_port(row, port, base, radix, group, touched, met)
    touched[0] = port[0]
    return 1


@jit
def _leaving(row, digit, seg, group, p, w):
    """Word w of the packets of a row that leave by port p; the port's group is cleared."""
    if digit < 0:
        return row[w]
    go = (row[w] & ~seg[digit, w]) | group[p, w]
    group[p, w] = 0
    return go


@jit
def arrive(sets, port, digit, base, radix, neighbor, seg, hull):
    """OR what leaves by the ports into the sets `hull` of the next routers: 1 where these grow, 2 more where inexactly.

    sets (R, W); port (R, 1), or (R, k) by a digit, of which `base` is the first bit; digit -1 for none.
    """
    ports, words, found = neighbor.shape[1], sets.shape[1], 0
    group, touched, met = np.zeros((ports, words), np.uint64), np.zeros(ports, np.int64), np.zeros(ports, np.bool_)
    go = np.zeros(words, np.uint64)
    for r in range(sets.shape[0]):
        if not _some(sets[r], seg):
            continue
        for i in range(_ways(sets[r], port[r], digit, base, radix, group, touched, met)):
            p = touched[i]
            for w in range(words):
                go[w] = _leaving(sets[r], digit, seg, group, p, w)
            grew, exact = _unite(hull[neighbor[r, p]], go, seg)
            found |= grew | (0 if exact else 2)
    return found


@jit
def ask(sets, port, digit, base, radix, vcs, vc, seg, asked):
    """OR bit port * vcs + vc of all candidates into asked (R, M)."""
    for r in range(sets.shape[0]):
        if not _some(sets[r], seg):
            continue
        if digit < 0:
            bit = port[r, 0] * vcs + vc
            asked[r, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
            continue
        for e in range(radix):
            at = base + e
            if sets[r, at >> 6] >> np.uint64(at & 63) & np.uint64(1) != 0:
                bit = port[r, e] * vcs + vc
                asked[r, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@jit
def depend(
    sets, port, digit, base, radix, vc, after, asked, port2, digit2, base2, radix2, vc2, neighbor, vcs, seg, bits
):
    """OR what packets ask for next into bits (R, P, vcs, M).

    They leave by `port` on `vc`, as in `arrive`; after (R, W): sets of one answer of the next router; asked (R, M):
    what all of these ask for by one candidate, which is by port2 on vc2.
    """
    ports, words = neighbor.shape[1], sets.shape[1]
    group, touched, met = np.zeros((ports, words), np.uint64), np.zeros(ports, np.int64), np.zeros(ports, np.bool_)
    both = np.zeros(words, np.uint64)
    for r in range(sets.shape[0]):
        if not _some(sets[r], seg):
            continue
        for i in range(_ways(sets[r], port[r], digit, base, radix, group, touched, met)):
            p = touched[i]
            there = neighbor[r, p]
            for w in range(words):
                both[w] = _leaving(sets[r], digit, seg, group, p, w) & after[there, w]
            if not _some(both, seg):
                continue
            whole = digit2 < 0
            if not whole:
                whole = True
                for w in range(words):
                    if (both[w] ^ after[there, w]) & seg[digit2, w] != 0:
                        whole = False
                        break
            if whole:
                for w in range(asked.shape[1]):
                    bits[r, p, vc, w] |= asked[there, w]
                continue
            for e in range(radix2):
                at = base2 + e
                if both[at >> 6] >> np.uint64(at & 63) & np.uint64(1) != 0:
                    bit = port2[there, e] * vcs + vc2
                    bits[r, p, vc, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@jit
def count(sets, seg):
    """Number of elements of all products."""
    total = 0.0
    for r in range(sets.shape[0]):
        product = 1.0
        for d in range(seg.shape[0]):
            many = 0
            for w in range(sets.shape[1]):
                word = sets[r, w] & seg[d, w]
                while word != 0:
                    word &= word - np.uint64(1)
                    many += 1
            product *= many
        total += product
    return total


@jit
def _real(row, own, base, child, node, at):
    """Whether a product holds a sink other than `own`; node and at (D + 1,) are scratch. See `real`."""
    depth, level = base.size, 0
    node[0], at[0] = 0, 0
    while level >= 0:
        if at[level] == child.shape[1]:
            level -= 1
            continue
        e = at[level]
        at[level] += 1
        below, bit = child[node[level], e], base[level] + e
        if below < 0 or row[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1) == 0:
            continue
        if level < depth - 1:
            level += 1
            node[level], at[level] = below, 0
        elif below != own:
            return True
    return False


@jit
def real(sets, routers, digit, radix, base, child, seg, found):
    """found[b, e]: whether product b (B, W), with value e of a digit alone (any if -1), holds a sink but routers[b].

    routers (B,), -1 where any sink counts; child (N, k): the tree of the sinks' digits from node 0 on, -1 where there
    is none; below the last digit stands the sink.
    """
    node, at = np.zeros(base.size + 1, np.int64), np.zeros(base.size + 1, np.int64)
    row = np.zeros(sets.shape[1], np.uint64)
    for b in range(sets.shape[0]):
        if digit < 0:
            found[b, 0] = _real(sets[b], routers[b], base, child, node, at)
            continue
        for e in range(radix):
            bit = base[digit] + e
            alone = sets[b, bit >> 6] & np.uint64(1) << np.uint64(bit & 63)
            if alone != 0:
                for w in range(row.size):
                    row[w] = sets[b, w] & ~seg[digit, w]
                row[bit >> 6] |= alone
                found[b, e] = _real(row, routers[b], base, child, node, at)
