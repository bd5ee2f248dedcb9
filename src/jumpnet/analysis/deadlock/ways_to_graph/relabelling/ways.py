"""The ways to go between permutations: by which port each goes on, of which kind it is, and what each kind does.

Two ways are of one kind where packets on them leave by the same port and take the same channels in every STATE. Called
by `graph`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.relabelling.outcomes import outcomes
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, KIND, NEXT_STATE, PORT, VC
from jumpnet.terms import I64

__all__ = ["MOST_STATES", "Taken", "Ways", "identity_of", "ways_of"]

MOST_STATES = 16
"""STATEs, which are bits of an index into tables."""
MOST_KINDS = 64
MOST_SYMBOLS = 10

Taken = tuple[tuple[int, int], ...]
"""Candidates, each its virtual channel and next STATE; none where packets arrive, or would fail."""


class Ways(NamedTuple):
    """All ways to go on a network of R permutations, each by the number of the router whose symbols name it."""

    end: int
    """The way of those that have arrived."""
    states: list[int]
    """Values of STATE that packets may have, the first of which they start with."""
    port: I64
    """(R,) the port by which each way goes on; -1 at the end."""
    depth: I64
    """(R,) hops to the end."""
    kind: I64
    """(R,) its kind, K at the end."""
    leaves_by: list[int]
    """The port of each kind."""
    asked: list[int]
    """Of each kind: the port of which it is asked whether it leads to a higher number; -1 for none."""
    takes: list[list[list[Taken]]]
    """Of each kind, answer (no, yes) and STATE in `states`: the candidates."""


def identity_of(net: Network) -> int | None:
    """The router of all symbols in order, where routers are all permutations and a port exchanges places; else None.

    >>> from jumpnet.topology import build
    >>> identity_of(build("star:4")), identity_of(build("torus:3x2"))
    (0, None)
    """
    coord = np.asarray(net.coord, np.int64)
    if coord.ndim != 2 or not 2 <= coord.shape[1] <= MOST_SYMBOLS or (net.neighbor < 0).any():
        return None
    places = np.arange(coord.shape[1])
    if net.routers != np.prod(places + 1) or (np.sort(coord, axis=1) != places).any():
        return None
    if len(np.unique(coord @ coord.shape[1] ** places)) != net.routers:
        return None
    end = int(np.flatnonzero((coord == places).all(axis=1))[0])
    moves = (coord[net.neighbor[:, p]] == coord[:, coord[net.neighbor[end, p]]] for p in range(net.ports))
    return end if all(move.all() for move in moves) else None


def ways_of(bound: BoundRouting, end: int) -> Ways:
    """What packets that start with STATE 0 do on each way to go.

    Raises Unfit where STATE, or where a packet is, says by which port it goes on, and where packets may go in circles.
    """
    routers = np.arange(bound.network.routers)
    names: dict[Taken, int] = {(): 0}
    port, asked, chosen = np.full(len(routers), -1, np.int64), {}, {}
    reached, todo = {0: routers != end}, {0: routers[routers != end]}
    while todo:
        state, some = todo.popitem()
        if state not in chosen:
            asked[state], chosen[state] = _run(bound, end, state, port, names)
        for taken in np.unique(chosen[state][:, some]).tolist():
            these = some[(chosen[state][:, some] == taken).any(axis=0)]
            for _, then in list(names)[taken]:
                if len(reached) == MOST_STATES and then not in reached:
                    raise Unfit
                ahead = bound.network.neighbor[these, port[these]]
                before = reached.setdefault(then, np.zeros(len(routers), bool))
                new = np.unique(ahead[~before[ahead]])
                before[new] = True
                if len(new):
                    todo[then] = np.union1d(new, todo.get(then, new))
    depth, ahead = _depths(bound.network, end, port), np.array(list(asked.values()))
    question = ahead.max(axis=0)
    if ((ahead >= 0) & (ahead != question)).any():
        raise Unfit
    columns, kind = np.unique(
        np.stack([port, question, *np.concatenate(list(chosen.values()))]), axis=1, return_inverse=True
    )
    return _by_kind(Ways(end, list(chosen), port, depth, kind.reshape(-1), [], [], []), columns.T.tolist(), list(names))


def _by_kind(ways: Ways, columns: list[list[int]], names: list[Taken]) -> Ways:
    """With what each kind does: its port, its question, and what it takes. The end's kind is the last."""
    last = int(ways.kind[ways.end])
    if len(columns) > MOST_KINDS or (ways.kind == last).sum() != 1:
        raise Unfit
    ways.kind[:] = np.where(ways.kind == last, len(columns) - 1, ways.kind - (ways.kind > last))
    del columns[last]
    for by, question, *taken in columns:
        ways.leaves_by.append(by)
        ways.asked.append(question)
        ways.takes.append([[names[name] for name in taken[answer::2]] for answer in range(2)])
    return ways


def _run(bound: BoundRouting, end: int, state: int, port: I64, names: dict[Taken, int]) -> tuple[I64, I64]:
    """(R,) the port of each way's question, (2, R) the name of what packets take by its answer; fills in `port`."""
    asked, chosen = np.full(len(port), -1, np.int64), np.zeros((2, len(port)), np.int64)
    for which, question, up, found, rows in outcomes(bound, state):
        asked[which] = question
        arrives = bool((which == end).any())
        if arrives and (found != 0 or len(which) > 1):
            raise Unfit
        if found <= 0 or not _fits(bound, rows):
            continue
        before, by = port[which], int(rows[0, PORT])
        if ((before >= 0) & (before != by)).any():
            raise Unfit
        port[which] = by
        taken = tuple((int(row[VC]), int(row[NEXT_STATE])) for row in rows)
        chosen[int(up) if question >= 0 else slice(None), which] = names.setdefault(taken, len(names))
    return asked, chosen


def _fits(bound: BoundRouting, rows: I64) -> bool:
    """Whether all candidates are there, by one port, which with others that are there is needed; raises Unfit."""
    ports, vcs = rows[:, PORT], rows[:, VC]
    if (ports != ports[0]).any() or (rows[:, KIND] & ESCAPE).any():
        raise Unfit
    return bool(0 <= ports[0] < bound.network.ports and ((vcs >= 0) & (vcs < bound.vcs)).all())


def _depths(net: Network, end: int, port: I64) -> I64:
    """(R,) hops of each way to the end; raises Unfit where one does not lead there."""
    then = np.where(port >= 0, net.neighbor[np.arange(len(port)), port], -1)
    depth = np.full(len(port), -1, np.int64)
    depth[end], hops = 0, 0
    while (new := (depth < 0) & (then >= 0) & (depth[then] == hops)).any():
        hops += 1
        depth[new] = hops
    if (depth < 0).any():
        raise Unfit
    return depth
