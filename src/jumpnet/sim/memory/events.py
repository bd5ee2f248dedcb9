"""The optional record of single flits: what entered, won, moved and arrived, where and when. Every stage writes it."""

from jumpnet.jit.linked import inlined
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.rows import counters_at, event_of, packet_at

__all__ = ["record"]


@inlined
def record(m, cycle, kind, p, flit, router, place):
    """Append one event of packet row p when events are recorded; the run stops before the record is full."""
    if m.events == 1:
        counter, packet = counters_at(m, 0), packet_at(m, p)
        n = counter.events
        counter.events = n + 1
        event = event_of(m, n)
        event.cycle, event.kind = cycle, kind
        event.terminal, event.number, event.message_class = packet.from_terminal, packet.number, packet.kind & at.KIND
        event.flit, event.router, event.place = flit, router, place
        if m.forks == 1:  # a copy of a packet: its message, its place in the tree and its role there
            event.terminal = packet.message // msg.MESSAGE_FIELDS
            event.number = max(0, packet.place) // m.place_fields
            event.message_class = packet.role
