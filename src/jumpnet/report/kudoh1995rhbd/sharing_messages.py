"""Section 5.2 of the bit-map directory paper, with programs instead of random destinations: who receives in vain."""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.coherence.encoding import encodings
from jumpnet.machine.trace import Trace
from jumpnet.machine.traffic import coherence_traffic
from jumpnet.machine.workload import workload
from jumpnet.papers import claim
from jumpnet.report._section import Cell, Golden, Progress, Section, Table
from jumpnet.report._sharing import CLUSTER, Figures, measured, shipped
from jumpnet.report.kudoh1995rhbd._study import SCHEMES

TITLE = "Unnecessary messages of real programs"
ORDER = 40

NETWORK = "rdt:16"
"""The 256 clusters of JUMP-1."""
WHOLE = "gas:processors=1024,molecules=4096,side=13,steps=3"
"""A program for all of JUMP-1's 1024 processors, with as many molecules a processor as in Figure 9."""
WHOLE_LABEL = "gas, 1024 processors"
EXACT = "full_map"


@dataclass(frozen=True)
class _Row:
    """Receivers of one program under one protocol."""

    label: str
    multicasts: int
    destinations: float
    receivers: dict[str, float]
    """By scheme, on average."""
    best: str
    in_vain: float
    """Part of the receptions of the best scheme that are no destination."""

    @property
    def cells(self) -> list[Cell | None]:
        """Of the table."""
        named = [Cell(None, f"{self.receivers[name]:.1f}") for name in SCHEMES]
        counts: list[Cell | None] = [Cell(None, self.multicasts), Cell(None, f"{self.destinations:.1f}"), *named]
        return [*counts, Cell(None, self.best), Cell(None, f"{100 * self.in_vain:.0f}%")]


PROTOCOLS = ("invalidate", "update")


def _figures(trace: Trace) -> Figures:
    found: Figures = {}
    for protocol in PROTOCOLS:
        for name in (EXACT, *SCHEMES):
            f = coherence_traffic(
                trace, protocol=protocol, directory="page", clusters_of=CLUSTER, encoding_name=name, network=NETWORK
            )
            found[f"{protocol} {name}"] = {
                "multicasts": f.multicasts,
                "receivers": f.receivers_mean,
                "unnecessary": f.unnecessary,
            }
    return found


def _row(label: str, figures: Figures, protocol: str) -> _Row:
    found = {name: figures[f"{protocol} {name}"] for name in (EXACT, *SCHEMES)}
    receivers = {name: f["receivers"] for name, f in found.items()}
    best = min(SCHEMES, key=receivers.__getitem__)
    multicasts = found[best]["multicasts"]
    in_vain = found[best]["unnecessary"] / max(1.0, receivers[best] * multicasts)
    return _Row(f"{label}: {protocol}", multicasts, receivers.pop(EXACT), receivers, best, in_vain)


def _text(rows: list[_Row], crossing: str) -> str:
    """What the rows say, in words."""
    single = sum(row.receivers["SM"] <= min(row.receivers.values()) for row in rows)
    many = [row for row in rows if row.destinations > float(crossing.removeprefix("about "))]
    larp = sum(row.receivers["LARP"] < min(row.receivers["SM"], row.receivers["LPRA"]) for row in many)
    least, most = (choose(rows, key=lambda row: row.in_vain) for choose in (min, max))
    whole = " and ".join(f"{100 * row.in_vain:.0f}%" for row in rows if row.label.startswith(WHOLE_LABEL))
    return f"""The paper estimates unnecessary messages with random destinations and asks for programs. Here the
destinations are those of programs. Single maps (SM) reach no more nodes than the other two schemes in {single} of
{len(rows)} rows. LARP, which the estimate prefers from {crossing} destinations on, reaches the fewest in {larp}
of the {len(many)} rows that have more; how the destinations of programs lie around the home was not compared with the
normal distribution of the estimate. Of what the best scheme sends, {100 * least.in_vain:.0f}% ({least.label}) to
{100 * most.in_vain:.0f}% ({most.label}) is in vain; with all 1024 processors at work (the gas) it is {whole}, under
invalidation and update."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run every program under both protocols, and count receivers under every scheme."""
    programs = {**shipped(True), WHOLE_LABEL: workload(WHOLE).trace()}
    own, kept = measured("sharing_messages", programs, _figures, progress, full)
    found = {**own, **dict(sorted(kept.items()))}
    rows = [_row(label, figures, protocol) for label, figures in found.items() for protocol in PROTOCOLS]
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
        [(row.label, row.cells) for row in rows],
        f"Clusters of {CLUSTER} processors, maps of {bits} bits; cluster i is router i, by rows of the base torus.",
    )
    return Section(TITLE, _text(rows, claim(golden, "crossing")), (table,), kept=kept)
