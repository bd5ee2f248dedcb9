"""Batches: hand-worked times, limits of packets under way, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.batches import _Batch, send_batches
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.topology import build
from jumpnet.traffic import PacketList

RING: dict[str, Any] = {"network": "torus:4x4", "routing": "torus.dateline", "traffic": "neighbor", "vcs": 4}
"""Neighbours along both dimensions, three routers: nobody meets anybody, but for the packets of one's own."""


def test_packets_that_wait_for_one_another_take_the_time_of_each_alone() -> None:
    """3 + 3 x 4 + 2 + 3 = 20 cycles from head to tail; the next is sent in the cycle after it has come."""
    assert preset("booksim").zero_load_cycles(3, 4) == 20
    found = send_batches(**RING, packets=7, count=3, outstanding=1, packet_flits="4")
    assert found.batch_cycles == [7 * 21] * 3
    assert found.accepted_load == pytest.approx(4 / 21)


def test_with_enough_packets_under_way_the_source_sends_a_flit_a_cycle() -> None:
    """40 flits back to back, the last 20 - 3 cycles on its way; 6 packets of 4 flits fill the 21 cycles of a loop."""
    for outstanding in (0, 6, 10):
        assert send_batches(**RING, packets=10, outstanding=outstanding, packet_flits="4").batch_cycles == [57]
    assert send_batches(**RING, packets=10, outstanding=2, packet_flits="4").batch_cycles[0] > 57


def test_without_a_limit_a_batch_is_a_replay_of_all_packets_at_once() -> None:
    net = build("mesh:4x4")
    config = preset("booksim", traffic="transpose", packet_flits="5", vcs=2)
    found = send_batches(net, "mesh.dimension_order", config, packets=12, count=2)
    source = [i for i in range(16) for _ in range(12)]
    to = [i // 4 + 4 * (i % 4) for i in source]
    replay = Engine(
        net, "mesh.dimension_order", config.replace(events=True), PacketList([0] * 192, source, to, [5] * 192)
    )
    replay.advance(2000)
    events = replay.events()
    assert found.batch_cycles[0] == 1 + events[events[:, 1] == at.EVENT_ARRIVE, 0].max()


def test_packets_keep_their_lengths_where_some_before_them_are_not_sent() -> None:
    posted: list[Any] = []

    class Recorder:
        def post(self, *columns: Any) -> None:
            posted.extend(zip(*(column.tolist() for column in columns), strict=True))

    batch = _Batch(Recorder(), 40, 7, np.array([[-1, 1, -1, 1]]), np.array([[9, 2, 8, 3]]))  # type: ignore[arg-type]
    batch.post(np.array([0, 0, 0]), np.array([7, 7, 8]))
    assert posted == [(40, 0, 1, 7, 2), (41, 0, 1, 7, 3)]


@pytest.mark.parametrize("outstanding", [0, 3])
def test_a_seed_gives_the_same_batches_and_another_one_others(outstanding: int) -> None:
    def batches(seed: int) -> list[int]:
        return list(
            send_batches(
                "torus:4x4", "torus.dateline", packets=20, count=3, outstanding=outstanding, seed=seed,
                packet_flits="1*0.5+5*0.5", vcs=2,
            ).batch_cycles
        )  # fmt: skip

    first = batches(1)
    assert first == batches(1) != batches(2)
    assert min(first) > 3 * 20


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"packets": 0}, "packets 0 found, a whole number from 1 on expected"),
        ({"count": 1.5}, "count 1.5 found, a whole number from 1 on expected"),
        ({"outstanding": -1}, "outstanding -1 found, a whole number from 0 on expected"),
        ({"reply_flits": 4}, "reply_flits 4 found, none expected where packets are posted"),
        ({"priority": "sequence"}, "priority sequence found, another one expected in batches"),
    ],
)
def test_what_makes_no_batch_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(JumpnetError, match=said):
        send_batches("torus:4x4", "torus.dateline", vcs=2, **settings)
