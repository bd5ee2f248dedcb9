"""Multicasts on the network of chips and on the multicast simulator: the same trees, and times that differ by the
chip's passes alone.

The chip's crossbar sends a packet to the outputs of one rank, then to those of the next, then to the MBP (decision
0050, B9): every pass takes as long as the packet. The simulator sends each flit to all outputs that are free.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.messages import multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.settings import Settings
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import Plan, bit_map_plan
from jumpnet.multicast.territory import territories
from jumpnet.sim.config import preset
from jumpnet.sim.memory import layout as at
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import NO_ACK, Messages, forest
from jumpnet.topology import build

SPEC, FLITS, GAP = "rdt:16", 9, 400
WAYS_IN_AND_OUT = 1
"""As in `test_simulator`: the chip counts from the creation, the simulator from the first flit's leaving."""
MOST_PASSES = 3

Load = list[tuple[int, int, list[int]]]
Times = dict[tuple[int, int], int]


def casts(count: int, clocks: int, seed: int) -> Load:
    """(clock, source, destinations) of random multicasts, in order of time."""
    where, rng = territories(SPEC), random.Random(seed)
    load = []
    for clock in sorted(rng.randrange(clocks) for _ in range(count)):
        source = rng.randrange(256)
        pool = where.members(source, rng.randrange(where.top + 1)).tolist()
        load.append((clock, source, rng.sample(pool, min(len(pool), rng.choice([1, 2, 4])))))
    return load


def plans_of(load: Load, name: str) -> list[Plan]:
    rules = chip_rules(build(SPEC))
    return [bit_map_plan(rules, scheme(name), source, to) for _, source, to in load]


def simulated(load: Load, plans: list[Plan], clocks: int) -> Times:
    """Clock of the last flit of each (multicast, router) on the multicast simulator."""
    net = build(SPEC)
    columns = [clock for clock, *_ in load], range(len(load)), [FLITS] * len(load), [NO_ACK] * len(load)
    messages = Messages(*(np.array(column) for column in columns))
    config = preset("jump1", routing_delay_cycles=2)
    engine = MulticastEngine(net, 2, forest(net, plans), messages, config.replace(events=True))
    engine.go(clocks)
    events = engine.events()
    last = events[(events[:, 1] == at.EVENT_ARRIVE) & (events[:, 5] == FLITS - 1)]
    return {(int(row[2]), int(row[6])): int(row[0]) for row in last}


def chipped(load: Load, name: str, clocks: int) -> Times:
    """The same on the network of chips, six clocks a hop; the first body flit is the number of the multicast."""
    where, body = territories(SPEC), (0,) * (FLITS - 5)
    packets = [
        Sending(s, clock, multicast_packet(where, name, s, to, body=(k, *body)).flits())
        for k, (clock, s, to) in enumerate(load)
    ]
    fast = FastNetwork(wire(SPEC, name), packets, Settings(full_duplex=True, early=False, bitmap_clocks=2))
    fast.run(clocks)
    return {(a.flits[3], a.router): a.clock for a in fast.arrivals()}


def forks(plan: Plan) -> dict[int, int]:
    """For each router that takes the packet, the places with several ways that it has passed."""
    count = np.zeros(len(plan.router), int)
    for k in range(len(count)):
        ways = plan.first[k + 1] - plan.first[k] + (plan.local[k] > 0)
        count[k] = (count[plan.parent[k]] if k else 0) + (ways > 1)
    return {int(plan.router[k]): int(count[k]) for k in np.flatnonzero(plan.local)}


@pytest.mark.parametrize("name", ["SM", "LPRA", "LARP", "LARP:path"])
def test_alone_each_receiver_waits_for_whole_passes_of_the_chip_and_nothing_else(name: str) -> None:
    load = [(GAP * k, source, to) for k, (_, source, to) in enumerate(casts(30, 1000, 3))]
    plans = plans_of(load, name)
    sim, chip = simulated(load, plans, GAP * len(load)), chipped(load, name, GAP * len(load))
    assert sim.keys() == chip.keys() and len(sim) > 60
    seen = set()
    for k, plan in enumerate(plans):
        for router, passed in forks(plan).items():
            passes, rest = divmod(chip[k, router] - sim[k, router] - WAYS_IN_AND_OUT, FLITS)
            assert rest == 0 and 0 <= passes <= passed * (MOST_PASSES - 1)
            seen.add((passed > 0, passes))
    assert {(False, 0), (True, 0), (True, 1), (True, 2)} <= seen and not any(p for fork, p in seen if not fork)


def test_under_load_both_slow_down_alike() -> None:
    """Mean clocks until the last receiver at three loads: the chip's are longer, and both rise threefold."""
    means = []
    for count in (150, 600, 1200):
        load = casts(count, 1000, 9)
        plans = plans_of(load, "SM")
        runs = simulated(load, plans, 6000), chipped(load, "SM", 6000)
        assert runs[0].keys() == runs[1].keys()
        latest = np.zeros((2, count), np.int64)
        for row, run in zip(latest, runs, strict=True):
            for (k, _), clock in run.items():
                row[k] = max(row[k], clock - load[k][0])
        assert (latest > 0).all()
        means.append(latest.mean(axis=1))
    sim, chip = np.array(means).T
    assert (np.diff(sim) > 0).all() and (np.diff(chip) > 0).all() and (chip > sim).all()
    assert abs((chip[2] / chip[0]) / (sim[2] / sim[0]) - 1) < 0.25


@pytest.mark.parametrize("key", [None, 7])
def test_routers_that_larp_path_reaches_in_vain_take_the_packet_and_answer(key: int | None) -> None:
    """Three ranks: its spreading reaches children whose map is empty. Both models, against the simulator's plan."""
    wiring = wire("rdt:16", "LARP:path")
    rules = chip_rules(build("rdt:16"))
    plan = bit_map_plan(rules, scheme("LARP:path"), 203, [222])
    taken = sorted(plan.router[plan.local != 0].tolist())
    assert len(plan.receivers) < len(taken)
    flits = multicast_packet(wiring.where, "LARP:path", 203, [222], key=key, body=(1, 2)).flits()
    chips, fast = ChipNetwork(wiring), FastNetwork(wiring, [Sending(203, 0, flits)])
    chips.mbps[203].send(flits)
    chips.run_until(lambda: chips.idle and not chips.mbps[203].own_keys)
    fast.run(chips.clock)
    assert sorted(r for r in range(256) for _ in chips.mbps[r].deliveries) == taken
    assert sorted(arrival.router for arrival in fast.arrivals()) == taken
    assert fast.idle and fast.unanswered == 0
