"""Multicast on the flit-level simulator against one packet to each destination: time until the last one, link use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
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

TITLE = "Multicast against one packet to each destination, simulated"
ORDER = 60

DESTINATIONS = 8
LOADS = (0.1, 0.5, 1.0, 2.0)
FULL_LOADS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
SIZES = (2, 4, 8, 16)
LOW = 0.1
WAYS = {
    "one packet to each destination": ("full", True),
    "multicast, full map": ("full", False),
    "multicast, SM": ("SM", False),
}
CYCLES, FULL_CYCLES = 1200, 8000


def _point(way: str, destinations: int, load: float, cycles: int) -> MulticastResult:
    scheme, repeated = WAYS[way]
    return point(scheme, load, cycles, destinations=destinations, repeated=repeated)


class Found(NamedTuple):
    """The points of each way of sending to several destinations."""

    by_load: dict[str, list[MulticastResult]]
    """To as many destinations, over the load."""
    by_size: dict[str, list[MulticastResult]]
    """At a low load, over the number of destinations."""


def _simulated(loads: Sequence[float], cycles: int, progress: Progress) -> Found:
    found = Found({}, {})
    for done, way in enumerate(WAYS):
        progress(done, 2 * len(WAYS))
        found.by_load[way] = [_point(way, DESTINATIONS, load, cycles) for load in loads]
    for done, way in enumerate(WAYS):
        progress(len(WAYS) + done, 2 * len(WAYS))
        found.by_size[way] = [_point(way, k, LOW, 4 * cycles) for k in SIZES]
    return found


def _over_load(found: Found, loads: Sequence[float], cycles: int) -> Table:
    return Table(
        f"Cycles until the last receiver has it, {DESTINATIONS} destinations",
        "computed here",
        [f"{load:g} multicasts per router and 1000 cycles" for load in loads],
        [(way, [cycles_cell(p, "multicast") for p in points]) for way, points in found.by_load.items()],
        f"Means {BAND}, of multicasts created in the middle half of {cycles:,} cycles; one run a point.",
    )


def _over_size(found: Found, cycles: int) -> Table:
    rows: Rows = []
    for way, points in found.by_size.items():
        rows.append((f"{way}: cycles", [cycles_cell(p, "multicast") for p in points]))
        rows.append((f"{way}: flits over links", [Cell(None, f"{p.link_flits_per_multicast:.0f}") for p in points]))
        rows.append((f"{way}: receivers", [Cell(None, f"{p.receivers_per_multicast:.1f}") for p in points]))
    return Table(
        f"At {LOW:g} multicasts per router and 1000 cycles",
        "computed here",
        [f"{k} destinations" for k in SIZES],
        rows,
        f"As above, of {4 * cycles:,} cycles.",
    )


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Latency over the load for eight destinations; then one low load over the number of destinations."""
    loads, cycles = (FULL_LOADS, FULL_CYCLES) if full else (LOADS, CYCLES)
    found = _simulated(loads, cycles, progress)
    lines = {way: [mean(p, "multicast") for p in points] for way, points in found.by_load.items()}
    return assembled(
        "simulated_multicast",
        Section(TITLE, TEXT, (_over_load(found, loads, cycles), _over_size(found, cycles))),
        _picture,
        loads,
        lines,
        full,
        (_claims(golden, loads, found),),
        _told,
    )


def _told(loads: Sequence[float], found: Curves) -> str:
    """Between which loads the single packets overtake SM, and up to which load each way keeps up."""
    single, _, sm = WAYS
    both = enumerate(zip(found[single], found[sm], strict=True))
    behind = [k for k, (one, tree) in both if one == one and not tree < one]  # no number: the load is too high
    first = behind[0] if behind else len(loads)
    overtaken = f"between {loads[first - 1]:g} and {loads[first]:g}" if 0 < first < len(loads) else "nowhere"
    most = "; ".join(f"{way}: {carried(loads, found[way]):g}" for way in WAYS)
    return f"""With every number of destinations here SM sends more flits over links than single packets do, for its
unnecessary receivers. At low load it is faster all the same, since the source sends one packet instead of many; but the
links fill up at a lower load: the single packets overtake it {overtaken} multicasts per router and 1000 cycles. The
highest load shown that is not too high: {most}."""


def _picture(loads: Sequence[float], found: Curves) -> Figure:
    title = f"Time until the last receiver, {DESTINATIONS} destinations, {NETWORK}"
    return curves("rhbd-simulated-multicast", title, "cycles until the last receiver", loads, found)


def _claims(golden: Golden, loads: Sequence[float], found: Found) -> Table:
    """What the text says of time and congestion."""
    single, full, sm = WAYS
    slow, fast = (mean(found.by_size[way][-1], "multicast") for way in (single, full))
    detail = f"{SIZES[-1]} destinations: {slow:.0f} cycles against {fast:.0f}"
    longer = claimed(golden, "sequential_long", "yes" if slow > fast else "no", detail=detail)
    whole, reduced = (carried(loads, [mean(p, "multicast") for p in found.by_load[way]]) for way in (full, sm))
    detail = f"highest load shown that is carried: {reduced:g} with SM, {whole:g} with full maps"
    congested = claimed(golden, "unnecessary_congests", "yes" if reduced < whole else "no", detail=detail)
    rows: Rows = [
        ("one after another takes longer", [longer]),
        ("unnecessary packets congest the network", [congested]),
    ]
    return Table("What the text says", "kudoh1995rhbd, sections 3 and 7", ("value",), rows)


TEXT = f"""Packets of 13 flits on {NETWORK} by the chip's rules and its pipeline; a packet branches at routers as
its channels become free. Destinations lie around the source at sigma {SIGMA:g}. The single packets go to the
destinations only, by the routes of the tree; a bit-map multicast also reaches the receivers that its maps cannot
leave out, and the time runs until the last receiver has it. The full map has no such receivers, so that its curve
is the gain of branching alone; the curve of SM is what the chip's 32 bits keep of it."""
