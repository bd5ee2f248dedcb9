"""Where packets stand in kept routes: places of `routes`, and the *stations* that flits name instead of asking.

A station is what a route depends on where routes are kept (`sets.routes`): router, destination, state and input port.
Stations are numbered as packets come to them (`sets.stations` says what for). In the slot of a head is one number then:
its packet, how many routers it has been routed at, this one included, and its station; of the last two 0 where no
station is known and the packet's record is right. Used by `sets` and `terminals.injection`.
"""

from __future__ import annotations

from jumpnet.jit.linked import inlined
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import packet_at

__all__ = ["goes_by_stations", "hops_left", "place_of", "slot_of", "standing_for"]


@inlined
def goes_by_stations(m):
    """Whether flits say where they stand."""
    told = m.by_queues == 0 and m.selection != at.FIRST  # both read a packet's record
    return m.packed == 1 and (m.together == 1 or (m.single == 1 and m.route_ports > 0 and told))


@inlined
def slot_of(state):
    """The slot that a state may have: those that differ in low bits, or in the lowest of the upper half, differ."""
    return (state + (state >> 29)) & at.STATE_SLOTS - 1


@inlined
def place_of(m, r, b, p):
    """Where in `routes` the answer to packet p at the front of lane b of router r is; 0 where it cannot be kept."""
    packet, port = packet_at(m, p), min(m.port_of[b], m.route_ports - 1)
    slot = slot_of(packet.state)
    place = ((slot * m.route_ports + port) * m.routers + r) * m.routers + packet.destination
    return place if m.states[slot] == packet.state else 0


@inlined
def hops_left(m, hops):
    """Whether a packet that has been routed so often may go on without being asked for."""
    return hops < min(m.max_hops, at.MOST_HOPS)


@inlined
def standing_for(m, r, b, p):
    """What is in the slot of packet p in lane b of router r, as its record says."""
    packet, where = packet_at(m, p), p << at.STANDING_SHIFT
    station = m.stations[2 * m.route_places + place_of(m, r, b, p)] if hops_left(m, packet.hops) else 0
    return where + (packet.hops + 1) * at.STATION_HOP + station if station != 0 else where
