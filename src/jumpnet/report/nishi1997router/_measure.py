"""Runs of the plain model of the chip that several sections look at: where a flit is, clock by clock. Computes nothing
that is printed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from jumpnet.chip.configuration import RANK
from jumpnet.chip.links import EAST, FLIT, LAST, MBP0, MBP1, SOUTH, UPPER, WEST
from jumpnet.chip.messages import message
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import ACK, Ack, Packet
from jumpnet.chip.settings import Settings

__all__ = ["SPEC", "Passage", "Stages", "blocked", "channels", "passages", "stages"]

SPEC = "rdt:8"
STAGES = ("map", "check", "arbitration", "crossbar", "line")


@dataclass(frozen=True)
class Stages:
    """Clocks that the first flit of a packet spends in each part of one chip."""

    map: int
    check: int
    arbitration: int
    crossbar: int
    line: int
    together: bool
    """Whether the crossbar's output and its line were given away in the same clock."""

    @property
    def total(self) -> int:
        """Clocks from the input buffer of this chip to that of the next."""
        return self.map + self.check + self.arbitration + self.crossbar + self.line


def _watch(net: ChipNetwork, chip: int, link: int, vc: int, output: int) -> Stages:
    """Step until the packet that comes to a chip by a link has reached the next chip by an output."""
    here, line = net.chips[0][chip], net.chips[0][chip].lines[output]
    assert line is not None
    buffer, end = here.buffers[link][vc], here.ends[output]
    to = net.chips[0][int(net.wiring.peer[chip, output])]
    there = [b for pair in to.buffers for b in pair]
    seen: dict[str, int] = {}
    driven = -1
    while "line" not in seen:
        now = net.clock
        net.step()
        marks = {
            "in": buffer.count > 0,
            "map": buffer.decision is not None,
            "check": here.requests[link] is not None,
            "arbitration": here.crossbar.owner[output] == link,
            "crossbar": line.wire[end].now[0] == now,
            "line": "crossbar" in seen and any(b.count for b in there),
        }
        if driven < 0 and line.driving[end]:
            driven = now
        for name, reached in marks.items():
            if reached:
                seen.setdefault(name, now)
    order = ("in", *STAGES)
    clocks = {b: seen[b] - seen[a] for a, b in pairwise(order)}
    together = driven == seen["arbitration"]
    return Stages(clocks["map"], clocks["check"], clocks["arbitration"], clocks["crossbar"], clocks["line"], together)


def stages() -> dict[str, Stages]:
    """Unloaded passages of one chip, by the last header flit that the map needs: one, two, three (an acknowledge)."""
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    start, south, two_south = (where.moved(0, 0, y) for y in (2, 3, 4))  # apart from the wrap-around
    net.mbps[start].send(message(where, start, two_south).flits())
    by = int(net.wiring.peer_link[start, SOUTH])
    found = {"one": _watch(net, south, by, 0, int(_output(net, south, two_south)))}
    net = ChipNetwork(SPEC)
    centre = next(r for r in range(net.wiring.chips) if net.wiring.registers[r, RANK] == 1)
    east = int(net.wiring.peer[centre, UPPER + EAST])
    net.mbps[centre].send(Packet(1, (0b10, 0b10, 0, 0)).flits())
    by = int(net.wiring.peer_link[centre, UPPER + EAST])
    found["two"] = _watch(net, east, by, 0, EAST)
    net = ChipNetwork(SPEC)
    net.mbps[centre].send(Ack(1, EAST, vc=0).flits(), 0, MBP1)
    found["three"] = _watch(net, centre, MBP1, 0, EAST)
    return found


def _output(net: ChipNetwork, router: int, to: int) -> int:
    """The link of the base torus from a router to its neighbor."""
    return next(link for link in (EAST, WEST, SOUTH, 0) if net.wiring.peer[router, link] == to)


@dataclass(frozen=True)
class Passage:
    """The first flit of a packet on a line between two chips."""

    clock: int
    router: int
    link: int
    vc: int
    ack: bool
    flits: int
    """Flits of the packet, once it has passed."""


def passages(net: ChipNetwork, clocks: int) -> list[Passage]:
    """Every packet on every line between chips, over so many clocks."""
    found: list[Passage] = []
    open_: dict[tuple[int, int], tuple[int, int, int]] = {}
    places = [
        (r, link, line.wire[chip.ends[link]])
        for r, chip in enumerate(net.chips[0])
        for link, line in enumerate(chip.lines[:MBP0])
        if line is not None and net.wiring.peer[r, link] >= 0
    ]
    for _ in range(clocks):
        net.step()
        for r, link, wire in places:
            driven, flit, strobe = wire.now
            if driven != net.clock - 1 or strobe not in (FLIT, LAST):
                continue
            first, clock, count = open_.get((r, link), (flit, driven, 0))
            open_[r, link] = first, clock, count + 1
            if strobe == LAST:
                status, vc = first >> 12 & 7, first >> 17 & 1
                found.append(Passage(clock, r, link, vc, status == ACK, count + 1))
                del open_[r, link]
    return found


def channels(found: list[Passage]) -> tuple[set[tuple[int, int, int]], set[tuple[int, int, int]]]:
    """Channels (router, link, virtual channel) that multicasts took, and those that acknowledges took."""
    made: tuple[set[tuple[int, int, int]], ...] = (set(), set())
    for p in found:
        made[p.ack].add((p.router, p.link, p.vc))
    return made[0], made[1]


def blocked(flits: int, children: int) -> ChipNetwork:
    """A longest packet for so many bits of a map at router 0, whose eastern neighbor is not ready."""
    net = ChipNetwork(SPEC, Settings())
    line = net.lines_of(0, EAST)[0]
    line.stuck_ready[1 - net.chips[0][0].ends[EAST]] = True
    net.chips[0][net.wiring.where.moved(0, 1, 0)].asleep = False
    net.mbps[0].send(Packet(0, (children, 0, 0, 0), body=(0x155,) * (flits - 4)).flits())
    return net
