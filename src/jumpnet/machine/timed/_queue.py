"""Kernels of the timed machine: the queues of memory-based processors, and processors that wait. Used by `_processors`.

A queue is in the order of arrival; what arrives in one cycle is in the order of kind, sender, line and register, so
that it does not matter which side of the simulation hears of a message first.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._tables import push, server_of
from jumpnet.sim.memory.bits import bit

__all__ = ["arrive", "block", "resume", "schedule", "settle", "take_first"]


@kernel
def schedule(m, server):
    """Let a memory-based processor be through with its first message as early as it can.

    An event that this overtakes is void.
    """
    n = server * at.N_FIELDS
    first = m.node[n + at.N_FIRST]
    if first < 0 or m.room > 0:  # where nodes have room for few messages `_finite_buffers` says when it turns to one
        m.node[n + at.N_THROUGH] = at.FOREVER
        return
    m.node[n + at.N_BEGAN] = max(m.message[first + at.M_ARRIVED], m.node[n + at.N_FREE])
    through = m.node[n + at.N_BEGAN] + m.handler[m.message[first + at.M_KIND]]
    if through != m.node[n + at.N_THROUGH]:
        m.node[n + at.N_THROUGH] = through
        push(m, through, m.processors + server)


@kernel
def behind(m, row, other):
    """Whether a message comes after another one of the same queue."""
    for field in range(at.ORDER_FIELDS):
        one, two = m.message[row + field], m.message[other + field]
        if one != two:
            return one > two
    return True


@kernel
def arrive(m, row, t):
    """A message arrives at its node at time t: it is put in its place in the queue.

    This may be done after events of later times, up to t + `least_cycles`: only then is the queue looked at.
    """
    server = server_of(m, m.message[row + at.M_TO], m.message[row + at.M_KIND], m.message[row + at.M_LINE])
    n = server * at.N_FIELDS
    m.message[row + at.M_ARRIVED] = t
    before, after = m.node[n + at.N_LAST], at.NOBODY
    while before >= 0 and not behind(m, row, before):
        after, before = before, m.message[before + at.M_BACK]
    m.message[row + at.M_BACK], m.message[row + at.M_NEXT] = before, after
    if after >= 0:
        m.message[after + at.M_BACK] = row
    else:
        m.node[n + at.N_LAST] = row
    if before >= 0:
        m.message[before + at.M_NEXT] = row
    else:
        m.node[n + at.N_FIRST] = row
        schedule(m, server)


@kernel
def take_first(m, server):
    """The message that a memory-based processor is through with, out of its queue."""
    n = server * at.N_FIELDS
    row = m.node[n + at.N_FIRST]
    following = m.message[row + at.M_NEXT]
    m.node[n + at.N_FIRST] = following
    if following >= 0:
        m.message[following + at.M_BACK] = at.NOBODY
    else:
        m.node[n + at.N_LAST] = at.NOBODY
    m.message[row + at.M_NEXT] = at.NOBODY
    m.count[at.C_SERVED] += 1
    m.count[at.C_WAITED] += m.node[n + at.N_BEGAN] - m.message[row + at.M_ARRIVED]
    m.node[n + at.N_WALKED] = 0
    return row


@kernel
def block(m, p, why, on, stall, t):
    """Processor p waits from time t on; `stall` is the field that its cycles count in."""
    q = p * at.P_FIELDS
    m.proc[q + at.P_BLOCK], m.proc[q + at.P_ON] = why, on
    m.proc[q + at.P_STALL], m.proc[q + at.P_SINCE] = stall, t


@kernel
def resume(m, p, t):
    """Processor p has what it waited for and goes on at time t."""
    q = p * at.P_FIELDS
    m.proc[q + m.proc[q + at.P_STALL]] += t - m.proc[q + at.P_SINCE]
    m.proc[q + at.P_BLOCK] = at.GOES_ON
    push(m, t, p)


@kernel
def settle(m, line, node, t):
    """A node's request for a line, or its giving it up, is over: those of its processors that waited for it go on."""
    m.pending[line * m.words + (node >> 5)] &= ~bit(node)
    for p in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
        q = p * at.P_FIELDS
        if m.proc[q + at.P_BLOCK] == at.ON_LINE and m.proc[q + at.P_ON] == line:
            resume(m, p, t)
