"""The exact method: a repair by straight compensation paths whenever there is one, else why there is none.

A complete search over the contradiction graph of `candidates.py`, or of `lines.py` with several spare lines or breaks.
When it fails, the yardstick of `flow.py` is asked whether there are places enough, and else says by a cut why not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.fault._search import choose, irreducible
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks
from jumpnet.fault.candidates import candidates
from jumpnet.fault.configuration import Reconfiguration, configure, core_faults
from jumpnet.fault.flow import MOVES, cut
from jumpnet.fault.lines import blocked, choose_sides, line_choices
from jumpnet.terms import Array

__all__ = ["NAME", "SUMMARY", "reconfigure"]

NAME = "exact"
SUMMARY = "complete search over straight compensation paths; a cut or a conflicting set of faults when there is none"


def reconfigure(array: WaferArray, bad: Array, breaks: Breaks | None = None) -> Reconfiguration:
    """Reconfigure exactly, over straight paths.

    The certificate without a repair is one of:

    * {kind: "cut", moves, region, enclosed, elements, paths, faults}: the logical elements of the region have fewer
      good places near them than they are (`flow.Cut`), for every configuration with rings in order if `moves` is
      "any", else for shifts along rows and columns.
    * {kind: "conflict", faults}, with one spare line a side and places enough: no choice of straight paths serves these
      together, and each of them is needed for that.
    * {kind: "lines", rows, columns, faults}, with several spare lines or breaks: vertices are what whole lines do
      (`lines.py`), and no choice of straight paths, of elements beside breaks left idle (up to `lines.MOST_FREE` of a
      line) and of tracks (up to `tracks.MOST_SEARCHED`) serves these logical rows and columns together; without breaks
      each line is needed for that. `faults` are those on them.
    * {kind: "severed", rows, columns}: a useless link lies beside a spare of these lines, where no method can shift
      them off it.
    * {kind: "blocked", rows, columns}: no choice of tracks gets all rings over the gaps after these physical rows and
      columns of spares.

    `certificate.py` checks them all.
    """
    several = array.most_spares > 1 or breaks is not None
    return _by_lines(array, bad, breaks) if several else _by_paths(array, bad)


def _cut(array: WaferArray, bad: Array) -> dict[str, Any] | None:
    """The certificate that there are too few places, the one that says most first."""
    for moves in reversed(MOVES):
        found = cut(array, bad, moves)
        if len(found.region):
            return {
                "kind": "cut",
                **{k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in found._asdict().items()},
            }
    return None


def _by_paths(array: WaferArray, bad: Array) -> Reconfiguration:
    found = candidates(array, bad)
    chosen, failed = choose(found)
    direction = np.full(len(found.faults), -1, np.int64)
    for f, c in chosen.items():
        direction[f] = found.side[c]
    certificate: dict[str, Any] | None = None
    if failed:
        certificate = _cut(array, bad)
        if certificate is None:
            core = irreducible(found, min(failed, key=len))
            certificate = {"kind": "conflict", "faults": found.faults[core].tolist()}
    return configure(array, bad, direction, NAME, certificate)


def _by_lines(array: WaferArray, bad: Array, breaks: Breaks | None) -> Reconfiguration:
    if breaks is not None:
        bad = breaks.needed(bad)
        still = blocked(array, breaks)
        if any(still.values()):
            nothing = np.full(len(core_faults(array, bad)), -1, np.int64)
            return configure(array, bad, nothing, NAME, {"kind": "blocked", **still}, breaks)
    found = line_choices(array, bad, breaks)
    chosen, failed = choose(found.graph)
    certificate = _cut(array, bad) if failed else None
    if failed and certificate is None:
        core = irreducible(found.graph, min(failed, key=len))
        rows, columns = [k for k in core if k < array.rows], [k - array.rows for k in core if k >= array.rows]
        faults = core_faults(array, bad)
        on = np.isin(faults[:, 0] - array.north, rows) | np.isin(faults[:, 1] - array.west, columns)
        certificate = {"kind": "lines", "rows": rows, "columns": columns, "faults": faults[on].tolist()}
    if failed and breaks is not None:
        chosen = {}  # what it would leave idle is of no use
    idle, sides = choose_sides(array, bad, found, chosen)
    return configure(array, idle, sides, NAME, certificate, breaks)
