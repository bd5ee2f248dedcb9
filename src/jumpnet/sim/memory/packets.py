"""Rows of the packet table: one for each packet on its way, taken when it is created and given back when it arrives."""

from __future__ import annotations

from jumpnet.routing.view import DESTINATION, IN_PORT, IN_VC, INTERMEDIATE, SOURCE, STATE
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.record import inlined, kernel

__all__ = ["address", "give_row", "take_row"]


@kernel
def take_row(m):
    """A free row of the packet table; the run made sure that there is one."""
    p = m.counter[at.C_FREE]
    m.counter[at.C_FREE] = m.packet[p + at.NEXT]
    m.counter[at.C_PACKETS] += 1
    return p


@kernel
def address(m, p, to):
    """Write the routing header of packet p for destination terminal `to`."""
    m.packet[p + STATE] = 0
    m.packet[p + SOURCE] = m.source_router[m.packet[p + at.FROM]]
    m.packet[p + DESTINATION] = m.sink_router[to]
    m.packet[p + IN_PORT] = -1
    m.packet[p + IN_VC] = -1
    m.packet[p + INTERMEDIATE] = -1
    m.packet[p + at.HOPS] = 0
    m.packet[p + at.AIM] = to


@inlined
def give_row(m, p):
    """Packet p is no more."""
    m.packet[p + at.NEXT] = m.counter[at.C_FREE]
    m.counter[at.C_FREE] = p
    m.counter[at.C_PACKETS] -= 1
