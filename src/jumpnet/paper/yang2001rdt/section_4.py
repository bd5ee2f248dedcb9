"""Claims of section IV of the RDT paper about routes: congestion of the upper ranks, and the embedded hypercube."""

from __future__ import annotations

from jumpnet.analysis.embedding import embed, hypercube_places
from jumpnet.analysis.loads import channel_loads
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.routing import bind
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

TITLE = "Congestion of the upper ranks, and hypercube embedding"
ORDER = 72

LOADED = ("rdt.deadlock_free", "rdt.deadlock_free:ties=zero,moves=x", "rdt.floating")
SIDES = ((32, 3), (64, 3), (128, 4))
"""Sides of RDT(2,4,1)/alpha and its highest rank there."""


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


def _steps(golden: Golden, progress: Progress) -> Table:
    formula, rows = claim(golden, "hypercube_embedding"), []
    for done, (side, R) in enumerate(SIDES):
        progress(1 + done, 1 + len(SIDES))
        cube, places = build(f"hypercube:{2 * (side.bit_length() - 1)}"), hypercube_places(side)
        host = bind("rdt.deadlock_free", build(f"rdt:{side}"))
        perfect = bind("prdt.vector", build(f"prdt:{side}"))
        on_rdt, on_prdt = embed(host, cube, places), embed(perfect, cube, places)
        least, most = max(f.steps for f in on_prdt), max(f.steps for f in on_rdt)
        rows.append(
            (
                f"{side}x{side}, R={R}",
                [
                    Cell("2", least),
                    Cell(str(2 * (R + 1)), most, FEWER if most != 2 * (R + 1) else ""),
                    Cell(None, max(f.dilation for f in on_rdt)),
                    Cell(None, max(f.congestion for f in on_rdt)),
                ],
            )
        )
    return Table(
        f"Steps of the slowest hypercube dimension (printed: 2 on the PRDT, {formula} on the RDT)",
        "yang2001rdt, section IV.C.f",
        ("PRDT, steps", "RDT, steps", "RDT, dilation", "RDT, congestion"),
        rows,
        "Steps are the greater of the longest route and the most routes through a channel: no schedule is shorter.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Loads of every channel by rank, and every dimension of the hypercube laid on the nodes of the same size."""
    progress(0, 1 + len(SIDES))
    return Section(TITLE, TEXT, (_loads("rdt:64"), _steps(golden, progress)))


FEWER = """The figure is the least number of steps that the routes allow, not a schedule; the printed one counts two
steps for each rank and the base torus."""
TEXT = """The paper says that upper rank tori congest under uniform traffic. A channel of rank 1 or 2 carries more than
one of the base torus on average, one of rank 3 about as much or less; but the busiest channels of all are base
channels, those that packets take to change ranks.

A hypercube with as many nodes is laid on the RDT by its address bits, low ones along x. Each dimension is routed at
once; a dimension cannot finish in fewer steps than its longest route, or than the routes through its busiest
channel."""
