"""The fault campaign: what section 4.5 claims to detect, and section 4.4 to keep, injected and counted."""

from __future__ import annotations

from jumpnet.chip.faults import campaign
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table

TITLE = "Sections 4.4 and 4.5: faults injected, shoot-downs under load"
ORDER = 20


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run the campaign on the plain model; the longer one under `full`."""
    columns = ("injected", "caught", "harmless", "clocks_least", "clocks_most", "lost", "doubled", "overtaken")
    rows: list[tuple[str, list[Cell | None]]] = []
    for outcome in campaign(full=full, progress=progress):
        row = outcome.row()
        rows.append((f"{outcome.fault}: {outcome.caught_by}", [Cell(None, row[name]) for name in columns]))
    titles = ("injected", "caught", "harmless", "clocks, least", "clocks, most", "lost", "doubled", "overtaken")
    table = Table("Fault campaign", "computed here; nishi1997router claims it without numbers", titles, rows, NOTE)
    return Section(TITLE, TEXT, (table,))


NOTE = """Clocks: from the fault to its being noticed; for the watchdog from the creation of the packet, with a time
of 200 clocks; for shoot-downs those of shooting down and setting up. Caught shoot-downs: those that found packets in
the buffers. Lost, doubled: packets of which none, or several, are delivered or kept by an MBP."""
TEXT = """Every bit of every flit of a packet with a compressed address is flipped on the line between two routers:
the next router must find it in the header, only the destination in the body. A neighbor that is never ready must trip
the timer; after a shoot-down and set-up the packet must arrive once. The two slices must notice one wrong bit of
state, unless it is overwritten in the same clock and does no harm. Networks under load are shot
down at random clocks, what the MBPs hold is written to text, forgotten, read back and set up; every destination must
have received what it does undisturbed, and no packet may overtake another of its route."""
