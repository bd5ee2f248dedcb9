"""Section V.C of the RDT paper: congestion under multicasts and combined acknowledges, against one message each."""

from __future__ import annotations

from jumpnet.report._congestion import GROUPS, NOTE, Loads, Ways, compared, group_label
from jumpnet.report._measures import DRASTIC, drastic
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed

TITLE = "Multicasts and combined acknowledges against one message each"
ORDER = 94

KEY = "yang2001rdt"
MEASURE = f"""{NOTE} `drastically`: {1 / DRASTIC:.0%} or less is left, a measure of ours; `somewhat`: less; `not`: as
much or more."""


def _answer(singly: float, together: float) -> str:
    if drastic(singly, together):
        return "drastically"
    return "somewhat" if together < singly else "not"


def _cells(golden: Golden, claim: str, ways: Ways) -> list[Cell | None]:
    """One verdict for each reading of congestion."""
    return [
        claimed(golden, claim, _answer(one, tree), reading=f"congestion_measured:{name}",
                detail=f"{one:.10g} one by one, {tree:.10g} by the tree")
        for name, one, tree in zip(Loads._fields, *ways, strict=True)
    ]  # fmt: skip


def section(golden: Golden, progress: Progress) -> Section:
    """The same destinations reached one by one and by one multicast."""
    tables: dict[str, Rows] = {"multicast_reduces": [], "combining_reduces": []}
    for done, (rank, count) in enumerate(GROUPS):
        progress(done, len(GROUPS))
        for claim, ways in zip(tables, compared(rank, count), strict=True):
            tables[claim].append((group_label(rank, count), _cells(golden, claim, ways)))
    titles = (
        "Messages: a multicast against one by one",
        "Acknowledges of the multicast's receivers: combined against one by one",
    )
    source, columns = f"{KEY}, section V.C", ("channels crossed", "busiest channel", "link of the source")
    made = [Table(t, source, columns, rows, MEASURE) for t, rows in zip(titles, tables.values(), strict=True)]
    return Section(TITLE, TEXT, made)


TEXT = """The paper says that multicasts by the bit-map schemes and combined acknowledges reduce the congestion of the
network drastically. It points to another paper for how this was measured, so three measures stand side by side.

At its own source a multicast saves most: about one copy leaves in place of a message to each destination. Elsewhere it
depends on the destinations. A reduced map names more routers than were asked for, and unless a good part of the
territory is meant, their copies cross more links than single messages to the destinations would. Combining the answers
of all those receivers is a saving by every measure; an acknowledge then crosses each link of the tree once."""
