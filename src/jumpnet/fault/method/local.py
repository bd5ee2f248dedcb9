"""The local method: each fault chooses the side to shift to from its own line and the two beside it.

After Numata and Horiguchi, as inoguchi1996srt, section 5.1, describes it ("local information to determine shift
direction"); their paper was not at hand, see docs/decisions/0020. Works for any number of spare lines and tracks.
"""

from __future__ import annotations

import numpy as np

from jumpnet.fault._local import Core, local_directions
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks
from jumpnet.fault.configuration import Reconfiguration, configure, core_faults
from jumpnet.terms import Array

__all__ = ["NAME", "SUMMARY", "reconfigure"]

NAME = "local"
SUMMARY = "each fault shifts to the nearest side that its own line and the lines beside allow"


def reconfigure(array: WaferArray, bad: Array, breaks: Breaks | None = None) -> Reconfiguration:
    """Reconfigure by local choices: faults from the edges inwards, and when that fails from the middle outwards.

    Elements beside breaks are left idle and shift across them: first those alone that no wire can leave or enter, then
    all. Broken tracks are not looked at in the choice of sides, only in that of tracks.
    Cost: faults x (rows + columns) for the choice, the number of switches for setting and tracing them.
    """
    best: Reconfiguration | None = None
    core = Core(array.rows, array.columns, array.north, array.west, array.tracks)
    for needed in (True,) if breaks is None or array.tracks == 1 else (True, False):
        idle = bad if breaks is None else breaks.needed(bad) if needed else breaks.beside(bad)
        faults = core_faults(array, idle)
        barred = np.zeros(len(faults), np.int8) if breaks is None else breaks.barred(faults, needed)
        rows, columns = np.ascontiguousarray(faults[:, 0]), np.ascontiguousarray(faults[:, 1])
        for outer_first in (True, False):
            direction = np.empty(len(faults), np.int64)
            local_directions(idle, rows, columns, core, outer_first, barred, direction)
            made = configure(array, idle, direction, NAME, None, breaks)
            if made.repaired:
                return made
            if best is None or len(made.unrepaired) < len(best.unrepaired):
                best = made
    assert best is not None
    return best
