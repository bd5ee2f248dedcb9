"""The names table: where a run's record and counters keep what the page reads, and the mark that ties images to it.

It goes into the WebAssembly module as a custom section. An image and a module fit when their marks are equal.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from jumpnet.explore.kernels import tabled
from jumpnet.explore.kernels.allocated import PROCESS_NUMBERS
from jumpnet.explore.kernels.looks import FLIT_COLUMNS
from jumpnet.explore.kernels.names import SETS, SINGLE, name_of
from jumpnet.explore.kernels.presets import BUFFERS, LONGEST, preset_rows
from jumpnet.explore.kernels.sizes import GIVEN
from jumpnet.explore.kernels.trees import SCHEMES, TOLD
from jumpnet.routings import view
from jumpnet.routings.refilled import LAYERS, ROUTED
from jumpnet.routings.view import HEADER_FIELDS, MAX_CANDIDATES
from jumpnet.sim.engine.engine import FIRST_CALL, LONGEST_CALL
from jumpnet.sim.measure.run import DRAIN_STEP, GROUPS, LAG_LIMIT
from jumpnet.sim.measure.statistics import STUDENT_975
from jumpnet.sim.memory import fields
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.record import FIELDS, SIZES
from jumpnet.sim.memory.run_kinds import PLAIN
from jumpnet.sim.memory.state import State
from jumpnet.traffic.injection_process import NEVER

__all__ = ["layout", "mark"]

BUSY = {"run_sets_8": 0.2, "run_sets_16": 0.2, "run_sets": 0.25, "run_sets_wide": 0.75}
"""As `sim.engine.engine.BUSY`, by entry: with vectors of 128 bits sets pay later, the wider their numbers the later
(docs/measurements/page.md)."""


def layout() -> dict[str, Any]:
    """Names and places, numbers of int64 words all but where their names say otherwise."""
    header = ("SOURCE", "DESTINATION", "STATE", "IN_PORT", "IN_VC", "INTERMEDIATE")
    return {
        "record": list(FIELDS),
        "sizes": len(SIZES),
        "counter": list(fields.Counters._fields),
        "batch": list(fields.BatchRow._fields),
        "batch_fields": at.BATCH_FIELDS,
        "packet_fields": at.PACKET_FIELDS,
        "packet_kind": fields.PacketRow._fields.index("kind"),
        "measured": at.MEASURED,
        "flit_columns": list(FLIT_COLUMNS),
        "header": {name.lower(): getattr(view, name) for name in header},
        "header_fields": HEADER_FIELDS,
        "candidates": MAX_CANDIDATES,
        "kinds": {"escape": view.ESCAPE, "enters": view.ENTERS},
        "last_cycle": at.FLIT // 2,
        "never": NEVER,
        "busy": BUSY,
        "first_call": FIRST_CALL,
        "longest_call": LONGEST_CALL,
        "student": list(STUDENT_975),
        "lag_limit": LAG_LIMIT,
        "drain_step": DRAIN_STEP,
        "drain_cycles": 10_000,
        "groups": GROUPS,
        "routed": ROUTED,
        "layers": LAYERS,
        "tabled": {"relation": name_of(tabled.relation), "head": tabled.HEAD},
        "tree_schemes": list(SCHEMES),
        "tree_told": TOLD,
        "presets": preset_rows(),
        "buffers": list(BUFFERS),
        "longest": LONGEST,
        "given": list(GIVEN),
        "state": list(State._fields),
        "plain": PLAIN,
        "sets_entries": [[most, name] for most, name in SETS.items()],
        "single_entries": SINGLE,
        "call_fields": at.CALL_FIELDS,
        "no_step": at.NO_STEP,
        "process_numbers": PROCESS_NUMBERS,
        "errors": {
            "no_route": at.ERROR_NO_ROUTE,
            "bad_candidate": at.ERROR_BAD_CANDIDATE,
            "livelock": at.ERROR_HOPS,
            "destination": at.ERROR_DESTINATION,
            "few_channels": at.ERROR_FEW_CHANNELS,
        },
    }


def mark() -> str:
    """Sixteen digits that change whenever a name or a place does.

    >>> len(mark())
    16
    """
    return hashlib.sha256(json.dumps(layout(), sort_keys=True).encode()).hexdigest()[:16]
