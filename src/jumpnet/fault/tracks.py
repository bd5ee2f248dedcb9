"""Which track each wire of a gap takes: the greedy choice of `_place`, and round breaks a search that misses nothing.

A gap is a grid of switches, one for each line and track. A wire goes along the edges between switches; a switch joins
its four edges in pairs in any of three ways, so a choice is good when every ring has a trail from its line before the
gap to its line after it and no two trails share an edge (ours; docs/decisions/0020). The search goes down the lines and
remembers only what crosses to the next one. Used by `configuration.py` and `lines.py`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from jumpnet.fault._place import route_gap
from jumpnet.fault._trace import trace
from jumpnet.fault.array import CROSS, OPEN, WN_SE, WS_NE
from jumpnet.terms import I8, I64

__all__ = ["MOST_SEARCHED", "search_gap", "set_gap"]

MOST_SEARCHED = 4
"""Tracks up to which the search is made; its cost grows exponentially with them."""
NONE = -1
_W, _E, _N, _S = 1, 2, 4, 8
_Edges = tuple[int, ...]
"""What each track carries from one line to the next: NONE; a ring by its number, when one of its two terminals lies
above; below NONE a pair of equal numbers: odd for the two ends of a ring whose terminals both lie above, which must
meet below, even for the two ends of a piece that turns above and is not yet of any ring."""


def _greedy(first: I64, last: I64, broken: I8) -> I8 | None:
    """The choice of `route_gap`, when no wire of it meets a break."""
    states, used = np.zeros((1, *broken.shape), np.int8), np.zeros(len(first), np.int64)
    if route_gap(first, last, broken.shape[1], used, states, 0) > 0:
        return None
    if broken.any():
        # The one gap, closed to a torus of one position: each wire has to end on its own ring.
        rings = np.arange(len(first))
        owner, place = np.full((len(broken), 1), -1, np.int64), np.zeros((len(first), 1, 2), np.int32)
        owner[last, 0], place[:, 0, 0] = rings, first
        reached, length, turns = (np.empty((len(first), 1), np.int64) for _ in range(3))
        trace(owner, place, states + 4 * broken, reached, length, turns)
        if (reached[:, 0] != rings).any():
            return None
    return states[0]


def set_gap(first: I64, last: I64, broken: I8) -> I8 | None:
    """(lines, tracks) switch states by which every ring r goes on from line first[r] to line last[r], or None.

    broken (lines, tracks): bits of the terminals that no wire may use, as in `Breaks`. None says that there are none,
    but with breaks and more than `MOST_SEARCHED` tracks only that the greedy choice fails.

    >>> first = np.array([0, 1])
    >>> set_gap(first, first + 1, np.zeros((3, 1), np.int8)).tolist()
    [[3], [3], [3]]
    >>> broken = np.array([[8, 0], [0, 0], [0, 0]], np.int8)  # track 0 is broken between lines 0 and 1
    >>> set_gap(first, first + 1, broken).tolist()
    [[1, 3], [1, 3], [0, 3]]
    """
    found = _greedy(first, last, broken)
    if found is None and broken.any() and broken.shape[1] <= MOST_SEARCHED and _room(first, last, broken):
        return search_gap(first, last, broken)
    return found


def _room(first: I64, last: I64, broken: I8) -> bool:
    """Whether every ring can leave and arrive, and every boundary between lines has edges for those that must cross."""
    if (broken[first, 0] & _W).any() or (broken[last, -1] & _E).any():
        return False
    usable = ((broken[:-1] & _S) == 0) & ((broken[1:] & _N) == 0)
    low, high = np.minimum(first, last), np.maximum(first, last)
    x = np.arange(len(broken) - 1)[:, None]
    return bool((((low <= x) & (x < high)).sum(axis=1) <= usable.sum(axis=1)).all())


def search_gap(first: I64, last: I64, broken: I8) -> I8 | None:
    """As `set_gap`, by a complete search for the states with the fewest pieces of track; None when there are none.

    Best first over (line, what crosses to it). Cost: lines times the ways in which wires can cross, which grow
    exponentially with the tracks.
    """
    lines, tracks = broken.shape
    enters, exits = np.full(lines, NONE), np.full(lines, NONE)
    enters[first], exits[last] = np.arange(len(first)), np.arange(len(last))
    begin = (0, (NONE,) * tracks)
    heap: list[tuple[int, int, _Edges]] = [(0, *begin)]
    best = {begin: 0}
    before: dict[tuple[int, _Edges], tuple[_Edges, tuple[int, ...]]] = {}
    while heap:
        cost, x, above = heapq.heappop(heap)
        if cost > best[x, above]:
            continue
        if x == lines:
            return _states(before, above, lines)
        over = {int(r) for r in np.flatnonzero((first <= x) & (last <= x))}
        for below, row in _line(above, int(enters[x]), int(exits[x]), broken[x].tolist()):
            if x + 1 == lines and any(label != NONE for label in below):
                continue
            crosses = _canonical(below, over)
            total = cost + sum(label != NONE for label in crosses)
            if total < best.get((x + 1, crosses), total + 1):
                best[x + 1, crosses] = total
                before[x + 1, crosses] = above, row
                heapq.heappush(heap, (total, x + 1, crosses))
    return None


def _line(above: _Edges, enters: int, exits: int, broken: list[int]) -> Iterator[tuple[_Edges, tuple[int, ...]]]:
    """Every way through the switches of one line: what goes on below, and the states.

    enters, exits: the ring on the link before the gap and after it, or NONE. On the way, `edges` is what the tracks
    passed carry below and the others carry above, and `along` what goes on to the next switch.
    """
    todo: list[tuple[int, _Edges, tuple[int, ...]]] = [(enters, above, ())]
    while todo:
        along, edges, row = todo.pop()
        t = len(row)
        if t == len(broken):
            joined = edges if along == exits == NONE else _joined(along, exits, edges)
            if joined is not None:
                yield joined, row
            continue
        down, dead = edges[t], broken[t]
        wires = along != NONE, down != NONE

        def closed(*ends: tuple[int, int], dead: int = dead) -> bool:
            """Whether one of these wires would use a broken terminal: (wire, its two terminals)."""
            return any(label != NONE and dead & terminals for label, terminals in ends)

        def put(onward: int, below: int, state: int, edges: _Edges = edges, row: tuple[int, ...] = row) -> None:
            t = len(row)
            todo.append((onward, (*edges[:t], below, *edges[t + 1 :]), (*row, state)))

        if not closed((along, _W | _E), (down, _N | _S)):
            put(along, down, CROSS if any(wires) else OPEN)
        if any(wires) and not closed((along, _W | _S), (down, _N | _E)):
            put(down, along, WS_NE)
        met = _joined(along, down, edges) if all(wires) and not dead & (_W | _N) else None
        if met is not None:
            put(NONE, NONE, WN_SE, met)
        if (met is not None or not any(wires)) and not dead & (_E | _S):
            fresh = 2 * (min(*edges, along, NONE) // 2 - 1)  # a wire from below that goes on along the line
            put(fresh, fresh, WN_SE, edges if met is None else met)


def _joined(a: int, b: int, edges: _Edges) -> _Edges | None:
    """The edges when the ends a and b meet: two ends of one ring, or an end of a piece and what it becomes part of."""
    if NONE in (a, b):
        return None
    for piece, other in ((a, b), (b, a)):
        if piece < NONE and piece % 2 == 0:
            return None if piece == other else tuple(other if label == piece else label for label in edges)
    return edges if a == b else None


def _canonical(below: _Edges, over: set[int]) -> _Edges:
    """Ends of pieces and of rings whose terminals both lie above, numbered by the first track they are on."""
    names: dict[int, int] = {}
    found = []
    for label in below:
        if label in over or label < NONE:
            meets = label in over or label % 2 == 1
            found.append(names.setdefault(label, NONE - 1 - meets - 2 * len(names)))
        else:
            found.append(label)
    return tuple(found)


def _states(before: dict[tuple[int, _Edges], tuple[_Edges, tuple[int, ...]]], below: _Edges, lines: int) -> I8:
    states = []
    for x in range(lines, 0, -1):
        below, row = before[x, below]
        states.append(row)
    return np.array(states[::-1], np.int8)
