"""What the RDT paper says of torus assignments in general: neighbors of every rank, local traffic, any assignment."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from jumpnet.analysis.assignment.search import Candidate
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.report._assignments import SEARCHED, SIGMA, neighbors_table, searched
from jumpnet.report._measures import NEAR_OPTIMAL
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt.near_optimal import BEST
from jumpnet.routings import bind
from jumpnet.topology import build

TITLE = "Any torus assignment: neighbors of every rank, local traffic, floating routing"
ORDER = 43

KEY = "yang2001rdt"
ROUTED = ("rdt:16,R=2", "rdt:32,R=3")
"""Smaller ones with every rank that they have, all of whose assignments are routed."""
LOW = "12"
"""Ranks that count as low, of four."""


@cache
def _average(spec: str, assignment: str) -> Fraction | None:
    """Average length of the floating routes, None when one does not arrive."""
    try:
        return path_figures(bind(BEST, build(f"{spec},assignment={assignment}"))).average
    except JumpnetError:
        return None


def _low(assignment: str) -> int:
    return sum(rank in LOW for rank in assignment.split("."))


def local_table(golden: Golden, source: str, found: Sequence[Candidate]) -> Table:
    """Low ranks in the best assignment for local traffic and in the best for uniform; two papers say it alike."""
    near = min(found, key=lambda c: (c.local_distance, c.average_distance))
    uniform = min(found, key=lambda c: (c.average_distance, c.diameter))
    answer = "increased" if _low(near.assignment) > _low(uniform.assignment) else "not increased"
    detail = (
        f"{_low(near.assignment)} of 8 classes have rank 1 or 2 in {near.assignment}, the best for local traffic, "
        f"{_low(uniform.assignment)} in {uniform.assignment}, the best for uniform traffic, 4 in α"
    )
    rows: Rows = [
        (golden["claims"]["low_ranks_local"]["text"], [claimed(golden, "low_ranks_local", answer, detail=detail)])
    ]
    note = f"Every assignment of {SEARCHED} is tried; local traffic is normally distributed with σ = {SIGMA}."
    return Table("Low ranks for local traffic", source, ("found",), rows, note)


def _routed(golden: Golden, found: Sequence[Candidate]) -> Table:
    rows: Rows = []
    tried: dict[str, tuple[str, Sequence[Candidate]]]
    tried = {f"{spec}, all": (spec, searched(f"{spec},assignment=none")) for spec in ROUTED}
    tried[f"{SEARCHED}, balanced"] = SEARCHED, tuple(c for c in found if c.balanced)
    for label, (spec, candidates) in tried.items():
        lost, near, worst = 0, 0, (Fraction(0), "")
        for one in candidates:
            average = _average(spec, one.assignment)
            if average is None:
                lost += 1
                continue
            ratio = average / one.average_distance
            near, worst = near + (ratio <= 1 + NEAR_OPTIMAL), max(worst, (ratio, one.assignment))
        count = len(candidates)
        far = f"at most {float(worst[0] - 1):.1%} longer than shortest ways on average, with {worst[1]}"
        served = claimed(golden, "any_assignment", "any" if lost == 0 else f"not {lost} of {count}",
                         detail=f"all pairs of {count} assignments")  # fmt: skip
        optimal = claimed(golden, "near_optimal_any", "any" if near == count else f"{near} of {count}", detail=far)
        rows.append((label, [Cell(None, count, claim="any_assignment"), served, optimal]))
    columns = ("assignments", "routing works on", "near-optimal on")
    note = (
        "Every assignment of one rank to each of the eight classes; those that a translation, rotation or reflection "
        "carries into one another once. Balanced: two classes for each rank. "
        f"`near-optimal`: at most {float(NEAR_OPTIMAL):.0%} more hops on average than shortest ways."
    )
    return Table("Floating routing on every assignment", f"{KEY}, sections III.B and VI", columns, rows, note)


def section(golden: Golden, progress: Progress) -> Section:
    """All assignments of a network searched, and all of two smaller ones routed."""
    progress(0, 3)
    found = searched(SEARCHED, f"local:{SIGMA}")
    progress(1, 3)
    tables = (neighbors_table(golden, f"{KEY}, section II.B"), local_table(golden, f"{KEY}, section II.B", found))
    progress(2, 3)
    return Section(TITLE, TEXT, (*tables, _routed(golden, found)))


TEXT = """The paper says that a node with neighbors of all other upper ranks makes diameter and average distance
smaller. Over all assignments that is so. Among those that give every rank two classes, as α does, it is not: those
without the property are a little better on average.

The best assignment for local traffic has low ranks only, as the paper advises. The floating routing delivers every
packet on every assignment tried; how far it is from shortest ways differs from one to the other."""
