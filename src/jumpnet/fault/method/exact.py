"""The exact method: a repair by straight compensation paths whenever there is one, else why there is none.

First the yardstick of `flow.py`: too few disjoint paths means that no method mends the wafer, and the cut says so.
Then a complete search over the contradiction graph of `candidates.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.fault._search import choose, irreducible
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks
from jumpnet.fault.candidates import candidates
from jumpnet.fault.configuration import Reconfiguration, configure, core_faults
from jumpnet.fault.flow import min_cut
from jumpnet.fault.lines import directions, line_choices
from jumpnet.terms import Array

__all__ = ["NAME", "SUMMARY", "reconfigure"]

NAME = "exact"
SUMMARY = "complete search over straight compensation paths; a cut or a conflicting set of faults when there is none"


def reconfigure(array: WaferArray, bad: Array, breaks: Breaks | None = None) -> Reconfiguration:
    """Reconfigure exactly, over straight paths.

    The certificate without a repair is, with one spare line a side, {kind: "cut", paths, faults, enclosed, elements}:
    `enclosed` faults have only the fewer `elements` to leave by; or {kind: "conflict", faults}: no choice of straight
    paths serves these together, and each of them is needed for that. With several, or with broken links, switches or
    tracks, vertices are what whole lines do (`lines.py`), and it is {kind: "lines", rows, columns, faults}: no choice
    of straight paths serves these logical rows and columns together, and each line is needed for that; `faults` are
    those on them (with the elements beside broken links and switches idle; with one track nothing is lost by that, see
    `breaks.py`). {kind: "severed", rows, columns}: a useless link lies beside a spare of these lines, where no method
    can shift them off it.
    """
    if array.most_spares > 1 or breaks is not None:
        return _by_lines(array, bad, breaks)
    found = candidates(array, bad)
    chosen, failed = choose(found)
    direction = np.full(len(found.faults), -1, np.int64)
    for f, c in chosen.items():
        direction[f] = found.side[c]
    certificate: dict[str, Any] | None = None
    if failed:
        cut = min_cut(array, bad)
        if len(cut.enclosed):
            certificate = {
                "kind": "cut",
                "paths": cut.paths,
                "faults": len(found.faults),
                "enclosed": cut.enclosed.tolist(),
                "elements": cut.elements.tolist(),
            }
        else:
            core = irreducible(found, min(failed, key=len))
            certificate = {"kind": "conflict", "faults": found.faults[core].tolist()}
    return configure(array, bad, direction, NAME, certificate)


def _by_lines(array: WaferArray, bad: Array, breaks: Breaks | None) -> Reconfiguration:
    if breaks is not None:
        bad = breaks.idled(bad)
    found = line_choices(array, bad, breaks)
    chosen, failed = choose(found.graph)
    certificate: dict[str, Any] | None = None
    if failed:
        core = irreducible(found.graph, min(failed, key=len))
        rows, columns = [k for k in core if k < array.rows], [k - array.rows for k in core if k >= array.rows]
        faults = core_faults(array, bad)
        on = np.isin(faults[:, 0] - array.north, rows) | np.isin(faults[:, 1] - array.west, columns)
        certificate = {"kind": "lines", "rows": rows, "columns": columns, "faults": faults[on].tolist()}
    return configure(array, bad, directions(array, bad, found, chosen), NAME, certificate, breaks)
