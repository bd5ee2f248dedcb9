"""Table VI of the RDT paper: steps of a broadcast, by playing the schedules on the networks."""

from __future__ import annotations

from functools import cache

from jumpnet.multicast import broadcast
from jumpnet.multicast.broadcast_rdt import rank_descending
from jumpnet.multicast.schedule import Played, play
from jumpnet.multicast.territory import territories
from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, golden_table
from jumpnet.papers import claim
from jumpnet.topology import build

TITLE = "Table VI: steps of a broadcast"
ORDER = 90

SIDES = {"1024": 32, "4096": 64, "16384": 128, "65536": 256}
ALPHA, CUBE, TREE = "RDT(2,4,1)/alpha", "Hypercube", "4-ary tree"
PRDT_SIDES = (16, 32, 64, 128, 256)


def _one_of_each_class(side: int) -> list[int]:
    """A router of each of the eight classes."""
    return [y * side + x for y in range(2) for x in range(4)]


@cache
def _alpha(side: int) -> tuple[int, int, Played]:
    """Fewest and most steps of the pattern over all sources, and what the slowest does when played."""
    where = territories(f"rdt:{side}")
    made = sorted((rank_descending(where, s) for s in _one_of_each_class(side)), key=lambda schedule: schedule.steps)
    return made[0].steps, made[-1].steps, play(build(f"rdt:{side}"), made[-1], "all-port")


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


def _alpha_table() -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for nodes, side in SIDES.items():
        best, worst, played = _alpha(side)
        R = territories(f"rdt:{side}").top
        net = build(f"rdt:{side}")
        one = broadcast("rank_descending")(net, 0, "one-port")
        reason = "" if worst == 3 * R + 2 else FILL if worst > 3 * R + 2 else SMALL
        rows.append(
            (
                f"{nodes} nodes, R = {R}",
                [
                    Cell(str(3 * R + 2), worst, reason),
                    Cell(None, best),
                    Cell("yes", "yes" if played.informed == net.routers else "no"),
                    Cell(None, int((played.received > 1).sum())),
                    Cell(None, play(net, one, "one-port").steps),
                    Cell(None, figures(f"rdt:{side}").diameter),
                ],
            )
        )
    return Table(
        "RDT(2,4,1)/alpha: the pattern of Figure 13 played from every class of source",
        "yang2001rdt, section V.B",
        (
            "steps, slowest source (printed: 3R+2)",
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
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, side in enumerate(PRDT_SIDES):
        progress(len(SIDES) + done, len(SIDES) + len(PRDT_SIDES))
        where, net = territories(f"prdt:{side}"), build(f"prdt:{side}")
        played = play(net, rank_descending(where, 0), "all-port")
        formula = 2 * (where.top + 1)
        cells: list[Cell | None] = [
            Cell(str(formula), played.steps, SMALL if played.steps != formula else ""),
            Cell("yes", "yes" if played.informed == net.routers and played.once else "no"),
        ]
        rows.append((f"PRDT(2,{where.top}), {side}x{side}", cells))
    return Table(
        f"PRDT: {claim(golden, 'prdt_broadcast')} steps",
        "yang2001rdt, section V.B",
        ("steps", "each node receives exactly once"),
        rows,
        "A PRDT is transitive: one source stands for all.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Table VI, then the RDT and PRDT formulas against schedules that are checked transfer by transfer."""
    computed: dict[str, dict[str, int]] = {ALPHA: {}, CUBE: {}, TREE: {}}
    for done, (column, side) in enumerate(SIDES.items()):
        progress(done, len(SIDES) + len(PRDT_SIDES))
        computed[ALPHA][column] = _alpha(side)[1]
        computed[CUBE][column] = _cube_steps(side * side)
        computed[TREE][column] = _tree_steps(side * side)
    notes = {(ALPHA, column): ROW for column in ("16384", "65536")}
    table = golden_table(golden, "table_6", computed, notes, key="yang2001rdt")
    return Section(TITLE, TEXT, (table, _alpha_table(), _prdt_table(golden, progress)))


ROW = """The printed row grows by one for each factor of four nodes, but the formula 3R+2 of the same section gives 11,
11, 14, 14 with the ranks that exist at these sizes (3, 3, 4, 4): the row and its own formula agree at 4096 nodes
only. The pattern as described takes the steps computed here."""
SMALL = "The torus of the top rank has two nodes at this size, so that its rank takes one step instead of two."
FILL = """The tori of rank 4 have 16 nodes at this size, of which a node's eight children are half: to reach the rest
the message spreads over the whole top torus, four steps instead of two."""
TEXT = """Each rank takes two steps: a router sends to its four neighbors, the southern one on to three more. On
RDT(2,4,1)/alpha a hop over the base torus leads to the first router with the top rank and, between ranks, to one with
the next. The schedules are played on the networks: every transfer has its link, no channel is used twice in a step,
every node receives. The tree of the table is the largest complete 4-ary tree with at most that many routers,
broadcasting from a leaf; the hypercube uses its binomial tree."""
