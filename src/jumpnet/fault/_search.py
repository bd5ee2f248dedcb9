"""Complete search for an independent set with one candidate for each fault. Used by `method/exact.py`.

Backtracking on the fault with the fewest candidates left, component by component; a component that takes long is
given to the integer-programming solver, which is complete as well.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

from jumpnet.fault.candidates import Candidates, neighbours

__all__ = ["choose", "irreducible"]

NODES = 20_000
"""Steps of backtracking before a component goes to the solver."""


class _Slow(Exception):
    """The backtracking took more than its steps."""


def _components(found: Candidates, faults: list[int]) -> list[list[int]]:
    """Faults grouped so that candidates of different groups never exclude each other."""
    parent = {f: f for f in faults}

    def root(f: int) -> int:
        while parent[f] != f:
            parent[f] = parent[parent[f]]
            f = parent[f]
        return f

    for a, b in np.argwhere(np.triu(found.conflict)).tolist():
        f, g = int(found.fault[a]), int(found.fault[b])
        if f in parent and g in parent:
            parent[root(f)] = root(g)
    groups: dict[int, list[int]] = {}
    for f in faults:
        groups.setdefault(root(f), []).append(f)
    return list(groups.values())


def _backtrack(masks: dict[int, int], excludes: list[int], alive: int, steps: list[int]) -> dict[int, int] | None:
    """One candidate for each fault of `masks` out of the candidates `alive`, or None when there is no such choice."""
    if not masks:
        return {}
    steps[0] += 1
    if steps[0] > NODES:
        raise _Slow
    f = min(masks, key=lambda g: (masks[g] & alive).bit_count())
    left = masks[f] & alive
    rest = {g: m for g, m in masks.items() if g != f}
    while left:
        bit = left & -left
        left ^= bit
        c = bit.bit_length() - 1
        after = alive & ~excludes[c]
        if all(m & after for m in rest.values()):
            found = _backtrack(rest, excludes, after, steps)
            if found is not None:
                return {f: c, **found}
    return None


def _program(masks: dict[int, int], excludes: list[int]) -> dict[int, int] | None:
    """The same question as a 0-1 program: exactly one candidate for each fault, at most one of each conflict."""
    chosen = sorted(c for m in masks.values() for c in range(m.bit_length()) if m >> c & 1)
    place = {c: k for k, c in enumerate(chosen)}
    rows, low = [[place[c] for c in chosen if m >> c & 1] for m in masks.values()], [1.0] * len(masks)
    for c in chosen:
        pairs = [[place[c], place[d]] for d in chosen if d > c and excludes[c] >> d & 1]
        rows += pairs
        low += [0.0] * len(pairs)
    entries = np.array([(r, k) for r, row in enumerate(rows) for k in row])
    matrix = csr_matrix((np.ones(len(entries)), (entries[:, 0], entries[:, 1])), (len(rows), len(chosen)))
    solved = milp(
        np.zeros(len(chosen)),
        constraints=LinearConstraint(matrix, low, np.ones(len(rows))),
        integrality=np.ones(len(chosen)),
        bounds=Bounds(0, 1),
    )
    if solved.x is None:
        return None
    return {f: next(c for c in chosen if m >> c & 1 and solved.x[place[c]] > 0.5) for f, m in masks.items()}


def _solve(found: Candidates, excludes: list[int], faults: list[int]) -> dict[int, int] | None:
    masks = dict.fromkeys(faults, 0)
    for c, f in enumerate(found.fault.tolist()):
        if f in masks:
            masks[f] |= 1 << c
    if not all(masks.values()):
        return None
    try:
        return _backtrack(masks, excludes, (1 << len(excludes)) - 1, [0])
    except _Slow:
        return _program(masks, excludes)


def choose(found: Candidates) -> tuple[dict[int, int], list[list[int]]]:
    """(candidate of each fault that has one, groups of faults that no choice serves), complete for each group."""
    excludes = neighbours(found)
    chosen: dict[int, int] = {}
    failed = []
    for group in _components(found, list(range(len(found.faults)))):
        made = _solve(found, excludes, group)
        if made is None:
            failed.append(group)
        else:
            chosen.update(made)
    return chosen, failed


def irreducible(found: Candidates, group: list[int]) -> list[int]:
    """Faults of a failed group that cannot be served together, though they could without any one of them."""
    excludes = neighbours(found)
    kept = list(group)
    for f in group:
        fewer = [g for g in kept if g != f]
        if fewer and _solve(found, excludes, fewer) is None:
            kept = fewer
    return kept
