"""Figure 11 of the RDT paper: latency over throughput, hot spot traffic to 128 of 4096 nodes."""

from __future__ import annotations

from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report.yang2001rdt._curves import Plan
from jumpnet.report.yang2001rdt._evaluation import figure, latency_tables, run_text, whole_runs

TITLE = "Figure 11: hot spot traffic"
ORDER = 75

SHORT = Plan(16, "hotspot:count=128", (0.008, 0.016, 0.02, 0.024, 0.028), 400, 800)
FULL = Plan(
    16,
    "hotspot:count=128",
    (0.004, 0.008, 0.012, 0.014, 0.016, 0.018, 0.02, 0.022, 0.024, 0.026, 0.028, 0.03),
    1000,
    9000,
)
CLAIMS = (
    ("hot_spot_2d", "2D torus", "all"),
    ("hot_spot_3d", "3D torus", "all"),
    ("hot_spot_4d", "4D torus", "all"),
)
MUCH = (("abstract_hot_2d", "2D torus"), ("abstract_hot_3d", "3D torus"), ("abstract_hot_4d", "4D torus"))


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The five networks, the RDT's other routings, the claims."""
    whole = whole_runs("evaluation_figure_11", FULL, SHORT, progress, full)
    tables = latency_tables(golden, "11", CLAIMS, MUCH, SHORT, whole, progress)
    title = "Latency over throughput, hot spot"
    picture = figure("rdt-figure-11", title, "yang2001rdt, Figure 11", whole.curves, "figure_11")
    return Section(TITLE, f"{TEXT}\n\n{run_text(whole)}", tables, (picture,), whole.data)


TEXT = """All packets go to 128 of the 4096 nodes, drawn once at random and the same for every network; the paper
does not say how it chose its nodes. The terminals of these nodes take one flit a clock, so no network can carry more
than 128/4096 flits per node and clock."""
