"""Kernels of sets of digits against sets of tuples, where a digit has more values than a word has bits."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from jumpnet.analysis.deadlock.ways_to_graph.digits._sets import Asks, Leaves, arrive, ask, depend, leaving
from jumpnet.analysis.deadlock.ways_to_graph.digits.sets import Layout
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System

RADIX, WORDS = (130, 70, 3), 5
BASE = (0, 192, 262)
"""First bits: the third digit shares a word with the second."""
ROUTERS, PORTS, VCS = 6, 7, 2
SEG = np.zeros((len(RADIX), WORDS), np.uint64)
for _d, (_first, _k) in enumerate(zip(BASE, RADIX, strict=True)):
    for _bit in range(_first, _first + _k):
        SEG[_d, _bit >> 6] |= np.uint64(1) << np.uint64(_bit & 63)


def _row(masks):
    row = np.zeros(WORDS, np.uint64)
    for first, mask in zip(BASE, masks, strict=True):
        for value in mask:
            row[first + value >> 6] |= np.uint64(1) << np.uint64(first + value & 63)
    return row


def _masks(row):
    return [
        {e for e in range(k) if int(row[first + e >> 6]) >> (first + e & 63) & 1}
        for first, k in zip(BASE, RADIX, strict=True)
    ]


def _drawn(rng, share):
    """A set for every router, some of them empty in a digit."""
    return [[set(np.flatnonzero(rng.random(k) < share).tolist()) for k in RADIX] for _ in range(ROUTERS)]


def _by_port(masks, port, digit):
    """What leaves a router, by port: its masks, in plain sets."""
    if not all(masks):
        return {}
    if digit < 0:
        return {int(port[0]): masks}
    found = defaultdict(set)
    for value in masks[digit]:
        found[int(port[value])].add(value)
    return {p: [values if d == digit else mask for d, mask in enumerate(masks)] for p, values in found.items()}


@pytest.fixture(params=range(4))
def case(request):
    rng = np.random.default_rng(request.param)
    sets, after = _drawn(rng, (0.02, 0.3, 0.9, 1.0)[request.param]), _drawn(rng, (0.9, 0.1, 0.5, 1.0)[request.param])
    neighbor = rng.integers(0, ROUTERS, (ROUTERS, PORTS)).astype(np.int32)
    ports = [rng.integers(0, PORTS, (ROUTERS, k)).astype(np.int16) for k in (1, *RADIX)]
    return sets, after, neighbor, ports


def _left(sets, port, digit, first=0, stop=ROUTERS):
    base, radix = (0, 0) if digit < 0 else (BASE[digit], RADIX[digit])
    parts = leaving(np.array([_row(m) for m in sets]), first, stop, port, digit, base, radix, PORTS, SEG)
    return Leaves(first, *parts, digit)


@pytest.mark.parametrize("digit", [-1, 0, 1, 2])
def test_what_leaves_goes_where_it_should(case, digit):
    sets, hulls, neighbor, ports = case
    port = ports[1 + digit]
    leaves = _left(sets, port, digit, 1, 5)
    hull = np.array([_row(m) for m in hulls])
    found = arrive(np.array([_row(m) for m in sets]), leaves, neighbor, SEG, hull)
    expected, grew = [[set(m) for m in masks] for masks in hulls], False
    for r in range(1, 5):
        for p, masks in _by_port(sets[r], port[r], digit).items():
            into = expected[neighbor[r, p]]
            grew |= any(new - old for new, old in zip(masks, into, strict=True))
            for old, new in zip(into, masks, strict=True):
                old |= new
    assert [_masks(row) for row in hull] == expected
    assert bool(found & 1) == grew


@pytest.mark.parametrize(("digit", "digit2"), list(product([-1, 0, 1, 2], [-1, 0, 1, 2])))
def test_what_is_asked_for_next(case, digit, digit2):
    sets, after, neighbor, ports = case
    port, port2, vc, vc2 = ports[1 + digit], ports[1 + digit2], 1, 0
    rows = np.array([_row(m) for m in after])
    base2, radix2 = (0, 0) if digit2 < 0 else (BASE[digit2], RADIX[digit2])
    asked = np.zeros((ROUTERS, 1), np.uint64)
    ask(rows, port2, digit2, base2, radix2, VCS, vc2, SEG, asked)
    for r in range(ROUTERS):
        assert int(asked[r, 0]) == sum(1 << (p * VCS + vc2) for p in _by_port(after[r], port2[r], digit2))
    out = np.zeros((ROUTERS, PORTS, VCS, 1), np.uint64)
    first = np.array([_row(m) for m in sets])
    asks = Asks(rows, asked, port2, digit2, base2, vc2)
    depend(first, _left(sets, port, digit), vc, asks, neighbor, VCS, SEG, 0, out)
    expected = np.zeros_like(out)
    for r in range(ROUTERS):
        for p, masks in _by_port(sets[r], port[r], digit).items():
            there = neighbor[r, p]
            both = [a & b for a, b in zip(masks, after[there], strict=True)]
            for q in _by_port(both, port2[there], digit2):
                expected[r, p, vc, 0] |= np.uint64(1 << (q * VCS + vc2))
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("digit", [None, 0, 1, 2])
@pytest.mark.parametrize("rests", [{}, {3: 2}, {3: 0, 5: 1}])
def test_products_that_hold_a_sink(digit, rests):
    """Also where digits are what is left of the router number, which come first in the tree of digits."""
    rng = np.random.default_rng(5)
    digits = np.unique(np.column_stack([rng.integers(0, k, 300) for k in RADIX]), axis=0)
    digits = np.concatenate([digits, [[k - 1 for k in RADIX]]])  # every digit as long as it is
    sinks = np.flatnonzero(rng.random(len(digits)) < 0.7)
    layout = Layout(System(digits, None, [], sinks, rests), 0)
    for share in (0.05, 0.4, 0.95):
        masks = [rng.random((40, k)) < share for k in RADIX]
        routers = np.where(rng.random(40) < 0.5, rng.integers(0, len(digits), 40), -1)
        for mask, column in zip(masks, digits.T, strict=True):  # some products hold a router alone
            mask[:10] = column[routers[:10], None] == np.arange(mask.shape[1])
        found = layout.real(layout.pack(np.ones((40, 1), bool), masks), routers, digit)
        for b, own in enumerate(routers.tolist()):
            inside = [s for s in sinks.tolist() if s != own and all(m[b, digits[s, d]] for d, m in enumerate(masks))]
            expected = [bool(inside)] if digit is None else np.isin(np.arange(RADIX[digit]), digits[inside, digit])
            assert np.array_equal(found[b], expected)


@pytest.mark.parametrize(("sink", "own", "holds"), [(None, -1, True), (7, -1, True), (7, 7, False)])
def test_a_value_of_another_routers_digit_holds_what_the_product_does(sink, own, holds):
    digits = np.array([[a, b, (2 * a + b) % 3] for a in range(4) for b in range(5)])
    layout = Layout(System(digits, None, [], np.arange(20), {3: 2}), 1)
    masks = [np.ones((1, width), bool) for width in layout.radix]
    masks[4][0, [1, 4]] = False
    if sink is not None:
        masks[:3] = [np.arange(width)[None, :] == digits[sink, d] for d, width in enumerate(layout.radix[:3])]
    found = layout.real(layout.pack(np.ones((1, 1), bool), masks), np.array([own]), 4)
    assert (found == (masks[4] & holds)).all()
