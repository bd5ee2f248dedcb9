"""Drawn routings by parity of columns and halves of rings: an order for all sizes ascends at each that is followed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from jumpnet.analysis.deadlock.all_sizes.argument import RINGS
from jumpnet.analysis.deadlock.all_sizes.conditions import hold_against, ordered
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.routings import Prepared, Routing
from jumpnet.routings.classes import put
from jumpnet.routings.mesh._steps import toward
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE
from jumpnet.topology import build


def turns(net, here, head, out):
    """Closer, in one dimension or either, by the port of arrival, the parity of the column and the quadrant."""
    x, y = toward(net, here, head[DESTINATION], 0), toward(net, here, head[DESTINATION], 1)
    odd, count = net.coord[here, 0] & 1, 0
    ways = 3
    if x >= 0 and y >= 0:
        ways = net.own[head[IN_PORT] + 1 + 5 * (odd + 2 * (x + 2 * (y - 2)))]
    if x >= 0 and ways != 2:
        count = put(out, count, x, 0, 0, 0)
    if y >= 0 and ways >= 2:
        count = put(out, count, y, 0, 0, 0)
    return count


def classes(net, here, head, out):
    """The shorter way; the channel by way, half and whether it wraps, kept or set anew in the lower half."""
    k, at, to = net.params[0], net.coord[here, 0], net.coord[head[DESTINATION], 0]
    if at == to:
        return 0
    ahead = to - at if to > at else to - at + k
    up = 1 if 2 * ahead < k or (2 * ahead == k and net.own[0] == 1) else 0
    state = head[STATE]
    if head[IN_PORT] < 0:
        lower, half = 1 if to < at else 0, 1 if 2 * at < k else 0
        state = 1 + net.own[1 + up + 2 * (lower + 2 * half)]
    elif net.own[9] == 1 and 2 * at < k:
        state = 1 + net.own[10 + up]
    return put(out, 0, 1 - up, state - 1, state, 0)


def drawn_turns(draw: random.Random) -> list[int]:
    """By quadrant and column mostly, so that some are free."""
    usual = [draw.choice((1, 2, 3)) for _ in range(8)]
    return [usual[k // 5] if draw.random() < 0.8 else draw.choice((1, 2, 3)) for k in range(40)]


def drawn_classes(draw: random.Random) -> list[int]:
    """As BookSim has them, with up to two changes, or any."""
    table = [draw.randrange(2) for _ in range(12)]
    if draw.random() < 0.7:
        table[1:9] = [k & 1 ^ k >> 1 & 1 for k in range(8)]
        table[9] &= draw.randrange(2)
        for _ in range(draw.randrange(3)):
            table[1 + draw.randrange(8)] ^= 1
    return table


@pytest.mark.parametrize(
    ("relation", "drawn", "specs"),
    [
        (turns, drawn_turns, ["mesh:5x3", "mesh:3x6", "mesh:6x5"]),
        (classes, drawn_classes, [f"torus:{k}" for k in (5, 3, 4, 6, 9, 12)]),
    ],
)
def test_an_order_ascends_at_each_size(relation, drawn, specs: list[str]) -> None:
    draw, free = random.Random(1), 0
    for _ in range(8):
        own = np.array(drawn(draw))
        routing = Routing("test.drawn", relation=relation, vcs=2, prepare=lambda net, options, own=own: Prepared(own))
        bound = routing.bind(build(specs[0]))
        rings = [RINGS[bound.network.family]] * len(bound.network.params)
        found = ordered(flow_of(Run(bound, own), rings, (0,), by_channel=True), len(rings), bubble=False)
        if not found.order:
            continue
        for net in map(build, specs):
            assert prove(routing.bind(net, 2)).verdict == "free"
            hold_against(bound, found, net)
        free += 1
    assert 0 < free < 8
