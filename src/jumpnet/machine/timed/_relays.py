"""Kernels of the timed machine: routers that send copies of a multicast on, where nodes have room for few messages.

A copy takes one place at its router's terminal, until the router has sent on what goes below it and the cluster's
processor, if it takes the copy or makes it anew, is through with it: the two go on side by side. A router sends on as
soon as fewer than so many messages wait to enter the network of the copy's kind, all copies then; one that cannot be
sent on holds up those behind it of its network. Terminals without a node take copies too. Used by `_tell` and
`_processors`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._finite_buffers import enters, hand_place_on, has_way, leaves
from jumpnet.machine.timed._queue import arrive
from jumpnet.machine.timed._tables import free_message, new_message

__all__ = ["next_copy", "place_anew", "take_copy", "unlink_copy"]


@kernel
def place_anew(m, place):
    """The place below one at which its node's processor makes the packet anew, or NOBODY."""
    first = m.place[place + at.T_FIRST]
    for child in range(first, first + m.place[place + at.T_CHILDREN]):
        if m.place[child * at.T_FIELDS + at.T_ROUTER] == m.place[place + at.T_ROUTER]:
            return child * at.T_FIELDS
    return at.NOBODY


@kernel
def sends_on(m, place):
    """Whether a router has copies to send to others from a place."""
    children = m.place[place + at.T_CHILDREN]
    return children > 1 or (children == 1 and place_anew(m, place) < 0)


@kernel
def for_processor(m, row):
    """A copy's own message to the processor of its cluster, which takes it or makes it anew; NOBODY for neither."""
    place, router, source = m.message[row + at.M_PLACE], m.message[row + at.M_TO], m.message[row + at.M_FROM]
    kind, line, register = m.message[row + at.M_KIND], m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    anew = place_anew(m, place)
    if anew >= 0:
        place, source = anew, router
    elif m.place[place + at.T_RECEIVES] != at.RECEIVES:
        return at.NOBODY
    own = new_message(m, kind, source, router, line, register, m.message[row + at.M_FLITS])
    m.message[own + at.M_PLACE] = place
    return own


@kernel
def take_copy(m, row, t):
    """A copy of a multicast comes to its router at time t."""
    enters(m, row)
    own = for_processor(m, row)
    if own >= 0:
        arrive(m, own, t)
        if not sends_on(m, m.message[row + at.M_PLACE]):
            hand_place_on(m, row, own)
            free_message(m, row)
            return
        if m.message[row + at.M_SENT] == at.IN_ROOM:  # whoever is through last gives it up
            m.message[own + at.M_SENT] = m.message[row + at.M_SENT] = at.SHARED
    m.message[row + at.M_ARRIVED], m.message[row + at.M_BACK] = t, own
    k = 2 * (m.message[row + at.M_TO] * m.networks + m.network_of[m.message[row + at.M_KIND]])
    if m.relay[k] < 0:
        m.relay[k] = row
    else:
        m.message[m.relay[k + 1] + at.M_NEXT] = row
    m.relay[k + 1] = row
    m.count[at.C_RELAYS] += 1


@kernel
def unlink_copy(m, k, t):
    """The first copy of list k, if its router can send it on at time t: it has left its place; else NOBODY."""
    row = m.relay[2 * k]
    if row < 0 or m.message[row + at.M_ARRIVED] + m.forward > t:
        return at.NOBODY
    kind = m.message[row + at.M_KIND]
    needs = m.passes[kind] if sends_on(m, m.message[row + at.M_PLACE]) else m.needs[kind]
    if not has_way(m, m.message[row + at.M_TO], needs):
        return at.NOBODY
    m.relay[2 * k] = m.message[row + at.M_NEXT]
    m.count[at.C_RELAYS] -= 1
    if m.message[row + at.M_SENT] == at.SHARED:
        m.message[m.message[row + at.M_BACK] + at.M_SENT] = at.IN_ROOM
    else:
        leaves(m, row)
    return row


@kernel
def next_copy(m, t):
    """The first cycle after t in which a router could send a copy on, or FOREVER."""
    found = at.FOREVER
    if m.count[at.C_RELAYS] > 0:
        for k in range(m.ends * m.networks):
            if m.relay[2 * k] >= 0 and m.message[m.relay[2 * k] + at.M_ARRIVED] + m.forward > t:
                found = min(found, m.message[m.relay[2 * k] + at.M_ARRIVED] + m.forward)
    return found
