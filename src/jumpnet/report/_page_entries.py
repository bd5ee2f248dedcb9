"""Destinations of coherence messages in the programs of Figure 9 of kudoh1995rhbd, by protocol and kind of entry.

Used by kudoh1995rhbd and nishi1997router.
"""

from __future__ import annotations

from collections.abc import Mapping

from jumpnet.coherence.functional import PAGE_ENTRIES
from jumpnet.machine.trace import Trace
from jumpnet.report._section import Cell, Golden, Progress, Rows, Table, claimed
from jumpnet.report._sharing import CLUSTER, CURVES, Figures, measured, shipped, traffic

__all__ = [
    "COUNTED", "DRAWN", "EVERY", "OTHER", "PLAIN", "Curve", "Found", "histograms", "page_table", "programs",
    "protocol_table",
]  # fmt: skip

COUNTED = {1: "processors", CLUSTER: "clusters of four"}
PLAIN, OTHER = PAGE_ENTRIES
Curve = tuple[str, str, str]
"""Protocol, what an entry is of, whom the entry of a page lists."""
# With caches without limit nothing takes a copy away under update: both readings of a page's entry are one.
DRAWN: tuple[Curve, ...] = tuple((*curve, PLAIN) for curve in CURVES)
EVERY: tuple[Curve, ...] = (*DRAWN, *((protocol, "page", OTHER) for protocol in ("invalidate", "update")))


class Found:
    """The histograms of one program."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures

    def nodes(self, clusters_of: int) -> int:
        """Processors, or clusters."""
        return int(self.figures[f"{clusters_of} nodes"])

    def histogram(self, clusters_of: int, curve: Curve) -> dict[int, int]:
        """Messages by number of destinations."""
        pairs = (word.split(":") for word in self.figures[f"{clusters_of} {' '.join(curve)}"].split())
        return {int(k): int(count) for k, count in pairs}

    def mean(self, clusters_of: int, curve: Curve) -> float:
        """Destinations of a message."""
        histogram = self.histogram(clusters_of, curve)
        return sum(k * count for k, count in histogram.items()) / max(1, sum(histogram.values()))


def histograms(trace: Trace) -> Figures:
    """What is kept of a program: its histograms, as words."""
    found: Figures = {}
    for clusters_of in COUNTED:
        for protocol, directory, page_entry in EVERY:
            # Under update no copy is taken away: both entries are one, and the other is refused.
            entry = PLAIN if protocol == "update" else page_entry
            f = traffic(trace, protocol, directory, clusters_of, entry)
            pairs = f.destinations_histogram.items()
            found[f"{clusters_of} nodes"] = f.nodes
            found[f"{clusters_of} {protocol} {directory} {page_entry}"] = " ".join(f"{k}:{n}" for k, n in pairs)
    return found


def programs(progress: Progress, full: bool) -> tuple[dict[str, Found], dict[str, Figures]]:
    """The programs of Figure 9 by label, captured ones from committed results unless `full`; and what is to be kept."""
    own, kept = measured("figure_9", shipped(False), histograms, progress, full, every=False)
    return {label: Found(figures) for label, figures in {**own, **dict(sorted(kept.items()))}.items()}, kept


def protocol_table(golden: Golden, programs: Mapping[str, Found], source: str) -> Table:
    """Destinations under both protocols with an entry a page, for both readings of the entry."""
    rows: Rows = []
    for label, found in programs.items():
        for clusters_of, counted in COUNTED.items():
            cells: list[Cell | None] = []
            for entry in PAGE_ENTRIES:
                update, invalidate = (found.mean(clusters_of, (p, "page", entry)) for p in ("update", "invalidate"))
                word = "more" if update > invalidate else "not more"
                detail = f"{update:.2f} against {invalidate:.2f} destinations on average, an entry a page"
                reading = f"page_entry:{entry}"
                cells.append(claimed(golden, "update_destinations", word, reading=reading, detail=detail))
            rows.append((f"{label}, counting {counted}", cells))
    columns = [f"destinations under update, {entry.replace('_', ' ')}" for entry in PAGE_ENTRIES]
    return Table("Update against invalidation, an entry a page", source, columns, rows)


def page_table(golden: Golden, programs: Mapping[str, Found], source: str) -> Table:
    """Destinations with an entry a page against an entry a line, under each protocol."""
    rows: Rows = []
    for label, found in programs.items():
        for clusters_of, counted in COUNTED.items():
            cells: list[Cell | None] = []
            for protocol, entry, reading in PAGES:
                line, page = (found.mean(clusters_of, (protocol, *of)) for of in (("line", PLAIN), ("page", entry)))
                word = "more" if page > line else "not more"
                detail = f"{page:.2f} against {line:.2f} destinations on average"
                cells.append(claimed(golden, "page_destinations", word, reading=reading, detail=detail))
            rows.append((f"{label}, counting {counted}", cells))
    columns = [*(f"invalidation, {entry.replace('_', ' ')}" for entry in PAGE_ENTRIES), "update"]
    return Table("An entry a page against an entry a line", source, columns, rows, ONE_ENTRY)


PAGES = (*(("invalidate", entry, f"page_entry:{entry}") for entry in PAGE_ENTRIES), ("update", PLAIN, ""))
"""Protocol, whom the entry of a page lists, and the reading."""
ONE_ENTRY = "Under update no copy is ever taken away from these caches: both readings of the entry are one."
