"""Section IV.C.e of the RDT paper: what partitioning costs the RDT, and what it costs a torus that becomes a mesh."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from jumpnet.report._figures import figures
from jumpnet.report._kept import kept
from jumpnet.report._measures import MUCH_TIMES, much_more
from jumpnet.report._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.report.yang2001rdt.closed_partitioning import LIVE, SIDES, measure
from jumpnet.report.yang2001rdt.table_1_routing import routes
from jumpnet.topology import build

TITLE = "Partitioning without severe performance degradation"
ORDER = 33

KEY = "yang2001rdt"
OPTIONS = {"shortest": ("distances", ""), "routed": ("inside", "rdt.deadlock_free")}
"""Reading: the figures of closed partitioning, and the routing of the whole network of that scale."""


def _found() -> Mapping[str, Mapping[str, list[int]]]:
    """Longest and average within a partition, computed to 1024 nodes and committed beyond."""
    last = kept(KEY, "closed_partitioning")
    more = {} if last is None else last.data
    return {c: measure(side) if side <= LIVE else more[c] for c, side in SIDES.items() if side <= LIVE or c in more}


def _whole(side: int, routing: str) -> tuple[int, Fraction]:
    if routing:
        found = routes(f"rdt:{side}", routing)
        return found.maximum, found.average
    exact = figures(f"rdt:{side}")
    return exact.diameter, exact.average_distance


def _torus(side: int) -> tuple[Fraction, Fraction]:
    """How much longer diameter and average get when a torus of a side is a mesh."""
    mesh, torus = figures(f"mesh:{side}x{side}"), figures(f"torus:{side}x{side}")
    return Fraction(mesh.diameter, torus.diameter), mesh.average_distance / torus.average_distance


def _cost(golden: Golden, found: Mapping[str, Mapping[str, list[int]]]) -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for option, (figure, routing) in OPTIONS.items():
        cells: dict[str, list[Cell | None]] = {"longest way": [], "on average": []}
        for column, values in found.items():
            longest, above, below = values[figure]
            diameter, average = _whole(SIDES[column], routing)
            own = Fraction(longest, diameter), Fraction(above, below) / average
            torus = _torus(SIDES[column])
            for row, mine, other in zip(cells.values(), own, torus, strict=True):
                detail = f"{float(mine):.3f} times as long; {float(other):.3f} times in a torus that becomes a mesh"
                row.append(claimed(golden, "partition_severe", "severe" if much_more(mine, 1) else "not severe",
                                   detail=detail, reading=f"partition_ways:{option}"))  # fmt: skip
        rows += [(f"{option}, {what}", row) for what, row in cells.items()]
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["partition_ways"]["options"].items())
    said = kept(KEY, "closed_partitioning")
    note = (
        f"`severe`: {float(MUCH_TIMES):g} times as long or more, as for congestion; the measure is ours. What a torus "
        f"loses stands beside each figure. {options}. {said.said if said else ''}"
    )
    return Table("What a partition costs", f"{KEY}, section IV.C.e", list(found), rows, note)


def _wrap_around(golden: Golden) -> Table:
    """What is left of a quarter of a torus: the links between its own nodes."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for spec, side in (("torus:16x16", 8), ("torus:8x8x8", 4)):
        net = build(spec)
        here, port = np.nonzero(net.neighbor >= 0)
        there = net.neighbor[here, port]
        inside = (net.coord[here] < side).all(axis=1) & (net.coord[there] < side).all(axis=1)
        a, b = net.coord[here[inside]], net.coord[there[inside]]
        mesh = build("mesh:" + "x".join([str(side)] * net.coord.shape[1]))
        steps = np.abs(a - b).sum(axis=1)
        same = len(a) == int((mesh.neighbor >= 0).sum()) and bool((steps == 1).all())
        answer = "a mesh" if same else "not a mesh"
        detail = f"{len(a)} channels stay inside side {side}, all between adjacent nodes"
        rows.append((spec, [claimed(golden, "partition_mesh", answer, detail=detail)]))
    return Table("A part of a torus", f"{KEY}, section IV.C.e", ("is",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Longest and average ways within partitions against the whole, beside the torus's."""
    progress(0, 2)
    cost = _cost(golden, _found())
    progress(1, 2)
    return Section(TITLE, TEXT, (cost, _wrap_around(golden)))


TEXT = """The paper's complaint about the torus is that a part of it is only a mesh, whose wrap-around links are
missing; its claim for the RDT is a partition without severe degradation. Both are measured by how much longer ways
become against the whole network of the same size: in a torus that becomes a mesh about twice the diameter and a third
more on average. Ways inside an RDT partition lengthen by less than a fifth on average, the longest by more, and always
by less than in the torus. Our closed routing makes long ways for a few pairs at the border. Loads of channels are not
compared here."""
