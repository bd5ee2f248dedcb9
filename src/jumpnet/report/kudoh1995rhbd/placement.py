"""Processes of programs placed so that those that share are near, as section 5.2 asks, and what is then in vain."""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.machine.place import best_placement, candidates
from jumpnet.machine.trace import Trace
from jumpnet.report._section import Cell, Golden, Progress, Section, Table
from jumpnet.report._sharing import CLUSTER, Figures, measured, shipped
from jumpnet.report.kudoh1995rhbd._study import SCHEMES

TITLE = "Processes placed near those that they share with"
ORDER = 42

NETWORK = "rdt:8"
"""64 clusters: room for the 256 processors of the largest programs, and no more."""
QUICK = ("gas", "water", "grid", "fft")
"""Programs that are tried without `--full`, the others shown from the committed results: they send no message
in vain, or take longest and gain nothing."""


@dataclass(frozen=True)
class _Placed:
    """One program under one scheme."""

    label: str
    nodes: int
    destinations: float
    """Of a message, on average."""
    before: int
    """Unnecessary receptions."""
    after: int
    receivers_before: float
    """Of a message, on average."""
    receivers_after: float
    how: str
    """Which placement was best; empty where none was better than the order of the processes."""

    @property
    def cells(self) -> list[Cell | None]:
        """Of the table."""
        return [
            Cell(None, self.before),
            Cell(None, self.after),
            Cell(None, f"{self.receivers_before:.1f}"),
            Cell(None, f"{self.receivers_after:.1f}"),
            Cell(None, self.how or "as it was"),
        ]


def _quick(label: str) -> bool:
    return label.split(",")[0] in QUICK


def _figures(trace: Trace) -> Figures:
    tried = candidates(trace, NETWORK, clusters_of=CLUSTER)
    found: Figures = {}
    for name in SCHEMES:
        before, after, how, _ = best_placement(trace, NETWORK, name, clusters_of=CLUSTER, tried=tried)
        counts = [before.nodes, before.destinations_mean, before.unnecessary or 0, after.unnecessary or 0]
        found[name] = [*counts, before.receivers_mean or 0.0, after.receivers_mean or 0.0, how]
    return found


def _text(found: list[_Placed]) -> str:
    better = [row for row in found if row.how]
    none_left = sum(row.after == 0 for row in better)
    whole = sum("whole" in row.how for row in better)
    text = f"""Destinations mapped into a territory would reduce unnecessary messages drastically, says the paper, but
that depends on the mapping and on the program. Here processes are placed by an optimiser (threshold accepting, then
descent by swaps) that knows how many messages go from each home to each destination: alone or in the clusters that they
have, by links or by the territory that a multicast needs. Each placement is tried with the real messages, and the best
is kept. In {len(better)} of {len(found)} rows some placement sends fewer messages in vain than the order of the
processes; in {none_left} of these none is left."""
    if better:
        best = min(better, key=lambda row: row.after / (row.before or 1))
        least = max(better, key=lambda row: row.after / (row.before or 1))
        text += f""" The gain is largest in {best.label} ({best.before:,} to {best.after:,}) and
smallest in {least.label} ({least.before:,} to {least.after:,}), where a message goes to
{least.destinations:.1f} of {least.nodes - 1} clusters, wherever they are. Whole clusters moved in
{whole} of the {len(better)}."""
    return text


def placed(programs: dict[str, Trace], progress: Progress, full: bool = False) -> Section:
    """The section for these programs, by label, and for the captured traces."""
    own, kept = measured("placement", programs, _figures, progress, full)
    # Captured traces, and what only a full run computes.
    kept |= {label: found for label, found in own.items() if not _quick(label)}
    everything = {**own, **dict(sorted(kept.items()))}
    found = [_Placed(f"{label}: {name}", *figures[name]) for label, figures in everything.items() for name in SCHEMES]
    columns = (
        "unnecessary receptions",
        "of them after placement",
        "receivers of a message",
        "the same after placement",
        "placement",
    )
    note = f"Invalidation, an entry a page, clusters of {CLUSTER} processors, homes by first touch."
    rows = [(row.label, row.cells) for row in found]
    table = Table(f"Placement of processes on {NETWORK}", "computed here, after section 5.2", columns, rows, note)
    return Section(TITLE, _text(found), (table,), kept=kept)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Place the processes of every program, and count what is sent in vain under every scheme."""
    programs = {label: trace for label, trace in shipped(True).items() if full or _quick(label)}
    return placed(programs, progress, full)
