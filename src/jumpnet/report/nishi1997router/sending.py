"""Section 4.2.1: copies go to the outputs that are ready, against waiting for all; order, and schemes mixed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import USER_VC, wire
from jumpnet.chip.links import DIRECTIONS, EAST, MBP0
from jumpnet.chip.load import Load, drawn, run_load
from jumpnet.chip.messages import multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import LONGEST, Packet
from jumpnet.chip.settings import Settings
from jumpnet.multicast import scheme
from jumpnet.multicast.tree import multicast_tree
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router._measure import SPEC, blocked
from jumpnet.sim.measure.statistics import half_width
from jumpnet.terms import F64

TITLE = "Section 4.2.1: multicasts that do not wait for all outputs"
ORDER = 60

LARGE = "rdt:16"
LOADS = ((0.005, 8), (0.02, 2), (0.02, 4), (0.02, 8), (0.02, 16), (0.02, 32), (0.02, 64))
"""(copies for destinations that a router creates in a clock, destinations of a multicast)."""
CLOCKS = 2000
SEEDS = range(1, 7)
"""Each seed draws other packets; both ways of sending get the same ones."""
NEVER = 5_000_000
"""Clocks of the watchdog: no packet is flushed in the runs of this section."""
ALL = 0xFF
WAYS = {
    "at once to those that are ready": Settings(full_duplex=True, watchdog_clocks=NEVER),
    "waiting for all": Settings(full_duplex=True, wait_for_all=True, watchdog_clocks=NEVER),
}


def _blocked() -> tuple[int, int, int, list[str]]:
    """A longest multicast to eight children, one neighbor not ready: clock in which its last flit comes in, in which
    the first copy leaves for another chip, deliveries while it is blocked, and the outputs that its map still has."""
    net = blocked(LONGEST, ALL)
    chip = net.chips[0][0]
    buffer, leaves, whole = chip.buffers[MBP0][0], -1, -1
    for _ in range(120):
        net.step()
        driven = [line.wire[end].now[0] for line, end in zip(chip.lines[:MBP0], chip.ends, strict=False) if line]
        leaves = net.clock - 1 if leaves < 0 and net.clock - 1 in driven else leaves
        whole = net.clock - 1 if whole < 0 and buffer.complete else whole
    left = [DIRECTIONS[k] for k in range(4) if buffer.remaining >> k & 1]
    return whole, leaves, sum(len(mbp.deliveries) for mbp in net.mbps), left


def forwarded_early() -> bool:
    """Whether the first flit of a packet leaves before its last has come in."""
    whole, leaves, _, _ = _blocked()
    return 0 <= leaves < whole


def _inserted() -> bool:
    """Whether the second of two longest packets to all children begins to come in before the first is through."""
    net = ChipNetwork(SPEC)
    for _ in range(2):
        net.mbps[0].send(Packet(0, (ALL & ~(1 << 4), 0, 0, 0), body=(1,) * 12).flits())
    buffer = net.chips[0][0].buffers[MBP0][0]
    while not net.idle:
        net.step()
        if buffer.arriving and buffer.sending:
            return True
    return False


def mixed() -> tuple[int, int]:
    """Packets of three schemes at once: how many there were, and how many reached others than their scheme says."""
    wiring, rng = wire(LARGE), random.Random(1)
    where, wanted, packets = wiring.where, dict[int, Counter[int]](), list[Sending]()
    for number in range(300):
        source, name = rng.randrange(where.routers), ("SM", "LPRA", "LARP")[number % 3]
        to = rng.sample(where.members(source, 1).tolist(), 3)
        wanted[number] = Counter(multicast_tree(where, scheme(name), source, to).receivers)
        packet = multicast_packet(where, name, source, to, body=(number,))
        packets.append(Sending(source, rng.randrange(1500), packet.flits()))
    net = FastNetwork(wiring, sorted(packets, key=lambda p: (p.router, p.clock)))
    net.run(8000)
    got: dict[int, Counter[int]] = {number: Counter() for number in wanted}
    for arrival in net.arrivals():
        got[arrival.flits[3]][arrival.router] += 1
    return len(wanted), sum(got[number] != to for number, to in wanted.items())


class Order(NamedTuple):
    """How the sources of a run use the two virtual channels."""

    channels: tuple[int, ...]
    """Those that a source's packets take in turn."""
    chosen: bool
    """User selection mode, in which a packet stays on its channel; else the chips select it."""


ORDERS = {
    "sources using one virtual channel": Order((0,), False),
    "sources using both in turn": Order((0, 1), False),
    "user selection mode, sources using both in turn": Order((0, 1), True),
}


EACH, WITHIN = 6, 600
"""Multicasts of each router in the run whose order is looked at, and the clocks in which they are created."""


@cache
def overtaken(order: Order) -> tuple[int, int]:
    """Packets of a loaded run with few partners: how many arrived, and after a later one of their multicast."""
    wiring, rng = wire(LARGE), random.Random(2)
    if order.chosen:
        registers = wiring.registers.copy()
        registers[:, USER_VC] = 1
        wiring = replace(wiring, registers=registers)
    where, packets, flow = wiring.where, list[Sending](), dict[int, int]()
    for router in range(where.routers):
        group = rng.sample(where.members(router, where.top).tolist(), 3)
        for turn, clock in enumerate(sorted(rng.randrange(WITHIN) for _ in range(EACH))):
            number = len(packets)
            flow[number] = router
            packet = multicast_packet(where, "SM", router, group, body=(number,) * 6)
            channel = order.channels[turn % len(order.channels)]
            packets.append(Sending(router, clock, replace(packet, vc=channel).flits()))
    net = FastNetwork(wiring, packets)
    net.run(20_000)
    last: dict[tuple[int, int], int] = {}
    late = 0
    arrivals = net.arrivals()
    for arrival in arrivals:
        number = arrival.flits[3]
        place = arrival.router, flow[number]
        late += last.get(place, -1) > number
        last[place] = max(last.get(place, -1), number)
    return len(arrivals), late


def overtaken_said() -> Iterator[tuple[str, int, str]]:
    """Each way to use the channels: how packets go, those that overtake, and of how many."""
    for label, order in ORDERS.items():
        arrived, late = overtaken(order)
        yield label, late, f"of {arrived} arrivals, {EACH} multicasts of each router of {LARGE} within {WITHIN} clocks"


@cache
def both_ways(copies: float, destinations: int) -> tuple[F64, F64]:
    """(SEEDS, 2) mean clocks to the last destination, and clocks until all have arrived, by seed and way of sending."""
    wiring, rate, found = wire(LARGE), copies / destinations, []
    for seed in SEEDS:
        load = Load(rate=rate, clocks=CLOCKS, destinations=destinations, rank=1, acknowledged=False, seed=seed)
        same = drawn(wiring, load)
        found.append([(f.latency, f.end_clock) for f in (run_load(wiring, load, way, same) for way in WAYS.values())])
    every = np.array(found, np.float64)
    return every[:, :, 0], every[:, :, 1]


def band(clocks: F64) -> tuple[float, float]:
    """Ends of the 95% interval of how much longer waiting takes, as a share: the mean over seeds of the same packets.

    >>> [round(end, 3) for end in band(np.array([[100.0, 110], [100, 130], [200, 240]]))]
    [-0.048, 0.448]
    """
    more = clocks[:, 1] / clocks[:, 0] - 1
    half = half_width(more)
    return float(more.mean()) - half, float(more.mean()) + half


def _compared(low: float, high: float) -> str:
    """Whether waiting takes longer, as far as the interval tells."""
    return "above" if low > 0 else "not above" if high < 0 else "not certain"


def _trend(few: tuple[float, float], many: tuple[float, float]) -> str:
    """How the cost of waiting changes from few destinations to many, as far as the intervals tell."""
    return "grows" if many[0] > few[1] else "falls" if many[1] < few[0] else "not certain"


def _grown() -> Said:
    """The cost of waiting for the fewest and for the most destinations of a load."""
    copies, ends = max(LOADS)[0], [to for load, to in LOADS if load == max(LOADS)[0]]
    few, many = (band(both_ways(copies, to)[1]) for to in (min(ends), max(ends)))
    detail = f"95% intervals: {few[0]:+.1%} to {few[1]:+.1%}, {many[0]:+.1%} to {many[1]:+.1%}"
    label = f"cost of waiting, from {min(ends)} to {max(ends)} destinations at {copies} copies a router and clock"
    return Said(_trend(few, many), detail, label=label)


def _waiting(golden: Golden, progress: Progress) -> Table:
    """The same multicasts sent both ways."""
    rows: Rows = []
    for done, (copies, destinations) in enumerate(LOADS):
        progress(done, len(LOADS) + 1)
        latency, end = both_ways(copies, destinations)
        low, high = band(end)
        cells: list[Cell | None] = [Cell(None, float(mean)) for each in (latency, end) for mean in each.mean(axis=0)]
        detail = f"{len(SEEDS)} seeds, 95% interval of what waiting takes more: {low:+.1%} to {high:+.1%}"
        cells.append(Cell(None, round(50 * (low + high), 1)))
        cells.append(claimed(golden, "waiting_costs", _compared(low, high), detail=detail))
        rows.append((f"{copies} copies a router and clock, {destinations} destinations each", cells))
    columns = [f"mean clocks to the last destination, {way}" for way in WAYS]
    columns += [f"clocks until all have arrived, {way}" for way in WAYS] + [MORE, "waiting"]
    source = f"nishi1997router, section 4.2.1; {LARGE}, destinations near the source (rank 1)"
    return Table("What waiting for all outputs costs", source, columns, rows, NOTE)


def section(golden: Golden, progress: Progress) -> Section:
    """Block a neighbor; offer the same load to chips that send at once and to chips that wait."""
    whole, leaves, served, left = _blocked()
    packets, wrong = mixed()
    table = _waiting(golden, progress)
    words = sentences(
        golden,
        "One multicast, and many",
        f"nishi1997router, sections 4.2.1 to 4.2.3; {SPEC}, {LARGE}",
        [
            (
                "forwarded",
                Said(
                    "before its end" if leaves < whole else "after its end",
                    f"first flit leaves in clock {leaves}, the last comes in in clock {whole}",
                ),
            ),
            (
                "ready_first",
                Said(
                    "at once" if leaves < whole and served else "later",
                    f"{served} of 8 children served while the eastern neighbor is not ready",
                ),
            ),
            (
                "bits_reset",
                Said("the blocked one" if left == [DIRECTIONS[EAST]] else " ".join(left), f"left: {' '.join(left)}"),
            ),
            ("waiting_grows", _grown()),
            ("next_inserted", Said("during" if _inserted() else "after")),
            (
                "mixture",
                Said(
                    "allowed" if wrong == 0 else "not allowed",
                    f"{packets} packets of three schemes, {wrong} went wrong",
                ),
            ),
            *(
                ("fifo", Said(late, detail, label=f"packets that overtake, {label}"))
                for label, late, detail in overtaken_said()
            ),
        ],
    )
    return Section(TITLE, f"{TEXT}\n\n{_found(table)}", (words, table))


def _found(table: Table) -> str:
    """What the loads show, in a sentence."""
    more = [float(table.at(row, MORE).computed) for row, _ in table.rows]
    longer = [row for row, _ in table.rows if table.at(row, "waiting").text == "above"]
    sooner = sum(float(c[1].computed) < float(c[0].computed) for _, c in table.rows if c[0] and c[1])
    return (
        f"In these loads waiting changes the time until all have arrived by {min(more):+.1f} to {max(more):+.1f} % on "
        f"average; the seeds show it to take longer in {len(longer)} of {len(table.rows)}: {'; '.join(longer)}. The "
        f"mean time to the last destination is shorter with it in {sooner}."
    )


MORE = "waiting takes more, % of the clocks until all have arrived"
NOTE = f"""Multicasts under SM, created in {CLOCKS} clocks, the mean of {len(SEEDS)} seeds; two buses a link, since
ends of shared lines that wait for several outputs could wait for each other. The copies that reach no destination are
part of the load. The intervals are of the share that waiting takes more until all have arrived, seed by seed with the
same packets; `not certain`: the interval has both signs."""
TEXT = """A multicast leaves for the outputs that are ready while it still comes in, and keeps a bit for each that is
not. The alternative that the paper rejects, to wait until all can take it, is a setting of the model
(`wait_for_all`): each pass through the crossbar then starts with all its outputs or not at all.

Packets of one multicast keep their order where their source sends on one virtual channel. A source that uses both in
turn has two of them in different buffers of its router, either of which may go first. In user selection mode they stay
on different channels all the way; not all packets of this load arrive in that mode."""
