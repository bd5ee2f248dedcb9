"""Fair loops of a graph of steps: those in which whatever may arrive again and again does arrive.

Method: the strong components of the states in question; a component in which some kind of message may arrive but never
does, on a step inside it, loses the states in which it may, and what is left is taken apart again (strong fairness as
in emerson1987modalities). That nobody does anything any more counts as a step from each state to itself.
Called by `coherence.liveness`; its twin is tests/naive/loops.py.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from jumpnet.memory import require
from jumpnet.terms import I32, I64, Array

__all__ = ["Steps", "fair", "loop_from"]


@dataclass(frozen=True)
class Steps:
    """N states and E steps; those of state i stand from first[i] to first[i + 1]."""

    first: I64
    """(N + 1,)"""
    target: I32
    """(E,)"""
    arrived: I32
    """(E,) the kind of message that arrived, 0 where somebody acted by himself."""

    @property
    def source(self) -> I64:
        """(E,) the state of each step."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


def fair(steps: Steps, among: Array) -> I64:
    """(N,) a number from 0 for each state of a fair loop that stays `among` (N,) bool states, -1 for the others.

    States with the same number are one strong component, through all of which a fair loop goes. Cost: a strong
    decomposition for each time that a component is taken apart.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    found = np.full(len(among), -1, np.int64)
    source, kinds, left = steps.source, int(steps.arrived.max(initial=0)) + 1, among.copy()
    numbers = 0
    while left.any():
        place = np.cumsum(left) - 1
        count = int(place[-1]) + 1
        leaves = left[source]
        here, kind = source[leaves], steps.arrived[leaves]
        inner = left[steps.target[leaves]]
        before, after = place[here[inner]], place[steps.target[leaves][inner]]
        graph = coo_array((np.ones(len(before), np.int8), (before, after)), (count, count)).tocsr()
        parts, label = connected_components(graph, directed=True, connection="strong")
        require(2 * parts * kinds, f"fair loops of {count:,} states")
        may, does = np.zeros((parts, kinds), bool), np.zeros((parts, kinds), bool)
        may[label[place[here]], kind] = True
        same = label[before] == label[after]
        does[label[before[same]], kind[inner][same]] = True
        starved = may & ~does
        starved[:, 0] = False
        good = np.logical_not(starved.any(axis=1))
        states = np.flatnonzero(left)
        held = good[label]
        found[states[held]] = numbers + (np.cumsum(good) - 1)[label[held]]
        numbers += int(good.sum())
        left[states[held]] = False
        left[here[starved[label[place[here]], kind]]] = False
    return found


def loop_from(steps: Steps, component: Array, root: int) -> list[int]:
    """Numbers of steps of a fair loop from a state, inside a component as `fair` gives it; () where all stands still.

    component (N,) bool. The loop takes a nearest step of a kind that has not arrived until every kind has that may
    somewhere on it, then goes back: short, not always shortest.
    """
    loop: list[int] = []
    here, seen = root, {root}
    taken: set[int] = set()
    while True:
        wanted = {int(kind) for state in seen for kind in _kinds(steps, state)} - taken
        if not wanted and here == root:
            return loop
        way = _nearest(steps, component, here, wanted, root)
        for step in way:
            here = int(steps.target[step])
            seen.add(here)
            taken.add(int(steps.arrived[step]))
        loop += way


def _kinds(steps: Steps, state: int) -> Array:
    kinds = steps.arrived[steps.first[state] : steps.first[state + 1]]
    return kinds[kinds > 0]


def _nearest(steps: Steps, component: Array, begin: int, wanted: set[int], root: int) -> list[int]:
    """Steps from a state, up to one of a kind that is wanted; up to the root where none is."""
    came: dict[int, int] = {begin: -1}
    source: dict[int, int] = {}
    todo = deque([begin])
    while todo:
        state = todo.popleft()
        for step in range(int(steps.first[state]), int(steps.first[state + 1])):
            after = int(steps.target[step])
            if not component[after]:
                continue
            source[step] = state
            if (steps.arrived[step] in wanted) if wanted else after == root:
                way = [step]
                while state != begin:
                    way.append(came[state])
                    state = source[came[state]]
                return way[::-1]
            if after not in came:
                came[after] = step
                todo.append(after)
    raise AssertionError("not a strong component")
