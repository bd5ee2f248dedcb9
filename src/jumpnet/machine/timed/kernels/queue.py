"""Kernels of the timed machine: the queues of memory-based processors, and processors that wait. Used by `processors`.

A queue is in the order of arrival; what arrives in one cycle is in the order of kind, sender, line and register, so
that it does not matter which side of the simulation hears of a message first.
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import counters_at, message_at, processor_of, queue_of
from jumpnet.machine.timed.kernels.tables import push, server_for

__all__ = ["arrive", "block", "resume", "schedule", "settle", "take_first"]


@kernel
def schedule(m, server):
    """Let a memory-based processor be through with its first message as early as it can.

    An event that this overtakes is void.
    """
    queue = queue_of(m, server)
    # Where nodes have room for few messages `finite_buffers` says when it turns to one.
    if queue.first < 0 or m.room > 0:
        queue.through = at.FOREVER
        return
    first = message_at(m, queue.first)
    queue.began = max(first.arrived, queue.free)
    through = queue.began + m.handler[first.kind]
    if through != queue.through:
        queue.through = through
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
    message = message_at(m, row)
    server = server_for(m, message.to, message.kind, message.line)
    queue = queue_of(m, server)
    message.arrived = t
    before, after = queue.last, at.NOBODY
    while before >= 0 and not behind(m, row, before):
        after, before = before, message_at(m, before).back
    message.back, message.next = before, after
    if after >= 0:
        message_at(m, after).back = row
    else:
        queue.last = row
    if before >= 0:
        message_at(m, before).next = row
    else:
        queue.first = row
        schedule(m, server)


@kernel
def take_first(m, server):
    """The message that a memory-based processor is through with, out of its queue."""
    queue, counters = queue_of(m, server), counters_at(m, 0)
    row = queue.first
    message = message_at(m, row)
    queue.first = message.next
    if message.next >= 0:
        message_at(m, message.next).back = at.NOBODY
    else:
        queue.last = at.NOBODY
    message.next = at.NOBODY
    counters.served += 1
    counters.waited += queue.began - message.arrived
    queue.walked = 0
    return row


@kernel
def block(m, p, why, on, stall, t):
    """Processor p waits from time t on; `stall` is what its cycles count as."""
    proc = processor_of(m, p)
    proc.block, proc.on, proc.stall, proc.since = why, on, stall, t


@kernel
def resume(m, p, t):
    """Processor p has what it waited for and goes on at time t."""
    proc = processor_of(m, p)
    proc[proc.stall] += t - proc.since
    proc.block = at.GOES_ON
    push(m, t, p)


@kernel
def settle(m, line, node, t):
    """A node's request for a line, or its giving it up, is over: those of its processors that waited for it go on."""
    m.pending[line * m.words + (node >> 5)] &= ~bit(node)
    for p in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
        if processor_of(m, p).block == at.ON_LINE and processor_of(m, p).on == line:
            resume(m, p, t)
