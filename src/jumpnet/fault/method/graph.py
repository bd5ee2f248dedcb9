"""The graph method: a large independent set of the contradiction graph, found greedily in rounds.

After Kung, Jean and Chan 1989 (inoguchi1996srt [7]): vertices are candidate compensation paths, edges join those that
cannot be used together, and the wafer is reconfigured by an independent set with one vertex for each fault. Their
algorithm for it, "an existing one", is not at hand (docs/decisions/0020).
"""

from __future__ import annotations

import numpy as np

from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks
from jumpnet.fault.candidates import Candidates, candidates, neighbours
from jumpnet.fault.configuration import Reconfiguration, configure
from jumpnet.fault.lines import choose_sides, line_choices
from jumpnet.terms import I64, Array

__all__ = ["NAME", "SUMMARY", "independent_set", "reconfigure"]

NAME = "graph"
SUMMARY = "a large independent set of the contradiction graph of straight compensation paths, by least degree in rounds"
ROUNDS = 32
"""Independent sets made, each with what failed before put first."""


def independent_set(found: Candidates) -> I64:
    """(faults,) the side chosen for each fault, -1 for none: the largest of some maximal independent sets.

    In each round faults with the fewest candidates left go first; of these candidates the one that excludes the fewest
    others. A fault that was left without one goes before all that failed less often in the next round; the rounds end
    with a candidate for each. Cost: rounds x candidates^2.
    """
    excludes = neighbours(found)
    of: dict[int, list[int]] = {f: [] for f in range(len(found.faults))}
    for c, f in enumerate(found.fault.tolist()):
        of[f].append(c)
    failed, best = dict.fromkeys(of, 0), dict[int, int]()
    for _ in range(ROUNDS):
        chosen = _greedy(of, excludes, failed)
        best = max(best, chosen, key=len)
        left = [f for f in of if f not in chosen]
        if not all(of[f] for f in left) or not left:
            break
        for f in left:
            failed[f] += 1
    direction = np.full(len(found.faults), -1, np.int64)
    for f, c in best.items():
        direction[f] = found.side[c]
    return direction


def _greedy(of: dict[int, list[int]], excludes: list[int], failed: dict[int, int]) -> dict[int, int]:
    """One round: a candidate of each fault that still had one in its turn."""
    chosen: dict[int, int] = {}
    alive = (1 << len(excludes)) - 1
    options = {f: sum(1 << c for c in cs) for f, cs in of.items()}
    while options:
        f = min(options, key=lambda g: (-failed[g], (options[g] & alive).bit_count(), g))
        left = [c for c in of[f] if alive >> c & 1]
        del options[f]
        if left:
            chosen[f] = min(left, key=lambda c: ((excludes[c] & alive).bit_count(), c))
            alive &= ~(excludes[chosen[f]] | 1 << chosen[f])
    return chosen


def reconfigure(array: WaferArray, bad: Array, breaks: Breaks | None = None) -> Reconfiguration:
    """Reconfigure by an independent set of the contradiction graph of paths.

    With several spare lines a side, and with broken links, switches or tracks, it is the graph of what lines may do.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4, 2, 2, 2, 2, tracks=2)
    >>> reconfigure(array, from_places(array, [(3, 2), (3, 3), (3, 4)])).repaired
    True
    """
    if breaks is not None:
        bad = breaks.needed(bad)
    if array.most_spares > 1 or breaks is not None:
        found = line_choices(array, bad, breaks)
        sides = independent_set(found.graph)
        chosen = {line: int(way) for line, way in enumerate(sides) if way >= 0}
        idle, direction = choose_sides(array, bad, found, chosen)
        return configure(array, idle, direction, NAME, None, breaks)
    return configure(array, bad, independent_set(candidates(array, bad)), NAME)
