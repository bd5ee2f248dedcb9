"""Kernels of the timed machine: what a memory-based processor does with each message. Used by `processors`.

The home serves the requests of a line one after another, as the rows of the protocol tell (`coherence.rules`). Of the
tables' states between, MI is a line in `pending` that its node has given up, and the busy ones are L_BUSY.
"""

from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.bits import bit
from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.branch import send_on
from jumpnet.machine.timed.kernels.caches import heed, keep, mark_dirty, share
from jumpnet.machine.timed.kernels.finite_buffers import is_idle, leaves
from jumpnet.machine.timed.kernels.layout import counters_at, line_of, message_at, processor_of, queue_of, register_of
from jumpnet.machine.timed.kernels.migrate import asked_for, believed_home, come, has_heard, is_moving, leave
from jumpnet.machine.timed.kernels.queue import resume, settle
from jumpnet.machine.timed.kernels.requests import hold, next_request, put_behind, take_out
from jumpnet.machine.timed.kernels.sync import serve_sync
from jumpnet.machine.timed.kernels.tables import (
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
    rule_of,
    send,
    server_for,
)
from jumpnet.machine.timed.kernels.tell import acknowledge, made_anew, tell_all, tell_next

__all__ = ["serve", "turn_to_held"]


@kernel
def has_copy(m, row):
    """Whether the node that sent a request had a copy of the line then, and is still listed."""
    message = message_at(m, row)
    return message.flag == at.HOLDS and listed(m, message.line, node_of(m, message.register))


@kernel
def brings_line(m, row):
    """Whether what a request is answered with is the line: neither to a copy, nor to a writer who gets none."""
    message = message_at(m, row)
    leaves = message.kind == at.ASK_WRITE and line_of(m, message.line).does & rule.LEAVES != 0
    return not leaves and not has_copy(m, row)


@kernel
def enlist(m, line, node, does):
    """A node is answered: class and owner of the line are those of the row, and its entry lists the node if it says so.

    An entry of few pointers no longer knows whom it lists once these are too many, until all copies are taken.
    """
    entry, place = m.page[line] if m.by_page else line, line * m.words + (node >> 5)
    follow(m, line, node, does)
    if does & rule.LEAVES == 0 or does & rule.LISTS != 0:
        if (m.multicast == at.CHAIN or m.evicts) and lists(m, line, node >> 5) & bit(node) == 0:
            counters_at(m, 0).stamp += 1
            m.stamp[entry * m.nodes + node] = counters_at(m, 0).stamp
        m.valid[place] |= bit(node)
        m.touched[m.page[line] * m.words + (node >> 5)] |= bit(node)
    elif does & rule.TAKES:
        m.valid[place] &= ~bit(node)
    if m.lingers and not does & rule.LEAVES:
        m.copies[place] |= bit(node)
    if m.pointers > 0:
        if does & rule.TAKES and not m.by_page:
            m.over[entry] = 0
        if others(m, line, m.home[m.page[line]]) > m.pointers:
            m.over[entry] = 1


@kernel
def complete(m, row, t):
    """A request has what it asked for: its processor goes on, and others of the node that wait for the line.

    As soon as the bus of their node has brought it, which is answered.
    """
    line, register = message_at(m, row).line, message_at(m, row).register
    p, node, does = register // m.outstanding, node_of(m, register), line_of(m, line).does
    t = over_bus(m, node, m.bus_line if brings_line(m, row) else m.bus_request, t)
    enlist(m, line, node, does)
    counters_at(m, 0).transactions += 1
    register_of(m, register).line = at.NOBODY
    proc = processor_of(m, p)
    proc.out -= 1
    if proc.block == at.ON_ANY or (proc.block == at.ON_REQUEST and proc.on == register):
        resume(m, p, t)
    settle(m, line, node, t)
    if not does & rule.LEAVES:
        keep(m, p, line, t)
    if does & rule.SOILS:
        mark_dirty(m, p, line, does)
    free_message(m, row)
    return t


@kernel
def reply(m, line, t):
    """The home has all it needs for the request of a line: answer the asker, with the line unless it has a copy."""
    row = line_of(m, line).asked
    register = message_at(m, row).register
    node, home = node_of(m, register), m.home[m.page[line]]
    if node == home:
        complete(m, row, t)
        line_of(m, line).busy = 0
    else:
        send(m, new_message(m, at.DATA, home, node, line, register, m.long if brings_line(m, row) else m.short), t)


@kernel
def part_of(m, row):
    """The part that a node has in the line for which it asks, or which it gives up, when the home turns to it."""
    message = message_at(m, row)
    node = node_of(m, message.register)
    if line_of(m, message.line).owner == node:
        return rule.OWNER
    had = message.kind == at.PUT or (message.kind == at.ASK_WRITE and message.flag == at.HOLDS)
    if had and (message.flag & at.OWNED != 0 or not listed(m, message.line, node)):
        return rule.GONE
    return rule.HOLDER if had else rule.NONE


@kernel
def take_back(m, row, t):
    """The home gets a line that a node has given up, and tells it so."""
    message = message_at(m, row)
    line, register = message.line, message.register
    node, home, part = node_of(m, register), m.home[m.page[line]], part_of(m, row)
    if message.flag & at.LAST:
        follow(m, line, node, rule_of(m, line, part, rule.EVICT, others(m, line, node) == 0))
        m.valid[line * m.words + (node >> 5)] &= ~bit(node)
    elif part == rule.OWNER:  # another cache of the node has the line, as memory has it now
        follow(m, line, node, rule.CHANGES | rule.NOBODY | m.shared)
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
    kept = line_of(m, line)
    kept.left, kept.latest = 1, 0
    counters_at(m, 0).evictions += 1
    register = message_at(m, kept.asked).register
    told = new_message(m, at.TELL, m.home[m.page[line]], victim, line, register, m.short)
    message_at(m, told).flag = at.GOES
    send(m, told, t)


@kernel
def tell_or_answer(m, line, t):
    """The home tells others of what is asked, or answers; returns for how much longer that keeps its processor."""
    kept, sent = line_of(m, line), 0
    if kept.does & rule.TELLS:
        sent = tell_all(m, line, t)
        t = max(t, kept.latest)
    kept.left = sent
    if sent == 0:
        reply(m, line, t)
        return 0
    return (sent - 1) * m.spacing


@kernel
def acknowledged(m, line, t):
    """A node has done what it was told; the last one lets the request go on: for how long that keeps the processor."""
    kept = line_of(m, line)
    kept.left -= 1
    if kept.left > 0:
        return 0
    asked = message_at(m, kept.asked)
    if asked.flag == at.GOES:
        asked.flag = at.NOTHING
        return tell_or_answer(m, line, t)
    reply(m, line, t)
    return 0


@kernel
def begin(m, line, row, t):
    """Start what a request asks the home for; returns for how much longer it keeps the memory-based processor."""
    kept, message = line_of(m, line), message_at(m, row)
    register = message.register
    node, home = node_of(m, register), m.home[m.page[line]]
    if message.kind == at.PUT:
        take_back(m, row, t)
        return 0
    kept.busy, kept.asked = 1, row
    asked_for(m, line, node)
    owner, reads = kept.owner, message.kind == at.ASK_READ
    does = rule_of(m, line, part_of(m, row), rule.READ if reads else rule.WRITE, others(m, line, node) == 0)
    kept.does = does
    fetches = does & rule.FETCHES and not does & rule.TELLS  # else the owner sends the line as it is told
    if fetches and owner != home:
        send(m, new_message(m, at.FETCH, home, owner, line, register, m.short), t)
        return 0
    stays = does & rule.TAKES != 0 or (does & rule.LEAVES != 0 and does & rule.LISTS == 0)
    victim = at.NOBODY if stays else oldest(m, line, node)
    if victim >= 0:
        message.flag = at.GOES
        make_room(m, line, victim, t)
        return 0
    if fetches:
        share(m, line, home, node)
        t = over_bus(m, home, m.bus_line, t)
    return tell_or_answer(m, line, t)


@kernel
def told(m, node, row, t):
    """A receiver of an invalidation or update does what it says and answers; the asker's own node keeps its copy."""
    message = message_at(m, row)
    line, asker = message.line, node_of(m, message.register)
    if node != asker:
        t = over_bus(m, node, m.bus_request, t)
    data = heed(m, line, node, asker, message.flag == at.GOES)
    flag = at.DIRTY if data else at.NOTHING
    if m.multicast == at.CHAIN:
        tell_next(m, row, flag | message.flag, t)
    else:
        acknowledge(m, row, flag, t)
    free_message(m, row)


@kernel
def begin_next(m, line, t, more):
    """The home turns to the next requests of a line that it may serve: `more`, and for how long that keeps it."""
    kept = line_of(m, line)
    while kept.busy == 0 and kept.first >= 0:
        row = next_request(m, line)
        if row < 0:
            hold(m, line)
            return more
        take_out(m, line, row)
        if m.room > 0:
            leaves(m, row)
        more += begin(m, line, row, t + more)
    return more


@kernel
def turn_to_held(m, t):
    """The first line that was held and may be turned to at time t is; whether there was one."""
    lines, begun = counters_at(m, 0).held, False
    counters_at(m, 0).held = 0
    for k in range(lines):
        line = m.held[k]
        server = server_for(m, m.home[m.page[line]], at.ASK_READ, line)
        # One at a time: it may want a tree.
        if not begun and is_idle(m, server, t) and next_request(m, line) >= 0:
            queue_of(m, server).free = t + begin_next(m, line, t, 0)
            leave(m, line, t)
            begun = True
        elif line_of(m, line).first >= 0:
            hold(m, line)
    return begun


@kernel
def _answered(m, node, kind, line, register, t):
    """What an answer does, after which its message is free; for how much longer it keeps the processor."""
    home = m.home[m.page[line]]
    if kind == at.DATA:
        has_heard(m, line, node, home)
        ready = complete(m, line_of(m, line).asked, t)
        send(m, new_message(m, at.DONE, node, home, line, register, m.short), ready)
    elif kind == at.ACK:
        return acknowledged(m, line, t)
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
        line_of(m, line).busy = 0
    return 0


@kernel
def _heard(m, node, row, t):
    """What a message about a line does that has come where it is meant for, likewise."""
    message = message_at(m, row)
    kind, line, register = message.kind, message.line, message.register
    if kind <= at.PUT:
        put_behind(m, line, row)
    elif kind == at.TELL:
        told(m, node, row, t)
    elif kind == at.ACK and message.flag & (at.COUNTS | at.GATHERS):
        hand_over(m, row, t)
    else:
        free_message(m, row)
        return _answered(m, node, kind, line, register, t)
    return 0


@kernel
def serve(m, node, row, t):
    """What a memory-based processor does with a message; returns for how much longer that keeps it."""
    message, anew = message_at(m, row), 0
    kind, line = message.kind, message.line
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
    home = m.home[m.page[line]]
    if kind <= at.PUT and node != home:
        message.to = believed_home(m, line, node)
        send(m, row, t)
        return 0
    more = _heard(m, node, row, t)
    if node != home or is_moving(m, line):
        return anew + more
    more = begin_next(m, line, t, more)
    leave(m, line, t + more)
    return anew + more
