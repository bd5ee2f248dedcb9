"""Branching routers: kernel and reference record the same events; without branches both are the plain simulator."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.naive.multicast_routers import MulticastSimulation

from jumpnet.jit.decorator import DISABLED
from jumpnet.multicast import schemes
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import Plan, bit_map_plan
from jumpnet.networks import Network
from jumpnet.routings import bind
from jumpnet.routings.view import IN_PORT, IN_VC, PORT, STATE, VC, new_head, new_out
from jumpnet.sim.config import SimConfig, config_from, preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import NO_ACK, Forest, Messages, forest
from jumpnet.topology import build
from jumpnet.traffic import PacketList

CYCLES = 60 if DISABLED else 200
MESSAGES = 30


@cache
def plans_of(spec: str) -> tuple[Network, Forest, int]:
    """A network, plans of random multicasts under every scheme with those of their answers, and how many multicasts."""
    net, draw = build(spec), random.Random(spec)
    rules = chip_rules(net)
    plans, replies = [], {}
    for k in range(40):
        source, made = draw.randrange(net.routers), list(schemes().values())[k % len(schemes())]
        to = draw.sample(rules.where.members(source, k % (rules.where.top + 1)).tolist(), draw.choice([1, 2, 5]))
        plans.append(bit_map_plan(rules, made, source, to))
    for plan in plans[:]:
        for receiver in set(plan.receivers) - {int(plan.router[0])}:
            replies[receiver, int(plan.router[0])] = len(plans)
            plans.append(bit_map_plan(rules, schemes()["SM"], receiver, [int(plan.router[0])]))
    return net, forest(net, plans, replies), 40


def assert_same_as_reference(
    spec: str, config: SimConfig, ack: MulticastConfig, seed: int, spread: int, cycles: int = CYCLES
) -> None:
    """Run both on the same random messages and compare every event and every result."""
    net, trees, multicasts = plans_of(spec)
    draw, config = random.Random(seed), config.replace(events=True)
    flits = [draw.choice([1, 3, 7]) for _ in range(MESSAGES)]
    columns = (
        sorted(draw.randrange(spread) for _ in range(MESSAGES)),
        [draw.randrange(multicasts) for _ in range(MESSAGES)],
        flits,
        [draw.randrange(3) for _ in range(MESSAGES)],
    )
    messages = Messages(*(np.array(column) for column in columns))
    engine = MulticastEngine(net, 2, trees, messages, config, ack)
    while engine.cycle < cycles and engine.go(20):
        engine.check()
    engine.check()
    slow = MulticastSimulation(net, 2, trees, messages, config, ack)
    slow.run(engine.cycle)
    fast = engine.events()
    mine = [row for row in fast.tolist() if row[0] < engine.cycle]  # an arrival is told when the flit wins the switch
    for one, other in zip(mine, sorted(slow.events), strict=False):
        assert tuple(one) == other
    assert len(mine) == len(slow.events)
    result = engine.result()
    assert (result.fallbacks, result.link_flits) == (slow.fallbacks, slow.link_flits)
    assert result.remade == slow.remade or (result.remade > slow.remade and not result.finished)  # told at the switch
    for m in range(MESSAGES):
        if result.last_arrival[m] < engine.cycle:
            assert result.last_arrival[m] == slow.last_arrival.get(m, -1)
        if result.acknowledged[m] < engine.cycle:
            assert result.acknowledged[m] == slow.acknowledged.get(m, -1)


drawn = st.fixed_dictionaries(
    {
        "buffer_flits": st.integers(1, 9),
        "flow_control": st.sampled_from(["wormhole", "cut_through"]),
        "vc_reuse": st.sampled_from(["tail", "empty"]),
        "routing_delay_cycles": st.integers(0, 2),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "switch_allocation_delay_cycles": st.integers(1, 2),
        "st_final_delay_cycles": st.integers(0, 2),
        "link_cycles": st.integers(1, 3),
        "terminal_link_cycles": st.integers(1, 2),
        "credit_delay_cycles": st.integers(0, 2),
        "injection_ports": st.integers(1, 2),
        "ejection_ports": st.integers(1, 2),
        "entry_vcs": st.integers(0, 2),
        "allocator": st.sampled_from(["input_first", "output_first", "islip", "age"]),
        "allocator_iterations": st.integers(1, 3),
        "selection": st.sampled_from(["round_robin", "first", "credits"]),
        "speculation": st.booleans(),
    }
)


@settings(max_examples=3 if DISABLED else 14, phases=(Phase.explicit, Phase.reuse, Phase.generate), deadline=None)
@given(
    values=drawn,
    ack=st.builds(
        MulticastConfig,
        ack_flits=st.integers(1, 3),
        ack_delay_cycles=st.integers(0, 9),
        combining_entries=st.integers(0, 4),
        remake_cycles=st.sampled_from([0, 1, 7, 25]),
    ),
    seed=st.integers(0, 1000),
    spread=st.sampled_from([5, 60]),
)
def test_kernel_equals_reference(values: dict[str, Any], ack: MulticastConfig, seed: int, spread: int) -> None:
    if values["flow_control"] == "cut_through":
        values["buffer_flits"] = max(7, values["buffer_flits"])
    if values["speculation"]:
        values["allocator_iterations"] = 1
    assert_same_as_reference("prdt:4", config_from({**values, "packet_flits": "1..7"}), ack, seed, spread)


@pytest.mark.skipif(DISABLED, reason="64 routers take too long")
def test_kernel_equals_reference_where_ranks_are_missing() -> None:
    assert_same_as_reference(
        "rdt:8",
        preset("jump1"),
        MulticastConfig(ack_delay_cycles=3, combining_entries=1, remake_cycles=5),
        1,
        40,
        100,
    )


def path_plan(net: Network, routing: str, vcs: int, source: int, destination: int) -> Plan:
    """The plan of a packet to one destination by a routing without choices."""
    bound = bind(routing, net, vcs)
    head, out = new_head(source, destination), new_out()
    rows = [(source, -1, -1, -1)]
    while (here := rows[-1][0]) != destination:
        assert bound.routing.relation(bound.view, here, head, out) == 1
        port, vc, head[STATE] = (int(out[0, k]) for k in (PORT, VC, 2))
        head[IN_PORT], head[IN_VC] = net.far_port[here, port], vc
        rows.append((int(net.neighbor[here, port]), len(rows) - 1, port, vc))
    router, parent, port_of, vc_of = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    return Plan(router, parent, port_of, vc_of, (np.arange(len(rows)) == len(rows) - 1).astype(np.int32))


@pytest.mark.parametrize("settings", [{}, {"buffer_flits": 3, "ejection_ports": 2}])
def test_without_branches_it_is_the_simulator(settings: dict[str, Any]) -> None:
    """The same packets on a torus: the same events as the kernel for single destinations."""
    net, draw, count = build("torus:4x4"), random.Random(7), 120
    config = config_from({"events": True, "vcs": 2, **settings})
    pairs = [tuple(draw.sample(range(16), 2)) for _ in range(count)]
    cycle = sorted(draw.randrange(80) for _ in range(count))
    flits = [draw.randrange(1, 9) for _ in range(count)]
    trace = PacketList(np.array(cycle), *(np.array(c, np.int32) for c in (*zip(*pairs, strict=True), flits)))
    plain = Engine(net, bind("torus.dateline", net, 2), config, trace)
    plain.advance(200)
    trees = forest(net, [path_plan(net, "torus.dateline", 2, *pair) for pair in pairs])
    messages = Messages(np.array(cycle), np.arange(count), np.array(flits), np.full(count, NO_ACK))
    branching = MulticastEngine(net, 2, trees, messages, config)
    branching.go(200)
    seen = [0] * 16
    number = []
    for source, _ in pairs:
        number.append((source, seen[source]))
        seen[source] += 1
    mine = [
        [c, kind, *number[m], 0, flit, r, where] for c, kind, m, _, _, flit, r, where in branching.events().tolist()
    ]
    theirs = [row for row in plain.events().tolist() if row[0] < branching.cycle]
    assert sorted(row for row in mine if row[0] < branching.cycle) == theirs and len(theirs) > 2000
