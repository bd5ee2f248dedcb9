"""Section 5.2 of the bit-map directory paper, with programs instead of random destinations: who receives in vain."""

from __future__ import annotations

from jumpnet.coherence.encoding import encodings
from jumpnet.machine.trace import Trace
from jumpnet.machine.traffic import Traffic, coherence_traffic
from jumpnet.machine.workload import workload
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, captured, shipped
from jumpnet.paper.kudoh1995rhbd._study import SCHEMES

TITLE = "Unnecessary messages of real programs"
ORDER = 40

NETWORK = "rdt:16"
"""The 256 clusters of JUMP-1."""
WHOLE = "gas:processors=1024,molecules=4096,side=13,steps=3"
"""A program for all of JUMP-1's 1024 processors, with as many molecules a processor as in Figure 9."""
EXACT = "full_map"


def _row(trace: Trace, protocol: str) -> list[Cell | None]:
    found: dict[str, Traffic] = {
        name: coherence_traffic(
            trace, protocol=protocol, directory="page", clusters_of=CLUSTER, encoding_name=name, network=NETWORK
        )
        for name in (EXACT, *SCHEMES)
    }
    receivers = {name: f.receivers_mean or 0.0 for name, f in found.items()}
    best = min(SCHEMES, key=receivers.__getitem__)
    cells: list[Cell | None] = [Cell(None, found[EXACT].multicasts or 0), Cell(None, f"{receivers[EXACT]:.1f}")]
    cells += [Cell(None, f"{receivers[name]:.1f}") for name in SCHEMES]
    in_vain = found[best].unnecessary or 0
    cells.append(Cell(None, best))
    cells.append(Cell(None, f"{100 * in_vain / max(1.0, receivers[best] * (found[best].multicasts or 0)):.0f}%"))
    return cells


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run every program under both protocols, and count receivers under every scheme."""
    traces = {**shipped(True), "gas, 1024 processors": workload(WHOLE).trace(), **(captured(True) if full else {})}
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, (label, trace) in enumerate(traces.items()):
        progress(done, len(traces))
        for protocol in ("invalidate", "update"):
            rows.append((f"{label}: {protocol}", _row(trace, protocol)))
    bits = encodings()["SM"].bits(256).entry
    columns = (
        "multicasts",
        "destinations",
        *(f"{name}: receivers" for name in SCHEMES),
        "fewest receivers",
        "of them in vain",
    )
    table = Table(
        f"Receiving clusters of one message on {NETWORK}, entries of pages",
        "computed here, after kudoh1995rhbd section 5.2",
        columns,
        rows,
        f"Clusters of {CLUSTER} processors, maps of {bits} bits; cluster i is router i, by rows of the base torus.",
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """The paper estimates unnecessary messages with random destinations and asks for programs. Here the destinations
are those of programs. Small groups along a row (water's) suit single maps best, as the paper expects of few
destinations; where a message goes to nearly all clusters that take part, all schemes reach most of the machine, and in
vain is what lies outside the program. The whole machine at work leaves little in vain. LARP, which the estimate prefers
from about ten destinations on, is nowhere first here: destinations do not lie around the home like a bell."""
