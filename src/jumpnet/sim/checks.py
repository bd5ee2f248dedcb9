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
from jumpnet.terms import Array

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

    rest = st.outlet_rest.reshape(-1, at.OUTLET_FIELDS)
    held = rest[:, at.OWNER] >= 0
    _require(int(held.sum()) == int((lane[:routers, at.OUTLET] >= 0).sum()), "outlets and their packets differ", engine)
    bits = (st.free.reshape(s.routers, s.outlet_words, 1) >> np.arange(32)) & 1
    free = bits.reshape(s.routers, -1)[:, : s.outlets].ravel() == 1
    _require(bool((free == (joined & ~held)).all()), "an outlet is neither free nor held", engine)

    rows, place = 0, int(st.counter[at.C_FREE])
    while place >= 0 and rows <= len(st.packet):
        rows, place = rows + 1, int(st.packet[place // at.PACKET_FIELDS, at.NEXT])
    alive = int(st.counter[at.C_PACKETS])
    _require(rows + alive == len(st.packet), f"{alive} packets alive, {len(st.packet) - rows} rows in use", engine)


def occupancy(engine: Engine) -> float:
    """Mean number of flits in a link's input buffer now, those on the link included."""
    s = engine.shape
    _, slots, outlet = _views(engine)
    rows = outlet[outlet[:, at.TO] >= 0, at.TO] // s.lane_stride
    rows = rows[rows < s.routers * s.lanes]
    return float((slots[rows] >= at.FLIT).sum() / max(1, rows.size))


def longest_wait(engine: Engine) -> int:
    """Cycles that the flit has waited which stands longest at the front of a buffer, 0 without flits."""
    s = engine.shape
    lane, slots, _ = _views(engine)
    front = np.take_along_axis(slots, lane[:, at.READ, None].astype(np.int64), axis=1)[:, 0]
    front = front[front >= at.FLIT] - at.FLIT
    return max(0, engine.cycle - int(front.min())) if front.size and s.buffer else 0


def _waits(engine: Engine) -> dict[int, list[int]]:
    """For every lane whose front cannot move now: the lanes it waits for (any of them will do)."""
    s, st = engine.shape, engine.state
    lane, slots, outlet = _views(engine)
    now, routers = engine.cycle, s.routers * s.lanes
    rows = lane[:routers]
    front = np.take_along_axis(slots[:routers], rows[:, at.READ, None].astype(np.int64), axis=1)[:, 0]
    waiting: dict[int, list[int]] = {}
    for k in np.flatnonzero((front >= at.FLIT) & (front <= at.FLIT + now) & (rows[:, at.WHEN] <= now)):
        r, state = int(k) // s.lanes, int(rows[k, at.OUTLET])
        if state == at.WAITING:
            wants = st.wants[k, : 2 * s.outlet_words]
            words = wants[: s.outlet_words] | wants[s.outlet_words :]
            wanted = [o for o in range(s.outlets) if words[o >> 5] >> (o & 31) & 1]
        elif state >= 0:
            wanted = [state]
        else:
            continue
        targets: list[int] = []
        for o in wanted:
            row = outlet[r * s.outlets + o]
            target = int(row[at.TO]) // s.lane_stride
            free = (
                int(st.outlet_rest[(r * s.outlets + o) * at.OUTLET_FIELDS + at.OWNER]) < 0
                and state == at.WAITING
                and s.cut_through == 0
                and s.reuse_empty == 0
            )
            credit = state >= 0 and slots[target, row[at.WRITE]] <= now
            if target >= routers or free or credit:
                targets = []
                break
            targets.append(target)
        if targets:
            waiting[int(k)] = targets
    return waiting


def find_deadlock(engine: Engine) -> list[tuple[int, int, int]] | None:
    """Channels (router, output port, vc) whose packets wait for each other in a ring, or None; O(buffers).

    A channel is stuck when every channel that its front packet may take next is stuck.
    """
    s = engine.shape
    waiting = _waits(engine)
    while True:
        live = [k for k, targets in waiting.items() if any(target not in waiting for target in targets)]
        if not live:
            break
        for k in live:
            del waiting[k]
    if not waiting:
        return None
    _, _, outlet = _views(engine)
    feeds = {int(to) // s.lane_stride: k for k, to in enumerate(outlet[:, at.TO]) if to >= 0}
    seen: dict[int, int] = {}
    path: list[int] = []
    k = min(waiting)
    while k not in seen:
        seen[k] = len(path)
        path.append(k)
        k = waiting[k][0]
    ring = [feeds[k] for k in path[seen[k] :]]
    return [(k // s.outlets, k % s.outlets // s.vcs, k % s.vcs) for k in ring]
