"""Kernels of the timed machine: locks, barriers and flags, free of messages or kept by homes. Used by `_processors`.

By message, a lock is a queue at its home: ask, be granted, give back without waiting. At a barrier the processors of a
node meet first; the node tells the home, alone or combined with others on the way as acknowledges are, and the home
tells all nodes when the last is there; where there is a barrier line, barriers of all processors take that. A flag is
opened once, by the processor that the others wait for; so is a lock that processors hand over, a flag for each time it
is given back, which no condition gives up. Flags of an address are numbered as they open in the trace, and share a row:
all before some number are open, and those that open ahead of others are kept in free rows of messages. Free of
messages, whoever waited goes on `sync` cycles later.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._queue import arrive, block, resume
from jumpnet.machine.timed._tables import free_message, new_message, object_of, over_bus, send
from jumpnet.machine.timed._tell import answered, gathered, want_tree
from jumpnet.machine.timed.flags import AWAIT, CONDITION, LOCK, POST, UNLOCK

__all__ = ["serve_sync", "synchronise"]


@kernel
def enqueue(m, thing, p):
    """Processor p waits behind the others at a lock, a barrier or the flags of an address."""
    a = thing * at.O_FIELDS
    m.proc[p * at.P_FIELDS + at.P_CHAIN] = at.NOBODY
    if m.thing[a + at.O_FIRST] < 0:
        m.thing[a + at.O_FIRST] = p
    else:
        m.proc[m.thing[a + at.O_LAST] * at.P_FIELDS + at.P_CHAIN] = p
    m.thing[a + at.O_LAST] = p


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
def is_open(m, flag, a):
    """Whether a flag of the row at `a` is open."""
    if flag < m.thing[a + at.O_OPEN]:
        return True
    row = m.thing[a + at.O_AHEAD]
    while row >= 0 and m.message[row + at.M_LINE] < flag:
        row = m.message[row + at.M_NEXT]
    return row >= 0 and m.message[row + at.M_LINE] == flag


@kernel
def open_ahead(m, flag, a):
    """A flag is open, and one before it is not yet: it is kept, in order."""
    row = new_message(m, at.UNLOCK, at.NOBODY, at.NOBODY, flag, at.NOBODY, 0)
    before, after = m.thing[a + at.O_FARTHEST], at.NOBODY
    if before >= 0 and m.message[before + at.M_LINE] > flag:
        before, after = at.NOBODY, m.thing[a + at.O_AHEAD]
        while m.message[after + at.M_LINE] < flag:
            before, after = after, m.message[after + at.M_NEXT]
    m.message[row + at.M_NEXT] = after
    if before >= 0:
        m.message[before + at.M_NEXT] = row
    else:
        m.thing[a + at.O_AHEAD] = row
    if after < 0:
        m.thing[a + at.O_FARTHEST] = row


@kernel
def open_next(m, a):
    """The first flag that is not open is now, and with it those behind it that were kept."""
    row = m.thing[a + at.O_AHEAD]
    m.thing[a + at.O_OPEN] += 1
    while row >= 0 and m.message[row + at.M_LINE] == m.thing[a + at.O_OPEN]:
        m.thing[a + at.O_OPEN] += 1
        following = m.message[row + at.M_NEXT]
        free_message(m, row)
        row = following
    m.thing[a + at.O_AHEAD] = row
    if row < 0:
        m.thing[a + at.O_FARTHEST] = at.NOBODY


@kernel
def open_flag(m, flag, a, t):
    """A flag of the row at `a` opens, and all that wait for it go on."""
    if flag == m.thing[a + at.O_OPEN]:
        open_next(m, a)
    else:
        open_ahead(m, flag, a)
    before, p = at.NOBODY, m.thing[a + at.O_FIRST]
    while p >= 0:
        following = m.proc[p * at.P_FIELDS + at.P_CHAIN]
        if m.proc[p * at.P_FIELDS + at.P_ON] != flag:
            before, p = p, following
            continue
        if before < 0:
            m.thing[a + at.O_FIRST] = following
        else:
            m.proc[before * at.P_FIELDS + at.P_CHAIN] = following
        if following < 0:
            m.thing[a + at.O_LAST] = before
        grant(m, flag, p, t)
        p = following


@kernel
def acquire(m, thing, p):
    """Processor p takes a lock, or passes an open flag; else it waits. Whether it need not."""
    row = object_of(m, thing)
    a = row * at.O_FIELDS
    if m.members[row] == at.FLAG:
        if is_open(m, thing, a):
            return True
    elif m.thing[a + at.O_HOLDER] < 0:
        m.thing[a + at.O_HOLDER] = p
        return True
    enqueue(m, row, p)
    return False


@kernel
def release(m, thing, p, t):
    """Processor p gives a lock back, and the first that waits gets it; or it opens a flag."""
    row = object_of(m, thing)
    a = row * at.O_FIELDS
    if m.members[row] == at.FLAG:
        open_flag(m, thing, a, t)
    elif m.thing[a + at.O_HOLDER] == p:
        following = m.thing[a + at.O_FIRST]
        m.thing[a + at.O_HOLDER] = following
        if following >= 0:
            m.thing[a + at.O_FIRST] = m.proc[following * at.P_FIELDS + at.P_CHAIN]
            grant(m, thing, following, t)


@kernel
def by_line(m, thing):
    """Whether a barrier is that of all processors, and there is a line for it."""
    return m.line_cycles > 0 and m.members[thing] == m.everyone


@kernel
def meet(m, thing, p, t):
    """Processor p is at a barrier that takes no messages: the last one lets all go on, by the line if there is one."""
    a = thing * at.O_FIELDS
    enqueue(m, thing, p)
    m.thing[a + at.O_HERE] += 1
    if m.thing[a + at.O_HERE] < m.members[thing]:
        return
    m.thing[a + at.O_HERE] = 0
    while m.thing[a + at.O_FIRST] >= 0:
        following = m.thing[a + at.O_FIRST]
        m.thing[a + at.O_FIRST] = m.proc[following * at.P_FIELDS + at.P_CHAIN]
        if m.line_cycles > 0:
            resume(m, following, t + m.line_cycles)
        else:
            grant(m, thing, following, t)


@kernel
def meet_node(m, thing, p, t):
    """Processor p is at a barrier with messages: the last one of its node sends the node's."""
    node = p // m.cluster
    k = m.barrier[thing] * m.nodes + node
    g = k * at.G_FIELDS
    m.proc[p * at.P_FIELDS + at.P_CHAIN] = m.gather[g + at.G_FIRST]
    m.gather[g + at.G_FIRST] = p
    m.gather[g + at.G_HERE] += 1
    if m.gather[g + at.G_HERE] == m.expected[k]:
        row = new_message(m, at.ARRIVE, node, node, thing, at.NOTHING, m.short)
        arrive(m, row, over_bus(m, node, m.bus_request, t))


@kernel
def let_go(m, thing, node, t):
    """The processors of a node that wait at a barrier go on, if there are any."""
    g = (m.barrier[thing] * m.nodes + node) * at.G_FIELDS
    m.gather[g + at.G_HERE] = 0
    while m.gather[g + at.G_FIRST] >= 0:
        p = m.gather[g + at.G_FIRST]
        m.gather[g + at.G_FIRST] = m.proc[p * at.P_FIELDS + at.P_CHAIN]
        resume(m, p, t)


@kernel
def open_barrier(m, thing, t):
    """All nodes are at a barrier: its home tells them. Returns for how much longer that keeps its processor."""
    home, sent = m.where[thing], 0
    if m.expected[m.barrier[thing] * m.nodes + home] > 0:
        let_go(m, thing, home, t)
    for node in range(m.nodes):
        if node != home and m.expected[m.barrier[thing] * m.nodes + node] > 0:
            if m.multicast != at.TREE and m.multicast != at.BRANCH:
                row = new_message(m, at.RELEASE, home, node, thing, at.NOTHING, m.short)
                send(m, row, t + sent * m.spacing)
            sent += 1
    if (m.multicast == at.TREE or m.multicast == at.BRANCH) and sent > 0:
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
    if m.proc[p * at.P_FIELDS + at.P_LOCK] == lock:
        m.proc[p * at.P_FIELDS + at.P_LOCK] = at.NOBODY
    if m.by_message:
        tell_home(m, at.UNLOCK, lock, p, t)
    else:
        release(m, lock, p, t)


@kernel
def synchronise(m, p, what, thing, t):
    """A processor at a lock, unlock, barrier, condition or flag; False when it has to wait."""
    q = p * at.P_FIELDS
    if what == UNLOCK and m.proc[q + at.P_GAVE] == thing:
        m.proc[q + at.P_GAVE] = at.NOBODY  # a condition has given it up
        return True
    if what in (UNLOCK, POST):
        give_up(m, p, thing, t)
        return True
    if what == LOCK and m.members[object_of(m, thing)] != at.FLAG:
        m.proc[q + at.P_LOCK] = thing
        if m.proc[q + at.P_GAVE] == thing:
            m.proc[q + at.P_GAVE] = at.NOBODY
    elif what in (CONDITION, AWAIT) and m.proc[q + at.P_LOCK] >= 0:
        m.proc[q + at.P_GAVE] = m.proc[q + at.P_LOCK]
        give_up(m, p, m.proc[q + at.P_LOCK], t)
    block(m, p, at.ON_THING, thing, at.P_SYNC, t)
    if what in (LOCK, AWAIT):
        if m.by_message:
            tell_home(m, at.LOCK, thing, p, t)
        elif acquire(m, thing, p):
            m.proc[q + at.P_BLOCK] = at.GOES_ON
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
    kind, thing = m.message[row + at.M_KIND], m.message[row + at.M_LINE]
    home, p = m.where[object_of(m, thing)], m.message[row + at.M_REGISTER] // m.outstanding
    if kind == at.GRANT:
        resume(m, p, t)
    elif kind == at.RELEASE:
        if node != home:  # where the maps name the home too, it has let its own go before
            let_go(m, thing, node, t)
    elif kind == at.ARRIVE and m.acknowledges == at.COMBINED and m.message[row + at.M_FLAG] != at.LAST:
        place = m.gather[(m.barrier[thing] * m.nodes + node) * at.G_FIELDS + at.G_PLACE]
        answered(m, kind, place, thing, m.processors * m.outstanding + m.barrier[thing], at.NOTHING, t)
    elif node != home:
        m.message[row + at.M_TO] = home
        send(m, row, t)
        return -1
    elif kind == at.LOCK:
        if acquire(m, thing, p):
            grant(m, thing, p, t)
    elif kind == at.UNLOCK:
        release(m, thing, p, t)
    elif m.message[row + at.M_FLAG] == at.LAST:
        return open_barrier(m, thing, t)
    elif m.acknowledges != at.SINGLE:
        gathered(m, row, t)
        return -1
    else:
        m.thing[thing * at.O_FIELDS + at.O_HERE] += 1
        if m.thing[thing * at.O_FIELDS + at.O_HERE] == m.thing[thing * at.O_FIELDS + at.O_NODES]:
            m.thing[thing * at.O_FIELDS + at.O_HERE] = 0
            return open_barrier(m, thing, t)
    return 0
