"""Tables of the timed machine: their layout, the heap of events, messages, and sets of nodes. Used by `_processors`.

Events lie in a heap of single numbers, time << PAYLOAD_BITS | payload, so that events of one cycle have a fixed order:
processors that go on, then nodes that are through with a message. Rows of the table of messages, and places of trees,
are named by where their first number lies.
"""

from __future__ import annotations

import numpy as np

from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory.bits import bit

__all__ = [
    "PAYLOAD_BITS", "cast_of", "follow", "free_message", "goes_inside", "hand_over", "is_anew", "is_answer",
    "is_pending", "listed", "lists", "new_message", "node_of", "object_of", "others", "over_bus", "pop", "push",
    "row_of", "send", "server_of", "updates",
]  # fmt: skip

PAYLOAD_BITS = 16
NOBODY = -1
FOREVER = 1 << 38

KINDS = 16
# Kinds of messages. Numbers of NumPy: of Python's the compiler would make a function for each. Those up to PUT wait at
# the home for their turn.
(ASK_READ, ASK_WRITE, PUT, DATA, TELL, ACK, FETCH, OWNER_DATA, DONE, PUT_DONE, PAGE, LOCK, GRANT, UNLOCK,
 ARRIVE, RELEASE) = np.arange(KINDS)  # fmt: skip
DIRECT, TREE, NAMED, CHAIN, BRANCH = 0, 1, 2, 3, 4
"""How a message goes to many nodes: to those listed one after another, down a tree of packets, one after another to
those that the entry names, from one to the next, or as one packet that branches in the routers."""
SINGLE, COUNTED, COMBINED = 0, 1, 2
"""How acknowledges reach the home: each to its processor, counted by its router, or combined in the tree."""

# What a processor waits for: nothing, the end of one of its requests, of any of them, of its node's on a line, a lock
# or barrier.
GOES_ON, ON_REQUEST, ON_ANY, ON_LINE, ON_THING = 0, 1, 2, 3, 4

# Fields of the tables.
(P_NEXT, P_SINCE, P_BUSY, P_READ, P_WRITE, P_SYNC, P_DONE, P_LOCK, P_GAVE, P_CHAIN, P_BLOCK, P_ON, P_STALL,
 P_OUT, P_READY, P_BASE, P_KNOWN) = range(17)  # fmt: skip
"""P_BUSY to P_SYNC are the cycles of a run by what they went for, P_STALL the field of the stall under way. P_LOCK: the
lock taken last; P_GAVE: one that a condition has given up; P_CHAIN: who waits next; P_ON: the request or line of
P_BLOCK; P_OUT: requests out; P_READY: when a line of another cache of the node has come by the bus. Reference i of a
processor is code[P_BASE + i], where i is less than P_KNOWN: the others are still to be taken from where they lie."""
P_FIELDS = 17
R_LINE, R_WRITE, R_CAST = range(3)
R_FIELDS = 3
"""R_CAST: the message that branches by which the request's write is told."""
L_OWNER, L_BUSY, L_FIRST, L_LAST, L_ASKED, L_LEFT, L_LATEST, L_CLASS, L_ROW = range(9)
L_FIELDS = 9
"""L_CLASS: the line's class; L_ROW: the row of the protocol for the request under way (`coherence.rules`)."""
N_FREE, N_THROUGH, N_FIRST, N_LAST, N_BEGAN, N_WALKED = range(6)
"""N_BEGAN: when the first message of the queue is turned to; N_WALKED: 1 when its page has been looked for."""
N_FIELDS = 6
(M_ARRIVED, M_KIND, M_FROM, M_LINE, M_REGISTER, M_TO, M_PLACE, M_FLAG, M_NEXT, M_BACK, M_SENT, M_FLITS) = range(12)
M_INSIDE = M_BACK
"""The first five decide which message of a queue is first. M_LINE: line, or lock or barrier; M_REGISTER: the request's,
or the first of the processor that a message is about; M_PLACE: the place of a tree that it goes to, or -1. M_INSIDE, of
a message on its way that branches in the routers: by what the network has it acknowledged."""
ORDER_FIELDS = 5
M_FIELDS = 12
IN_ROOM, SHARED = -1, -2
"""M_SENT of a message that has come and takes a place at its node (`_finite_buffers`); of a copy of a multicast that
its router still has to send on, and of its node's own message, which take one together (`_relays`)."""
NOTHING, HOLDS, DIRTY, LAST, COUNTS, ANEW, GATHERS, GOES = np.array([0, 1, 2, 4, 8, 16, 32, 64])
"""M_FLAG of a request: the node has a copy; GOES while another node's copy goes for that of a writer in update mode,
and of the message by which that one is told; of a line given up: it is dirty, the node has no other copy. Of an
acknowledge: DIRTY when it brings the line; where packets branch in the routers COUNTS when its node counts it for a
router, GATHERS when its node has made the packet anew that all have acknowledged. Of a message there: ANEW when its
node is to make it anew. These three, divided by COUNTS, are what the network is told (`sim.memory.message_layout`)."""
O_HOLDER, O_FIRST, O_LAST, O_HERE, O_LATEST, O_NODES, O_CAST, O_AHEAD, O_FARTHEST = range(9)
O_OPEN = O_HOLDER
"""O_HERE: how many are at a barrier; O_NODES: how many nodes are to come; O_CAST: the message that branches by which
those at a barrier are told to go on. Of the flags of an address, O_OPEN: the first that is not open; O_AHEAD to
O_FARTHEST: rows of messages with those that are open behind it (M_LINE), ascending."""
O_FIELDS = 9
G_HERE, G_FIRST, G_PLACE = range(3)
"""G_PLACE: the place of the tree by which arrivals are combined, or -1."""
G_FIELDS = 3
T_ROUTER, T_PARENT, T_FIRST, T_CHILDREN, T_RECEIVES, T_NUMBER, T_PLAN = range(7)
"""A place of a tree: T_FIRST is its first child, T_NUMBER its number in the tree. T_PLAN, of the home's place where the
message branches in the routers: the network's plan. See `trees`."""
T_FIELDS = 7
RELAYS, RECEIVES, ANSWERS = 0, 1, 2
"""What happens at a place besides copying: nothing; the cluster takes the message; there is none, and the router
answers."""
Y_LEFT, Y_LATEST, Y_FLAG = range(3)
Y_FIELDS = 3
(C_HEAP, C_FREE, C_OUT, C_ROWS, C_RUNNING, C_TRANSACTIONS, C_NETWORK, C_CARRIED, C_FLITS, C_WAITED, C_HORIZON, C_COPIES,
 C_WANT, C_WANT_KIND, C_WANT_TIME, C_SERVED, C_MISSES, C_CACHE_MISSES, C_BUS, C_WRITE_BACKS,
 C_HINTS, C_STAMP, C_STAGE_1, C_STAGE_2, C_PRUNED, C_INSIDE, C_EVICTIONS,
 C_MOVES, C_NOW, C_PART, C_UNDER_WAY, C_TAKEN, C_HELD, C_STILL, C_READER, C_RELAYS) = range(36)  # fmt: skip
"""Events in the heap, first free message row, messages in the outbox, end of the message rows used, processors not
through, transactions done; of carried messages the cycles in the network, their number and flits; cycles that messages
waited in nodes; the cycle to which events may run; copies of multicasts on the way; the line or barrier, the kind and
the time of a multicast whose tree is wanted; messages that nodes have handled; then counts as of
`coherence.functional`; the last number given to a node when it was listed; translations not found in either stage, and
messages by a line's own list, as of `coherence.functional` again; multicasts on the way that branch in the routers;
copies taken for want of a pointer, as there; pages that have moved; of a turn with the network (`_turns`): the
network's cycle, what part comes next, whether messages were on their way at its beginning, deliveries entered; lines
whose next request cannot be turned to, and since which cycle nothing happens (`_finite_buffers`); the processor whose
next references are wanted; copies that routers still have to send on (`_relays`)."""
C_FIELDS = 36
FLAG = -1
"""`members` of the flags of an address."""

# Arrays (see `_memory`), all flat int64; P processors, K outstanding requests of each, N nodes of M memory-based
# processors, words of 32 nodes:
#   first (P + 1), page, number, page_number, home, members, where, barrier, expected, first_flag   as in `Streams`
#   code                                       references as there, or of each processor in turn some (P_BASE)
#   page_line (pages + 1)                      the lines of a page are page_line[page] up to page_line[page + 1]
#   mode (pages)                               1 for pages whose copies stay when one is written
#   rules                                      the protocol's rows (`coherence.rules`); shared, a class
#   proc (P, P_FIELDS), register (P * K, R_FIELDS), line (lines, L_FIELDS), node (N * M, N_FIELDS)
#   handler (KINDS)                            cycles of a memory-based processor for a message of each kind
#   network_of (KINDS)                         the virtual network of each kind of message, below `networks`
#   needs, passes (KINDS)                      networks, as sets, by which a message of each kind makes its node
#                                              send, and by which it goes on to its home; kept (KINDS), 1 for those
#                                              that were asked for and have a place; where nodes have room for few:
#   sent, entered (ends * networks)            messages sent from each terminal, and those that have entered the
#                                              network
#   freed (ends * networks)                    places that have become free since the network was told
#   relay (ends * networks, 2)                 first and last copy of a multicast that a router has to send on, or -1
#   held (lines)                               the first C_HELD: lines that are free, whose next request has no room
#   bus (N)                                    when the bus of a node is free
#   message (rows, M_FIELDS), thing (objects, O_FIELDS), gather (barriers, N, G_FIELDS)
#   valid (lines, words)                       nodes with a copy of a line, as far as its home knows (`sim.memory.bits`)
#   pending (lines, words)                     nodes with a request out for a line, or a line on its way home
#   touched (pages, words)                     nodes that the entry of a page lists
#   cache (P * sets * ways)                    each processor's own (`coherence.recent`); a marked line is dirty
#   stage_1, stage_2, pruning                  translation of each processor and of each home, each home's pruning cache
#   told (words)                               who is told by the message that starts now
#   place (places, T_FIELDS)                   of all trees known so far
#   tally (P * K + barriers, most_places, Y_FIELDS)   acknowledges to come at each place, for each request, and arrivals
#   heap, outbox, due                          events; messages that wait to be carried; those of this turn, in order
#   answer (2)                                 what a called entry gives back (`jit.linked.called`)
#   count (C_FIELDS), kinds (KINDS)            counters; messages sent to other nodes by kind
#   histogram (N)                              invalidations or updates by number of destinations
#   stamp (entries, N), over (entries)         when each node was listed (CHAIN, or evicts); 1 for entries that had to
#                                              name more nodes than they have pointers (pointers > 0)
#   asked (pages, N), wanted (pages)           requests of each node, and where the page is to go or -1 (migrates > 0)
#   believed (pages, N)                        where each node takes the page to lie (migrates > 0)
#   moving (pages)                             1 while a page is on its way (migrates > 0)
# Sizes: ends, terminals that messages come to, more than nodes where trees reach routers without one.
# 0 ways where caches have no limit; by_page, hints, by_message (locks and barriers) 0 or 1; multicast DIRECT and
# so on; objects, numbers that are no flag's; flagged, addresses with flags; everyone, processors with anything to do;
# line_cycles, of the barrier line, 0 where there is none; pointers of an entry, 0 without limit, and evicts, 1 where
# the oldest copy goes for one more; units, memory-based processors of a node; holders, 1 where a page lists who holds a
# line of it now; least_cycles, the least of `handler`; cycles of the bus, of translation, of spacing, sync, forward and
# remake (`design.Costs`); flits of messages without data (short), with a word, with a line (long) and with a page
# (page_flits); migrates, how many requests a node must be ahead of the home's, 0 where pages stay.


@kernel
def push(m, time, payload):
    """Enter an event."""
    key = time << PAYLOAD_BITS | payload
    i = m.count[C_HEAP]
    m.count[C_HEAP] = i + 1
    while i > 0 and m.heap[(i - 1) >> 1] > key:
        m.heap[i] = m.heap[(i - 1) >> 1]
        i = (i - 1) >> 1
    m.heap[i] = key


@kernel
def pop(m):
    """Take the first event."""
    found = m.heap[0]
    n = m.count[C_HEAP] - 1
    m.count[C_HEAP] = n
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
    row = m.count[C_FREE]
    if row >= 0:
        m.count[C_FREE] = m.message[row + M_NEXT]
    else:
        row = m.count[C_ROWS]
        m.count[C_ROWS] = row + M_FIELDS
    m.message[row + M_KIND] = kind
    m.message[row + M_FROM] = source
    m.message[row + M_TO] = to
    m.message[row + M_LINE] = line
    m.message[row + M_REGISTER] = register
    m.message[row + M_FLITS] = flits
    m.message[row + M_PLACE] = m.message[row + M_NEXT] = NOBODY
    m.message[row + M_FLAG] = m.message[row + M_SENT] = 0
    return row


@kernel
def free_message(m, row):
    """Give a row back."""
    m.message[row + M_NEXT] = m.count[C_FREE]
    m.count[C_FREE] = row


@kernel
def hand_over(m, row, t):
    """Put a message, or what a node has to say of one that branches, where the network takes it at time t."""
    m.message[row + M_SENT] = t
    m.outbox[m.count[C_OUT]] = row
    m.count[C_OUT] += 1


@kernel
def send(m, row, t):
    """Hand a message to the network at time t."""
    hand_over(m, row, t)
    m.count[C_COPIES] += m.message[row + M_PLACE] >= 0
    m.kinds[m.message[row + M_KIND]] += 1
    if m.room > 0:
        m.sent[m.message[row + M_FROM] * m.networks + m.network_of[m.message[row + M_KIND]]] += 1


@inlined
def goes_inside(m, row):
    """Whether a message branches in the routers, or is what a node has to say of one that does."""
    return m.multicast == BRANCH and m.message[row + M_PLACE] >= 0 and m.message[row + M_KIND] != ARRIVE


@inlined
def is_answer(m, row):
    """Whether a message is what a node has to say of one that branches in the routers."""
    return goes_inside(m, row) and (m.message[row + M_KIND] == ACK or m.message[row + M_FLAG] & ANEW != 0)


@kernel
def is_anew(m, row):
    """Whether a message has come to a processor that makes it anew."""
    place = m.message[row + M_PLACE]
    if goes_inside(m, row):
        return m.message[row + M_FLAG] & ANEW != 0
    if m.multicast != TREE or place < 0 or m.place[place + T_PARENT] < 0:
        return False
    return m.place[m.place[place + T_PARENT] + T_ROUTER] == m.place[place + T_ROUTER]


@inlined
def cast_of(m, row):
    """The message that branches of which another one is a copy, or an answer to it."""
    if m.message[row + M_KIND] == RELEASE:
        return m.thing[m.message[row + M_LINE] * O_FIELDS + O_CAST]
    return m.register[m.message[row + M_REGISTER] * R_FIELDS + R_CAST]


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
def server_of(m, node, kind, what):
    """The memory-based processor of a node whose memory has a line, or a lock or barrier: by its number in turn."""
    return node * m.units + (what if kind >= LOCK else m.number[what]) % m.units


@kernel
def over_bus(m, node, cycles, t):
    """A node's bus is asked for at time t, for so many cycles: when it is through. First come, first served."""
    if cycles == 0:
        return t
    m.bus[node] = max(t, m.bus[node]) + cycles
    return m.bus[node]


@kernel
def updates(m, line):
    """Whether a line is on a page in update mode."""
    return m.mode[m.page[line]] == 1


@kernel
def row_of(m, line, part, event, alone):
    """The protocol's row for an event at a node that has some part in a line; alone: the entry lists nobody else."""
    place = rule.ROWS * m.line[line * L_FIELDS + L_CLASS] + rule.PARTS * part + event
    row = m.rules[place]
    return m.rules[place + rule.ALONE] if alone and row & rule.DEPENDS else row


@kernel
def follow(m, line, node, row):
    """A line has the class and the owner that a row of the node tells."""
    if row & rule.CHANGES:
        a = line * L_FIELDS
        m.line[a + L_CLASS] = row & rule.CLASS_BITS
        if row & rule.ACTOR:
            m.line[a + L_OWNER] = node
        elif row & rule.NOBODY:
            m.line[a + L_OWNER] = NOBODY


@kernel
def listed(m, line, node):
    """Whether the home believes that a node has a copy of a line."""
    return m.valid[line * m.words + (node >> 5)] & bit(node) != 0


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
        if w == node >> 5:
            left &= ~bit(node)
        while left != 0:
            left &= left - 1
            total += 1
    return total
