"""Figure 10 of the RDT paper: latency over throughput, uniform traffic of 128-flit packets."""

from __future__ import annotations

from jumpnet.paper._section import Golden, Progress, Section
from jumpnet.paper.yang2001rdt._evaluation import Plan, latency_figure, run_text
from jumpnet.paper.yang2001rdt.evaluation_figure_9 import FULL_LOADS

TITLE = "Figure 10: latency and throughput under uniform traffic, 128-flit packets"
ORDER = 74

SHORT = Plan(128, "uniform", (0.015, 0.03, 0.05, 0.08, 0.12, 0.16, 0.2, 0.3), 400, 800)
FULL = Plan(128, "uniform", FULL_LOADS, 1000, 9000)
CLAIMS = (
    ("long_low", "3D torus", "low"),
    ("long_high", "3D torus", "high"),
    ("evaluation_2d", "2D torus", "all"),
)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The five networks, the RDT's other routings, the claims."""
    plan = FULL if full else SHORT
    _, tables, picture = latency_figure("10", "uniform, 128 flits", plan, CLAIMS, golden, progress)
    return Section(TITLE, f"{TEXT}\n\n{run_text(plan, full)}", tables, (picture,))


TEXT = """As Figure 9, with packets of 128 flits: a packet is longer than all the buffers on its way, so wormhole
routing holds whole paths."""
