"""Kernels of the Monte-Carlo and exact studies: draw different normal offsets, look up digits, count receivers.

Every draw is `draw63(key, counter)` of its trial, compared with integer thresholds, so that the same bits come out in
plain Python and compiled. Naive twin: tests/naive/multicast.py. Called by `sample`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.jit.random import draw63, stream_key
from jumpnet.multicast._scheme import call_count
from jumpnet.terms import Array

__all__ = ["Offsets", "count_prefixes", "draw_offset", "draw_sets", "pair_totals"]


class Offsets(NamedTuple):
    """The offsets of a network that are drawn, and how."""

    rank_of: Array
    """(offsets,) rank of the territory that each lies in, -1 in none."""
    packed: Array
    """(offsets,) digits of each."""
    side: int
    ranks: int
    thresholds: Array
    """See `draw_offset`."""
    repeats: bool
    """Whether a trial may have one several times."""
    source: bool
    """Whether it may have zero."""


@kernel
def draw_offset(thresholds, draw):
    """The value whose interval holds a draw: thresholds[i] is the first draw beyond value i - reach."""
    low, high = 0, len(thresholds) - 1
    while low < high:
        middle = (low + high) >> 1
        if draw < thresholds[middle]:
            high = middle
        else:
            low = middle + 1
    return low - (len(thresholds) >> 1)


@entry
def draw_sets(of, seed, first, points, offsets, digits, tops):
    """Fill offsets (trials, most) with random ones `of` those, digits with their digits, and tops (trials, points) with
    the top rank of the first points[i] of them, -1 where one lies outside every territory. Trial t reads stream
    first + t.
    """
    rank_of, packed, side, ranks, thresholds, repeats, source = of
    most = digits.shape[1]
    for t in range(len(digits)):
        key = stream_key(seed, first + t)
        counter, have, top, asked = 0, 0, 0, 0
        while have < most:
            x = draw_offset(thresholds, draw63(key, counter)) % side
            y = draw_offset(thresholds, draw63(key, counter + 1)) % side
            counter += 2
            offset = y * side + x
            new = source or offset != 0
            for i in range(have):
                if offsets[t, i] == offset:
                    new = False
                    break
            if not new and not repeats:
                continue
            offsets[t, have] = offset
            digits[t, have] = packed[offset]
            rank = rank_of[offset]
            top = ranks if rank < 0 else max(top, rank)
            have += 1
            if have == points[asked]:
                tops[t, asked] = top if top < ranks else -1
                asked += 1


@entry
def count_prefixes(count, digits, tops, stride, fanout, points, out):
    """Receivers of the first points[i] offsets of each trial, into out (trials, points)."""
    for t in range(len(digits)):
        for i in range(len(points)):
            out[t, i] = call_count(count, digits[t], points[i], tops[t, i], stride, fanout)


@entry(allocates=True)
def pair_totals(count, packed, rank, chance, stride, fanout):
    """Sum over ordered pairs v, w of different offsets of p(v) p(w) / (1 - p(v)) times the receivers of {v, w}.

    -1 where a closed form ends in an error.
    """
    digits = np.empty(2, np.int64)
    total = 0.0
    for v in range(len(packed)):
        digits[0] = packed[v]
        part = 0.0
        for w in range(v):
            digits[1] = packed[w]
            found = call_count(count, digits, 2, max(rank[v], rank[w]), stride, fanout)
            if found < 0:
                return -1.0
            part += chance[w] * (1.0 / (1.0 - chance[v]) + 1.0 / (1.0 - chance[w])) * found
        total += chance[v] * part
    return total
