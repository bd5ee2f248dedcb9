"""Closed partitioning of the RDT paper (section IV.C.e and the last rows of Table I): routes within one partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from jumpnet.analysis.routes.listed import routes_from
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.graph.distances import distance_counts
from jumpnet.networks import Network, from_links
from jumpnet.papers import printed
from jumpnet.report._figures import figures
from jumpnet.report._kept import kept
from jumpnet.report._prose import series, span
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, table_cell
from jumpnet.report.yang2001rdt.table_1_routing import routes
from jumpnet.routings import bind
from jumpnet.routings.rdt.partitioned import inside
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

TITLE = "Closed partitioning: routes that stay inside"
ORDER = 32

SIDES = {"1024": 32, "4096": 64, "16384": 128}
LIVE = 32
"""Up to this side figures are computed each time, beyond it they are those of the last full run."""
OPTIONS = ("inside", "inside_one", "mixed", "distances")
ROW = "closed partitioning"
AGAINST = {
    "distances": ("distances", ""),
    "inside": ("inside", ""),
    "inside_floating": ("inside", "rdt.floating"),
    "inside_fixed": ("inside", "rdt.fixed"),
    "inside_deadlock_free": ("inside", "rdt.deadlock_free"),
}
"""Option of `partition_stretch`: whose longest way inside, and the routing of the whole network of that scale."""
STEPS = range(2, 5)
"""The printed range, 2 to 4."""
PRINTED = ("deadlock-free", "fixed vector routing", "floating vector routing")


def partition(side: int) -> Network:
    """One partition of a side, cut out of the RDT(2,4,1)/alpha of four times the nodes, with the links that stay in it.

    >>> partition(8).routers
    64
    """
    net = build(f"rdt:{2 * side}")
    here, _, there = net.channel_ends
    both = np.stack([here, there], axis=1)
    both = both[(here < there) & (net.coord[both] < side).all(axis=(1, 2))]
    places = net.coord[both].astype(np.int64)
    return from_links(f"partition-{side}", "partition", side * side, places[..., 1] * side + places[..., 0])


@cache
def measure(side: int) -> dict[str, list[int]]:
    """Longest route and average, as a fraction, of every reading for partitions of a side."""
    found: dict[str, tuple[int, Fraction]] = {}
    for option, routing in (("inside", "rdt.partitioned"), ("inside_one", "rdt.partitioned:levels=one")):
        bound = bind(routing, build(f"rdt:{2 * side}"))
        paths = path_figures(bound, pairs=inside(bound.network, bound.view))
        found[option] = paths.maximum, paths.average
    mixed = path_figures(bind("rdt.partitioned", build(f"rdt:{side}")))
    found["mixed"] = mixed.maximum, mixed.average
    exact = distance_counts(partition(side))
    assert exact.diameter is not None and exact.average is not None
    found["distances"] = exact.diameter, exact.average
    return {option: [longest, mean.numerator, mean.denominator] for option, (longest, mean) in found.items()}


def _all(progress: Progress, full: bool) -> tuple[dict[str, Mapping[str, list[int]]], str]:
    """The figures of every column, and where those that were not computed now come from."""
    found: dict[str, Mapping[str, list[int]]] = {}
    last = kept("yang2001rdt", "closed_partitioning")
    for done, (column, side) in enumerate(SIDES.items()):
        progress(done, len(SIDES) + 1)
        if full or side <= LIVE:
            found[column] = measure(side)
        elif last is not None:
            found[column] = last.data[column]
    return found, "" if full or last is None else f"4096 and 16,384 nodes: {last.said}"


def _row(golden: Golden, found: Mapping[str, Mapping[str, list[int]]], said: str) -> Table:
    rows: Rows = []
    for option in OPTIONS:
        values = {c: found[c][option] for c in found}
        for figure in ("diameter", "average"):
            cells: list[Cell | None] = []
            for column in SIDES:
                if column not in values:
                    cells.append(None)
                    continue
                longest, above, below = values[column]
                value: int | Fraction = longest if figure == "diameter" else Fraction(above, below)
                reading = f"closed_partitioning:{option}"
                cells.append(table_cell(golden, "table_1", f"{ROW} {figure}", column, value, reading=reading))
            rows.append((f"{figure}, {option}", cells))
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["closed_partitioning"]["options"].items())
    return Table("Table I, closed partitioning", "yang2001rdt, Table I", list(SIDES), rows, f"{options}. {said}")


def _within(steps: Sequence[int]) -> str:
    """Whether all steps lie in the printed range."""
    return "within" if all(one in STEPS for one in steps) else "not within"


def _stretch(golden: Golden, found: Mapping[str, Mapping[str, list[int]]]) -> Table:
    """Steps at each size, and whether all lie in the printed range."""
    rows: Rows = []
    claim = "partition_stretch"

    def row(label: str, steps: Mapping[str, int], why: str, reading: str, stated: bool) -> None:
        cells: list[Cell | None] = [
            Cell(None, steps[c], claim=claim, reading=reading) if c in steps else None for c in SIDES
        ]
        answer = _within(list(steps.values()))
        last = claimed(golden, claim, answer, printed="within", stated=stated, reading=reading, detail=why)
        rows.append((label, [*cells, last]))

    for option, (figure, routing) in AGAINST.items():
        whole = {
            c: routes(f"rdt:{side}", routing).maximum if routing else figures(f"rdt:{side}").diameter
            for c, side in SIDES.items()
            if c in found
        }
        steps = {c: found[c][figure][0] - whole[c] for c in whole}
        why = ", ".join(f"{found[c][figure][0]} against {whole[c]}" for c in whole)
        row(option, steps, why, f"partition_stretch:{option}", False)
    for name in PRINTED:
        both = {c: [int(printed(golden, "table_1", f"{r} diameter", c) or 0) for r in (ROW, name)] for c in SIDES}
        why = ", ".join(f"{a} against {b}" for a, b in both.values())
        row(f"Table I as printed, against {name}", {c: a - b for c, (a, b) in both.items()}, why, "", True)
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["partition_stretch"]["options"].items())
    title = "Steps by which partitioning stretches the diameter"
    columns = [*SIDES, "all of 2 to 4"]
    return Table(title, "yang2001rdt, section IV.C.e", columns, rows, f"{options}.")


def leaving(side: int) -> tuple[int, int]:
    """Routes between two nodes of one partition of any level that leave it, and how many were followed."""
    net = build(f"rdt:{side}")
    bound = bind("rdt.partitioned", net)
    left, followed = 0, 0
    for source in range(net.routers):
        held = np.zeros(net.routers, np.int64)  # side of the smallest partition that has both
        size = side // 2
        while size >= 4:
            held[(net.coord // size == net.coord[source] // size).all(axis=1)] = size
            size //= 2
        held[source] = 0
        destinations = np.flatnonzero(held)
        found = routes_from(bound, source, destinations)
        of = held[destinations[found.of], None]
        away = (net.coord[found.router] // of != net.coord[source] // of).any(axis=1)
        followed += destinations.size
        left += np.unique(found.of[away]).size
    return left, followed


def smallest_with_upper_links(net: Network) -> int:
    """Side of the smallest partition, by halves, in every one of which some upper link stays.

    >>> smallest_with_upper_links(build("rdt:16"))
    4
    """
    here, port = np.nonzero((net.neighbor != NO_ROUTER) & (net.class_rank[net.link_class] > 0))
    there, side = net.neighbor[here, port], int(net.params[0])
    for smallest in (1 << k for k in range(side.bit_length())):
        blocks = net.coord // smallest
        stays = (blocks[here] == blocks[there]).all(axis=1)
        if len(np.unique(blocks[here[stays]], axis=0)) == (side // smallest) ** 2:
            return smallest
    raise JumpnetError(f"{net.spec} found, a network with upper ranks expected")


def _claims(golden: Golden) -> Table:
    smallest = smallest_with_upper_links(build("rdt:64"))
    left, followed = leaving(16)
    rows: Rows = [
        (
            "routes of rdt:16 that leave their partition",
            [
                claimed(
                    golden, "partition_closed", left, detail=f"{followed} routes within one partition of side 4 or 8"
                )
            ],
        ),
        (
            "smallest partition with upper links in every part",
            [claimed(golden, "partition_4", smallest, detail="counted on 64 by 64 nodes")],
        ),
        ("side of a quarter of 16 by 16 nodes", [claimed(golden, "partition_of_16", 16 // 2, stated=True)]),
    ]
    return Table("What the text says of partitions", "yang2001rdt, section IV.C.e", ("value",), rows)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Table I's row under every reading, the stretch of the diameter, and whether routes stay inside."""
    found, said = _all(progress, full)
    progress(len(SIDES), len(SIDES) + 1)
    row, stretch = _row(golden, found, said), _stretch(golden, found)
    data: dict[str, Any] = {c: dict(v) for c, v in found.items()} if full else {}
    return Section(TITLE, _text(row, stretch), (row, stretch, _claims(golden)), kept=data)


def _text(row: Table, stretch: Table) -> str:
    columns = [column for column, cell in zip(row.columns, row.rows[0][1], strict=True) if cell is not None]
    mine = [row.at("average, inside", column) for column in columns]
    ways = {label: [stretch.at(label, c).text for c in columns] for label, _ in stretch.rows}
    inside = sorted((w for label, words in ways.items() if label.startswith("inside") for w in words), key=int)
    return TEXT.format(
        ours=series(f"{float(cell.computed):.2f}" for cell in mine),
        printed=series(cell.printed for cell in mine),
        within=series(row.at("diameter, distances", column).text for column in columns),
        more=series(ways["distances"]),
        inside=span(inside),
        table=series(ways["Table I as printed, against deadlock-free"]),
    )


TEXT = """A partition is a quarter of the network, or a quarter of that, down to 4 by 4 nodes. Inside it there is no
wrap-around, and a link of an upper rank can be used only where it stays inside. The figures are those of one
partition of 32 by 32, 64 by 64 or 128 by 128 nodes, a quarter of a network of four times the nodes. Mixed figures,
over all pairs of a network of that size, have many pairs that no partition holds and that use the wrap-around; they
are shorter.

Inside one partition our routes average {ours} hops where {printed} are printed, and their
longest are longer than the printed ones: the paper does not give its rule, and ours prefers a step of an upper rank
whenever one stays inside, however long the way that is left. The printed figures lie between ours and the shortest
paths, which no closed routing can beat.

By those shortest paths the remark on 2 to 4 steps is right at the three sizes: the diameters within a partition,
{within}, are {more} more than those of the RDT of the same size. That is another reading than the one of the row
of Table I, whose routes inside stretch by {inside}; no reading tried has both. Table I's own figures stretch by
{table} against the deadlock-free routes, and by more against the others. The example of 16 by 16 nodes divided 2x2 into
four 4 by 4 tori is a slip: a quarter of them is 8 by 8."""
