"""Section III.B of the RDT paper: fixed vector routing at faulty links and hot spots; how many ways a packet has."""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.paths import route
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.routing import BoundRouting, bind
from jumpnet.routing.view import NEXT_STATE, PORT, STATE, new_head, new_out
from jumpnet.topology import build

TITLE = "Fixed vector routing: one way, whatever is in it"
ORDER = 44

KEY = "yang2001rdt"
SPEC, FIXED = "rdt:16", "rdt.fixed"
ROUTINGS = (FIXED, "rdt.floating", "rdt.duato")
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


def section(golden: Golden, progress: Progress) -> Section:
    """Count the ways of packets, and the packets whose only way a fault takes."""
    net = build(SPEC)
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, name in enumerate(ROUTINGS):
        progress(done, len(ROUTINGS))
        most, places = most_ports(bind(name, net))
        row: list[Cell | None] = [Cell(None, most, claim="fixed_bypass", detail=f"over {places} places of packets")]
        if name == FIXED:
            pairs, *lost = cut_off(bind(name, net))
            row += [Cell(None, count, claim="fixed_bypass", detail=f"of {pairs} pairs") for count in lost]
            answer = "not suitable" if most == 1 and min(lost) > 0 else "suitable"
            row.append(claimed(golden, "fixed_bypass", answer, detail=f"at most {most} port offered at any place"))
        rows.append((name, row + [None] * (4 - len(row))))
    columns = ("most ports offered", "pairs through one router", "pairs through one link", "for bypassing")
    note = (
        f"{SPEC}. Ports: packets from one router of each class to all others, every choice followed. Pairs: all that "
        "neither begin nor end at that router. `not suitable`: one port at every place, so that these packets have "
        "no other way."
    )
    return Section(TITLE, TEXT, (Table("Ways of a packet", f"{KEY}, section III.B", columns, rows, note),))


TEXT = """The paper says that fixed vector routing is not suitable for bypassing faulty links or hot spots. Followed
over all its packets the relation offers one port at every place: whatever lies on the way, fault or queue, the packet
has no other. Our floating routing offers one port too, since it plans the best order beforehand; what lets it go round
a fault is that its table can be rewritten (the section on fault tolerance). Adaptive routing has a choice."""
