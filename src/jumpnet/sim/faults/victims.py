"""Whom a fault strikes: the packets with flits where something died, on their way through it, or to or from it.

Reads the arrays of a run and changes nothing. Used by `strike.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.sim.deadlock import wanted_out_vcs
from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.purge import Flits, feeders
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import INJECTOR_ROW, LANE_ROW
from jumpnet.terms import I64, Array

__all__ = ["broken", "ends_of", "wanted"]


def _lead_to(engine: Engine, dead: Array) -> Array:
    """(R * out_vcs,) whether each output VC leads into a dead channel, of those in `dead` (R, P)."""
    s = engine.shape
    ports = np.pad(dead, ((0, 0), (0, s.outputs - s.link_outputs)))
    return np.repeat(ports.ravel(), s.vcs)


def wanted(engine: Engine, dead: Array) -> set[int]:
    """Front packets that hold or ask for a dead channel, their head not gone yet."""
    s = engine.shape
    rows = engine.lanes[: s.routers * s.lanes]
    held = rows[:, LANE_ROW.out_vc]
    won = np.flatnonzero((held >= 0) & (rows[:, LANE_ROW.left] < 0))
    waiting = np.flatnonzero(held == at.WAITING)
    place, asked = wanted_out_vcs(engine, waiting)
    lanes, out_vcs = [*won, *waiting[place]], [*(won // s.lanes * s.out_vcs + held[won]), *asked]
    return set(rows[lanes, LANE_ROW.packet][_lead_to(engine, dead)[out_vcs]].tolist())


def broken(engine: Engine, flits: Flits, dead: Array, gone: I64, flush: bool) -> tuple[set[int], set[int]]:
    """(packets that the fault breaks, packets whose end is gone: a destination, or a source not left whole)."""
    s, st = engine.shape, engine.state
    rows = engine.lanes[: s.routers * s.lanes]
    out, fed_by, leads = set(gone.tolist()), feeders(engine), _lead_to(engine, dead)
    lost: set[int] = set()
    for k, inside in flits.items():
        on_dead_link = k in fed_by and leads[fed_by[k]]
        for _, cycle, p in inside:
            if flush or k // s.lanes in out or (on_dead_link and cycle >= engine.cycle):
                lost.add(p)
    sending = np.flatnonzero((rows[:, LANE_ROW.out_vc] >= 0) & (rows[:, LANE_ROW.left] > 0))
    cut = leads[sending // s.lanes * s.out_vcs + rows[sending, LANE_ROW.out_vc]]
    lost.update(rows[sending[cut], LANE_ROW.packet].tolist())
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
