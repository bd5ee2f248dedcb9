"""`jumpnet search`: the best torus assignment of an RDT, exactly, for a diameter, an average, or local traffic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import typer

from jumpnet.analysis.assignment.search import Candidate, SearchResult, search
from jumpnet.cli._command.output import emit_json, number, print_rows, printable, progress_bar
from jumpnet.cli._options.shared import AsJson
from jumpnet.errors import JumpnetError

NAME = "search"
PANEL = "Networks"
EXAMPLE = "jumpnet search rdt:64 --top 3"


def _row(result: SearchResult, candidate: Candidate, place: int | None) -> dict[str, Any]:
    return {
        "spec": result.spec,
        "objective": result.objective.text,
        "place": place,
        "assignment": candidate.assignment,
        "network": result.network(candidate),
        "equivalents": candidate.equivalents,
        "value": candidate.value(result.objective),
        "diameter": candidate.diameter,
        "average_distance": candidate.average_distance,
        "local_distance": candidate.local_distance,
        "balanced": candidate.balanced,
        "meets_all_ranks": candidate.meets_all_ranks,
        "reference": place is None,
        "ties": len(result.ties),
        "candidates": len(result.candidates),
        "assignments": result.assignments,
    }


def _print(result: SearchResult, rows: list[dict[str, Any]]) -> None:
    def cell(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "" if value is None else str(value) if isinstance(value, int | str) else number(float(value), ".6f")

    keys = ["place", "assignment", "equivalents", "diameter", "average_distance"]
    keys += ["local_distance"] if result.objective.kind == "local" else []
    keys += ["balanced", "meets_all_ranks"]
    table = [[cell(row[key]) if row[key] is not None else "given" for key in keys] for row in rows]
    title = (
        f"{result.spec}: {result.assignments} assignments, {len(result.candidates)} different ones; "
        f"{len(result.ties)} with the best {result.objective.text}"
    )
    short = {
        "equivalents": "alike",
        "average_distance": "average",
        "local_distance": "local",
        "meets_all_ranks": "meets",
    }
    print_rows(title, [short.get(key, key) for key in keys], table)
    print(printable(f"best: {rows[0]['network']}"))


def run(
    spec: str = typer.Argument(..., metavar="SPEC", help="RDT, e.g. rdt:256."),
    objective: str = typer.Option(
        "average_distance", help="What to minimise: diameter, average_distance, or local:SIGMA."
    ),
    top: int = typer.Option(10, help="How many of the best to show."),
    balanced: bool = typer.Option(False, "--balanced", help="Only assignments with equally many classes of each rank."),
    threads: int = typer.Option(2, help="Threads that share the search."),
    as_json: AsJson = False,
) -> None:
    """Find the best torus assignment of an RDT among all of them, and how the given one (alpha) compares."""
    if top < 1:
        raise JumpnetError(f"--top {top} found, at least 1 expected")
    with progress_bar("assignments") as progress:
        result = search(spec, objective, threads=threads, progress=progress)
    if balanced:
        result = replace(result, candidates=tuple(c for c in result.candidates if c.balanced))
        if not result.candidates:
            raise JumpnetError(f"{spec}: no assignment gives every rank equally many classes")
    rows = [_row(result, candidate, place) for place, candidate in enumerate(result.candidates[:top], 1)]
    if result.reference is not None:
        rows.append(_row(result, result.reference, None))
    if as_json:
        emit_json(rows)
    else:
        _print(result, rows)
