"""An RDT of 65,536 nodes under uniform traffic, beyond the sizes that the RDT paper simulates."""

from __future__ import annotations

from dataclasses import replace

from jumpnet.report._kept import with_long_run
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report.yang2001rdt._curves import Contestant, Plan, curves
from jumpnet.report.yang2001rdt._evaluation import figure, point_table

TITLE = "65,536 nodes: the RDT at the size the paper is written for"
ORDER = 76

SHORT = Plan(16, "uniform", (0.02, 0.06, 0.1), 120, 200)
FULL = Plan(16, "uniform", (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.14, 0.2, 0.26, 0.32), 1000, 2000)
"""16 times the nodes of the paper's figures: as many packets in 2,000 clocks as theirs in 32,000."""
CONTESTANTS = (
    Contestant("RDT(2,4,1)/α", "rdt:256", "rdt.deadlock_free"),
    Contestant("RDT, adaptive (Duato)", "rdt:256", "rdt.duato"),
)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Both routings, committed; beside them a short run of the deterministic one, whose curve is drawn."""
    plan = FULL if full else SHORT
    found = curves(CONTESTANTS if full else CONTESTANTS[:1], plan, progress)
    picture = figure("rdt-65536", "RDT of 65,536 nodes, uniform, 16 flits", "computed here", found)
    clocks = plan.ignored_clocks + plan.measured_clocks
    length = f"{clocks:,} clocks a point, the first {plan.ignored_clocks:,} ignored"
    short = "" if full else " Too short for a steady state near saturation."
    points = point_table(found, plan)
    table = replace(points, title=f"Simulated points, {length}", note=f"{points.note}{short}")
    return with_long_run("yang2001rdt", "evaluation_large", Section(TITLE, TEXT, (table,), (picture,)), full)


TEXT = """The paper's abstract names networks of up to 65,536 nodes and its evaluation stops at 4096. The same router
parameters (Table IV), on the RDT of 256 x 256 nodes. The picture is of the run that was made now."""
