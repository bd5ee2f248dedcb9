"""The network of chips and the simulator's preset `jump1` agree: exactly when unloaded, in order and closely when
loaded.

What differs under load, and why: the chip gives an output to a packet from first to last flit, the simulator flit by
flit; the chip's two channels of a link share one input of the crossbar.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from jumpnet.analysis.routes.paths import route
from jumpnet.chip.compiled.network import Arrival, FastNetwork, Sending
from jumpnet.chip.messages import message
from jumpnet.chip.routing import RDT_CHIP
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError
from jumpnet.multicast.territory import territories
from jumpnet.routings import bind
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.topology import build
from jumpnet.traffic import PacketList

SPEC, FLITS, GAP = "rdt:16", 9, 150
WAYS_IN_AND_OUT = 1
"""The chip counts from the creation of a packet (request, grant, line), the simulator from the first flit's leaving."""

Load = list[tuple[int, int, int]]


def simulated(load: Load, clocks: int, bitmap_clocks: int, **changes: int) -> dict[int, tuple[int, int]]:
    """(clock of the first flit in, of the last flit out) of each packet (clock, source, destination)."""
    net = build(SPEC)
    config = preset("jump1", routing_delay_cycles=bitmap_clocks, events=True, **changes)
    columns = [np.array(column) for column in zip(*load, strict=True)]
    engine = Engine(net, RDT_CHIP.bind(net), config, PacketList(*columns, np.full(len(load), FLITS, np.int32)))
    engine.advance(clocks)
    events = engine.events()
    number = {}
    seen: dict[int, int] = {}
    for i, (_, source, _) in enumerate(load):
        number[source, seen.setdefault(source, 0)] = i
        seen[source] += 1
    first = events[(events[:, 1] == at.EVENT_ENTER) & (events[:, 5] == 0)]
    last = events[(events[:, 1] == at.EVENT_ARRIVE) & (events[:, 5] == FLITS - 1)]
    enters = {number[row[2], row[3]]: int(row[0]) for row in first}
    return {number[row[2], row[3]]: (enters[number[row[2], row[3]]], int(row[0])) for row in last}


def chipped(load: Load, clocks: int, settings: Settings) -> dict[int, Arrival]:
    """What arrives of the same packets in the network of chips; the first body flit is the packet's number."""
    where = territories(SPEC)
    body = (0,) * (FLITS - 5)
    packets = [Sending(s, clock, message(where, s, d, body=(i, *body)).flits()) for i, (clock, s, d) in enumerate(load)]
    fast = FastNetwork(SPEC, packets, settings)
    fast.run(clocks)
    return {a.flits[3]: a for a in fast.arrivals()}


@pytest.fixture(scope="module")
def alone() -> Load:
    """Packets of many pairs, each alone in the network."""
    rng = random.Random(3)
    return [(GAP * i, rng.randrange(256), rng.randrange(256)) for i in range(80)]


def test_unloaded_latency_is_that_of_the_simulator(alone: Load) -> None:
    """Six clocks a hop in both, clock for clock, for every pair."""
    clocks = GAP * len(alone)
    sim = simulated(alone, clocks, 2)
    chip = chipped(alone, clocks, Settings(full_duplex=True, bitmap_clocks=2))
    late = {chip[i].clock - load[0] - (sim[i][1] - sim[i][0]) for i, load in enumerate(alone)}
    assert late == {WAYS_IN_AND_OUT}


def test_unloaded_a_second_header_flit_costs_one_clock(alone: Load) -> None:
    """Five clocks a hop in the simulator; the chip takes six where a route goes from rank 1 to rank 0."""
    clocks = GAP * len(alone)
    sim = simulated(alone, clocks, 1)
    chip = chipped(alone, clocks, Settings(full_duplex=True))
    where = territories(SPEC)
    for i, (clock, source, to) in enumerate(alone):
        extra = where.address(source, [to]).top >= 1
        assert chip[i].clock - clock - (sim[i][1] - sim[i][0]) == WAYS_IN_AND_OUT + extra


def test_unloaded_one_bus_a_link_delays_packets_that_turn_back_only(alone: Load) -> None:
    """On a half-duplex line a packet that turns back waits until it has come in whole; no other packet meets itself."""
    clocks = GAP * len(alone)
    both, one = (chipped(alone, clocks, Settings(full_duplex=full)) for full in (True, False))
    later = {one[i].clock - both[i].clock for i in range(len(alone))}
    assert later == {0, FLITS - 6}


Clocks = dict[int, int]


@pytest.fixture(scope="module", params=["anybody", "four partners"])
def loaded(request: pytest.FixtureRequest) -> tuple[Load, Clocks, Clocks]:
    """Packets of every source to anybody, or to four partners only, and when each has arrived: chips, simulator."""
    rng = random.Random(5)
    if request.param == "anybody":
        load = sorted((rng.randrange(3000), rng.randrange(256), rng.randrange(256)) for _ in range(256 * 15))
    else:
        partners = [[rng.randrange(256) for _ in range(4)] for _ in range(256)]
        sources = (rng.randrange(256) for _ in range(256 * 20))
        load = sorted((rng.randrange(1500), s, rng.choice(partners[s])) for s in sources)
    load = [(clock, s, d) for clock, s, d in load if s != d]
    sim = simulated(load, 4000, 2)
    chip = chipped(load, 4000, Settings(full_duplex=True, early=False, bitmap_clocks=2))
    return load, {i: a.clock for i, a in chip.items()}, {i: end for i, (_, end) in sim.items()}


def overtaken(load: Load, ends: Clocks) -> int:
    """How many packets of a pair arrive after a later one."""
    latest: dict[tuple[int, int], int] = {}
    late = 0
    for i in sorted(ends, key=lambda i: ends[i]):
        late += latest.get(load[i][1:], -1) > i
        latest[load[i][1:]] = max(i, latest.get(load[i][1:], -1))
    return late


def test_loaded_runs_deliver_everything_in_the_order_of_each_pair(loaded: tuple[Load, Clocks, Clocks]) -> None:
    load, *runs = loaded
    for ends in runs:
        assert len(ends) == len(load) and overtaken(load, ends) == 0


@pytest.mark.parametrize("changes", [{"entry_vcs": 2}, {"injection_ports": 2}])
def test_sources_that_enter_by_several_channels_or_ports_lose_the_order(changes: dict[str, int]) -> None:
    rng = random.Random(7)
    load = sorted((rng.randrange(1000), s, (s + 37) % 256) for s in range(256) for _ in range(9))
    kept, lost = simulated(load, 4000, 2), simulated(load, 4000, 2, **changes)
    assert overtaken(load, {i: end for i, (_, end) in kept.items()}) == 0
    assert overtaken(load, {i: end for i, (_, end) in lost.items()}) > 0


def test_loaded_runs_are_nearly_as_fast(loaded: tuple[Load, Clocks, Clocks]) -> None:
    """0.045 flits per router and clock: mean latencies within 3%; 0.12, where packets wait four times as long: 6%."""
    load, *runs = loaded
    ours, theirs = (float(np.mean([end - load[i][0] for i, end in ends.items()])) for ends in runs)
    assert abs(ours / theirs - 1) < (0.03 if load[-1][0] > 1500 else 0.06)


def test_networks_that_are_too_large_are_refused() -> None:
    """Five ranks of eight children cannot tell 65,536 routers apart."""
    with pytest.raises(JumpnetError, match="reaches 32768 of the 65536"):
        bind("rdt.chip", build("rdt:256"))


def test_more_channels_are_shared_out_between_the_two_classes() -> None:
    """With four channels, two are as one of the two; both are in use."""
    net = build(SPEC)
    two, four = (bind("rdt.chip", net, vcs) for vcs in (2, 4))
    used = set()
    for pair in [(0, to) for to in range(256)] + [(203, to) for to in range(256)]:
        hops = route(two, *pair)
        assert [(hop.port, hop.vc) for hop in hops] == [(hop.port, hop.vc // 2) for hop in route(four, *pair)]
        used |= {hop.vc for hop in hops}
    assert used == {0, 1}
