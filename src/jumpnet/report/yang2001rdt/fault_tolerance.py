"""Fault tolerance of the RDT: what section IV.C.h says, tried on networks with routers and tori out of service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from jumpnet.analysis.routes.listed import lost_between
from jumpnet.fault.degraded import degraded
from jumpnet.networks import Network
from jumpnet.report._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.report.yang2001rdt._tori import ranks_of, torus_labels
from jumpnet.routings import BoundRouting, Prepared, Routing, bind
from jumpnet.routings.rdt.fault_tolerant import RDT_FAULT_TOLERANT
from jumpnet.routings.rdt.floating import RDT_FLOATING
from jumpnet.topology import build

TITLE = "Fault tolerance: a faulty node is bypassed"
ORDER = 79

KEY = "yang2001rdt"
ALPHA = "rdt:128"
SPEC = "rdt:32"
"""1024 routers, ranks 1 to 3."""
EVERY = 5
"""Packets of every fifth router are followed; 5 has no divisor in common with the classes."""
WITHOUT = {"rdt:16": 1, "rdt:32": EVERY, "rdt:64": 61, "rdt:128": 801}
"""Networks that lose a torus, and of which routers packets are followed: every so many, an odd number."""
MORE = (2, 4, 8, 16)
SEED = 1


def lost_pairs(bound: BoundRouting, every: int = EVERY) -> tuple[int, int]:
    """Ordered pairs of working routers that are followed, and how many of their packets do not arrive.

    From every `every`-th working router to all others.
    """
    ends = np.flatnonzero(bound.network.terminals > 0).astype(np.int64)
    sources = ends[::every]
    return len(sources) * (len(ends) - 1), lost_between(bound, sources, ends, bound.network.routers)


def with_tables_of(routing: Routing, broken: Network, whole: Network, first: int = 0) -> BoundRouting:
    """A routing on the broken network that goes by its tables of the whole one, from column `first` on."""
    before = routing.bind(whole).view.table

    def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
        assert routing.prepare is not None
        made = routing.prepare(net, options)
        table = made.table.copy()
        table[:, first:] = before[:, first:]
        return Prepared(made.own, table)

    return replace(routing, name=f"{routing.name}, old tables", prepare=prepare).bind(broken)


def unaware(broken: Network, whole: Network) -> BoundRouting:
    """Floating vector routing that has not heard of the faults: every hop as in the whole network."""
    return with_tables_of(RDT_FLOATING, broken, whole)


def rewritten_ranks(broken: Network, whole: Network) -> BoundRouting:
    """The routing with the paper's table rewritten only: that of the ranks; rank-0 hops as if nothing had failed."""
    return with_tables_of(RDT_FAULT_TOLERANT, broken, whole, first=4 * int(broken.params[2]))


def _served(lost: int) -> str:
    return "all" if lost == 0 else f"all but {lost}"


def _faults() -> dict[str, list[int]]:
    """One faulty router of each class, then some at random, the fewer among the more."""
    side = int(build(SPEC).params[0])
    found = {f"1 router, class ({x},{y})": [(y + 6) * side + x + 8] for y in range(2) for x in range(4)}
    order = np.random.default_rng(SEED).permutation(side * side).tolist()
    return found | {f"{count} routers": order[:count] for count in MORE}


def _bypassed(golden: Golden, progress: Progress) -> Table:
    whole, rows = build(SPEC), []
    faults = _faults()
    for done, (label, routers) in enumerate(faults.items()):
        progress(done, len(faults))
        broken = degraded(whole, routers)
        tried = [
            lost_pairs(bound)
            for bound in (
                unaware(broken, whole), rewritten_ranks(broken, whole), bind("rdt.fault_tolerant", broken)
            )
        ]  # fmt: skip
        one = len(routers) == 1
        cells: list[Cell | None] = [
            Cell(None, tried[0][0], claim="fault_bypass"),
            Cell(None, tried[0][1], claim="fault_bypass"),
            *(
                claimed(golden, "fault_bypass", _served(n)) if one else Cell(None, _served(n), claim="fault_bypass")
                for _, n in tried[1:]
            ),
        ]
        rows.append((label, cells))
    columns = ("pairs", "lost, nothing rewritten", "served, ranks rewritten", "served, rank-0 hops too")
    note = (
        f"Ordered pairs: from every {EVERY}th working router to all others. `nothing rewritten`: rdt.floating takes "
        "every hop that it takes in the whole network, and a packet that meets a faulty router is lost. `ranks "
        "rewritten`: each router knows the nearest working step of each rank and goes there first, and packets keep to "
        f"the usual hops over rank 0; `rank-0 hops too`: rdt.fault_tolerant. Several routers: drawn, seed {SEED}."
    )
    return Table(f"Faulty routers in {SPEC}", f"{KEY}, section IV.C.h", columns, rows, note)


@cache
def _without(spec: str, rank: int) -> tuple[int, int, int]:
    """Tori of a rank; pairs followed without the first of them, and how many of their packets do not arrive."""
    net = build(spec)
    router, port, _ = net.channel_ends
    labels = torus_labels(net, rank)
    of_rank = net.class_rank[net.link_class[router, port]] == rank
    cut = of_rank & (labels[router] == labels[labels >= 0][0])
    broken = degraded(net, [], list(zip(router[cut].tolist(), port[cut].tolist(), strict=True)))
    return int(labels.max()) + 1, *lost_pairs(bind("rdt.fault_tolerant:avoid=torus", broken), WITHOUT[spec])


def _tori(golden: Golden) -> Table:
    """Independent tori of each rank, and what happens without one of them."""
    net, rows = build(ALPHA), []
    counts = " ".join(str(int(torus_labels(net, rank).max()) + 1) for rank in ranks_of(net) if rank)
    cells: list[Cell | None] = [claimed(golden, "independent_tori", counts, detail=f"counted on {ALPHA}")]
    rows.append(("tori of each rank", [*cells, *[None] * len(WITHOUT)]))
    for rank in (1, 2, 3, 4):
        answers: list[Cell | None] = []
        for spec in WITHOUT:
            if rank not in ranks_of(build(spec)):
                answers.append(None)
                continue
            tori, pairs, lost = _without(spec, rank)
            why = f"{tori} tori of rank {rank}; without one, {_served(lost)} of {pairs} pairs are served"
            answers.append(claimed(golden, "fault_alternative", "yes" if lost == 0 else "no", detail=why))
        rows.append((f"without one torus of rank {rank}", [None, *answers]))
    columns = ("independent tori", *(f"another stands in, {spec}" for spec in WITHOUT))
    followed = ", ".join(f"{spec} {every}" for spec, every in WITHOUT.items())
    note = f"Packets go to all routers, and from every so many-th: {followed}. Ranks that a network lacks are empty."
    return Table("Redundant tori of RDT(2,4,1)/α", f"{KEY}, section IV.C.h", columns, rows, note)


def section(golden: Golden, progress: Progress) -> Section:
    """Independent tori, a torus out of service, routers out of service."""
    return Section(TITLE, TEXT, (_tori(golden), _bypassed(golden, progress)))


TEXT = """The paper says that a faulty node is bypassed just by rewriting the table that holds the nearest router of
each rank. The vectors of packets stay those of the whole network. Rewriting that table saves the steps of upper
ranks; a packet whose hops over the base torus lead through the faulty router is lost all the same, unless the rank-0
hops go round it too. Freedom from deadlock is not looked at here: the rewritten tables alone do not give it."""
