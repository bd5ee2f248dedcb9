"""Named rows: every name is the number that the arrays have there, in compiled code and in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.jit.records.rows import named_rows
from jumpnet.routings import view
from jumpnet.sim.config import SimConfig
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import fields
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, INJECTOR_ROW, LANE_ROW, PACKET_ROW
from jumpnet.sim.memory.record import kernel, memory_at
from jumpnet.sim.memory.rows import injector_of, lane_at, lane_of, packet_at, turns_of
from jumpnet.topology import build


@kernel
def change(record):
    """Write and read rows of several widths."""
    m = memory_at(record)
    lane = lane_of(m, 2, 3)
    lane.left = -7
    lane[1] = lane.left - 1
    lane.when += lane_at(m, (2 * m.lanes + 3) * m.lane_stride)[1]
    turns_of(m, 1)[2] = -5
    packet_at(m, at.PACKET_FIELDS).ready = 1 << 40
    injector_of(m, 4, 0).last_vc = turns_of(m, 1)[2]


def test_a_row_is_where_the_array_has_it() -> None:
    engine = Engine(build("torus:4x4"), "torus.dateline", SimConfig(load=0.1))
    s, state = engine.shape, engine.state
    lane, before = state.lane.reshape(-1, s.lane_stride), state.lane.copy()
    change(engine.memory.address)
    row = lane[2 * s.lanes + 3]
    assert row[LANE_ROW.left] == -7 and row[at.LANE_FIELDS + 1] == -8 and row[LANE_ROW.when] == -8
    assert np.count_nonzero(state.lane != before) == 3
    assert state.turn.reshape(s.routers, -1)[1, 2] == -5
    assert state.packet[1, PACKET_ROW.ready] == 1 << 40
    assert state.injector[4 * s.classes, INJECTOR_ROW.last_vc] == -5


def test_a_name_means_one_number() -> None:
    with pytest.raises(ValueError, match="differ"):
        named_rows("lane", ("left", "turn", "left"))


def test_headers_and_candidates_lie_as_routings_have_them() -> None:
    for name in ("source", "destination", "state", "in_port", "in_vc", "intermediate"):
        assert getattr(PACKET_ROW, name) == getattr(view, name.upper())
    assert PACKET_ROW.length < view.HEADER_FIELDS <= PACKET_ROW.created  # one cache line
    for place, name in enumerate(fields.CandidateRow._fields):
        assert place == getattr(view, name.upper())


def test_sums_lie_alike_for_all_packets_and_for_replies() -> None:
    names = fields.Counters._fields
    for k, name in enumerate(fields.SumsRow._fields):
        assert names[COUNTER.latency_sum + k].startswith(name)
        assert names[COUNTER.reply_latency_sum + k] == "reply_" + names[COUNTER.latency_sum + k]
    assert names[COUNTER.reply_latency_sum + len(fields.SumsRow._fields)] == "replies_measured"


def test_rows_with_spare_numbers_are_long_enough() -> None:
    widths = {
        fields.SideRow: at.SIDE_FIELDS,
        fields.PacketRow: at.PACKET_FIELDS,
        fields.InjectorRow: at.INJECTOR_FIELDS,
        fields.Counters: at.COUNTERS,
    }
    for row, width in widths.items():
        assert len(row._fields) <= width, row.__name__
