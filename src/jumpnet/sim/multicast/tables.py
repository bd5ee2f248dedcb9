"""The memory of packets that branch: what a run has besides at cycle 0, and more rows for lanes.

Messages and trees are added later (`engine`, `outside`). Rows as in `memory.layout` and `memory.message_layout`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.memory import require
from jumpnet.networks import Network
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.allocate import index_in_router, lane_numbers
from jumpnet.sim.memory.fields import LANE_ROW, OUT_VC_ROW
from jumpnet.sim.memory.shape import Shape, lane_sizes
from jumpnet.sim.memory.state import MulticastState
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.terms import I32, Array


def multicast_of(engine: Engine) -> MulticastState:
    """Trees, messages and combining buffers of a run."""
    assert engine.memory.multicast is not None
    return engine.memory.multicast


def go_on_with(engine: Engine, **arrays: Any) -> None:
    """Replace some of these arrays, which have grown."""
    engine.memory.replace_arrays(engine.state, multicast_of(engine)._replace(**arrays))


def first_multicast_state(
    net: Network, cast: MulticastConfig, s: Shape, most_flits: int = 0, plans_alone: bool = False
) -> MulticastState:
    """No messages, no trees; combining buffers are free. most_flits, plans_alone: of messages from outside."""
    pairs = net.endpoints**2 * plans_alone
    require(8 * pairs, f"trees between {net.endpoints} terminals")
    spread, none = max(1, int(net.sinks.max(initial=0))), np.zeros(0, np.int64)
    sink = np.full((net.routers, spread), -1, np.int64)
    sink[net.sink_router, index_in_router(net.sink_router)] = np.arange(net.endpoints)
    return MulticastState(
        ack_flits=cast.ack_flits,
        ack_delay=cast.ack_delay_cycles,
        entries=cast.combining_entries,
        remake=cast.remake_cycles,
        spread=spread,
        place_fields=msg.REPLY + spread,
        place=none,
        message=none,
        tally=none,
        front=np.full(net.routers * s.input_lanes, -1, np.int64),
        branching=np.zeros(net.routers, np.int64),
        used=np.zeros(net.routers, np.int64),
        sink=sink.ravel(),
        plans_alone=int(plans_alone),
        most_flits=most_flits,
        plan=none,
        alone=np.zeros(pairs, np.int64),
        spare=np.tile([-1, 0], msg.SIZES),
        promised=np.zeros(1, np.int64),
    )


def make_branch_rows(engine: Engine, most_branches: int) -> None:
    """Give the lanes of a run rows for so many branches of a packet, if they have fewer; O(lanes)."""
    s, state = engine.shape, engine.state
    if most_branches <= s.most_branches:
        return
    new = s._replace(most_branches=most_branches, **lane_sizes(s.input_lanes, most_branches))
    routers, stride = s.routers, s.lane_stride

    def more(array: Array, width: int, rows: int, wider: int, fill: int) -> Array:
        """Rows of `width` numbers, so many of each router, with more of them; what follows stays behind them."""
        inside = array.reshape(-1)[: routers * rows * width].reshape(routers, rows * width)
        made = np.full((routers, wider * width), fill, array.dtype)
        made[:, : inside.shape[1]] = inside
        return np.append(made, array.reshape(-1)[inside.size :])

    lane = more(state.lane, stride, s.lanes, new.lanes, 0)
    rows = lane[: routers * new.lanes * stride].reshape(routers, most_branches, s.input_lanes, stride)
    rows[:, s.most_branches :, :, LANE_ROW.out_vc] = at.IDLE
    rows[:, s.most_branches :, :, LANE_ROW.credit] = rows[:, :1, :, LANE_ROW.credit]
    wider = state._replace(
        lane=lane,
        out_vc=_moved(s, new, state.out_vc),
        head=more(state.head, s.buffer, s.lanes, new.lanes, 0),
        due=more(state.due, 1, s.cells, new.cells, at.NO_BRANCH),
        wants=more(state.wants, state.wants.shape[1], s.lanes, new.lanes, 0).reshape(-1, state.wants.shape[1]),
        work=np.zeros(at.WORK_FIELDS * (new.lanes + new.out_vcs), np.int64),
        side=lane_numbers(new),
    )
    engine.use(new, wider)


def _moved(s: Shape, new: Shape, out_vcs: I32) -> I32:
    """Output VC rows that lead to the same lanes, which lie elsewhere now."""
    moved = out_vcs.reshape(-1, at.OUT_VC_FIELDS).copy()
    row = moved[:, OUT_VC_ROW.to].astype(np.int64) // s.lane_stride
    router, lane = np.divmod(row, s.lanes)
    inside = (row >= 0) & (router < s.routers)
    moved[inside, OUT_VC_ROW.to] = ((router * new.lanes + lane) * s.lane_stride)[inside]
    moved[inside, OUT_VC_ROW.to_cell] = (router * new.cells + lane)[inside]
    moved[row >= s.routers * s.lanes, OUT_VC_ROW.to] += s.routers * (new.lanes - s.lanes) * s.lane_stride
    return moved.ravel()
