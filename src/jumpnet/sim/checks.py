"""What must always hold: flits, credits and packets conserved; and who waits for whom when nothing moves.

`check` raises on a broken law; `find_deadlock` looks for packets that wait for each other in a ring, the runtime
counterpart of a cycle that `jumpnet prove` finds; `longest_wait` is the starvation watch. All read an `Engine`'s arrays
and change nothing. The laws hold between any two cycles.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.sim import _layout as at
from jumpnet.sim.engine import Engine
from jumpnet.terms import I64, Array

__all__ = ["check", "find_deadlock", "longest_wait", "occupancy"]


def _views(engine: Engine) -> tuple[Array, Array, Array]:
    """(lanes, stride) rows, (lanes, B) slots, (R * outlets, fields) rows."""
    s, st = engine.shape, engine.state
    lane = st.lane.reshape(-1, s.lane_stride)
    slots = lane[:, at.LANE_FIELDS : at.LANE_FIELDS + s.buffer]
    return lane, slots, st.outlet.reshape(-1, at.OUTLET_FIELDS)


def _require(holds: bool, law: str, engine: Engine) -> None:
    if not holds:
        raise JumpnetError(f"conservation law broken at cycle {engine.cycle} of {engine.network.spec}: {law}")


def check(engine: Engine) -> None:
    """Raise JumpnetError unless flits, credits and packets are conserved; O(buffers).

    >>> from jumpnet.sim.config import preset
    >>> from jumpnet.topology import build
    >>> check(Engine(build("torus:4x4"), "torus.dimension_order", preset("booksim")))
    """
    s, st = engine.shape, engine.state
    lane, slots, outlet = _views(engine)
    routers = s.routers * s.lanes
    flits = slots >= at.FLIT
    inside = int(flits[:routers].sum())
    entered, left = int(st.counter[at.C_ENTERED]), int(st.counter[at.C_LEFT])
    _require(entered - left == inside, f"{entered} flits entered, {left} left, {inside} are inside", engine)
    _require(not flits[routers:].any(), "a flit stays at a terminal", engine)

    order = (lane[:, at.READ, None] + np.arange(s.buffer)) % s.buffer
    queue = np.take_along_axis(flits, order, axis=1)
    _require(bool((queue[:, 1:] <= queue[:, :-1]).all()), "the flits of a buffer have a gap", engine)
    write = np.zeros(len(lane), np.int64)
    joined = outlet[:, at.TO] >= 0
    write[outlet[joined, at.TO] // s.lane_stride] = outlet[joined, at.WRITE]
    ports = np.arange(s.terminals * s.injection_ports)
    terminal, port = ports // s.injection_ports, ports % s.injection_ports
    first = (
        st.source_router[terminal] * s.lanes
        + (s.link_inputs + st.source_index[terminal] * s.injection_ports + port).astype(np.int64) * s.vcs
    )
    write[(first[:, None] + np.arange(s.vcs)).ravel()] = st.injector_write
    used = np.zeros(len(lane), bool)
    used[outlet[joined, at.TO] // s.lane_stride] = True
    used[(first[:, None] + np.arange(s.vcs)).ravel()] = True
    ahead = (lane[:, at.READ] + flits.sum(axis=1)) % s.buffer
    wrong = used[:routers] & (ahead[:routers] != write[:routers])
    _require(not wrong.any(), "a buffer's flits and free slots do not add up", engine)

    latest = engine.cycle + lane[:routers, at.CREDIT, None]
    lost = ~flits[:routers] & (slots[:routers] > latest)
    _require(not lost.any(), "a credit is not on its way back", engine)
    slowest = engine.cycle + s.sa + s.x + 2 * s.terminal_link + 1 + s.credit
    _require(bool((slots[routers:] <= slowest).all()), "a terminal's credit is not on its way back", engine)

    held = outlet[:, at.OWNER] >= 0
    _require(int(held.sum()) == int((lane[:routers, at.OUTLET] >= 0).sum()), "outlets and their packets differ", engine)
    bits = (st.free.reshape(s.routers, s.outlet_words, 1) >> np.arange(32)) & 1
    free = bits.reshape(s.routers, -1)[:, : s.outlets].ravel() == 1
    _require(bool((free == (joined & ~held)).all()), "an outlet is neither free nor held", engine)

    following = (st.packet[:, at.NEXT] // at.PACKET_FIELDS).tolist()
    rows, row = 0, int(st.counter[at.C_FREE]) // at.PACKET_FIELDS
    while row >= 0 and rows <= len(following):
        rows, row = rows + 1, following[row]
    alive = int(st.counter[at.C_PACKETS])
    _require(rows + alive == len(st.packet), f"{alive} packets alive, {len(st.packet) - rows} rows in use", engine)


def occupancy(engine: Engine) -> I64:
    """(R, P) flits now in the input buffers at the far end of each channel, those on the link included."""
    s = engine.shape
    _, slots, outlet = _views(engine)
    to = outlet[:, at.TO].reshape(s.routers, s.outputs, s.vcs)[:, : s.link_outputs]
    flits = (slots >= at.FLIT).sum(axis=1)
    return np.asarray(np.where(to >= 0, flits[to // s.lane_stride], 0).sum(axis=2), np.int64)


def longest_wait(engine: Engine) -> int:
    """Cycles that the flit has waited which stands longest at the front of a buffer, 0 without flits."""
    s = engine.shape
    lane, slots, _ = _views(engine)
    front = np.take_along_axis(slots, lane[:, at.READ, None].astype(np.int64), axis=1)[:, 0]
    front = front[front >= at.FLIT] - at.FLIT
    return max(0, engine.cycle - int(front.min())) if front.size and s.buffer else 0


def _waits(engine: Engine) -> tuple[I64, I64]:
    """(n,) lanes whose front cannot move now, (n,) lanes they wait for; one pair for each outlet that a front wants.

    A front waits for a lane that holds so many flits that it cannot follow. A lane whose front has a way, or wants an
    outlet to a terminal, is not among them; nor is one with a credit on its way.
    """
    s, st = engine.shape, engine.state
    lane, slots, outlet = _views(engine)
    now, routers = engine.cycle, s.routers * s.lanes
    rows = lane[:routers]
    front = np.take_along_axis(slots[:routers], rows[:, at.READ, None].astype(np.int64), axis=1)[:, 0]
    asks = (front >= at.FLIT) & (front <= at.FLIT + now) & (rows[:, at.OUTLET] != at.IDLE)
    lanes = np.flatnonzero(asks)
    held = rows[lanes, at.OUTLET].astype(np.int64)
    words = st.wants[lanes, : s.outlet_words] | st.wants[lanes, s.outlet_words : 2 * s.outlet_words]
    wanted = ((words[:, :, None] >> np.arange(32)) & 1).reshape(len(lanes), 32 * s.outlet_words)[:, : s.outlets] == 1
    wanted[held >= 0] = held[held >= 0, None] == np.arange(s.outlets)
    k, o = np.nonzero(wanted)
    place = lanes[k] // s.lanes * s.outlets + o
    target = outlet[place, at.TO].astype(np.int64) // s.lane_stride
    length = st.packet[rows[lanes, at.PACKET] // at.PACKET_FIELDS, at.LENGTH]
    room = s.buffer if s.reuse_empty else length if s.cut_through else 1
    need = np.where(held >= 0, 1, room)
    moves = (target >= routers) | ((slots[target] < at.FLIT).sum(axis=1) >= need[k])
    stuck = np.ones(len(lanes), bool)
    stuck[k[moves]] = False
    return lanes[k[stuck[k]]], target[stuck[k]]


def find_deadlock(engine: Engine) -> list[tuple[int, int, int]] | None:
    """Channels (router, output port, vc) whose packets wait for each other in a ring, or None; O(buffers).

    A channel is stuck when every channel that its front packet may take next is stuck and has no room. No slot of such
    a set is ever freed, so what is found is a deadlock for certain, however long the network has stood.
    """
    s = engine.shape
    source, target = _waits(engine)
    stuck = np.zeros(s.routers * s.lanes, bool)
    stuck[source] = True
    while True:
        live = source[stuck[source] & ~stuck[target]]
        if not live.size:
            break
        stuck[live] = False
    if not stuck.any():
        return None
    _, _, outlet = _views(engine)
    feeds = {int(to) // s.lane_stride: k for k, to in enumerate(outlet[:, at.TO]) if to >= 0}
    follows = dict(zip(source[::-1].tolist(), target[::-1].tolist(), strict=True))  # the first target of each lane
    seen: dict[int, int] = {}
    path: list[int] = []
    k = int(stuck.argmax())
    while k not in seen:
        seen[k] = len(path)
        path.append(k)
        k = follows[k]
    ring = [feeds[k] for k in path[seen[k] :]]
    return [(k // s.outlets, k % s.outlets // s.vcs, k % s.vcs) for k in ring]
