"""What acknowledge combining is worth: multicasts with acknowledges on 256 chips, by entries of the combining unit."""

from __future__ import annotations

import random

import numpy as np

from jumpnet.chip.configuration import wire
from jumpnet.chip.fast import FastNetwork, Sending
from jumpnet.chip.messages import multicast_packet
from jumpnet.chip.settings import Settings
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim

TITLE = "Section 4.3: acknowledges combined by the chip and by the MBPs"
ORDER = 30

ENTRIES = (4, 2, 1, 0)
MBP_CLOCKS = (1, 100)
"""Clocks an MBP takes from a packet to its acknowledge."""


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


def section(golden: Golden, progress: Progress) -> Section:
    """Mean clocks from creation to the last acknowledge, the same load each time."""
    side = int(int(claim(golden, "prototype_clusters")) ** 0.5)
    load = _load(side, 1000, 4000)
    created = {sending.flits[3] >> 2 & 0xFFFF: sending.clock for sending in load}
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, entries in enumerate(ENTRIES):
        progress(done, len(ENTRIES))
        cells: list[Cell | None] = []
        for delay in MBP_CLOCKS:
            net = FastNetwork(f"rdt:{side}", load, Settings(entries=entries), ack_delay=delay)
            net.run(12_000)
            answered = net.completed()
            mean = float(np.mean([a.clock - created[a.key] for a in answered]))
            cells += [Cell(None, mean), Cell(None, len(answered))]
        rows.append((f"entries: {entries}", cells))
    columns = [f"{what}, MBP takes {d}" for d in MBP_CLOCKS for what in ("clocks to the last acknowledge", "answered")]
    return Section(TITLE, TEXT, (Table("Mean latency until all have answered", "computed here", columns, rows),))


TEXT = """1,000 multicasts under SM to four routers of a rank-1 territory, within 4,000 clocks on the prototype's 256
chips, by the compiled model. Without entries every router of a tree hands the combining to its MBP."""
