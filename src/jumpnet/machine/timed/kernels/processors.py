"""Kernel of the timed machine: processors that run their streams, and the events of all parts in order of time.

Messages to other nodes go to an outbox, for whatever carries them; `carried` enters their arrivals. Tables are in
`layout`, the rules in words in `machine`. Naive twin: tests/naive/timing.py.
"""

from jumpnet.coherence.recent import look_up
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.bits import bit
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import tell as tell
from jumpnet.machine.timed.kernels.branch import at_once
from jumpnet.machine.timed.kernels.caches import find, in_node, mark_dirty
from jumpnet.machine.timed.kernels.finite_buffers import is_idle, leaves, next_turn, turn_to_first, waits_for
from jumpnet.machine.timed.kernels.home import serve, turn_to_held
from jumpnet.machine.timed.kernels.layout import (
    counters_at,
    line_of,
    memory_at,
    message_at,
    processor_of,
    queue_of,
    register_of,
)
from jumpnet.machine.timed.kernels.migrate import is_moving
from jumpnet.machine.timed.kernels.queue import arrive, block, schedule, take_first
from jumpnet.machine.timed.kernels.relays import copy_waits_for, next_copy, unlink_copy
from jumpnet.machine.timed.kernels.sets_seen import find_way, keep_way
from jumpnet.machine.timed.kernels.sync import synchronise
from jumpnet.machine.timed.kernels.tables import (
    follow,
    goes_inside,
    is_anew,
    is_pending,
    new_message,
    others,
    over_bus,
    pop,
    push,
    rule_of,
    writes_through,
)
from jumpnet.machine.timed.references import READ, WHAT_BITS, WRITE

__all__ = ["carried", "following", "full_network", "has_room", "run_ahead", "run_until", "start_all", "start_tree",
           "turn_to_messages"]  # fmt: skip


@kernel
def writes_at_home(m, line, node):
    """Whether a node writes a line in its own memory, of which nobody else has a copy and which nobody owns then."""
    # A reader that the home has answered is listed when the line has come to it.
    busy = line_of(m, line).busy == 1 or is_moving(m, line)
    if node != m.home[m.page[line]] or busy or others(m, line, node) > 0:
        return False
    return rule.only_tells(rule_of(m, line, rule.HOLDER, rule.WRITE, True))


@kernel
def hits(m, p, line, write, t):
    """Whether an access needs no request."""
    node = p // m.cluster
    held = find(m, p, line, t)
    if not write:
        return held
    if line_of(m, line).owner != node:
        return held and writes_at_home(m, line, node)
    if is_pending(m, line, node):
        return False
    does = rule_of(m, line, rule.OWNER, rule.WRITE, False)
    if does & rule.ASKS:
        return False
    follow(m, line, node, does)
    mark_dirty(m, p, line, does)
    return True


@kernel
def joins(m, p, line):
    """Whether processor p has already asked to own a line: one more write to it waits for nothing else."""
    if writes_through(m, line):
        return False
    for k in range(p * m.outstanding, (p + 1) * m.outstanding):
        if register_of(m, k).line == line and register_of(m, k).write:
            return True
    return False


@kernel
def ask(m, p, line, write, t):
    """Send a request for a line, from a free register; returns the register."""
    node, register = p // m.cluster, p * m.outstanding
    while register_of(m, register).line >= 0:
        register += 1
    register_of(m, register).line, register_of(m, register).write = line, write
    processor_of(m, p).out += 1
    flits = m.word if write and writes_through(m, line) else m.short
    row = new_message(m, at.ASK_WRITE if write else at.ASK_READ, node, node, line, register, flits)
    if in_node(m, line, node):
        message_at(m, row).flag = at.HOLDS
    else:
        counters_at(m, 0).misses += 1
        counters_at(m, 0).cache_misses += 1
    m.pending[line * m.words + (node >> 5)] |= bit(node)
    arrive(m, row, over_bus(m, node, m.bus_request, t))
    return register


@kernel
def access(m, p, line, write, t):
    """A read or write at time t; returns when the processor goes on, -1 when it waits.

    It comes back to the same access when it has looked for the page's translation in vain.
    """
    proc, stall = processor_of(m, p), at.WRITE_STALL if write else at.READ_STALL
    number = m.page_number[m.page[line]]
    if m.stage_1_ways > 0 and not look_up(m.stage_1, m.stage_1_ways, m.stage_1_sets, p, number):
        counters_at(m, 0).stage_1_misses += 1
        proc[stall] += m.stage_1_cycles
        return t + m.stage_1_cycles
    proc.ready = t
    held = hits(m, p, line, write, t)
    proc[stall] += proc.ready - t
    t = proc.ready
    if not held:
        waits = is_pending(m, line, p // m.cluster)
        if waits and not (write and joins(m, p, line)):
            block(m, p, at.ON_LINE, line, stall, t)
            return -1
        if not waits:
            if proc.out == m.outstanding:
                block(m, p, at.ON_ANY, at.NOBODY, at.WRITE_STALL, t)
                return -1
            register = ask(m, p, line, write, t + 1)
            if not write or m.outstanding == 1:
                block(m, p, at.ON_REQUEST, register, stall, t + 1)
    proc.next += 1
    proc[at.BUSY] += 1
    return -1 if proc.block == at.ON_REQUEST else t + 1


@kernel
def has_room(m):
    """Whether one more event, or one more arrival, will find rows enough for its messages."""
    rows = counters_at(m, 0).rows // len(at.MESSAGE)
    return rows + m.most_places + m.nodes + m.processors + 4 <= m.rows


@inlined
def lacks(m, p):
    """Whether the next references of processor p lie elsewhere."""
    known = processor_of(m, p).known
    return processor_of(m, p).next == known and known < m.first[p + 1] - m.first[p]


@kernel
def step(m, p, t, until):
    """Let processor p, which lacks no reference, go on at time t, as long as nothing else happens before `until`."""
    proc, counters = processor_of(m, p), counters_at(m, 0)
    while True:
        i = proc.base + proc.next
        ends = proc.next == proc.known
        what = 0 if ends else m.code[i] & ((1 << WHAT_BITS) - 1)
        if ends or what > WRITE:
            # Before others are told of anything, all that was written is known to them.
            if proc.out > 0:
                block(m, p, at.ON_ANY, at.NOBODY, at.WRITE_STALL, t)
                return
            if ends:
                proc.done = t
                counters.running -= 1
                return
            proc.next += 1
            proc[at.BUSY] += 1
            t += 1
            if not synchronise(m, p, what, m.code[i] >> WHAT_BITS, t):
                return
            if not has_room(m):
                push(m, t, p)
                return
        else:
            t = access(m, p, m.code[i] >> WHAT_BITS, what != READ, t)
            if t < 0:
                return
        key = t << at.PAYLOAD_BITS | p
        if key >= until or (counters.events > 0 and m.heap[0] <= key) or lacks(m, p):
            push(m, t, p)
            return


@kernel
def walks(m, node, row):
    """Whether a home does not find the translation of the page that a request is about; it has it afterwards."""
    line = message_at(m, row).line
    if m.stage_2_ways == 0 or message_at(m, row).kind > at.ASK_WRITE or node != m.home[m.page[line]]:
        return False
    return not look_up(m.stage_2, m.stage_2_ways, m.stage_2_sets, node, m.page_number[m.page[line]])


@kernel
def is_through(m, node, row):
    """Whether a node is through with a message when it is handled.

    Not with a request, which keeps its place until its home turns to it, unless it is sent on from here; nor with a
    packet to be made anew, whose place may be handed on.
    """
    if message_at(m, row).kind <= at.PUT:
        return node != m.home[m.page[message_at(m, row).line]]
    return not is_anew(m, row)


@kernel
def served(m, server, t):
    """A memory-based processor is through with its first message: do what it says, and turn to the next one.

    A request whose translation it does not find keeps it for longer, once.
    """
    queue, node = queue_of(m, server), server // m.units
    if queue.through != t:
        return
    if queue.walked == 0 and walks(m, node, queue.first):
        counters_at(m, 0).stage_2_misses += 1
        queue.walked, queue.through = 1, t + m.stage_2_cycles
        push(m, t + m.stage_2_cycles, m.processors + server)
        return
    row = take_first(m, server)
    if m.room > 0 and is_through(m, node, row):
        leaves(m, row)
    queue.free = t + serve(m, node, row, t)
    schedule(m, server)


@entry
def start_all(address):
    """Every processor starts at time 0."""
    m = memory_at(address)
    for p in range(m.processors):
        push(m, processor_of(m, p).done, p)
    counters_at(m, 0).running = m.processors


@kernel
def send_copies_on(m, t):
    """Routers send on at time t what copies of multicasts they can; False where a table must grow first."""
    if counters_at(m, 0).relays == 0:
        return True
    for k in range(m.ends * m.networks):
        row = unlink_copy(m, k, t)
        while row >= 0:
            tell.send_copy_on(m, row, t)
            if not has_room(m):
                return False
            row = unlink_copy(m, k, t)
    return True


@kernel
def turn_to_messages(m, t):
    """Where nodes have room for few messages: memory-based processors turn at the end of cycle t to those they can.

    Returns 0; 1 when the request of a line that was held has been begun, whose events come first; -1 when a table must
    grow first.
    """
    if not has_room(m) or not send_copies_on(m, t):
        return -1
    if counters_at(m, 0).held > 0 and turn_to_held(m, t):
        return 1
    for server in range(m.nodes * m.units):
        if queue_of(m, server).first >= 0 and is_idle(m, server, t):
            turn_to_first(m, server, t)
    return 0


@entry
def full_network(address, node, row, of_router):
    """The network without the room that a message waits for at its node, or a copy that its router has; or NOBODY."""
    m = memory_at(address)
    return copy_waits_for(m, row) if of_router else waits_for(m, node, row)


@kernel
def following(m, t):
    """The next cycle after t in which something happens without the network, or FOREVER."""
    event = m.heap[0] >> at.PAYLOAD_BITS if counters_at(m, 0).events > 0 else at.FOREVER
    return min(max(t + 1, event), next_turn(m, t), next_copy(m, t))


@entry
def carried(address, row, arrived, first):
    """Messages (rows) reach their nodes at `arrived`; both (K,). Returns up to which, when a table must grow first."""
    m = memory_at(address)
    for k in range(first, len(row)):
        if not has_room(m):
            return k
        tell.reach(m, row[k], arrived[k])
    return len(row)


@kernel
def begin_tree(m, root, places, ahead):
    """The multicast that is wanted starts; events may run so far ahead of it."""
    counters = counters_at(m, 0)
    counters.horizon = min(counters.horizon, counters.want_time + ahead)
    tell.start_tree(m, root, places)


@entry
def start_tree(address, root, places, ahead):
    """`begin_tree`: the tree is there, from its root on so many places."""
    m = memory_at(address)
    keep_way(m, root, places)
    begin_tree(m, root, places, ahead)


@inlined
def run_ahead(m, lead, forward_lead, inside_lead):
    """How far events may run ahead of the network: less while copies of multicasts are on their way."""
    ahead = forward_lead if counters_at(m, 0).copies > 0 else lead
    return min(ahead, inside_lead) if counters_at(m, 0).inside > 0 else ahead


@entry
def run_until(address, lead, forward_lead, inside_lead, latency):
    """Handle the events before the horizon, and none more than `lead` cycles after the first message for the network.

    forward_lead: the same while copies of multicasts are on their way, inside_lead: while multicasts are that branch in
    the routers. With latency >= 0 messages take latency + flits cycles and need no other network. Returns OVER at the
    horizon or when nothing is left, NO_ROOM, WANTS_TREE, or WANTS_REFERENCES of the processor `COUNT.reader`.
    """
    m = memory_at(address)
    counters = counters_at(m, 0)
    while True:
        if counters.want >= 0:
            root, places = find_way(m)
            if root < 0:
                return at.WANTS_TREE
            begin_tree(m, root, places, inside_lead if m.multicast == at.BRANCH else forward_lead)
        if not has_room(m):
            return at.NO_ROOM
        if latency >= 0 and counters.out > 0:
            counters.out -= 1
            row = m.outbox[counters.out]
            if goes_inside(m, row):
                at_once(m, row, latency)
            else:
                tell.reach(m, row, message_at(m, row).sent + latency + message_at(m, row).flits)
            continue
        if counters.events == 0 or m.heap[0] >> at.PAYLOAD_BITS >= counters.horizon:
            return at.OVER
        payload = m.heap[0] & ((1 << at.PAYLOAD_BITS) - 1)
        if payload < m.processors and lacks(m, payload):
            counters.reader = payload
            return at.WANTS_REFERENCES
        t = pop(m) >> at.PAYLOAD_BITS
        if payload < m.processors:
            step(m, payload, t, counters.horizon << at.PAYLOAD_BITS)
        else:
            served(m, payload - m.processors, t)
        if latency < 0 and counters.out > 0:
            counters.horizon = min(counters.horizon, t + run_ahead(m, lead, forward_lead, inside_lead))
