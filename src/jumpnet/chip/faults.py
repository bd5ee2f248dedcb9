"""The fault campaign: flip every bit, make a packet stick, let slices disagree, shoot down under load; count what
happens.

Source: nishi1997router sections 4.4 and 4.5, which claim that all of this is caught; the paper prints no numbers.
Runs on the plain model. Called by `jumpnet chip faults`, the report and the tests.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from jumpnet.chip.configuration import Wiring, wire
from jumpnet.chip.links import EAST, IDLE, MBP0
from jumpnet.chip.mbp import Kept
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import FLIT_BITS, HEADER_FLITS, Packet, Tag
from jumpnet.chip.settings import Settings

__all__ = ["Outcome", "campaign", "flips", "shoot_downs", "slice_faults", "stuck_packets"]

SPEC, LARGER = "rdt:4", "rdt:8"
BODY = (0x15555, 0x2AAAA, 0x00001)
SETTLED = 40
"""Clocks after which one packet between neighbors has come to rest, at its destination or in an MBP's memory."""


@dataclass
class Outcome:
    """One row of the campaign's table."""

    fault: str
    caught_by: str
    """What is to notice it."""
    injected: int = 0
    caught: int = 0
    harmless: int = 0
    """Faults that left no trace: the state was overwritten in the same clock, and the packet arrived as it was sent."""
    clocks: list[int] = field(default_factory=list)
    """Clocks from the fault to its being noticed, or those of a shoot-down and set-up."""
    lost: int = 0
    doubled: int = 0
    overtaken: int = 0

    def row(self) -> dict[str, int | str]:
        """As one flat object."""
        return {
            "fault": self.fault,
            "caught_by": self.caught_by,
            "injected": self.injected,
            "caught": self.caught,
            "harmless": self.harmless,
            "clocks_least": min(self.clocks, default=0),
            "clocks_most": max(self.clocks, default=0),
            "lost": self.lost,
            "doubled": self.doubled,
            "overtaken": self.overtaken,
        }


def _sent(wiring: Wiring, body: tuple[int, ...], source: int = 0, destination: int = 1) -> ChipNetwork:
    """A network in which one packet with a compressed address has been queued."""
    net = ChipNetwork(wiring)
    net.mbps[source].send(message(wiring.where, source, destination, body=body, key=0x5A5A).flits())
    return net


def _passing(net: ChipNetwork, router: int, link: int, flits: int) -> list[int]:
    """Clocks in which the flits of the packet leave a router by a link."""
    line, end = net.lines_of(router, link)[0], net.chips[0][router].ends[link]
    clocks: list[int] = []
    while len(clocks) < flits:
        net.step()
        driven, _, strobe = line.wire[end].now
        if driven == net.clock - 1 and strobe != IDLE:
            clocks.append(driven)
    return clocks


def _account(found: Outcome, net: ChipNetwork) -> None:
    """Let the one packet come to rest: a single copy must be at some MBP, delivered or handed over."""
    net.run(SETTLED)
    copies = sum(len(mbp.deliveries) + len(mbp.memory) for mbp in net.mbps)
    found.lost += copies == 0
    found.doubled += copies > 1


def flips(spec: str = SPEC, body: tuple[int, ...] = BODY) -> tuple[Outcome, Outcome]:
    """Flip each bit of each flit of a packet on the line between its two routers: (header, body).

    A flip in the header, the compressed address included, must be found by the router it enters; one in the body or its
    vertical parity by the destination, and by no router.
    """
    wiring = wire(spec)
    total = len(message(wiring.where, 0, 1, body=body, key=1).flits())
    when = _passing(_sent(wiring, body), 0, EAST, total)
    header = Outcome("bit of a header flit flipped on a line", "next router: parity")
    rest = Outcome("bit of a body flit flipped on a line", "destination: vertical parity")
    for k, clock in enumerate(when):
        for bit in range(FLIT_BITS):
            net = _sent(wiring, body)
            net.lines_of(0, EAST)[0].flips[clock] = 1 << bit
            if k <= HEADER_FLITS:
                header.injected += 1
                net.run(clock + 2)
                header.caught += [r for r, _ in net.errors()] == [1]
                header.clocks.append(net.clock - 1 - clock)
                _account(header, net)
            else:
                rest.injected += 1
                net.run_until(lambda net=net: bool(net.mbps[1].deliveries))  # type: ignore[misc]
                damaged = net.mbps[1].deliveries[0].damage.startswith("vertical parity")
                rest.caught += damaged and not net.errors()
                rest.clocks.append(net.clock - 1 - clock)
                _account(rest, net)
    return header, rest


def stuck_packets(spec: str = SPEC, clocks: int = 200, trials: int = 8) -> Outcome:
    """A neighbor whose ready wires are stuck: the timer must hand the packet to the MBP after 1 to 1.25 times its time.

    Then the wires are mended, all is shot down and set up, and the packet must arrive once.
    """
    wiring = wire(spec)
    found = Outcome("ready wires of a neighbor stuck", "watchdog of the buffer")
    for trial in range(trials):
        net = ChipNetwork(wiring, Settings(watchdog_clocks=clocks))
        line = net.lines_of(0, EAST)[0]
        line.stuck_ready[1 - net.chips[0][0].ends[EAST]] = True
        net.chips[0][1].asleep = False
        sent = trial * clocks // trials
        net.mbps[0].send(message(wiring.where, 0, 1, body=(trial,)).flits(), sent)
        net.run_until(lambda net=net: bool(net.errors()))  # type: ignore[misc]
        found.injected += 1
        found.clocks.append(net.clock - sent)
        net.run_until(lambda net=net: bool(net.mbps[0].memory))  # type: ignore[misc]
        found.caught += net.mbps[0].memory[0].tag.map == 1 << EAST
        line.stuck_ready = [False, False]
        net.shoot_down()
        net.set_up()
        net.run_until(lambda net=net: net.idle)  # type: ignore[misc]
        arrived = [d.flits[HEADER_FLITS] for d in net.mbps[1].deliveries]
        found.lost += trial not in arrived
        found.doubled += len(arrived) > 1
    return found


def slice_faults(spec: str = SPEC, trials: int = 20, seed: int = 1) -> Outcome:
    """A bit of the state of one slice flips while packets pass: the comparison of the slices must notice it.

    A bit that is cleared in the same clock, because its output has just been granted, is no fault any more: harmless.
    """
    wiring, rng = wire(spec), random.Random(seed)
    found = Outcome("bit of one slice's buffer state flipped", "comparison of the slices")
    for _ in range(trials):
        net = ChipNetwork(wiring, slices=2)
        flits = message(wiring.where, 0, 1, body=BODY).flits()
        net.mbps[0].send([flit << FLIT_BITS | flit for flit in flits])
        net.run(rng.randrange(6, 12))
        buffer = net.chips[1][0].buffers[MBP0][0]
        buffer.remaining ^= 1 << rng.randrange(MBP0)
        found.injected += 1
        start = net.clock
        while not net.errors() and net.clock < start + 20:
            net.step()
        if net.errors():
            found.caught += any("slices disagree" in text for r, text in net.errors() if r == 0)
            found.clocks.append(net.clock - start)
            _account(found, net)
        else:
            wide = [tuple(flit << FLIT_BITS | flit for flit in flits[HEADER_FLITS:])]
            found.harmless += [d.flits[HEADER_FLITS:] for d in net.mbps[1].deliveries] == wide
    return found


def flows(wiring: Wiring, seed: int, packets: int, clocks: int) -> Iterator[tuple[int, int, Packet]]:
    """(router, clock, packet) of a random load: each router repeats one message and one multicast, numbered in the
    body.

    Packets of a flow have the same route and must not overtake each other.
    """
    rng, where = random.Random(seed), wiring.where
    number = 0
    for router in range(wiring.chips):
        pool = where.members(router, where.top).tolist()
        scheme, group, to = rng.choice(["SM", "LPRA", "LARP"]), rng.sample(pool, 2), rng.choice(pool)
        for clock in sorted(rng.randrange(clocks) for _ in range(packets)):
            number += 1
            body = (number, *(rng.randrange(1 << FLIT_BITS) for _ in range(rng.randrange(9))))
            if rng.random() < 0.5:
                yield router, clock, message(where, router, to, body=body, mbp=0)
            else:
                yield router, clock, multicast_packet(where, scheme, router, group, body=body, mbp=1, key=number)


def shoot_downs(spec: str = SPEC, trials: int = 3, packets: int = 4, clocks: int = 120, seed: int = 1) -> Outcome:
    """Shoot down at a random clock under load, save what the MBPs hold as text, forget it, read it back, set up, go on.

    Compared with the same load left alone: packets lost or doubled at any destination, overtaken within a flow, or with
    other contents; multicasts that are not answered count as lost.
    """
    wiring, rng = wire(spec), random.Random(seed)
    found = Outcome("shoot-down and set-up under load", "MBPs that keep what was in the buffers")
    for trial in range(trials):
        sent = list(flows(wiring, seed + trial, packets, clocks))
        plain, shot = (_delivered(wiring, sent, at) for at in (None, rng.randrange(10, 2 * clocks)))
        found.injected += 1
        found.lost += sum((plain.packets - shot.packets).values()) + plain.answers - shot.answers
        found.doubled += sum((shot.packets - plain.packets).values())
        found.overtaken += shot.overtaken
        found.caught += shot.kept > 0
        found.clocks.append(shot.clocks)
    return found


@dataclass
class _Delivered:
    """What a run delivered."""

    packets: Counter[tuple[int, tuple[int, ...]]]
    """(router, flits after the header) of every delivery."""
    answers: int
    overtaken: int
    kept: int = 0
    clocks: int = 0


def _delivered(wiring: Wiring, sent: list[tuple[int, int, Packet]], shoot_at: int | None) -> _Delivered:
    net = ChipNetwork(wiring)
    for router, clock, packet in sent:
        net.mbps[router].send(packet.flits(), clock)
    kept = used = 0
    if shoot_at is not None:
        net.run(shoot_at)
        used = net.shoot_down()
        saved = json.dumps([[(kept.tag, kept.flits) for kept in mbp.memory] for mbp in net.mbps])
        for mbp, held in zip(net.mbps, json.loads(saved), strict=True):
            kept += len(held)
            mbp.memory[:] = [Kept(Tag(*tag), tuple(flits)) for tag, flits in held]
        used += net.set_up()
    net.run_until(lambda: net.idle and not any(mbp.own_keys for mbp in net.mbps))
    flow = {packet.body[0]: (router, packet.key is None) for router, _, packet in sent}
    packets: Counter[tuple[int, tuple[int, ...]]] = Counter()
    overtaken = 0
    for router, mbp in enumerate(net.mbps):
        last: dict[tuple[int, bool], int] = {}
        for d in mbp.deliveries:
            body = d.flits[HEADER_FLITS + (d.flits[1] >> 13 & 1) :]
            packets[router, body] += 1
            overtaken += last.get(flow[body[0]], 0) > body[0]
            last[flow[body[0]]] = body[0]
    return _Delivered(packets, sum(len(mbp.completed) for mbp in net.mbps), overtaken, kept, used)


def campaign(full: bool = False, progress: Callable[[int, int], None] = lambda done, total: None) -> list[Outcome]:
    """Every part of the campaign; `full` takes a larger network and a longest packet, and shoots down more often.

    Cost: some seconds; `full` more than a minute.
    """
    spec, body = (LARGER, tuple(range(1, 12))) if full else (SPEC, BODY)
    parts: list[Callable[[], list[Outcome]]] = [
        lambda: list(flips(spec, body)),
        lambda: [stuck_packets(spec)],
        lambda: [slice_faults(spec, 100 if full else 20)],
        lambda: [shoot_downs(spec, 12 if full else 3)],
    ]
    found: list[Outcome] = []
    for done, part in enumerate(parts):
        progress(done, len(parts))
        found.extend(part())
    return found
