"""Acknowledge combining on the flit-level simulator: against an answer from each receiver, and by number of buffers."""

from __future__ import annotations

from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._simulated import CHIP, NETWORK, SIGMA, curves, cycles_cell, traffic
from jumpnet.sim.multicast.load import MulticastLoad, MulticastPoint
from jumpnet.sim.multicast.messages import Acknowledge

TITLE = "Acknowledge combining, simulated"
ORDER = 61

DESTINATIONS = 16
LOADS = (0.2, 0.5, 1.0)
FULL_LOADS = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.25, 1.5)
PROCESSOR_CYCLES = 50
WAYS = {
    "each receiver answers": ("direct", 0),
    "combined by processors": ("combined", 0),
    "1 combining buffer": ("combined", 1),
    "4 combining buffers": ("combined", 4),
    "as many as needed": ("combined", 1 << 30),
}
CYCLES, FULL_CYCLES = 1000, 8000


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Latency until the source knows, over the load, for each way to answer."""
    loads, cycles = (FULL_LOADS, FULL_CYCLES) if full else (LOADS, CYCLES)
    found: dict[str, list[MulticastPoint]] = {}
    made = traffic("full", DESTINATIONS)
    for done, (way, (acks, entries)) in enumerate(WAYS.items()):
        progress(done, len(WAYS))
        settings = Acknowledge(delay_cycles=PROCESSOR_CYCLES, combining_entries=entries)
        found[way] = [made.run(MulticastLoad(x, acks=acks, cycles=cycles), CHIP, settings) for x in loads]  # type: ignore[arg-type]
    rows: list[tuple[str, list[Cell | None]]] = []
    for way, points in found.items():
        cells: list[Cell | None] = []
        for p in points:
            cells += [
                cycles_cell(p, p.last_ack_cycles),
                cycles_cell(p, p.last_arrival_cycles),
                Cell(None, f"{p.fallbacks:.2f}"),
                Cell(None, f"{p.link_flits:.0f}"),
            ]
        rows.append((way, cells))
    what = ("last acknowledge", "last receiver", "counted by processors", "flits over links")
    table = Table(
        f"Multicasts to {DESTINATIONS} destinations: cycles until the source knows",
        "computed here",
        [f"{load:g} in 1000 cycles: {name}" for load in loads for name in what],
        rows,
        f"Means for each multicast created in the middle half of {cycles:,} cycles; one run a point.",
    )
    picture = curves(
        "rhbd-simulated-acknowledges",
        f"Time until the last acknowledge, {DESTINATIONS} destinations, {NETWORK}",
        "cycles until the last acknowledge",
        loads,
        {way: [p.last_ack_cycles for p in points] for way, points in found.items()},
    )
    return Section(TITLE, TEXT, (table,), (picture,))


TEXT = f"""Acknowledges of three flits (nishi1997router section 4.3). An answer of its own goes from each receiver
to the source; combined ones go back over one link each, to the router where the packet branched, which counts them.
Where no combining buffer is free the processor of that node counts, and takes {PROCESSOR_CYCLES} cycles for each
acknowledge it creates, as receivers do; the papers give neither this time nor the number of buffers. Full maps,
destinations at sigma {SIGMA:g}.

Combining by processors pays their time at every step of the tree and is the slowest at low load. As the load grows
the answers of all receivers crowd the links and ports of the sources, and delay the multicasts themselves; at the
highest load shown every way of combining is faster."""
