"""Free rows of the packet table are cut into a list for each thread and joined again: none is lost or twice there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.engine.team import cut_free
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, PACKET_ROW
from jumpnet.topology import build


def _walk(packet: Any, first: int) -> list[int]:
    """Numbers of the rows of a list."""
    found, p = [], int(first)
    while p >= 0 and len(found) <= len(packet):
        found.append(p // at.PACKET_FIELDS)
        p = int(packet[found[-1], PACKET_ROW.following])
    return found


@pytest.mark.parametrize(("rows", "threads"), [(120, 2), (121, 3), (7, 7)])
def test_a_list_is_cut_into_parts_of_one_length(rows: int, threads: int) -> None:
    order = np.random.default_rng(rows).permutation(rows)
    packet = np.full((rows, at.PACKET_FIELDS), -7, np.int64)
    packet[order, PACKET_ROW.following] = np.append(order[1:] * at.PACKET_FIELDS, -1)
    last, share = np.zeros(threads, np.int64), rows // threads
    cut_free(packet, int(order[0]) * at.PACKET_FIELDS, share, last)
    assert last.tolist() == order[share - 1 : share * threads : share].tolist()


@pytest.mark.skipif(DISABLED, reason="plain Python has one thread")
@pytest.mark.parametrize("sets", [True, False])
def test_every_row_without_a_packet_is_in_the_list(sets: bool) -> None:
    config = config_from({"load": 0.7, "packet_flits": "2", "vcs": 2, "seed": 3})
    engine = Engine(build("torus:10x10"), "torus.dateline", config, threads=3, sets=sets)
    for _ in range(12):
        engine.advance(50)
        state = engine.state
        free = _walk(state.packet, state.counter[COUNTER.free])
        assert len(set(free)) == len(free) == len(state.packet) - state.counter[COUNTER.packets]
