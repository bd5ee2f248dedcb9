"""Kernels of the timed machine: nodes that have room for few messages of each virtual network.

A message from the network takes a place at its node until the node is through with it; a request, until its home turns
to it, so that one whose line is being served keeps its place. A full node takes nothing more of that network. It turns
to a message only where fewer than so many messages wait to enter each network that it may send by (`needs`); what one
message makes it send may then be more. Those of one network are turned to in order of arrival, and so are those of
the node's own processors, which take no places; one that cannot be turned to holds up no other network. Of the requests
that wait for a line the home turns to the first that it may, as the tables' home does to any.

Here the network must be looked at in every cycle: `turn_to_messages` is called at the end of each, when all events of
the cycle are done and before the network goes on. Used by `machine`, by `turns` and the other kernels; without a limit
nothing here does anything.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import message_at, queue_of
from jumpnet.machine.timed.kernels.tables import is_anew, node_of, object_of, push

__all__ = ["counted", "enters", "first_full", "hand_place_on", "is_idle", "leaves", "next_turn", "spot_of",
           "turn_to_first", "waits_for"]  # fmt: skip


@inlined
def spot_of(m, row):
    """The terminal that a message comes to with its virtual network, by which `freed` and `relay` are found."""
    return message_at(m, row).to * m.networks + m.network_of[message_at(m, row).kind]


@kernel
def enters(m, row):
    """A message that comes from the network takes a place; one that was asked for has had its own."""
    if m.kept[message_at(m, row).kind] == 1:
        m.freed[spot_of(m, row)] += 1
    else:
        message_at(m, row).keeps = at.A_PLACE


@kernel
def counted(m, row):
    """A message that a router counts takes no place: the network has it back at once."""
    if m.room > 0:
        m.freed[spot_of(m, row)] += 1


@kernel
def router_with(m, row):
    """The copy that a router has still to send on and that shares its place with its node's own message."""
    copy = m.relay[2 * spot_of(m, row)]
    while message_at(m, copy).back != row:
        copy = message_at(m, copy).next
    return copy


@kernel
def leaves(m, row):
    """A message gives its place up, if it has one; the router's copy keeps one that both have."""
    message = message_at(m, row)
    if message.keeps == at.A_PLACE:
        m.freed[spot_of(m, row)] += 1
    elif message.keeps == at.SHARED:
        copy = message_at(m, router_with(m, row))
        copy.keeps, copy.back = at.A_PLACE, at.NOBODY
    message.keeps = at.NO_PLACE


@kernel
def hand_place_on(m, row, other):
    """Another message at the same node has the place of one from now on, if that has one."""
    message = message_at(m, row)
    if message.keeps == at.SHARED:
        message_at(m, router_with(m, row)).back = other
    message_at(m, other).keeps = message.keeps
    message.keeps = at.NO_PLACE


@kernel
def needs_of(m, node, row):
    """The networks, as a set, by which a node may have to send when it handles a message.

    One on its way to its home goes on by its own. What the home's own node asked for is answered by no message.
    """
    message = message_at(m, row)
    kind, what = message.kind, message.line
    home = m.where[object_of(m, what)] if kind >= at.LOCK else m.home[m.page[what]]
    if node != home and (kind <= at.PUT or kind == at.LOCK or kind == at.UNLOCK or kind == at.ARRIVE):
        return m.passes[kind]
    needs = m.needs_own[kind] if node_of(m, message.register) == home else m.needs[kind]
    if is_anew(m, row):
        needs |= m.passes[kind]
    return needs


@kernel
def first_full(m, end, needs):
    """The first of the networks `needs` that has no room for what waits to enter it at a terminal, or NOBODY."""
    for c in range(m.networks):
        if needs >> c & 1 and m.sent[end * m.networks + c] - m.entered[end * m.networks + c] >= m.room:
            return c
    return at.NOBODY


@kernel
def waits_for(m, node, row):
    """The network that lacks the room which handling a message may need, or NOBODY."""
    return first_full(m, node, needs_of(m, node, row))


@kernel
def is_idle(m, server, t):
    """Whether a memory-based processor is at no message at time t."""
    return queue_of(m, server).through == at.FOREVER and queue_of(m, server).free <= t


@kernel
def to_front(m, server, row):
    """Put a message of a queue before all others."""
    queue, message = queue_of(m, server), message_at(m, row)
    before, after = message.back, message.next
    if before < 0:
        return
    message_at(m, before).next = after
    if after >= 0:
        message_at(m, after).back = before
    else:
        queue.last = before
    message_at(m, queue.first).back = row
    message.next, message.back = queue.first, at.NOBODY
    queue.first = row


@kernel
def turn_to_first(m, server, t):
    """An idle memory-based processor turns at time t to the first message that it can."""
    queue, node = queue_of(m, server), server // m.units
    row, held_up = queue.first, 0
    while row >= 0 and message_at(m, row).arrived <= t:
        message = message_at(m, row)
        place = m.network_of[message.kind] + (m.networks if message.keeps == at.NO_PLACE else 0)
        if held_up >> place & 1 == 0:
            if waits_for(m, node, row) < 0:
                to_front(m, server, row)
                queue.began, queue.through = t, t + m.handler[message.kind]
                push(m, queue.through, m.processors + server)
                return
            held_up |= 1 << place
        row = message.next


@kernel
def next_turn(m, t):
    """The first cycle after t in which a memory-based processor that is at nothing has a message, or FOREVER."""
    found = at.FOREVER
    for server in range(m.nodes * m.units):
        queue = queue_of(m, server)
        if queue.through == at.FOREVER and queue.first >= 0:
            begins = max(queue.free, message_at(m, queue.first).arrived)
            if begins > t:
                found = min(found, begins)
    return found
