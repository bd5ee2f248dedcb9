"""Naive twin of `jumpnet.coherence.search.loops`: every set of states is tried, by the definition of a fair loop."""

from __future__ import annotations

from itertools import combinations


def fair_states(steps, among):
    """States that lie on some fair loop inside `among`.

    steps: {state: [(after, kind), ...]}, kind 0 where no message arrives. A loop that goes through all states of a set
    is there when each reaches each within the set; it may be made to take all steps inside. It is fair when every kind
    that may arrive in one of them arrives by a step inside. A state alone is a loop: nothing happens any more.
    """
    found = set()
    for size in range(1, len(among) + 1):
        for some in map(set, combinations(sorted(among), size)):
            may = {kind for state in some for _, kind in steps[state] if kind}
            does = {kind for state in some for after, kind in steps[state] if kind and after in some}
            if may == does and all(reached(steps, state, some) == some for state in some):
                found |= some
    return found


def reached(steps, begin, some):
    """States that are reached from one by steps within a set."""
    seen, todo = {begin}, [begin]
    while todo:
        for after, _ in steps[todo.pop()]:
            if after in some and after not in seen:
                seen.add(after)
                todo.append(after)
    return seen
