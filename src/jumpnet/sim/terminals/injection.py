"""Sources: packets are created by their process, wait, and enter flit by flit as credits allow.

A source that has nothing to send sleeps in a wheel of cycles; creation times are drawn one packet ahead, so the
source queue is never stored. `cycle` calls `inject` for an epoch of cycles; the twin is in `reference.simulation`.
"""

from jumpnet.jit.bits import bit, lowest
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.jit.random import below, draw63
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import note_in
from jumpnet.sim.memory.branches import wake_branches
from jumpnet.sim.memory.calls import ask_destination, ask_relation
from jumpnet.sim.memory.clock import cycle_of, first_step
from jumpnet.sim.memory.events import record
from jumpnet.sim.memory.packets import first_vc, measure, new_packet, order_of, sink_output
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import (
    candidate_of,
    counters_at,
    due_of,
    flits_of,
    heads_of,
    injector_of,
    lane_of,
    packet_at,
    slot_after,
    standing_of,
    terminal_of,
    trace_of,
)
from jumpnet.sim.memory.shared_buffers import entry_full, hold_entry
from jumpnet.sim.memory.standing import goes_by_stations, standing_for
from jumpnet.sim.memory.starts import count_credits, drawn_for, start
from jumpnet.sim.terminals.creation_cycles import next_creation
from jumpnet.sim.terminals.message_ends import planned, take_answer, take_message
from jumpnet.traffic.injection_process import NEVER

__all__ = ["inject", "sleep_all"]


@inlined
def wake_cycle(m, i):
    """When terminal i next creates a packet, of whatever class."""
    cycle = terminal_of(m, i).next_creation
    if m.kinds == at.SEVERAL:
        for c in range(1, m.classes):
            cycle = min(cycle, terminal_of(m, i + c * m.terminals).next_creation)
    return cycle


@kernel
def to_sleep(m, i):
    """Put terminal i to sleep until its next creation: it has nothing to send before that."""
    terminal, cycle = terminal_of(m, i), wake_cycle(m, i)
    m.awake[i >> 5] &= ~bit(i)
    if cycle < NEVER and terminal.in_wheel == 0:
        terminal.in_wheel = 1
        place = cycle & (m.wheel_cells - 1)
        m.wheel_next[i] = m.wheel[place]
        m.wheel[place] = i


@entry
def sleep_all(address):
    """Before cycle 0: ask for every terminal's first packet and put it to sleep until then."""
    m = memory_at(address)
    for i in range(m.sources):
        next_creation(m, i)
    for i in range(m.terminals):
        to_sleep(m, i)


@kernel
def wake(m, t):
    """Wake the terminals whose next packet is created in cycle t; the wheel keeps those of a later turn."""
    place = t & (m.wheel_cells - 1)
    i = m.wheel[place]
    m.wheel[place] = -1
    while i >= 0:
        following, terminal = m.wheel_next[i], terminal_of(m, i)
        if wake_cycle(m, i) <= t:
            terminal.in_wheel = 0
            m.awake[i >> 5] |= bit(i)
        else:
            m.wheel_next[i] = m.wheel[place]
            m.wheel[place] = i
        i = following


@inlined
def choose_length(m, i, c, number):
    """Which of the lengths that packet of source i, of class c, has."""
    if m.kinds == 0 and m.lengths == 1:
        return 0
    first, last = 0, m.lengths - 1
    if m.kinds == at.SEVERAL:
        first, last = m.length_first[c], m.length_first[c + 1] - 1
    draw = draw63(m.packet_key[i], 4 * number + 1)
    while draw >= m.length_up_to[first] and first < last:
        first += 1
    return first


@inlined
def which_length(m, flits):
    """Which length a replayed packet has, where its kind follows from it."""
    for k in range(m.lengths):
        if m.length[k] == flits:
            return k
    return 0


@kernel
def create(m, source):
    """The next packet of a source as a row of the packet table, or -1 when the pattern sends nothing."""
    counter, terminal = counters_at(m, 0), terminal_of(m, source)
    number, cycle = terminal.sequence, terminal.next_creation
    c = source // m.terminals if m.kinds == at.SEVERAL else 0
    i, kind = source - c * m.terminals, 0
    if m.traced == 1:
        traced = trace_of(m, m.trace_first[i] + number)
        to, flits = traced.to_terminal, traced.flits
        if m.kinds == at.EXCHANGE:
            kind = 2 * which_length(m, flits)
    else:
        to = ask_destination(m, c, i, draw63(m.packet_key[source], 4 * number))
        k = choose_length(m, source, c, number)
        flits = m.length[k]
        kind = 2 * k if m.kinds == at.EXCHANGE else 2 * c
    if to >= m.terminals:
        counter.error, counter.error_router = at.ERROR_DESTINATION, i
        to = -1
    if to < 0 or m.sink_router[to] < 0:  # a router that died has no terminals
        return -1
    p = new_packet(m, i, to, cycle, flits, number, kind)
    counter.created += 1
    if m.window[0] <= cycle < m.window[1]:
        measure(m, p)
    return p


@inlined
def take_reply(m, i, t):
    """The oldest packet in the list of replies of terminal i, or of those posted there, when it is there at cycle t,
    else -1."""
    terminal = terminal_of(m, i)
    p = terminal.reply_first
    if p < 0 or packet_at(m, p).created + int(m.kinds == at.EXCHANGE) > t:
        return -1  # one that waits in the same queue as requests is seen a cycle later
    terminal.reply_first = packet_at(m, p).following
    if terminal.reply_first < 0:
        terminal.reply_last = -1
    return p


@inlined
def take_created(m, i, t):
    """The next packet of the process of source i when it is there at cycle t, else -1."""
    terminal, p = terminal_of(m, i), -1
    while p < 0:
        if terminal.next_creation > t:
            return -1
        p = take_message(m, i) if m.forks == 1 else create(m, i)
        number = terminal.sequence
        terminal.sequence = number + 1
        if m.queue_limit > 0:
            m.queue_start[i * m.queue_limit + number % m.queue_limit] = t
        next_creation(m, i)
    return p


@kernel
def take_packet(m, i, c, t):
    """The packet of class c that terminal i sends next when it is there at cycle t, else -1; acknowledges first."""
    p = take_answer(m, i, t) if m.forks == 1 else -1
    if p >= 0:
        return p
    if m.kinds == at.SEVERAL:
        from_class = i + c * m.terminals
        p = take_reply(m, from_class, t) if m.delivery_rows > 0 else take_created(m, from_class, t)
    else:
        replies = c == 1 or m.delivery_rows > 0
        if replies or m.kinds == at.EXCHANGE:
            p = take_reply(m, i, t)
        if p < 0 and not replies:
            p = take_created(m, i, t)
    if p >= 0 and m.has_start == 1 and m.start_looks == 0 and not planned(m, p):
        start(m, p, m.source_router[i], -1)
    return p


@inlined
def posted_waits(m, i):
    """Whether a packet of a further class that was posted at terminal i waits."""
    found = False
    if m.kinds == at.SEVERAL and m.delivery_rows > 0:
        for c in range(1, m.classes):
            found |= terminal_of(m, i + c * m.terminals).reply_first >= 0
    return found


@inlined
def entering(m, port, c, vc):
    """Whether a packet of another class than c is entering on a virtual channel."""
    if m.kinds == at.SEVERAL:
        for other in range(m.classes):
            if other != c and injector_of(m, port, other).vc == vc:
                return True
    return False


@kernel
def entry_vc(m, port, place, c, router, first, t):
    """Virtual channel on which the next packet of class c may enter, in turn, or -1.

    port: counts injection ports, place likewise those of all copies of the network; its lanes are those of the router
    from `first` on. Packets of several kinds in one queue go in turn as long as the channel of the last one is one of
    theirs, and begin with their first otherwise. With `one_vc_at_ends` one is drawn in each cycle. A head that had one
    when a packet of another class went before it waits for that one, as in BookSim 2. t: a step.
    """
    packet, last = packet_at(m, injector_of(m, port, c).packet), injector_of(m, place, c).last_vc
    room, base = packet.length if m.cut_through == 1 else 1, first_vc(m, packet)
    if m.reuse_empty == 1:
        room = m.buffer
    vcs = m.entry_vcs if m.entry_vcs > 0 else m.class_vcs
    choices = vcs
    if m.by_output == 1:
        if m.start_draws > 1 and m.start_looks == 0:
            start(m, injector_of(m, port, c).packet, router, cycle_of(m, t))
        n = ask_relation(m, router, injector_of(m, port, c).packet)
        vcs //= m.outputs
        base += vcs * (candidate_of(m, 0).port if n > 0 else sink_output(m, packet))
    if m.kinds == at.EXCHANGE or m.by_output == 1:
        last -= base
        if last < 0 or last >= vcs:
            last, choices = -1, 1
    kept = at.KEPT - injector_of(m, port, c).vc
    if kept >= 0:
        last, choices = kept - base - 1, 1
    elif m.one_vc_at_ends == 1:
        drawn = draw63(drawn_for(m, injector_of(m, port, c).packet), cycle_of(m, t))
        last, choices = below(drawn, vcs) - 1, 1
    for k in range(1, choices + 1):
        v = last + k
        while v >= vcs:
            v -= vcs
        vc = base + v
        if entering(m, port, c, vc):
            continue
        last_slot = m.injector_write[place * m.vcs + vc] + room - 1
        if last_slot >= m.buffer:
            last_slot -= m.buffer
        full = m.sharing > 0 and entry_full(m, place, router, first, vc, t)
        if lane_of(m, router, first + vc)[last_slot] <= t and not full:
            return vc
    return -1


@inlined
def send_flit(m, port, place, c, router, b, vc, t):
    """Put the next flit of an injector (port, class) into lane b of its router, which is due when it can be read."""
    injector, lane = injector_of(m, port, c), lane_of(m, router, b)
    p, left = injector.packet, injector.left
    slot = m.injector_write[place * m.vcs + vc]
    if injector.vc < 0:
        injector.vc = vc
        injector_of(m, place, c).last_vc = (
            vc if m.kinds == at.EXCHANGE or m.by_output == 1 else vc - first_vc(m, packet_at(m, p))
        )
        packet_at(m, p).injected = t
        if goes_by_stations(m):
            standing_of(m, router, b)[slot] = standing_for(m, router, b, p)
        else:
            heads_of(m, router, b)[slot] = p
        if m.start_enters == 1 and not planned(m, p):
            # As the cycle begins; before cycle 0 no slot was free, and no credit used either.
            count_credits(m, router, max(first_step(m, t) - 1, 0), 0)
            start(m, p, router, -1)
    hold_entry(m, place, vc, first_step(m, t), packet_at(m, p).length - left, left)
    there = first_step(m, t + 1 + m.terminal_link)
    lane[slot] = at.FLIT + there
    m.injector_write[place * m.vcs + vc] = slot_after(m, slot)
    if m.packed == 1:
        note_in(m, router, m.came, there, b)
    elif due_of(m, router)[b] == at.NO_FLIT:
        due_of(m, router)[b] = there
        m.active[router >> 5] |= bit(router)
    if m.forks == 1:
        wake_branches(m, (router * m.lanes + b) * m.lane_stride, router * m.cells + b, router, there)
    counter = counters_at(m, 0)
    counter.entered += 1
    if m.forks == 1:
        counter.moved = t
    record(m, t, at.EVENT_ENTER, p, packet_at(m, p).length - left, router, b)
    if m.delivery_rows == 0 and m.forks == 0 and packet_at(m, p).length > 1:
        flits_of(m, p)[left - 1] = t
    injector.left = left - 1
    if m.classes > 1:
        m.injector_class[port] = c
    if left == 1:
        injector.packet, injector.vc = -1, -1
        if m.delivery_rows > 0:
            injector.entered += 1


@inlined
def send_one(m, i, j, t):
    """One flit of terminal i by its port j in cycle t, the classes in turn; False when it has nothing left to send."""
    port, router = i * m.injection_ports + j, m.source_router[i]
    place = port
    first = (m.link_inputs + m.source_index[i] * m.injection_ports + j) * m.vcs
    busy, best, best_class, best_vc = False, -1, 0, -1
    for k in range(1, m.classes + 1):
        c = m.injector_class[port] + k if m.classes > 1 else 0
        if c >= m.classes:
            c -= m.classes
        injector = injector_of(m, port, c)
        if injector.packet < 0:
            p = take_packet(m, i, c, t)
            if p < 0:
                continue
            injector.packet, injector.left, injector.vc = p, packet_at(m, p).length, -1
        busy = True
        if m.subnets > 1:
            place = i + packet_at(m, injector.packet).to_terminal // m.terminals * m.terminals
            router, first = m.source_router[place], (m.link_inputs + m.source_index[place]) * m.vcs
        if best >= 0 and order_of(m, best) <= order_of(m, injector.packet):
            continue
        vc = injector.vc
        if vc < 0:
            vc = entry_vc(m, port, place, c, router, first, first_step(m, t))
            if vc < 0:
                continue
        full = m.sharing > 0 and entry_full(m, place, router, first, vc, first_step(m, t))
        if lane_of(m, router, first + vc)[m.injector_write[place * m.vcs + vc]] <= first_step(m, t) and not full:
            if m.entry_ranked == 1:
                best, best_class, best_vc = injector.packet, c, vc
                if injector.vc < 0:
                    injector.vc = at.KEPT - vc
                continue
            send_flit(m, port, place, c, router, first + vc, vc, t)
            break
    if best >= 0:
        send_flit(m, port, place, best_class, router, first + best_vc, best_vc, t)
    return busy


@kernel
def inject(m, first, end):
    """The sources' part of cycles first..end-1: every terminal that is awake sends what its ports can take.

    A terminal does all these cycles before the next does the first: none sees what another one does.
    """
    for t in range(first, end):
        wake(m, t)
    for w in range(m.awake_words):
        word = m.awake[w]
        while word != 0:
            i = w * 32 + lowest(word)
            word &= word - 1
            busy = False
            ports = 1 if m.forks == 1 and i >= m.terminals else m.injection_ports  # a combining unit has one
            for t in range(first, end):
                busy = False
                for j in range(ports):
                    if send_one(m, i, j, t):
                        busy = True
            terminal = terminal_of(m, i)
            waits = terminal.reply_first >= 0 or posted_waits(m, i)
            if not busy and not waits and (m.forks == 0 or terminal.answer_first < 0):
                to_sleep(m, i)
