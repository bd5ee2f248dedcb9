"""Section 6's other way: at every hierarchy a processor makes the map anew. Receivers saved, and what it costs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jumpnet.multicast import Scheme, scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import Plan, bit_map_plan
from jumpnet.multicast.remake import remade
from jumpnet.multicast.sample import Sampled, sample_receivers
from jumpnet.multicast.territory import Territories, territories
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._simulated import BAND, CHIP, FLITS, cycles_cell, mean, point
from jumpnet.report.kudoh1995rhbd._simulated import NETWORK as CLUSTERS
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, SCHEMES, SEED, TRIALS
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.message_layout import DATA, PLACE_ROW
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import COMBINED, Messages, forest
from jumpnet.sim.multicast.simulate import MulticastResult
from jumpnet.topology import build

TITLE = "Section 6: maps made anew at every hierarchy"
ORDER = 58

COUNTS = (2, 4, 8, 16, 32)
SIGMAS = (1.0, 5.0)
ALONE = "prdt:64"
"""Four ranks, as the paper's four levels."""
DESTINATIONS, SPREAD = 8, 5.0
ALONE_TRIALS = 24
GAP = 2500
"""Cycles between two multicasts of a run in which none meets another."""
TIMES = (0, 50, 200)
SHOWN = 50
"""The one used where one has to be chosen; the paper gives none."""
LOADS = (0.1, 0.5, 1.0)
WAYS: dict[str, tuple[str, int]] = {
    **{name: (name, 0) for name in SCHEMES},
    **{f"REMAKE, {cycles} cycles a map": ("REMAKE", cycles) for cycles in TIMES},
}
CYCLES = 4000


class Alone(NamedTuple):
    """Means over multicasts that do not meet."""

    receivers: float
    handed: float
    """Packets that processors took to make them anew."""
    last: float
    """Cycles until the last receiver had it."""
    known: float
    """Cycles until the source had the acknowledges of all."""
    flits: float
    """Flits over links, of packets and acknowledges."""
    started: float
    """Packets that entered at a processor which had taken one."""


def destination_sets(where: Territories) -> list[list[int]]:
    """Different routers around router 0, none of them itself, at normal offsets; the same for every way."""
    draw, found = random.Random(SEED), []
    for _ in range(ALONE_TRIALS):
        to = {0}
        while len(to) <= DESTINATIONS:
            to.add(where.moved(0, *(round(draw.gauss(0.0, SPREAD)) for _ in range(2))))
        found.append(sorted(to - {0}))
    return found


def nodes_below(where: Territories, destinations: Sequence[int]) -> int:
    """Nodes of the tree at which a multicast of a lower rank starts, by the digits of the destinations."""
    address = where.address(0, destinations)
    return len({digits[r + 1 :] for digits in address.digits for r in range(address.top)})


def alone(plans: Sequence[Plan], remake_cycles: int) -> Alone:
    """Send multicasts one after another through the simulated chip, with the laws of conservation checked."""
    net, count = build(ALONE), len(plans)
    cycle = np.arange(count) * GAP
    rows = Messages(cycle, np.arange(count), np.full(count, FLITS), np.full(count, COMBINED))
    trees = forest(net, plans)
    engine = MulticastEngine(
        net,
        2,
        trees,
        rows,
        CHIP.replace(events=True),
        MulticastConfig(combining_entries=64, remake_cycles=remake_cycles),
    )
    engine.go(count * GAP)
    engine.check()
    done, events = engine.result(), engine.events()
    heads = events[(events[:, 1] == at.EVENT_ENTER) & (events[:, 5] == 0) & (events[:, 4] == DATA)]
    starts = trees.place[heads[:, 3], PLACE_ROW.origin] >= 0
    return Alone(
        float(done.receipts.mean()),
        done.remade / count,
        float((done.last_arrival - cycle).mean()),
        float((done.acknowledged - cycle).mean()),
        done.link_flits / count,
        float(starts.sum()) / count,
    )


def _receivers() -> list[Sampled]:
    """As for Figures 10 and 11, the same destinations for every scheme, at both widths."""
    schemes, where = [*map(scheme, SCHEMES), scheme("REMAKE")], territories(DEFAULT.network)
    return [sample_receivers(where, schemes, sigma, COUNTS, trials=TRIALS, seed=SEED) for sigma in SIGMAS]


def _receivers_table(found: Sequence[Sampled]) -> Table:
    columns = [f"sigma {sigma:g}: {k} destinations" for sigma in SIGMAS for k in COUNTS]
    rows = [
        (name, [Cell(None, float(mean)) for sampled in found for mean in sampled.mean[:, i]])
        for i, name in enumerate(found[0].schemes)
    ]
    note = f"Means of {TRIALS:,} trials on {DEFAULT.network}; destinations as in Figures 10 and 11."
    return Table("Receiving nodes for the same destinations", "kudoh1995rhbd, section 6", columns, rows, note)


def _ways() -> dict[str, tuple[Scheme, int]]:
    """The three schemes, REMAKE in part, and REMAKE whole with several times of a processor."""
    top = territories(ALONE).top
    part = {
        f"REMAKE for ranks {top - 1} to {k}, {SHOWN} cycles a map"
        if k < top - 1
        else f"REMAKE for rank {k}, {SHOWN} cycles a map": (remade(k), SHOWN)
        for k in range(top - 1, 0, -1)
    }
    whole = {f"REMAKE, {cycles} cycles a map": (scheme("REMAKE"), cycles) for cycles in TIMES}
    return {**{name: (scheme(name), 0) for name in SCHEMES}, **part, **whole}


def _alone_table(found: dict[str, Alone]) -> Table:
    columns = (
        "receivers", "maps made anew", "cycles until the last receiver", "cycles until the source knows",
        "flits over links",
    )  # fmt: skip
    rows = [(way, [Cell(None, value) for value in row[:5]]) for way, row in found.items()]
    note = f"""Means over {ALONE_TRIALS} sets of {DESTINATIONS} destinations at sigma {SPREAD:g} on {ALONE}, packets of
{FLITS} flits on the simulated router chip, one multicast at a time; acknowledges are combined in the routers, and
processors answer at once, so that only making maps takes their time."""
    return Table("One multicast alone: receivers saved against time", "computed here", columns, rows, note)


def _loaded() -> dict[str, list[MulticastResult]]:
    common: dict[str, Any] = {"destinations": DESTINATIONS, "acknowledge": "combined"}
    return {
        way: [point(name, load, CYCLES, remake_cycles=time, **common) for load in LOADS]
        for way, (name, time) in WAYS.items()
    }


def _loaded_table(found: dict[str, list[MulticastResult]]) -> Table:
    columns = [f"{load:g} in 1000 cycles: {what}" for load in LOADS for what in ("last receiver", "flits over links")]
    rows: Rows = []
    for way, points in found.items():
        cells: list[Cell | None] = []
        for p in points:
            cells += [cycles_cell(p, "multicast"), Cell(None, f"{p.link_flits_per_multicast:.0f}")]
        rows.append((way, cells))
    note = f"""Cycles, means {BAND}, of multicasts to {DESTINATIONS} destinations at sigma 1 created in the middle half
of {CYCLES:,} cycles on {CLUSTERS}; one run a point. The loads are multicasts per router and 1000 cycles."""
    return Table("Under load: cycles until the last receiver", "computed here", columns, rows, note)


def _claims(golden: Golden, sampled: Sequence[Sampled], found: dict[str, Alone], nodes: float) -> Table:
    whole, free, rest = found[f"REMAKE, {SHOWN} cycles a map"], found["REMAKE, 0 cycles a map"], found["SM"]
    least = min(float((s.mean[:, :-1].min(axis=1) - s.mean[:, -1]).min()) for s in sampled)
    every = "any node" if whole.handed == nodes else f"{whole.handed:g} of {nodes:g} nodes"
    again = "again" if whole.started == whole.handed else f"{whole.started:g} of {whole.handed:g} again"
    late = whole.last - free.last
    rows = [
        (
            "the packet is handed to the processor at",
            claimed(golden, "remake_nodes", every, detail=f"""{whole.handed:.2f} a multicast in the simulator, where
{nodes:.2f} nodes of the tree start lower ranks by the digits of the destinations"""),
        ),
        (
            "which then starts the multicast",
            claimed(golden, "remake_again", again, detail=f"""packets that entered the network at such a processor:
{whole.started:.2f} a multicast"""),
        ),
        (
            "making maps requires",
            claimed(golden, "remake_latency", "latency" if late > 0 else "none", detail=f"""{late:.0f} cycles later with
{SHOWN} cycles a map than with none, which itself is {free.last - rest.last:.0f} later than SM"""),
        ),
        (
            "unnecessary packets are",
            claimed(golden, "remake_fewer", "reduced" if least > 0 else "not reduced", detail=f"""against the best of
the three schemes at each width and number of destinations of the next table: by {least:.2f} nodes at least"""),
        ),
    ]  # fmt: skip
    made: list[tuple[str, Sequence[Cell | None]]] = [(row, [cell]) for row, cell in rows]
    return Table("What the text says of it", "kudoh1995rhbd, section 6", ("value",), made)


def _picture(found: dict[str, Alone]) -> Figure:
    ways = list(found)
    x, y = [found[way].last for way in ways], [found[way].receivers - DESTINATIONS for way in ways]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for way, a, b in zip(ways, x, y, strict=True):
            axes.plot([a], [b], marker="o" if way.startswith("REMAKE") else "s", linestyle="none", label=way)
        axes.set_yscale("symlog", linthresh=1)
        axes.set_xlabel("cycles until the last receiver")
        axes.set_ylabel("unnecessary receivers")
        axes.legend(fontsize="small")

    data: dict[str, Sequence[Any]] = {"way": ways, "cycles": x, "unnecessary receivers": y}
    title = f"Unnecessary receivers against time, {DESTINATIONS} destinations, {ALONE}"
    return Figure("rhbd-remake", title, "computed here", draw, data)


def section(golden: Golden, progress: Progress) -> Section:
    """Receivers and times of REMAKE beside SM, LPRA and LARP, for the same destinations."""
    sampled = _receivers()
    where, rules = territories(ALONE), chip_rules(build(ALONE))
    sets, ways, found = destination_sets(where), _ways(), {}
    for done, (way, (used, time)) in enumerate(ways.items()):
        progress(done, len(ways) + 1)
        found[way] = alone([bit_map_plan(rules, used, 0, to) for to in sets], time)
    progress(len(ways), len(ways) + 1)
    loaded = _loaded()
    nodes = sum(nodes_below(where, to) for to in sets) / len(sets)
    tables = (
        _claims(golden, sampled, found, nodes),
        _receivers_table(sampled),
        _alone_table(found),
        _loaded_table(loaded),
    )
    return Section(TITLE, _text(found, loaded), tables, (_picture(found),))


def _text(found: dict[str, Alone], loaded: dict[str, list[MulticastResult]]) -> str:
    sm, whole = found["SM"], found[f"REMAKE, {SHOWN} cycles a map"]
    late = [way for way, points in loaded.items() if points[-1].saturated]
    behind = f"the sources fall behind under {', '.join(late)}, and under no other" if late else "all keep up"
    low = mean(loaded[f"REMAKE, {SHOWN} cycles a map"][0], "multicast") / mean(loaded["SM"][0], "multicast")
    return f"""At every router where a rank's multicast starts the packet leaves the network for the processor (MBP),
which makes the map of its own subtree and sends the packet on; the source has made the first map itself. The paper
gives neither the time of a map nor how a processor knows the destinations below it; section 3.1 has maps kept at the
nodes. Only destinations receive, with one map of 8 bits in the header where the others carry one for each rank.

Alone, {DESTINATIONS} destinations at sigma {SPREAD:g} on {ALONE} cost SM {sm.receivers - DESTINATIONS:.1f} unnecessary
receivers and REMAKE none, and REMAKE takes {whole.last / sm.last:.1f} times as long with {SHOWN} cycles a map:
{whole.handed:.1f} packets are made anew for a multicast, one after another on each way down. REMAKE for the upper ranks
only lies between: those processors know their subtrees, and single maps go on from there.

Under load (runs of {CYCLES:,} cycles on {CLUSTERS}, {DESTINATIONS} destinations at sigma 1) the packets that are saved
count. At {LOADS[0]:g} multicasts per router and 1000 cycles REMAKE with {SHOWN} cycles a map takes {low:.1f} times as
long as SM; at {LOADS[-1]:g} {behind}."""
