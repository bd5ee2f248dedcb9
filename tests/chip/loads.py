"""Random packets for networks of chips, and what the plain model does with them. Shared by the chip's tests."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jumpnet.chip.compiled.network import Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.settings import Settings


def random_packets(
    spec: str, seed: int, rate: float, clocks: int, *, multicasts: float = 0.4, acked: float = 0.5, mbps: int = 2
) -> list[Sending]:
    """Messages and multicasts of random lengths, each created in a clock with probability `rate` at each router.

    Compressed addresses are all different; the first body flit numbers the packets.
    """
    where, rng = wire(spec).where, random.Random(seed)
    made: list[Sending] = []
    for clock in range(clocks):
        for router in range(where.routers):
            if rng.random() >= rate:
                continue
            number = len(made) + 1
            body = (number, *(rng.randrange(1 << 18) for _ in range(rng.randrange(10))))
            key, mbp = (number if rng.random() < acked else None), rng.randrange(mbps)
            if rng.random() < multicasts:
                pool = where.members(router, rng.randrange(where.top + 1)).tolist()
                to = rng.sample(pool, min(len(pool), rng.randrange(1, 5)))
                scheme = rng.choice(["SM", "LPRA", "LARP"])
                packet = multicast_packet(where, scheme, router, to, key=key, body=body, mbp=mbp)
            else:
                packet = message(where, router, rng.randrange(where.routers), key=key, body=body, mbp=mbp)
            made.append(Sending(router, clock, packet.flits()))
    return made


def loaded(spec: str, packets: Sequence[Sending], settings: Settings | None = None, slices: int = 1) -> ChipNetwork:
    """The plain model with these packets queued."""
    net = ChipNetwork(spec, settings, slices)
    for packet in packets:
        wide = [sum(flit << 18 * s for s in range(slices)) for flit in packet.flits]
        net.mbps[packet.router].send(wide, packet.clock)
    return net


def arrivals(net: ChipNetwork) -> list[tuple[int, int, int, int, tuple[int, ...]]]:
    """(clock, clock of the head, router, link, flits) of everything delivered, sorted."""
    return sorted((d.clock, d.head, r, d.link, d.flits) for r, mbp in enumerate(net.mbps) for d in mbp.deliveries)


def completed(net: ChipNetwork) -> list[tuple[int, int, int, int]]:
    """(clock, router, key, body) of every multicast that all have answered, sorted."""
    return sorted((clock, r, ack.key, ack.body) for r, mbp in enumerate(net.mbps) for clock, ack in mbp.completed)
