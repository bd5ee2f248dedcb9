"""Packets posted from outside: they wait in their terminal's list, where otherwise replies wait. Used by `outside`."""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import bit
from jumpnet.sim.memory.packets import address, take_row
from jumpnet.sim.memory.record import kernel, memory_at

__all__ = ["post_packets"]


@kernel
def post_packets(record, number, source, to, created, flits):
    """Append packets (K,) to the lists of their sources; the packet table and the notes have room for them."""
    m = memory_at(record)
    for k in range(len(number)):
        i, p = source[k], take_row(m)
        m.packet[p + at.FROM] = i
        address(m, p, to[k])
        m.packet[p + at.CREATED] = created[k]
        m.packet[p + at.LENGTH] = flits[k]
        m.packet[p + at.NUMBER] = number[k]
        m.packet[p + at.KIND] = at.MEASURED
        m.packet[p + at.NEXT] = -1
        m.counter[at.C_CREATED] += 1
        m.counter[at.C_CREATED_MEASURED] += 1
        m.counter[at.C_CREATED_FLITS_MEASURED] += flits[k]
        last = m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_LAST]
        if last >= 0:
            m.packet[last + at.NEXT] = p
        else:
            m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_FIRST] = p
        m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_LAST] = p
        m.awake[i >> 5] |= bit(i)
