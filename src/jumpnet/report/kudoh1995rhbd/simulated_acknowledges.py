"""Acknowledge combining on the flit-level simulator: against an answer from each receiver, and by number of buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table
from jumpnet.report.kudoh1995rhbd._simulated import (
    BAND,
    NETWORK,
    SIGMA,
    Curves,
    assembled,
    carried,
    curves,
    cycles_cell,
    mean,
    point,
)
from jumpnet.sim.multicast.simulate import MulticastResult

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
    "as many as needed": ("combined", 4096),
}
CYCLES, FULL_CYCLES = 1000, 8000


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Latency until the source knows, over the load, for each way to answer."""
    loads, cycles = (FULL_LOADS, FULL_CYCLES) if full else (LOADS, CYCLES)
    found: dict[str, list[MulticastResult]] = {}
    common: dict[str, Any] = {"destinations": DESTINATIONS, "ack_delay_cycles": PROCESSOR_CYCLES}
    for done, (way, (acks, entries)) in enumerate(WAYS.items()):
        progress(done, len(WAYS))
        settings = {"acknowledge": acks, "combining_entries": entries, **common}
        found[way] = [point("full", load, cycles, **settings) for load in loads]
    rows: Rows = []
    for way, points in found.items():
        cells: list[Cell | None] = []
        for p in points:
            cells += [
                cycles_cell(p, "acknowledge"),
                cycles_cell(p, "multicast"),
                Cell(None, f"{p.fallbacks_per_multicast:.2f}"),
                Cell(None, f"{p.link_flits_per_multicast:.0f}"),
            ]
        rows.append((way, cells))
    what = ("last acknowledge", "last receiver", "counted by processors", "flits over links")
    table = Table(
        f"Multicasts to {DESTINATIONS} destinations: cycles until the source knows",
        "computed here",
        [f"{load:g} in 1000 cycles: {name}" for load in loads for name in what],
        rows,
        f"Means {BAND}, of multicasts created in the middle half of {cycles:,} cycles; one run a point.",
    )
    lines = {way: [mean(p, "acknowledge") for p in points] for way, points in found.items()}
    return assembled("simulated_acknowledges", Section(TITLE, TEXT, (table,)), _picture, loads, lines, full, told=_told)


def _told(loads: Sequence[float], found: Curves) -> str:
    """Which way is slowest at the lowest load, and up to which load each keeps up."""
    slowest = max(found, key=lambda way: found[way][0])
    most = "; ".join(f"{way}: {carried(loads, found[way]):g}" for way in WAYS)
    return f"""At {loads[0]:g} multicasts per router and 1000 cycles the slowest way is `{slowest}`: it pays the time of
a processor at every step of the tree. As the load grows the answers of all receivers crowd the links and ports of the
sources, and delay the multicasts themselves. The highest load shown that is not too high, of {loads[-1]:g} at most:
{most}."""


def _picture(loads: Sequence[float], found: Curves) -> Figure:
    title = f"Time until the last acknowledge, {DESTINATIONS} destinations, {NETWORK}"
    return curves("rhbd-simulated-acknowledges", title, "cycles until the last acknowledge", loads, found)


TEXT = f"""Acknowledges of three flits (nishi1997router section 4.3). An answer of its own goes from each receiver
to the source; combined ones go back over one link each, to the router where the packet branched, which counts them.
Where no combining buffer is free the processor of that node counts, and takes {PROCESSOR_CYCLES} cycles for each
acknowledge it creates, as receivers do; the papers give neither this time nor the number of buffers. Full maps,
destinations at sigma {SIGMA:g}."""
