"""Sources: packets are created when their process says so, wait, and enter flit by flit as credits allow.

A source that has nothing to send sleeps in a wheel of cycles; creation times are asked for one packet ahead, so the
source queue is never stored. Called by `cycle`; the twin is `reference.simulation.Terminal`.
"""

from __future__ import annotations

from jumpnet._random import below, draw63
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import note_in
from jumpnet.sim.memory.bits import bit, lowest
from jumpnet.sim.memory.branches import wake_branches
from jumpnet.sim.memory.events import record
from jumpnet.sim.memory.packets import address, take_row
from jumpnet.sim.memory.prefetch import MANY_ROUTERS, fetch_sources
from jumpnet.sim.memory.record import ask_destination, ask_process, ask_start, inlined, kernel, memory_at
from jumpnet.sim.terminals.message_ends import message_cycle, planned, take_answer, take_message
from jumpnet.traffic.injection_process import LAST, MEMORY_WORDS, NEVER

__all__ = ["inject", "sleep_all"]


@kernel
def next_creation(m, i):
    """Set the creation cycle of terminal i's next packet."""
    number = m.terminal[i * at.TERMINAL_FIELDS + at.SEQUENCE]
    cycle = message_cycle(m, i)
    if m.forks == 0 and m.traced == 1:
        row = m.trace_first[i] + number
        cycle = m.trace[3 * row + 0] if row < m.trace_first[i + 1] else NEVER
    elif m.forks == 0:
        cycle = ask_process(m, i)
    if m.queue_limit > 0:
        start = m.queue_start[i * m.queue_limit + number % m.queue_limit]
        if start > cycle:
            cycle = start
            m.memory[i * MEMORY_WORDS + LAST] = cycle
    m.terminal[i * at.TERMINAL_FIELDS + at.NEXT_CREATION] = cycle


@kernel
def to_sleep(m, i):
    """Put terminal i to sleep until its next creation: it has nothing to send before that."""
    m.awake[i >> 5] &= ~bit(i)
    cycle = m.terminal[i * at.TERMINAL_FIELDS + at.NEXT_CREATION]
    if cycle < NEVER and m.terminal[i * at.TERMINAL_FIELDS + at.IN_WHEEL] == 0:
        m.terminal[i * at.TERMINAL_FIELDS + at.IN_WHEEL] = 1
        place = cycle & (m.wheel_cells - 1)
        m.wheel_next[i] = m.wheel[place]
        m.wheel[place] = i


@kernel
def sleep_all(address):
    """Before cycle 0: ask for every terminal's first packet and put it to sleep until then."""
    m = memory_at(address)
    for i in range(m.terminals):
        next_creation(m, i)
        to_sleep(m, i)


@kernel
def wake(m, t):
    """Wake the terminals whose next packet is created in cycle t."""
    place = t & (m.wheel_cells - 1)
    i = m.wheel[place]
    m.wheel[place] = -1
    while i >= 0:
        following = m.wheel_next[i]
        if m.terminal[i * at.TERMINAL_FIELDS + at.NEXT_CREATION] <= t:
            m.terminal[i * at.TERMINAL_FIELDS + at.IN_WHEEL] = 0
            m.awake[i >> 5] |= bit(i)
        else:
            m.wheel_next[i] = m.wheel[place]
            m.wheel[place] = i
        i = following


@kernel
def create(m, i):
    """The next packet of terminal i as a row of the packet table, or -1 when the pattern sends nothing."""
    number = m.terminal[i * at.TERMINAL_FIELDS + at.SEQUENCE]
    cycle = m.terminal[i * at.TERMINAL_FIELDS + at.NEXT_CREATION]
    key = m.packet_key[i]
    if m.traced == 1:
        row = m.trace_first[i] + number
        to, flits = m.trace[3 * row + 1], m.trace[3 * row + 2]
    else:
        to = ask_destination(m, i, below(draw63(key, 4 * number), m.pattern_draws))
        flits = m.length[0]
        if m.lengths > 1:
            draw, k = draw63(key, 4 * number + 1), 0
            while draw >= m.length_up_to[k] and k < m.lengths - 1:
                k += 1
            flits = m.length[k]
    if to >= m.terminals:
        m.counter[at.C_ERROR] = at.ERROR_DESTINATION
        m.counter[at.C_ERROR_ROUTER] = i
        to = -1
    if to < 0:
        return -1
    p = take_row(m)
    m.packet[p + at.FROM] = i
    address(m, p, to)
    m.packet[p + at.CREATED] = cycle
    m.packet[p + at.LENGTH] = flits
    m.packet[p + at.NUMBER] = number
    m.packet[p + at.KIND] = 0
    m.counter[at.C_CREATED] += 1
    if m.window[0] <= cycle < m.window[1]:
        m.packet[p + at.KIND] = at.MEASURED
        m.counter[at.C_CREATED_MEASURED] += 1
        m.counter[at.C_CREATED_FLITS_MEASURED] += flits
    return p


@kernel
def queue_lengths(m, router):
    """Fill `waiting`: flits in the downstream buffers of each output, for routings that look (UGAL)."""
    for port in range(m.link_outputs):
        total = 0
        for v in range(m.vcs):
            row = (router * m.outlets + port * m.vcs + v) * at.OUTLET_FIELDS
            to = m.outlet[row + at.TO]
            if to >= 0:
                for k in range(m.buffer):
                    if m.lane[to + at.LANE_FIELDS + k] >= at.FLIT:
                        total += 1
        m.waiting[port] = total


@kernel
def take_packet(m, i, c, t):
    """The packet of class c that terminal i sends next when it is there at cycle t, else -1; acknowledges first."""
    p = take_answer(m, i, t)
    if p >= 0:
        return p
    if c == 1 or m.noted_rows > 0:
        p = m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_FIRST]
        if p < 0 or m.packet[p + at.CREATED] > t:
            return -1
        m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_FIRST] = m.packet[p + at.NEXT]
        if m.packet[p + at.NEXT] < 0:
            m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_LAST] = -1
    else:
        p = -1
        while p < 0:
            if m.terminal[i * at.TERMINAL_FIELDS + at.NEXT_CREATION] > t:
                return -1
            p = take_message(m, i) if m.forks == 1 else create(m, i)
            number = m.terminal[i * at.TERMINAL_FIELDS + at.SEQUENCE]
            m.terminal[i * at.TERMINAL_FIELDS + at.SEQUENCE] = number + 1
            if m.queue_limit > 0:
                m.queue_start[i * m.queue_limit + number % m.queue_limit] = t
            next_creation(m, i)
    if m.has_start == 1 and planned(m, p) == 0:
        router = m.source_router[i]
        if m.start_looks == 1:
            queue_lengths(m, router)
        draw = below(draw63(m.packet_key[i], 4 * m.packet[p + at.NUMBER] + 2 + c), m.start_draws)
        ask_start(m, p, draw)
    return p


@kernel
def entry_vc(m, port, c, first_lane, flits, t):
    """Virtual channel on which a packet of class c may enter, in turn, or -1; `port` counts injection ports."""
    last = m.injector[(port * m.classes + c) * at.INJECTOR_FIELDS + at.I_LAST_VC]
    vcs = m.entry_vcs if m.entry_vcs > 0 else m.class_vcs
    for k in range(1, vcs + 1):
        v = last + k
        while v >= vcs:
            v -= vcs
        vc = c * m.class_vcs + v
        row = (first_lane + vc) * m.lane_stride + at.LANE_FIELDS
        slot = m.injector_write[port * m.vcs + vc]
        need = flits - 1 if m.cut_through == 1 else 0
        if m.reuse_empty == 1:
            need = m.buffer - 1
        last_slot = slot + need
        if last_slot >= m.buffer:
            last_slot -= m.buffer
        if m.lane[row + slot] <= t and m.lane[row + last_slot] <= t:
            return vc
    return -1


@inlined
def send_one(m, i, j, t):
    """One flit of terminal i by its port j in cycle t, the classes in turn; False when it has nothing left to send."""
    port = i * m.injection_ports + j
    router = m.source_router[i]
    in_port = m.link_inputs + m.source_index[i] * m.injection_ports + j
    first_lane = router * m.lanes + in_port * m.vcs
    busy = False
    for k in range(1, m.classes + 1):
        c = m.injector_class[port] + k if m.classes > 1 else 0
        if c >= m.classes:
            c -= m.classes
        own = port * m.classes + c
        p = m.injector[own * at.INJECTOR_FIELDS + at.I_PACKET]
        if p < 0:
            p = take_packet(m, i, c, t)
            if p < 0:
                continue
            m.injector[own * at.INJECTOR_FIELDS + at.I_PACKET] = p
            m.injector[own * at.INJECTOR_FIELDS + at.I_LEFT] = m.packet[p + at.LENGTH]
            m.injector[own * at.INJECTOR_FIELDS + at.I_VC] = -1
        busy = True
        vc = m.injector[own * at.INJECTOR_FIELDS + at.I_VC]
        if vc < 0:
            vc = entry_vc(m, port, c, first_lane, m.packet[p + at.LENGTH], t)
            if vc < 0:
                continue
        lane = first_lane + vc
        slot = m.injector_write[port * m.vcs + vc]
        place = lane * m.lane_stride + at.LANE_FIELDS + slot
        if m.lane[place] > t:
            continue
        left = m.injector[own * at.INJECTOR_FIELDS + at.I_LEFT]
        if m.injector[own * at.INJECTOR_FIELDS + at.I_VC] < 0:
            m.injector[own * at.INJECTOR_FIELDS + at.I_VC] = vc
            m.injector[own * at.INJECTOR_FIELDS + at.I_LAST_VC] = vc - c * m.class_vcs
            m.packet[p + at.INJECTED] = t
            m.head[lane * m.buffer + slot] = p
        cycle = t + 1 + m.terminal_link
        m.lane[place] = at.FLIT + cycle
        m.injector_write[port * m.vcs + vc] = slot + 1 if slot + 1 < m.buffer else 0
        b = in_port * m.vcs + vc
        cell = router * m.cells + b
        if m.packed == 1:
            note_in(m, router, m.came, cycle, b)
        elif m.due[cell] == at.NO_FLIT:
            m.due[cell] = cycle
            m.active[router >> 5] |= bit(router)
        wake_branches(m, lane * m.lane_stride, cell, router, cycle)
        m.counter[at.C_ENTERED] += 1
        if m.forks == 1:
            m.counter[at.C_MOVED] = t
        record(m, t, at.EVENT_ENTER, p, m.packet[p + at.LENGTH] - left, router, b)
        if m.noted_rows == 0 and m.forks == 0:
            m.flit[p * m.flits_per_field + left - 1] = t
        m.injector[own * at.INJECTOR_FIELDS + at.I_LEFT] = left - 1
        if m.classes > 1:
            m.injector_class[port] = c
        if left == 1:
            m.injector[own * at.INJECTOR_FIELDS + at.I_PACKET] = -1
            m.injector[own * at.INJECTOR_FIELDS + at.I_VC] = -1
        break
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
        if m.terminals >= MANY_ROUTERS:
            fetch_sources(m, w)
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
            if (
                not busy
                and m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_FIRST] < 0
                and (m.forks == 0 or m.terminal[i * at.TERMINAL_FIELDS + at.ANSWER_FIRST] < 0)
            ):
                to_sleep(m, i)
