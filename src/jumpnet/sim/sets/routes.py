"""Routes that were asked for before: one number for each router and destination of a small network.

Where a relation reads a packet's destination and state alone, packets without a state (0) of one destination are told
the same at a router. The first to ask leaves the answer here, so that the others need no call and no candidates: what
they want is one set of output VCs, with the state that they get next above it. Of a router with several terminals what
arrives is not kept, as it leaves by different ports. Called by `sets.heads`; `router.route_computation` asks.
"""

from __future__ import annotations

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import heads_of, lane_of, packet_at, wants_of
from jumpnet.sim.router.route_computation import route

__all__ = ["route_by_table"]

WANTED = (1 << at.WORD_LANES) - 1
"""The output VCs; the next state is above them."""
MOST_STATES = 1 << 63 - at.WORD_LANES


@kernel
def ask_and_keep(m, r, b):
    """Ask the relation for the head of lane b of router r, and keep the answer where it is of the kind that can be."""
    p = heads_of(m, r, b)[lane_of(m, r, b).read]
    packet, wants = packet_at(m, p), wants_of(m, r, b)
    route(m, r, b, 0)  # no start hook looks at queues here
    if m.routes_kept == 0 or packet.state != 0:
        return
    told, alone = packet.destination != r, m.outputs - m.link_outputs == 1
    if (told or alone) and wants[1] == 0 and wants[3] == 1 and 0 <= wants[2] < MOST_STATES:
        m.routes[r * m.routers + packet.destination] = wants[2] << at.WORD_LANES | wants[0]


@inlined
def route_by_table(m, r, b):
    """Find the output VCs that the head at the front of lane b of router r may take, as `route` does."""
    lane = lane_of(m, r, b)
    p = heads_of(m, r, b)[lane.read]
    packet, known = packet_at(m, p), 0
    if m.routes_kept == 1:
        known = m.routes[r * m.routers + packet.destination]
    if known == 0 or packet.state != 0 or packet.hops >= m.max_hops:
        ask_and_keep(m, r, b)
        return
    wants, in_port = wants_of(m, r, b), m.port_of[b]
    lane.packet = p
    packet.in_port, packet.in_vc = in_port, b - in_port * m.vcs
    if in_port >= m.link_inputs:
        packet.in_port, packet.in_vc = -1, -1
    packet.hops += 1
    wants[0], wants[1], wants[2], wants[3] = known & WANTED, 0, known >> at.WORD_LANES, 1
