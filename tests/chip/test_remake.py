"""REMAKE in both models of the chip: every destination once and nobody else, the source's acknowledge last of all."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.chip.loads import arrivals, completed, loaded

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import Packet
from jumpnet.chip.remake import DirectoryMap, directory, remake_packet
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree

Load = tuple[list[Sending], list[DirectoryMap], dict[int, tuple[int, list[int]]]]


def remakes(spec: str, seed: int, packets: int, clocks: int) -> Load:
    """Random multicasts under REMAKE, the maps of the MBPs, and source and destinations of each key."""
    where, rng = territories(spec), random.Random(seed)
    sent: list[Sending] = []
    maps: list[DirectoryMap] = []
    wanted: dict[int, tuple[int, list[int]]] = {}
    for key in range(1, packets + 1):
        source, clock = rng.randrange(where.routers), rng.randrange(clocks)
        pool = where.members(source, rng.randrange(where.top + 1)).tolist()
        to = sorted(rng.sample(pool, min(len(pool), rng.randrange(1, 9))))
        body = (key, *(rng.randrange(1 << 18) for _ in range(rng.randrange(9))))
        packet = remake_packet(where, source, to, key=key, body=body, mbp=rng.randrange(2))
        sent.append(Sending(source, clock, packet.flits()))
        maps += directory(where, source, to, key)
        wanted[key] = source, to
    return sorted(sent, key=lambda s: s.clock), maps, wanted


def plain(load: Load, spec: str, choice: Settings, slices: int = 1) -> ChipNetwork:
    """The plain model with that load."""
    net = loaded(spec, load[0], choice, slices)
    net.install(load[1])
    return net


def got(net: ChipNetwork) -> dict[int, Counter[int]]:
    """How often each router has received the packet of each key."""
    found: dict[int, Counter[int]] = {}
    for router, mbp in enumerate(net.mbps):
        for d in mbp.deliveries:
            found.setdefault(d.flits[4] & 0x3FFFF, Counter())[router] += 1
    return found


@pytest.mark.chip("B7")
@pytest.mark.parametrize(
    ("spec", "seed", "entries"),
    [
        *((spec, seed, n) for spec, seed in (("rdt:4", 1), ("rdt:8", 2), ("rdt:16", 3)) for n in (0, 1, 4)),
        ("rdt:32", 4, 1),
    ],
)
def test_every_destination_gets_it_once_and_the_source_is_answered_last(spec: str, seed: int, entries: int) -> None:
    """One MBP takes 2,000 clocks to answer: no multicast in which it is a leaf and nothing else is answered before."""
    load = remakes(spec, seed, 12, 300)
    net = plain(load, spec, Settings(entries=entries))
    roots = {key: {source, *(m.router for m in load[1] if m.key == key)} for key, (source, _) in load[2].items()}
    slow, watched = next((r, key) for key, (_, to) in load[2].items() for r in to if r not in roots[key])
    net.mbps[slow].ack_delay = 2000
    net.run_until(lambda: net.idle and not any(mbp.own_keys for mbp in net.mbps))
    assert got(net) == {key: Counter(to) for key, (_, to) in load[2].items()}
    last: Counter[int] = Counter()
    for router, mbp in enumerate(net.mbps):
        for d in mbp.deliveries:
            key = d.flits[4] & 0x3FFFF
            last[key] = max(last[key], d.clock + (2000 if router == slow and slow not in roots[key] else 0))
    assert last[watched] > 2000
    answered = {key: (clock, router) for clock, router, key, _ in completed(net)}
    assert len(answered) == len(completed(net)) == len(load[2])
    assert all(clock >= last[key] and router == load[2][key][0] for key, (clock, router) in answered.items())
    assert not any(mbp.software or mbp.remaker.waiting for mbp in net.mbps)
    assert not any(entry for chip in net.chips[0] for entry in chip.unit.entries)


@pytest.mark.chip("B7")
@settings(max_examples=6)
@given(
    st.sampled_from(["rdt:4", "rdt:8"]), st.integers(0, 2**20), st.integers(1, 2),
    st.builds(Settings, entries=st.integers(0, 4), turn_round=st.integers(0, 1), early=st.booleans(),
              full_duplex=st.booleans(), remake_clocks=st.integers(1, 60)),
)  # fmt: skip
@example("rdt:16", 5, 1, Settings(entries=1))
@example("rdt:4", 6, 2, Settings(entries=0))
def test_kernel_is_the_plain_model_under_remake(spec: str, seed: int, slices: int, choice: Settings) -> None:
    load = remakes(spec, seed, 24, 200)
    wide = [p._replace(flits=[sum(flit << 18 * s for s in range(slices)) for flit in p.flits]) for p in load[0]]
    net = plain(load, spec, choice, slices)
    fast = FastNetwork(spec, wide, choice, slices=slices, maps=load[1])
    for _ in range(40):
        net.run(60)
        fast.run(60)
        assert [tuple(a) for a in sorted(fast.arrivals())] == arrivals(net)
        assert [tuple(done) for done in sorted(fast.completed())] == completed(net)
        again = sorted(
            (clock, r, key, rank) for r, mbp in enumerate(net.mbps) for clock, key, rank in mbp.remaker.started
        )
        assert sorted(fast.started()) == again
    assert fast.idle and fast.unanswered == 0 and again
    assert got(net) == {key: Counter(to) for key, (_, to) in load[2].items()}


@pytest.mark.chip("B7")
@pytest.mark.parametrize("spec", ["rdt:8", "rdt:16"])
def test_the_mbps_that_start_again_are_the_roots_of_the_hierarchies(spec: str) -> None:
    """The map of each is used once, but that of a source that is itself where the multicast starts."""
    load = remakes(spec, 9, 10, 100)
    fast = FastNetwork(spec, load[0], maps=load[1])
    fast.run(4000)
    started = Counter((router, key, rank) for _, router, key, rank in fast.started())
    tops = {key: max(m.rank for m in load[1] if m.key == key) for key in load[2]}
    by_itself = {(source, key, tops[key]) for key, (source, _) in load[2].items()}
    assert started == Counter({m[:3] for m in load[1]} - by_itself)


def test_the_maps_name_the_destinations_and_nobody_else() -> None:
    """As many leaves below the maps as destinations; SM, with one map a rank, has more of them here."""
    where = territories("rdt:32")
    for seed in range(20):
        rng = random.Random(seed)
        to = rng.sample(where.members(seed, 2).tolist(), 7)
        maps = directory(where, seed, to, key=1)
        assert sum(m.map.bit_count() for m in maps if m.rank == 0) == 7
        assert len(multicast_tree(where, scheme("SM"), seed, to).receivers) > 7


@pytest.mark.chip("X8")
def test_five_ranks_need_no_broadcast() -> None:
    """The header's four maps are no limit: each hierarchy's map is made where it starts."""
    where = wire("rdt:128").where
    near = set(where.members(0, 3).tolist())
    far = [r for r in where.members(0, 4).tolist() if r not in near][:2]
    net = FastNetwork(
        "rdt:128", [Sending(0, 0, remake_packet(where, 0, far, key=8).flits())], maps=directory(where, 0, far, 8)
    )
    net.run(1500)
    assert sorted(a.router for a in net.arrivals()) == sorted(far) and len(net.completed()) == 1


@pytest.mark.parametrize("model", [ChipNetwork, lambda spec: FastNetwork(spec, [Sending(0, 0, PACKET)])])
def test_a_map_that_no_directory_has_is_said(model: Any) -> None:
    net = model("rdt:8")
    if isinstance(net, ChipNetwork):
        net.mbps[0].send(PACKET)
    with pytest.raises(JumpnetError, match="director"):
        net.run(200)


PACKET = Packet(1, (0b11, 0, 0, 0), mode=3, key=7).flits()


@pytest.mark.chip("B7", "D3")
@pytest.mark.parametrize(("seed", "entries"), [(1, 4), (2, 1), (3, 0)])
def test_a_shoot_down_loses_and_doubles_nothing_under_remake(seed: int, entries: int) -> None:
    """Three shoot-downs and set-ups at any clocks, the same in both models."""
    load = remakes("rdt:8", seed, 24, 120)
    choice, rng = Settings(entries=entries), random.Random(seed)
    net, fast = plain(load, "rdt:8", choice), FastNetwork("rdt:8", load[0], choice, maps=load[1])
    for _ in range(3):
        clocks, router = rng.randrange(20, 90), rng.randrange(64)
        net.run(clocks)
        fast.run(clocks)
        assert net.shoot_down(router) == fast.shoot_down(router)
        assert any(mbp.memory for mbp in net.mbps)
        assert net.set_up() == fast.set_up()
    net.run(3000)
    fast.run(3000)
    assert [tuple(a) for a in sorted(fast.arrivals())] == arrivals(net)
    assert [tuple(done) for done in sorted(fast.completed())] == completed(net)
    assert got(net) == {key: Counter(to) for key, (_, to) in load[2].items()}
    assert len(completed(net)) == len(load[2]) and fast.idle and not net.errors()
