"""An RDT of 65,536 nodes under uniform traffic, beyond the sizes that the RDT paper simulates."""

from __future__ import annotations

from jumpnet.paper._section import Golden, Progress, Section
from jumpnet.paper.yang2001rdt._curves import Contestant, Plan, curves
from jumpnet.paper.yang2001rdt._evaluation import figure, point_table

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
    """The curves of both routings; in short runs that of the deterministic one."""
    plan = FULL if full else SHORT
    found = curves(CONTESTANTS if full else CONTESTANTS[:1], plan, progress)
    picture = figure("rdt-65536", "RDT of 65,536 nodes, uniform, 16 flits", "computed here", found)
    clocks = plan.ignored_clocks + plan.measured_clocks
    length = f"{clocks:,} clocks a point, the first {plan.ignored_clocks:,} ignored"
    more = (
        "" if full else " Too short for a steady state near saturation; `jumpnet paper yang2001rdt --full` runs more."
    )
    return Section(TITLE, f"{TEXT}\n\n{length}.{more}", (point_table(found, plan),), (picture,))


TEXT = """The paper's abstract names networks of up to 65,536 nodes and its evaluation stops at 4096. The same router
parameters (Table IV), on the RDT of 256 x 256 nodes."""
