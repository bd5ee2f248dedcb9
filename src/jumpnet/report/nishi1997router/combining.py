"""Section 4.3: acknowledges combined on the way back: how many come, by which channels, by whom they are combined."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.settings import Settings
from jumpnet.report._congestion import GROUPS, NOTE, compared, group_label
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router._measure import SPEC, Passage, channels, passages

TITLE = "Section 4.3: acknowledges combined by the chip and by the MBPs"
ORDER = 70

ENTRIES = (4, 2, 1, 0)
MBP_CLOCKS = (1, 100)
"""Clocks an MBP takes from a packet to its acknowledge."""
TRIALS = 12
LIMIT = 5000
"""Clocks within which all multicasts should be answered."""
SIDE = 16
"""Of the network whose latency is measured: as many chips as the prototype was to have."""


def _load(side: int, packets: int, clocks: int) -> list[Sending]:
    """Multicasts to four of the nearest sixty-four routers, created at random."""
    where, rng = wire(f"rdt:{side}").where, random.Random(1)
    made = []
    for number in range(1, packets + 1):
        source, clock = rng.randrange(where.routers), rng.randrange(clocks)
        to = rng.sample(where.members(source, 1).tolist(), 4)
        packet = multicast_packet(where, "SM", source, to, key=number, body=(0,) * 8)
        made.append(Sending(source, clock, packet.flits()))
    return sorted(made, key=lambda sending: (sending.router, sending.clock))


def _entries(progress: Progress) -> Table:
    """Mean clocks from creation to the last acknowledge, the same load each time."""
    load = _load(SIDE, 1000, 4000)
    created = {sending.flits[3] >> 2 & 0xFFFF: sending.clock for sending in load}
    rows: Rows = []
    for done, entries in enumerate(ENTRIES):
        progress(done, len(ENTRIES))
        cells: list[Cell | None] = []
        for delay in MBP_CLOCKS:
            net = FastNetwork(f"rdt:{SIDE}", load, Settings(entries=entries), ack_delay=delay)
            net.run(12_000)
            answered = net.completed()
            mean = float(np.mean([a.clock - created[a.key] for a in answered]))
            cells += [Cell(None, mean), Cell(None, len(answered))]
        rows.append((f"entries: {entries}", cells))
    columns = [f"{what}, MBP takes {d}" for d in MBP_CLOCKS for what in ("clocks to the last acknowledge", "answered")]
    return Table(
        "Mean latency until all have answered, by entries of the combining unit",
        "computed here",
        columns,
        rows,
        WITHOUT,
    )


def _multicast(source: int, seed: int) -> tuple[ChipNetwork, list[Passage]]:
    """One acknowledged multicast in a territory of rank 1, to its end; what passed the lines."""
    net = ChipNetwork(SPEC)
    where, rng = net.wiring.where, random.Random(seed)
    to = rng.sample(where.members(source, 1).tolist(), 12)
    net.mbps[source].send(multicast_packet(where, "SM", source, to, key=9, body=(1,)).flits())
    return net, passages(net, 250)


def _routes() -> tuple[int, int, int, int]:
    """Over several multicasts: channels (router, link, virtual channel) of the multicasts; of their acknowledges; of
    both; and acknowledges that did not go back over the line of a copy."""
    multicast = acks = both = elsewhere = 0
    for trial in range(TRIALS):
        net, found = _multicast(trial * 5 % 64, trial)
        assert net.mbps[trial * 5 % 64].completed
        there, back = channels(found)
        multicast, acks, both = multicast + len(there), acks + len(back), both + len(there & back)
        peers = {(int(net.wiring.peer[r, link]), int(net.wiring.peer_link[r, link])) for r, link, _ in there}
        elsewhere += sum((r, link) not in peers for r, link, _ in back)
    return multicast, acks, both, elsewhere


def _counts() -> tuple[int, int, int]:
    """Acknowledges that come to the source's MBP for one multicast; its destinations; wrong counts in the chips.

    A count is wrong when it is not the number of copies that the bit-map generator of that chip sends out.
    """
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    to = where.members(0, 1).tolist()
    net.mbps[0].send(multicast_packet(where, "SM", 0, to, key=9).flits())
    wrong, seen = 0, set()
    while net.mbps[0].own_keys:
        net.step()
        for r, chip in enumerate(net.chips[0]):
            for entry in chip.unit.entries:
                if entry is None or entry.key != 9 or (r, entry.link) in seen:
                    continue
                seen.add((r, entry.link))
                made = [b for b in chip.buffers[entry.link] if b.decision is not None]
                wrong += all(entry.count != b.decision.outputs.bit_count() for b in made if b.decision)
    return len(net.mbps[0].completed), len(to), wrong


def _busiest(combined: bool) -> int:
    """Most acknowledges, or messages in place of them, on one line into router 0 from 64 routers of its territory."""
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    to = where.members(0, 1).tolist()
    if combined:
        net.mbps[0].send(multicast_packet(where, "SM", 0, to, key=9).flits())
    else:
        for router in to:
            net.mbps[router].send(message(where, router, 0).flits())
    found = passages(net, 1500)
    assert net.idle
    into = {(int(r), int(link)) for r, link in zip(net.wiring.peer[0], net.wiring.peer_link[0], strict=True) if r >= 0}
    counts = [sum((p.router, p.link) == place for p in found if p.ack or not combined) for place in into]
    return max(counts)


def _by_mbps() -> Said:
    """Where acknowledges are combined when the chips have no entry: how often by MBPs, and multicasts not answered."""
    where = wire(SPEC).where
    net = ChipNetwork(SPEC, Settings(entries=0))
    for source in range(0, 64, 7):
        to = where.members(source, 0).tolist()
        net.mbps[source].send(multicast_packet(where, "SM", source, to, key=source + 1).flits())
    most = set()
    while any(mbp.own_keys for mbp in net.mbps) and net.clock < LIMIT:
        net.step()
        most |= {(r, entry.key) for r, mbp in enumerate(net.mbps) for entry in mbp.software}
    unanswered = sum(len(mbp.own_keys) for mbp in net.mbps)
    detail = f"chips without entries: {len(most)} times, {unanswered} multicasts not answered"
    return Said("MBP" if most and not unanswered else "nowhere", detail)


def _drawn(figure: Any) -> None:
    """A multicast and its acknowledges, line by line."""
    net, found = _multicast(27, 3)
    side = net.wiring.where.side
    axes = figure.subplots()
    for p in sorted(found, key=lambda p: p.ack):
        a, b = p.router, int(net.wiring.peer[p.router, p.link])
        (x, y), (u, v) = (a % side, a // side), (b % side, b // side)
        if max(abs(x - u), abs(y - v)) > side // 2:
            continue  # over the edge
        aside = 0.12 if p.ack else -0.12
        style = {"arrowstyle": "->", "color": "#d62728" if p.ack else "#1f77b4", "shrinkA": 4, "shrinkB": 4}
        axes.annotate("", (u + aside, v + aside), (x + aside, y + aside), arrowprops=style)
    for router, mbp in enumerate(net.mbps):
        colour = "black" if mbp.completed else "#888888" if mbp.deliveries else "#dddddd"
        axes.scatter([router % side], [router // side], s=25, color=colour, zorder=3)
    axes.invert_yaxis()
    axes.set_aspect("equal")


def _traffic(golden: Golden) -> Table:
    """Links that combined acknowledges cross, against one from each receiver of the same multicasts."""
    rows: Rows = []
    for rank, count in GROUPS:
        singly, together = (loads.crossings for loads in compared(rank, count)[1])
        answer = claimed(golden, "combining_reduces", "reduced" if together < singly else "not reduced")
        cells: list[Cell | None] = [Cell(None, v, claim="combining_reduces") for v in (singly, together)]
        rows.append((group_label(rank, count), [answer, *cells]))
    columns = ("network traffic", "links crossed, one by one", "links crossed, combined")
    return Table("Traffic of acknowledges", "nishi1997router, section 3.1", columns, rows, NOTE)


def section(golden: Golden, progress: Progress) -> Section:
    """Follow acknowledges on the plain model; measure on the compiled one."""
    here, asked, wrong = _counts()
    multicast, acks, both, elsewhere = _routes()
    one_by_one, combined = _busiest(False), _busiest(True)
    route = (
        f"{multicast} channels carried {TRIALS} multicasts, {acks} their acknowledges, {both} both; "
        f"{acks - elsewhere} of the {acks} are the other direction of a line that the multicast took"
    )
    words = sentences(
        golden,
        "Acknowledges",
        f"nishi1997router, section 4.3; {SPEC}",
        {
            "acknowledges_combined": Said(here, f"{asked} destinations"),
            "immediate_destinations": Said(
                "equal" if wrong == 0 else f"{wrong} differ", "the same multicast, all its chips"
            ),
            "root_congested": Said(
                "above" if one_by_one > combined else "not above",
                f"{one_by_one} against {combined} packets, from 64 routers",
            ),
            "different_route": Said("different" if both == 0 else f"{both} channels shared", route),
            "combined_at_mbp": _by_mbps(),
        },
    )
    figure = Figure(
        "chip-figure-14",
        "A multicast (blue) and its acknowledges (red)",
        "nishi1997router, Figure 14",
        _drawn,
        claim="figure_14",
        note="Black: the source. The figure is lost in our copy; this is a run of the model.",
    )
    return Section(TITLE, TEXT, (words, _entries(progress), _traffic(golden)), (figure,))


WITHOUT = """Without entries every router of a tree hands the combining to its MBP. 1,000 multicasts under SM to four
routers of a rank-1 territory, within 4,000 clocks, by the compiled model."""
TEXT = """The text says that acknowledges take another route than the multicast, so that there is no deadlock; the
figure that shows it is lost in our copy. In the model they go back over the lines by which the copies came, the other
way and on the second virtual channel. Compared channel by channel that is nearly, but not always, another route. What
the sentence wants holds all the same: an acknowledge is taken up at the next chip, by the combining unit or the MBP,
so that no buffer waits because of one."""
