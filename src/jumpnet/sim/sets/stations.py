"""The ways of single flits through kept routes: each flit knows where it stands, and its packet is not asked.

Each station (`memory.standing`) has its answer, and the next station where all output VCs that it wants are of one
port. So a flit that passes a router needs two numbers, and its packet's record lags behind: it is brought up to date
where the way is not known yet, at delivery, and when sets become rows again. Runs of one thread whose packets are all
single flits go so. Called by `sets.heads`, `sets.pipeline` and `sets.conversion`.
"""

from jumpnet.jit.bits import lowest, shifted
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import answer_of, heads_of, lane_of, packet_at, slot_after, standing_of
from jumpnet.sim.memory.standing import hops_left, standing_for
from jumpnet.sim.router.route_computation import take_head_of
from jumpnet.sim.sets.routes import ask_and_keep, remember

__all__ = ["answer_there", "ask_there", "end_way", "find_station", "next_standing", "settle"]

STATION = at.STATION_HOP - 1
HOPS = (1 << at.STANDING_SHIFT - at.STATION_BITS) - 1
ANSWER = at.MOST_ANSWERS - 1
NEXT_SHIFT = at.MOST_ANSWERS.bit_length() - 1


@inlined
def hops_of(standing):
    """At how many routers a packet has been routed where it stands."""
    return standing >> at.STATION_BITS & HOPS


@inlined
def answer_there(m, standing):
    """The kept answer's row to a packet that stands there, or 0 where none is known."""
    return m.stations[standing & STATION] & ANSWER


@kernel
def ask_there(m, r, b):
    """`find_station` for a head of whom no station is known, which looks for the first time."""
    lane = lane_of(m, r, b)
    p = lane.packet
    standing = standing_for(m, r, b, p)
    standing_of(m, r, b)[lane.read] = standing
    if standing & STATION == 0:
        take_head_of(m, r, b, p)
        ask_and_keep(m, r, b)
    return answer_there(m, standing)


@inlined
def find_station(m, r, b, standing):
    """Route the head at the front of lane b of router r, or see again what it wants: the kept answer's row, or 0 with
    its `wants` written.
    """
    lane = lane_of(m, r, b)
    o, lane.out_vc, lane.packet = lane.out_vc, at.WAITING, standing >> at.STANDING_SHIFT
    if standing & STATION == 0:
        return ask_there(m, r, b) if o == at.IDLE else 0
    return answer_there(m, standing)


@kernel
def first_time(m, standing, far, b):
    """`next_standing` for the first packet that goes this way, whose record is brought up to date; and for others where
    there are several ways.
    """
    station, p = standing & STATION, standing >> at.STANDING_SHIFT
    if station == 0:
        return standing
    packet, answer = packet_at(m, p), answer_of(m, answer_there(m, standing))
    packet.state, packet.hops = answer.next_state, hops_of(standing)
    following, first = standing_for(m, far, b, p), m.port_of[lowest(answer.wants)] * m.vcs
    if answer.wants >> first < shifted(1, m.vcs) and m.stations[station] <= ANSWER:
        m.stations[station] += (following & STATION) << NEXT_SHIFT
    return following


@inlined
def next_standing(m, standing, far, b):
    """What is in the slot of a packet in lane b of router `far`, which it goes to from where it stands."""
    station = standing & STATION
    following = m.stations[station] >> NEXT_SHIFT
    if following == 0 or not hops_left(m, hops_of(standing)):
        return first_time(m, standing, far, b)
    return standing - station + at.STATION_HOP + following


@inlined
def end_way(m, standing):
    """The packet that is delivered from where it stands: its record says at how many routers it has been routed."""
    p = standing >> at.STANDING_SHIFT
    if standing & STATION != 0:
        packet_at(m, p).hops = hops_of(standing)
    return p


@kernel
def settle(m, r, b, flits):
    """Bring the packets in lane b of router r up to date, which has so many flits, or will have: heads and records."""
    lane = lane_of(m, r, b)
    slot, by_link = lane.read, b < m.link_inputs * m.vcs
    for k in range(flits):
        standing, routed = standing_of(m, r, b)[slot], k == 0 and lane.out_vc != at.IDLE
        p, station = standing >> at.STANDING_SHIFT, standing & STATION
        packet, heads_of(m, r, b)[slot] = packet_at(m, p), p
        if station != 0:
            place = m.stations[m.route_places + station]
            packet.state = m.states[place // (m.route_ports * m.routers * m.routers)]
            packet.hops = hops_of(standing) - int(not routed)
            if routed:
                lane.packet = p
                remember(m, r, b, answer_there(m, standing))
                port = m.port_of[b]
                packet.in_port, packet.in_vc = port if by_link else -1, b - port * m.vcs if by_link else -1
                if lane.out_vc >= 0:
                    packet.state = answer_of(m, answer_there(m, standing)).next_state
        slot = slot_after(m, slot)
