"""Hierarchical routing on a Shifted Recursive Torus, without a table: walk to a level, jump on it, walk down.

The paper (inoguchi1996srt) defines no routing; this one is ours. Along each axis in turn (x first) a packet considers,
for every level, the plan "base steps to the nearest router of that level, jumps of its span, base steps to the end",
and takes the first hop of the cheapest plan. It looks no further than the cost of the best plan so far, so it needs
arithmetic only. Each hop makes the cheapest plan at least one hop shorter, so every route ends; jumps stay on their
level. Routes are not shortest in general (plans of one level only), and alone not free of deadlock: `layers=least` puts
each pair into one of several acyclic layers of virtual channels (`_path_layers.py`), at the price of a table of pairs.

No cycle of dependencies has fewer than four channels, from 16 nodes a side on, however many are virtual. Of two: a
packet would turn back, to a plan that is not shorter. Of three: links of a triangle lie along one axis, and are two
base steps and a jump of two, as a router has jumps of its level alone; in either sense a packet jumps and steps back
into the middle. Its plan is then shorter by two than before the jump, but a step into the middle and that plan would
have made one more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._path_layers import LAYERS, pair_layers, start_in_layer
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, STATE
from jumpnet.terms import I16

__all__ = ["SRT_HIERARCHICAL"]


@kernel
def _level(net, address):
    """Level of the bypass links at an address, 0 where there are none; params as documented at `Srt2d`."""
    return net.params[3 + address % net.params[0]]


@kernel
def _plan(net, address, stride, ahead):
    """First hop of the cheapest plan for `ahead` steps along an axis: +-1 a base step, +-2 a jump."""
    N = net.params[0]
    best, hop = np.int64(abs(ahead)), 1 if ahead > 0 else -1
    for wrap in range(2):
        to_go = ahead if wrap == 0 else (ahead - N if ahead > 0 else ahead + N)
        away = 0
        while away < best:
            for sign in (1, -1):
                level = _level(net, address + sign * away * stride)
                if level == 0 or (away == 0 and sign < 0):
                    continue
                left = to_go - sign * away
                jumps = left >> level
                for k in (jumps, jumps + 1):
                    cost = away + abs(k) + abs(left - (k << level))
                    if k != 0 and cost < best:
                        best = cost
                        hop = sign if away > 0 else (2 if k > 0 else -2)
            away += 1
    return hop


def relation(net, here, head, out):
    """The next hop along the first axis that is not done; every virtual channel of the pair's layer."""
    destination = head[DESTINATION]
    axes = net.coord.shape[1]
    N = net.params[0]
    address = np.int64(net.coord[here, 0])
    if axes == 2:
        address += net.params[2] * net.coord[here, 1]
    for axis in range(axes):
        ahead = np.int64(net.coord[destination, axis] - net.coord[here, axis]) % N
        if ahead != 0:
            ahead -= N if 2 * ahead > N else 0
            hop = _plan(net, address, 1 if axis == 0 else net.params[2], ahead)
            port = 2 * axis + (hop < 0) + (2 * axes if abs(hop) == 2 else 0)
            if net.neighbor[here, port] < 0:
                port ^= 1
            return put_class(out, 0, port, head[STATE], max(net.own[0], 1), net.vcs, head[STATE], 0)
    return 0


def _fits(net: Network) -> str | None:
    if net.attributes.get("variant") == "pairs":
        return "it needs whole rings of bypass links (variant standard, ls or ss)"
    return None if net.family in ("srt1d", "srt2d") else "it needs a network of family srt1d or srt2d"


def _layers(net: Network) -> tuple[int, I16]:
    return pair_layers("srt.hierarchical", net, Prepared(np.zeros(1, np.int64)), relation, start_in_layer)


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    if options["layers"] == "none":
        return Prepared(np.zeros(1, np.int64))
    layers, layer = _layers(net)
    return Prepared(np.array([layers]), layer)


SRT_HIERARCHICAL = Routing(
    name="srt.hierarchical",
    relation=relation,
    vcs=lambda net, options: 1 if options["layers"] == "none" else _layers(net)[0],
    fits=_fits,
    options={"layers": LAYERS},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_in_layer,
    least_cycle=lambda net, vcs: 4 if net.params[0] >= 16 else 2,
    source="inoguchi1996srt defines the levels; the rule is ours",
    summary="per axis: walk to a level, jump, walk down; free of deadlock with layers=least only",
)
