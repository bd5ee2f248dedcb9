"""Kernels: sets of targets as bits, a product of one set for each digit at every router, and what leaves by each port.

A row of words holds the bits of all digits; `seg` (D, W) says which bits are whose. Called by `sets`, `spread` and
`rows`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.decorator import jit
from jumpnet.terms import Array

__all__ = ["Asks", "Leaves", "arrive", "ask", "count", "depend", "leaving", "real", "stray"]

_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACE = np.zeros(64, np.int64)
for _bit in range(64):
    _PLACE[(int(_DE_BRUIJN) << _bit & (1 << 64) - 1) >> 58] = _bit
"""(64,) the place of the one bit that is set in a word, by the six highest bits of its product with `_DE_BRUIJN`."""


class Leaves(NamedTuple):
    """What leaves some routers by one candidate: the digit that says by which port, -1 for none, and see `leaving`."""

    first: int
    start: Array
    by: Array
    span: Array
    bits: Array
    digit: int


class Asks(NamedTuple):
    """What packets of one answer ask for by one candidate, by port `port` (see `leaving`) on virtual channel `vc`."""

    sets: Array
    """(R, W) the packets."""
    asked: Array
    """(R, M) what all of them ask for."""
    port: Array
    digit: int
    base: int
    vc: int


@jit
def _lowest(word):
    """Place of the lowest bit that is set in a word other than 0 (Leiserson, Prokop and Randall 1998)."""
    return _PLACE[((word & (~word + np.uint64(1))) * _DE_BRUIJN) >> np.uint64(58)]


@jit
def _spans(seg):
    """(D, 2) the words that hold the bits of each digit: first, and behind the last."""
    made = np.zeros((seg.shape[0], 2), np.int64)
    for d in range(seg.shape[0]):
        made[d, 0] = seg.shape[1]
        for w in range(seg.shape[1]):
            if seg[d, w] != 0:
                made[d, 0] = min(made[d, 0], w)
                made[d, 1] = w + 1
    return made


@jit
def _some(row, seg, span):
    """Whether a product has an element."""
    for d in range(seg.shape[0]):
        found = False
        for w in range(span[d, 0], span[d, 1]):
            if row[w] & seg[d, w] != 0:
                found = True
                break
        if not found:
            return False
    return True


@jit
def leaving(sets, first, stop, port, digit, base, radix, ports, seg):
    """What leaves routers first..stop-1, by port: (start (B + 1,), by (N,), span (N, 3), bits).

    Router first + i has parts start[i]..start[i + 1] - 1; part n goes by port by[n]. The digit values that do are
    bits[span[n, 2]:], words span[n, 0]..span[n, 1] - 1 of a row; the others have none. sets (R, W); port (R, 1), or
    (R, k) by a digit, of which `base` is the first bit; digit -1 for none, then a router has one part and no bits.
    """
    spans = _spans(seg)
    low, most = (0, 1) if digit < 0 else (base >> 6, min(ports, radix))
    words = 0 if digit < 0 else spans[digit, 1] - low
    start, by = np.zeros(stop - first + 1, np.int64), np.zeros((stop - first) * most, np.int32)
    span, bits = np.zeros((by.size, 3), np.int64), np.empty(by.size * words, np.uint64)
    part, own = np.full(ports, -1, np.int64), np.zeros((most, words), np.uint64)
    end, filled = 0, 0
    for r in range(first, stop):
        begin = end
        if not _some(sets[r], seg, spans):
            start[r - first + 1] = end
            continue
        if digit < 0:
            by[end] = port[r, 0]
            end += 1
        for w in range(low, low + words):
            word, last, some = sets[r, w] & seg[digit, w], -1, np.uint64(0)
            while word != 0:
                p = port[r, 64 * w + _lowest(word) - base]
                if p != last:  # neighboring values mostly go the same way
                    if last >= 0:
                        own[part[last] - begin, w - low] |= some
                    last, some = p, np.uint64(0)
                    if part[p] < 0:
                        part[p] = end
                        by[end] = p
                        span[end, 0] = w
                        end += 1
                    span[part[p], 1] = w + 1
                some |= word & (~word + np.uint64(1))
                word &= word - np.uint64(1)
            if last >= 0:
                own[part[last] - begin, w - low] |= some
        for n in range(begin, end):
            part[by[n]] = -1
            span[n, 2] = filled
            for w in range(span[n, 0], span[n, 1]):
                bits[filled] = own[n - begin, w - low]
                own[n - begin, w - low] = 0
                filled += 1
        start[r - first + 1] = end
    return start, by, span, bits


@jit
def _unite(row, more, seg, span):
    """OR one product into another: (whether it grew, whether the result is no more than both)."""
    apart, inside, around = 0, True, True
    for d in range(seg.shape[0]):
        differs = False
        for w in range(span[d, 0], span[d, 1]):
            old, new = row[w] & seg[d, w], more[w] & seg[d, w]
            differs |= old != new
            inside &= new & ~old == 0
            around &= old & ~new == 0
        apart += differs
    if inside:
        return False, True
    exact = around or apart <= 1 or not _some(row, seg, span)
    for w in range(row.size):
        row[w] |= more[w]
    return True, exact


@jit
def arrive(sets, leaves, neighbor, seg, hull):
    """OR what leaves (`Leaves`) into the sets of the next routers: 1 where these grow, 2 more where inexactly."""
    spans, words, found = _spans(seg), sets.shape[1], 0
    first, start, by, span, bits, digit = leaves
    go, rest = np.zeros(words, np.uint64), np.full(words, ~np.uint64(0))
    if digit >= 0:
        rest[:] = ~seg[digit]
    for i in range(start.size - 1):
        r = first + i
        for n in range(start[i], start[i + 1]):
            there = neighbor[r, by[n]]
            for w in range(words):
                go[w] = sets[r, w] & rest[w]
            for w in range(span[n, 0], span[n, 1]):
                go[w] |= bits[span[n, 2] + w - span[n, 0]]
            inside = True
            for w in range(words):
                if go[w] & ~hull[there, w] != 0:
                    inside = False
                    break
            if not inside:
                grew, exact = _unite(hull[there], go, seg, spans)
                found |= grew | (0 if exact else 2)
    return found


@jit
def ask(sets, port, digit, base, radix, vcs, vc, seg, asked):
    """OR bit port * vcs + vc of all candidates into asked (R, M)."""
    span = _spans(seg)
    for r in range(sets.shape[0]):
        if not _some(sets[r], seg, span):
            continue
        if digit < 0:
            bit = port[r, 0] * vcs + vc
            asked[r, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
            continue
        last = np.int64(-1)
        for w in range(span[digit, 0], span[digit, 1]):
            word = sets[r, w] & seg[digit, w]
            while word != 0:
                p = np.int64(port[r, 64 * w + _lowest(word) - base])
                word &= word - np.uint64(1)
                if p != last:
                    last, bit = p, p * vcs + vc
                    asked[r, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@jit
def _meet(row, span, bits, n, digit, other, seg, spans):
    """Whether a part (see `leaving`) of a product and another product have an element in common."""
    for d in range(seg.shape[0]):
        found = False
        low, high = (span[n, 0], span[n, 1]) if d == digit else (spans[d, 0], spans[d, 1])
        for w in range(low, high):
            mine = bits[span[n, 2] + w - low] if d == digit else row[w] & seg[d, w]
            if mine & other[w] != 0:
                found = True
                break
        if not found:
            return False
    return True


@jit
def depend(sets, leaves, vc, asks, neighbor, vcs, seg, lead, out):
    """OR what packets that leave on `vc` (`Leaves`) ask for next (`Asks`) into out (B, P, vcs, M) of routers from
    `lead` on."""
    spans, span, bits, digit, next_digit = _spans(seg), leaves.span, leaves.bits, leaves.digit, asks.digit
    for i in range(leaves.start.size - 1):
        r = leaves.first + i
        for n in range(leaves.start[i], leaves.start[i + 1]):
            p = leaves.by[n]
            there = neighbor[r, p]
            if not _meet(sets[r], span, bits, n, digit, asks.sets[there], seg, spans):
                continue
            whole = True
            if next_digit >= 0:
                for w in range(spans[next_digit, 0], spans[next_digit, 1]):
                    mine = sets[r, w]
                    if next_digit == digit:
                        mine = bits[span[n, 2] + w - span[n, 0]] if span[n, 0] <= w < span[n, 1] else np.uint64(0)
                    if asks.sets[there, w] & ~mine & seg[next_digit, w] != 0:
                        whole = False
                        break
            if whole:
                for w in range(asks.asked.shape[1]):
                    out[r - lead, p, vc, w] |= asks.asked[there, w]
                continue
            low, high = (
                (span[n, 0], span[n, 1]) if next_digit == digit else (spans[next_digit, 0], spans[next_digit, 1])
            )
            last = np.int64(-1)
            for w in range(low, high):
                mine = bits[span[n, 2] + w - low] if next_digit == digit else sets[r, w]
                word = mine & asks.sets[there, w] & seg[next_digit, w]
                while word != 0:
                    q = np.int64(asks.port[there, 64 * w + _lowest(word) - asks.base])
                    word &= word - np.uint64(1)
                    if q != last:
                        last, bit = q, q * vcs + asks.vc
                        out[r - lead, p, vc, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@jit
def count(sets, seg):
    """Number of elements of all products."""
    span, total = _spans(seg), 0.0
    for r in range(sets.shape[0]):
        product = 1.0
        for d in range(seg.shape[0]):
            many = 0
            for w in range(span[d, 0], span[d, 1]):
                word = sets[r, w] & seg[d, w]
                while word != 0:
                    word &= word - np.uint64(1)
                    many += 1
            product *= many
        total += product
    return total


@jit
def _real(row, own, base, width, child, node, at):
    """Whether a product holds a sink other than `own`; node and at (D + 1,) are scratch. See `real`."""
    depth, level = base.size, 0
    node[0], at[0] = 0, 0
    while level >= 0:
        if at[level] >= width[level]:
            level -= 1
            continue
        e = at[level]
        at[level] += 1
        below, bit = child[node[level], e], base[level] + e
        if below < 0:
            continue
        word = row[bit >> 6] >> np.uint64(bit & 63)
        if word == 0:
            at[level] = e + 64 - (bit & 63)  # none further in this word
        if word & np.uint64(1) == 0:
            continue
        if level < depth - 1:
            level += 1
            node[level], at[level] = below, 0
        elif below != own:
            return True
    return False


@jit
def real(sets, routers, first, mine, base, width, child, found):
    """found[b, e]: whether product b (B, W), with value e of a digit alone (any if -1), holds a sink but routers[b].

    first: the first bit of that digit, -1 for any; mine (W,): its bits. routers (B,), -1 where any sink counts; base,
    width (D,): the first bits of the sinks' digits and their values, in the order of the tree; child (N, k): the tree
    from node 0 on, -1 where there is none; below the last digit stands the sink.
    """
    node, at = np.zeros(base.size + 1, np.int64), np.zeros(base.size + 1, np.int64)
    row = np.zeros(sets.shape[1], np.uint64)
    for b in range(sets.shape[0]):
        if first < 0:
            found[b, 0] = _real(sets[b], routers[b], base, width, child, node, at)
            continue
        for e in range(found.shape[1]):
            bit = first + e
            alone = sets[b, bit >> 6] & np.uint64(1) << np.uint64(bit & 63)
            if alone != 0:
                for w in range(row.size):
                    row[w] = sets[b, w] & ~mine[w]
                row[bit >> 6] |= alone
                found[b, e] = _real(row, routers[b], base, width, child, node, at)


@jit
def stray(live, port, routers, neighbor, found):
    """Whether a port of live (B, k) is no port with a link; else found (B, k) has them, and 0 where nothing is live."""
    for b in range(live.shape[0]):
        for e in range(live.shape[1]):
            if live[b, e]:
                p = port[b, e]
                if p < 0 or p >= neighbor.shape[1] or neighbor[routers[b], p] < 0:
                    return True
                found[b, e] = p
    return False
