"""Kernels of the timed machine: what a memory-based processor does with each message. Used by `_processors`.

The home serves the requests of a line one after another, as the rows of the protocol tell (`coherence.rules`). Of the
tables' states between, MI is a line in `pending` that its node has given up, and the busy ones are L_BUSY.
"""

from __future__ import annotations

from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._branch import send_on
from jumpnet.machine.timed._caches import invalidate, keep, mark_dirty, pass_on, share
from jumpnet.machine.timed._finite_buffers import finds_room, hold, is_idle, leaves
from jumpnet.machine.timed._migrate import asked_for, believed_home, come, has_heard, is_moving, leave
from jumpnet.machine.timed._queue import resume, settle
from jumpnet.machine.timed._sync import serve_sync
from jumpnet.machine.timed._tables import (
    follow,
    free_message,
    hand_over,
    is_anew,
    listed,
    lists,
    new_message,
    node_of,
    others,
    over_bus,
    row_of,
    send,
    server_of,
    updates,
)
from jumpnet.machine.timed._tell import acknowledge, made_anew, tell_all, tell_next
from jumpnet.sim.memory.bits import bit

__all__ = ["serve", "turn_to_held"]


@kernel
def complete(m, row, t):
    """A request has what it asked for: its processor goes on, and others of the node that wait for the line.

    As soon as the bus of their node has brought it, which is answered.
    """
    line, register = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    p, node = register // m.outstanding, node_of(m, register)
    did = m.line[line * at.L_FIELDS + at.L_ROW]
    has = m.message[row + at.M_FLAG] == at.HOLDS and listed(m, line, node)
    t = over_bus(m, node, m.bus_request if has else m.bus_line, t)
    entry = m.page[line] if m.by_page else line
    if (m.multicast == at.CHAIN or m.evicts) and lists(m, line, node >> 5) & bit(node) == 0:
        m.count[at.C_STAMP] += 1
        m.stamp[entry * m.nodes + node] = m.count[at.C_STAMP]
    m.valid[line * m.words + (node >> 5)] |= bit(node)
    m.touched[m.page[line] * m.words + (node >> 5)] |= bit(node)
    follow(m, line, node, did)
    if m.pointers > 0:
        if did & rule.TAKES and not m.by_page:  # no other copy is left
            m.over[entry] = 0
        if others(m, line, m.home[m.page[line]]) > m.pointers:
            m.over[entry] = 1
    m.count[at.C_TRANSACTIONS] += 1
    m.register[register * at.R_FIELDS + at.R_LINE] = at.NOBODY
    q = p * at.P_FIELDS
    m.proc[q + at.P_OUT] -= 1
    why = m.proc[q + at.P_BLOCK]
    if why == at.ON_ANY or (why == at.ON_REQUEST and m.proc[q + at.P_ON] == register):
        resume(m, p, t)
    settle(m, line, node, t)
    keep(m, p, line, t)
    if did & rule.SOILS:
        mark_dirty(m, p, line, did)
    free_message(m, row)
    return t


@kernel
def reply(m, line, t):
    """The home has all it needs for the request of a line: answer the asker, with the line unless it has a copy."""
    row = m.line[line * at.L_FIELDS + at.L_ASKED]
    register = m.message[row + at.M_REGISTER]
    node, home = node_of(m, register), m.home[m.page[line]]
    if node == home:
        complete(m, row, t)
        m.line[line * at.L_FIELDS + at.L_BUSY] = 0
    else:
        has = m.message[row + at.M_FLAG] == at.HOLDS and listed(m, line, node)
        send(m, new_message(m, at.DATA, home, node, line, register, m.short if has else m.long), t)


@kernel
def take_back(m, row, t):
    """The home gets a line that a node has given up, and tells it so."""
    line, register, flag = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER], m.message[row + at.M_FLAG]
    node, home = node_of(m, register), m.home[m.page[line]]
    if m.line[line * at.L_FIELDS + at.L_OWNER] == node:
        following = row_of(m, line, rule.OWNER, rule.EVICT, False)
        if flag & at.DIRTY and not flag & at.LAST:  # another cache of the node has the line, as memory has it now
            following = rule.CHANGES | rule.NOBODY | m.shared
        follow(m, line, node, following)
    if flag & at.LAST:
        m.valid[line * m.words + (node >> 5)] &= ~bit(node)
    free_message(m, row)
    if node == home:
        settle(m, line, node, t)
    else:
        send(m, new_message(m, at.PUT_DONE, home, node, line, register, m.short), t)


@kernel
def oldest(m, line, node):
    """The node whose copy goes for that of one more; NOBODY where the line's entry has room for it, or lists it.

    The home's own copy needs no pointer.
    """
    home, found, taken = m.home[m.page[line]], at.NOBODY, 0
    if not m.evicts or node == home or listed(m, line, node):
        return at.NOBODY
    for other in range(m.nodes):
        if other != home and listed(m, line, other):
            taken += 1
            if found < 0 or m.stamp[line * m.nodes + other] < m.stamp[line * m.nodes + found]:
                found = other
    return found if taken >= m.pointers else at.NOBODY


@kernel
def make_room(m, line, victim, t):
    """The home takes a node's copy, which is gone when it is told; what was asked goes on when it acknowledges."""
    row = m.line[line * at.L_FIELDS + at.L_ASKED]
    register = m.message[row + at.M_REGISTER]
    m.line[line * at.L_FIELDS + at.L_LEFT], m.line[line * at.L_FIELDS + at.L_LATEST] = 1, 0
    m.count[at.C_EVICTIONS] += 1
    told = new_message(m, at.TELL, m.home[m.page[line]], victim, line, register, m.short)
    m.message[told + at.M_FLAG] = at.GOES
    send(m, told, t)


@kernel
def write(m, line, t):
    """The home tells others of what is asked, or answers; returns for how much longer that keeps its processor."""
    a, sent = line * at.L_FIELDS, 0
    if m.line[a + at.L_ROW] & rule.TELLS:
        sent = tell_all(m, line, t)
        t = max(t, m.line[a + at.L_LATEST])
    m.line[a + at.L_LEFT] = sent
    if sent == 0:
        reply(m, line, t)
        return 0
    return (sent - 1) * m.spacing


@kernel
def acknowledged(m, line, t):
    """A node has done what it was told; the last one lets the request go on: for how long that keeps the processor."""
    a = line * at.L_FIELDS
    m.line[a + at.L_LEFT] -= 1
    if m.line[a + at.L_LEFT] > 0:
        return 0
    row = m.line[a + at.L_ASKED]
    if m.message[row + at.M_FLAG] == at.GOES:
        m.message[row + at.M_FLAG] = at.NOTHING
        return write(m, line, t)
    reply(m, line, t)
    return 0


@kernel
def begin(m, line, row, t):
    """Start what a request asks the home for; returns for how much longer it keeps the memory-based processor."""
    a = line * at.L_FIELDS
    kind, register = m.message[row + at.M_KIND], m.message[row + at.M_REGISTER]
    if kind == at.PUT:
        take_back(m, row, t)
        return 0
    m.line[a + at.L_BUSY], m.line[a + at.L_ASKED] = 1, row
    asked_for(m, line, node_of(m, register))
    node, home, owner = node_of(m, register), m.home[m.page[line]], m.line[a + at.L_OWNER]
    event = rule.READ if kind == at.ASK_READ else rule.WRITE
    has = m.message[row + at.M_FLAG] == at.HOLDS and listed(m, line, node)
    part = rule.OWNER if owner == node else rule.HOLDER if has and event == rule.WRITE else rule.NONE
    following = row_of(m, line, part, event, others(m, line, node) == 0)
    m.line[a + at.L_ROW] = following
    if kind == at.ASK_READ and not following & rule.TAKES:
        if following & rule.FETCHES and owner != home:
            send(m, new_message(m, at.FETCH, home, owner, line, register, m.short), t)
            return 0
        victim = oldest(m, line, node)
        if victim >= 0:
            make_room(m, line, victim, t)
            return 0
        if following & rule.FETCHES:
            share(m, line, home, node)
            t = over_bus(m, home, m.bus_line, t)
        reply(m, line, t)
        return 0
    victim = oldest(m, line, node) if updates(m, line) else at.NOBODY
    if victim >= 0:
        m.message[row + at.M_FLAG] = at.GOES
        make_room(m, line, victim, t)
        return 0
    return write(m, line, t)


@kernel
def told(m, node, row, t):
    """A receiver of an invalidation or update does what it says and answers; the asker's own node keeps its copy."""
    line, register = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    asker, data, goes = node_of(m, register), False, m.message[row + at.M_FLAG] == at.GOES
    if node != asker:
        t = over_bus(m, node, m.bus_request, t)
    if updates(m, line) and not goes:
        data = pass_on(m, line, node, asker)
    elif node != asker:
        data = invalidate(m, line, node)
    place, flag = m.message[row + at.M_PLACE], at.DIRTY if data else at.NOTHING
    if m.multicast == at.CHAIN:
        flag |= m.message[row + at.M_FLAG]
        free_message(m, row)
        tell_next(m, place, node, line, register, flag, t)
    else:
        free_message(m, row)
        acknowledge(m, place, node, line, register, flag, t)


@kernel
def begin_next(m, line, t, more):
    """The home turns to the next requests of a line that it may serve: `more`, and for how long that keeps it."""
    a = line * at.L_FIELDS
    while m.line[a + at.L_BUSY] == 0 and m.line[a + at.L_FIRST] >= 0:
        following = m.line[a + at.L_FIRST]
        if m.room > 0:
            if not finds_room(m, m.home[m.page[line]], following):
                hold(m, line)
                return more
            leaves(m, following)
        m.line[a + at.L_FIRST] = m.message[following + at.M_NEXT]
        m.message[following + at.M_NEXT] = at.NOBODY
        more += begin(m, line, following, t + more)
    return more


@kernel
def turn_to_held(m, t):
    """Lines that were held are turned to at time t if that is possible now; how many requests were begun."""
    lines, begun = m.count[at.C_HELD], 0
    m.count[at.C_HELD] = 0
    for k in range(lines):
        line = m.held[k]
        first = m.line[line * at.L_FIELDS + at.L_FIRST]
        server = server_of(m, m.home[m.page[line]], at.ASK_READ, line)
        if begun > 0 or not is_idle(m, server, t):  # one at a time: it may want a tree
            hold(m, line)
            continue
        m.node[server * at.N_FIELDS + at.N_FREE] = t + begin_next(m, line, t, 0)
        begun += m.line[line * at.L_FIELDS + at.L_FIRST] != first
        leave(m, line, t)
    return begun


@kernel
def serve(m, node, row, t):
    """What a memory-based processor does with a message; returns for how much longer that keeps it."""
    kind, line, anew = m.message[row + at.M_KIND], m.message[row + at.M_LINE], 0
    if is_anew(m, row):
        anew = m.remake
        t += anew
        if m.multicast == at.BRANCH:
            send_on(m, row, node, t)
            return anew
        if not made_anew(m, row, t):
            free_message(m, row)
            return anew
    if kind >= at.LOCK:
        more = serve_sync(m, node, row, t)
        if more >= 0:
            free_message(m, row)
        return anew + max(0, more)
    register, home, a, more = m.message[row + at.M_REGISTER], m.home[m.page[line]], line * at.L_FIELDS, 0
    if kind <= at.PUT:
        if node != home:
            m.message[row + at.M_TO] = believed_home(m, line, node)
            send(m, row, t)
            return 0
        if m.line[a + at.L_FIRST] < 0:
            m.line[a + at.L_FIRST] = row
        else:
            m.message[m.line[a + at.L_LAST] + at.M_NEXT] = row
        m.line[a + at.L_LAST] = row
    elif kind == at.TELL:
        told(m, node, row, t)
    elif kind == at.ACK and m.message[row + at.M_FLAG] & (at.COUNTS | at.GATHERS):
        hand_over(m, row, t)
    else:
        free_message(m, row)
        if kind == at.DATA:
            has_heard(m, line, node, home)
            ready = complete(m, m.line[a + at.L_ASKED], t)
            send(m, new_message(m, at.DONE, node, home, line, register, m.short), ready)
        elif kind == at.ACK:
            more = acknowledged(m, line, t)
        elif kind == at.FETCH:
            share(m, line, node, node_of(m, register))
            ready = over_bus(m, node, m.bus_line, t)
            send(m, new_message(m, at.OWNER_DATA, node, home, line, register, m.long), ready)
        elif kind == at.OWNER_DATA:
            reply(m, line, t)
        elif kind == at.PUT_DONE:
            settle(m, line, node, t)
        elif kind == at.PAGE:
            come(m, line, t)
        else:
            m.line[a + at.L_BUSY] = 0
    if node != home or is_moving(m, line):
        return anew + more
    more = begin_next(m, line, t, more)
    leave(m, line, t + more)
    return anew + more
