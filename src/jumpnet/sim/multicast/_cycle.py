"""Kernel of the multicast simulator: routers whose packets branch, cycle by cycle.

The same pipeline and slots as the simulator for single destinations (`sim._cycle`), which it leaves alone: a run
without multicast pays nothing. Trees are read from tables. Its twin is `reference.MulticastSimulation`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as unicast
from jumpnet.sim._bits import bit, lowest
from jumpnet.sim._layout import EVENT_ARRIVE, EVENT_ENTER, EVENT_SWITCH, EVENT_VC, FLIT
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._choose import choose, find_route, need, settle_state
from jumpnet.sim.multicast._ends import (
    accept,
    counting_sink,
    drops,
    entry_vc,
    length_of,
    message_of,
    place_of,
    sleep,
    take,
    tally_of,
)
from jumpnet.sim.multicast._memory import inlined, kernel, memory_at
from jumpnet.sim.multicast._switch import allocate_switch

__all__ = ["run"]


@inlined
def record(m, cycle, kind, code, flit, router, where):
    """Append an event if events are recorded."""
    n = m.counter[at.EVENTS]
    if n < m.event_rows:
        row = 8 * n
        m.event[row], m.event[row + 1] = cycle, kind
        m.event[row + 2] = message_of(code) // at.MESSAGE_FIELDS
        m.event[row + 3] = place_of(m, code) // m.place_fields
        m.event[row + 4], m.event[row + 5], m.event[row + 6], m.event[row + 7] = code & 7, flit, router, where
        m.counter[at.EVENTS] = n + 1


@inlined
def wake(m, r, b):
    """Lane b of router r has a flit, or one is on its way."""
    m.occupied[r * m.lane_words + (b >> 5)] |= bit(b)
    m.active[r >> 5] |= bit(r)
    m.counter[at.INSIDE] += 1


@kernel
def send(m, end, unit, j, t):
    """One flit by port j of an endpoint (row); False when it has nothing to send."""
    row = (m.endpoint[end + at.E_INJECTOR] + j) * at.INJECTOR_FIELDS
    r, port = m.endpoint[end + at.E_ROUTER], m.endpoint[end + at.E_PORT] + j
    if m.injector[row + at.I_CODE] < 0:
        code = take(m, end, unit, t)
        if code < 0:
            return False
        m.injector[row + at.I_CODE], m.injector[row + at.I_INDEX], m.injector[row + at.I_VC] = code, 0, -1
        m.injector[row + at.I_LENGTH] = length_of(m, code)
    first = r * m.lanes + port * m.vcs
    v = m.injector[row + at.I_VC]
    if v < 0:
        v = entry_vc(m, row, first, need(m, m.injector[row + at.I_LENGTH]), t)
        if v < 0:
            return True
    lane = first + v
    write = m.entry[lane]
    place = lane * m.buffer + write
    if m.slot[place] > t:
        return True
    index, code = m.injector[row + at.I_INDEX], m.injector[row + at.I_CODE]
    if index == 0:
        m.injector[row + at.I_VC] = m.injector[row + at.I_LAST_VC] = v
        m.head[place] = code
    m.slot[place] = FLIT + t + 1 + m.terminal_link
    m.entry[lane] = write + 1 if write + 1 < m.buffer else 0
    wake(m, r, lane - r * m.lanes)
    m.counter[at.MOVED] = t
    record(m, t, EVENT_ENTER, code, index, r, lane - r * m.lanes)
    m.injector[row + at.I_INDEX] = index + 1
    if index + 1 == m.injector[row + at.I_LENGTH]:
        m.injector[row + at.I_CODE] = -1
    return True


@inlined
def add_way(m, lane, want, code, t):
    """One more branch of the packet at the front of a lane."""
    state = lane * at.LANE_FIELDS
    row = (lane * m.most_ways + m.lane[state + at.WAYS]) * at.WAY_FIELDS
    m.way[row + at.WANT], m.way[row + at.CODE], m.way[row + at.READY] = want, code, t + m.rd
    m.way[row + at.OUTLET], m.way[row + at.TAKEN] = -1, 0
    m.lane[state + at.WAYS] += 1


@kernel
def register(m, r, message, place, ways):
    """Count the acknowledges of a place in the combining unit if it has an entry, else in a terminal."""
    tally = tally_of(m, message, place)
    m.tally[tally + at.LEFT] = ways
    if m.used[r] < m.entries:
        m.used[r] += 1
        m.tally[tally + at.IN_UNIT] = 1
    else:
        m.counter[at.FALLBACKS] += 1


@kernel
def branch(m, r, lane, code, message, place, t):
    """List the branches of a message, or of an acknowledge that goes all the way."""
    sinks = m.place[place + at.SINKS]
    first, branches = m.place[place + at.BRANCH], m.place[place + at.BRANCHES]
    here = place // m.place_fields
    for child in range(first, first + branches):
        row = child * m.place_fields
        want = m.place[row + at.PORT] * m.vcs + m.place[row + at.VC]
        add_way(m, lane, want, code + 8 * (child - here), t)
    for x in range(m.spread):
        if sinks >> x & 1:
            add_way(m, lane, at.TO_SINK - x, code, t)
    ways = m.lane[lane * at.LANE_FIELDS + at.WAYS]
    if code & 7 == 0 and ways > (branches == 0) and m.message[message + at.ACK] == 2:
        register(m, r, message, place, ways)


@kernel
def route(m, r, lane, t):
    """List the branches of the packet whose head is at the front of a lane."""
    state = lane * at.LANE_FIELDS
    code = m.head[lane * m.buffer + m.lane[state + at.READ]]
    message, place, kind = message_of(code), place_of(m, code), code & 7
    m.lane[state + at.BUSY], m.lane[state + at.WAYS], m.lane[state + at.FREED] = 1, 0, 0
    m.lane[state + at.LENGTH], m.lane[state + at.AGE] = length_of(m, code), m.message[message + at.CREATED]
    if kind == 0 and m.message[message + at.START] < 0:
        if find_route(m, r, lane, message):
            add_way(m, lane, at.BY_ROUTING, code, t)
    elif kind == 0 or kind == 4:
        branch(m, r, lane, code, message, place, t)
    elif kind == 1 and m.place[place + at.ROUTER] == r:
        add_way(m, lane, m.place[place + at.BACK] * m.vcs + m.vcs - 1, code, t)
    else:
        target = m.place[place + at.PARENT] * m.place_fields if kind == 1 else place
        counted = kind != 3 and m.tally[tally_of(m, message, target) + at.IN_UNIT] == 1
        add_way(m, lane, at.TO_UNIT if counted else at.TO_SINK - counting_sink(m, message, target), code, t)


@inlined
def can_send(m, r, lane, way, t):
    """Whether a way with an outlet can send its next flit now."""
    ahead = m.way[way + at.TAKEN] - m.lane[lane * at.LANE_FIELDS + at.FREED]
    if m.way[way + at.READY] > t or ahead >= m.buffer:
        return False
    place = m.lane[lane * at.LANE_FIELDS + at.READ] + ahead
    flit = m.slot[lane * m.buffer + (place if place < m.buffer else place - m.buffer)]
    out = (r * m.outlets + m.way[way + at.OUTLET]) * at.OUTLET_FIELDS
    return FLIT <= flit <= FLIT + t and m.slot[m.outlet[out + at.TO] * m.buffer + m.outlet[out + at.WRITE]] <= t


@kernel
def bid(m, n, r, b, way):
    """Insert the bid of a way of lane b for the switch among n others: ascending by lane and outlet."""
    o, k = m.way[way + at.OUTLET], n
    while k > 0:
        lane, outlet = m.work[unicast.BID_LANE * m.part + k - 1], m.work[unicast.BID_OUTLET * m.part + k - 1]
        if lane < b or (lane == b and outlet < o):
            break
        for field in (unicast.BID_LANE, unicast.BID_OUTLET, unicast.BID_CLASS, at.BID_WAY):
            m.work[field * m.part + k] = m.work[field * m.part + k - 1]
        k -= 1
    m.work[unicast.BID_LANE * m.part + k], m.work[unicast.BID_OUTLET * m.part + k] = b, o
    m.work[at.BID_WAY * m.part + k] = way
    if m.ranked == 1:
        m.work[unicast.BID_CLASS * m.part + k] = m.lane[(r * m.lanes + b) * at.LANE_FIELDS + at.AGE] * unicast.AGE_UNIT


@kernel
def look_at(m, r, b, asking, bids, t):
    """Route the head of lane b, list what its ways ask for and bid for: how many heads ask, how many ways bid."""
    lane = r * m.lanes + b
    state = lane * at.LANE_FIELDS
    if m.lane[state + at.BUSY] == 0:
        front = m.slot[lane * m.buffer + m.lane[state + at.READ]]
        if front < FLIT:
            m.occupied[r * m.lane_words + (b >> 5)] &= ~bit(b)
            return asking, bids
        if front > FLIT + t or m.lane[state + at.WHEN] > t:
            return asking, bids
        route(m, r, lane, t)
    first = lane * m.most_ways * at.WAY_FIELDS
    for way in range(first, first + m.lane[state + at.WAYS] * at.WAY_FIELDS, at.WAY_FIELDS):
        if m.way[way + at.OUTLET] >= 0:
            if can_send(m, r, lane, way, t):
                bid(m, bids, r, b, way)
                bids += 1
        elif m.way[way + at.READY] <= t:
            o = choose(m, r, lane, way, t)
            if o >= 0:
                m.work[2 * asking], m.work[2 * asking + 1] = way, o
                asking += 1
    return asking, bids


@inlined
def lane_of_way(m, way):
    """Lane that a way (row) belongs to."""
    return way // (m.most_ways * at.WAY_FIELDS)


@kernel
def rank(m, r, way, o):
    """Rank of a way that asks for outlet o: lowest goes first."""
    lane = lane_of_way(m, way)
    mine = (lane - r * m.lanes - m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.NEXT_LANE]) % m.lanes
    return mine + m.lane[lane * at.LANE_FIELDS + at.AGE] * unicast.AGE_UNIT if m.ranked == 1 else mine


@kernel
def grant_outlets(m, r, asking, bids, t):
    """Give outlets to waiting ways, each to the one of lowest rank; returns how many ways bid for the switch then."""
    for k in range(asking):
        way, o = m.work[2 * k], m.work[2 * k + 1]
        for other in range(asking):
            rival = m.work[2 * other + 1]
            if other != k and (rival == o or rival == -1 - o):
                mine, theirs = rank(m, r, way, o), rank(m, r, m.work[2 * other], o)
                if theirs < mine or (theirs == mine and other < k):
                    m.work[2 * k + 1] = -1 - o
    for k in range(asking):
        way, o = m.work[2 * k], m.work[2 * k + 1]
        if o < 0:
            continue
        lane, out = lane_of_way(m, way), (r * m.outlets + o) * at.OUTLET_FIELDS
        b = lane - r * m.lanes
        m.outlet[out + at.HELD], m.outlet[out + at.NEXT_LANE] = 1, (b + 1) % m.lanes
        m.lane[lane * at.LANE_FIELDS + at.TURN] = (o + 1) % m.outlets
        m.way[way + at.OUTLET], m.way[way + at.READY] = o, t + m.va
        if m.way[way + at.WANT] == at.BY_ROUTING:
            settle_state(m, r, message_of(m.way[way + at.CODE]), o)
        record(m, t, EVENT_VC, m.way[way + at.CODE], 0, r, o)
        if m.va == 0 and can_send(m, r, lane, way, t):
            bid(m, bids, r, b, way)
            bids += 1
    return bids


@kernel
def free_front(m, lane, t):
    """Free the slots that every way has read, and the lane when they are through."""
    state, first = lane * at.LANE_FIELDS, lane * m.most_ways * at.WAY_FIELDS
    least = m.lane[state + at.LENGTH]
    for way in range(first, first + m.lane[state + at.WAYS] * at.WAY_FIELDS, at.WAY_FIELDS):
        least = min(least, m.way[way + at.TAKEN])
    if least > m.lane[state + at.FREED]:
        read = m.lane[state + at.READ]
        m.slot[lane * m.buffer + read] = t + m.lane[state + at.CREDIT]
        m.lane[state + at.READ] = read + 1 if read + 1 < m.buffer else 0
        m.lane[state + at.FREED] += 1
        m.counter[at.INSIDE] -= 1
    if least == m.lane[state + at.LENGTH]:
        m.lane[state + at.BUSY], m.lane[state + at.WAYS], m.lane[state + at.WHEN] = 0, 0, t + m.sa


@kernel
def traverse(m, r, lane, way, t):
    """Send the next flit of a way, and free the front of its lane when it was the last to take it."""
    o, code, index = m.way[way + at.OUTLET], m.way[way + at.CODE], m.way[way + at.TAKEN]
    out = (r * m.outlets + o) * at.OUTLET_FIELDS
    write, cycle = m.outlet[out + at.WRITE], t + m.outlet[out + at.DELAY]
    place = m.outlet[out + at.TO] * m.buffer + write
    m.outlet[out + at.WRITE] = write + 1 if write + 1 < m.buffer else 0
    m.outlet[out + at.COUNT] += 1
    m.way[way + at.TAKEN] = index + 1
    m.counter[at.FLIT_HOPS] += 1
    tail = index + 1 == m.lane[lane * at.LANE_FIELDS + at.LENGTH]
    record(m, t, EVENT_SWITCH, code, index, r, o)
    if o < m.link_outputs * m.vcs:
        m.slot[place] = FLIT + cycle
        if index == 0:
            m.head[place] = code
        wake(m, m.outlet[out + at.TO_ROUTER], m.outlet[out + at.TO_LANE])
        m.counter[at.LINK_FLITS] += 1
        m.counter[at.ACK_LINK_FLITS] += code & 7 > 0
    else:
        m.slot[place] = cycle + 1 + m.terminal_link + m.credit
        record(m, cycle, EVENT_ARRIVE, code, index, r, o)
        m.counter[at.ARRIVED] += code & 7 == 0 and not drops(m, message_of(code), place_of(m, code))
        if tail:
            x = (o // m.vcs - m.link_outputs) // m.ejection_ports
            accept(m, r, code, -1 if o >= m.outlets - m.vcs else x, cycle)
    if tail:
        m.outlet[out + at.HELD], m.way[way + at.OUTLET], m.way[way + at.READY] = 0, -1, at.NEVER
    free_front(m, lane, t)


@kernel
def step(m, r, t):
    """Router r in cycle t: route computation, virtual-channel allocation, switch allocation, traversal."""
    asking, bids, left = 0, 0, 0
    for w in range(m.lane_words):
        word = m.occupied[r * m.lane_words + w]
        while word != 0:
            b = w * 32 + lowest(word)
            word &= word - 1
            asking, bids = look_at(m, r, b, asking, bids, t)
        left |= m.occupied[r * m.lane_words + w]
    if left == 0:
        m.active[r >> 5] &= ~bit(r)
    if asking > 0:
        bids = grant_outlets(m, r, asking, bids, t)
    if bids == 0:
        return
    m.counter[at.MOVED] = t
    grants = allocate_switch(m, r, bids)
    for i in range(grants):
        k = m.work[unicast.GRANT * m.part + i]
        lane = r * m.lanes + m.work[unicast.BID_LANE * m.part + k]
        traverse(m, r, lane, m.work[at.BID_WAY * m.part + k], t)


@kernel
def inject(m, t):
    """The sources' part of cycle t: every endpoint with something to send sends what its ports can take."""
    for e in range(m.endpoints):
        end = e * at.ENDPOINT_FIELDS
        if m.endpoint[end + at.WAKE] > t:
            continue
        busy = False
        for j in range(m.endpoint[end + at.E_PORTS]):
            busy |= send(m, end, e >= m.terminals, j, t)
        if not busy:
            sleep(m, end, t)


@kernel
def run(address, first, last, patience):
    """Simulate cycles first..last-1; returns the cycle reached: earlier when all is done, or nothing moved so long."""
    m = memory_at(address)
    for t in range(first, last):
        inject(m, t)
        for w in range(m.active_words):
            word = m.active[w]
            while word != 0:
                r = w * 32 + lowest(word)
                word &= word - 1
                step(m, r, t)
        if (
            m.counter[at.OPEN] == 0
            or m.counter[at.ERROR] != 0
            or (m.counter[at.INSIDE] > 0 and t - m.counter[at.MOVED] > patience)
        ):
            return t + 1
    return last
