"""Deadlocks: packets that wait for each other in a ring, the runtime counterpart of a cycle that `jumpnet prove` finds.

A *row* is the front packet of a lane, or where packets branch one branch of it. It waits for other rows: for those that
hold up the buffer behind an output VC that it wants, and for the one that holds it; a branch that has sent all that is
there, for its siblings that have not, or for what feeds its lane. A row is stuck when each output VC that would do
waits for a stuck row. No slot of such a set is ever freed, so what is found is a deadlock for certain, however long the
network has stood. Used by `run` and `multicast`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.bits import WORD64_BITS, unpack_words
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import LANE_ROW, OUT_VC_ROW, PACKET_ROW
from jumpnet.terms import I64, Array


class Fronts(NamedTuple):
    """What the rows of all routers do."""

    row: I64
    """(n,) rows with a packet to send, by number in `State.lane`."""
    lane: I64
    """(n,) the lane of each, as a row."""
    out_vc: I64
    """(n,) output VC that it holds, by number among all, -1 when it waits for one."""
    waits: Array
    """(n,) whether its next flit is there, or will not come before another row moves (see `blocked`)."""
    blocked: Array
    """(n,) whether it has sent all that is in the lane, which is full of flits that its siblings have not sent."""
    slowest: I64
    """(rows, ways) of each lane the rows that hold up its oldest flit, else -1."""
    room: I64
    """(rows,) free slots of each lane; a credit on its way counts."""


def _fronts(engine: Engine) -> Fronts:
    s = engine.shape
    rows, ways = s.routers * s.lanes, max(1, s.most_branches)
    lane, slots = engine.lanes, engine.slots
    number = np.arange(rows)
    of_lane = number - number % s.lanes + number % s.lanes % s.input_lanes
    left = np.abs(lane[:rows, LANE_ROW.left]).reshape(-1, ways, s.input_lanes)
    most = np.broadcast_to(left.max(axis=1)[:, None], left.shape)
    state, front = lane[:rows, LANE_ROW.out_vc], slots[of_lane, lane[:rows, LANE_ROW.read]]
    busy = (state >= 0) | (state == at.WAITING)
    blocked = busy & ((most - left).ravel() >= s.buffer)
    there = (front >= at.FLIT) & (front <= at.FLIT + engine.cycle)
    if ways == 1:
        slow = np.where(busy, number, -1)[:, None]
    else:
        first = number.reshape(left.shape)
        slow = np.full((rows, ways), -1)
        slow[first[:, 0].ravel()] = np.where((left == most) & (most > 0), first, -1).swapaxes(1, 2).reshape(-1, ways)
    found = np.flatnonzero(busy)
    held = state[found].astype(np.int64)
    out_vc = np.where(held >= 0, found // s.lanes * s.out_vcs + held, -1)
    room = (slots < at.FLIT).sum(axis=1)
    waits = (there | blocked | ((front < at.FLIT) & (ways > 1)))[found]
    return Fronts(found, of_lane[found], out_vc, waits, blocked[found], slow, room)


def wanted_out_vcs(engine: Engine, rows: I64) -> tuple[I64, I64]:
    """Pairs (place among the rows, output VC) of the output VCs that rows without one want."""
    s, st = engine.shape, engine.state
    words, n = st.wants[rows, at.WANTS_FIELDS :], s.out_vc_words
    k, o = np.nonzero(unpack_words(words[:, :n] | words[:, n : 2 * n], s.out_vcs))
    return k, rows[k] // s.lanes * s.out_vcs + o


def _waits(engine: Engine) -> tuple[I64, I64, I64, I64]:
    """The wait-for graph: the row of each alternative, and of each edge its alternative, the row that this waits for
    and the output VC in question, by number among all (-1 between branches of a packet).

    An alternative that nothing holds up has no edge; a row that may move has such a one.
    """
    s, st = engine.shape, engine.state
    fronts, rows = _fronts(engine), s.routers * s.lanes
    out_vcs = engine.out_vcs
    target = out_vcs[:, OUT_VC_ROW.to].astype(np.int64) // s.lane_stride
    owner = np.where(
        out_vcs[:, OUT_VC_ROW.owner] >= 0,
        np.arange(len(out_vcs)) // s.out_vcs * s.lanes + out_vcs[:, OUT_VC_ROW.owner],
        -1,
    )
    asks = np.flatnonzero((fronts.out_vc < 0) & fronts.waits)
    k, wanted = wanted_out_vcs(engine, fronts.row[asks])
    sends = np.flatnonzero((fronts.out_vc >= 0) & fronts.waits)
    of = np.concatenate([fronts.row[asks[k]], fronts.row[sends]])
    place = np.concatenate([asks[k], sends])
    out_vc = np.concatenate([wanted, fronts.out_vc[sends]])
    holds = np.arange(len(of)) >= len(k)
    lane = engine.lanes
    has_flit = lane[fronts.lane[place], at.LANE_FIELDS + lane[of, LANE_ROW.read]] >= at.FLIT
    empty = holds & ~fronts.blocked[place] & ~has_flit
    length = st.packet[lane[of, LANE_ROW.packet] // at.PACKET_FIELDS, PACKET_ROW.length]
    if s.bubble:  # room for so many flits more where a row enters a ring of channels
        own = out_vc % s.out_vcs
        enters = st.wants[of, at.WANTS_FIELDS + 2 * s.out_vc_words + own // WORD64_BITS] >> own % WORD64_BITS & 1
        length = length + s.bubble * enters
    need = np.where(holds, 1, s.buffer if s.reuse_empty else length if s.cut_through else 1)
    edges = []
    full = ~empty & ~fronts.blocked[place] & (target[out_vc] < rows) & (fronts.room[target[out_vc]] < need)
    for lanes, those in ((target[out_vc], full), (fronts.lane[place], fronts.blocked[place])):
        for way in range(fronts.slowest.shape[1]):
            to = np.where(those, fronts.slowest[np.where(those, lanes, 0), way], -1)
            edges.append((to, np.where(full, out_vc, -1)))
    edges.append((np.where(holds, -1, owner[out_vc]), out_vc))
    feeder = engine.feeders[fronts.lane[place]]
    edges.append((np.where(empty & (feeder >= 0), owner[feeder], -1), feeder))
    parts = zip(*((np.flatnonzero(to >= 0), to[to >= 0], by[to >= 0]) for to, by in edges), strict=True)
    alternative, waits_for, by = map(np.concatenate, parts)
    return of, alternative, waits_for, by


def find_deadlock(engine: Engine) -> list[tuple[int, int, int]] | None:
    """Channels (router, output port, vc) whose packets wait for each other in a ring, or None; O(buffers)."""
    s = engine.shape
    of, alternative, waits_for, out_vc = _waits(engine)
    stuck = np.zeros(s.routers * s.lanes, bool)  # a row moves when one of its alternatives waits for no stuck row
    stuck[of] = True
    while True:
        held_up = np.zeros(len(of), bool)
        held_up[alternative[stuck[waits_for]]] = True
        live = of[~held_up]
        if not stuck[live].any():
            break
        stuck[live] = False
    if not stuck.any():
        return None
    edges = np.flatnonzero(stuck[of[alternative]] & stuck[waits_for])
    follows = {int(of[alternative[e]]): int(e) for e in edges[::-1]}  # the first edge of each row
    seen: dict[int, int] = {}
    path: list[int] = []
    k = int(stuck.argmax())
    while k not in seen:
        seen[k] = len(path)
        path.append(follows[k])
        k = int(waits_for[path[-1]])
    ring = [int(out_vc[e]) for e in path[seen[k] :] if out_vc[e] >= 0]
    return [(o // s.out_vcs, o % s.out_vcs // s.vcs, o % s.vcs) for o in dict.fromkeys([ring[-1], *ring[:-1]])]
