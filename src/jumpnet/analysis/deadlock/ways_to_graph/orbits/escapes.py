"""Duato's condition for routings that move with automorphisms: kinds of escape channels, and places within a few kinds.

A kind is a port of the routers of an orbit and a virtual channel. Which kinds may lie behind a packet is a set for each
state, from one router of each orbit. Kinds that are on no cycle have an order; of those that
do, every two channels that packets ask for one after the other are placed at all routers, and numbered. Source: Duato
1993. Called by `conditions.escape_numbers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import Order, order_or_cycle
from jumpnet.analysis.deadlock.rows.bit_rows import are_set, set_bits, words_of
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.analysis.deadlock.ways_to_graph.orbits._behind import Met, kinds_ahead, kinds_behind, ways_within
from jumpnet.analysis.deadlock.ways_to_graph.orbits._place import Escapes, Onward, place_pairs
from jumpnet.analysis.deadlock.ways_to_graph.orbits.pairs import Pairs, needed
from jumpnet.analysis.deadlock.ways_to_graph.orbits.states import StatesByOrbit
from jumpnet.process.threads import share, slices
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I16, I32, I64, Array

__all__ = ["lacking", "numbers_by_orbit"]

MOST_KINDS = 1 << 10
LEAST_WAYS = 1 << 15
MOST_WAYS = 1 << 24
"""Routers and states that packets come to while they hold an escape channel."""
MOST_PLACED = 1 << 26
"""Pairs of channels that are listed at once."""
MOST_PAIRS = 1 << 15
"""Pairs of rows of which those are looked for that follow from others (some seconds)."""


def lacking(moved: StatesByOrbit) -> tuple[int, int] | None:
    """(router, destination) of a packet on its way that finds no escape candidate, if there is one."""
    states = moved.states
    without = (moved.port[moved.row[moved.request]] < 0) & (np.diff(states.first[: moved.nodes + 1]) > 0)
    if not without.any():
        return None
    n = int(np.flatnonzero(without)[0])
    return int(states.router[n]), int(states.target[n])


@dataclass(frozen=True, eq=False)
class _Rows:
    """Escapes of all rows: where two ask for the same channels at every router, they are one row."""

    row: I32
    """(N,) of each state, -1 where it has none."""
    router: I32
    """(V,) the orbit's representative."""
    port: I16
    """(V,)."""
    vc: Array
    """(V, M) at each router of the orbit."""
    kind: I64
    """(V, vcs) number of the kind, -1 where a virtual channel is not asked for anywhere."""
    kinds: Array
    """(V, W) uint64 the same as bits."""
    count: int
    """Kinds."""


def numbers_by_orbit(moved: StatesByOrbit, workers: int = 1) -> Order | None:
    """(C,) numbers of the escape channels, -1 elsewhere, that ascend along all extended dependencies, or the channels
    of a shortest cycle of these; None if neither is found, or where a channel may be an escape and be taken otherwise.

    Cost: some passes over the states, and over the routers for each pair of escapes of one cycle of kinds.
    """
    rows = _rows(moved)
    if rows is None:
        return None
    words = rows.kinds.shape[1]
    behind, ahead = np.zeros((moved.nodes, words), np.uint64), np.zeros((moved.nodes, words), np.uint64)
    held = np.zeros_like(rows.kinds)
    given = moved.states, moved.order, moved.nodes, rows.row, rows.kinds
    both = [partial(kinds_behind, *given, behind, held), partial(kinds_ahead, *given, ahead)]
    share(lambda one: one(), both, workers)
    part, rank = _parts(_after(are_set(held, rows.count), are_set(rows.kinds, rows.count)))
    found = _within(moved, rows, ahead, part, workers)
    local = None if found is None else _placed(moved, rows, found, part, workers)
    if local is None or local.number is None:
        return local
    number = np.full(len(local.number), -1, np.int64)
    for v in range(len(rows.port)):
        channel = _channels(moved, rows, v, _routers(moved, rows, v))
        number[channel] = rank[rows.kind[v, channel % moved.bound.vcs]] * len(number) + local.number[channel]
    return Order(number, None)


def _routers(moved: StatesByOrbit, rows: _Rows, v: int) -> I64:
    """(M,) routers of the orbit of a row."""
    return moved.orbits.of(int(rows.router[v])).astype(np.int64)


def _channels(moved: StatesByOrbit, rows: _Rows, v: int, routers: I64) -> I64:
    """The channels of a row at some routers of its orbit."""
    net, vcs = moved.bound.network, moved.bound.vcs
    return (routers * net.ports + rows.port[v]) * vcs + rows.vc[v, moved.orbits.place[routers]]


def _rows(moved: StatesByOrbit) -> _Rows | None:
    """The escapes of all requests in rows and kinds; None where kinds are too many, or are asked for otherwise too."""
    vcs = moved.bound.vcs
    named = moved.states.router[moved.member[np.unique(moved.row, return_index=True)[1]]]
    seen: dict[tuple[int, int, bytes], int] = {}
    of = np.full(len(moved.at), -1, np.int32)
    for v in np.flatnonzero(moved.port >= 0).tolist():
        of[v] = seen.setdefault((int(named[v]), int(moved.port[v]), moved.at[v].tobytes()), len(seen))
    first = np.unique(of, return_index=True)[1][-len(seen) :]
    router, port = (np.array([name[k] for name in seen], np.int64) for k in (0, 1))
    vc = moved.at[first]
    asked = np.array([[(row == v).any() for v in range(vcs)] for row in vc])
    every = (router * moved.bound.network.ports + port)[:, None] * vcs + np.arange(vcs)
    known, kind = np.unique(every[asked], return_inverse=True)
    if len(known) > MOST_KINDS or np.isin(_taken_otherwise(moved), known).any():
        return None
    number = np.full(asked.shape, -1, np.int64)
    number[asked] = kind.reshape(-1)
    kinds = np.zeros((len(seen), words_of(len(known))), np.uint64)
    for bits, row in zip(kinds, number, strict=True):
        set_bits(bits, row[row >= 0])
    row_of = of[moved.row[moved.request]]
    return _Rows(row_of, router.astype(np.int32), port.astype(np.int16), vc, number, kinds, len(known))


def _taken_otherwise(moved: StatesByOrbit) -> I64:
    """Kinds of channels that are asked for not as escapes, named (router of the orbit * ports + port) * vcs + vc."""
    states, slots = moved.states, moved.bound.network.ports * moved.bound.vcs
    taken = np.zeros((moved.bound.network.routers, slots), bool)
    for n in moved.member.tolist():  # one state of each request, as all of a request ask for the same
        some = slice(states.first[n], states.first[n + 1])
        taken[states.router[n], states.slot[some][states.kind[some] & ESCAPE == 0]] = True
    return np.flatnonzero(taken)


def _after(held: Array, asked: Array) -> Array:
    """(K, K) bool: whether packets that hold the first kind may ask for the second; of each row (V, K) the kinds that
    are held where it is asked for, and those that it is of."""
    after = np.zeros((held.shape[1], held.shape[1]), bool)
    for those, kinds in zip(held, asked, strict=True):
        after[those] |= kinds
    return after


def _parts(after: Array) -> tuple[I64, I64]:
    """(part, rank) of kinds: the strong component of each, -1 if none, and numbers that ascend but within one."""
    reach = after.copy()
    for k in range(len(reach)):
        reach |= reach[:, k, None] & reach[k]
    circle = reach & reach.T
    part = np.where(circle.any(axis=1), circle.argmax(axis=1), -1)
    return part, len(reach) - (reach | np.eye(len(reach), dtype=bool)).sum(axis=1)


def _within(moved: StatesByOrbit, rows: _Rows, ahead: Array, part: I64, workers: int) -> Pairs | None:
    """The pairs among kinds of one component; None where there are too many ways."""
    near = np.zeros_like(rows.kinds)
    for bits, row in zip(near, rows.kind, strict=True):
        set_bits(bits, np.flatnonzero((part >= 0) & np.isin(part, part[row[row >= 0]])))
    given = moved.bound.network.neighbor, moved.bound.vcs, moved.states, moved.nodes, rows.row, rows.kinds, ahead
    share_of = np.arange(len(near)) % workers
    parts = [np.where((share_of == k)[:, None], near, np.uint64(0)) for k in range(workers)]
    found = share(lambda those: _ways(*given, those), parts, workers)
    ways = [met for met in found if met is not None]
    begin = np.cumsum([0, *(len(met.line) for met in ways)])
    if len(ways) < len(found) or begin[-1] > MOST_WAYS:  # the same for any number of threads
        return None
    held, node, there, before, port = np.concatenate([met.line for met in ways]).T
    before = np.where(before < 0, -1, before + np.repeat(begin[:-1], np.diff(begin)))
    last = np.flatnonzero(np.concatenate([met.asks for met in ways]))
    routers = moved.bound.network.routers
    code = (held[last].astype(np.int64) * routers + there[last]) * len(rows.kinds) + rows.row[node[last]]
    known, first = np.unique(code, return_index=True)
    return Pairs(known, routers, len(rows.kinds), last[first], before, port)


def _ways(*given: object) -> Met | None:
    """The ways that `ways_within` finds from the rows that have something near; None where there are too many.

    Ways from different rows share nothing, and those from one are found in the same order whatever rows are beside it.
    """
    room = LEAST_WAYS
    while room <= MOST_WAYS:
        table, line = np.zeros(4 * room, np.int32), np.zeros((room, 5), np.int32)
        met = Met(table, line, np.zeros(room, np.int8), np.zeros(1, np.int64))
        if ways_within(*given, met):
            many = int(met.lines[0])
            return met._replace(line=line[:many], asks=met.asks[:many])
        room = min(4 * room, MOST_WAYS) if room < MOST_WAYS else MOST_WAYS + 1
    return None


def _placed(moved: StatesByOrbit, rows: _Rows, found: Pairs, part: I64, workers: int) -> Order | None:
    """(C,) numbers that ascend along the pairs at all routers, where both are of kinds of one component, or a shortest
    cycle; None where they are too many.
    """
    most = MOST_PLACED // moved.at.shape[1]
    if len(found.code) <= most:
        return _in_order(moved, rows, found, np.arange(len(found.code)), part, workers)
    some = needed(found, moved.bound.network.neighbor) if len(found.code) <= MOST_PAIRS else found.code
    order = _in_order(moved, rows, found, some, part, workers) if len(some) <= most else None
    return None if order is None or order.number is None else order  # a cycle of some need not be a shortest


def _in_order(moved: StatesByOrbit, rows: _Rows, found: Pairs, some: Array, part: I64, workers: int) -> Order:
    """The same for some of the pairs."""
    net, vcs = moved.bound.network, moved.bound.vcs
    ways = [found.ports(pair) for pair in some.tolist()]
    hops, way = np.cumsum([0, *map(len, ways)]), np.array([port for ports in ways for port in ports], np.int64)
    pair = np.stack([found.held[some], found.wanted[some]], axis=1)
    group = np.where(rows.kind >= 0, part[rows.kind], -1)
    escapes = Escapes(rows.router, rows.port, rows.vc, group)

    def place(these: slice) -> I64:
        """The codes of some pairs, in ascending order."""
        onward = Onward(pair[these], way, hops[these.start : these.stop + 1])
        code = np.full((these.stop - these.start, moved.at.shape[1]), -1, np.int64)
        place_pairs(net.neighbor, vcs, onward, escapes, moved.orbits, code)
        return np.sort(code[code >= 0])

    code = np.concatenate([np.zeros(0, np.int64), *share(place, slices(len(some), workers), workers)])
    code.sort(kind="stable")  # soon done, as the parts are in order
    new = np.ones(len(code), bool)
    new[1:] = code[1:] != code[:-1]
    code = code[new]  # as `np.unique`, whose tables take some seconds for millions
    size = net.routers * net.ports * vcs
    indptr = row_starts(code // size, size)
    return order_or_cycle(indptr, (code % size).astype(np.int32))
