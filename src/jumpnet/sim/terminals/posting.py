"""Packets posted from outside: they wait in their terminal's list, where otherwise replies wait. Used by `outside`."""

from jumpnet.jit.linked import entry
from jumpnet.sim.memory.packets import append, measure, new_packet
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import counters_at

__all__ = ["post_packets"]


@entry
def post_packets(record, number, source, to, created, flits):
    """Append packets to the lists of their sources; all arrays are (K,) int64, cycles and terminals.

    The packet table has room for them, and so has the list of deliveries.
    """
    m = memory_at(record)
    for k in range(len(number)):
        p = new_packet(m, source[k], to[k], created[k], flits[k], number[k], 0)
        counters_at(m, 0).created += 1
        measure(m, p)
        append(m, source[k], p)
