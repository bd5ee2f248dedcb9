"""Torus assignments of an RDT compared by whether every node is next to every rank, which three papers praise.

Used by yang2001rdt, nishi1997router and kudoh1995rhbd.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from jumpnet.analysis.assignment.search import Candidate, search
from jumpnet.graph.distances import silent
from jumpnet.report._section import Cell, Golden, Progress, Rows, Table, claimed

__all__ = ["SEARCHED", "SIGMA", "Compared", "neighbors_compared", "neighbors_table", "searched"]

SEARCHED = "rdt:128"
"""The smallest network with all four ranks."""
SIGMA = 4


_found: dict[tuple[str, str], tuple[Candidate, ...]] = {}


def searched(spec: str, objective: str = "average_distance", progress: Progress = silent) -> tuple[Candidate, ...]:
    """All assignments of a network with their figures, once a process; progress as in `search`, of what is searched."""
    if (spec, objective) not in _found:
        _found[spec, objective] = tuple(search(spec, objective, progress=progress).candidates)
    return _found[spec, objective]


def _mean(candidates: Sequence[Candidate]) -> tuple[Fraction, Fraction]:
    """Means of diameter and average distance over assignments."""
    count = len(candidates)
    diameter = Fraction(sum(c.diameter for c in candidates), count)
    return diameter, sum((c.average_distance for c in candidates), Fraction(0)) / count


class Compared(NamedTuple):
    """Assignments that have every rank next to every node, and the others."""

    answer: str
    """Whether mean diameter and mean average distance are both smaller with the property."""
    means: tuple[Fraction, ...]
    """Mean diameter and average distance with it; the same without."""
    detail: str


def neighbors_compared() -> dict[str, Compared]:
    """The comparison over all assignments, and over those that give every rank two classes, by the reading's option."""
    found, results = searched(SEARCHED, f"local:{SIGMA}"), {}
    for option, chosen in (("all", found), ("balanced", [c for c in found if c.balanced])):
        with_it = [c for c in chosen if c.meets_all_ranks]
        without = [c for c in chosen if not c.meets_all_ranks]
        mine, other = _mean(with_it), _mean(without)
        reduced = all(a < b for a, b in zip(mine, other, strict=True))
        words = [f"{float(d):.3f} and {float(a):.3f}" for d, a in (mine, other)]
        detail = f"mean diameter and average distance {words[0]} of {len(with_it)}, {words[1]} of {len(without)}"
        results[option] = Compared("reduces" if reduced else "does not reduce", (*mine, *other), detail)
    return results


def neighbors_table(golden: Golden, source: str) -> Table:
    """What the property is worth, by both readings; three papers say it in the same words, under the same names."""
    rows: Rows = []
    for option, found in neighbors_compared().items():
        name = f"neighbors_compared:{option}"
        cells = [claimed(golden, "neighbors_reduce", found.answer, reading=name, detail=found.detail)]
        cells += [Cell(None, round(float(f), 4), claim="neighbors_reduce", reading=name) for f in found.means]
        rows.append((option, list(cells)))
    columns = (
        "next to every rank", "mean diameter with it", "mean average with it", "mean diameter without",
        "mean average without",
    )  # fmt: skip
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["neighbors_compared"]["options"].items())
    title = f"Assignments of {SEARCHED} in which every node is next to every rank, and the others"
    return Table(title, source, columns, rows, options)
