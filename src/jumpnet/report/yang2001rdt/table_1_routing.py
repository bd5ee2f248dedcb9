"""Table I of the RDT paper, the rows of RDT(2,4,1)/alpha: every route of each routing, under every reading."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.paths import PathFigures, path_figures
from jumpnet.report._figures import figures
from jumpnet.report._measures import against
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, table_cell
from jumpnet.routings import bind
from jumpnet.topology import build

__all__ = ["DEADLOCK_FREE", "Reading", "routes"]

TITLE = "Table I: routing on RDT(2,4,1)/α"
ORDER = 31

SIDES = {"1024": 32, "4096": 64, "16384": 128, "65536": 256}
LOST = "65536"
"""The column that our copy has lost: only the default readings are given for it."""


class Reading(NamedTuple):
    """A routing, and the assignment of the network it runs on."""

    routing: str
    assignment: str = "alpha"


FLOATING = {
    "best": Reading("rdt.floating"),
    "best_zero": Reading("rdt.floating:ties=zero"),
    "near": Reading("rdt.floating:moves=near,ties=zero"),
    "compass": Reading("rdt.floating:moves=compass,ties=zero"),
    "near_1_3": Reading("rdt.floating:moves=near,ties=zero", "alpha_1_3"),
}
FIXED = {
    "descending_1_3": Reading("rdt.fixed", "alpha_1_3"),
    "descending_1": Reading("rdt.fixed", "alpha_1"),
    "descending": Reading("rdt.fixed"),
    "ascending_1_3": Reading("rdt.fixed:order=ascending", "alpha_1_3"),
    "near": Reading("rdt.fixed:order=best,moves=near"),
    "compass": Reading("rdt.fixed:order=best,moves=compass"),
    "compass_1": Reading("rdt.fixed:order=best,moves=compass", "alpha_1"),
    "plain": Reading("rdt.fixed:order=best,moves=plain"),
}
DEADLOCK_FREE = {
    "step": Reading("rdt.deadlock_free"),
    "step_zero": Reading("rdt.deadlock_free:ties=zero"),
    "x": Reading("rdt.deadlock_free:moves=x"),
    "x_zero": Reading("rdt.deadlock_free:moves=x,ties=zero"),
    "walk": Reading("rdt.deadlock_free:moves=best"),
    "walk_zero": Reading("rdt.deadlock_free:moves=best,ties=zero"),
}
ROWS: Mapping[str, tuple[str, Mapping[str, Reading]]] = {
    "floating vector routing": ("floating_vector", FLOATING),
    "fixed vector routing": ("fixed_vector", FIXED),
    "deadlock-free": ("deadlock_free_route", DEADLOCK_FREE),
}
"""Rows of Table I: the golden file's reading, and the code behind each of its options."""
DEFAULT_FIXED = FIXED["descending_1_3"]
LARGEST_WITHOUT_4 = 64
"""Side up to which rank 4 does not exist, so that an assignment says what stands for it."""
CHANNELS = 3


@cache
def routes(spec: str, routing: str) -> PathFigures:
    """Path figures of a routing on a network, computed once a process."""
    return path_figures(bind(routing, build(spec)))


def spec_of(side: int, reading: Reading) -> str:
    """The network of a reading."""
    return f"rdt:{side}" if reading.assignment == "alpha" else f"rdt:{side},assignment={reading.assignment}"


def _found(side: int, reading: Reading) -> PathFigures:
    return routes(spec_of(side, reading), reading.routing)


def _columns(name: str, option: str, golden: Golden) -> list[str]:
    return [c for c in SIDES if c != LOST or option == golden["readings"][name]["default"]]


def _row_table(golden: Golden, row: str) -> Table:
    """Both figures of a row of Table I under every reading of it."""
    name, options = ROWS[row]
    rows: Rows = []
    for option, reading in options.items():
        columns = _columns(name, option, golden)
        found = [_found(SIDES[c], reading) for c in columns]
        both: dict[str, list[int | Fraction]] = {
            "diameter": [f.maximum for f in found],
            "average": [f.average for f in found],
        }
        for figure, values in both.items():
            cells: list[Cell | None] = [
                table_cell(golden, "table_1", f"{row} {figure}", c, v, reading=f"{name}:{option}")
                for c, v in zip(columns, values, strict=True)
            ]
            rows.append((f"{figure}, {option}", cells + [None] * (len(SIDES) - len(cells))))
    if row == "deadlock-free":
        rows += _free(golden)
    if row == "floating vector routing":
        rows += _below(golden)
    title = f"Table I, {row}: {golden['readings'][name]['text']}"
    said = "; ".join(f"{o}: {w}" for o, w in golden["readings"][name]["options"].items())
    return Table(title, f"yang2001rdt, {golden['table_1']['where']}", list(SIDES), rows, f"{said}. {COLUMN}")


def _free(golden: Golden) -> Rows:
    """Whether each reading is free of deadlock with the printed three channels on base links."""
    rows: Rows = []
    for option, reading in DEADLOCK_FREE.items():
        cells: list[Cell | None] = []
        for side in list(SIDES.values())[:2]:
            free = prove(bind(reading.routing, build(spec_of(side, reading)), CHANNELS)).deadlock_free
            words = "free" if free else "cycle"
            cells.append(
                claimed(
                    golden, "alpha_channels", words, printed="free", reading=f"deadlock_free_route:{option}",
                    detail=f"{CHANNELS} channels on every link",
                )
            )  # fmt: skip
        rows.append((f"free of deadlock, {option}", [*cells, None, None]))
    return rows


def against_fixed(side: int, routing: str, assignment: str) -> tuple[PathFigures, PathFigures]:
    """A floating routing and the fixed one, both on the network with that assignment.

    What stands for rank 4 is part of the reading of a row of Table I, so that two rows may be of two networks.

    >>> [found.maximum for found in against_fixed(32, "rdt.floating", DEFAULT_FIXED.assignment)]
    [9, 9]
    """
    given = assignment if side <= LARGEST_WITHOUT_4 else "alpha"
    return _found(side, Reading(routing, given)), _found(side, Reading(DEFAULT_FIXED.routing, given))


def _below(golden: Golden) -> Rows:
    """Whether each reading of the floating routing has shorter routes than the fixed one, each time on one network.

    On that of the floating row's reading, and on that of the fixed row's default.
    """
    rows: Rows = []
    for option, reading in FLOATING.items():
        for whose, assignment in (("own network", reading.assignment), ("fixed's network", DEFAULT_FIXED.assignment)):
            for figure in ("diameter", "average"):
                cells: list[Cell | None] = []
                for side in list(SIDES.values())[:3]:
                    mine, fixed = against_fixed(side, reading.routing, assignment)
                    both = (mine.maximum, fixed.maximum) if figure == "diameter" else (mine.average, fixed.average)
                    words = against(*both)
                    detail = f"{float(both[0]):.4g} against {float(both[1]):.4g}, {assignment}"
                    name = f"floating_vector:{option}"
                    cells.append(claimed(golden, "floating_below_fixed", words, reading=name, detail=detail))
                rows.append((f"{figure} against fixed, {whose}, {option}", [*cells, None]))
    return rows


def section(golden: Golden, progress: Progress) -> Section:
    """Each row of Table I under every reading, each over all ordered pairs of different nodes."""
    makers = [partial(_row_table, golden, row) for row in ROWS]
    tables = []
    for done, make in enumerate(makers):
        progress(done, len(makers))
        tables.append(make())
    return Section(TITLE, _text(dict(zip(ROWS, tables, strict=True))), tables)


def _hops(cell: Cell) -> str:
    """`9 against 11`, of a comparison."""
    return cell.detail.partition(",")[0]


def _text(of: dict[str, Table]) -> str:
    def two(cell: Cell) -> str:
        return f"{float(cell.computed):.2f}"

    floating, fixed, free = (of[row] for row in ("floating vector routing", "fixed vector routing", "deadlock-free"))
    small, middle, large = list(SIDES)[:3]
    first = fixed.at("average, descending_1_3", small)
    return TEXT.format(
        hops=series(fixed.at("diameter, descending_1_3", c).text for c in (small, middle, large)),
        middle=two(fixed.at("average, descending_1_3", middle)), small=f"{two(first)} for {first.printed}",
        compass=fixed.at("diameter, compass", large).text, average=two(fixed.at("average, compass", large)),
        printed=series(floating.at("diameter, best", c).printed for c in (middle, large)),
        exact=series(figures(f"rdt:{SIDES[c]}").diameter for c in (middle, large)),
        own=_hops(floating.at("diameter against fixed, own network, best", small)),
        fixed=_hops(floating.at("diameter against fixed, fixed's network, best", small)),
        literal=two(floating.at("average, near_1_3", small)), step=free.at("diameter, step", middle).text,
    )  # fmt: skip


COLUMN = "The last column is lost in our copy of the paper for these rows; the default reading is given for it."
TEXT = """Each figure is the exact average and the longest of the routes between all ordered pairs of different nodes.
The paper leaves the order of the ranks, the rounding of a remainder of exactly n and the base moves between ranks open,
and up to 64 by 64 nodes also what the routers of rank 4 have instead, as rank 4 does not exist there. Every combination
below is an option of the code; the first reading of each row is the default.

Fixed routes. With ranks 1 and 3 in the place of rank 4, ranks in descending order and the shortest base walks between
them, {hops} hops and the average {middle} come out as printed, and {small} at 1024 nodes. The average for
16,384 nodes does not; there another rule, one pending rank after the other as the neighbors offer them, in the order
north, east, south, west, gives the printed {compass} and {average}. No rule tried gives the whole row.

Floating routes. The printed diameters {printed} at 4096 and 16,384 nodes are below the exact diameters of α to the
letter, {exact}: no routing on it has them. The literal step 2 of the algorithm, on ranks 1 and 3 for rank 4, gives
the printed {literal} at 1024 nodes, and nothing else of the row. The averages lie between ours with and without free
remainders. Against fixed routes on the same network the longest of the default floating ones are shorter on α ({own}
hops at 1024 nodes), but not at 1024 nodes with ranks 1 and 3 for rank 4, the network of the fixed row's default:
{fixed} there.

Deadlock-free routes. Walking along x, remainders toward zero, comes nearest to the printed averages at 1024 and 4096
nodes, but the walks of several base hops that were tried close a cycle with three channels there. The default, one base
hop for each change of rank, is free of deadlock there, and has the printed {step} hops at 4096 nodes."""
