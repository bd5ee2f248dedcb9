"""Figure 9 of the RDT paper: latency over throughput, uniform traffic of 16-flit packets; load by rank; adaptive."""

from __future__ import annotations

from collections.abc import Mapping

from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.yang2001rdt._evaluation import (
    ADAPTIVE,
    BEYOND_NOISE,
    RDT,
    RDTS,
    Curve,
    Plan,
    latency_figure,
    run_text,
)
from jumpnet.papers import claim

TITLE = "Figure 9: latency and throughput under uniform traffic, 16-flit packets"
ORDER = 73

SHORT = Plan(16, "uniform", (0.02, 0.04, 0.07, 0.1, 0.14, 0.18, 0.25, 0.35), 300, 500)
FULL_LOADS = (0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.25, 0.3, 0.35, 0.4, 0.5)
FULL = Plan(16, "uniform", FULL_LOADS, 1000, 9000)
CLAIMS = (
    ("evaluation_2d", "2D torus", "all"),
    ("evaluation_low", "3D torus", "low"),
    ("evaluation_high", "3D torus", "high"),
    ("evaluation_4d", "4D torus", "high"),
    ("evaluation_hypercube", "hypercube", "high"),
)


def _ranks(golden: Golden, found: Mapping[str, Curve]) -> Table:
    """Loads of the channels of the RDT by rank, at each routing's highest load that it keeps up with."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for who in RDTS:
        kept = [p for p in found[who.label].points if not p.saturated]
        point = kept[-1] if kept else found[who.label].points[-1]
        upper = [k for k in point.rank_mean if k > 0]
        mean = sum(point.rank_mean[k] for k in upper) / len(upper)
        busiest = max(point.rank_max, key=lambda k: point.rank_max[k])
        base = point.rank_mean[0]
        answer = "above" if mean > base * (1 + BEYOND_NOISE) else "below" if mean < base else "alike"
        why = f"mean load {mean:.3f} of the upper ranks against {base:.3f} of rank 0, at load {point.load:g}"
        loads = ", ".join(f"{k}: {point.rank_mean[k]:.3f}/{point.rank_max[k]:.3f}" for k in point.rank_mean)
        rows.append(
            (
                who.label,
                [
                    Cell(claim(golden, "upper_ranks_congested"), answer, why),
                    Cell(None, f"rank {busiest}"),
                    Cell(None, point.load),
                    Cell(None, loads),
                ],
            )
        )
    columns = ("upper ranks against rank 0", "busiest channel", "at load", "rank: mean/largest load")
    return Table("Load of the RDT's channels by rank", "yang2001rdt, section IV.B", columns, rows, RANKS)


def _adaptive(golden: Golden, found: Mapping[str, Curve]) -> Table:
    """Throughput of the adaptive routings against the deterministic one."""
    least = found[RDT.label].throughput
    rows: list[tuple[str, list[Cell | None]]] = []
    for who in ADAPTIVE:
        most = found[who.label].throughput
        answer = "above" if most > least * (1 + BEYOND_NOISE) else "not above"
        why = f"throughput {most:.3f} against {least:.3f}"
        rows.append((who.label, [Cell(claim(golden, "adaptive_improves"), answer, why), Cell(None, most / least)]))
    columns = ("throughput against deadlock-free order", "ratio")
    return Table("Adaptive routing, announced by the paper", "yang2001rdt, section IV.C.g", columns, rows)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The five networks, the RDT's other routings, the claims."""
    plan = FULL if full else SHORT
    found, tables, picture = latency_figure("9", "uniform, 16 flits", plan, CLAIMS, golden, progress)
    tables += [_ranks(golden, found), _adaptive(golden, found)]
    return Section(TITLE, f"{TEXT}\n\n{run_text(plan, full)}", tables, (picture,))


RANKS = """The paper explains the RDT's saturation by congested upper ranks. Their mean load is compared with that of
rank 0; the busiest single channel is named beside it. A change of rank takes a base hop, which is what loads rank 0."""

TEXT = """Five networks of 4096 nodes with the parameters of Table IV. The paper leaves open the switch's buffers (8
flits for each virtual channel here) and the RDT's base moves between ranks, so two readings of its routing are run. The
RDT has three virtual channels, the third for changes of rank as the paper says; the others have two."""
