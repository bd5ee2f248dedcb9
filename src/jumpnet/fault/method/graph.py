"""The graph method: a largest independent set of the contradiction graph, found greedily.

After Kung, Jean and Chan 1989 (inoguchi1996srt [7]): vertices are candidate compensation paths, edges join those that
cannot be used together, and the wafer is reconfigured by an independent set with one vertex for each fault.
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
SUMMARY = "a large independent set of the contradiction graph of straight compensation paths, by least degree"


def independent_set(found: Candidates) -> I64:
    """(faults,) the side chosen for each fault, -1 for none: a maximal independent set, smallest degree first.

    Faults with the fewest candidates left go first; of these candidates the one that excludes the fewest others.
    Cost: candidates^2.
    """
    excludes = neighbours(found)
    direction = np.full(len(found.faults), -1, np.int64)
    of: dict[int, list[int]] = {}
    for c, f in enumerate(found.fault.tolist()):
        of.setdefault(f, []).append(c)
    alive = (1 << len(excludes)) - 1
    open_faults = {f: len(cs) for f, cs in of.items()}
    while open_faults:
        f = min(open_faults, key=lambda g: (open_faults[g], g))
        left = [c for c in of[f] if alive >> c & 1]
        del open_faults[f]
        if not left:
            continue
        best = min(left, key=lambda c: ((excludes[c] & alive).bit_count(), c))
        direction[f] = found.side[best]
        gone = (excludes[best] | 1 << best) & alive
        alive &= ~gone
        while gone:
            c = (gone & -gone).bit_length() - 1
            gone &= gone - 1
            g = int(found.fault[c])
            if g in open_faults:
                open_faults[g] -= 1
    return direction


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
