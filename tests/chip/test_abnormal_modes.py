"""The kernel equals the plain model in a shoot-down, with two slices, timers and injected faults, clock by clock."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.chip.loads import arrivals, completed, loaded, random_packets

import jumpnet.chip.compiled.network as compiled
from jumpnet.chip import modes
from jumpnet.chip.buffer import PacketBuffer
from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.compiled._crossbar import _flushed
from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.links import COMBINE, EAST, FLIT, IDLE, LAST, LINKS, MBP0
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.modes import NORMAL, SETTING_UP
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import FLIT_BITS, HEADER_FLITS, Ack, Packet
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError
from jumpnet.report.nishi1997router import stages

LIMIT = 1500
"""Clocks that may pass before a shoot-down or a set-up counts as hanging, in these tests."""
FIRST_ON_THE_LINE = 7
"""Clock in which the first flit of a packet that its MBP sends at once leaves the first chip."""
ACTIONS = ("nothing", "shoot", "flip", "stick", "mend", "disturb", "SHOOT", "WATCHDOG")

choices = st.builds(
    Settings,
    full_duplex=st.booleans(),
    turn_round=st.integers(0, 1),
    early=st.booleans(),
    bitmap_clocks=st.integers(0, 3),
    entries=st.integers(1, 4),
    entry_ticks=st.sampled_from([0, 3, 8]),
    watchdog_clocks=st.sampled_from([40, 80, 5000]),
    cascade=st.booleans(),
)


def plain_state(net: ChipNetwork) -> dict[str, Any]:
    """All that can be compared."""
    mbps = list(enumerate(net.mbps))
    deliveries = [(d.clock, d.head, r, d.link, d.flits, d.damage) for r, mbp in mbps for d in mbp.deliveries]
    chips = [chip for plane in net.chips for chip in plane]
    return {
        "arrivals": arrivals(net),
        "damage": [d[-1] for d in sorted(deliveries)],
        "completed": completed(net),
        "lost": sorted((clock, r, ack.key, ack.body) for r, mbp in mbps for clock, ack in mbp.lost),
        "kept": {r: mbp.memory for r, mbp in mbps if mbp.memory},
        "errors": sorted(net.errors()),
        "modes": [chip.modes.now for chip in chips],
        "parities": [pair[plane] for plane in range(len(net.chips)) for pair in net._parities],
        "asleep": [thing.asleep for thing in (*chips, *net.mbps)],
    }


def fast_state(net: FastNetwork) -> dict[str, Any]:
    """Likewise of the compiled model."""
    routers, chip = net.wiring.chips, net.state.chip
    return {
        "arrivals": [tuple(a) for a in sorted(net.arrivals())],
        "damage": [a.damage for a in sorted(net.arrivals())],
        "completed": [tuple(done) for done in sorted(net.completed())],
        "lost": [tuple(done) for done in sorted(net.lost())],
        "kept": net.kept(),
        "errors": sorted(net.errors()),
        "modes": net.modes,
        "parities": chip[:, at.K_PARITY].tolist(),
        "asleep": [bool(word) for word in (*chip[:, at.K_ASLEEP], *chip[:routers, at.K_MBP_ASLEEP])],
    }


def act(rng: random.Random, action: str, net: ChipNetwork, fast: FastNetwork) -> None:
    """Do the same to both: a fault, or a command."""
    router, link, slice_ = rng.randrange(len(net.mbps)), rng.randrange(LINKS), rng.randrange(len(net.chips))
    lines, ends = [plane[router].lines[link] for plane in net.chips], [plane[router].ends[link] for plane in net.chips]
    bit, clock = 1 << rng.randrange(18), net.clock + rng.randrange(3)
    if action in ("SHOOT", "WATCHDOG"):
        net.mbps[router].command(action, value=1, clock=net.clock)
        fast.command(router, action, 1)
    elif lines[0] is None:
        return
    elif action == "flip":
        for when in range(clock, clock + rng.randrange(1, 8)):
            flips = lines[slice_].flips  # type: ignore[union-attr]
            flips[when] = flips.get(when, 0) ^ bit
            fast.flip(router, link, when, bit, slice_)
    elif action in ("stick", "mend"):
        for plane, line, end in zip(net.chips, lines, ends, strict=True):
            line.stuck_ready[end] = action == "stick"  # type: ignore[union-attr]
            plane[router].asleep = False
        fast.stick(router, link, action == "stick")
    elif action == "disturb" and len(net.chips) == 2:
        vc, output = rng.randrange(2), 1 << rng.randrange(MBP0)
        if net.chips[1][router].buffers[link][vc].decision is not None:
            net.chips[1][router].buffers[link][vc].remaining ^= output
            fast.disturb(router, link, vc, output, 1)


def outcome(doing: Any) -> Any:
    """What a method returns, or None when it gives up."""
    try:
        return doing()
    except JumpnetError:
        return None


@settings(max_examples=2)
@given(st.sampled_from(["rdt:4", "rdt:8"]), st.integers(0, 2**20), st.integers(1, 2), choices)
@example("rdt:4", 8, 2, Settings(watchdog_clocks=40, cascade=True))
@example("rdt:8", 6, 1, Settings(entry_ticks=3, watchdog_clocks=40, entries=1))
@example("rdt:4", 16, 2, Settings(full_duplex=True, early=False))
@example("rdt:4", 596, 1, Settings(turn_round=0, early=False, bitmap_clocks=3, entries=3, watchdog_clocks=40))
def test_kernel_is_the_plain_model_when_things_go_wrong(spec: str, seed: int, slices: int, choice: Settings) -> None:
    """Until a fault leaves the plain model without an answer (a garbled command, say), all is the same."""
    rng, routers = random.Random(seed), int(spec.partition(":")[2]) ** 2
    packets = random_packets(spec, seed, 0.6 / routers, 80)
    wide = [p._replace(flits=[sum(flit << 18 * s for s in range(slices)) for flit in p.flits]) for p in packets]
    net, fast = loaded(spec, packets, choice, slices), FastNetwork(spec, wide, choice, slices=slices)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "LIMIT", LIMIT)
        patch.setattr(ChipNetwork.run_until, "__defaults__", (LIMIT,))
        for _ in range(10):
            clocks = rng.randrange(1, 25)
            if outcome(lambda: [net.run(clocks)]) is None:  # noqa: B023
                break
            fast.run(clocks)
            assert plain_state(net) == fast_state(fast)
            action = rng.choice(ACTIONS)
            if action != "shoot":
                act(rng, action, net, fast)
                continue
            where = rng.randrange(routers)
            shot = outcome(lambda: net.shoot_down(where))  # noqa: B023
            assert shot == outcome(lambda: fast.shoot_down(where))  # noqa: B023
            if shot is None:
                break
            assert plain_state(net) == fast_state(fast)
            up = outcome(net.set_up)
            assert up == outcome(fast.set_up)
            if up is None:
                break
    assert packets


def test_256_chips_are_shot_down_and_set_up_without_a_loss() -> None:
    """What a run left alone delivers, a run delivers that is shot down three times, in every slice."""
    packets = random_packets("rdt:16", 7, 0.002, 1200)
    wide = [p._replace(flits=[flit << 18 | flit for flit in p.flits]) for p in packets]
    alone, shot = (FastNetwork("rdt:16", wide, slices=2) for _ in range(2))
    alone.run(3000)
    for router in (0, 100, 255):
        shot.run(90)
        shot.shoot_down(router)
        assert set(shot.modes) == {SETTING_UP} and sum(map(len, shot.kept().values())) > 20
        shot.set_up()
        assert set(shot.modes) == {NORMAL} and not shot.kept()
    shot.run(3000)
    assert alone.idle and shot.idle and shot.unanswered == 0 and not shot.errors()
    assert sorted((a.router, a.flits[3:]) for a in shot.arrivals()) == sorted(
        (a.router, a.flits[3:]) for a in alone.arrivals()
    )


@pytest.mark.chip("E1")
@pytest.mark.parametrize("to", [1, 18])
def test_a_wrong_header_goes_no_further(to: int) -> None:
    """Any bit of the first three flits flipped on the way: the next chip notices, and hands the packet to its MBP."""
    packet = Sending(0, 0, message(wire("rdt:8").where, 0, to, body=(1, 2)).flits())
    for flit in range(HEADER_FLITS):
        for bit in range(FLIT_BITS):
            net = FastNetwork("rdt:8", [packet])
            net.flip(0, EAST, FIRST_ON_THE_LINE + flit, 1 << bit)
            net.run(100)
            first, *others = net.errors()  # a flit of the body may seem to be an address after a wrong type
            assert first == (1, f"wrong parity in flit {flit + 1} on W0") and {r for r, _ in others} <= {1}
            assert not net.arrivals() and {r: len(kept) for r, kept in net.kept().items()} == {1: 1}


def passing(net: ChipNetwork, clocks: int) -> list[tuple[int, int, int, int]]:
    """(router, link, clock, number in its packet) of every flit that leaves a router for another."""
    found, number = [], dict.fromkeys(((r, link) for r in range(len(net.mbps)) for link in range(MBP0)), 0)
    for _ in range(clocks):
        net.step()
        for router, link in number:
            line, end = net.chips[0][router].lines[link], net.chips[0][router].ends[link]
            driven, _, strobe = (-1, 0, IDLE) if line is None else line.wire[end].now
            if driven == net.clock - 1 and strobe != IDLE:
                found.append((router, link, driven, number[router, link]))
                number[router, link] = 0 if strobe == LAST else number[router, link] + 1
    return found


@pytest.mark.chip("E1", "E2")
def test_every_bit_of_a_multicast_and_its_acknowledges_that_flips_on_any_line_is_noticed() -> None:
    """In the header by the next chip at once, in the body by a destination and by no chip."""
    wiring = wire("rdt:4")
    flits = multicast_packet(wiring.where, "SM", 0, [1, 4, 5], body=(5,), key=77).flits()
    plain = ChipNetwork(wiring)
    plain.mbps[0].send(flits)
    flown = passing(plain, 80)
    assert plain.mbps[0].completed and {number for *_, number in flown} == set(range(len(flits)))
    for router, link, clock, number in flown:
        for bit in range(FLIT_BITS):
            net = FastNetwork(wiring, [Sending(0, 0, flits)])
            net.flip(router, link, clock, 1 << bit)
            net.run(clock + 2)
            assert [r for r, _ in net.errors()] == ([wiring.peer[router, link]] if number <= HEADER_FLITS else [])
            net.run(80)
            damaged = any(a.damage for a in net.arrivals())
            assert damaged or (number <= HEADER_FLITS and net.kept())


def entered_late(shot_at: int) -> int:
    """Flits that come into a chip from its neighbors while it sets up, when it was shot down in some clock."""
    net, here, late = ChipNetwork("rdt:4"), 5, 0
    for router in range(net.wiring.chips):
        if router != here:
            net.mbps[router].send(message(net.wiring.where, router, here, body=(1,)).flits())
    net.run(shot_at)
    chip = net.chips[0][here]
    chip.modes.shoot()
    for _ in range(60):
        mode, before = chip.modes.now, [buffer.count for pair in chip.buffers[:MBP0] for buffer in pair]
        net.step()
        after = [buffer.count for pair in chip.buffers[:MBP0] for buffer in pair]
        late += mode == SETTING_UP and any(b > a for a, b in zip(before, after, strict=True))
    return late


@pytest.mark.chip("D1")
def test_a_chip_sets_up_when_nothing_can_come_in_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packet checked in the clock of the shoot-down takes check, arbitration, crossbar and line; one clock more."""
    hop = stages()["one"]
    net = ChipNetwork("rdt:4")
    chip = net.chips[0][0]
    chip.modes.shoot()
    net.run_until(lambda: chip.modes.now == SETTING_UP, LIMIT)
    assert net.clock == hop.check + hop.arbitration + hop.crossbar + hop.line + 2
    assert [entered_late(clock) for clock in range(30)] == [0] * 30
    monkeypatch.setattr(modes, "SETTLE", 0)
    assert any(entered_late(clock) for clock in range(30))


@pytest.mark.chip("K2")
@pytest.mark.parametrize("seed", [1, 2])
def test_acknowledges_that_nobody_owes_are_the_same_in_both_models(seed: int) -> None:
    """Some meet an entry that is through and not yet sent on: it takes no more, they are strays."""
    rng, sent = random.Random(seed), random_packets("rdt:4", seed, 0.04, 80, acked=1.0, mbps=1)
    keys = [packet.flits[3] >> 2 & 0xFFFF for packet in sent]
    many = [
        Sending(rng.randrange(16), rng.randrange(20, 120), Ack(rng.choice(keys), body=1 << k % 9, vc=0).flits())
        for k in range(60)
    ]
    packets = sorted(sent + many, key=lambda packet: packet.clock)
    net, fast = loaded("rdt:4", packets), FastNetwork("rdt:4", packets)
    for _ in range(12):
        net.run(20)
        fast.run(20)
        assert plain_state(net) == fast_state(fast)
    assert any(mbp.software for mbp in net.mbps)


@pytest.mark.chip("E3")
def test_slices_that_disagree_are_the_same_in_both_models() -> None:
    """One bit of what a buffer still has to serve, in each clock that a packet spends in it; noted once a chip."""
    flits = message(wire("rdt:4").where, 0, 1, body=(1, 2, 3)).flits()
    packet, noted = Sending(0, 0, [flit << FLIT_BITS | flit for flit in flits]), 0
    for clock in range(3, 12):
        net, fast = loaded("rdt:4", [packet._replace(flits=flits)], slices=2), FastNetwork("rdt:4", [packet], slices=2)
        net.run(clock)
        fast.run(clock)
        net.chips[1][0].buffers[MBP0][0].remaining ^= 1 << EAST + 1
        fast.disturb(0, MBP0, 0, 1 << EAST + 1, 1)
        for _ in range(4):
            net.run(3)
            fast.run(3)
            assert plain_state(net) == fast_state(fast)
        errors = [text for router, text in net.errors() if router == 0]
        assert errors in ([], 2 * ["the slices disagree"])
        noted += bool(errors)
    assert noted > 3


@pytest.mark.chip("D2")
@pytest.mark.parametrize("router", [0, 5, 15])
def test_the_barrier_line_passes_a_chip_a_clock(router: int) -> None:
    """Clocks until all chips are shooting down: as many as the chips on the longer side; the same in both models."""
    net, fast = ChipNetwork("rdt:4"), FastNetwork("rdt:4", [])
    net.barrier[router] = True
    fast.raise_line(router)
    left: list[list[int]] = []
    for _ in range(20):
        net.step()
        fast.run(1)
        assert [chip.modes.now for chip in net.chips[0]] == fast.modes
        left.append([r for r, mode in enumerate(fast.modes) if mode != NORMAL])
    assert left[0] == [router] and next(k for k, gone in enumerate(left) if len(gone) == 16) == max(router, 15 - router)


def test_two_flips_of_one_bit_in_a_clock_cancel_out() -> None:
    net = FastNetwork("rdt:4", [Sending(0, 0, message(wire("rdt:4").where, 0, 1, body=(1, 2)).flits())])
    for _ in range(2):
        net.flip(0, EAST, FIRST_ON_THE_LINE + 1, 4)
    net.run(100)
    assert not net.errors() and [a.damage for a in net.arrivals()] == [""]


@pytest.mark.chip("E2", "K3")
def test_an_mbp_that_combines_says_what_it_saw_of_a_wrong_copy_though_it_is_no_receiver() -> None:
    """Without entries every chip of the tree hands its MBP a copy; that of the next router notices a wrong body."""
    wiring, choice = wire("rdt:4"), Settings(entries=0)
    packet = Sending(0, 0, multicast_packet(wiring.where, "SM", 0, [1, 6, 9, 10], body=(5,), key=77).flits())
    plain = loaded("rdt:4", [packet], choice)
    flown = [fly for fly in passing(plain, 150) if fly[-1] == HEADER_FLITS + 1]
    receivers = {r for r, mbp in enumerate(plain.mbps) if mbp.deliveries}
    nexts = {int(wiring.peer[router, link]) for router, link, *_ in flown}
    assert plain.mbps[0].completed and nexts - receivers
    for router, link, clock, _ in flown:
        net, fast = loaded("rdt:4", [packet], choice), FastNetwork(wiring, [packet], choice)
        net.lines_of(router, link)[0].flips[clock] = 1
        fast.flip(router, link, clock, 1)
        net.run(200)
        fast.run(200)
        assert plain_state(net) == fast_state(fast)
        assert int(wiring.peer[router, link]) in {a.router for a in fast.arrivals() if a.damage}
        assert fast.unanswered == 1


@pytest.mark.parametrize("flits", [Ack(5).flits(), Packet(0, (1, 0, 0, 0)).flits()])
def test_the_tag_of_a_packet_that_is_flushed_before_its_map_is_known(flits: list[int]) -> None:
    """It lacks every output; an acknowledge may owe one to the combining unit, another packet does not."""
    plain, row = PacketBuffer(2, 1), np.zeros(at.B_WORDS, np.int64)
    for k, flit in enumerate(flits):
        plain.write(flit, LAST if k == len(flits) - 1 else FLIT)
    row[at.B_RAM : at.B_RAM + len(flits)] = flits
    assert _flushed(row, 2, 1) == plain.tag().flit()


@pytest.mark.parametrize(
    ("doing", "expected"),
    [
        (lambda net: net.command(0, "CONFIGURE"), "unknown command of the compiled model 'CONFIGURE'"),
        (lambda net: net.command(0, "WATCHDOG", 4), "watchdog setting 4 found, 0 to 3 expected"),
        (lambda net: net.flip(0, EAST, 1, 1, 1), "slice 1 found, 0 to 0 expected"),
        (lambda net: net.stick(0, COMBINE), "router 0 has no link 10"),
        (lambda net: FastNetwork("rdt:4", [], slices=3), "3 slices found, 1 or 2 expected"),
    ],
)
def test_what_the_compiled_model_refuses(doing: Any, expected: str) -> None:
    with pytest.raises(JumpnetError, match=expected):
        doing(FastNetwork("rdt:4", []))
