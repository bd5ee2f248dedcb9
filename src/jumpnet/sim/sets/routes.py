"""Cached routes, in small networks: a number for each router, destination, state and input port.

Where a relation reads no more of a packet, heads that agree in these get the same route. The first one stores the
answer in `answers`, once for all of them, and its row's number in `routes`, where the others find it: two bytes, so
that near caches hold many. A head that goes on at once needs no more; for one that must wait, `remember`
writes what it wants as `route` does. Of a router with several terminals what arrives is not kept, as it leaves by
different ports. Threads cache none: they would conflict in the tables. Called by `sets.heads`;
`router.route_computation` asks.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import answer_of, lane_of, packet_at, wants_of
from jumpnet.sim.memory.standing import goes_by_stations, place_of, slot_of
from jumpnet.sim.router.route_computation import ask_for_candidates, take_head, take_head_of

__all__ = ["ask_and_keep", "find_next", "find_route", "remember"]


@kernel
def keep_answer(m, place, wanted, next_state):
    """Keep an answer at a place of `routes`, while there is room."""
    last, k = answer_of(m, 0).wants, 1
    while k <= last and (answer_of(m, k).wants != wanted or answer_of(m, k).next_state != next_state):
        k += 1
    if k < at.MOST_ANSWERS:
        answer_of(m, k).wants, answer_of(m, k).next_state = wanted, next_state
        answer_of(m, 0).wants = max(last, k)
        if not goes_by_stations(m):
            m.routes[place] = k
            return
        if m.stations[2 * m.route_places + place] != 0:  # a packet that has gone too far to be told it
            return
        n = answer_of(m, 0).next_state + 1
        answer_of(m, 0).next_state = n
        m.stations[n], m.stations[m.route_places + n], m.stations[2 * m.route_places + place] = k, place, n


@kernel
def ask_and_keep(m, r, b):
    """Ask the relation for the packet of lane b of router r, and keep the answer where it can be."""
    p = lane_of(m, r, b).packet
    packet, wants = packet_at(m, p), wants_of(m, r, b)
    state = packet.state
    ask_for_candidates(m, r, b)
    if m.route_ports == 0:
        return
    slot = slot_of(state)
    if slot_of(m.states[slot]) != slot:
        m.states[slot] = state
    place = place_of(m, r, b, p)
    told, alone = packet.destination != r, m.outputs - m.link_outputs == 1
    if place > 0 and (told or alone) and wants[1] == 0 and wants.alike == 1:
        keep_answer(m, place, wants[0], wants.next_state)


@inlined
def find_route(m, r, b, listed):
    """Route the head at the front of lane b of router r: the kept answer's row, or 0 with its `wants` written.

    listed: its packet and its place in `routes`, as `memory.layout` says, or 0.
    """
    p, place = listed >> at.ROUTE_SHIFT, listed & (1 << at.ROUTE_SHIFT) - 1
    lane, packet, answer = lane_of(m, r, b), packet_at(m, p), 0
    lane.out_vc = at.WAITING
    if place > 0 and packet.hops < m.max_hops:
        answer = int(m.routes[place])
    if answer == 0:
        take_head(m, r, b)
        ask_and_keep(m, r, b)
        return answer
    take_head_of(m, r, b, p)
    return answer


@inlined
def find_next(m, r, b):
    """Write what the packet that lane b of router r has taken wants: by the kept answer where there is one."""
    p, answer = lane_of(m, r, b).packet, 0
    if m.route_ports > 0 and packet_at(m, p).hops <= m.max_hops:
        answer = int(m.routes[place_of(m, r, b, p)])
    if answer == 0:
        ask_and_keep(m, r, b)
    remember(m, r, b, answer)


@kernel
def remember(m, r, b, answer):
    """Write what the head of lane b of router r wants, as `route` does: it must wait."""
    if answer > 0:
        wants, kept = wants_of(m, r, b), answer_of(m, answer)
        wants[0], wants[1], wants.next_state, wants.alike = kept.wants, 0, kept.next_state, 1
