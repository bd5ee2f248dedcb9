"""What must always hold: flits, credits and packets conserved; and how long flits wait.

`check` raises on a broken law; `longest_wait` is the starvation watch. All read an `Engine`'s arrays and change
nothing. The laws hold between any two cycles.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import unpack_words
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, LANE_ROW, OUT_VC_ROW, PACKET_ROW
from jumpnet.terms import I64


def _oldest(engine: Engine) -> I64:
    """(lanes,) slot of the oldest flit of each lane: where the branch reads that has most flits to send."""
    s, lane = engine.shape, engine.lanes
    found = lane[:, LANE_ROW.read].astype(np.int64)
    if s.most_branches > 1:
        rows = lane[: s.routers * s.lanes].reshape(s.routers, -1, s.input_lanes, s.lane_stride)
        slowest = np.abs(rows[..., LANE_ROW.left]).argmax(axis=1)[:, None]
        mine = found[: s.routers * s.lanes].reshape(s.routers, -1, s.input_lanes)
        mine[:, :1] = np.take_along_axis(mine, slowest, axis=1)
    return found


def _fed(engine: Engine) -> tuple[I64, I64]:
    """Lanes of routers that an output VC or a source feeds, and the slot of each that the next flit goes to."""
    s, st, feeder = engine.shape, engine.state, engine.feeders[: engine.shape.routers * engine.shape.lanes]
    joined = np.flatnonzero(feeder >= 0)
    first = st.source_router * s.lanes + (s.link_inputs + st.source_index * s.injection_ports) * s.vcs
    entry = first[:, None] + np.arange(s.injection_ports * s.vcs)
    there = np.ones(entry.shape, bool)
    there[s.terminals :, s.vcs :] = False  # a combining unit has one port
    write = st.injector_write.reshape(entry.shape)
    at_links = engine.out_vcs[feeder[joined], OUT_VC_ROW.write]
    return np.concatenate([joined, entry[there]]), np.concatenate([at_links, write[there]])


def require_law(holds: bool, law: str, engine: Engine) -> None:
    """Raise JumpnetError naming a law that does not hold."""
    if not holds:
        raise JumpnetError(f"conservation law broken at cycle {engine.cycle} of {engine.network.spec}: {law}")


def check(engine: Engine) -> None:
    """Raise JumpnetError unless flits, credits and packets are conserved; O(buffers).

    >>> from jumpnet.sim.config.sim_config import preset
    >>> from jumpnet.topology import build
    >>> check(Engine(build("torus:4x4"), "torus.dimension_order", preset("booksim")))
    """
    s, st = engine.shape, engine.state
    lane, slots, out_vc = engine.lanes, engine.slots, engine.out_vcs
    routers = s.routers * s.lanes
    flits = slots >= at.FLIT
    oldest, count = _oldest(engine), engine.flits
    inside = int(count[:routers].sum())
    entered, left = int(st.counter[COUNTER.entered]), int(st.counter[COUNTER.ejected])
    require_law(entered - left == inside, f"{entered} flits entered, {left} left, {inside} are inside", engine)
    require_law(not count[routers:].any(), "a flit stays at a terminal", engine)

    begins = flits > flits[:, np.arange(s.buffer) - 1]
    begins[np.arange(len(lane)), oldest] = False
    require_law(not begins.any(), "the flits of a buffer have a gap", engine)
    fed, write = _fed(engine)
    wrong = (oldest[fed] + count[fed]) % s.buffer != write
    require_law(not wrong.any(), "a buffer's flits and free slots do not add up", engine)

    latest = engine.cycle + lane[:routers, LANE_ROW.credit, None]  # in which a credit on its way may be used
    if s.has_speedup:  # in steps; credits may queue for their wire
        latest += (engine.cycle + s.vcs * s.buffer + s.sa + 1) * s.steps // s.step_cycles + 2 - engine.cycle
    lost = (slots[:routers] > latest) & ~flits[:routers]
    require_law(not lost.any(), "a credit is not on its way back", engine)
    slowest = engine.cycle + s.sa + s.st + 2 * s.terminal_link + 1 + s.credit
    if s.has_speedup:
        slowest = (slowest + s.inputs * s.vcs * s.buffer) * s.steps // s.step_cycles
    require_law(bool((slots[routers:] <= slowest).all()), "a terminal's credit is not on its way back", engine)

    joined, held = out_vc[:, OUT_VC_ROW.to] >= 0, out_vc[:, OUT_VC_ROW.owner] >= 0
    sending = np.count_nonzero(lane[:routers, LANE_ROW.out_vc] >= 0)
    require_law(np.count_nonzero(held) == sending, "output VCs and their packets differ", engine)
    free = unpack_words(st.free.reshape(s.routers, s.out_vc_words), s.out_vcs).ravel()
    require_law(bool((free == (joined & ~held)).all()), "an output VC is neither free nor held", engine)

    following = (st.packet[:, PACKET_ROW.following] // at.PACKET_FIELDS).tolist()
    most, rows, row = len(following), 0, int(st.counter[COUNTER.free]) // at.PACKET_FIELDS
    while row >= 0 and rows <= most:
        rows, row = rows + 1, following[row]
    alive = int(st.counter[COUNTER.packets])
    require_law(rows + alive == most, f"{alive} packets alive, {most - rows} rows in use", engine)


def occupancy(engine: Engine) -> I64:
    """(R, P, vcs) flits now in the input buffers at the far end of each channel, those on the link included."""
    return engine.flits[engine.fed_lanes]  # without a link that of the last lane, a terminal's, which holds none


def longest_wait(engine: Engine) -> int:
    """Cycles that the flit has waited which stands longest at the front of a buffer, 0 without flits."""
    front = engine.slots[np.arange(len(engine.slots)), _oldest(engine)]
    front = front[front >= at.FLIT] - at.FLIT
    return max(0, engine.cycle - int(front.min())) if front.size else 0
