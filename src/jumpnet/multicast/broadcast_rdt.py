"""Broadcast on an RDT by descending ranks: from each rank's tori to all tori of the rank below, by eight children each.

Source: yang2001rdt section V.B: 2(R+1) steps on PRDT(2,R), 3R+2 on RDT(2,4,1)/alpha with its base hops. Where the eight
children do not fill the top torus the message first spreads over that torus breadth-first. All-port it is the paper's
pattern (relays on the base torus may receive again as leaves); one-port it is the tree of first receptions, each
router serving its slowest subtree first.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast._broadcast import Broadcast
from jumpnet.multicast.children import children, route
from jumpnet.multicast.schedule import Schedule, tree_schedule
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import reached, root_hops
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = ["descending", "rank_descending"]


def _fill_top(where: Territories, root: int) -> tuple[I64, list[tuple[I64, I64, I64]]]:
    """Hops from the root, (side^2,) or -1, over the whole torus of the top rank, breadth-first, and its transfers."""
    side = where.side
    x, y = where.vectors[where.top]
    hops = np.full(side * side, -1, np.int64)
    hops[root] = 0
    front, parts = np.array([root], np.int64), []
    while front.size:
        found = []
        for dx, dy in (-y, x, -x, y):
            to = (front // side + dy) % side * side + (front % side + dx) % side
            sender, receiver = front[hops[to] < 0], to[hops[to] < 0]
            receiver, first = np.unique(receiver, return_index=True)
            parts.append((np.full(len(receiver), hops[front[0]]), sender[first], receiver))
            hops[receiver] = hops[front[0]] + 1
            found.append(receiver)
        front = np.concatenate(found)
    return hops, parts


def rank_descending(where: Territories, source: int) -> Schedule:
    """The paper's pattern from a source, all-port: every transfer, in the step after its sender has received.

    >>> from jumpnet.multicast.territory import territories
    >>> rank_descending(territories("prdt:64"), 0).steps
    8
    """
    side, top, n = where.side, where.top, where.n
    moves, root = root_hops(where, source, top, 0) if top else ([], source)
    table = np.array([(h.step, h.sender, h.receiver) for h in moves], np.int64).reshape(-1, 3)
    parts: list[tuple[I64, I64, I64]] = [(table[:, 0], table[:, 1], table[:, 2])]
    at, ready = np.array([root], np.int64), np.array([len(moves)], np.int64)

    def beyond(dx: int, dy: int) -> I64:
        return (at // side + dy) % side * side + (at % side + dx) % side

    for rank in range(top, -1, -1):
        x, y = (tuple(map(int, v)) for v in where.vectors[rank])
        if rank == top and (where.rank_of < 0).any():
            hops, spread = _fill_top(where, root)
            parts += [(step + len(moves), sender, receiver) for step, sender, receiver in spread]
            at = np.flatnonzero(hops >= 0)
            ready = len(moves) + hops[at]
        else:
            mask = where.distinct if rank == where.top else (1 << where.fanout) - 1
            for (ax, ay), (bx, by), step in reached(mask, n):
                parts.append(
                    (
                        ready + step,
                        beyond(ax * x[0] + ay * y[0], ax * x[1] + ay * y[1]),
                        beyond(bx * x[0] + by * y[0], bx * x[1] + by * y[1]),
                    )
                )
            chosen = [place for digit, place in enumerate(children(n)) if mask >> digit & 1]
            new = [beyond(a * x[0] + b * y[0], a * x[1] + b * y[1]) for a, b in chosen]
            ready = np.concatenate([ready + abs(a) + abs(b) for a, b in chosen])
            at = np.concatenate(new)
        if rank > 1:
            # Upper ranks keep the class, so that all routers make the same base hops.
            dx, dy = (int(v) for v in where.hops[where.class_at(int(at[0])), rank - 1])
            way = route((dx, dy))
            for (ax, ay), (bx, by) in pairwise(way):
                moved = beyond(bx - ax, by - ay)
                parts.append((ready, at, moved))
                at, ready = moved, ready + 1
    when, out, into = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Schedule.of(where.spec, "rank_descending", source, when, out, into)


def _make(net: Network, source: int, model: str) -> Schedule:
    where = territories(net)
    if where.top == 0 and net.routers > where.fanout:
        raise JumpnetError(f"broadcast rank_descending: {net.spec} has no upper ranks, a network with rank 1 expected")
    pattern = rank_descending(where, source)
    if model == "all-port":
        return pattern
    parent = np.full(net.routers, -2, np.int64)
    parent[source] = -1
    for sender, receiver in zip(pattern.sender.tolist(), pattern.receiver.tolist(), strict=True):
        if parent[receiver] == -2:
            parent[receiver] = sender
    return tree_schedule(net.spec, "rank_descending", parent, "one-port")


descending = Broadcast(
    "rank_descending", _make, ("rdt", "prdt"), "yang2001rdt section V.B", "rank by rank, from the top rank down"
)
