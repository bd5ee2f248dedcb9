"""Tables of the timed machine: their layout, the heap of events, messages, and sets of nodes. Used by `_timing`.

Events lie in a heap of single numbers, time << PAYLOAD_BITS | payload, so that events of one cycle have a fixed order:
processors that go on, then nodes that are through with a message.
"""

from __future__ import annotations

import numpy as np

from jumpnet.machine._memory import kernel
from jumpnet.sim._bits import bit

__all__ = ["PAYLOAD_BITS", "drop", "free_message", "holds", "lists", "new_message", "others", "pop", "push", "send"]

PAYLOAD_BITS = 16
NOBODY = -1
FOREVER = 1 << 38

KINDS = 8
# Kinds of messages. Numbers of NumPy: of Python's the compiler would make a function for each.
ASK_READ, ASK_WRITE, DATA, TELL, ACK, FETCH, OWNER_DATA, DONE = np.arange(KINDS)

# Rows of the tables.
P_NEXT, P_SINCE, P_BUSY, P_READ, P_WRITE, P_SYNC, P_DONE, P_LOCK, P_WAIT = 0, 1, 2, 3, 4, 5, 6, 7, 8
P_FIELDS = 9
L_OWNER, L_BUSY, L_FIRST, L_LAST, L_ASKED, L_LEFT = 0, 1, 2, 3, 4, 5
L_FIELDS = 6
N_FREE, N_THROUGH, N_FIRST, N_LAST = 0, 1, 2, 3
N_FIELDS = 4
M_KIND, M_FROM, M_TO, M_LINE, M_PROC, M_NEXT, M_BACK, M_SENT, M_ARRIVED, M_FLITS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
M_FIELDS = 10
O_HOLDER, O_FIRST, O_LAST, O_HERE = 0, 1, 2, 3
O_FIELDS = 4
C_HEAP, C_FREE, C_OUT, C_ROWS, C_RUNNING, C_TRANSACTIONS, C_NETWORK, C_CARRIED = 0, 1, 2, 3, 4, 5, 6, 7
"""Counters: events in the heap, first free message row, messages in the outbox, message rows used at most, processors
not through, transactions done, cycles of messages in the network, and their number."""
C_FIELDS = 8


# Arrays (see `_memory`), all flat int64; P processors, N nodes:
#   first (P + 1), code, page, home, members   as in `Streams`
#   proc (P, P_FIELDS), line (lines, L_FIELDS), node (N, N_FIELDS), message (rows, M_FIELDS)
#   thing (objects, O_FIELDS)                  locks and barriers
#   valid (lines, words)                       nodes with a copy, as bit sets (`sim._bits`)
#   touched (pages, words)                     nodes that the entry of a page lists
#   heap, outbox                               events; messages that wait to be carried
#   count (C_FIELDS), kinds (KINDS)            counters; messages sent to other nodes by kind
#   histogram (N)                              invalidations or updates by number of destinations
# Sizes: processors, nodes, rows, words, cluster; update and by_page, 0 or 1; cycles of occupancy, spacing and sync
# (`timing.Costs`); flits of messages without data (short), with a word and with a line (long).


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
def new_message(m, kind, source, to, line, p, flits):
    """A free row of the message table, filled."""
    row = m.count[C_FREE]
    if row >= 0:
        m.count[C_FREE] = m.message[row * M_FIELDS + M_NEXT]
    else:
        row = m.count[C_ROWS]
        m.count[C_ROWS] = row + 1
    m.message[row * M_FIELDS + M_KIND], m.message[row * M_FIELDS + M_FROM], m.message[row * M_FIELDS + M_TO] = (
        kind,
        source,
        to,
    )
    m.message[row * M_FIELDS + M_LINE], m.message[row * M_FIELDS + M_PROC], m.message[row * M_FIELDS + M_FLITS] = (
        line,
        p,
        flits,
    )
    m.message[row * M_FIELDS + M_NEXT] = -1
    return row


@kernel
def free_message(m, row):
    """Give a row back."""
    m.message[row * M_FIELDS + M_NEXT] = m.count[C_FREE]
    m.count[C_FREE] = row


@kernel
def send(m, row, t):
    """Hand a message to the network at time t."""
    m.message[row * M_FIELDS + M_SENT] = t
    m.outbox[m.count[C_OUT]] = row
    m.count[C_OUT] += 1
    m.kinds[m.message[row * M_FIELDS + M_KIND]] += 1


@kernel
def holds(m, line, node):
    """Whether a node has a copy of a line."""
    return m.valid[line * m.words + (node >> 5)] & bit(node) != 0


@kernel
def lists(m, line, w):
    """Word w of the bit set that the entry of a line, or of its page, lists."""
    return m.touched[m.page[line] * m.words + w] if m.by_page else m.valid[line * m.words + w]


@kernel
def drop(m, line, node):
    """A node gives up its copy of a line; whether it owned it."""
    m.valid[line * m.words + (node >> 5)] &= ~bit(node)
    if m.line[line * L_FIELDS + L_OWNER] != node:
        return False
    m.line[line * L_FIELDS + L_OWNER] = NOBODY
    return True


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
