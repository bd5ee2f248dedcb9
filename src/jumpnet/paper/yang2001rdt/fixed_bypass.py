"""Section III.B of the RDT paper: fixed vector routing at faulty links and hot spots; how many ways a packet has."""

from __future__ import annotations

from functools import cache

import numpy as np

from jumpnet.analysis.paths import route
from jumpnet.fault.degraded import degraded
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.yang2001rdt.fault_tolerance import lost_pairs
from jumpnet.routing import BoundRouting, bind
from jumpnet.routing.view import NEXT_STATE, PORT, STATE, new_head, new_out
from jumpnet.topology import build

TITLE = "Fixed vector routing: one way, whatever is in it"
ORDER = 44

KEY = "yang2001rdt"
SPEC, FIXED, FLOATING = "rdt:16", "rdt.fixed", "rdt.floating"
ROUTINGS = (FIXED, FLOATING, "rdt.duato")
COLUMNS = (
    "most ports offered",
    "pairs through one router",
    "pairs through one link",
    "lost without that router, tables rewritten",
    "for bypassing",
)
WHY = "its vector and its order of ranks are fixed at the source: by definition no router has a table to rewrite"
FAULTY = 100
"""The router that fails, and the one whose link eastward does."""


def most_ports(bound: BoundRouting) -> tuple[int, int]:
    """Most output ports that a packet is offered anywhere on its way, from one router of each orbit to all others; and
    the places (router, state) of packets that were looked at.
    """
    net, out, most, places = bound.network, new_out(), 0, 0
    assert net.orbits is not None and bound.routing.start is not None
    for source in net.orbits.representative.tolist():
        for to in range(net.routers):
            head = new_head(source, to)
            if source == to:
                continue
            bound.routing.start(bound.view, head, 0, np.zeros(net.ports, np.int64))
            todo = [(source, int(head[STATE]))]
            seen = set(todo)
            while todo:
                here, head[STATE] = todo.pop()
                rows = out[: max(0, bound.routing.relation(bound.view, here, head, out))]
                most, places = max(most, len(set(rows[:, PORT].tolist()))), places + 1
                after = {(int(net.neighbor[here, row[PORT]]), int(row[NEXT_STATE])) for row in rows}
                todo += after - seen
                seen |= after
    return most, places


def cut_off(bound: BoundRouting) -> tuple[int, int, int]:
    """Pairs of routers, those whose route passes the faulty router, and those whose route passes the faulty link."""
    net = bound.network
    other = int(net.neighbor[FAULTY, 0]), int(net.far_port[FAULTY, 0])
    pairs = router = link = 0
    for source in range(net.routers):
        for to in range(net.routers):
            if source == to or FAULTY in (source, to):
                continue
            hops = route(bound, source, to)
            pairs += 1
            router += any(hop.router == FAULTY for hop in hops)
            link += any((hop.router, hop.port) in ((FAULTY, 0), other) for hop in hops)
    return pairs, router, link


@cache
def _ways(routing: str) -> tuple[int, int]:
    return most_ports(bind(routing, build(SPEC)))


@cache
def _lost(routing: str) -> tuple[int, int, int]:
    return cut_off(bind(routing, build(SPEC)))


@cache
def _rewritten() -> int:
    """Pairs that floating routing loses when the routers' tables are rewritten round the faulty router."""
    return lost_pairs(bind("rdt.fault_tolerant", degraded(build(SPEC), [FAULTY])), 1)[1]


def section(golden: Golden, progress: Progress) -> Section:
    """Count the ways of packets, and the packets whose only way a fault takes."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, name in enumerate(ROUTINGS):
        progress(done, len(ROUTINGS))
        most, places = _ways(name)
        row: list[Cell | None] = [Cell(None, most, claim="fixed_bypass", detail=f"over {places} places of packets")]
        if most == 1:
            pairs, *lost = _lost(name)
            row += [Cell(None, count, claim="fixed_bypass", detail=f"of {pairs} pairs") for count in lost]
        if name == FIXED:
            answer = "not suitable" if min(lost) > 0 else "suitable"
            row += [None, claimed(golden, "fixed_bypass", answer, stated=True, detail=WHY)]
        elif name == FLOATING:
            row.append(Cell(None, _rewritten(), claim="fixed_bypass"))
        rows.append((name, row + [None] * (len(COLUMNS) - len(row))))
    note = (
        f"{SPEC}. Ports: packets from one router of each class to all others, every choice followed. Pairs: all that "
        "neither begin nor end at that router. Rewritten: `rdt.fault_tolerant`, floating routing whose routers know "
        "the fault."
    )
    return Section(TITLE, TEXT, (Table("Ways of a packet", f"{KEY}, section III.B", COLUMNS, rows, note),))


TEXT = """The paper says that fixed vector routing is not suitable for bypassing faulty links or hot spots. Followed
over all its packets the relation offers one port at every place: whatever lies on the way, fault or queue, the packet
has no other. But our floating routing offers one port too, and packets that pass the faulty router or link have no
other with it either. What lets it go round a fault is that the tables of its routers can be rewritten, as the section
on fault tolerance does; fixed routing has no such tables by definition. So the sentence follows from the definitions,
and is stated here, not counted. Adaptive routing has a choice."""
