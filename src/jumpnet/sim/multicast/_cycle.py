"""Kernel of the multicast simulator: routers whose packets branch, cycle by cycle.

The same pipeline and slots as the simulator for single destinations (`sim._cycle`), which it leaves alone: a run
without multicast pays nothing. Trees are read from tables. Its twin is `reference.MulticastSimulation`.
"""

from __future__ import annotations

from jumpnet._jit import borrow, jit
from jumpnet.sim._layout import EVENT_ARRIVE, EVENT_ENTER, EVENT_SWITCH, EVENT_VC, FLIT
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._ends import accept, length_of, packet, take

__all__ = ["run"]


@jit
def record(m, cycle, kind, code, flit, router, where):
    """Append an event if events are recorded."""
    n = m.counter[at.EVENTS]
    if n < len(m.event):
        message, place, what = packet(m, code)
        row = m.event[n]
        row[0], row[1], row[2], row[3] = cycle, kind, message, place
        row[4], row[5], row[6], row[7] = what, flit, router, where
        m.counter[at.EVENTS] = n + 1


@jit(inline="always")
def has_room(m, to, write, flits, t):
    """Whether `flits` slots of row `to` from `write` on are free for use."""
    last = write + flits - 1
    if last >= m.size[at.BUFFER]:
        last -= m.size[at.BUFFER]
    return m.slot[to, last] <= t


@jit(inline="always")
def need(m, length):
    """Free slots that a packet asks of a buffer before its head may have it."""
    if m.size[at.NEED_EMPTY] == 1:
        return m.size[at.BUFFER]
    return length if m.size[at.CUT_THROUGH] == 1 else 1


@jit
def send(m, r, port, t):
    """One flit by an injection port of a router; the last port is the combining unit's."""
    v, ports, buffer = m.size[at.VCS], m.size[at.INJECTION_PORTS], m.size[at.BUFFER]
    row = m.injector[r * (ports + 1) + port]
    first = r * m.size[at.LANES] + (m.size[at.LINK_INPUTS] + port) * v
    if row[at.I_CODE] < 0:
        row[at.I_CODE] = take(m, r, port == ports, t)
        if row[at.I_CODE] < 0:
            return
        row[at.I_INDEX], row[at.I_VC] = 0, -1
        row[at.I_LENGTH] = length_of(m, row[at.I_CODE])
    k, entries = 1, m.size[at.ENTRY_VCS]
    while row[at.I_VC] < 0 and k <= entries:
        w = (row[at.I_LAST_VC] + k) % entries
        if has_room(m, first + w, m.entry[first + w], need(m, row[at.I_LENGTH]), t):
            row[at.I_VC] = w
        k += 1
    if row[at.I_VC] < 0:
        return
    lane = first + row[at.I_VC]
    write = m.entry[lane]
    if m.slot[lane, write] > t:
        return
    if row[at.I_INDEX] == 0:
        row[at.I_LAST_VC] = row[at.I_VC]
        m.head[lane, write] = row[at.I_CODE]
    m.slot[lane, write] = FLIT + t + 1 + m.size[at.TERMINAL_LINK]
    m.entry[lane] = (write + 1) % buffer
    m.inside[r] += 1
    m.counter[at.INSIDE] += 1
    m.counter[at.MOVED] = t
    record(m, t, EVENT_ENTER, row[at.I_CODE], row[at.I_INDEX], r, lane - r * m.size[at.LANES])
    row[at.I_INDEX] += 1
    if row[at.I_INDEX] == row[at.I_LENGTH]:
        row[at.I_CODE] = -1


@jit
def add_way(m, b, want, code, t):
    """One more branch of the packet at the front of lane b."""
    n = m.lane[b, at.WAYS]
    row = m.way[b * m.size[at.MOST_WAYS] + n]
    row[at.WANT], row[at.CODE], row[at.READY] = want, code, t + m.size[at.RD]
    row[at.OUTLET], row[at.TAKEN], row[at.BID] = -1, 0, 0
    m.lane[b, at.WAYS] = n + 1


@jit(inline="always")
def route(m, r, b, t):
    """List the branches of the packet whose head is at the front of lane b."""
    lane = m.lane[b]
    code = m.head[b, lane[at.READ]]
    message, k, kind = packet(m, code)
    v, msg = m.size[at.VCS], m.message[message]
    lane[at.BUSY], lane[at.WAYS], lane[at.FREED], lane[at.LENGTH] = 1, 0, 0, length_of(m, code)
    place = m.place[k]
    if kind == 0 or kind == 4:
        for child in range(place[at.BRANCH], place[at.BRANCH] + place[at.BRANCHES]):
            add_way(m, b, m.place[child, at.PORT] * v + m.place[child, at.VC], code + 8 * (child - k), t)
        if place[at.LOCAL] > 0:
            add_way(m, b, at.TO_PROCESSOR, code, t)
        if kind == 0 and place[at.BRANCHES] > 0 and msg[at.ACK] == 2:
            tally = m.tally[msg[at.BASE] + k - msg[at.START]]
            tally[at.LEFT] = place[at.BRANCHES] + (place[at.LOCAL] > 0)
            if m.used[r] < m.size[at.ENTRIES]:
                m.used[r] += 1
                tally[at.IN_UNIT] = 1
            else:
                m.counter[at.FALLBACKS] += 1
    elif kind == 1 and place[at.ROUTER] == r:
        add_way(m, b, place[at.BACK] * v + v - 1, code, t)
    else:
        target = place[at.PARENT] if kind == 1 else k
        counted = kind != 3 and m.tally[msg[at.BASE] + target - msg[at.START], at.IN_UNIT] == 1
        add_way(m, b, at.TO_UNIT if counted else at.TO_PROCESSOR, code, t)


@jit(inline="always")
def choose(m, r, b, row, t):
    """The free outlet that a waiting branch asks for, or -1: of several, the first from the lane's turn on."""
    outlets, v = m.size[at.OUTLETS], m.size[at.VCS]
    first, stop = row[at.WANT], row[at.WANT] + 1
    if row[at.WANT] == at.TO_PROCESSOR:
        first = m.size[at.LINK_OUTPUTS] * v
        stop = outlets - v
    elif row[at.WANT] == at.TO_UNIT:
        first, stop = outlets - v, outlets
    wormhole = m.size[at.NEED_EMPTY] == 0 and m.size[at.CUT_THROUGH] == 0
    best, rank = -1, outlets
    for o in range(first, stop):
        out = m.outlet[r * outlets + o]
        turn = (o - m.lane[b, at.TURN]) % outlets
        if out[at.HELD] != 0 or turn >= rank:
            continue
        if wormhole or has_room(m, out[at.TO], out[at.WRITE], need(m, m.lane[b, at.LENGTH]), t):
            best, rank = o, turn
    return best


@jit(inline="always")
def allocate_vcs(m, r, t):
    """Give free outlets to waiting branches: of several lanes that ask for one, the first from its turn on."""
    lanes, outlets, most = m.size[at.LANES], m.size[at.OUTLETS], m.size[at.MOST_WAYS]
    asking = 0
    for b in range(r * lanes, (r + 1) * lanes):
        for i in range(b * most, b * most + m.lane[b, at.WAYS]):
            m.way[i, at.BID] = 0
            if m.way[i, at.OUTLET] < 0 and m.way[i, at.READY] <= t:
                o = choose(m, r, b, m.way[i], t)
                if o >= 0:
                    if asking == 0:
                        m.asked[:] = -1
                    asking += 1
                    turn, other = m.outlet[r * outlets + o, at.NEXT_LANE], m.asked[o]
                    mine = (b - r * lanes - turn) % lanes
                    if other < 0 or mine < (other // most - r * lanes - turn) % lanes:
                        m.asked[o] = i
    if asking == 0:
        return
    for o in range(outlets):
        i = m.asked[o]
        if i >= 0:
            b = i // most
            out = m.outlet[r * outlets + o]
            out[at.HELD], out[at.NEXT_LANE] = 1, (b - r * lanes + 1) % lanes
            m.lane[b, at.TURN] = (o + 1) % outlets
            m.way[i, at.OUTLET], m.way[i, at.READY] = o, t + m.size[at.VA]
            record(m, t, EVENT_VC, m.way[i, at.CODE], 0, r, o)


@jit(inline="always")
def bid(m, r, t):
    """Mark the branches that can send a flit now; returns how many."""
    lanes, most, buffer = m.size[at.LANES], m.size[at.MOST_WAYS], m.size[at.BUFFER]
    bids = 0
    for b in range(r * lanes, (r + 1) * lanes):
        lane = m.lane[b]
        for i in range(b * most, b * most + lane[at.WAYS]):
            row = m.way[i]
            ahead = row[at.TAKEN] - lane[at.FREED]
            if row[at.OUTLET] < 0 or row[at.READY] > t or ahead >= buffer:
                continue
            flit = m.slot[b, (lane[at.READ] + ahead) % buffer]
            out = m.outlet[r * m.size[at.OUTLETS] + row[at.OUTLET]]
            if FLIT <= flit <= FLIT + t and m.slot[out[at.TO], out[at.WRITE]] <= t:
                row[at.BID] = at.BIDS
                bids += 1
    return bids


@jit(inline="always")
def choose_flits(m, r):
    """Input side of the switch: one flit an input port, for all branches of its lane that want that flit."""
    v, inputs, outputs = m.size[at.VCS], m.size[at.INPUTS], m.size[at.OUTPUTS]
    lanes, most = m.size[at.LANES], m.size[at.MOST_WAYS]
    for p in range(inputs):
        first = r * lanes + p * v
        best, rank = -1, outputs * v
        for b in range(first, first + v):
            for i in range(b * most, b * most + m.lane[b, at.WAYS]):
                if m.way[i, at.BID] == at.BIDS:
                    turn = (m.way[i, at.OUTLET] // v - m.turn[r, p]) % outputs
                    mine = turn * v + (b - first - m.turn[r, inputs + p]) % v
                    if mine < rank:
                        best, rank = i, mine
        if best >= 0:
            b = best // most
            for i in range(b * most, b * most + m.lane[b, at.WAYS]):
                if m.way[i, at.BID] == at.BIDS and m.way[i, at.TAKEN] == m.way[best, at.TAKEN]:
                    m.way[i, at.BID] = at.MOVES


@jit(inline="always")
def allocate_switch(m, r):
    """Output side: one input an output port; the branches that move are then in `best`."""
    v, inputs = m.size[at.VCS], m.size[at.INPUTS]
    lanes, most = m.size[at.LANES], m.size[at.MOST_WAYS]
    m.best[:] = -1
    for b in range(r * lanes, (r + 1) * lanes):
        p = (b - r * lanes) // v
        for i in range(b * most, b * most + m.lane[b, at.WAYS]):
            if m.way[i, at.BID] == at.MOVES:
                q = m.way[i, at.OUTLET] // v
                turn, other = m.turn[r, 2 * inputs + q], m.best[q]
                if other < 0 or (p - turn) % inputs < ((other // most - r * lanes) // v - turn) % inputs:
                    m.best[q] = i


@jit
def traverse(m, r, b, i, t):
    """Send the next flit of branch i; free the front of the lane when every branch has taken it."""
    lane, row, buffer = m.lane[b], m.way[i], m.size[at.BUFFER]
    most, o = m.size[at.MOST_WAYS], row[at.OUTLET]
    out = m.outlet[r * m.size[at.OUTLETS] + o]
    to, write, cycle, index = out[at.TO], out[at.WRITE], t + out[at.DELAY], row[at.TAKEN]
    out[at.WRITE] = (write + 1) % buffer
    row[at.TAKEN] += 1
    tail = row[at.TAKEN] == lane[at.LENGTH]
    record(m, t, EVENT_SWITCH, row[at.CODE], index, r, o)
    if o < m.size[at.LINK_OUTPUTS] * m.size[at.VCS]:
        m.slot[to, write] = FLIT + cycle
        if index == 0:
            m.head[to, write] = row[at.CODE]
        m.inside[out[at.TO_ROUTER]] += 1
        m.counter[at.INSIDE] += 1
        m.counter[at.LINK_FLITS] += 1
        m.counter[at.ACK_LINK_FLITS] += row[at.CODE] % 8 > 0
    else:
        m.slot[to, write] = cycle + 1 + m.size[at.TERMINAL_LINK] + m.size[at.CREDIT_DELAY]
        record(m, cycle, EVENT_ARRIVE, row[at.CODE], index, r, o)
        if tail:
            accept(m, r, row[at.CODE], o >= m.size[at.OUTLETS] - m.size[at.VCS], cycle)
    if tail:
        out[at.HELD], row[at.OUTLET], row[at.READY] = 0, -1, at.NEVER
    least = lane[at.LENGTH]
    for k in range(b * most, b * most + lane[at.WAYS]):
        least = min(least, m.way[k, at.TAKEN])
    if least > lane[at.FREED]:
        m.slot[b, lane[at.READ]] = t + lane[at.CREDIT]
        lane[at.READ] = (lane[at.READ] + 1) % buffer
        lane[at.FREED] += 1
        m.inside[r] -= 1
        m.counter[at.INSIDE] -= 1
    if least == lane[at.LENGTH]:
        lane[at.BUSY], lane[at.WAYS], lane[at.WHEN] = 0, 0, t + m.size[at.SA]


@jit(inline="always")
def sends(m, r, port, t):
    """Whether an injection port has a packet, or its endpoint one to begin."""
    unit = port == m.size[at.INJECTION_PORTS]
    end = 2 * r + unit
    if m.injector[r * (m.size[at.INJECTION_PORTS] + 1) + port, at.I_CODE] >= 0 or m.endpoint[end, at.FIRST] >= 0:
        return True
    k = m.endpoint[end, at.PENDING]
    return k < m.endpoint[end, at.PENDING_END] and m.message[m.pending[k], at.CREATED] <= t


@jit
def step(m, r, t):
    """Router r in cycle t: route computation, virtual-channel allocation, switch allocation, traversal."""
    lanes, v, inputs = m.size[at.LANES], m.size[at.VCS], m.size[at.INPUTS]
    for b in range(r * lanes, (r + 1) * lanes):
        front = m.slot[b, m.lane[b, at.READ]]
        if m.lane[b, at.BUSY] == 0 and m.lane[b, at.WHEN] <= t and FLIT <= front <= FLIT + t:
            route(m, r, b, t)
    allocate_vcs(m, r, t)
    if bid(m, r, t) == 0:
        return
    m.counter[at.MOVED] = t
    choose_flits(m, r)
    allocate_switch(m, r)
    for b in range(r * lanes, (r + 1) * lanes):
        p, first = (b - r * lanes) // v, b * m.size[at.MOST_WAYS]
        for i in range(first, first + m.lane[b, at.WAYS]):
            o = m.way[i, at.OUTLET]
            if m.way[i, at.BID] == at.MOVES and o >= 0 and m.best[o // v] == i:
                m.turn[r, p] = (o // v + 1) % m.size[at.OUTPUTS]
                m.turn[r, inputs + p] = (b - r * lanes + 1) % v
                m.turn[r, 2 * inputs + o // v] = (p + 1) % inputs
                traverse(m, r, b, i, t)


@jit(inline="always")
def lend(m):
    """The tables with borrowed arrays, which helpers take without counting references."""
    return at.Tables(
        borrow(m.size), borrow(m.lane), borrow(m.way), borrow(m.slot), borrow(m.head), borrow(m.outlet),
        borrow(m.injector), borrow(m.entry), borrow(m.turn), borrow(m.best), borrow(m.asked), borrow(m.inside),
        borrow(m.used), borrow(m.endpoint), borrow(m.pending), borrow(m.place), borrow(m.message), borrow(m.tally),
        borrow(m.event), borrow(m.counter),
    )  # fmt: skip


@jit
def run(tables, first, last, patience):
    """Simulate cycles first..last-1; returns the cycle reached: earlier when all is done, or nothing moved so long."""
    m = lend(tables)
    routers, ports = m.size[at.ROUTERS], m.size[at.INJECTION_PORTS]
    for t in range(first, last):
        for r in range(routers):
            for port in range(ports + 1):
                if sends(m, r, port, t):
                    send(m, r, port, t)
        for r in range(routers):
            if m.inside[r] > 0:
                step(m, r, t)
        if m.counter[at.OPEN] == 0 or (m.counter[at.INSIDE] > 0 and t - m.counter[at.MOVED] > patience):
            return t + 1
    return last
