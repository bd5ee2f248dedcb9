"""Mixed load on the flit-level simulator: what multicasts cost the packets to one destination beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.report._section import Figure, Golden, Progress, Rows, Section, Table
from jumpnet.report.kudoh1995rhbd._simulated import (
    BAND,
    NETWORK,
    SIGMA,
    Curves,
    assembled,
    curves,
    cycles_cell,
    mean,
    point,
)
from jumpnet.sim.multicast.simulate import MulticastResult

TITLE = "Multicasts among packets to one destination, simulated"
ORDER = 62

DESTINATIONS = 8
UNICASTS = 5.0
LOADS = (0.0, 0.2, 0.5, 1.0)
FULL_LOADS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.25, 1.5)
CYCLES, FULL_CYCLES = 1000, 8000


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Latency of both kinds over the rate of multicasts, branching or sent as single packets."""
    loads, cycles = (FULL_LOADS, FULL_CYCLES) if full else (LOADS, CYCLES)
    found: dict[str, list[MulticastResult]] = {}
    for done, (way, repeated) in enumerate({"branching": False, "one packet to each destination": True}.items()):
        progress(done, 2)
        settings: dict[str, Any] = {"destinations": DESTINATIONS, "repeated": repeated, "acknowledge": "combined"}
        found[way] = [point("full", load, cycles, UNICASTS, **settings) for load in loads]
    rows: Rows = []
    for way, points in found.items():
        rows.append((f"{way}: packets to one destination", [cycles_cell(p, "packet") for p in points]))
        rows.append((f"{way}: last of {DESTINATIONS} destinations", [cycles_cell(p, "multicast") for p in points]))
        rows.append((f"{way}: last acknowledge", [cycles_cell(p, "acknowledge") for p in points]))
    table = Table(
        f"Mean cycles beside {UNICASTS:g} packets to one random router per router and 1000 cycles",
        "computed here",
        [f"{load:g} multicasts per router and 1000 cycles" for load in loads],
        rows,
        f"Means {BAND}, of messages created in the middle half of {cycles:,} cycles; one run a point.",
    )
    lines = {f"multicasts {way}": [mean(p, "packet") for p in points] for way, points in found.items()}
    return assembled("simulated_mixed", Section(TITLE, TEXT, (table,)), _picture, loads, lines, full)


def _picture(loads: Sequence[float], found: Curves) -> Figure:
    title = f"Packets to one destination among multicasts, {NETWORK}"
    return curves("rhbd-simulated-mixed", title, "cycles from creation to arrival", loads, found)


TEXT = f"""Both kinds of packets have 13 flits and share channels, buffers and rules on {NETWORK}; the multicasts go
to destinations at sigma {SIGMA:g} by full maps and are acknowledged: combined where they branch, in four buffers a
router, and by each receiver where they are sent as single packets. Single packets load the links more, and the
packets beside them wait longer."""
