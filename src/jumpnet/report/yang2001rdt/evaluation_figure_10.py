"""Figure 10 of the RDT paper: latency over throughput, uniform traffic of 128-flit packets."""

from __future__ import annotations

from jumpnet.analysis.routes.paths import path_figures
from jumpnet.report._measures import against
from jumpnet.report._section import Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._curves import NETWORKS, READINGS, Plan
from jumpnet.report.yang2001rdt._evaluation import figure, latency_tables, run_text, whole_runs
from jumpnet.routings import bind
from jumpnet.topology import build

TITLE = "Figure 10: uniform traffic, packets of 128 flits"
ORDER = 74

SHORT = Plan(128, "uniform", (0.03, 0.06, 0.1, 0.16, 0.26), 400, 800)
FULL = Plan(128, "uniform", (0.01, 0.03, 0.06, 0.08, 0.1, 0.12, 0.16, 0.2, 0.26, 0.45), 1000, 9000)
CLAIMS = (
    ("long_low", "3D torus", "low"),
    ("long_high", "3D torus", "high"),
    ("long_2d", "2D torus", "all"),
)
MUCH = (("abstract_2d", "2D torus"), ("abstract_3d", "3D torus"))


def _distances(golden: Golden) -> Table:
    """Average and longest route of the RDT's readings against those of the tori that the paper names."""
    found = {
        who.label: path_figures(bind(who.routing, build(who.spec))) for who in (*NETWORKS[2:4], *READINGS.values())
    }
    three, four = (found[who.label] for who in NETWORKS[2:4])
    rows: Rows = []
    for option, who in READINGS.items():
        mine, reading = found[who.label], f"base_moves:{option}"
        below = "below" if mine.average < three.average else "not below"
        lies = against(mine.maximum, four.maximum)
        average = f"{float(mine.average):.4f} against {float(three.average):.4f} hops"
        mean = f"{float(mine.average):.4f} against {float(four.average):.4f}"
        longest = f"{mine.maximum} against {four.maximum} hops; on average {mean}"
        rows.append(
            (
                f"moves={option}",
                [
                    claimed(golden, "distance_3d", below, detail=average, reading=reading),
                    claimed(golden, "table_5_diameter", lies, detail=longest, reading=reading),
                ],
            )
        )
    columns = ("average distance against the 3D torus", "diameter against the 4D torus")
    return Table(
        "Lengths of the routes, which the paper gives as the reason", "yang2001rdt, section IV.B", columns, rows
    )


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The five networks, the RDT's other routings, the claims."""
    whole = whole_runs("evaluation_figure_10", FULL, SHORT, progress, full)
    tables = latency_tables(golden, "10", CLAIMS, MUCH, SHORT, whole, progress)
    tables[1:1] = [_distances(golden)]
    title = "Latency over throughput, uniform, 128 flits"
    picture = figure("rdt-figure-10", title, "yang2001rdt, Figure 10", whole.curves, "figure_10")
    return Section(TITLE, f"{TEXT}\n\n{run_text(whole)}", tables, (picture,), whole.data)


TEXT = """As Figure 9, with packets of 128 flits: a packet is longer than all the buffers on its way, so wormhole
routing holds whole paths."""
