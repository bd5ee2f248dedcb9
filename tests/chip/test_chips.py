"""Chips clock by clock: requirements S, M, A, L, K, D, E and X of docs/decisions/0050."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest
from tests.chip.loads import completed, loaded, random_packets

from jumpnet.chip.combining import ENTRIES, CombiningUnit
from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import from_words, to_words, wire
from jumpnet.chip.crossbar import Crossbar, RoundRobin, Transfer
from jumpnet.chip.faults import flips, shoot_downs, slice_faults, stuck_packets
from jumpnet.chip.half_duplex import Line
from jumpnet.chip.links import COMBINE, DIRECTIONS, EAST, LAST, LINKS, MBP0, MBP1, OUTPUTS
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.modes import NORMAL, SETTING_UP
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import HERE, Ack, Packet
from jumpnet.chip.settings import Settings
from jumpnet.chip.watchdog import limit_clocks
from jumpnet.errors import JumpnetError
from jumpnet.report.nishi1997router._measure import channels, passages

EVERY_CHILD = 0xFF


def heads(net: ChipNetwork, router: int) -> list[int]:
    """Clocks in which packets arrived at an MBP with their first flit."""
    return [d.head for d in net.mbps[router].deliveries]


@pytest.mark.chip("S2", "S3", "S4", "S5", "X5")
def test_structure_as_in_table_2(golden: Any) -> None:
    data = golden("nishi1997router")
    blocks = {name: int(cells[1]) for name, cells in data["table_2"]["rows"].items() if cells[1]}
    chip = ChipNetwork("rdt:4").chips[0][0]
    buffers = [buffer for pair in chip.buffers for buffer in pair]
    assert len(buffers) == blocks["RAM for buffer"] and len(chip.buffers) == blocks["Bit-map generator"] == LINKS
    assert all(len(buffer.ram) == int(data["claims"]["packet_flits"]["value"]) for buffer in buffers)
    assert f"{LINKS} x {OUTPUTS}" == data["claims"]["crossbar"]["value"]
    assert len(chip.crossbar.arbiters) == OUTPUTS and all(a.requesters == LINKS for a in chip.crossbar.arbiters)
    assert 2 * int(data["claims"]["link_bits"]["value"]) == int(data["claims"]["sliced_bits"]["value"])
    with pytest.raises(JumpnetError, match="the chip uses it itself"):
        ChipNetwork("rdt:4").mbps[0].send(Ack(1, vc=1).flits(), link=MBP1)


@pytest.mark.chip("X2", "L1", "L2")
def test_five_six_and_seven_clocks_a_hop() -> None:
    """5 from the first flit, 6 where rank 0 starts after rank 1, 7 for acknowledges; then a flit a clock."""
    net = ChipNetwork("rdt:8")
    where = net.wiring.where
    centre = next(r for r in range(64) if net.wiring.registers[r, 0] == 1)
    rank_1 = where.moved(centre, 2, 2)
    net.mbps[centre].send(message(where, centre, where.moved(centre, 1, 0), body=(1, 2)).flits())
    net.mbps[rank_1].send(Packet(1, (0b10, 0b10000, 0, 0), body=(1, 2)).flits())
    net.run(40)
    (near,), (far,) = (net.mbps[r].deliveries for r in (where.moved(centre, 1, 0), where.moved(rank_1, 2, 2)))
    came_in = 3  # Request, grant, and the line into the first chip.
    assert near.head == came_in + 5 + 5 and far.head == came_in + 5 + 6
    assert near.clock == near.head + len(near.flits) - 1
    net.trace([centre, where.moved(centre, 1, 0)])
    start = net.clock
    net.mbps[centre].send(Ack(9, EAST, vc=0).flits(), start, MBP1)
    net.run(30)
    there = net.seen[where.moved(centre, 1, 0)]
    (routed,) = [line for line in there if "map W0.1" in line]
    assert int(routed.split()[0]) == start + came_in + 7 + 3


@pytest.mark.chip("X3", "E5")
def test_clock_rates_and_watchdog_times_as_printed(golden: Any) -> None:
    claims = golden("nishi1997router")["claims"]
    rates = [1_000_000 * int(claims[f"{part}_clock_mhz"]["value"]) for part in ("summary", "body")]
    for rate in rates:
        assert limit_clocks(0, rate) == int(claims["watchdog_least_us"]["value"]) * rate // 10**6
        assert limit_clocks(3, rate) == int(claims["watchdog_most_ms"]["value"]) * rate // 10**3
    found = stuck_packets(clocks=200)
    assert found.caught == found.injected and min(found.clocks) >= 200 and max(found.clocks) <= 250 + 10


@pytest.mark.chip("X4", "S6")
def test_a_line_takes_one_clock_whatever_the_cable() -> None:
    line = Line()
    line.put(0, 5, LAST, clock=7)
    assert line.take(1, 7) == (0, 0) and line.take(1, 8) == (5, LAST) and line.take(1, 9) == (0, 0)


@pytest.mark.chip("X6", "M1", "M2", "M3", "M6")
def test_a_multicast_goes_at_once_to_those_that_are_ready_and_later_to_the_rest() -> None:
    """One neighbor is not ready: the others get the packet while it is still coming in, that one from the buffer."""
    net = ChipNetwork("rdt:8")
    where = net.wiring.where
    blocked = net.lines_of(0, EAST)[0]
    blocked.stuck_ready[1 - net.chips[0][0].ends[EAST]] = True
    net.chips[0][where.moved(0, 1, 0)].asleep = False
    flits = Packet(0, (EVERY_CHILD, 0, 0, 0), body=tuple(range(12))).flits()
    net.mbps[0].send(flits)
    net.run(100)
    north, east = where.moved(0, 0, -1), where.moved(0, 1, 0)
    assert heads(net, north)[0] == 3 + 10 < 2 + len(flits)
    assert not heads(net, east)
    assert [buffer.remaining for buffer in net.chips[0][0].buffers[MBP0]] == [1 << EAST, 0]
    blocked.stuck_ready = [False, False]
    net.chips[0][east].asleep = False
    net.run(100)
    assert net.idle
    got = [d.flits[3:] for mbp in net.mbps for d in mbp.deliveries]
    assert got == [tuple(flits[3:])] * 8


@pytest.mark.chip("M2")
def test_a_multicast_that_waits_for_all_goes_to_nobody_while_one_is_not_ready() -> None:
    """As before, but with `wait_for_all`: no copy leaves until the blocked neighbor is ready, then all in one clock."""
    net = ChipNetwork("rdt:8", Settings(full_duplex=True, wait_for_all=True))
    where = net.wiring.where
    blocked, east = net.lines_of(0, EAST)[0], where.moved(0, 1, 0)
    blocked.stuck_ready[1 - net.chips[0][0].ends[EAST]] = True
    net.chips[0][east].asleep = False
    net.mbps[0].send(Packet(0, (EVERY_CHILD & ~(1 << 4), 0, 0, 0), body=(5,)).flits())
    net.run(100)
    assert not any(mbp.deliveries for mbp in net.mbps)
    blocked.stuck_ready = [False, False]
    net.chips[0][east].asleep = False
    net.run(100)
    near = {heads(net, where.moved(0, *step))[0] for step in ((0, -1), (1, 0), (-1, 0))}
    assert len(near) == 1 and sum(len(mbp.deliveries) for mbp in net.mbps) == 7
    with pytest.raises(JumpnetError, match="full_duplex expected"):
        Settings(wait_for_all=True)


@pytest.mark.chip("M4", "M7", "A2")
def test_the_next_packet_comes_in_while_the_last_copy_leaves() -> None:
    """One flow of long packets: early ready levels leave no room between packets that late ones do."""
    ends = {}
    for early in (True, False):
        net = ChipNetwork("rdt:8", Settings(early=early))
        packets = [message(net.wiring.where, 0, 2, body=(k,) * 12).flits() for k in range(6)]
        for flits in packets:
            net.mbps[0].send(flits)
        net.run_until(lambda net=net: net.idle)  # type: ignore[misc]
        assert [d.flits[3] for d in net.mbps[2].deliveries] == list(range(6))
        assert not any(d.damage for d in net.mbps[2].deliveries)
        ends[early] = net.mbps[2].deliveries[-1].clock
    assert ends[True] < ends[False]


@pytest.mark.chip("M5")
def test_a_blocked_channel_does_not_hold_up_the_other() -> None:
    net = ChipNetwork("rdt:8")
    where = net.wiring.where
    net.lines_of(0, EAST)[0].stuck_ready = [True, True]
    net.chips[0][1].asleep = net.chips[0][0].asleep = False
    net.mbps[0].send(message(where, 0, 1, body=(1,)).flits())
    other = message(where, 0, where.moved(0, 0, 1), body=(2,))
    net.mbps[0].send(Packet(0, other.maps, vc=1, body=(2,)).flits())
    net.run(60)
    assert len(net.mbps[where.moved(0, 0, 1)].deliveries) == 1 and not net.mbps[1].deliveries


@pytest.mark.chip("A1", "A3", "A5")
def test_nine_senders_to_one_mbp_are_served_in_turn() -> None:
    """All eight neighbors' packets and the node's own wait for one output: nobody waits for more than nine packets."""
    arbiter = RoundRobin(LINKS)
    assert [arbiter.grant(set(range(LINKS))) for _ in range(2 * LINKS)] == list(range(LINKS)) * 2
    net = ChipNetwork("rdt:8")
    where = net.wiring.where
    to = next(r for r in range(64) if net.wiring.registers[r, 0] == 1)
    near = [int(r) for r in net.wiring.peer[to] if r >= 0]
    for r in [*near, to]:
        for k in range(4):
            maps = message(where, r, to).maps
            net.mbps[r].send(Packet(message(where, r, to).rank, maps, body=(r, k)).flits())
    net.run_until(lambda: net.idle)
    order = [d.flits[3] for d in net.mbps[to].deliveries]
    assert len(order) == 4 * (len(near) + 1)
    for r in [*near, to]:
        places = [i for i, source in enumerate(order) if source == r]
        assert max(b - a for a, b in zip([-1, *places], places, strict=False)) <= LINKS


@pytest.mark.chip("A4")
def test_an_output_has_one_owner() -> None:
    chip = ChipNetwork("rdt:4").chips[0][0]
    crossbar = Crossbar()
    crossbar.connect(0, Transfer(chip.buffers[0][0], 0, {3: 0}))
    with pytest.raises(AssertionError, match="two owners"):
        crossbar.connect(1, Transfer(chip.buffers[1][0], 0, {3: 0}))


@pytest.mark.chip("S7")
@pytest.mark.parametrize("turn_round", [0, 1])
def test_the_ends_of_a_line_take_turns(turn_round: int) -> None:
    """Two neighbors send to each other all the time: they alternate, and the line never has two drivers."""
    net = ChipNetwork("rdt:8", Settings(turn_round=turn_round))
    for a, b in ((0, 1), (1, 0)):
        for k in range(5):
            net.mbps[a].send(message(net.wiring.where, a, b, body=(k,) * 12).flits())
    line = net.lines_of(0, EAST)[0]
    drivers: list[int] = []
    while not net.idle:
        net.step()
        driving = [end for end in (0, 1) if line.wire[end].now[0] == net.clock - 1]
        assert len(driving) <= 1
        drivers += driving
    turns = [end for k, end in enumerate(drivers) if k == 0 or drivers[k - 1] != end]
    assert len(turns) >= 8 and len(drivers) == 10 * 16


@pytest.mark.chip("K1", "K4", "K6", "X7")
def test_acknowledges_are_combined_into_one() -> None:
    """Every destination answers, bodies joined by or; no acknowledge comes to an MBP but the last, at the source."""
    net = ChipNetwork("rdt:16")
    where = net.wiring.where
    for r, mbp in enumerate(net.mbps):
        mbp.ack_body = 1 << r % 9
    to = where.members(0, 1).tolist()
    net.mbps[0].send(multicast_packet(where, "SM", 0, to, key=77).flits())
    net.run_until(lambda: not net.mbps[0].own_keys and net.idle)
    assert [ack.body for _, ack in net.mbps[0].completed] == [0x1FF]
    assert not any(mbp.software for mbp in net.mbps)
    unit = CombiningUnit()
    made = [unit.reserve() for _ in range(ENTRIES + 1)]
    assert made[-1] is None and len({id(entry) for entry in made}) == ENTRIES + 1


@pytest.mark.chip("K5")
@pytest.mark.parametrize("seed", range(6))
def test_acknowledges_go_back_over_the_lines_of_the_copies_and_seldom_on_their_channels(seed: int) -> None:
    """Every line of a copy once, the other way, on channel 1. A channel of both is that of the source's first move."""
    net = ChipNetwork("rdt:8")
    where, rng = net.wiring.where, random.Random(seed)
    source = rng.randrange(64)
    to = rng.sample(where.members(source, 1).tolist(), 9)
    net.mbps[source].send(multicast_packet(where, "SM", source, to, key=9).flits())
    found = passages(net, 300)
    assert len(net.mbps[source].completed) == 1 and net.idle
    copies = [p for p in found if not p.ack]
    back = sorted((p.router, p.link) for p in found if p.ack)
    assert back == sorted(
        (int(net.wiring.peer[p.router, p.link]), int(net.wiring.peer_link[p.router, p.link])) for p in copies
    )
    assert {p.vc for p in found if p.ack} == {1} and {p.flits for p in found if p.ack} == {3}
    there, acks = channels(found)
    first = min(copies, key=lambda p: p.clock)
    moved = net.wiring.registers[source, 0] != 1
    assert there & acks <= ({(first.router, first.link, first.vc)} if moved else set())


@pytest.mark.chip("K2")
def test_an_acknowledge_of_no_entry_goes_to_the_mbp() -> None:
    net = ChipNetwork("rdt:4")
    net.mbps[3].send(Ack(5, HERE, body=6, vc=0).flits(), link=MBP1)
    net.run(60)
    assert [(entry.key, entry.count, entry.link, entry.body) for entry in net.mbps[3].software] == [(5, -1, None, 6)]


@pytest.mark.chip("K3", "K7")
@pytest.mark.parametrize("entries", [0, 1])
def test_with_few_entries_the_mbps_combine(entries: int) -> None:
    packets = random_packets("rdt:4", 11, 0.02, 100, acked=1.0)
    net = loaded("rdt:4", packets, Settings(entries=entries))
    net.run_until(lambda: net.idle and not any(mbp.own_keys for mbp in net.mbps))
    assert len(completed(net)) == len(packets) > 20
    assert not any(mbp.software for mbp in net.mbps)
    assert all(entry is None for chip in net.chips[0] for entry in chip.unit.entries)


@pytest.mark.chip("K6")
def test_a_lost_acknowledge_frees_its_entry_in_the_end() -> None:
    net = ChipNetwork("rdt:4", Settings(entry_ticks=4, watchdog_clocks=200))
    net.mbps[1].ack_delay = 10**6
    net.mbps[0].send(message(net.wiring.where, 0, 1, key=3).flits())
    net.run(600)
    assert [ack.key for _, ack in net.mbps[0].lost] == [3] and not any(net.chips[0][0].unit.entries)


@pytest.mark.chip("X9")
def test_packets_of_one_route_keep_their_order() -> None:
    wiring = wire("rdt:8")
    packets = []
    for k in range(12):
        for r in range(64):
            to = (r * 7 + 5) % 64
            packets.append(Sending(r, 20 * k, message(wiring.where, r, to, body=(r, k)).flits()))
    fast = FastNetwork(wiring, packets)
    fast.run(4000)
    order = defaultdict(list)
    assert fast.delivered(3) == [[a.clock, a.router, a.flits[3]] for a in fast.arrivals()]
    for arrival in fast.arrivals():
        order[arrival.flits[3]].append(arrival.flits[4])
    assert set(map(tuple, order.values())) == {tuple(range(12))} and len(order) == 64


@pytest.mark.chip("D1", "D3", "D4", "D5", "D6")
def test_shoot_down_and_set_up_change_nothing_but_time() -> None:
    found = shoot_downs(trials=2)
    assert (found.lost, found.doubled, found.overtaken) == (0, 0, 0)
    assert found.caught == found.injected == 2


@pytest.mark.chip("D2")
def test_a_shoot_down_starts_at_the_mbp_by_an_error_or_by_the_barrier_line() -> None:
    net = ChipNetwork("rdt:4")
    net.mbps[2].command("SHOOT")
    net.run(30)
    assert [chip.modes.now for chip in net.chips[0]].count(SETTING_UP) == 1
    assert net.shoot_down(0) >= len(net.mbps) - 1
    net.set_up()
    assert {chip.modes.now for chip in net.chips[0]} == {NORMAL}
    cascading = ChipNetwork("rdt:4", Settings(cascade=True))
    cascading.lines_of(0, EAST)[0].flips[5 + 2] = 1
    cascading.mbps[0].send(message(cascading.wiring.where, 0, 1).flits())
    cascading.run(60)
    assert [r for r, _ in cascading.errors()] == [1]
    assert all(chip.modes.now == SETTING_UP for chip in cascading.chips[0])


@pytest.mark.chip("D1", "D2")
def test_after_a_shoot_down_that_cascaded_all_chips_are_set_up() -> None:
    """Chips that give back several packets stay in setting up longer: they must not shoot the others down again."""
    net = ChipNetwork("rdt:4", Settings(cascade=True))
    for r in range(16):
        for k in range(6):
            net.mbps[r].send(message(net.wiring.where, r, (r * 5 + k) % 16, body=(r, k) * 4).flits())
    net.run(12)
    for clock in range(12, 60):
        net.lines_of(0, EAST)[0].flips[clock] = 1
    net.run(300)
    assert net.errors() and {chip.modes.now for chip in net.chips[0]} == {SETTING_UP}
    assert net.set_up() < 200 and {chip.modes.now for chip in net.chips[0]} == {NORMAL}
    commanded = ChipNetwork("rdt:4", Settings(cascade=True))
    commanded.mbps[2].command("SHOOT")
    commanded.run(40)
    assert {chip.modes.now for chip in commanded.chips[0]} == {SETTING_UP}


@pytest.mark.chip("E1", "E2", "E4")
def test_every_flipped_bit_is_found() -> None:
    header, body = flips()
    assert header.caught == header.injected == 4 * 18 and set(header.clocks) == {1}
    assert body.caught == body.injected == 4 * 18
    for found in (header, body):  # whatever bit it was, status and channel included: handed over or delivered, once
        assert (found.lost, found.doubled) == (0, 0)


@pytest.mark.chip("E3")
def test_slices_that_disagree_are_noticed() -> None:
    found = slice_faults(trials=10)
    assert found.caught == found.injected == 10 and set(found.clocks) == {2}
    assert (found.lost, found.doubled) == (0, 0)


@pytest.mark.chip("E6")
def test_the_watchdog_flushes_a_packet_and_the_mode_stays() -> None:
    net = ChipNetwork("rdt:4", Settings(watchdog_clocks=100))
    net.lines_of(0, EAST)[0].stuck_ready = [True, True]
    net.chips[0][0].asleep = net.chips[0][1].asleep = False
    net.mbps[0].send(message(net.wiring.where, 0, 1, body=(4,)).flits())
    net.run(200)
    (kept,) = net.mbps[0].memory
    assert (kept.tag.link, kept.tag.map, kept.flits[3]) == (MBP0, 1 << EAST, 4)
    assert net.chips[0][0].modes.now == NORMAL and net.chips[0][0].quiet


@pytest.mark.chip("E7")
def test_registers_are_loaded_by_commands() -> None:
    net = ChipNetwork("rdt:4")
    chip, wanted = net.chips[0][0], net.wiring.registers[0]
    chip.registers = from_words([])
    assert not chip.registers.any()
    for index, value in enumerate(to_words(wanted)):
        net.mbps[0].command("CONFIGURE", index, value)
    net.mbps[0].command("WATCHDOG", value=2)
    net.run(60)
    assert (chip.registers == wanted).all() and chip.watchdog.period == limit_clocks(2) // 4
    assert not net.errors() and DIRECTIONS[EAST] == "E" and COMBINE == LINKS
