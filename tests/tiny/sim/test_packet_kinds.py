"""Reads and writes, and classes with priorities, argued by hand on a ring; what does not go together is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.outside import Outside
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList

EXCHANGE: dict[str, Any] = {"packet_flits": "1+4", "exchange_flits": "5,2", "exchange_vcs": "0,2,4,6", "port_vcs": 8}


def tails(packets: list[tuple[int, int, int, int]], **settings: Any) -> list[tuple[int, int, int]]:
    """(kind, source, cycle) of each packet's last flit at its terminal, in a ring of eight routers."""
    config = config_from({"events": True, "vcs": 2, **EXCHANGE, **settings})
    trace = PacketList(*(np.array(column) for column in zip(*packets, strict=True)))
    engine = Engine(build("torus:8"), "torus.dimension_order", config, trace)
    engine.advance(300)
    rows = engine.events()
    rows = rows[rows[:, 1] == at.EVENT_ARRIVE]
    packet = rows[:, [4, 2, 3]]
    last = [k for k in range(len(rows)) if not (packet[k + 1 :] == packet[k]).all(axis=1).any()]
    return [(int(rows[k, 4]), int(rows[k, 2]), int(rows[k, 0])) for k in last]


@pytest.mark.parametrize(("flits", "reply", "kind"), [(1, 5, 0), (4, 2, 2)])
def test_a_request_is_answered_in_the_cycle_after_it_arrives(flits: int, reply: int, kind: int) -> None:
    """Two links: the head takes 3 + 3 x 4 + 2 = 17 cycles, the tail one more for each flit behind it.

    The reply is created when the tail of the request arrives, and can enter one cycle later.
    """
    there = 17 + flits - 1
    back = there + 1 + 17 + reply - 1
    assert tails([(0, 0, 2, flits)]) == [(kind, 0, there), (kind + 1, 2, back)]


def test_each_kind_has_its_virtual_channels() -> None:
    """Reads of 1 flit and writes of 4: requests begin with channels 0 and 2, their replies with 4 and 6."""
    config = config_from({"events": True, "load": 0.3, "vcs": 2, **EXCHANGE})
    engine = Engine(build("torus:8"), "torus.booksim", config)
    engine.advance(400)
    rows = engine.events()
    for kind, first in ((0, 0), (2, 2), (1, 4), (3, 6)):
        used = set((rows[rows[:, 4] == kind, 7] % 8).tolist())
        assert used and used <= {first, first + 1}


def test_each_kind_goes_into_its_copy_of_the_network() -> None:
    """Of three copies reads take the first one, writes the second, their replies the third and the second."""
    config = config_from(
        {"events": True, "load": 0.3, "vcs": 2, **EXCHANGE, "subnets": 3, "exchange_subnets": "0,1,2,1"}
    )
    engine = Engine(build("torus:8"), "torus.booksim", config)
    engine.advance(200)
    rows = engine.events()
    rows = rows[rows[:, 1] == at.EVENT_SWITCH]
    assert {k: set((rows[rows[:, 4] == k, 6] // 8).tolist()) for k in range(4)} == {0: {0}, 2: {1}, 1: {2}, 3: {1}}


def test_replies_enter_before_requests_that_wait() -> None:
    """Terminal 2 has three writes of 4 flits from cycle 0 on; a read from terminal 1 arrives at 12, during the fourth.

    The read passes one link: 3 + 2 x 4 + 1 = 12 cycles. Its reply of 5 flits enters when the packet that is entering at
    cycle 13 is through: the writes enter in cycles 0-3, 4-7, 8-11 and 12-15, so the reply does before the fifth, in
    16-20.
    """
    config = config_from({"events": True, "vcs": 2, "buffer_flits": 32, **EXCHANGE})
    packets = [(0, 1, 2, 1), *[(0, 2, 3, 4)] * 6]
    trace = PacketList(*(np.array(c) for c in zip(*packets, strict=True)))
    engine = Engine(build("torus:8"), "torus.dimension_order", config, trace)
    engine.advance(100)
    rows = engine.events()
    entered = rows[(rows[:, 1] == at.EVENT_ENTER) & (rows[:, 2] == 2)]
    assert entered[entered[:, 4] == 1, 0].tolist() == [16, 17, 18, 19, 20]


@pytest.mark.parametrize("priority", ["none", "class"])
def test_a_class_with_priority_waits_for_no_flit_of_another(priority: str) -> None:
    """Every terminal sends to its neighbour, packets of 16 flits, and single flits that go first.

    Nothing meets but the two classes of one source. An empty channel is always there; so a single flit takes
    3 + 2 x 4 + 1 = 12 cycles, as if alone. In turn some wait a cycle for a flit of the other class.
    """
    more = [{"load": 0.1, "traffic": "neighbor", "packet_flits": "1", "priority": 1}]
    point = simulate(
        "torus:8", "torus.dateline", load=0.4, traffic="neighbor", packet_flits="16", vcs=16, vc_reuse="empty",
        buffer_flits=32, more_classes=more, priority=priority, warmup_cycles=500, measure_cycles=4000,
    )  # fmt: skip
    single = point.class_1_packet_latency_mean_cycles
    assert single == 12.0 if priority == "class" else single > 12.0
    assert point.class_0_packet_latency_mean_cycles > 27.0
    assert point.offered_load == pytest.approx(0.5)
    assert point.class_0_accepted_load == pytest.approx(0.4, rel=0.1)
    assert point.class_1_accepted_load == pytest.approx(0.1, rel=0.1)


def test_what_a_saturated_network_accepts_of_each_class_was_created_long_before() -> None:
    """All terminals send to one, which takes a flit a cycle: at the end of the warm-up 15 of 16 packets wait."""
    point = simulate(
        "mesh:4x4", load=0.4, traffic="hotspot:nodes=0", more_classes=[{"load": 0.4, "traffic": "hotspot:nodes=0"}],
        warmup_cycles=3000, measure_cycles=1000, drain=False,
    )  # fmt: skip
    of_classes = point.class_0_accepted_load, point.class_1_accepted_load
    assert point.saturated
    assert sum(of_classes) == pytest.approx(point.accepted_load, rel=0.01)
    assert min(of_classes) > 0.4 * point.accepted_load


def test_classes_of_one_priority_enter_in_turn() -> None:
    """Terminal 0 has a packet of 4 flits of each of two classes that go first alike: they enter flit by flit."""
    config = config_from(
        {"events": True, "vcs": 2, "class_channels": "own", "priority": "class", "more_classes": [{"priority": 1}] * 2}
    )
    network = Outside(build("torus:8"), "torus.dimension_order", config)
    two = np.zeros(2, np.int64)
    network.post(two, two, two + 2, two, two + 4, np.array([1, 2]))
    network.advance(60)
    rows = network.engine.events()
    entered = rows[rows[:, 1] == at.EVENT_ENTER]
    assert (entered[:, 0] - entered[0, 0]).tolist() == list(range(8))
    assert (entered[:, 4] // 2).tolist() == [1, 2] * 4


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(JumpnetError, match="two of reply_flits, exchange_flits and more_classes found"):
        config_from({**EXCHANGE, "reply_flits": 2})
    with pytest.raises(JumpnetError, match=r"exchange_vcs 0,2,4 found, n, n and 2 n numbers expected"):
        config_from({**EXCHANGE, "exchange_vcs": "0,2,4"})
    with pytest.raises(JumpnetError, match="exchange_flits '5,x' found, numbers from 1"):
        config_from({**EXCHANGE, "exchange_flits": "5,x"})
    with pytest.raises(JumpnetError, match="exchange_vcs 0,2,4,6 found, at most 5 expected with port_vcs 8"):
        Engine(build("torus:8"), "torus.dimension_order", config_from({**EXCHANGE, "vcs": 3}))
    with pytest.raises(JumpnetError, match="priority class found without more_classes"):
        config_from({"priority": "class"})
    with pytest.raises(JumpnetError, match="source_queue_packets or injection_ports above 1 with more_classes"):
        config_from({"more_classes": [{}], "injection_ports": 2})
    with pytest.raises(JumpnetError, match="class_channels own found without more_classes"):
        config_from({"class_channels": "own"})


@pytest.mark.parametrize(
    ("name", "value", "other", "beside"),
    [
        ("class_priority", 3, "more_classes", {"more_classes": [{}]}),
        ("reply_delay_cycles", 30, "reply_flits or exchange_flits", {"reply_flits": 1}),
        ("reply_delay_cycles", 30, "reply_flits or exchange_flits", EXCHANGE),
        ("port_vcs", 8, "exchange_flits", EXCHANGE),
        ("exchange_vcs", "0,2,4,6", "exchange_flits", EXCHANGE),
        ("exchange_subnets", "0,0,0,0", "exchange_flits", {**EXCHANGE, "subnets": 2}),
        ("output_buffer_flits", 3, "output_speedup or internal_speedup above 1", {"output_speedup": 2}),
        ("output_buffer_flits", 3, "output_speedup or internal_speedup above 1", {"internal_speedup": 1.5}),
    ],
)
def test_what_changes_nothing_alone_is_refused(name: str, value: object, other: str, beside: dict[str, Any]) -> None:
    with pytest.raises(JumpnetError, match=f"^{name} {value} without {other} found, both expected$"):
        config_from({name: value})
    assert getattr(config_from({**beside, name: value}), name) == value
