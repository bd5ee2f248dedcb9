"""Closed partitioning of an RDT: routes between routers of one partition never leave it, at any level of quad-section.

Source: yang2001rdt section IV.C.e, which names the property and the smallest partition (4x4), but not the rule. Here
the N x N network is cut into 2x2 partitions, these again, and so on down to 2n x 2n; a pair belongs to the smallest
partition that holds both; with `levels=one` the network is cut once only. A pair in no partition but the whole routes
as `rdt.floating` does: figures of a partition are those of `inside`. Inside a partition there
is no wrap-around, and a packet takes, in this order of preference: a step on a pending rank that stays inside; a base
hop to a neighbor inside from which such a step exists, the one that leaves the least rank-0 vector; a base hop of the
rank-0 vector that stays inside; else one step of the highest pending rank is rewritten by the rank below. Each change
of rank is followed by a step on that rank, so every route ends. Alone not free of deadlock: `layers=least` puts each
pair into one of several acyclic layers of virtual channels (`_path_layers.py`; ours). As vectors and level fill STATE,
the layer travels in INTERMEDIATE; own[OWN_FREE + 1] is the number of layers, and the layers of all pairs follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._path_layers import LAYERS, pair_layers
from jumpnet.routings._rdt.inside import alike, hop_inside, inside_vector, rewritten
from jumpnet.routings._rdt.plan import next_hop, plan_table, start_state
from jumpnet.routings._rdt.vectors import OWN_FREE, OWN_RADIUS, OWN_TIES, port_of, take, vector_fit, vector_own
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.rdt.floating import DRIFT
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE, View
from jumpnet.terms import I16, I64

__all__ = ["RDT_PARTITIONED", "inside", "partition_level"]

LEVEL = 58
"""Lowest bit of the partition's level in the state: its side is N / 2^level, 0 the whole network."""


@kernel
def partition_level(net, here, there):
    """Level of the smallest partition that holds two routers: its side is N / 2^level, 0 for the whole network."""
    for level in range(net.own[OWN_FREE], 0, -1):
        side = net.params[0] >> level
        if (
            net.coord[here, 0] // side == net.coord[there, 0] // side
            and net.coord[here, 1] // side == net.coord[there, 1] // side
        ):
            return level
    return 0


def relation(net, here, head, out):
    """The hop inside the common partition, or the planned hop of the whole network; on every virtual channel."""
    state = head[STATE]
    level = state >> LEVEL
    if level != 0:
        side = net.params[0] >> level
        x, y = net.coord[here, 0] % side, net.coord[here, 1] % side
        hop = hop_inside(net, state, x, y, side, None)
        while hop == -1:
            state = rewritten(net, state)
            hop = hop_inside(net, state, x, y, side, None)
    else:
        rank, direction, _ = next_hop(net, here, state)
        hop = 4 * rank + direction
    if hop < 0:
        return 0
    rank, direction = hop >> 2, hop & 3
    port = port_of(net, here, rank, direction)
    if port < 0:
        return -1
    state = take(net, state, rank, direction >> 1, 2 * (direction & 1) - 1)
    return put_class(out, 0, port, max(head[INTERMEDIATE], 0), max(net.own[OWN_FREE + 1], 1), net.vcs, state, 0)


def _start(net, head, draw, queue):
    """The vector of the whole torus, or the one without wrap-around when a partition holds both ends."""
    source, destination = head[SOURCE], head[DESTINATION]
    level = partition_level(net, source, destination)
    if level == 0:
        head[STATE] = start_state(net, source, destination, net.own[OWN_TIES])
    else:
        a = net.coord[destination, 0] - net.coord[source, 0]
        b = net.coord[destination, 1] - net.coord[source, 1]
        head[STATE] = inside_vector(net, a, b, net.params[0] >> level) | (np.int64(level) << LEVEL)
    if net.own[OWN_FREE + 1] > 0:
        head[INTERMEDIATE] = net.own[OWN_FREE + 2 + source * net.neighbor.shape[0] + destination]


def _halvings(net: Network) -> int:
    N, n = int(net.params[0]), int(net.params[1])
    count = 0
    while N % (2 << count) == 0 and (N >> (count + 1)) % (2 * n) == 0:
        count += 1
    return count


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    plain = _plain(net, options)
    if options["layers"] == "none":
        return plain
    layers, layer = _layers(net, options, plain)
    return Prepared(np.concatenate([plain.own[: OWN_FREE + 1], [layers], layer.ravel()]), plain.table)


def _plain(net: Network, options: Mapping[str, Any]) -> Prepared:
    levels = _halvings(net) if options["levels"] == "all" else min(1, _halvings(net))
    own = vector_own(net, DRIFT, options["ties"], levels, 0, widest=int(net.params[0]), spare=2, room=LEVEL)
    return Prepared(own, plan_table(net, int(own[OWN_RADIUS]), options["order"], "best"))


def _layers(net: Network, options: Mapping[str, Any], plain: Prepared) -> tuple[int, I16]:
    name = f"rdt.partitioned:order={options['order']},ties={options['ties']},levels={options['levels']}"
    return pair_layers(name, net, plain, relation, _start)


def _vcs(net: Network, options: Mapping[str, Any]) -> int:
    return 1 if options["layers"] == "none" else _layers(net, options, _plain(net, options))[0]


def _whole(net: Network) -> tuple[I64, I64, I64]:
    """Pairs that no partition holds: one for each place modulo 2n and displacement, with the number it stands for."""
    N, period = int(net.params[0]), 2 * int(net.params[1])
    half, x = N // 2, np.arange(N)
    split = (x[:, None] // half) != ((x[:, None] + x) % N) // half  # (place, displacement): the cut lies between
    rows = split.reshape(N // period, period, N)
    apart, first = rows.sum(axis=0), rows.argmax(axis=0) * period + np.arange(period)[:, None]
    i, j, dx, dy = (g.reshape(-1) for g in np.meshgrid(*(np.arange(k) for k in (period, period, N, N)), indexing="ij"))
    same = N // period - apart
    weight = (N // period) ** 2 - same[i, dx] * same[j, dy]
    sx, sy = np.where(apart[i, dx] > 0, first[i, dx], i), np.where(apart[j, dy] > 0, first[j, dy], j)
    keep = weight > 0
    source, to = sy * N + sx, (sy + dy) % N * N + (sx + dx) % N
    return source[keep], to[keep], weight[keep]


def _within(view: View, side: int, last: bool, b: int) -> tuple[I64, I64, I64]:
    """Pairs of one partition of a side that no smaller one holds, b apart in y: one for each set of alike ones."""
    N, room = int(view.params[0]), 1 << 12
    found, count = np.zeros((room, 4), np.int64), -1
    while count < 0:
        found = np.zeros((room, 4), np.int64)
        count = alike(view, side, last, b, found)
        room *= 4
    x, y, a, pairs = found[:count].T
    return y * N + x, (y + b) * N + x + a, pairs * (N // side) ** 2


def inside(net: Network, view: View) -> Sequence[Callable[[], tuple[I64, I64, I64]]]:
    """Chunks of representative (sources, destinations, weights): all pairs whose ends lie in one half-side partition.

    The partitions of one size are alike, so averages over these pairs are those of one partition of side N/2 alone.
    None where the network is too small to be cut. For `path_figures(bound, pairs=inside(...))`.
    """
    N, levels = int(net.params[0]), int(view.own[OWN_FREE])
    chunks: list[Callable[[], tuple[I64, I64, I64]]] = []
    for level in range(1, levels + 1):
        side = N >> level
        chunks += [partial(_within, view, side, level == levels, b) for b in range(1 - side, side)]
    return chunks


def _cover(net: Network, view: View) -> Sequence[Callable[[], tuple[I64, I64, I64]]]:
    """All partitions of a side are alike; pairs of the whole are alike under translation, those inside by `alike`."""
    N = int(net.params[0])
    if not view.own[OWN_FREE]:
        return [partial(_within, view, N, True, b) for b in range(1 - N, N)]
    return [partial(_whole, net), *inside(net, view)]


RDT_PARTITIONED = Routing(
    name="rdt.partitioned",
    relation=relation,
    fits=lambda net: vector_fit(net, ("rdt",), int(net.params[0]) if net.family == "rdt" else 0, LEVEL - 12),
    vcs=_vcs,
    options={"order": ("best", "descending"), "ties": ("best", "zero"), "levels": ("all", "one"), "layers": LAYERS},
    meanings=MEANINGS,
    prepare=_prepare,
    start=_start,
    cover=_cover,
    least_cycle=lambda net, vcs: 2,
    source="yang2001rdt, section IV.C.e",
    summary="routes within the smallest quad-section partition with both ends; layers=least makes it free of deadlock",
)
