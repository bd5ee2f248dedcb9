"""Kernels of the timed machine: what the caches of a node hold, what falls out of them, and what is taken away.

Without limit the processors of a node share one cache, and what it holds is what the home lists. With a size each has
its own, as in `coherence.functional`, whose rules these are; the others of the node see it by their bus. A line that
falls out while the node has a request for it under way is let go in silence: the request's register has it.
"""

from __future__ import annotations

from jumpnet.coherence.recent import EMPTY, enter, holds, remove, touch
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.linked import kernel
from jumpnet.machine._memory import caches_of
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._queue import arrive
from jumpnet.machine.timed._tables import follow, is_pending, listed, new_message, over_bus, row_of
from jumpnet.sim.memory.bits import bit

__all__ = ["find", "in_node", "invalidate", "keep", "mark_dirty", "pass_on", "share"]


@kernel
def cache_row(m, p, line):
    """The set of a processor's cache that a line may be in."""
    return p * m.sets + (m.number[line] & (m.sets - 1))


@kernel
def in_node(m, line, node):
    """Whether some cache of a node holds a line."""
    if m.ways == 0:
        return listed(m, line, node)
    caches, found = caches_of(m), False
    for p in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
        found = found or holds(caches, cache_row(m, p, line), line)
    return found


@kernel
def hand_on(m, p, line):
    """The dirty copy of a processor goes on in that of another cache of its node."""
    caches, node = caches_of(m), p // m.cluster
    for q in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
        row = cache_row(m, q, line)
        for w in range(m.ways):
            if q != p and caches[row, w] >> 1 == line:
                caches[row, w] |= 1
                return


@kernel
def evict(m, p, entry, t):
    """A line falls out of a processor's cache: the home is told of a dirty one, and of the last of clean ones
    where hints or the protocol ask it. Where one node at a time may read, of the last of dirty ones."""
    line, dirty = entry >> 1, (entry & 1) == 1
    node = p // m.cluster
    if is_pending(m, line, node):
        return
    last, owner = not in_node(m, line, node), m.line[line * at.L_FIELDS + at.L_OWNER]
    if dirty and not last and m.shared == rule.UNSHARED:
        hand_on(m, p, line)
        return
    row = row_of(m, line, rule.OWNER if owner == node else rule.HOLDER, rule.EVICT, False)
    if owner != node and m.line[line * at.L_FIELDS + at.L_BUSY] == 1:  # an owner may have been told already
        following = m.line[line * at.L_FIELDS + at.L_ROW] & rule.CLASS_BITS
        row |= m.rules[rule.ROWS * following + rule.PARTS * rule.HOLDER + rule.EVICT]
    if dirty:
        m.count[at.C_WRITE_BACKS] += 1
    elif last and (m.hints or (row & rule.ASKS and not row & rule.STORES)):
        m.count[at.C_HINTS] += 1
    else:
        return
    m.pending[line * m.words + (node >> 5)] |= bit(node)
    row = new_message(m, at.PUT, node, node, line, p * m.outstanding, m.long if dirty else m.short)
    m.message[row + at.M_FLAG] = (at.DIRTY if dirty else at.NOTHING) | (at.LAST if last else at.NOTHING)
    arrive(m, row, over_bus(m, node, m.bus_line if dirty else m.bus_request, t))


@kernel
def fill(m, p, line, t):
    """Enter a line in a processor's cache."""
    out = enter(caches_of(m), cache_row(m, p, line), line)
    if out != EMPTY:
        evict(m, p, out, t)


@kernel
def find(m, p, line, t):
    """Whether a processor's node holds a line; a copy of another cache of the node is brought in by the bus.

    P_READY then says when it has come.
    """
    node = p // m.cluster
    if m.ways == 0:
        return listed(m, line, node)
    if touch(caches_of(m), cache_row(m, p, line), line):
        return True
    if not in_node(m, line, node):
        return False
    m.count[at.C_BUS] += 1
    m.count[at.C_CACHE_MISSES] += 1
    m.proc[p * at.P_FIELDS + at.P_READY] = over_bus(m, node, m.bus_line, t)
    fill(m, p, line, t)
    return True


@kernel
def keep(m, p, line, t):
    """A processor's cache has a line, as the most recent of its set."""
    if m.ways > 0 and not touch(caches_of(m), cache_row(m, p, line), line):
        fill(m, p, line, t)


@kernel
def mark_clean(m, line, node):
    """No copy of a node is dirty any more."""
    if m.ways > 0:
        caches = caches_of(m)
        for p in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
            row = cache_row(m, p, line)
            for w in range(m.ways):
                if caches[row, w] == 2 * line + 1:
                    caches[row, w] = 2 * line


@kernel
def mark_dirty(m, p, line, row):
    """A processor writes the line that its cache had last: other caches of the node lose it, or have it clean."""
    if m.ways > 0:
        caches, node = caches_of(m), p // m.cluster
        if not row & rule.MATES:
            mark_clean(m, line, node)
        for q in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
            if q != p and row & rule.MATES:
                remove(caches, cache_row(m, q, line), line)
        caches[cache_row(m, p, line), 0] |= 1


@kernel
def pass_on(m, line, node, asker):
    """A node is told of the write of another; whether it was the owner, and its copy is what the writer lacks."""
    a = line * at.L_FIELDS
    if node == asker or m.line[a + at.L_OWNER] != node:
        return False
    mark_clean(m, line, node)
    m.line[a + at.L_OWNER] = at.NOBODY
    return m.line[a + at.L_ROW] & rule.FETCHES != 0


@kernel
def share(m, line, node, asker):
    """The owner of a line gives it to a reader: the row says whether its copy stays dirty, and whose the line is."""
    row = row_of(m, line, rule.NONE, rule.READ, False)
    m.line[line * at.L_FIELDS + at.L_ROW] = row
    follow(m, line, asker, row)
    if row & rule.CLEANS:
        mark_clean(m, line, node)


@kernel
def invalidate(m, line, node):
    """A node gives up its copies of a line; whether it owned it."""
    m.valid[line * m.words + (node >> 5)] &= ~bit(node)
    if m.ways > 0:
        for p in range(node * m.cluster, min((node + 1) * m.cluster, m.processors)):
            remove(caches_of(m), cache_row(m, p, line), line)
    if m.line[line * at.L_FIELDS + at.L_OWNER] != node:
        return False
    m.line[line * at.L_FIELDS + at.L_OWNER] = at.NOBODY
    return True
