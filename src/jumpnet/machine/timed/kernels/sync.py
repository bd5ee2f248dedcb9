"""Kernels of the timed machine: locks, barriers and flags, free of messages or kept by homes. Used by `processors`.

By message, a lock is a queue at its home: ask, be granted, give back without waiting. At a barrier the processors of a
node meet first; the node tells the home, alone or combined with others on the way as acknowledges are, and the home
tells all nodes when the last is there; where there is a barrier line, barriers of all processors take that. A flag is
opened once, by the processor that the others wait for; so is a lock that processors hand over, a flag for each time it
is given back, which no condition gives up. Flags of an address are numbered as they open in the trace, and share a row:
all before some number are open, and those that open ahead of others are kept in free rows of messages. Free of
messages, whoever waited goes on `sync` cycles later.
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import gather_of, message_at, processor_of, thing_of
from jumpnet.machine.timed.kernels.queue import arrive, block, resume
from jumpnet.machine.timed.kernels.tables import free_message, new_message, object_of, over_bus, send
from jumpnet.machine.timed.kernels.tell import answered, gathered, want_tree
from jumpnet.machine.timed.references import AWAIT, CONDITION, FLAG, LOCK, POST, UNLOCK

__all__ = ["serve_sync", "synchronise"]


@kernel
def enqueue(m, thing, p):
    """Processor p waits behind the others at a lock, a barrier or the flags of an address."""
    kept = thing_of(m, thing)
    processor_of(m, p).chain = at.NOBODY
    if kept.first < 0:
        kept.first = p
    else:
        processor_of(m, kept.last).chain = p
    kept.last = p


@kernel
def dequeue(m, thing):
    """The first of those that wait there, who waits no more; NOBODY where nobody does."""
    p = thing_of(m, thing).first
    if p >= 0:
        thing_of(m, thing).first = processor_of(m, p).chain
    return p


@kernel
def grant(m, thing, p, t):
    """Processor p may go on: at once at the home, by a message elsewhere, or after `sync` cycles without messages."""
    if m.by_message == 0:
        resume(m, p, t + m.sync)
        return
    node, home = p // m.cluster, m.where[object_of(m, thing)]
    if node == home:
        resume(m, p, t)
    else:
        send(m, new_message(m, at.GRANT, home, node, thing, p * m.outstanding, m.short), t)


@kernel
def is_open(m, flag, row):
    """Whether a flag of a row of things is open."""
    if flag < thing_of(m, row).open:
        return True
    ahead = thing_of(m, row).ahead
    while ahead >= 0 and message_at(m, ahead).line < flag:
        ahead = message_at(m, ahead).next
    return ahead >= 0 and message_at(m, ahead).line == flag


@kernel
def open_ahead(m, flag, row):
    """A flag is open, and one before it is not yet: it is kept, in order."""
    kept, opened = thing_of(m, row), new_message(m, at.UNLOCK, at.NOBODY, at.NOBODY, flag, at.NOBODY, 0)
    before, after = kept.farthest, at.NOBODY
    if before >= 0 and message_at(m, before).line > flag:
        before, after = at.NOBODY, kept.ahead
        while message_at(m, after).line < flag:
            before, after = after, message_at(m, after).next
    message_at(m, opened).next = after
    if before >= 0:
        message_at(m, before).next = opened
    else:
        kept.ahead = opened
    if after < 0:
        kept.farthest = opened


@kernel
def open_next(m, row):
    """The first flag that is not open is now, and with it those behind it that were kept."""
    kept = thing_of(m, row)
    kept.open += 1
    while kept.ahead >= 0 and message_at(m, kept.ahead).line == kept.open:
        kept.open += 1
        opened = kept.ahead
        kept.ahead = message_at(m, opened).next
        free_message(m, opened)
    if kept.ahead < 0:
        kept.farthest = at.NOBODY


@kernel
def open_flag(m, flag, row, t):
    """A flag of a row of things opens, and all that wait for it go on."""
    kept = thing_of(m, row)
    if flag == kept.open:
        open_next(m, row)
    else:
        open_ahead(m, flag, row)
    before, p = at.NOBODY, kept.first
    while p >= 0:
        following = processor_of(m, p).chain
        if processor_of(m, p).on != flag:
            before, p = p, following
            continue
        if before < 0:
            kept.first = following
        else:
            processor_of(m, before).chain = following
        if following < 0:
            kept.last = before
        grant(m, flag, p, t)
        p = following


@kernel
def acquire(m, thing, p):
    """Processor p takes a lock, or passes an open flag; else it waits. Whether it need not."""
    row = object_of(m, thing)
    if m.members[row] == FLAG:
        if is_open(m, thing, row):
            return True
    elif thing_of(m, row).holder < 0:
        thing_of(m, row).holder = p
        return True
    enqueue(m, row, p)
    return False


@kernel
def release(m, thing, p, t):
    """Processor p gives a lock back, and the first that waits gets it; or it opens a flag."""
    row = object_of(m, thing)
    if m.members[row] == FLAG:
        open_flag(m, thing, row, t)
    elif thing_of(m, row).holder == p:
        following = dequeue(m, row)
        thing_of(m, row).holder = following
        if following >= 0:
            grant(m, thing, following, t)


@kernel
def by_line(m, thing):
    """Whether a barrier is that of all processors, and there is a line for it."""
    return m.line_cycles > 0 and m.members[thing] == m.everyone


@kernel
def meet(m, thing, p, t):
    """Processor p is at a barrier that takes no messages: the last one lets all go on, by the line if there is one."""
    enqueue(m, thing, p)
    thing_of(m, thing).here += 1
    if thing_of(m, thing).here < m.members[thing]:
        return
    thing_of(m, thing).here = 0
    following = dequeue(m, thing)
    while following >= 0:
        if m.line_cycles > 0:
            resume(m, following, t + m.line_cycles)
        else:
            grant(m, thing, following, t)
        following = dequeue(m, thing)


@kernel
def meet_node(m, thing, p, t):
    """Processor p is at a barrier with messages: the last one of its node sends the node's."""
    node = p // m.cluster
    k = m.barrier[thing] * m.nodes + node
    met = gather_of(m, k)
    processor_of(m, p).chain = met.first
    met.first = p
    met.here += 1
    if met.here == m.expected[k]:
        row = new_message(m, at.ARRIVE, node, node, thing, at.NOTHING, m.short)
        arrive(m, row, over_bus(m, node, m.bus_request, t))


@kernel
def let_go(m, thing, node, t):
    """The processors of a node that wait at a barrier go on, if there are any."""
    met = gather_of(m, m.barrier[thing] * m.nodes + node)
    met.here = 0
    while met.first >= 0:
        p = met.first
        met.first = processor_of(m, p).chain
        resume(m, p, t)


@kernel
def open_barrier(m, thing, t):
    """All nodes are at a barrier: its home tells them. Returns for how much longer that keeps its processor."""
    home, sent, first = m.where[thing], 0, m.barrier[thing] * m.nodes
    as_one = m.multicast == at.TREE or m.multicast == at.BRANCH
    for w in range(m.words):
        m.told[w] = 0
    if m.expected[first + home] > 0:
        let_go(m, thing, home, t)
    for node in range(m.nodes):
        if node != home and m.expected[first + node] > 0:
            m.told[node >> 5] |= bit(node)
            if not as_one:
                row = new_message(m, at.RELEASE, home, node, thing, at.NOTHING, m.short)
                send(m, row, t + sent * m.spacing)
            sent += 1
    if as_one and sent > 0:
        want_tree(m, at.RELEASE, thing, t)
        return 0
    return max(0, (sent - 1) * m.spacing)


@kernel
def tell_home(m, kind, thing, p, t):
    """A processor's message about a lock or flag, to its own node first."""
    node = p // m.cluster
    row = new_message(m, kind, node, node, thing, p * m.outstanding, m.short)
    arrive(m, row, over_bus(m, node, m.bus_request, t))


@kernel
def give_up(m, p, lock, t):
    """Processor p gives a lock back and does not wait."""
    if processor_of(m, p).lock == lock:
        processor_of(m, p).lock = at.NOBODY
    if m.by_message:
        tell_home(m, at.UNLOCK, lock, p, t)
    else:
        release(m, lock, p, t)


@kernel
def synchronise(m, p, what, thing, t):
    """A processor at a lock, unlock, barrier, condition or flag; False when it has to wait."""
    proc = processor_of(m, p)
    if what == UNLOCK and proc.gave == thing:
        proc.gave = at.NOBODY  # a condition has given it up
        return True
    if what in (UNLOCK, POST):
        give_up(m, p, thing, t)
        return True
    if what == LOCK and m.members[object_of(m, thing)] != FLAG:
        proc.lock = thing
        if proc.gave == thing:
            proc.gave = at.NOBODY
    elif what in (CONDITION, AWAIT) and proc.lock >= 0:
        proc.gave = proc.lock
        give_up(m, p, proc.lock, t)
    block(m, p, at.ON_THING, thing, at.SYNC_STALL, t)
    if what in (LOCK, AWAIT):
        if m.by_message:
            tell_home(m, at.LOCK, thing, p, t)
        elif acquire(m, thing, p):
            proc.block = at.GOES_ON
            return True
    elif m.by_message and not by_line(m, thing):
        meet_node(m, thing, p, t)
    else:
        meet(m, thing, p, t)
    return False


@kernel
def serve_sync(m, node, row, t):
    """What a memory-based processor does with a message about a lock, barrier or flag; how much longer that takes.

    Returns -1 where the message goes on to its home.
    """
    message = message_at(m, row)
    kind, thing = message.kind, message.line
    home, p = m.where[object_of(m, thing)], message.register // m.outstanding
    if kind == at.GRANT:
        resume(m, p, t)
    elif kind == at.RELEASE:
        if node != home:  # where the maps name the home too, it has let its own go before
            let_go(m, thing, node, t)
    elif kind == at.ARRIVE and m.acknowledges == at.COMBINED and message.flag != at.LAST:
        place = gather_of(m, m.barrier[thing] * m.nodes + node).place
        answered(m, kind, place, thing, m.processors * m.outstanding + m.barrier[thing], at.NOTHING, t)
    elif node != home:
        message.to = home
        send(m, row, t)
        return -1
    elif kind == at.LOCK:
        if acquire(m, thing, p):
            grant(m, thing, p, t)
    elif kind == at.UNLOCK:
        release(m, thing, p, t)
    elif message.flag == at.LAST:
        return open_barrier(m, thing, t)
    elif m.acknowledges != at.SINGLE:
        gathered(m, row, t)
        return -1
    else:
        kept = thing_of(m, thing)
        kept.here += 1
        if kept.here == kept.nodes:
            kept.here = 0
            return open_barrier(m, thing, t)
    return 0
