"""Kernel of the timed machine: processors, memory-based processors and directories, as events in order of time.

Messages to other nodes go to an outbox, for whatever carries them; `carried` enters their arrivals. Tables, events and
their order are in `_timing_tables`, the rules in words in `timing`. Naive twin: tests/naive/timing.py.
"""

from __future__ import annotations

from jumpnet.machine import _timing_tables as at
from jumpnet.machine._memory import kernel, memory_at
from jumpnet.machine._timing_tables import drop, free_message, holds, lists, new_message, others, pop, push, send
from jumpnet.machine.timing_streams import CONDITION, LOCK, READ, UNLOCK, WHAT_BITS, WRITE
from jumpnet.sim._bits import WORD_BITS, bit, lowest

__all__ = ["carried", "run_until", "start_all"]


@kernel
def complete(m, row, t):
    """The asker of a transaction has what it asked for: its processor goes on."""
    line, p = m.message[row * at.M_FIELDS + at.M_LINE], m.message[row * at.M_FIELDS + at.M_PROC]
    node = p // m.cluster
    m.valid[line * m.words + (node >> 5)] |= bit(node)
    m.touched[m.page[line] * m.words + (node >> 5)] |= bit(node)
    write = m.message[row * at.M_FIELDS + at.M_KIND] == at.ASK_WRITE
    if write and not m.update:
        m.line[line * at.L_FIELDS + at.L_OWNER] = node
    m.proc[p * at.P_FIELDS + at.P_WRITE if write else at.P_READ] += t - m.proc[p * at.P_FIELDS + at.P_SINCE]
    m.count[at.C_TRANSACTIONS] += 1
    push(m, t, p)


@kernel
def reply(m, line, t):
    """The home has all it needs for the transaction of a line: answer the asker."""
    row = m.line[line * at.L_FIELDS + at.L_ASKED]
    p = m.message[row * at.M_FIELDS + at.M_PROC]
    node, home = p // m.cluster, m.home[m.page[line]]
    if node == home:
        complete(m, row, t)
        free_message(m, row)
        m.line[line * at.L_FIELDS + at.L_BUSY] = 0
    else:
        flits = m.short if holds(m, line, node) else m.long
        send(m, new_message(m, at.DATA, home, node, line, p, flits), t)


@kernel
def tell_all(m, line, t):
    """Send an invalidation or update to every node listed but the asker, one after another; how many went out."""
    p = m.message[(m.line[line * at.L_FIELDS + at.L_ASKED]) * at.M_FIELDS + at.M_PROC]
    node, home = p // m.cluster, m.home[m.page[line]]
    destinations, sent = others(m, line, node), 0
    if destinations == 0:
        return 0
    m.histogram[destinations] += 1
    for w in range(m.words):
        left = lists(m, line, w)
        while left != 0:
            to = w * WORD_BITS + lowest(left)
            left &= left - 1
            if to != node and to != home:
                flits = m.word if m.update else m.short
                send(m, new_message(m, at.TELL, home, to, line, p, flits), t + sent * m.spacing)
                sent += 1
    if home != node and not m.update:
        drop(m, line, home)
    return sent


@kernel
def begin(m, line, row, t):
    """Start a transaction at the home; returns for how much longer it keeps the memory-based processor."""
    m.line[line * at.L_FIELDS + at.L_BUSY], m.line[line * at.L_FIELDS + at.L_ASKED] = 1, row
    node, home = m.message[row * at.M_FIELDS + at.M_PROC] // m.cluster, m.home[m.page[line]]
    owner = m.line[line * at.L_FIELDS + at.L_OWNER]
    if m.message[row * at.M_FIELDS + at.M_KIND] == at.ASK_READ:
        if owner != at.NOBODY and owner != home and owner != node:
            send(m, new_message(m, at.FETCH, home, owner, line, m.message[row * at.M_FIELDS + at.M_PROC], m.short), t)
            return 0
        if owner == home and home != node:
            m.line[line * at.L_FIELDS + at.L_OWNER] = at.NOBODY
        reply(m, line, t)
        return 0
    sent = 0
    if m.update or owner != node:
        sent = tell_all(m, line, t)
    m.line[line * at.L_FIELDS + at.L_LEFT] = sent
    if sent == 0:
        reply(m, line, t)
        return 0
    return (sent - 1) * m.spacing


@kernel
def serve(m, node, row, t):
    """What a memory-based processor does with a message; returns for how much longer that keeps it."""
    kind, line = m.message[row * at.M_FIELDS + at.M_KIND], m.message[row * at.M_FIELDS + at.M_LINE]
    home, more = m.home[m.page[line]], 0
    if kind <= at.ASK_WRITE:
        if node != home:
            m.message[row * at.M_FIELDS + at.M_TO] = home
            send(m, row, t)
            return 0
        # Requests of a line are served one after another.
        if m.line[line * at.L_FIELDS + at.L_FIRST] < 0:
            m.line[line * at.L_FIELDS + at.L_FIRST] = row
        else:
            m.message[(m.line[line * at.L_FIELDS + at.L_LAST]) * at.M_FIELDS + at.M_NEXT] = row
        m.line[line * at.L_FIELDS + at.L_LAST] = row
    elif kind == at.DATA:
        asked = m.line[line * at.L_FIELDS + at.L_ASKED]
        complete(m, asked, t)
        free_message(m, asked)
        send(m, new_message(m, at.DONE, node, home, line, m.message[row * at.M_FIELDS + at.M_PROC], m.short), t)
    elif kind == at.TELL:
        flits = m.long if not m.update and drop(m, line, node) else m.short
        send(m, new_message(m, at.ACK, node, home, line, m.message[row * at.M_FIELDS + at.M_PROC], flits), t)
    elif kind == at.ACK:
        m.line[line * at.L_FIELDS + at.L_LEFT] -= 1
        if m.line[line * at.L_FIELDS + at.L_LEFT] == 0:
            reply(m, line, t)
    elif kind == at.FETCH:
        m.line[line * at.L_FIELDS + at.L_OWNER] = at.NOBODY
        send(m, new_message(m, at.OWNER_DATA, node, home, line, m.message[row * at.M_FIELDS + at.M_PROC], m.long), t)
    elif kind == at.OWNER_DATA:
        reply(m, line, t)
    else:
        m.line[line * at.L_FIELDS + at.L_BUSY] = 0
    if kind > at.ASK_WRITE:
        free_message(m, row)
    while node == home and m.line[line * at.L_FIELDS + at.L_BUSY] == 0 and m.line[line * at.L_FIELDS + at.L_FIRST] >= 0:
        following = m.line[line * at.L_FIELDS + at.L_FIRST]
        m.line[line * at.L_FIELDS + at.L_FIRST] = m.message[following * at.M_FIELDS + at.M_NEXT]
        m.message[following * at.M_FIELDS + at.M_NEXT] = -1
        more += begin(m, line, following, t + more)
    return more


@kernel
def schedule(m, node):
    """Let a node be through with its first message as early as it can; an event that this overtakes is void."""
    first = m.node[node * at.N_FIELDS + at.N_FIRST]
    if first < 0:
        m.node[node * at.N_FIELDS + at.N_THROUGH] = at.FOREVER
        return
    start = max(m.message[first * at.M_FIELDS + at.M_ARRIVED], m.node[node * at.N_FIELDS + at.N_FREE])
    if start + m.occupancy != m.node[node * at.N_FIELDS + at.N_THROUGH]:
        m.node[node * at.N_FIELDS + at.N_THROUGH] = start + m.occupancy
        push(m, start + m.occupancy, m.processors + node)


@kernel
def arrive(m, row, t):
    """A message arrives at its node at time t: it is put behind those that arrive before, or have a lower row.

    This may be done after events of later times, up to t + occupancy: only then is the queue looked at.
    """
    node = m.message[row * at.M_FIELDS + at.M_TO]
    m.message[row * at.M_FIELDS + at.M_ARRIVED] = t
    before = m.node[node * at.N_FIELDS + at.N_LAST]
    after = -1
    while before >= 0:
        other = m.message[before * at.M_FIELDS + at.M_ARRIVED]
        if other < t or (other == t and before < row):
            break
        after, before = before, m.message[before * at.M_FIELDS + at.M_BACK]
    m.message[row * at.M_FIELDS + at.M_BACK], m.message[row * at.M_FIELDS + at.M_NEXT] = before, after
    if after >= 0:
        m.message[after * at.M_FIELDS + at.M_BACK] = row
    else:
        m.node[node * at.N_FIELDS + at.N_LAST] = row
    if before >= 0:
        m.message[before * at.M_FIELDS + at.M_NEXT] = row
    else:
        m.node[node * at.N_FIELDS + at.N_FIRST] = row
        schedule(m, node)


@kernel
def served(m, node, t):
    """A memory-based processor is through with its first message: do what it says, and turn to the next one."""
    if m.node[node * at.N_FIELDS + at.N_THROUGH] != t:
        return
    row = m.node[node * at.N_FIELDS + at.N_FIRST]
    following = m.message[row * at.M_FIELDS + at.M_NEXT]
    m.node[node * at.N_FIELDS + at.N_FIRST] = following
    if following >= 0:
        m.message[following * at.M_FIELDS + at.M_BACK] = -1
    else:
        m.node[node * at.N_FIELDS + at.N_LAST] = -1
    m.message[row * at.M_FIELDS + at.M_NEXT] = -1
    m.node[node * at.N_FIELDS + at.N_FREE] = t + serve(m, node, row, t)
    schedule(m, node)


@kernel
def wake(m, p, t):
    """Processor p has waited for a lock or barrier and goes on at time t."""
    m.proc[p * at.P_FIELDS + at.P_SYNC] += t - m.proc[p * at.P_FIELDS + at.P_SINCE]
    push(m, t, p)


@kernel
def unlock(m, p, lock, t):
    """Processor p gives up a lock, if it holds it; the first that waits gets it."""
    if lock < 0 or m.thing[lock * at.O_FIELDS + at.O_HOLDER] != p:
        return
    m.proc[p * at.P_FIELDS + at.P_LOCK] = at.NOBODY
    following = m.thing[lock * at.O_FIELDS + at.O_FIRST]
    m.thing[lock * at.O_FIELDS + at.O_HOLDER] = following
    if following >= 0:
        m.thing[lock * at.O_FIELDS + at.O_FIRST] = m.proc[following * at.P_FIELDS + at.P_WAIT]
        m.proc[following * at.P_FIELDS + at.P_LOCK] = lock
        wake(m, following, t + m.sync)


@kernel
def meet(m, number, t):
    """All are at a barrier: those that waited go on."""
    m.thing[number * at.O_FIELDS + at.O_HERE] = 0
    q = m.thing[number * at.O_FIELDS + at.O_FIRST]
    m.thing[number * at.O_FIELDS + at.O_FIRST] = at.NOBODY
    while q >= 0:
        following = m.proc[q * at.P_FIELDS + at.P_WAIT]
        wake(m, q, t + m.sync)
        q = following


@kernel
def synchronise(m, p, what, number, t):
    """A lock, unlock, barrier or condition; False when the processor has to wait."""
    if what == UNLOCK:
        unlock(m, p, number, t)
        return True
    m.proc[p * at.P_FIELDS + at.P_SINCE], m.proc[p * at.P_FIELDS + at.P_WAIT] = t, at.NOBODY
    if what == LOCK and m.thing[number * at.O_FIELDS + at.O_HOLDER] < 0:
        m.thing[number * at.O_FIELDS + at.O_HOLDER] = p
        m.proc[p * at.P_FIELDS + at.P_LOCK] = number
        return True
    if m.thing[number * at.O_FIELDS + at.O_FIRST] < 0:
        m.thing[number * at.O_FIELDS + at.O_FIRST] = p
    else:
        m.proc[(m.thing[number * at.O_FIELDS + at.O_LAST]) * at.P_FIELDS + at.P_WAIT] = p
    m.thing[number * at.O_FIELDS + at.O_LAST] = p
    if what != LOCK:
        if what == CONDITION:
            unlock(m, p, m.proc[p * at.P_FIELDS + at.P_LOCK], t)
        m.thing[number * at.O_FIELDS + at.O_HERE] += 1
        if m.thing[number * at.O_FIELDS + at.O_HERE] == m.members[number]:
            meet(m, number, t)
    return False


@kernel
def hits(m, node, line, what):
    """Whether a reference needs no transaction."""
    if what == READ:
        return holds(m, line, node)
    if m.update:
        return node == m.home[m.page[line]] and holds(m, line, node) and others(m, line, node) == 0
    return m.line[line * at.L_FIELDS + at.L_OWNER] == node


@kernel
def step(m, p, t, until):
    """Let processor p go on at time t, as long as nothing else happens before `until`."""
    node = p // m.cluster
    while True:
        i = m.first[p] + m.proc[p * at.P_FIELDS + at.P_NEXT]
        if i == m.first[p + 1]:
            m.proc[p * at.P_FIELDS + at.P_DONE] = t
            m.count[at.C_RUNNING] -= 1
            return
        what, number = m.code[i] & ((1 << WHAT_BITS) - 1), m.code[i] >> WHAT_BITS
        m.proc[p * at.P_FIELDS + at.P_NEXT] += 1
        m.proc[p * at.P_FIELDS + at.P_BUSY] += 1
        t += 1
        if what > WRITE:
            if not synchronise(m, p, what, number, t):
                return
        elif not hits(m, node, number, what):
            m.proc[p * at.P_FIELDS + at.P_SINCE] = t
            kind = at.ASK_READ if what == READ else at.ASK_WRITE
            flits = m.word if what == WRITE and m.update else m.short
            row = new_message(m, kind, node, node, number, p, flits)
            arrive(m, row, t)
            return
        if (t << at.PAYLOAD_BITS | p) >= until or (m.count[at.C_HEAP] > 0 and m.heap[0] <= (t << at.PAYLOAD_BITS | p)):
            push(m, t, p)
            return


@kernel
def start_all(address):
    """Every processor starts at time 0."""
    m = memory_at(address)
    for p in range(m.processors):
        push(m, m.proc[p * at.P_FIELDS + at.P_DONE], p)
    m.count[at.C_RUNNING] = m.processors


@kernel
def carried(address, row, sent, arrived):
    """Messages (rows) that the network has taken since `sent` reach their nodes at `arrived`; all (K,)."""
    m = memory_at(address)
    for k in range(len(row)):
        m.count[at.C_NETWORK] += arrived[k] - sent[k]
        m.count[at.C_CARRIED] += 1
        arrive(m, row[k], arrived[k])


@kernel
def run_until(address, horizon, lead, latency):
    """Handle the events before `horizon`, and none more than `lead` cycles after the first message for the network.

    With latency >= 0 messages take latency + flits cycles and need no other network. Returns the cycle that was
    reached, or -1 when a table must grow first.
    """
    m = memory_at(address)
    while m.count[at.C_HEAP] > 0:
        if m.count[at.C_ROWS] + m.nodes + 2 > m.rows:
            return -1
        if m.heap[0] >> at.PAYLOAD_BITS >= horizon:
            return horizon
        event = pop(m)
        t, payload = event >> at.PAYLOAD_BITS, event & ((1 << at.PAYLOAD_BITS) - 1)
        if payload < m.processors:
            step(m, payload, t, horizon << at.PAYLOAD_BITS)
        else:
            served(m, payload - m.processors, t)
        if m.count[at.C_OUT] > 0:
            if latency >= 0:
                for k in range(m.count[at.C_OUT]):
                    row = m.outbox[k]
                    arrived = (
                        m.message[row * at.M_FIELDS + at.M_SENT] + latency + m.message[row * at.M_FIELDS + at.M_FLITS]
                    )
                    m.count[at.C_NETWORK] += arrived - m.message[row * at.M_FIELDS + at.M_SENT]
                    m.count[at.C_CARRIED] += 1
                    arrive(m, row, arrived)
                m.count[at.C_OUT] = 0
            else:
                horizon = min(horizon, t + lead)
    return horizon
