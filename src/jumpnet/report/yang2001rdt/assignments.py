"""Torus assignments compared: by how much alpha is beaten at each size, for uniform and for local traffic (/beta)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.analysis.assignment.search import Candidate, compare
from jumpnet.report._assignments import searched
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed

TITLE = "Torus assignments: how far α is from the best"
ORDER = 42

SIDES = (32, 64, 128)
LARGE = 256
SIGMA = 4
OBJECTIVE = f"local:{SIGMA}"
KEPT = 60
"""Best candidates of the next smaller size, by each objective, that are tried at 65,536 nodes without --full."""


def _best(found: Sequence[Candidate], kind: str) -> Candidate:
    keys = {
        "diameter": lambda c: (c.diameter, c.average_distance),
        "average": lambda c: (c.average_distance, c.diameter),
        "local": lambda c: (c.local_distance, c.average_distance),
    }
    return min(found, key=keys[kind])


def _large(smaller: Sequence[Candidate]) -> list[Candidate]:
    """At 65,536 nodes: all balanced assignments and the best of the next smaller size by each objective."""
    chosen = {c.assignment for c in smaller if c.balanced}
    for figure in ("diameter", "average_distance", "local_distance"):
        chosen |= {c.assignment for c in sorted(smaller, key=lambda c: (getattr(c, figure), c.average_distance))[:KEPT]}
    return compare(f"rdt:{LARGE}", sorted(chosen), OBJECTIVE)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every assignment at each size; at 65,536 nodes without --full the candidates that `_large` chooses."""
    sides = (*SIDES, LARGE)
    found: dict[int, Sequence[Candidate]] = {}
    alpha: dict[int, Candidate] = {}
    for step, side in enumerate(sides):

        def on(done: int, total: int, step: int = step) -> None:
            progress(step * 100 + 100 * done // max(1, total), 100 * len(sides))

        on(0, 1)
        alpha[side] = compare(f"rdt:{side}", ["alpha"], OBJECTIVE)[0]
        every = side != LARGE or full
        found[side] = searched(f"rdt:{side}", OBJECTIVE, on) if every else _large(found[SIDES[-1]])
    tables = [_table(kind, label, digits, found, alpha) for kind, label, digits in KINDS]
    tables.append(_beta(golden, found, alpha))
    note = "" if full else PARTIAL.format(tried=len(found[LARGE]), all=len(found[SIDES[-1]]))
    return Section(TITLE, f"{TEXT}\n\n{note}", tables, (_figure(found, alpha),))


def _table(
    kind: str, label: str, field: str, found: dict[int, Sequence[Candidate]], alpha: dict[int, Candidate]
) -> Table:
    rows: Rows = []
    for side, candidates in found.items():
        best, mine = _best(candidates, kind), alpha[side]
        value, ours = getattr(best, field), getattr(mine, field)
        less = f"{100 * float(1 - value / ours):.1f} %"
        cells: list[Cell | None] = [Cell(None, ours), Cell(None, value), Cell(None, less), Cell(None, best.assignment)]
        balanced = _best([c for c in candidates if c.balanced], kind)
        cells += [Cell(None, getattr(balanced, field)), Cell(None, balanced.assignment)]
        rows.append((f"{side * side} nodes", cells))
    return Table(label, "computed here", COLUMNS, rows)


def _beta(golden: Golden, found: dict[int, Sequence[Candidate]], alpha: dict[int, Candidate]) -> Table:
    """The best assignment for local traffic beside alpha. It is none of the paper's beta: stated, not counted."""
    rows: Rows = []
    for side, candidates in found.items():
        ours, best = alpha[side].local_distance, _best([c for c in candidates if c.balanced], "local")
        assert ours is not None and best.local_distance is not None
        words = "below" if best.local_distance < ours else "not below"
        detail = f"{float(best.local_distance):.4f} against {float(ours):.4f}, {best.assignment}"
        rows.append((f"{side * side} nodes", [claimed(golden, "beta", words, stated=True, detail=detail)]))
    return Table(
        "Local traffic: the best assignment with two classes a rank against α",
        "yang2001rdt, section II.B",
        ("average distance",),
        rows,
        "The paper does not define β: that assignments exist which do what it says of β shows nothing of β itself, and "
        "is not counted.",
    )


def _figure(found: dict[int, Sequence[Candidate]], alpha: dict[int, Candidate]) -> Figure:
    side = SIDES[-1]
    candidates = [c for c in found[side] if c.local_distance is not None]
    x = [float(c.local_distance or 0) for c in candidates]
    y = [float(c.average_distance) for c in candidates]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.plot(x, y, ".", color="#9aa4b0", markersize=3, label="every assignment")
        even = [c for c in candidates if c.balanced]
        axes.plot([float(c.local_distance or 0) for c in even], [float(c.average_distance) for c in even], ".",
                  label="two classes for each rank")  # fmt: skip
        for mark, name, one in (("*", "α", alpha[side]), ("D", "least average", _best(candidates, "average")),
                                ("s", "best for local traffic", _best(candidates, "local"))):  # fmt: skip
            axes.plot([float(one.local_distance or 0)], [float(one.average_distance)], mark, markersize=9, label=name)
        axes.set_yscale("log")
        axes.set_xlabel(f"average distance of local traffic, σ = {SIGMA} (hops)")
        axes.set_ylabel("average distance (hops)")
        axes.legend()

    data: dict[str, Sequence[Any]] = {
        "assignment": [c.assignment for c in candidates],
        "local_distance": x,
        "average_distance": y,
        "diameter": [c.diameter for c in candidates],
    }
    title = f"All torus assignments of {side * side} nodes: uniform against local traffic"
    return Figure("rdt-assignments", title, "computed here", draw, data, "Below and left is better.")


COLUMNS = ("α", "best", "α loses", "best assignment", "best with two classes a rank", "that assignment")
KINDS = (
    ("diameter", "Diameter", "diameter"),
    ("average", "Average distance, uniform traffic (hops)", "average_distance"),
    ("local", f"Average distance of local traffic, normal with σ = {SIGMA} (hops)", "local_distance"),
)
TEXT = f"""The paper takes α for its simplicity and leaves a better assignment for local traffic, β, to another paper,
which was not at hand: β itself is not tried here.
Here each of the eight classes is given every rank; of the 65,536 assignments, those that a translation, rotation or
reflection carries into one another are tried once. Local traffic: the offset to the destination is normally
distributed with σ = {SIGMA} links of the base torus."""
PARTIAL = """At 65,536 nodes this page compares {tried} of the {all} assignments: all with two classes for each rank,
and the best of 16,384 nodes by each objective. `jumpnet paper --full`, or `jumpnet search rdt:256`, tries all."""
