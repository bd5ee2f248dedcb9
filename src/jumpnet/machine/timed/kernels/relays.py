"""Kernels of the timed machine: routers that send copies of a multicast on, where nodes have room for few messages.

A copy takes one place at its router's terminal, until the router has sent on what goes below it and the cluster's
processor, if it takes the copy or makes it anew, is through with it: the two go on side by side. A router sends on as
soon as fewer than so many messages wait to enter the network of the copy's kind, all copies then; one that cannot be
sent on holds up those behind it of its network. Terminals without a node take copies too. Used by `tell` and
`processors`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.finite_buffers import enters, first_full, hand_place_on, leaves, spot_of
from jumpnet.machine.timed.kernels.layout import counters_at, message_at, place_at
from jumpnet.machine.timed.kernels.queue import arrive
from jumpnet.machine.timed.kernels.tables import child_at, copy_of, free_message

__all__ = ["copy_waits_for", "next_copy", "take_copy", "unlink_copy"]


@kernel
def place_anew(m, place):
    """The place below one at which its node's processor makes the packet anew, or NOBODY."""
    for k in range(place_at(m, place).children):
        child = child_at(m, place, k)
        if place_at(m, child).router == place_at(m, place).router:
            return child
    return at.NOBODY


@kernel
def sends_on(m, place):
    """Whether a router has copies to send to others from a place."""
    children = place_at(m, place).children
    return children > 1 or (children == 1 and place_anew(m, place) < 0)


@kernel
def for_processor(m, row):
    """A copy's own message to the processor of its cluster, which takes it or makes it anew; NOBODY for neither."""
    message = message_at(m, row)
    place, source = place_anew(m, message.place), message.to
    if place < 0:
        place, source = message.place, message.source
        if place_at(m, place).receives != at.RECEIVES:
            return at.NOBODY
    own = copy_of(m, row, source, message.to)
    message_at(m, own).place = place
    return own


@kernel
def take_copy(m, row, t):
    """A copy of a multicast comes to its router at time t."""
    enters(m, row)
    own, message = for_processor(m, row), message_at(m, row)
    if own >= 0:
        arrive(m, own, t)
        if not sends_on(m, message.place):
            hand_place_on(m, row, own)
            free_message(m, row)
            return
        if message.keeps == at.A_PLACE:  # whoever is through last gives it up
            message_at(m, own).keeps = message.keeps = at.SHARED
    message.arrived, message.back = t, own
    k = 2 * spot_of(m, row)
    if m.relay[k] < 0:
        m.relay[k] = row
    else:
        message_at(m, m.relay[k + 1]).next = row
    m.relay[k + 1] = row
    counters_at(m, 0).relays += 1


@kernel
def copy_waits_for(m, row):
    """The network that lacks the room to send a copy on, or to answer it where there is no node; or NOBODY."""
    message = message_at(m, row)
    needs = m.passes[message.kind] if sends_on(m, message.place) else m.needs[message.kind]
    return first_full(m, message.to, needs)


@kernel
def unlink_copy(m, k, t):
    """The first copy of list k, if its router can send it on at time t: it has left its place; else NOBODY."""
    row = m.relay[2 * k]
    if row < 0 or message_at(m, row).arrived + m.forward > t:
        return at.NOBODY
    message = message_at(m, row)
    if copy_waits_for(m, row) >= 0:
        return at.NOBODY
    m.relay[2 * k] = message.next
    counters_at(m, 0).relays -= 1
    if message.keeps == at.SHARED:
        message_at(m, message.back).keeps = at.A_PLACE
    else:
        leaves(m, row)
    return row


@kernel
def next_copy(m, t):
    """The first cycle after t in which a router could send a copy on, or FOREVER."""
    found = at.FOREVER
    for k in range(m.ends * m.networks):
        if m.relay[2 * k] >= 0 and message_at(m, m.relay[2 * k]).arrived + m.forward > t:
            found = min(found, message_at(m, m.relay[2 * k]).arrived + m.forward)
    return found
