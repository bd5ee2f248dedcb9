"""The hypercube on the RDT (section IV.C.f of the RDT paper): real timetables without conflict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.analysis.routes.timetable import check, timetable
from jumpnet.graph.distances import distances_from
from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.report._formulas import yes
from jumpnet.report._kept import kept
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.terms import I64
from jumpnet.topology import build
from jumpnet.topology.rdt import class_of, unit_vectors

TITLE = "A hypercube on the RDT"
ORDER = 73

SIDES = {32: 3, 64: 3, 128: 4}
"""Side and highest rank."""
LIVE = 64
"""Up to this side the RDT's timetables are made each time, beyond it they are those of the last full run."""


def partners(side: int, dimension: int) -> tuple[I64, I64]:
    """Where each hypercube node lies, and where its neighbor in a dimension does; neighbors exchange, so both ways.

    Router y * side + x is that of the node whose low address bits are x and whose high ones are y.
    """
    places = np.arange(side * side, dtype=np.int64)
    return places, places ^ (1 << dimension)


def dimension_steps(net: Network) -> list[int]:
    """Steps of a timetable, found and checked, for every dimension of the hypercube with as many nodes."""
    side = int(net.params[0])
    found = []
    for dimension in range(2 * (side.bit_length() - 1)):
        sources, targets = partners(side, dimension)
        made = timetable(net, sources, targets)
        check(net, made, sources, targets)
        found.append(made.steps)
    return found


def farthest(net: Network) -> int:
    """Most hops between two neighbors in a dimension of the hypercube: no timetable takes fewer steps.

    Sources of one class are alike, so one search for each class gives the distances of all.
    """
    side, n = int(net.params[0]), int(net.params[1])
    kind = class_of(net.coord[:, 0].astype(np.int64), net.coord[:, 1].astype(np.int64), n)
    first = np.unique(kind, return_index=True)[1]
    away, most = np.stack([distances_from(net, int(r)) for r in first]), 0
    for dimension in range(2 * (side.bit_length() - 1)):
        sources, targets = partners(side, dimension)
        moved = (net.coord[targets] - net.coord[sources] + net.coord[first[kind[sources]]]) % side
        most = max(most, int(away[kind[sources], moved[:, 1] * side + moved[:, 0]].max()))
    return most


def _served(side: int, rank: int) -> list[int]:
    """Dimensions whose neighbors are one step of an even rank apart, or two of an odd one (x_r - y_r)."""
    unit = unit_vectors(2, rank)[rank]
    apart = int(np.abs(unit[0] - unit[1]).max()) if rank % 2 else int(np.abs(unit[0]).max())
    bits = side.bit_length() - 1
    return [d for d in range(2 * bits) if 1 << d % bits == apart]


def _perfect(golden: Golden) -> Table:
    rows: Rows = []
    for side, R in SIDES.items():
        steps = dimension_steps(build(f"prdt:{side}"))
        even = [steps[d] for r in range(0, R + 1, 2) for d in _served(side, r)]
        odd = [steps[d] for r in range(1, R + 1, 2) for d in _served(side, r)]
        detail = f"by dimension: {' '.join(map(str, steps))}"
        rows.append(
            (
                f"prdt:{side}",
                [
                    claimed(golden, "hypercube_even", max(even), detail=f"{len(even)} dimensions"),
                    claimed(golden, "hypercube_odd", max(odd), detail=f"{len(odd)} dimensions"),
                    claimed(golden, "hypercube_prdt", max(steps), detail=detail),
                ],
            )
        )
    return Table(
        "Steps of a hypercube dimension on the PRDT: timetables in which no channel is used twice in a step",
        "yang2001rdt, section IV.C.f",
        ("one step of an even rank", "two steps of an odd rank", "slowest dimension"),
        rows,
    )


def _sparse(golden: Golden, steps: Mapping[int, list[int]], said: str) -> Table:
    formula = claim(golden, "hypercube_embedding")
    rows: Rows = []
    for side, found in steps.items():
        R, slowest, least = SIDES[side], max(found), farthest(build(f"rdt:{side}"))
        allowed = int(evaluate(formula, R=R))
        detail = f"by dimension: {' '.join(map(str, found))}"
        enough = f"{slowest} steps found, {allowed} printed"
        cells = [
            claimed(golden, "hypercube_embedding", slowest, printed=str(allowed), detail=detail),
            Cell(None, least, claim="hypercube_embedding"),
            claimed(golden, "hypercube_enough", yes(slowest <= allowed), detail=enough),
        ]
        rows.append((f"rdt:{side}, R={R}", list(cells)))
    return Table(
        f"Steps of a hypercube dimension on RDT(2,4,1)/α (printed: {formula})",
        "yang2001rdt, section IV.C.f",
        ("slowest dimension", "farthest neighbor (hops)", "not more than printed"),
        rows,
        said,
    )


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Every dimension of the hypercube as one exchange of messages, on the PRDT and on RDT(2,4,1)/alpha."""
    progress(0, 1 + len(SIDES))
    perfect = _perfect(golden)
    last, steps = kept("yang2001rdt", "hypercube_embedding"), {}
    for done, side in enumerate(SIDES):
        progress(1 + done, 1 + len(SIDES))
        if full or side <= LIVE:
            steps[side] = dimension_steps(build(f"rdt:{side}"))
        elif last is not None:
            steps[side] = last.data[str(side)]
    said = "" if full or last is None else f"128 by 128 nodes: {last.said}"
    data: dict[str, Any] = {str(side): found for side, found in steps.items() if side > LIVE} if full else {}
    sparse = _sparse(golden, steps, said)
    return Section(TITLE, TEXT.format(need=_need(sparse)), (perfect, sparse), kept=data)


def _need(sparse: Table) -> str:
    """The steps of each size beside the printed ones."""
    slowest = {row: sparse.at(row, "slowest dimension") for row, _ in sparse.rows}
    return series(f"{cell.text} steps where {cell.printed} are printed ({row})" for row, cell in slowest.items())


TEXT = """A hypercube with as many nodes is laid on the torus by its address bits, low ones along x, high ones along y.
In each dimension all nodes exchange a message with their neighbor at once. The figures are steps of real timetables: in
one step a channel carries one message, a message may wait at a router, each takes the earliest route that is left, and
every timetable is checked hop by hop.

On the PRDT every dimension takes one or two steps, as the paper says: one where an even rank has a link of that length,
two elsewhere. On RDT(2,4,1)/α, where a quarter of the routers has the rank that a dimension needs and the others must
come to it, the paper allows 2(R+1) steps. For the slowest dimension the timetables found need {need}.
So 2(R+1) steps are enough, which is one claim, and more than needed, which is another. How few would do lies between
the hops to the farthest neighbor and the timetables, which are what one order of the messages gave."""
