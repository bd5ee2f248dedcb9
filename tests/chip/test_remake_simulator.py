"""REMAKE on the chips and on the multicast simulator: the same processors take the packet, the same routers receive.

In time they differ by the chip's passes (`test_multicast_simulator`) and by the way in and out of every processor.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from jumpnet.chip.configuration import wire
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.remake import directory, remake_packet
from jumpnet.chip.settings import Settings
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import HANDS, RECEIVES, Plan, bit_map_plan
from jumpnet.sim.config import preset
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.message_layout import DATA
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import COMBINED, Messages, forest
from jumpnet.topology import build

SPEC, BODY = "rdt:16", (1, 2, 3)
REMAKE_CLOCKS = 1


def simulated(plan: Plan, flits: int) -> tuple[dict[int, int], int]:
    """Cycle of the last flit at each receiver, and of the source's knowing, on the multicast simulator."""
    net = build(SPEC)
    one = Messages(*(np.array([value]) for value in (0, 0, flits, COMBINED)))
    config = preset("jump1", routing_delay_cycles=2, events=True)
    ack = MulticastConfig(ack_delay_cycles=1, remake_cycles=REMAKE_CLOCKS)
    engine = MulticastEngine(net, 2, forest(net, [plan]), one, config, ack)
    engine.go(10_000)
    events = engine.events()
    last = events[(events[:, 1] == at.EVENT_ARRIVE) & (events[:, 4] == DATA) & (events[:, 5] == flits - 1)]
    last = last[plan.local[last[:, 3]] == RECEIVES]
    return {int(row[6]): int(row[0]) for row in last}, int(engine.result().acknowledged[0])


def before(plan: Plan) -> dict[int, int]:
    """For each receiver, the processors that its packet has passed."""
    count = np.zeros(len(plan.router), int)
    for k in range(1, len(count)):
        count[k] = count[plan.parent[k]] + (plan.port[k] < 0)
    return {int(plan.router[k]): int(count[k]) for k in np.flatnonzero(plan.local == RECEIVES)}


WAYS_IN_AND_OUT, A_PROCESSOR = 2, 2
"""Clocks that the chip counts and the simulator does not: at the source and the receiver, and at each processor."""


@pytest.mark.chip("B7")
@pytest.mark.parametrize("seed", range(2))
def test_the_same_processors_and_receivers_and_nearly_the_same_clocks(seed: int) -> None:
    wiring, rules, draw = wire(SPEC), chip_rules(build(SPEC)), random.Random(seed)
    where, passed = wiring.where, Counter[int]()
    settings = Settings(full_duplex=True, early=False, bitmap_clocks=2, remake_clocks=REMAKE_CLOCKS)
    for key in range(1, 13):
        source, count = draw.randrange(256), draw.choice([1, 1, 2, 4])
        to = draw.sample(where.members(source, draw.randrange(where.top + 1)).tolist(), count)
        plan = bit_map_plan(rules, scheme("REMAKE"), source, to)
        maps = directory(where, source, to, key)
        top = max(each.rank for each in maps)
        handed = Counter(each.router for each in maps if each.rank < top or each.router != source)
        assert handed == Counter(plan.router[plan.local == HANDS].tolist())
        net = ChipNetwork(wiring, settings)
        net.install(maps)
        flits = remake_packet(where, source, to, key=key, body=BODY).flits()
        net.mbps[source].send(flits)
        net.run_until(lambda net=net: net.idle and not any(mbp.own_keys for mbp in net.mbps))  # type: ignore[misc]
        chip = {r: d.clock for r, mbp in enumerate(net.mbps) for d in mbp.deliveries}
        answered = [clock for clock, _ in net.mbps[source].completed]
        sim, known = simulated(plan, len(flits))
        assert chip.keys() == sim.keys() == set(to)
        assert len(answered) == 1 and answered[0] > max(chip.values()) and known > max(sim.values())
        for router, on_the_way in before(plan).items():
            late = chip[router] - sim[router] - WAYS_IN_AND_OUT - A_PROCESSOR * on_the_way
            assert late == 0 if count == 1 else late >= 0, "only where a packet branches the chip's passes add clocks"
            passed[on_the_way] += 1
    assert passed[0] > 0 and passed[2] > 0 and passed[3] > 0
