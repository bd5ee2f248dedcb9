"""Claims of section IV of the RDT paper about routes: congestion of the upper ranks."""

from __future__ import annotations

from jumpnet.analysis.loads import channel_loads
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.routing import bind
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

TITLE = "Congestion of the upper ranks"
ORDER = 72

LOADED = ("rdt.deadlock_free", "rdt.deadlock_free:ties=zero,moves=x", "rdt.floating")


def _loads(spec: str) -> Table:
    net = build(spec)
    rows: list[tuple[str, list[Cell | None]]] = []
    for name in LOADED:
        found = channel_loads(bind(name, net), pattern("uniform", net))
        for rank, (channels, mean, most) in found.by_rank.items():
            rows.append((f"{name}, rank {rank}", [Cell(None, channels), Cell(None, mean), Cell(None, most)]))
        cells = [None, None, Cell(None, found.ideal_throughput)]
        rows.append((f"{name}, ideal throughput", cells))
    return Table(
        "Channel load under uniform traffic, 4096 nodes",
        "computed here",
        ("channels", "mean load", "largest load"),
        rows,
        "Flits a cycle on a channel when every node offers one flit a cycle; ideal throughput in flits a cycle a node.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Loads of every channel by rank."""
    progress(0, 1)
    return Section(TITLE, TEXT, (_loads("rdt:64"),))


TEXT = """The paper says that upper rank tori congest under uniform traffic. A channel of rank 1 or 2 carries more than
one of the base torus on average, one of rank 3 about as much or less; but the busiest channels of all are base
channels, those that packets take to change ranks."""
