"""Section IV.C.e of the RDT paper: what partitioning costs the RDT, and what it costs a torus that becomes a mesh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from jumpnet.report._figures import figures
from jumpnet.report._kept import kept
from jumpnet.report._measures import MUCH_TIMES, much_more
from jumpnet.report._prose import span
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
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


@dataclass(frozen=True)
class Longer:
    """How many times as long ways are in a part as in a whole network of its size."""

    longest: Fraction
    average: Fraction


Cases = Mapping[tuple[str, str], tuple[Longer, Longer]]
"""By reading and size: within a partition of the RDT, and in a torus that becomes a mesh."""
FIGURES = {"longest way": "longest", "on average": "average"}


def lengthened(found: Mapping[str, Mapping[str, list[int]]]) -> Cases:
    """Both ways under each reading at each size; `found`: the figures within partitions."""
    cases = {}
    for option, (figure, routing) in OPTIONS.items():
        for column, values in found.items():
            side, (longest, above, below) = SIDES[column], values[figure]
            diameter, average = _whole(side, routing)
            mesh, torus = figures(f"mesh:{side}x{side}"), figures(f"torus:{side}x{side}")
            cases[option, column] = (
                Longer(Fraction(longest, diameter), Fraction(above, below) / average),
                Longer(Fraction(mesh.diameter, torus.diameter), mesh.average_distance / torus.average_distance),
            )
    return cases


def _cost(golden: Golden, cases: Cases) -> Table:
    rows: Rows = []
    columns = list(dict.fromkeys(column for _, column in cases))
    for option in OPTIONS:
        for what, name in FIGURES.items():
            cells: list[Cell | None] = []
            for column in columns:
                mine, other = (getattr(longer, name) for longer in cases[option, column])
                detail = f"{float(mine):.3f} times as long; {float(other):.3f} times in a torus that becomes a mesh"
                cells.append(claimed(golden, "partition_severe", "severe" if much_more(mine, 1) else "not severe",
                                     detail=detail, reading=f"partition_ways:{option}"))  # fmt: skip
            rows.append((f"{option}, {what}", cells))
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["partition_ways"]["options"].items())
    said = kept(KEY, "closed_partitioning")
    note = (
        f"`severe`: {float(MUCH_TIMES):g} times as long or more, as for congestion; the measure is ours. What a torus "
        f"loses stands beside each figure. {options}. {said.said if said else ''}"
    )
    return Table("What a partition costs", f"{KEY}, section IV.C.e", columns, rows, note)


def _wrap_around(golden: Golden) -> Table:
    """What is left of a quarter of a torus: the links between its own nodes."""
    rows: Rows = []
    for spec, side in (("torus:16x16", 8), ("torus:8x8x8", 4)):
        net = build(spec)
        here, _, there = net.channel_ends
        inside = (net.coord[here] < side).all(axis=1) & (net.coord[there] < side).all(axis=1)
        a, b = net.coord[here[inside]], net.coord[there[inside]]
        mesh = build("mesh:" + "x".join([str(side)] * net.coord.shape[1]))
        steps = np.abs(a - b).sum(axis=1)
        same = len(a) == int((mesh.neighbor >= 0).sum()) and bool((steps == 1).all())
        answer = "a mesh" if same else "not a mesh"
        adjacent = int((steps == 1).sum())
        share = "all" if adjacent == len(a) else f"{adjacent} of them"
        detail = f"{len(a)} channels stay inside side {side}, {share} between adjacent nodes"
        rows.append((spec, [claimed(golden, "partition_mesh", answer, detail=detail)]))
    return Table("A part of a torus", f"{KEY}, section IV.C.e", ("is",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Longest and average ways within partitions against the whole, beside the torus's."""
    progress(0, 2)
    cases = lengthened(_found())
    progress(1, 2)
    return Section(TITLE, _text(cases), (_cost(golden, cases), _wrap_around(golden)))


def _text(cases: Cases) -> str:
    """With the least and the most by which ways get longer."""
    words = {}
    for name in FIGURES.values():
        for k, whose in enumerate(("own", "torus")):
            words[f"{whose}_{name}"] = span(f"{float(getattr(both[k], name)):.2f}" for both in sorted(
                cases.values(), key=lambda both: getattr(both[k], name)))  # fmt: skip
    less = sum(getattr(own, name) < getattr(torus, name) for own, torus in cases.values() for name in FIGURES.values())
    return TEXT.format(**words, less=less, cases=len(cases) * len(FIGURES))


TEXT = """The paper's complaint about the torus is that a part of it is only a mesh, whose wrap-around links are
missing; its claim for the RDT is a partition without severe degradation. Both are measured by how much longer ways
become against the whole network of the same size. In a torus that becomes a mesh the longest way is {torus_longest}
times as long, ways on average {torus_average} times. Inside an RDT partition it is {own_longest} and {own_average}
times, less than in the torus in {less} of the {cases} cases of the table. Our closed routing makes long ways for pairs
at the border. Loads of channels are not compared here."""
