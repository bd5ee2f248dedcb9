"""Kernels of the timed machine: what the caches of a node hold, what falls out of them, and what is taken away.

Without limit the processors of a node share one cache, and what it holds is what the home lists. With a size each has
its own, as in `coherence.functional`, whose rules these are; the others of the node see it by their bus. A line that
falls out while the node has a request for it under way is let go in silence: the request's register has it.
"""

from jumpnet.coherence import caches
from jumpnet.coherence.recent import EMPTY, enter, touch
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.bits import bit
from jumpnet.jit.linked import inlined, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import counters_at, line_of, message_at, processor_of
from jumpnet.machine.timed.kernels.queue import arrive
from jumpnet.machine.timed.kernels.tables import follow, has_without_limit, is_pending, new_message, over_bus, rule_of

__all__ = ["find", "heed", "in_node", "keep", "mark_dirty", "share"]


@inlined
def part_of(m, line):
    """The set of any cache that a line may be in."""
    return m.number[line] & (m.sets - 1)


@kernel
def in_node(m, line, node):
    """Whether some cache of a node holds a line."""
    if m.ways == 0:
        return has_without_limit(m, line, node)
    return caches.in_node(m, node, part_of(m, line), line, at.NOBODY)


@kernel
def evict(m, p, entry, t):
    """A line falls out of a processor's cache: the home is told of a dirty one, and of the last of clean ones
    where hints or the protocol ask it. Where one node at a time may read, of the last of dirty ones."""
    line, dirty = entry >> 1, (entry & 1) == 1
    node, kept = p // m.cluster, line_of(m, line)
    owns = kept.owner == node
    if is_pending(m, line, node):
        return
    last = not in_node(m, line, node)
    if dirty and not last and m.shared == rule.UNSHARED:
        caches.hand_on(m, p, part_of(m, line), line)
        return
    does = rule_of(m, line, rule.OWNER if owns else rule.HOLDER, rule.EVICT, False)
    if not owns and kept.busy == 1:  # an owner may have been told already
        does |= m.rules[rule.ROWS * (kept.does & rule.CLASS_BITS) + rule.PARTS * rule.HOLDER + rule.EVICT]
    if dirty:
        counters_at(m, 0).write_backs += 1
    elif last and (m.hints or (does & rule.ASKS and not does & rule.STORES)):
        counters_at(m, 0).hints += 1
    else:
        return
    m.pending[line * m.words + (node >> 5)] |= bit(node)
    row = new_message(m, at.PUT, node, node, line, p * m.outstanding, m.long if dirty else m.short)
    message_at(m, row).flag = dirty * at.DIRTY | last * at.LAST | owns * at.OWNED
    arrive(m, row, over_bus(m, node, m.bus_line if dirty else m.bus_request, t))


@kernel
def fill(m, p, line, t):
    """Enter a line in a processor's cache."""
    out = enter(m.cache, caches.set_of(m, p, part_of(m, line)), m.ways, line)
    if out != EMPTY:
        evict(m, p, out, t)


@kernel
def has(m, p, line):
    """Whether a processor's cache holds a line, which becomes the most recent of its set."""
    return touch(m.cache, caches.set_of(m, p, part_of(m, line)), m.ways, line)


@kernel
def find(m, p, line, t):
    """Whether a processor's node holds a line; a copy of another cache of the node is brought in by the bus.

    The processor is `ready` when it has come.
    """
    node = p // m.cluster
    if m.ways == 0:
        return has_without_limit(m, line, node)
    if has(m, p, line):
        return True
    if not in_node(m, line, node):
        return False
    counters_at(m, 0).bus_transfers += 1
    counters_at(m, 0).cache_misses += 1
    processor_of(m, p).ready = over_bus(m, node, m.bus_line, t)
    fill(m, p, line, t)
    return True


@kernel
def keep(m, p, line, t):
    """A processor's cache has a line, as the most recent of its set."""
    if m.ways > 0 and not has(m, p, line):
        fill(m, p, line, t)


@kernel
def mark_dirty(m, p, line, does):
    """A processor writes the line that its cache had last, as the protocol's row says."""
    if m.ways > 0:
        caches.mark_dirty(m, p, part_of(m, line), line, does & rule.MATES)


@kernel
def share(m, line, node, asker):
    """The owner of a line gives it to a reader: the row says whether its copy stays dirty, and whose the line is."""
    does = rule_of(m, line, rule.NONE, rule.READ, False)
    line_of(m, line).does = does
    follow(m, line, asker, does)
    if does & rule.CLEANS:
        caches.mark_clean(m, node, part_of(m, line), line)


@kernel
def heed(m, line, node, asker, goes):
    """A node does what it is told of a request: its copies go, where the row or `goes` says so, or hear of the word.

    The asker's own node keeps its copies. Whether the node owned the line and sends it home.
    """
    if node == asker:
        return False
    kept = line_of(m, line)
    owned = kept.owner == node
    if goes or kept.does & rule.TAKES != 0:
        m.valid[line * m.words + (node >> 5)] &= ~bit(node)
        if m.lingers:
            m.copies[line * m.words + (node >> 5)] &= ~bit(node)
        caches.take(m, node, part_of(m, line), line)
    elif owned:
        caches.mark_clean(m, node, part_of(m, line), line)
    if owned:
        kept.owner = at.NOBODY
    return owned and kept.does & rule.FETCHES != 0
