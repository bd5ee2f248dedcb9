"""Cycle counts argued by hand on one to four routers, and what must fail does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing
from jumpnet.sim.config import SimConfig, config_from, preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import check
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.measure.measure import measure
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, LANE_ROW, OUT_VC_ROW
from jumpnet.sim.outside import Outside
from jumpnet.sim.saturation import find_saturation
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList


def replay(spec: str, packets: list[tuple[int, int, int, int]], cycles: int = 200, **settings: Any) -> np.ndarray:
    """Events of packets (cycle, source, destination, flits) alone in a network."""
    config = config_from({"events": True, "vcs": 2, **settings})
    engine = Engine(
        build(spec), "torus.dimension_order", config, PacketList(*(np.array(a) for a in zip(*packets, strict=True)))
    )
    for _ in range(cycles):
        engine.advance(1)
        check(engine)
    assert engine.state.counter[COUNTER.entered] == engine.state.counter[COUNTER.ejected]
    return engine.events()


def arrivals(events: np.ndarray, source: int, number: int = 0) -> list[int]:
    """Cycles in which the flits of one packet reach their terminal."""
    rows = events[(events[:, 1] == at.EVENT_ARRIVE) & (events[:, 2] == source) & (events[:, 3] == number)]
    return [int(row[0]) for row in rows]


@pytest.mark.parametrize(("hops", "flits"), [(0, 1), (1, 1), (1, 5), (2, 16), (3, 16)])
def test_zero_load_is_booksims_formula(hops: int, flits: int) -> None:
    """head = 3 + R(rd + A + X) + (R - 1)L with R = hops + 1 and ones: 7, 12, 17, 22; the tail S - 1 later."""
    got = arrivals(replay("torus:8", [(0, 0, hops, flits)]), 0)
    head = 3 + (hops + 1) * 4 + hops
    assert got == [head + k for k in range(flits)]
    assert SimConfig().zero_load_cycles(hops + 1, flits) == got[-1]


@pytest.mark.parametrize(
    "settings",
    [
        {"routing_delay_cycles": 3},
        {"vc_allocation_delay_cycles": 2, "link_cycles": 4},
        {"switch_allocation_delay_cycles": 3, "buffer_flits": 32},
        {"speculation": True},
        {"st_prepare_delay_cycles": 2, "terminal_link_cycles": 2},
    ],
)
def test_zero_load_formula_with_other_delays(settings: dict[str, Any]) -> None:
    config = config_from({"buffer_flits": 64, **settings})
    got = arrivals(replay("torus:8", [(5, 1, 4, 4)], **{"buffer_flits": 64, **settings}), 1)
    assert got[-1] - 5 == config.zero_load_cycles(4, 4)


def test_presets_clocks_a_hop() -> None:
    """yang2001: set-up, transfer, link = 3 clocks a hop; jump1: 5 clocks a hop, 7 with the bit-map in a later flit."""
    for name, extra, clocks in (("yang2001", {}, 3), ("jump1", {}, 5), ("jump1", {"routing_delay_cycles": 3}, 7)):
        config = preset(name, **extra)
        assert config.zero_load_cycles(4, 16) - config.zero_load_cycles(3, 16) == clocks


def test_small_buffers_stretch_a_packet_to_the_credit_loop() -> None:
    """The loop between routers is 5 cycles: with B slots a virtual channel moves B flits in 5 cycles, B <= 5."""
    for slots, flits in ((1, 8), (2, 20), (4, 40)):
        got = arrivals(replay("torus:8", [(0, 0, 2, flits)], 600, buffer_flits=slots), 0)
        assert got[-1] - got[-1 - 3 * slots] == 15


@pytest.mark.parametrize(("link", "loop"), [(1, 5), (2, 7)])
def test_a_terminal_gives_a_slot_back_after_its_own_loop(link: int, loop: int) -> None:
    """Two routers send single flits to the terminal of one between them, which has one channel with one slot.

    Each sends one in six cycles (eight with the longer link), both together more than the slot lets through: a cycle
    for the switch, the link to the terminal, a cycle there, the link back, a cycle for the credit.
    """
    packets = [(0, source, 0, 1) for source in (1, 7) for _ in range(10)]
    events = replay("torus:8", packets, vcs=1, buffer_flits=1, terminal_link_cycles=link)
    times = events[events[:, 1] == at.EVENT_ARRIVE, 0]
    assert np.diff(times).tolist() == [loop] * 19


@pytest.mark.parametrize(("link", "loop"), [(1, 7), (2, 9)])
def test_a_router_gives_a_slot_back_after_its_own_loop(link: int, loop: int) -> None:
    """Single flits of two sources meet on the link from router 0 to 1, which has one channel with one slot.

    A flit leaves router 1 a hop of five cycles after it left router 0 (link, route, channel, switch), and its slot may
    be used two later (link back, credit); a longer link counts both ways.
    """
    packets = [(0, source, 2, 1) for source in (0, 7) for _ in range(10)]
    events = replay("torus:8", packets, vcs=1, buffer_flits=1, link_cycles=link)
    times = events[events[:, 1] == at.EVENT_ARRIVE, 0]
    assert np.diff(times).tolist() == [loop] * 19


@pytest.mark.parametrize("created", [5, 6, 7])
def test_a_speculative_bid_gives_way_to_one_that_is_none(created: int) -> None:
    """A packet of two flits wants to go where another, whose head has a channel, sends a flit in every cycle.

    It is in router 0 two cycles after its creation, routed in the next, and bids for channel and switch at once in the
    cycle after that: it gets the channel only. Then it bids as the other does, and goes first, as it had no turn yet.
    """
    events = replay("torus:8", [(0, 7, 1, 24), (created, 0, 1, 2)], buffer_flits=16, speculation=True)
    crossed = events[(events[:, 1] == at.EVENT_SWITCH) & (events[:, 6] == 0)]
    asks = created + 2 + 1
    assert crossed[crossed[:, 0] == max(asks, 8), 2].tolist() == [7]
    assert crossed[crossed[:, 2] == 0, 0].tolist() == [max(asks, 8) + 1, max(asks, 8) + 3]


@pytest.mark.parametrize("created", [5, 6, 7])
def test_islip_does_not_see_what_is_speculative_at_other_inputs(created: int) -> None:
    """As above, but the packet goes at once, and the other one a cycle later: BookSim 2's iSLIP goes by turns."""
    packets = [(0, 7, 1, 24), (created, 0, 1, 2)]
    events = replay("torus:8", packets, buffer_flits=16, speculation=True, allocator="islip")
    crossed = events[(events[:, 1] == at.EVENT_SWITCH) & (events[:, 6] == 0)]
    asks = max(created + 2 + 1, 8)
    assert crossed[crossed[:, 2] == 0, 0].tolist() == [asks, asks + 2]
    assert crossed[crossed[:, 0] == asks + 1, 2].tolist() == [7]


def test_one_flit_packets_pass_one_vc_every_three_cycles() -> None:
    """A virtual channel takes a new head every rd + A = 3 cycles."""
    config = {"events": True, "vcs": 1, "buffer_flits": 8}
    packets = PacketList(*(np.array(a) for a in zip(*[(0, 0, 2, 1)] * 30, strict=True)))
    engine = Engine(build("torus:8"), "torus.dimension_order", config_from(config), packets)
    engine.advance(200)
    got = [int(row[0]) for row in engine.events() if row[1] == at.EVENT_ARRIVE]
    assert set(np.diff(got[5:]).tolist()) == {3}


def test_two_packets_share_a_channel_in_turn() -> None:
    """Two 8-flit packets on two vcs of one link: one flit a cycle together, each every second cycle."""
    events = replay("torus:8", [(0, 0, 2, 8), (0, 1, 2, 8)], vcs=2)
    link = events[(events[:, 1] == at.EVENT_SWITCH) & (events[:, 6] == 1)]
    both = link[(link[:, 0] >= 10) & (link[:, 0] < 16)]
    assert np.diff(both[:, 0]).tolist() == [1] * (len(both) - 1)


@pytest.mark.parametrize("created", [2, 3, 4])
def test_cut_through_needs_room_for_the_whole_packet_and_no_more(created: int) -> None:
    """A packet of one flit goes from router 0 to 2, one of four flits from 7 to 1 meets it at router 0.

    The flit crosses the switch of router 0 four cycles after its creation and takes one slot behind it. A buffer of
    five has four left: the other head has its channel as soon as that is free, in the next cycle, or in cycle 8, when
    it asks first. A buffer of four is one short until the slot is back: 5 cycles for the loop, 2 for a head.
    """
    for slots, granted in ((5, max(8, created + 5)), (4, created + 4 + 7)):
        words = {"vcs": 1, "flow_control": "cut_through", "packet_flits": "4", "buffer_flits": slots}
        events = replay("torus:8", [(created, 0, 2, 1), (0, 7, 1, 4)], **words)
        here = events[(events[:, 6] == 0) & (events[:, 7] == 0)]
        assert here[(here[:, 1] == at.EVENT_SWITCH) & (here[:, 2] == 0), 0].tolist() == [created + 4]
        assert here[(here[:, 1] == at.EVENT_VC) & (here[:, 2] == 7), 0].tolist() == [granted]


def _ring(net: Any, here: Any, head: Any, out: Any) -> int:
    """Always clockwise on vc 0: the textbook deadlock."""
    if here == head[1]:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 0, 0, 0
    return 1


def test_ring_deadlock_is_found_with_its_cycle() -> None:
    """Four packets that each hold one channel of a ring and want the next: the ring, whole, and nothing else."""
    net = build("torus:4")
    packets = PacketList(np.zeros(4), np.arange(4), (np.arange(4) + 2) % 4, np.full(4, 30))
    config = config_from({"buffer_flits": 2, "measure_cycles": 3000, "warmup_cycles": 0, "deadlock_cycles": 100})
    result = simulate(net, Routing(name="test.ring", relation=_ring), config, trace=packets)
    assert sorted(result.deadlock) == [(r, 0, 0) for r in range(4)]
    assert result.saturated and not result.converged


def test_dateline_does_not_deadlock_where_the_ring_does() -> None:
    packets = PacketList(np.zeros(4), np.arange(4), (np.arange(4) + 2) % 4, np.full(4, 30))
    config = config_from({"buffer_flits": 2, "measure_cycles": 3000, "warmup_cycles": 0, "deadlock_cycles": 100})
    result = simulate("torus:4", "torus.dateline", config, trace=packets)
    assert result.deadlock is None and result.packets == 4
    assert result.offered_load == 30.0  # four packets of 30 flits in one cycle, four terminals


def _lose_credit(engine: Engine) -> None:
    row = np.flatnonzero(engine.state.lane.reshape(-1, engine.shape.lane_stride)[:, LANE_ROW.credit] > 0)[0]
    engine.state.lane[row * engine.shape.lane_stride + at.LANE_FIELDS] = 1 << 20


def _lose_flit(engine: Engine) -> None:
    place = np.flatnonzero(engine.state.lane >= at.FLIT)[0]
    engine.state.lane[place] = 0


def _lose_packet(engine: Engine) -> None:
    engine.state.counter[COUNTER.packets] -= 1


def _lose_out_vc(engine: Engine) -> None:
    engine.state.free[0] &= ~1


def _leave_gap(engine: Engine) -> None:
    """A flit alone in its buffer moves one slot away from the oldest."""
    s, state = engine.shape, engine.state
    lane = state.lane.reshape(-1, s.lane_stride)
    slots = lane[:, at.LANE_FIELDS : at.LANE_FIELDS + s.buffer]
    k = int(np.flatnonzero((slots >= at.FLIT).sum(axis=1) == 1)[0])
    read = int(lane[k, LANE_ROW.read])
    slots[k, [read, (read + 1) % s.buffer]] = slots[k, [(read + 1) % s.buffer, read]]


def _skip_slot(engine: Engine) -> None:
    out_vc = engine.state.out_vc.reshape(-1, at.OUT_VC_FIELDS)
    out_vc[0, OUT_VC_ROW.write] = (out_vc[0, OUT_VC_ROW.write] + 1) % engine.shape.buffer


def _skip_first_slot(engine: Engine) -> None:
    engine.state.injector_write[0] = (engine.state.injector_write[0] + 1) % engine.shape.buffer


def _keep_at_terminal(engine: Engine) -> None:
    engine.state.lane[-1 - engine.shape.lane_stride + at.LANE_FIELDS + 1] = at.FLIT


def _lose_terminal_credit(engine: Engine) -> None:
    engine.state.lane[-1 - engine.shape.lane_stride + at.LANE_FIELDS + 1] = at.FLIT - 1


def _lose_owner(engine: Engine) -> None:
    owner = engine.state.out_vc.reshape(-1, at.OUT_VC_FIELDS)[:, OUT_VC_ROW.owner]
    owner[np.flatnonzero(owner >= 0)[0]] = -1


@pytest.mark.parametrize(
    ("harm", "law"),
    [
        (_lose_credit, "a credit is not on its way back"),
        (_lose_flit, "flits entered"),
        (_lose_packet, "packets alive"),
        (_lose_out_vc, "an output VC is neither free nor held"),
        (_leave_gap, "the flits of a buffer have a gap"),
        (_skip_slot, "a buffer's flits and free slots do not add up"),
        (_skip_first_slot, "a buffer's flits and free slots do not add up"),
        (_keep_at_terminal, "a flit stays at a terminal"),
        (_lose_terminal_credit, "a terminal's credit is not on its way back"),
        (_lose_owner, "output VCs and their packets differ"),
    ],
)
def test_a_broken_law_is_caught(harm: Callable[[Engine], None], law: str) -> None:
    engine = Engine(build("torus:4x4"), "torus.dateline", preset("booksim", load=0.3, packet_flits="4"))
    engine.advance(200)
    check(engine)
    harm(engine)
    with pytest.raises(JumpnetError, match=f"conservation law broken at cycle 200 of torus:4x4: .*{law}"):
        check(engine)


def test_no_deadlock_is_found_in_a_running_network() -> None:
    engine = Engine(build("torus:4x4"), "torus.dateline", preset("booksim", load=1.0, buffer_flits=2))
    for _ in range(20):
        engine.advance(50)
        assert find_deadlock(engine) is None


def test_same_seed_same_bits_and_steps_do_not_matter() -> None:
    def state(seed: int, step: int) -> tuple[list[int], list[int]]:
        engine = Engine(build("torus:4x4"), "torus.dateline", preset("booksim", load=0.4, seed=seed))
        while engine.cycle < 600:
            engine.advance(step)
        slots = engine.state.lane.reshape(-1, engine.shape.lane_stride)[:, at.LANE_FIELDS :]
        return np.delete(engine.state.counter, COUNTER.free).tolist(), slots[slots >= engine.cycle].tolist()

    assert state(1, 600) == state(1, 7 * 100 // 7) == state(1, 60)
    assert state(1, 600) != state(2, 600)


def test_packet_table_grows() -> None:
    """More packets than the table starts with, and the same answer as always: all arrive."""
    result = simulate(
        "torus:4x4", "torus.dateline", load=1.0, packet_flits="1", buffer_flits=16, reply_flits=1,
        reply_delay_cycles=300, warmup_cycles=0, measure_cycles=1500, drain=False,
    )  # fmt: skip
    assert result.saturated and result.packets > 1000


def test_measured_figures_agree_with_each_other() -> None:
    result = simulate("torus:4x4", "torus.dateline", load=0.2, warmup_cycles=500, measure_cycles=8000, seed=5)
    assert result.drained and not result.saturated
    assert abs(result.accepted_load - 0.2) < 0.02
    packets = int(result.latency_histogram.sum())
    mean = float(np.dot(result.latency_histogram, np.arange(result.latency_histogram.size))) / packets
    assert packets == result.packets and abs(mean - result.packet_latency_mean_cycles) < 1e-9
    assert result.network_latency_mean_cycles <= result.packet_latency_mean_cycles
    assert result.flit_latency_mean_cycles < result.network_latency_mean_cycles
    uniform_hops = 32 / 15 + 1  # mean distance over the other 15 routers, plus one
    assert abs(result.hops_mean - uniform_hops) < 0.1
    assert result.figures["channel_load_by_rank"].keys() == {0, 1}
    assert abs(np.nansum(result.channel_load) / 16 - result.accepted_load * (result.hops_mean - 1)) < 0.02


def test_request_reply_and_limited_queues() -> None:
    settings = {"load": 0.05, "packet_flits": "1", "reply_flits": 5, "warmup_cycles": 500, "measure_cycles": 4000}
    free = simulate("torus:4x4", "torus.dateline", **settings)
    assert abs(free.accepted_load - 0.3) < 0.02  # each request of one flit brings a reply of five
    settings = {"load": 0.9, "warmup_cycles": 500, "measure_cycles": 3000}
    limited = simulate("torus:4x4", "torus.dateline", source_queue_packets=1, **settings)
    endless = simulate("torus:4x4", "torus.dateline", **settings)
    assert limited.saturated and endless.saturated
    assert limited.packet_latency_mean_cycles < endless.packet_latency_mean_cycles / 2  # a full source creates nothing


def test_a_packet_that_no_buffer_takes_whole_is_refused_under_cut_through() -> None:
    """It would stand at its source for good, though the routing is free of deadlock; of a trace and posted alike."""
    config = preset("booksim", flow_control="cut_through", packet_flits="4", buffer_flits=4, load=0.0)
    net, one = build("mesh:3"), np.ones(1, np.int64)
    trace = PacketList(10 * one, 0 * one, 2 * one, 5 * one)
    with pytest.raises(JumpnetError, match=r"^buffer_flits 4 found, at least 5 .* expected by cut_through"):
        Engine(net, "mesh.dimension_order", config, trace)
    outside = Outside(net, "mesh.dimension_order", config)
    with pytest.raises(JumpnetError, match=r"^buffer_flits 4 found, at least 5 .* expected by cut_through"):
        outside.post(one, 0 * one, 2 * one, 10 * one, 5 * one)
    outside.post(one, 0 * one, 2 * one, 10 * one, 4 * one)


def test_saturation_of_a_ring_is_where_its_bisection_says() -> None:
    """torus:8 under tornado: 3 hops one way on every packet, so 1/3 flit a cycle at most; one vc alone does less."""
    found = find_saturation(
        "torus:8", "torus.dateline", traffic="tornado", packet_flits="4", buffer_flits=16, vcs=4,
        warmup_cycles=1000, measure_cycles=4000, resolution=0.05,
    )  # fmt: skip
    assert 0.2 < found.load < found.saturated_load < 0.36
    assert found.throughput < 0.34


def test_wrong_settings_are_one_line() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"load": 1.5}, "load 1.5 found"),
        ({"load": -0.1}, "load -0.1 found"),
        ({"flow_control": "cut_through", "buffer_flits": 8}, "at least 16"),
        ({"vcs": 1}, "at least 2 expected by routing torus.dateline"),
        ({"lode": 0.1}, "did you mean 'load'"),
        ({"packet_flits": "0"}, "packet_flits '0' found"),
        ({"traffic": "unifrom"}, "did you mean 'uniform'"),
        ({"memory_bytes": 2**20}, "memory_bytes 1.0 MB found, at least"),
        ({"trace": "packets.csv"}, "trace 'packets.csv' found, a PacketList"),
        ({"threads": "2"}, "threads '2' found"),
        ({"checkpoint": "run.npz"}, "checkpoint 'run.npz' found, a jumpnet.sim.measure.checkpoint.Checkpoint"),
        ({"config": 5}, "config 5 found, a SimConfig"),
        ({"routing_delay_cycles": 0, "vc_allocation_delay_cycles": 0, "switch_allocation_delay_cycles": 0}, "at least"),
    ]
    for settings, words in cases:
        with pytest.raises(JumpnetError, match=words) as caught:
            simulate("torus:64x64", "torus.dateline", **settings)
        assert "\n" not in str(caught.value)


def test_livelock_and_missing_routes_are_said() -> None:
    def lost(net: Any, here: Any, head: Any, out: Any) -> int:
        return -1

    def round_and_round(net: Any, here: Any, head: Any, out: Any) -> int:
        out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 0, 0, 0
        return 1

    def off_the_edge(net: Any, here: Any, head: Any, out: Any) -> int:
        out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 7, 0, 0, 0
        return 1

    for relation, words in ((lost, "has no route"), (round_and_round, "livelock"), (off_the_edge, "not there")):
        config = preset("booksim", load=0.01, measure_cycles=3000, warmup_cycles=0)
        with pytest.raises(JumpnetError, match=words):
            measure(Engine(build("torus:4"), Routing(name="test.bad", relation=relation), config))


@pytest.mark.parametrize(("gap", "behind"), [(0, True), (4, False)])
def test_a_replay_is_saturated_when_its_sources_fall_behind_the_recorded_cycles(gap: int, behind: bool) -> None:
    """Packets of 4 flits, as many cycles apart as they need or all at once: both lists arrive, one in time."""
    k = np.arange(60)
    packets = PacketList(k // 4 * gap, k % 4, (k + 1) % 4, np.full(60, 4))
    found = simulate("torus:4", trace=packets)
    assert found.drained and found.packets == 60
    assert found.saturated == behind == (found.source_lag > 0.02)
