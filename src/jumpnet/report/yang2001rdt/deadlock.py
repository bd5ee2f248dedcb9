"""Virtual channels of the RDT paper's deadlock-free routings: its claims checked by the dependency graph.

Source: yang2001rdt section IV.C.d. The paper's own argument is one paragraph; here every reachable dependency is found
and the graph searched for cycles, at five sizes up to 65,536 nodes, for each reading of the moves between ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.listed import routes_from
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.report._kept import kept
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._territories import sources
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.rdt.deadlock_free import RDT_DEADLOCK_FREE
from jumpnet.routings.rdt.floating import prepare_plan
from jumpnet.topology import build

TITLE = "Deadlock freedom: how many virtual channels descending order needs"
ORDER = 62

KEY = "yang2001rdt"
SIDES = (16, 32, 64, 128, 256)
SLOW_SIDE = 128
"""Proofs from this side on are made under --full and kept, but for the default reading of RDT(2,4,1)/alpha at it."""
READINGS = ("step", "x")
MOVES = ("step", "near", "x", "best")
CHANNELS = (1, 2, 3)
FREE, UNKNOWN = "free", "not proved here"
WALKED_SIDE = 32


class Answers:
    """Proofs by network, routing and virtual channels: made now, or taken from those that are kept."""

    def __init__(self, full: bool) -> None:
        results = None if full else kept(KEY, "deadlock")
        self.known: Mapping[str, str] = {} if results is None else results.data["answers"]
        self.said = "" if results is None else results.said
        self.full, self.made, self.proofs = full, dict[str, str](), dict[tuple[Any, ...], str]()

    def ask(self, spec: str, routing: str, vcs: int) -> str:
        """`free`, or how long the shortest cycle of dependencies is; `not proved here` for a slow one not kept."""

        def proved() -> str:
            bound = bind(routing, build(spec), vcs)
            # Options that make the same tables make the same routing.
            alike = spec, vcs, bound.routing.relation, bound.view.own.tobytes(), bound.view.table.tobytes()
            if alike not in self.proofs:
                proof = prove(bound)
                self.proofs[alike] = FREE if proof.cycle is None else f"cycle of {len(proof.cycle)}"
            return self.proofs[alike]

        return self._told(f"{spec} {routing} {vcs}", _side(spec), routing, proved)

    def _told(self, name: str, side: int, routing: str, make: Callable[[], str]) -> str:
        if _is_slow(side, routing) and not self.full:
            return self.known.get(name, UNKNOWN)
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def extra_links(self, spec: str, moves: str) -> str:
        """Which base links carry the third channel: that of changes of rank."""
        routing = _routing(moves)

        def found() -> str:
            net = build(spec)
            used = dependencies(bind(routing, net, 3)).used.reshape(net.routers, net.ports, 3)[:, :, 2]
            base = net.class_rank[net.link_class] == 0
            names = {net.class_names[c].split()[-1][0] for c in np.unique(net.link_class[(used > 0) & base])}
            return " and ".join(sorted(names)) or "none"

        return self._told(f"{spec} {routing} links", _side(spec), routing, found)

    def least(self, spec: str, routing: str, tried: Sequence[int] = CHANNELS) -> str:
        """The least number of channels that is free, among those tried."""
        told = [self.ask(spec, routing, vcs) for vcs in tried]
        if UNKNOWN in told:
            return UNKNOWN
        return str(tried[told.index(FREE)]) if FREE in told else f"more than {tried[-1]}"


def _routing(moves: str, ties: str = "best") -> str:
    """Spec of descending order with these options."""
    extra = [f"{k}={v}" for k, v, usual in (("moves", moves, "step"), ("ties", ties, "best")) if v != usual]
    return RDT_DEADLOCK_FREE.name + (":" + ",".join(extra) if extra else "")


def _side(spec: str) -> int:
    return int(spec.partition(":")[2])


def _is_slow(side: int, routing: str) -> bool:
    return side > SLOW_SIDE or (side == SLOW_SIDE and routing != RDT_DEADLOCK_FREE.name)


def _perfect(golden: Golden, answers: Answers) -> Table:
    """The PRDT by e-cube order."""
    rows: Rows = []
    for side in SIDES:
        spec = f"prdt:{side}"
        told = [answers.ask(spec, "prdt.vector", vcs) for vcs in (1, 2)]
        cells: list[Cell | None] = [claimed(golden, "prdt_channels", answers.least(spec, "prdt.vector", (1, 2)))]
        rows.append((spec, [*cells, *(Cell(None, answer, claim="prdt_channels") for answer in told)]))
    columns = ("channels needed", "1 channel", "2 channels")
    note = "Acyclic dependency graph: free; else its shortest cycle. Highest rank first, x before y, datelines."
    return Table("PRDT, e-cube order", f"{KEY}, section IV.C.d", columns, rows, note)


def _alpha(golden: Golden, answers: Answers, progress: Progress) -> Table:
    """RDT(2,4,1)/alpha under each reading."""
    rows: Rows = []
    for side in SIDES:
        spec = f"rdt:{side}"
        for moves in READINGS:
            progress(len(rows), len(SIDES) * len(READINGS))
            reading, name = f"base_moves:{moves}", _routing(moves)
            told = [answers.ask(spec, name, vcs) for vcs in CHANNELS]
            links = answers.extra_links(spec, moves)
            cells = [
                claimed(golden, "alpha_channels", answers.least(spec, name), reading=reading),
                claimed(golden, "alpha_extra_links", links, reading=reading),
                *(Cell(None, answer, claim="alpha_channels", reading=reading) for answer in told),
            ]
            rows.append((f"{spec}, moves={moves}", list(cells)))
    columns = ("channels needed", "base links with the third", *(f"{n} channel{'s' * (n > 1)}" for n in CHANNELS))
    note = "With fewer channels than classes, class c uses channel c modulo their number."
    return Table("RDT(2,4,1)/alpha, ranks in descending order", f"{KEY}, section IV.C.d", columns, rows, note)


def _options(answers: Answers) -> Table:
    """Rules for base moves and for ties, with three channels."""
    rows: Rows = []
    for moves in MOVES:
        for ties in RDT_DEADLOCK_FREE.options["ties"]:
            told = [answers.ask(f"rdt:{side}", _routing(moves, ties), 3) for side in SIDES]
            rows.append((f"moves={moves}, ties={ties}", [Cell(None, t, claim="alpha_channels") for t in told]))
    columns = tuple(f"rdt:{side}" for side in SIDES)
    note = "`ties` is how a remainder of exactly n is rounded when the vector is made (section III.A)."
    return Table(
        "Three channels under other rules for base moves and ties", f"{KEY}, section IV.C.d", columns, rows, note
    )


def _same_tables(net: Network) -> bool:
    """Whether `near` chooses the base moves that `step` chooses."""
    made = [
        prepare_plan(net, {"order": "descending", "ties": "best", "moves": moves}).table for moves in ("step", "near")
    ]
    return bool(np.array_equal(made[0], made[1]))


def disordered(bound: BoundRouting) -> tuple[int, int]:
    """Routes from one router of each class to all routers, and those whose upper ranks do not descend."""
    net = bound.network
    routes = broken = 0
    for source in sources(territories(net)):
        found = routes_from(bound, source, np.arange(net.routers))
        ranks = net.class_rank[net.link_class[found.router, found.port]]
        of, upper = found.of[ranks > 0], ranks[ranks > 0]
        ascends = (of[1:] == of[:-1]) & (upper[1:] > upper[:-1])
        routes, broken = routes + net.routers, broken + np.unique(of[1:][ascends]).size
    return routes, broken


def _orders(golden: Golden) -> Table:
    """Orders of ranks in the routes from one router of each class to all others."""
    net = build(f"rdt:{WALKED_SIDE}")
    rows: Rows = []
    for moves in READINGS:
        routes, broken = disordered(bind(_routing(moves), net))
        answer = "descending" if broken == 0 else f"not in {broken} routes"
        why = f"{routes} routes: from a router of each class to all of {net.spec}"
        cells = [claimed(golden, "descending_order", answer, detail=why, reading=f"base_moves:{moves}")]
        rows.append((f"moves={moves}", list(cells)))
    return Table("Order of the upper ranks in the routes", f"{KEY}, section IV.C.d", ("order",), rows)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Proofs for the PRDT and for RDT(2,4,1)/alpha at five sizes, under each reading and each option."""
    answers = Answers(full)
    tables = (_perfect(golden, answers), _alpha(golden, answers, progress), _options(answers), _orders(golden))
    same = [side for side in SIDES if _same_tables(build(f"rdt:{side}"))]
    least = {moves: [answers.least(f"rdt:{side}", _routing(moves)) for side in SIDES] for moves in READINGS}
    told = "; ".join(
        f"`{moves}` needs " + ", ".join(f"{n} at side {side}" for side, n in zip(SIDES, found, strict=True))
        for moves, found in least.items()
    )
    found = (
        f"Found: {told}. The tables of `near` and `step` are the same at sides {', '.join(map(str, same)) or 'none'}."
    )
    slow = {name: answer for name, answer in answers.made.items() if _side(name.split()[0]) >= SLOW_SIDE}
    made = {"answers": dict(sorted(slow.items()))} if full else {}
    return Section(TITLE, "\n\n".join(filter(None, (TEXT, found, WHY, answers.said))), tables, (), made)


TEXT = """The paper gives the PRDT two virtual channels for each link (e-cube order with a dateline in every ring),
and RDT(2,4,1)/alpha, whose packets must change between ranks, another one on the rank-0 links in x. Ranks are used
in descending order. How a packet walks to a router of the next rank is left open: `x` walks along x only, as the
extra channel suggests; `step` takes the one base hop that makes the whole route shortest, `near` the one that leaves
the least rank-0 vector, `best` the walk that makes the whole route shortest, however long."""

WHY = """A change of rank by one hop leads straight to the rank that it is for, so that the order of ranks also
orders the extra channel. Along x a change may take several hops, and packets bound for different ranks hold the same
extra channel while they wait for each other: the cycle that a network of three ranks and more shows. A proof at 16 x
16, where only two upper ranks exist, says nothing of it."""
