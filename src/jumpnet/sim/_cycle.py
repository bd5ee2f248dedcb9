"""The cycle: sources send, then every router with flits goes through its pipeline once.

What a router does shows in other routers in later cycles only, because a slot says from when it may be read; so the
order of routers does not matter. `run` is the simulator's only entry into compiled code; the twin is
`reference.Simulation.run`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as at
from jumpnet.sim._bits import bit, lowest, not_after, prefetch
from jumpnet.sim._inject import inject
from jumpnet.sim._memory import inlined, kernel, memory_at
from jumpnet.sim._route import route
from jumpnet.sim._switch_allocation import allocate_switch, move_turns
from jumpnet.sim._team import agree, meet
from jumpnet.sim._traverse import traverse
from jumpnet.sim._vc_allocation import choose_outlet, grant_outlets

__all__ = ["run"]

MANY_ROUTERS = 1024
"""From here on the rows do not fit the caches near the core, and it pays to ask for them before they are needed."""


@inlined
def next_slot(m, r, o):
    """The slot of the next flit that goes through outlet o of router r: (place in `lane`, row of that lane)."""
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    to = m.outlet[outlet + at.TO]
    return to + at.LANE_FIELDS + m.outlet[outlet + at.WRITE], to


@inlined
def has_credit(m, r, o, t):
    """Whether the next slot behind outlet o of router r is free for use."""
    place, _ = next_slot(m, r, o)
    return m.lane[place] <= t


@inlined
def held_up(m, r, b, o, row, t):
    """Whether lane b has no credit yet, or no leave to look at a head; its next look is then set."""
    cycle = m.lane[row + at.WHEN]
    if o >= 0:
        place, to = next_slot(m, r, o)
        cycle = m.lane[place]
        m.lane[row + at.WHEN] = cycle
        if cycle >= at.FLIT:
            cycle = max(t, cycle - at.FLIT) + m.lane[to + at.CREDIT]
    if cycle > t:
        m.due[r * m.cells + b] = cycle
    return cycle > t


@inlined
def bid(m, n, r, b, o, later):
    """Append a bid of lane b for the switch."""
    part = m.part
    m.work[at.BID_LANE * part + n] = b
    m.work[at.BID_OUTLET * part + n] = o
    if m.ranked == 1:
        rank = at.LATER if later else 0
        if m.allocator == at.AGE:
            rank += m.packet[m.lane[(r * m.lanes + b) * m.lane_stride + at.PACKET] + at.CREATED] * at.AGE_UNIT
        m.work[at.BID_CLASS * part + n] = rank


@inlined
def ask(m, n, r, b, t):
    """Append what the head of lane b asks for; without a free outlet that it may take, it is not due before one is."""
    wanted = choose_outlet(m, r, b, t)
    if wanted >= 0:
        m.work[2 * n] = b
        m.work[2 * n + 1] = wanted
        return n + 1
    if wanted == at.NONE_FREE:
        m.due[r * m.cells + b] = at.NO_OUTLET
    return n


@inlined
def look(m, n, r, t):
    """Route new heads, and list what router r's lanes ask for.

    Returns how many bid for the switch, whether two bids may meet at a port (32 ports are told apart), and how many
    heads ask for an outlet.
    """
    bids, asking, ports, clash = 0, 0, 0, 0
    for group in range(m.groups):
        word = m.at_work[n * m.at_work_width + at.WORK_LANES + group]
        while word != 0:
            b = group * at.CELLS + lowest(word)
            word &= word - 1
            row = (r * m.lanes + b) * m.lane_stride
            o = m.lane[row + at.OUTLET]
            if m.lane[row + at.WHEN] > t and held_up(m, r, b, o, row, t):
                continue
            if o >= 0:
                bid(m, bids, r, b, o, False)
                bids += 1
                both = bit(m.port_of[b]) | bit(m.port_of[o]) << 32
                clash |= ports & both
                ports |= both
                continue
            if o == at.IDLE:
                route(m, r, b)
                m.lane[row + at.OUTLET] = at.WAITING
                m.due[r * m.cells + b] = t + m.rd
                if m.rd > 0:
                    continue
            asking = ask(m, asking, r, b, t)
    return bids, clash != 0, asking


@kernel
def bid_at_once(m, r, bids, asking, t):
    """Bids in the cycle of virtual-channel allocation (va = 0): of winners, and of losers that had speculated."""
    for k in range(asking):
        b, o = m.work[2 * k], m.work[2 * k + 1]
        if o >= 0:
            if has_credit(m, r, o, t):
                bid(m, bids, r, b, o, m.speculation == 1)
                bids += 1
        elif m.speculation == 1:
            bid(m, bids, r, b, -1 - o, True)
            bids += 1
    return bids


@kernel
def in_order_of_lanes(m, bids):
    """Sort bids by lane (insertion sort: two sorted runs)."""
    part = m.part
    for k in range(1, bids):
        i = k
        while i > 0 and m.work[at.BID_LANE * part + i - 1] > m.work[at.BID_LANE * part + i]:
            for field in (at.BID_LANE, at.BID_OUTLET, at.BID_CLASS):
                one, two = field * part + i - 1, field * part + i
                m.work[one], m.work[two] = m.work[two], m.work[one]
            i -= 1


@inlined
def step(m, n, t):
    """The n-th router at work in cycle t: route computation, vc allocation, switch allocation, traversal."""
    r, b = m.at_work[n * m.at_work_width + at.WORK_ROUTER], m.at_work[n * m.at_work_width + at.WORK_ALONE]
    if b >= 0:
        row = (r * m.lanes + b) * m.lane_stride
        o = m.lane[row + at.OUTLET]
        if o >= 0 and m.lane[row + at.WHEN] <= t:
            move_turns(m, r, b, o)
            traverse(m, r, b, o, t)
            return
    bids, clash, asking = look(m, n, r, t)
    if asking > 0:
        grant_outlets(m, r, asking, t)
        if m.va == 0:
            bids, clash = bid_at_once(m, r, bids, asking, t), True
            in_order_of_lanes(m, bids)
    if bids == 0:
        return
    grants = bids
    if clash or m.speculation == 1:
        grants = allocate_switch(m, r, bids)
    for i in range(grants):
        k = m.work[at.GRANT * m.part + i] if clash or m.speculation == 1 else i
        b, o = m.work[at.BID_LANE * m.part + k], m.work[at.BID_OUTLET * m.part + k]
        if not clash and m.speculation == 0:
            move_turns(m, r, b, o)
        if m.speculation == 1 and m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET] != o:
            m.counter[at.C_WASTED] += 1
            continue
        traverse(m, r, b, o, t)


@inlined
def gather(m, w, t):
    """List the routers of word w of `active` that have a lane due in cycle t; the others may go to rest."""
    n = 0
    word = m.active[w]
    while word != 0:
        r = w * 32 + lowest(word)
        word &= word - 1
        place = n * m.at_work_width
        alone, lane, found, left = -1, 0, 0, 0
        for group in range(m.groups):
            first = r * m.cells + group * at.CELLS
            due = not_after(m.due, first, t)
            left |= not_after(m.due, first, at.NO_OUTLET - 1)
            m.at_work[place + at.WORK_LANES + group] = due
            b = group * at.CELLS + lowest(due | 1 << 15)
            prefetch(m.lane, (r * m.lanes + b) * m.lane_stride)
            lane = b if due != 0 else lane
            alone = b if due != 0 and due & (due - 1) == 0 and found == 0 else (alone if due == 0 else -1)
            found |= due
        m.at_work[place + at.WORK_ROUTER] = r
        m.at_work[place + at.WORK_ALONE] = alone
        m.at_work[place + at.WORK_FIRST] = lane
        n += found != 0
        if left == 0:
            m.active[w] &= ~bit(r)
    return n


@inlined
def fetch(m, n):
    """Ask for the rows that a due lane of each of n routers at work will need: its outlet, then the lane behind it."""
    for k in range(n):
        place = k * m.at_work_width
        r, b = m.at_work[place + at.WORK_ROUTER], m.at_work[place + at.WORK_FIRST]
        o = max(0, m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET])
        prefetch(m.outlet, (r * m.outlets + o) * at.OUTLET_FIELDS)
        prefetch(m.turn, r * m.turn_row)
        m.at_work[place + at.WORK_FIRST] = (r * m.outlets + o) * at.OUTLET_FIELDS
    for k in range(n):
        outlet = m.at_work[k * m.at_work_width + at.WORK_FIRST]
        prefetch(m.lane, max(0, m.outlet[outlet + at.TO]))
        prefetch(m.due, max(0, m.outlet[outlet + at.TO_CELL]))


@inlined
def cycle(m, t):
    """Cycle t: sources send, then the routers at work go through their pipelines, 32 neighbours at a time."""
    inject(m, t)
    if m.threads > 1 and m.has_start == 1:
        meet(m)  # sources look at buffers that other threads' routers fill
    for w in range(m.first_router >> 5, (m.end_router + 31) >> 5):
        at_work = gather(m, w, t)
        if m.routers >= MANY_ROUTERS:
            fetch(m, at_work)
        for n in range(at_work):
            step(m, n, t)


@inlined
def must_stop(m, room_packets, room_events):
    """Whether the run has failed, or one more cycle might find no row in the packet table or in the event record."""
    full = m.packet_rows - m.counter[at.C_PACKETS] < room_packets
    told = m.event_rows > 0 and m.event_rows - m.counter[at.C_EVENTS] < room_events
    return full or told or m.counter[at.C_ERROR] != 0


@kernel
def run(address, first, last, room_packets, room_events):
    """Simulate cycles first..last-1; returns the cycle reached.

    Stops early when fewer than `room_packets` rows of the packet table or `room_events` of the event record are left
    (what one cycle may need), or when counter C_ERROR is set. In a team every thread runs this with a record of its
    own, and all stop before the same cycle.
    """
    m = memory_at(address)
    t, stop = first, must_stop(m, room_packets, room_events)
    while t < last and not stop:
        cycle(m, t)
        t += 1
        stop = must_stop(m, room_packets, room_events)
        if m.threads > 1:
            stop = agree(m, stop, t)
    return t
