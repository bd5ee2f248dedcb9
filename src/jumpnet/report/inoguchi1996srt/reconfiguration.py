"""Section 5 and Figures 9 to 12 of the SRT report: the fault-tolerance architecture on computed wafers.

The printed figures are lost; docs/decisions/0020 says how section 5 was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jumpnet.analysis.paper_wafers import FAULT, SPEC, paper_wafers
from jumpnet.analysis.reconfigure import WaferNetwork
from jumpnet.fault.array import CROSS, STATES
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed, on_first_use
from jumpnet.topology import build

TITLE = "Section 5 and Figures 9 to 12: reconfiguration"
ORDER = 60

OPENED = f"net={SPEC}&panel=wafer"
"""The same wafers in the page."""
ROW, COLUMN = 2, 4


@dataclass(frozen=True)
class _Wafers:
    """The three wafers of the figures."""

    plain: WaferNetwork
    example: WaferNetwork
    right: WaferNetwork

    @cached_property
    def named(self) -> list[tuple[str, WaferNetwork]]:
        """Each with the figures that show it."""
        return [("Figure 9", self.plain), ("Figure 10", self.example), ("Figures 11 and 12", self.right)]


def _turned(made: WaferNetwork) -> dict[str, list[Any]]:
    """The turned switches of a wafer as columns: links, gap, line, track, state."""
    found = made.configuration
    rows = [
        (name, g, x, t, STATES[states[g, x, t]])
        for name, states in (("horizontal", found.row_switches), ("vertical", found.column_switches))
        for g, x, t in zip(*(states > CROSS).nonzero(), strict=True)
    ]
    columns = ("links", "gap", "line", "track", "state")
    return {c: [row[k] if isinstance(row[k], str) else int(row[k]) for row in rows] for k, c in enumerate(columns)}


def _map(number: int, title: str, made: WaferNetwork, every_switch: bool = False) -> Figure:
    words = made.configuration, made.network.spec, every_switch
    draw = on_first_use("jumpnet.plot.wafer", "wafer_drawer", *words)
    source = f"inoguchi1996srt, Figure {number} (lost; redrawn)"
    at = f"{OPENED}&wafer.paper={number}"
    return Figure(f"srt-figure-{number}", title, source, draw, _turned(made), claim=f"figure_{number}", explored=at)


def _levels(number: int, title: str, axis: int, ring: int, shown: list[tuple[str, WaferNetwork]]) -> Figure:
    draw = on_first_use("jumpnet.plot.bunch", "bunch_drawer", shown, axis, ring)
    made = shown[-1][1]
    bunch, place = made.bunches[axis], made.configuration.place
    line = place[ring] if axis == 0 else place[:, ring]
    data: dict[str, list[Any]] = {"row": line[:, 0].tolist(), "column": line[:, 1].tolist()}
    for k, span in enumerate(bunch.span.tolist()):
        data[f"span {span}"] = ["connect" if c else "cross" for c in bunch.connect[ring, :, k].tolist()]
    source = f"inoguchi1996srt, Figure {number} (lost; redrawn)"
    at = f"{OPENED}&wafer.paper=11"
    return Figure(f"srt-figure-{number}", title, source, draw, data, claim=f"figure_{number}", explored=at)


def _figures(wafers: _Wafers) -> tuple[Figure, ...]:
    shown = [("before", wafers.plain), (f"after: logical element ({ROW}, {COLUMN}) is defective", wafers.right)]
    return (
        _map(9, "Fault-tolerance architecture: all core elements good", wafers.plain, True),
        _map(10, "A reconfigured mesh torus", wafers.example),
        _levels(11, f"Level shift along row {ROW}", 0, ROW, shown),
        _levels(12, f"The same wafer along column {COLUMN}", 1, COLUMN, shown),
    )


def _architecture(golden: Golden, wafers: _Wafers) -> Table:
    """Section 5.1: the array, its switches, the shifts of Figure 10."""
    found = wafers.example.configuration
    array, side = found.array, int(build(SPEC).coord.max()) + 1
    switches = found.row_switches.size + found.column_switches.size
    used = np.unique(np.concatenate([found.row_switches.ravel(), found.column_switches.ravel()]))
    own = np.moveaxis(np.indices((side, side)), 0, 2) + np.array([array.north, array.west])
    moved = np.abs(found.place - own).sum(axis=2)
    plain = wafers.plain.configuration.place
    cells = {
        "elements of the array": by_formula(golden, "array", int(np.prod(array.shape)), {"N": side}),
        "tracks between elements": claimed(golden, "tracks", array.tracks, stated=True, detail="An option; 2 as well."),
        "switches around an element": claimed(
            golden,
            "switches",
            2 * switches // int(np.prod(array.shape)),
            detail=f"{switches} switches, each at two elements.",
        ),
        "switches of the whole array, for as many elements": claimed(
            golden, "switches_total", switches, printed=str(int(np.prod(array.shape))), detail="N is read as elements."
        ),
        "elements that share a switch": claimed(golden, "switch_shared", 2, stated=True),
        "states of a switch, used on the wafer of Figure 10": claimed(golden, "switch_states", len(used)),
        "without faults only core elements are used": claimed(golden, "core_only", yes(bool((plain == own).all()))),
        "Figure 10: elements go to a neighboring place or stay": claimed(
            golden,
            "neighbors_replace",
            yes(int(moved.max()) == 1),
            detail=f"{int((moved > 0).sum())} of {moved.size} elements move, at most by {int(moved.max())}.",
        ),
    }
    return Table("The architecture", "inoguchi1996srt, section 5.1", ("found",), [(k, [c]) for k, c in cells.items()])


def _level_at(made: WaferNetwork, place: tuple[int, int], axis: int) -> list[int]:
    """Levels of the bypass lines that are joined to the element at a physical place, along its row or its column."""
    owner = int(made.configuration.owner[place])
    if owner < 0:
        return []
    row, column = divmod(owner, int(made.network.coord[:, 0].max()) + 1)
    bunch = made.bunches[axis]
    at = bunch.connect[row, column] if axis == 0 else bunch.connect[column, row]
    return [int(span).bit_length() - 1 for span in bunch.span[at]]


def _shift(golden: Golden, wafers: _Wafers) -> Table:
    """Section 5.2: the levels of the faulty element and of its right neighbor, before and after."""
    right = (FAULT[0], FAULT[1] + 1)
    before = _level_at(wafers.plain, right, 0)
    after, vertical = (_level_at(wafers.right, right, axis) for axis in (0, 1))
    faulty = [_level_at(wafers.right, FAULT, axis) for axis in (0, 1)]
    bent = int((wafers.right.configuration.column_switches > CROSS).sum())
    was = _level_at(wafers.plain, FAULT, 0)
    cells = {
        "right neighbor's level before": claimed(
            golden, "shift_from", before[0], detail=f"The faulty one's: {was[0]}."
        ),
        "right neighbor's level after, along the row": claimed(golden, "shift_to", after[0]),
        "right neighbor's level after, along the column": claimed(golden, "shift_to_vertical", vertical[0]),
        "the faulty element's switches all cross": claimed(golden, "faulty_crosses", yes(faulty == [[], []])),
        "the right neighbor's other switches cross": claimed(golden, "others_cross", yes(len(after) == 1)),
        "vertical links are bent by switches": claimed(
            golden, "vertical_bent", yes(bent > 0), detail=f"{bent} switches."
        ),
        "modes of a switch on the bunch": claimed(
            golden, "switch_modes", 2, stated=True, detail="So is our model made."
        ),
    }
    return Table("Shifting a level to the right", "inoguchi1996srt, section 5.2, Figures 11 and 12", ("found",),
                 [(k, [c]) for k, c in cells.items()])  # fmt: skip


def _arrays(golden: Golden, wafers: _Wafers) -> Table:
    rows: Rows = []
    for name, made in wafers.named:
        added = made.added_segments
        whole = made.configuration.verified and made.isomorphic
        cells = [
            Cell(None, len(made.configuration.faults)),
            claimed(golden, "reconfigured", yes(whole)),
            Cell(None, made.longest_wire),
            Cell(None, int(added[-1])),
            Cell(None, float(added.mean())),
        ]
        rows.append((name, [*cells]))
    columns = ("faults", f"traced links are those of {SPEC}", "longest link (segments)", "added, worst", "added, mean")
    return Table("The reconfigured arrays", "inoguchi1996srt, section 5", columns, rows)


def section(golden: Golden, progress: Progress) -> Section:
    """The architecture, an example, and the level shifts of section 5.2."""
    progress(0, 2)
    wafers = _Wafers(*paper_wafers().values())
    progress(1, 2)
    tables = (_architecture(golden, wafers), _shift(golden, wafers), _arrays(golden, wafers))
    return Section(TITLE, TEXT, tables, _figures(wafers))


TEXT = """The printed figures are lost in the copy at hand. These are drawn from wafers computed as the text of section
5 describes: switch settings, modes of the bypass lines and wires are results, and every wire was followed from element
to element."""
