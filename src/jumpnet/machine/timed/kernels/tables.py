"""Kernels of the timed machine that the others share: the heap of events, messages, the bus, and who has a line."""

from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.bits import bit, count
from jumpnet.jit.linked import inlined, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import counters_at, line_of, message_at, place_at, register_of, thing_of

__all__ = [
    "cast_of", "child_at", "copy_of", "follow", "free_message", "goes_inside", "hand_over", "has_without_limit",
    "is_anew", "is_answer", "is_pending", "listed", "lists", "new_message", "node_of", "object_of", "others",
    "over_bus", "pop", "push", "rule_of", "send", "server_for", "writes_through",
]  # fmt: skip


@kernel
def push(m, time, payload):
    """Enter an event."""
    key = time << at.PAYLOAD_BITS | payload
    i = counters_at(m, 0).events
    counters_at(m, 0).events = i + 1
    while i > 0 and m.heap[(i - 1) >> 1] > key:
        m.heap[i] = m.heap[(i - 1) >> 1]
        i = (i - 1) >> 1
    m.heap[i] = key


@kernel
def pop(m):
    """Take the first event."""
    found = m.heap[0]
    n = counters_at(m, 0).events - 1
    counters_at(m, 0).events = n
    key, i = m.heap[n], 0
    while 2 * i + 1 < n:
        child = 2 * i + 1
        if child + 1 < n and m.heap[child + 1] < m.heap[child]:
            child += 1
        if m.heap[child] >= key:
            break
        m.heap[i] = m.heap[child]
        i = child
    m.heap[i] = key
    return found


@kernel
def new_message(m, kind, source, to, line, register, flits):
    """A free row of the message table, filled."""
    counters = counters_at(m, 0)
    row = counters.free
    if row >= 0:
        counters.free = message_at(m, row).next
    else:
        row = counters.rows
        counters.rows = row + len(at.MESSAGE)
    message = message_at(m, row)
    message.kind, message.source, message.to = kind, source, to
    message.line, message.register, message.flits = line, register, flits
    message.place = message.next = at.NOBODY
    message.flag = message.sent = message.keeps = 0
    return row


@inlined
def copy_of(m, row, source, to):
    """A message like another one, between other nodes."""
    message = message_at(m, row)
    return new_message(m, message.kind, source, to, message.line, message.register, message.flits)


@kernel
def free_message(m, row):
    """Give a row back."""
    message_at(m, row).next = counters_at(m, 0).free
    counters_at(m, 0).free = row


@kernel
def hand_over(m, row, t):
    """Put a message, or what a node has to say of one that branches, where the network takes it at time t."""
    message_at(m, row).sent = t
    m.outbox[counters_at(m, 0).out] = row
    counters_at(m, 0).out += 1


@kernel
def send(m, row, t):
    """Hand a message to the network at time t."""
    message = message_at(m, row)
    hand_over(m, row, t)
    counters_at(m, 0).copies += message.place >= 0
    m.kinds[message.kind] += 1
    if m.room > 0:
        m.sent[message.source * m.networks + m.network_of[message.kind]] += 1


@inlined
def goes_inside(m, row):
    """Whether a message branches in the routers, or is what a node has to say of one that does."""
    return m.multicast == at.BRANCH and message_at(m, row).place >= 0 and message_at(m, row).kind != at.ARRIVE


@inlined
def is_answer(m, row):
    """Whether a message is what a node has to say of one that branches in the routers."""
    message = message_at(m, row)
    return goes_inside(m, row) and (message.kind == at.ACK or message.flag & at.ANEW != 0)


@kernel
def is_anew(m, row):
    """Whether a message has come to a processor that makes it anew."""
    place = message_at(m, row).place
    if goes_inside(m, row):
        return message_at(m, row).flag & at.ANEW != 0
    if m.multicast != at.TREE or place < 0 or place_at(m, place).parent < 0:
        return False
    return place_at(m, place_at(m, place).parent).router == place_at(m, place).router


@inlined
def child_at(m, place, k):
    """Where child k of a place lies."""
    return place_at(m, place).first + k * len(at.PLACE)


@inlined
def cast_of(m, row):
    """The message that branches of which another one is a copy, or an answer to it."""
    message = message_at(m, row)
    if message.kind == at.RELEASE:
        return thing_of(m, message.line).cast
    return register_of(m, message.register).cast


@kernel
def node_of(m, register):
    """The node of the processor that a request's register belongs to."""
    return register // m.outstanding // m.cluster


@kernel
def object_of(m, thing):
    """The row of a lock, barrier or flag in `thing`."""
    if thing < m.objects:
        return thing
    low, high = 0, m.flagged - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if m.first_flag[middle] <= thing:
            low = middle
        else:
            high = middle - 1
    return m.objects + low


@kernel
def server_for(m, node, kind, what):
    """The memory-based processor of a node whose memory has a line, or a lock or barrier: by its number in turn."""
    return node * m.units + (what if kind >= at.LOCK else m.number[what]) % m.units


@kernel
def over_bus(m, node, cycles, t):
    """A node's bus is asked for at time t, for so many cycles: when it is through. First come, first served."""
    if cycles == 0:
        return t
    m.bus[node] = max(t, m.bus[node]) + cycles
    return m.bus[node]


@kernel
def writes_through(m, line):
    """Whether a node that writes a line of which it has no copy sends the word home: others keep their copies, or it
    does not own the line then."""
    does = rule_of(m, line, rule.NONE, rule.WRITE, False)
    return does & rule.TAKES == 0 or does & rule.ACTOR == 0


@kernel
def rule_of(m, line, part, event, alone):
    """The protocol's row for an event at a node that has some part in a line; alone: the entry lists nobody else."""
    place = rule.ROWS * line_of(m, line).state + rule.PARTS * part + event
    does = m.rules[place]
    return m.rules[place + rule.ALONE] if alone and does & rule.DEPENDS else does


@kernel
def follow(m, line, node, does):
    """A line has the class and the owner that a row of the protocol tells, for an event of the node."""
    if does & rule.CHANGES:
        kept = line_of(m, line)
        kept.state = does & rule.CLASS_BITS
        if does & rule.ACTOR:
            kept.owner = node
        elif does & rule.NOBODY:
            kept.owner = at.NOBODY


@kernel
def listed(m, line, node):
    """Whether the home believes that a node has a copy of a line."""
    return m.valid[line * m.words + (node >> 5)] & bit(node) != 0


@kernel
def has_without_limit(m, line, node):
    """Whether a node has a copy of a line, where caches are without limit."""
    if m.lingers:
        return m.copies[line * m.words + (node >> 5)] & bit(node) != 0
    return listed(m, line, node)


@kernel
def is_pending(m, line, node):
    """Whether a node has asked for a line, or given it up, and the home's answer is not there."""
    return m.pending[line * m.words + (node >> 5)] & bit(node) != 0


@kernel
def lists(m, line, w):
    """Word w of the bit set that the entry of a line, or of its page, lists."""
    if not m.by_page:
        return m.valid[line * m.words + w]
    page, found = m.page[line], 0
    if not m.holders:
        return m.touched[page * m.words + w]
    for k in range(m.page_line[page], m.page_line[page + 1]):
        found |= m.valid[k * m.words + w]
    return found


@kernel
def others(m, line, node):
    """How many other nodes the entry of a line lists."""
    total = 0
    for w in range(m.words):
        left = lists(m, line, w)
        total += count(left & ~bit(node) if w == node >> 5 else left)
    return total
