"""Invalidate or update page by page, as JUMP-1 offers it (section 5.1): the best choice of pages, and what it saves."""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.machine.trace import Trace
from jumpnet.machine.update_pages import PageChoice, measured_pages
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table
from jumpnet.report._sharing import CLUSTER, Figures, measured, shipped

TITLE = "Invalidate or update, chosen for each page"
ORDER = 45

WAYS = tuple((directory, multicast) for multicast in (False, True) for directory in ("line", "page"))
"""Entries of the directory, and whether a message to many is one packet."""
LEAST = 0.01
"""A saving counts from this part of the packets on."""


@dataclass(frozen=True)
class _Choice:
    """What the best choice of pages gives, in numbers (`PageChoice` names the pages)."""

    pages: int
    by_update: int
    invalidate_packets: int
    update_packets: int
    packets: int

    @property
    def gain(self) -> float:
        return PageChoice((), self.pages, self.invalidate_packets, self.update_packets, self.packets).gain


Found = dict[tuple[str, tuple[str, bool]], _Choice]


def _way(way: tuple[str, bool]) -> str:
    directory, multicast = way
    return f"entry a {directory}, " + ("multicast" if multicast else "a packet for each destination")


def _figures(trace: Trace) -> Figures:
    found: Figures = {}
    for way in WAYS:
        f = measured_pages(trace, clusters_of=CLUSTER, directory=way[0], multicast=way[1])
        found[_way(way)] = [f.pages, len(f.update_pages), f.invalidate_packets, f.update_packets, f.packets]
    return found


def _table(found: Found) -> Table:
    rows: Rows = []
    for (label, way), choice in found.items():
        cells = [
            Cell(None, choice.invalidate_packets),
            Cell(None, f"{choice.update_packets / max(1, choice.invalidate_packets):.2f}"),
            Cell(None, choice.pages),
            Cell(None, choice.by_update),
            Cell(None, f"{100 * choice.gain:.1f}%"),
        ]
        rows.append((f"{label}: {_way(way)}", [*cells]))
    columns = (
        "invalidation: packets",
        "update: times as many",
        "pages",
        "of them by update",
        "saved against the better protocol",
    )
    note = f"""Clusters of {CLUSTER} processors, caches without limit. Packets: requests, fetches and messages between
clusters, each with its answer; `multicast` counts a message to many, and its combined acknowledges, as one each."""
    return Table("Packets by protocol, and with the best choice of pages", "computed here", columns, rows, note)


def _text(found: Found) -> str:
    programs = len({label for label, _ in found})
    better = {way: sum(c.gain >= LEAST for (_, w), c in found.items() if w == way) for way in WAYS}
    counts = "; ".join(f"{_way(way)}: {count} of {programs}" for way, count in better.items())
    (label, way), most = max(found.items(), key=lambda item: item[1].gain)
    ahead = sum(c.update_packets < c.invalidate_packets for c in found.values())
    return f"""JUMP-1 offers both types of protocol page by page; the paper does not say how to choose. Here every page
is tried both ways. With caches without limit a page's packets do not depend on the others, so that taking the cheaper
protocol for each page is the best of all choices. Counted are packets, not the time that a processor waits for a read
that update would have spared.

Programs in which the choice saves at least {100 * LEAST:.0f}% of the packets of the better protocol: {counts}. The most
is saved in {label} ({_way(way)}): {100 * most.gain:.1f}%, with {most.by_update} of {most.pages} pages by
update. Update for all pages takes fewer packets than invalidation in {ahead} of the {len(found)} rows: it sends a
message for each write to shared data, invalidation one for each run of writes by one cluster."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run every program under both protocols, and choose."""
    own, kept = measured("update_pages", shipped(True), _figures, progress, full)
    programs = {**own, **dict(sorted(kept.items()))}
    found = {(label, way): _Choice(*figures[_way(way)]) for label, figures in programs.items() for way in WAYS}
    return Section(TITLE, _text(found), (_table(found),), kept=kept)
