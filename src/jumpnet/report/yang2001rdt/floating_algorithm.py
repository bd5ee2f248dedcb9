"""The four steps of floating vector routing in the RDT paper, followed as printed and with step 3's sign put right."""

from __future__ import annotations

from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._floating import Update, follow_all

TITLE = "Floating vector routing: the sign in step 3"
ORDER = 28

SIZES = ((16, 2), (32, 3), (64, 3), (128, 4), (256, 4))
"""Side and highest rank of RDT(2,4,1)/alpha."""
UPDATES: tuple[Update, ...] = ("add", "subtract")
"""Step 3 as printed, and with its sign put right."""


def section(golden: Golden, progress: Progress) -> Section:
    """Every packet from a source of each class, under both signs."""
    rows: Rows = []
    shares: dict[Update, list[float]] = {update: [] for update in UPDATES}
    for done, (side, R) in enumerate(SIZES):
        progress(done, len(SIZES))
        cells: list[Cell | None] = []
        for update in UPDATES:
            found = follow_all(side, R, update)
            shares[update].append(found.arrived / found.packets)
            words = "all" if found.arrived == found.packets else f"{found.arrived} of {found.packets}"
            printed = update == "add"
            cells.append(
                claimed(golden, "floating_step_3", words) if printed else Cell(None, words, claim="floating_step_3")
            )
        rows.append((f"{side * side} nodes", cells))
    table = Table(
        "Packets that arrive, by the sign of the base move in the new rank-0 vector",
        "yang2001rdt, section III.B, steps 1 to 4",
        ("added, as printed", "taken off"),
        rows,
        "One source for each class of nodes, to every other node.",
    )
    right = "all" if all(share == 1 for share in shares["subtract"]) else "not all"
    text = TEXT.format(least=min(shares["add"]), most=max(shares["add"]), right=right)
    return Section(TITLE, text, (table,))


TEXT = """Step 3 sends a packet to a neighbor j that has rank p and replaces the rank-0 vector v by v + (j - i). A base
hop towards the destination would so make the rest of the way longer. Followed as printed, {least:.1%} to {most:.1%} of
the packets arrive, the fewer the larger the network: those that never change ranks, and others whose base hops cancel.
With v - (j - i) {right} of them do; that is what `rdt.floating` does."""
