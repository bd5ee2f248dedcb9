"""Packets posted from outside, a few cycles at a time, fare as the same packets replayed from a list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.twin.sim.test_same_events import PHASES

from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.outside import Outside
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build
from jumpnet.traffic import PacketList

NET = build("torus:4x4")
CONFIG = preset("jump1", vcs=2, load=0.0, events=True)
ROUTING = "torus.dateline"
PACKETS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 15), st.integers(0, 15), st.integers(1, 12)), min_size=1, max_size=40
)


def _arrivals(events):
    """Cycle of the last arrival by source and number of packet at its source."""
    last = {}
    for cycle, kind, source, number, *_ in events.tolist():
        if kind == at.EVENT_ARRIVE:
            last[source, number] = max(cycle, last.get((source, number), 0))
    return last


@settings(max_examples=25)
@given(PACKETS, st.sampled_from([1, 7, 400]))
def test_equals_the_replay(packets, quantum) -> None:
    packets = sorted(packets)
    columns = [np.array(c) for c in zip(*packets, strict=True)]
    replay = Engine(NET, ROUTING, CONFIG, PacketList(*columns))
    replay.advance(400)
    expected = _arrivals(replay.events())

    network, taken = Outside(NET, ROUTING, CONFIG), {}
    for start in range(0, 400, quantum):
        now = (columns[0] >= start) & (columns[0] < start + quantum)
        network.post(np.flatnonzero(now), columns[1][now], columns[2][now], columns[0][now], columns[3][now])
        network.advance(start + quantum)
        for number, created, arrived in zip(*(c.tolist() for c in network.take()), strict=True):
            assert created == packets[number][0] and arrived >= created
            taken[number] = arrived
    assert network.packets == 0 and len(taken) == len(packets)
    seen = {}
    for number, (_, source, _, _) in enumerate(packets):
        place = seen.get(source, 0)
        seen[source] = place + 1
        assert taken[number] == expected[source, place]


NETWORKS = CONFIG.replace(more_classes=[{"load": 0.0}] * 2, class_channels="own")


@settings(max_examples=8, phases=PHASES)
@given(PACKETS, st.lists(st.integers(0, 2), min_size=40, max_size=40), st.sampled_from([1, 7, 300]))
def test_virtual_networks_equal_the_reference(packets, classes, quantum) -> None:
    packets, bound = sorted(packets), bind(ROUTING, NET, 2)
    network, slow = Outside(NET, ROUTING, NETWORKS), Simulation(NET, bound, NETWORKS)
    for number, ((created, source, to, flits), c) in enumerate(zip(packets, classes, strict=False)):
        terminal = slow.terminals[source]
        terminal.sources[c].queue.append(terminal.packet(to, flits, created, 2 * c, number))
    columns = [np.array(c) for c in zip(*packets, strict=True)]
    for start in range(0, 300, quantum):
        now = np.flatnonzero((columns[0] >= start) & (columns[0] < start + quantum))
        created, source, to, flits = (c[now] for c in columns)
        network.post(now, source, to, created, flits, np.array(classes)[now])
        network.advance(start + quantum)
    slow.run(start + quantum)
    events = network.engine.events()
    assert network.packets == 0 and (events[:, at.EVENT_FIELDS - 4] == 2 * np.array(classes)[events[:, 3]]).all()
    assert [row.tolist() for row in events] == [list(row) for row in sorted(slow.events)]


def test_a_virtual_network_passes_one_that_stands() -> None:
    """A ring that deadlocks without a dateline in one network; a packet of the other goes through as if alone.

    From 0 to 2 it passes two links: 3 + 3 x 4 + 2 = 17 cycles after its creation in cycle 100. At its source and on
    both links it shares wires with packets that stand, which take none.
    """
    config = preset("booksim", vcs=1, buffer_flits=2, more_classes=[{}], class_channels="own")
    network, nodes, one = Outside(build("torus:8"), "torus.dimension_order", config), np.arange(8), np.ones(1, np.int64)
    network.post(nodes, nodes, (nodes + 3) % 8, 0 * nodes, 0 * nodes + 64)
    network.advance(100)
    network.post(99 * one, 0 * one, 2 * one, 100 * one, one, one)
    network.advance(200)
    assert [row.tolist() for row in network.take()] == [[99], [100], [117]]


def test_one_thread_has_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked for: threads would write over each other's deliveries."""
    monkeypatch.setenv("JUMPNET_THREADS", "2")
    network, nodes = Outside(build("torus:8x8"), "torus.dateline", preset("booksim", vcs=2)), np.arange(64)
    network.post(nodes, nodes, (nodes + 32) % 64, 0 * nodes, 0 * nodes + 3)
    network.advance(200)
    assert sorted(network.take()[0].tolist()) == nodes.tolist() and network.engine.team is None


def test_what_cannot_be_posted_is_refused() -> None:
    network, one = Outside(NET, ROUTING, CONFIG), np.ones(1, np.int64)
    network.advance(5)
    with pytest.raises(JumpnetError, match="destination 16 found, 0 to 15 expected"):
        network.post(one, one, 16 * one, 9 * one, one)
    with pytest.raises(JumpnetError, match="a packet before cycle 5"):
        network.post(one, one, one, 4 * one, one)
    with pytest.raises(JumpnetError, match="reply_flits 4 found"):
        Outside(NET, ROUTING, CONFIG.replace(reply_flits=4))
    with pytest.raises(
        JumpnetError, match=r"more_classes .* expected where packets are posted, without class_channels"
    ):
        Outside(NET, ROUTING, CONFIG.replace(entry_vcs=0, more_classes=[{}]))
    with pytest.raises(JumpnetError, match="class 1 of a packet found, 0 to 0 expected"):
        network.post(one, one, one, 9 * one, one, one)


def test_many_packets_at_once_find_room() -> None:
    network = Outside(NET, ROUTING, preset("jump1", vcs=2))
    n = 5000
    number = np.arange(n)
    network.post(number, number % 16, (number + 5) % 16, np.sort(number % 7), np.ones(n, np.int64))
    arrived = []
    while network.packets:
        network.advance(network.cycle + 100)
        arrived += network.take()[0].tolist()
    assert sorted(arrived) == number.tolist()


@pytest.mark.parametrize("idle", [0, 5 * CONFIG.deadlock_cycles])
def test_a_packet_in_a_network_that_was_empty_for_long_is_no_deadlock(idle) -> None:
    network, one = Outside(NET, ROUTING, CONFIG), np.ones(1, np.int64)
    start = 5 * (CONFIG.deadlock_cycles + 1) - 2  # just before a multiple of the steps in which stillness is looked at
    network.advance(idle)
    network.post(one, one, 3 * one, start * one, one)
    network.advance(start + 2)  # it is in, and has not moved
    network.advance(start + 50)
    assert network.packets == 0


def test_a_deadlock_is_found() -> None:
    # Without a dateline every node of a ring sends a long packet three nodes on.
    config = preset("booksim", vcs=1, buffer_flits=2)
    network, nodes = Outside(build("torus:8"), "torus.dimension_order", config), np.arange(8)
    network.post(nodes, nodes, (nodes + 3) % 8, 0 * nodes, 0 * nodes + 64)
    with pytest.raises(JumpnetError, match=r"no flit has moved since cycle .* deadlock"):
        network.advance(5 * config.deadlock_cycles)
