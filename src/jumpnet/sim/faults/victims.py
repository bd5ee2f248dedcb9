"""Whom a fault strikes: the packets with flits where something died, on their way through it, or to or from it.

Reads the arrays of a run and changes nothing. Used by `strike.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.purge import Flits, feeders
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import INJECTOR_ROW, LANE_ROW
from jumpnet.sim.memory.words import unpack_words
from jumpnet.terms import I64, Array

__all__ = ["broken", "ends_of", "wanted"]


def wanted(engine: Engine, dead: Array) -> set[int]:
    """Front packets that hold or ask for a dead channel, their head not gone yet."""
    s, st = engine.shape, engine.state
    rows = engine.lanes[: s.routers * s.lanes]
    found = set()
    for k in np.flatnonzero(rows[:, LANE_ROW.out_vc] != at.IDLE).tolist():
        ports = dead[k // s.lanes]
        o = int(rows[k, LANE_ROW.out_vc])
        if o >= 0:
            asks = rows[k, LANE_ROW.left] < 0 and o // s.vcs < s.link_outputs and ports[o // s.vcs]
        else:
            words = st.wants[[k], : s.out_vc_words] | st.wants[[k], s.out_vc_words : 2 * s.out_vc_words]
            out_vcs = np.flatnonzero(unpack_words(words, s.link_outputs * s.vcs))
            asks = bool(ports[out_vcs // s.vcs].any())
        if asks:
            found.add(int(rows[k, LANE_ROW.packet]))
    return found


def broken(engine: Engine, flits: Flits, dead: Array, gone: I64, flush: bool) -> tuple[set[int], set[int]]:
    """(packets that the fault breaks, packets whose end is gone: a destination, or a source not left whole)."""
    s, st = engine.shape, engine.state
    rows = engine.lanes
    out, fed_by = set(gone.tolist()), feeders(engine)
    lost: set[int] = set()
    for k, inside in flits.items():
        o = fed_by.get(k)
        r, port = (-1, 0) if o is None else (o // s.out_vcs, o % s.out_vcs // s.vcs)
        on_dead_link = o is not None and port < s.link_outputs and dead[r, port]
        for _, cycle, p in inside:
            if flush or k // s.lanes in out or (on_dead_link and cycle >= engine.cycle):
                lost.add(p)
    sending = (rows[: s.routers * s.lanes, LANE_ROW.out_vc] >= 0) & (rows[: s.routers * s.lanes, LANE_ROW.left] > 0)
    for k in np.flatnonzero(sending).tolist():
        o = int(rows[k, LANE_ROW.out_vc])
        if o // s.vcs < s.link_outputs and dead[k // s.lanes, o // s.vcs]:
            lost.add(int(rows[k, LANE_ROW.packet]))
    injector = st.injector.reshape(-1, at.INJECTOR_FIELDS)
    entering = [int(p) for p in injector[:, INJECTOR_ROW.packet] if p >= 0]
    alive = {p for inside in flits.values() for _, _, p in inside} | set(entering)
    if flush:
        lost |= {int(p) for p, v in injector[:, [INJECTOR_ROW.packet, INJECTOR_ROW.vc]] if p >= 0 and v >= 0}
    hopeless = {p for p in entering if ends_of(engine, p)[0] in out}
    for p in alive:
        source, destination, kind = ends_of(engine, p)
        # A request whose asker is gone would be answered into nothing.
        if destination in out or (s.classes > 1 and kind == 0 and source in out):
            hopeless.add(p)
    return lost, hopeless


def ends_of(engine: Engine, p: int) -> tuple[int, int, int]:
    """Source router, destination router and message class of a packet."""
    st, packet = engine.state, engine.packet(p)
    source, destination = st.source_router[packet.from_terminal], st.sink_router[packet.to_terminal]
    return int(source), int(destination), packet.kind & 15
