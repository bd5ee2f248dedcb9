"""Section III.B of the RDT paper: fixed vector routing at faulty links and hot spots; how many ways a packet has."""

from __future__ import annotations

from functools import cache

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import FAILURE, FULL, NODES, new_nodes, new_space, walk_alone
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.routes.listed import routes_from
from jumpnet.fault.degraded import degraded
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt.fault_tolerance import lost_pairs
from jumpnet.routings import BoundRouting, bind
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
    net, most, places = bound.network, 0, 0
    assert net.orbits is not None
    job = job_of(bound)._replace(draws=1, queues=1)
    assert not job.by_channel
    nodes, space = new_nodes(1 << 12, (net.ports * bound.vcs + 63) // 64), new_space(bound.view.queues)
    for source in net.orbits.representative.tolist():
        for to in range(net.routers):
            if source == to:
                continue
            walk_alone(bound.pointer, bound.start_pointer, bound.view, job, nodes, space, source, to)
            assert not space.counters[FULL] and not space.counters[FAILURE]
            count = int(space.counters[NODES])
            owner = np.repeat(np.arange(count), np.diff(nodes.first[: count + 1]))
            ports = nodes.edge[: len(owner), 0] // bound.vcs
            offered = np.unique(np.stack([owner, ports]), axis=1)[0]
            most, places = max(most, int(np.bincount(offered).max())), places + count
    return most, places


def cut_off(bound: BoundRouting) -> tuple[int, int, int]:
    """Pairs of routers, those whose route passes the faulty router, and those whose route passes the faulty link."""
    net = bound.network
    other = int(net.neighbor[FAULTY, 0]), int(net.far_port[FAULTY, 0])
    whole = np.delete(np.arange(net.routers), FAULTY)
    router = link = 0
    for source in whole.tolist():
        found = routes_from(bound, source, whole)
        passes = found.router == FAULTY
        crosses = (passes & (found.port == 0)) | ((found.router == other[0]) & (found.port == other[1]))
        router += np.unique(found.of[passes]).size
        link += np.unique(found.of[crosses]).size
    return len(whole) * (len(whole) - 1), router, link


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
    rows: Rows = []
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
