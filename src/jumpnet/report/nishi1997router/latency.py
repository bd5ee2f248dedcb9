"""Section 4.2.3: the clocks of a hop, part by part, measured on the model of the chip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from jumpnet.chip.configuration import USER_VC, wire
from jumpnet.chip.links import SOUTH
from jumpnet.chip.messages import message
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.walk import everywhere, reachable
from jumpnet.papers import claim
from jumpnet.papers import golden as printed_of
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router._measure import SPEC, stages

TITLE = "Section 4.2.3: five to seven clocks a hop"
ORDER = 40

KINDS = {"one": "flit 1 decides", "two": "flits 1 and 2 decide", "three": "flits 1 to 3 decide (acknowledge)"}
MAPS = {"one": "map_clocks", "two": "map_clocks_second", "three": "map_clocks_third"}
LATER = {
    "least_latency_clocks": "least latency in clocks: text, and the later paper",
    "most_latency_clocks": "largest latency in clocks: text, and the later paper",
}
LATENCY = {"one": "least_latency_clocks", "three": "most_latency_clocks"}


def _gap(channels: tuple[int, int]) -> int:
    """Most idle clocks between eight packets of two inputs for one southern link, on these virtual channels.

    The chips are in user selection mode: the northern neighbor's packets go on by the first channel, the own ones by
    the second.
    """
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    north, here, south = (where.moved(0, 0, y) for y in (2, 3, 4))
    for chip in net.chips[0]:
        chip.registers = chip.registers.copy()
        chip.registers[USER_VC] = 1
    for source, vc in zip((north, here), channels, strict=True):
        for _ in range(4):
            packet = replace(message(where, source, south, body=(0,) * 9), vc=vc)
            net.mbps[source].send(packet.flits())
    line, end, clocks = net.chips[0][here].lines[SOUTH], net.chips[0][here].ends[SOUTH], list[int]()
    assert line is not None
    while not net.idle:
        net.step()
        clocks += [net.clock - 1] if line.wire[end].now[0] == net.clock - 1 else []
    return max(b - a - 1 for a, b in pairwise(clocks))


def _order() -> list[int]:
    """The senders of the packets that an MBP gets, in turn, where all links of its chip send to it."""
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    to = next(r for r in range(net.wiring.chips) if net.wiring.registers[r, 0] == 1)
    near = [int(r) for r in net.wiring.peer[to] if r >= 0]
    for r in [*near, to]:
        for k in range(6):
            net.mbps[r].send(message(where, r, to, body=(r, k)).flits())
    net.run_until(lambda: net.idle)
    return [d.flits[3] for d in net.mbps[to].deliveries]


def _turns(order: Sequence[int]) -> Said:
    """Whether no sender waits for two packets of another one."""
    places = {r: [i for i, source in enumerate(order) if source == r] for r in set(order)}
    waits = max(b - a - 1 for mine in places.values() for a, b in pairwise(mine))
    detail = f"{len(places)} senders with six packets each for one MBP: at most {waits} of others before one's turn"
    return Said("served in turn" if waits < len(places) else "not in turn", detail)


def _most_flits() -> int:
    """Header flits that a chip waits for before it serves a multicast, at most, of all to whole territories."""
    wiring = wire(SPEC)
    return max(visit.decision.flits for visit in reachable(wiring, everywhere(wiring)).values())


def section(golden: Golden, progress: Progress) -> Section:
    """Follow the first flit of three packets through one chip each."""
    found = stages()
    columns = ("map", "check", "arbitration", "crossbar", "line", "sum")
    rows: Rows = []
    for kind, label in KINDS.items():
        s = found[kind]
        total = claimed(golden, LATENCY[kind], s.total, stated=True) if kind in LATENCY else Cell(None, s.total)
        row: list[Cell | None] = [claimed(golden, MAPS[kind], s.map, stated=True)]
        row += [
            claimed(golden, f"{name}_clocks", getattr(s, name), stated=True)
            for name in ("check", "arbitration", "crossbar", "line")
        ]
        rows.append((label, [*row, total]))
    clocks = Table("Clocks of a hop, unloaded", f"nishi1997router, section 4.2.3; {SPEC}", columns, rows, WRITTEN)
    both, one = _gap((1, 0)), _gap((0, 0))
    together = all(s.together for s in found.values())
    six = claim(printed_of("yang2001rdt"), "chip_clocks")
    order = sentences(
        golden,
        "Arbitration",
        f"nishi1997router, section 4.2.3; {SPEC}",
        [
            ("arbitrated_together", Said("same clock" if together else "another clock", "the three packets above")),
            (
                "arbitration_overlaps",
                Said(
                    both,
                    "most, of eight packets, two inputs, one southern link",
                    label="idle clocks of an output between packets on different channels",
                ),
            ),
            (
                "arbitration_overlaps",
                Said(
                    one,
                    "most, of eight packets, two inputs, one southern link",
                    label="idle clocks of an output between packets on one channel",
                ),
            ),
            *(
                (name, Said(six, "yang2001rdt, section V.D, without conflict", stated=True, label=label))
                for name, label in LATER.items()
            ),
            ("round_robin", _turns(_order())),
        ],
    )
    return Section(TITLE, TEXT.format(most=_most_flits(), spec=SPEC), (clocks, order))


WRITTEN = "Measured on chips that were written with these stages: their agreement shows nothing."
TEXT = """The stages and their sums are those of the paper; how many header flits a map needs follows from what
the chip has to decide. Of all multicasts to whole territories on {spec}, none is decided by more than {most} flits: the
second is needed where rank 1 ends and rank 0 starts. Acknowledges, whose route is in flits 1 and 3, take seven clocks.
The six clocks that yang2001rdt gives lie between."""
