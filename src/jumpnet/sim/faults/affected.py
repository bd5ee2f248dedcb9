"""Whom a fault affects: the packets with flits where something died, on their way through it, or to or from it; and
what the packets that are left hold and ask for. Reads the arrays of a run and changes nothing.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.changes.meeting import Flight
from jumpnet.networks import Network
from jumpnet.routings.view import HEADER_FIELDS, IN_PORT, IN_VC
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.faults.purge import Flits, heads_inside
from jumpnet.sim.measure.deadlock import wanted_out_vcs
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import INJECTOR_ROW, LANE_ROW, PACKET_ROW
from jumpnet.terms import I64, Array


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
    out, fed_by, leads = set(gone.tolist()), engine.feeders, _lead_to(engine, dead)
    lost: set[int] = set()
    for k, inside in flits.items():
        on_dead_link = fed_by[k] >= 0 and leads[fed_by[k]]
        for _, cycle, p in inside:
            if flush or k // s.lanes in out or (on_dead_link and cycle >= engine.cycle):
                lost.add(p)
    sending = np.flatnonzero((rows[:, LANE_ROW.out_vc] >= 0) & (rows[:, LANE_ROW.left] > 0))
    cut = leads[sending // s.lanes * s.out_vcs + rows[sending, LANE_ROW.out_vc]]
    lost.update(rows[sending[cut], LANE_ROW.packet].tolist())
    injector = st.injector
    entering = [int(p) for p in injector[:, INJECTOR_ROW.packet] if p >= 0]
    alive = {p for inside in flits.values() for _, _, p in inside} | set(entering)
    if flush:
        lost |= {int(p) for p, v in injector[:, [INJECTOR_ROW.packet, INJECTOR_ROW.vc]] if p >= 0 and v >= 0}
    hopeless: set[int] = set()
    for p in alive:
        packet = engine.packet(p)
        source, destination = int(st.source_router[packet.from_terminal]), int(st.sink_router[packet.to_terminal])
        # A request whose asker is gone would be answered into nothing.
        needs_source = p in entering or (s.classes > 1 and packet.kind & at.KIND == 0)
        if destination in out or (needs_source and source in out):
            hopeless.add(p)
    return lost, hopeless


def in_flight(engine: Engine, whole: Network, flits: Flits) -> list[Flight]:
    """For each message class what its packets hold, after heads were sent back to be routed again.

    whole: the network before any fault, whose channels the lanes are. O(flits + lanes).
    """
    s, st = engine.shape, engine.state
    vcs = s.vcs // s.classes
    channel = np.full((s.routers, s.link_inputs), -1, np.int64)
    r, p, to = whole.channel_ends
    channel[to, whole.far_port[r, p]] = r * whole.ports + p

    def standing(k: int) -> tuple[int, int, int, int]:
        """Channel of a lane (-1 at a source), its router, input port and vc within its class."""
        router, b = divmod(k, s.lanes)
        port, vc = b // s.vcs, b % s.vcs % vcs
        return (int(channel[router, port]) * vcs + vc if port < s.link_inputs else -1), router, port, vc

    found = [Flight([], []) for _ in range(s.classes)]
    rows = engine.lanes[: s.routers * s.lanes]
    for k in np.flatnonzero(rows[:, LANE_ROW.out_vc] >= 0).tolist():
        (own, router, _, _), o = standing(k), int(rows[k, LANE_ROW.out_vc])
        if own >= 0 and o < s.link_outputs * s.vcs:
            after = (router * whole.ports + o // s.vcs) * vcs + o % s.vcs % vcs
            found[o % s.vcs // vcs].held.append(((own, after), int(rows[k, LANE_ROW.packet])))
    for k, row in heads_inside(engine, flits):
        own, router, port, vc = standing(k)
        packet = st.packet[row // at.PACKET_FIELDS]
        head = packet[:HEADER_FIELDS].copy()
        head[[IN_PORT, IN_VC]] = (port, vc) if own >= 0 else (-1, -1)
        kind = int(packet[PACKET_ROW.kind]) & 15
        found[kind if s.classes > 1 else 0].heads.append((own, router, head, row))
    return found
