"""Kernels of the timed machine: nodes that have room for few messages of each virtual network.

A message from the network takes a place at its node until the node is through with it; a request, until its home turns
to it, so that one whose line is being served keeps its place. A full node takes nothing more of that network. It turns
to a message only where fewer than so many messages wait to enter each network that it may send by (`needs`); what one
message makes it send may then be more. Those of one network are turned to in order of arrival, and so are those of
the node's own processors, which take no places; one that cannot be turned to holds up no other network.

Here the network must be looked at in every cycle: `turn_to_messages` is called at the end of each, when all events of
the cycle are done and before the network goes on. Used by `machine`, by `_turns` and the other kernels; without a limit
nothing here does anything.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._tables import is_anew, object_of, push

__all__ = ["counted", "enters", "finds_room", "hand_place_on", "has_way", "hold", "is_idle", "leaves", "next_turn",
           "turn_to_first"]  # fmt: skip


@kernel
def enters(m, row):
    """A message that comes from the network takes a place; one that was asked for has had its own."""
    kind = m.message[row + at.M_KIND]
    if m.kept[kind] == 1:
        m.freed[m.message[row + at.M_TO] * m.networks + m.network_of[kind]] += 1
    else:
        m.message[row + at.M_SENT] = at.IN_ROOM


@kernel
def counted(m, row):
    """A message that a router counts takes no place: the network has it back at once."""
    if m.room > 0:
        m.freed[m.message[row + at.M_TO] * m.networks + m.network_of[m.message[row + at.M_KIND]]] += 1


@kernel
def router_with(m, row):
    """The copy that a router has still to send on and that shares its place with its node's own message."""
    place = m.message[row + at.M_TO] * m.networks + m.network_of[m.message[row + at.M_KIND]]
    copy = m.relay[2 * place]
    while m.message[copy + at.M_BACK] != row:
        copy = m.message[copy + at.M_NEXT]
    return copy


@kernel
def leaves(m, row):
    """A message gives its place up, if it has one; the router's copy keeps one that both have."""
    if m.message[row + at.M_SENT] == at.IN_ROOM:
        m.freed[m.message[row + at.M_TO] * m.networks + m.network_of[m.message[row + at.M_KIND]]] += 1
    elif m.message[row + at.M_SENT] == at.SHARED:
        copy = router_with(m, row)
        m.message[copy + at.M_SENT], m.message[copy + at.M_BACK] = at.IN_ROOM, at.NOBODY
    m.message[row + at.M_SENT] = max(0, m.message[row + at.M_SENT])


@kernel
def hand_place_on(m, row, other):
    """Another message at the same node has the place of one from now on, if that has one."""
    if m.message[row + at.M_SENT] == at.SHARED:
        m.message[router_with(m, row) + at.M_BACK] = other
    if m.message[row + at.M_SENT] < 0:
        m.message[other + at.M_SENT] = m.message[row + at.M_SENT]
    m.message[row + at.M_SENT] = 0


@kernel
def finds_room(m, node, row):
    """Whether what handling a message may send has room to wait; one on its way to its home, that it has itself."""
    kind, what = m.message[row + at.M_KIND], m.message[row + at.M_LINE]
    needs = m.needs[kind]
    if is_anew(m, row):
        needs |= m.passes[kind]
    if kind <= at.PUT or kind == at.LOCK or kind == at.UNLOCK or kind == at.ARRIVE:
        home = m.where[object_of(m, what)] if kind >= at.LOCK else m.home[m.page[what]]
        if node != home:
            needs = m.passes[kind]
    return has_way(m, node, needs)


@kernel
def has_way(m, end, needs):
    """Whether each of the networks `needs` has room for what waits to enter it at a terminal."""
    for c in range(m.networks):
        if needs >> c & 1 and m.sent[end * m.networks + c] - m.entered[end * m.networks + c] >= m.room:
            return False
    return True


@kernel
def hold(m, line):
    """A line is free, and the next request of it cannot be turned to yet."""
    for k in range(m.count[at.C_HELD]):
        if m.held[k] == line:
            return
    m.held[m.count[at.C_HELD]] = line
    m.count[at.C_HELD] += 1


@kernel
def is_idle(m, server, t):
    """Whether a memory-based processor is at no message at time t."""
    n = server * at.N_FIELDS
    return m.node[n + at.N_THROUGH] == at.FOREVER and m.node[n + at.N_FREE] <= t


@kernel
def to_front(m, server, row):
    """Put a message of a queue before all others."""
    n, before, after = server * at.N_FIELDS, m.message[row + at.M_BACK], m.message[row + at.M_NEXT]
    if before < 0:
        return
    m.message[before + at.M_NEXT] = after
    if after >= 0:
        m.message[after + at.M_BACK] = before
    else:
        m.node[n + at.N_LAST] = before
    first = m.node[n + at.N_FIRST]
    m.message[first + at.M_BACK] = row
    m.message[row + at.M_NEXT], m.message[row + at.M_BACK] = first, at.NOBODY
    m.node[n + at.N_FIRST] = row


@kernel
def turn_to_first(m, server, t):
    """An idle memory-based processor turns at time t to the first message that it can."""
    n, node = server * at.N_FIELDS, server // m.units
    row, held_up = m.node[n + at.N_FIRST], 0
    while row >= 0 and m.message[row + at.M_ARRIVED] <= t:
        kind = m.message[row + at.M_KIND]
        place = m.network_of[kind] + (m.networks if m.message[row + at.M_SENT] >= 0 else 0)
        if held_up >> place & 1 == 0:
            if finds_room(m, node, row):
                to_front(m, server, row)
                m.node[n + at.N_BEGAN], m.node[n + at.N_THROUGH] = t, t + m.handler[kind]
                push(m, t + m.handler[kind], m.processors + server)
                return
            held_up |= 1 << place
        row = m.message[row + at.M_NEXT]


@kernel
def next_turn(m, t):
    """The first cycle after t in which a memory-based processor that is at nothing has a message, or FOREVER."""
    found = at.FOREVER
    for server in range(m.nodes * m.units):
        n = server * at.N_FIELDS
        if m.node[n + at.N_THROUGH] == at.FOREVER and m.node[n + at.N_FIRST] >= 0:
            begins = max(m.node[n + at.N_FREE], m.message[m.node[n + at.N_FIRST] + at.M_ARRIVED])
            if begins > t:
                found = min(found, begins)
    return found
