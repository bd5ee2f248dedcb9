"""The hypercube embedded in the RDT, section IV.C.f of the RDT paper."""

from __future__ import annotations

from jumpnet.analysis.embedding import embed, hypercube_places
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.routing import bind
from jumpnet.topology import build

TITLE = "Hypercube embedding"
ORDER = 80

SIDES = ((32, 3), (64, 3), (128, 4))
"""Sides of RDT(2,4,1)/alpha and its highest rank there."""


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
    """Every dimension of the hypercube laid on the nodes of the same size."""
    progress(0, 1 + len(SIDES))
    return Section(TITLE, TEXT, (_steps(golden, progress),))


FEWER = """The figure is the least number of steps that the routes allow, not a schedule; the printed one counts two
steps for each rank and the base torus."""
TEXT = """A hypercube with as many nodes is laid on the RDT by its address bits, low ones along x. Each dimension is
routed at once; a dimension cannot finish in fewer steps than its longest route, or than the routes through its
busiest channel."""
