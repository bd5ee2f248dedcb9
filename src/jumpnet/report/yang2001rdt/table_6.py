"""Table VI of the RDT paper: steps of a broadcast, by playing the schedules on the networks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from jumpnet.multicast import broadcast
from jumpnet.multicast.broadcast_rdt import rank_descending
from jumpnet.multicast.schedule import Played, play
from jumpnet.multicast.territory import territories
from jumpnet.papers import claim, evaluate, printed
from jumpnet.report._figures import figures
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, golden_table
from jumpnet.report._territories import sources
from jumpnet.topology import build

TITLE = "Table VI: steps of a broadcast"
ORDER = 90

KEY = "yang2001rdt"
SIDES = {"1024": 32, "4096": 64, "16384": 128, "65536": 256}
ALPHA, CUBE, TREE = "RDT(2,4,1)/alpha", "Hypercube", "4-ary tree"
PRDT_SIDES = (16, 32, 64, 128, 256)


@dataclass(frozen=True)
class Patterns:
    """The pattern of Figure 13 from a source of each class of RDT(2,4,1)/alpha."""

    least: int
    """Steps from the fastest source."""
    most: int
    """From the slowest."""
    played: Played
    """What the slowest does when it is played."""


@cache
def patterns(side: int) -> Patterns:
    """The schedules of all classes of sources on the network of a side."""
    where = territories(f"rdt:{side}")
    made = sorted((rank_descending(where, s) for s in sources(where)), key=lambda schedule: schedule.steps)
    return Patterns(made[0].steps, made[-1].steps, play(build(f"rdt:{side}"), made[-1], "all-port"))


def _tree_steps(nodes: int) -> int:
    """Steps from a leaf of the largest complete 4-ary tree of at most `nodes` routers, all-port."""
    height = 1
    while (4 ** (height + 2) - 1) // 3 <= nodes:
        height += 1
    net = build(f"tree:4,height={height}")
    schedule = broadcast("bfs")(net, net.routers - 1, "all-port")
    return play(net, schedule, "all-port").steps


def _cube_steps(nodes: int) -> int:
    net = build(f"hypercube:{nodes.bit_length() - 1}")
    return play(net, broadcast("binomial")(net, 0, "one-port"), "one-port").steps


def _against(mine: int, other: int) -> str:
    return "less" if mine < other else "more" if mine > other else "as many"


def _some(mine: list[int], other: list[int]) -> str:
    """Whether one row is less than the other always, sometimes or never."""
    less = [a < b for a, b in zip(mine, other, strict=True)]
    return "always less" if all(less) else "sometimes less" if any(less) else "never less"


def _comparisons(golden: Golden, computed: dict[str, dict[str, int]]) -> Table:
    """What the text says of the rows, on our figures and on the printed ones."""
    sources = {
        "our figures": ({row: list(computed[row].values()) for row in computed}, False),
        "the printed table": (
            {row: [int(printed(golden, "table_6", row, c) or 0) for c in SIDES] for row in computed}, True
        ),
    }  # fmt: skip
    rows: Rows = []
    for name, (found, typed) in sources.items():
        cells: list[Cell | None] = [
            claimed(golden, "broadcast_cube", _against(a, b), stated=typed, detail=f"{a} against {b}")
            for a, b in zip(found[ALPHA], found[CUBE], strict=True)
        ]
        told = ", ".join(f"{a} against {b}" for a, b in zip(found[ALPHA], found[TREE], strict=True))
        cells.append(claimed(golden, "broadcast_tree", _some(found[ALPHA], found[TREE]), stated=typed, detail=told))
        rows.append((name, cells))
    columns = (*(f"{nodes} nodes, against the hypercube" for nodes in SIDES), "against the 4-ary tree")
    return Table("RDT(2,4,1)/alpha against the others", f"{KEY}, section V.B", columns, rows)


def _alpha_table(golden: Golden) -> Table:
    formula = claim(golden, "broadcast")
    rows: Rows = []
    for nodes, side in SIDES.items():
        found = patterns(side)
        R = territories(f"rdt:{side}").top
        net = build(f"rdt:{side}")
        one = broadcast("rank_descending")(net, 0, "one-port")
        others = (
            found.least,
            "yes" if found.played.informed == net.routers else "no",
            int((found.played.received > 1).sum()),
            play(net, one, "one-port").steps,
            figures(f"rdt:{side}").diameter,
        )
        rows.append(
            (
                f"{nodes} nodes, R = {R}",
                [
                    claimed(
                        golden,
                        "broadcast",
                        found.most,
                        printed=str(evaluate(formula, R=R)),
                        detail=f"{formula}, R = {R}",
                    ),
                    *(Cell(None, value, claim="broadcast") for value in others),
                ],
            )
        )
    return Table(
        "RDT(2,4,1)/alpha: the pattern of Figure 13 played from every class of source",
        f"{KEY}, section V.B",
        (
            f"steps, slowest source (printed: {formula})",
            "steps, fastest source",
            "every node receives",
            "nodes that receive again",
            "steps, one-port",
            "diameter: no broadcast is faster",
        ),
        rows,
        "All-port but for the column that says otherwise; nodes that relay on the base torus receive again as leaves.",
    )


def _prdt_table(golden: Golden, progress: Progress) -> Table:
    formula = claim(golden, "prdt_broadcast")
    rows: Rows = []
    for done, side in enumerate(PRDT_SIDES):
        progress(len(SIDES) + done, len(SIDES) + len(PRDT_SIDES))
        where, net = territories(f"prdt:{side}"), build(f"prdt:{side}")
        played = play(net, rank_descending(where, 0), "all-port")
        expected = str(evaluate(formula, R=where.top))
        once = "yes" if played.informed == net.routers and played.once else "no"
        cells: list[Cell | None] = [
            claimed(golden, "prdt_broadcast", played.steps, printed=expected, detail=f"{formula}, R = {where.top}"),
            Cell(None, once, claim="prdt_broadcast"),
        ]
        rows.append((f"PRDT(2,{where.top}), {side}x{side}", cells))
    return Table(
        f"PRDT: {formula} steps",
        f"{KEY}, section V.B",
        ("steps", "each node receives exactly once"),
        rows,
        "A PRDT is transitive: one source stands for all.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Table VI, then the RDT and PRDT formulas against schedules that are checked transfer by transfer."""
    computed: dict[str, dict[str, int]] = {ALPHA: {}, CUBE: {}, TREE: {}}
    for done, (column, side) in enumerate(SIDES.items()):
        progress(done, len(SIDES) + len(PRDT_SIDES))
        computed[ALPHA][column] = patterns(side).most
        computed[CUBE][column] = _cube_steps(side * side)
        computed[TREE][column] = _tree_steps(side * side)
    table = golden_table(golden, "table_6", computed, key=KEY)
    tables = (table, _comparisons(golden, computed), _alpha_table(golden), _prdt_table(golden, progress))
    return Section(TITLE, TEXT, tables)


TEXT = """Each rank takes two steps: a router sends to its four neighbors, the southern one on to three more. On
RDT(2,4,1)/alpha a hop over the base torus leads to the first router with the top rank and, between ranks, to one
with the next. The schedules are played on the networks: every transfer has its link, no channel is used twice in a
step, every node receives. The tree of the table is the largest complete 4-ary tree with at most that many routers,
broadcasting from a leaf; the hypercube uses its binomial tree."""
