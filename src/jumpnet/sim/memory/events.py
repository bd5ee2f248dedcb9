"""The optional record of single flits: what entered, won, moved and arrived, where and when. Called by every stage."""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as cast
from jumpnet.sim.memory.record import forked, inlined

__all__ = ["record"]


@forked(0)
def name_copy(m, n, p):
    """Name packet row p of event n by its message, its place in the tree and its role there."""
    m.event[8 * n + 2] = m.packet[p + at.MESSAGE] // cast.MESSAGE_FIELDS
    m.event[8 * n + 3] = max(0, m.packet[p + at.PLACE]) // m.place_fields
    m.event[8 * n + 4] = m.packet[p + at.ROLE]
    return 0


@inlined
def record(m, cycle, kind, p, flit, router, place):
    """Append one event of packet row p when events are recorded; the run stops before the record is full."""
    if m.events == 1:
        n = m.counter[at.C_EVENTS]
        m.counter[at.C_EVENTS] = n + 1
        m.event[8 * n + 0] = cycle
        m.event[8 * n + 1] = kind
        m.event[8 * n + 2] = m.packet[p + at.FROM]
        m.event[8 * n + 3] = m.packet[p + at.NUMBER]
        m.event[8 * n + 4] = m.packet[p + at.KIND] & 15
        m.event[8 * n + 5] = flit
        m.event[8 * n + 6] = router
        m.event[8 * n + 7] = place
        name_copy(m, n, p)
