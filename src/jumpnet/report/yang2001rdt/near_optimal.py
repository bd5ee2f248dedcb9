"""What section III says in words of its routings: near-optimal, minimized, not so increased, greatly improved."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from jumpnet.analysis.routes.paths import PathFigures
from jumpnet.papers import printed
from jumpnet.report._figures import figures
from jumpnet.report._measures import MUCH, NEAR_OPTIMAL, much_more
from jumpnet.report._prose import percent_more
from jumpnet.report._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.report.yang2001rdt._vector import vector_steps
from jumpnet.report.yang2001rdt.table_1_routing import DEFAULT_FIXED, against_fixed, routes
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Section III in words: how near to the shortest the routings are"
ORDER = 33

KEY = "yang2001rdt"
SIDES = {"1024": 32, "4096": 64, "16384": 128}
BEST, LITERAL = "rdt.floating", "rdt.floating:moves=near,ties=zero"
NETWORKS = ("alpha", DEFAULT_FIXED.assignment)
"""Assignments on which floating and fixed routing are compared: the default of the floating row of Table I, and that
of the fixed row."""
FIGURES = ("longest", "average")
PRINTED = {
    "PRDT simple vector routing": "floating_not_so_increased", "fixed vector routing": "floating_greatly"
}  # fmt: skip
"""Printed rows that the floating routing's are set against, and the claim."""


class Lengths(NamedTuple):
    """Longest way and average, in hops."""

    longest: int
    average: Fraction


def _prdt(side: int) -> str:
    return f"prdt:{side},R={min(4, ranks_that_close(side, 2)[0])}"


def vector(side: int) -> Lengths:
    """The simple vector routing on the PRDT of a side, with ranks to 4.

    >>> vector(32).longest
    6
    """
    hops = vector_steps(side, 2, min(4, ranks_that_close(side, 2)[0]))
    return Lengths(int(hops.max()), Fraction(int(hops.sum()), side * side - 1))


def shortest(spec: str) -> Lengths:
    """Diameter and average distance of a network."""
    return Lengths(figures(spec).diameter, figures(spec).average_distance)


def _lengths(found: PathFigures) -> Lengths:
    return Lengths(found.maximum, found.average)


def routed(side: int, routing: str) -> Lengths:
    """A routing on RDT(2,4,1)/alpha."""
    return _lengths(routes(f"rdt:{side}", routing))


def told(mine: Lengths, other: Lengths) -> str:
    """Both in words."""
    return f"{mine.longest} and {float(mine.average):.4f} hops against {other.longest} and {float(other.average):.4f}"


def near(mine: Lengths, other: Lengths) -> str:
    """`near-optimal` or by how much it is not."""
    return "near-optimal" if mine.average <= other.average * (1 + NEAR_OPTIMAL) else "further"


def _increased(mine: Fraction, other: Fraction) -> str:
    return "increased" if much_more(mine, other) else "not so increased"


def _improved(mine: Fraction, other: Fraction) -> str:
    if much_more(other, mine):
        return "greatly improved"
    return "improved" if other > mine else "not improved"


def _near_optimal(golden: Golden) -> Table:
    rows: dict[str, list[Cell | None]] = {
        label: [] for label in ("vector routing on the PRDT", "some vectors longer than the way",
                                "floating routing on α, the shortest", "its step 2, against the best choice of node")
    }  # fmt: skip
    for side in SIDES.values():
        best, least = routed(side, BEST), shortest(f"rdt:{side}")
        mine, exact = vector(side), shortest(_prdt(side))
        literal = routed(side, LITERAL)
        minimal = literal.longest <= best.longest and literal.average <= best.average
        cells = (
            claimed(golden, "vector_near_optimal", near(mine, exact), detail=told(mine, exact)),
            claimed(golden, "vector_better", "some" if mine.average > exact.average else "none",
                    detail=told(mine, exact)),
            claimed(golden, "floating_near_optimal", near(best, least), detail=told(best, least)),
            claimed(golden, "floating_minimized", "minimized" if minimal else "not minimized",
                    detail=told(literal, best)),
        )  # fmt: skip
        for row, cell in zip(rows.values(), cells, strict=True):
            row.append(cell)
    note = (
        f"`near-optimal`: at most {float(NEAR_OPTIMAL):.0%} more hops on average than shortest ways; a measure of "
        f"ours. Best choice of node: `{BEST}`; step 2 to the letter: `{LITERAL}`. Longest and average, in hops."
    )
    return Table(
        "Routings against shortest ways", f"{KEY}, sections III and IV.C.g", list(SIDES), list(rows.items()), note
    )


def _compared(golden: Golden) -> Table:
    rows: dict[str, list[Cell | None]] = {}
    for side in SIDES.values():
        mine, prdt = routed(side, BEST), vector(side)
        for k, figure in enumerate(FIGURES):
            answer = _increased(Fraction(mine[k]), Fraction(prdt[k]))
            cell = claimed(golden, "floating_not_so_increased", answer, detail=told(mine, prdt))
            rows.setdefault(f"floating on α against vector routing on the PRDT, {figure}", []).append(cell)
            for network in NETWORKS:
                ours, fixed = map(_lengths, against_fixed(side, BEST, network))
                answer = _improved(Fraction(ours[k]), Fraction(fixed[k]))
                cell = claimed(golden, "floating_greatly", answer, detail=told(ours, fixed))
                rows.setdefault(f"floating against fixed, both on {network}, {figure}", []).append(cell)
    for row, name in PRINTED.items():
        for figure in ("diameter", "average"):
            if f"{row} {figure}" in golden["table_1"]["rows"]:
                ratios = [_ratio(golden, figure, row, column) for column in SIDES]
                rows[f"Table I as printed, {row} {figure} by floating"] = [Cell(None, r, claim=name) for r in ratios]
    note = (
        f"`not so increased`: less than {MUCH:.0%} more; `greatly improved`: the other at least {MUCH:.0%} longer. The "
        "measures are ours, those of `much better` with Figures 9 to 11. alpha_1_3: ranks 1 and 3 for rank 4 to 4096 "
        "nodes, the network of the fixed row's default in Table I. Last rows: the printed figures divided."
    )
    title = "The floating routing against the PRDT and against the fixed routing"
    return Table(title, f"{KEY}, section III.B", list(SIDES), list(rows.items()), note)


def _ratio(golden: Golden, figure: str, row: str, column: str) -> float:
    mine, other = (
        Fraction(printed(golden, "table_1", f"{r} {figure}", column) or 1) for r in ("floating vector routing", row)
    )
    return round(float(other / mine), 3)


def section(golden: Golden, progress: Progress) -> Section:
    """Every routing of the words against shortest ways, and against each other."""
    progress(0, 2)
    first = _near_optimal(golden)
    progress(1, 2)
    return Section(TITLE, _text(golden), (first, _compared(golden)))


def _longer(network: str) -> str:
    """By how much the fixed routes are longer on average than the floating ones, in percent."""
    pairs = [against_fixed(side, BEST, network) for side in SIDES.values()]
    return percent_more((fixed.average, floating.average) for floating, fixed in pairs)


def _text(golden: Golden) -> str:
    sides = SIDES.values()
    fixed, floating = (
        [float(printed(golden, "table_1", f"{row} vector routing average", column) or "nan") for column in SIDES]
        for row in ("fixed", "floating")
    )
    floating_small, fixed_small = against_fixed(min(sides), BEST, DEFAULT_FIXED.assignment)
    return TEXT.format(
        vector=percent_more((vector(side).average, shortest(_prdt(side)).average) for side in sides),
        floating=percent_more((routed(side, BEST).average, shortest(f"rdt:{side}").average) for side in sides),
        prdt=percent_more((routed(side, BEST).average, vector(side).average) for side in sides),
        improved=percent_more(zip(fixed, floating, strict=True)),
        longest=fixed_small.maximum,
        floating_longest=floating_small.maximum,
        **{network: _longer(network) for network in NETWORKS},
    )


TEXT = """The paper says of vector routing that it is near-optimal, and of floating routing that it minimizes diameter
and average, is not so increased against the PRDT, and greatly improved against fixed routing. It gives no measures;
ours stand below, and every cell carries both figures.

Vector routing on the PRDT is {vector} % longer than shortest ways. Floating routing on α is {floating} % longer even
when it always chooses the best node. Its step 2 to the letter, which takes the node that leaves the least rank-0
vector, does not minimize: choosing the node by the whole way gives shorter ones at every size. Against the PRDT the
floating routing's average is {prdt} % longer. Only the printed diameters of Table I, which lie below the exact
diameters of α to the letter at 4096 and 16,384 nodes, are near those of the PRDT. Fixed routes are on average
{alpha} % longer than floating ones on α, and {alpha_1_3} % with ranks 1 and 3 for rank 4; in Table I {improved} %.
With those ranks the longest routes of 1024 nodes have {floating_longest} hops floating and {longest} fixed."""
