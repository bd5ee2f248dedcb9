"""The cycle: sources send, then every router with flits goes through its pipeline once.

What a router does shows in other routers in later cycles only, because a slot says from when it may be read; so the
order of routers does not matter. `run` is the simulator's only entry into compiled code; the twin is
`reference.Simulation.run`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as at
from jumpnet.sim._bits import bit, lowest
from jumpnet.sim._inject import inject
from jumpnet.sim._memory import inlined, kernel, memory_at
from jumpnet.sim._route import route
from jumpnet.sim._switch_allocation import allocate_switch, move_turns
from jumpnet.sim._traverse import traverse
from jumpnet.sim._vc_allocation import choose_outlet, grant_outlets

__all__ = ["run"]


@inlined
def has_credit(m, r, o, t):
    """Whether the next slot behind outlet o of router r is free for use."""
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    return m.lane[m.outlet[outlet + at.TO] + at.LANE_FIELDS + m.outlet[outlet + at.WRITE]] <= t


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
def look(m, r, t):
    """Route new heads, and list what router r's lanes ask for: (bids for the switch, heads that ask for an outlet)."""
    bids, asking = 0, 0
    for w in range(m.lane_words):
        word = m.occupied[r * m.lane_words + w]
        while word != 0:
            b = w * 32 + lowest(word)
            word &= word - 1
            row = (r * m.lanes + b) * m.lane_stride
            if m.lane[row + at.WHEN] > t:
                continue
            o = m.lane[row + at.OUTLET]
            if o == at.WAITING:
                wanted = choose_outlet(m, r, b, t)
                if wanted >= 0:
                    m.work[2 * asking] = b
                    m.work[2 * asking + 1] = wanted
                    asking += 1
                continue
            front = m.lane[row + at.LANE_FIELDS + m.lane[row + at.READ]]
            if front < at.FLIT or front > at.FLIT + t:
                continue
            if o >= 0:
                if has_credit(m, r, o, t):
                    bid(m, bids, r, b, o, False)
                    bids += 1
                continue
            route(m, r, b)
            m.lane[row + at.OUTLET] = at.WAITING
            m.lane[row + at.WHEN] = t + m.rd
            if m.rd == 0:
                wanted = choose_outlet(m, r, b, t)
                if wanted >= 0:
                    m.work[2 * asking] = b
                    m.work[2 * asking + 1] = wanted
                    asking += 1
    return bids, asking


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
def apart(m, part, bids):
    """Whether no two bids meet at an input or an output port, so that all are granted (32 ports are told apart)."""
    inputs, outputs = 0, 0
    for k in range(bids):
        p = bit(m.port_of[m.work[at.BID_LANE * part + k]])
        q = bit(m.port_of[m.work[at.BID_OUTLET * part + k]])
        if inputs & p != 0 or outputs & q != 0:
            return False
        inputs |= p
        outputs |= q
    return True


@inlined
def step(m, r, t):
    """Router r in cycle t: route computation, virtual-channel allocation, switch allocation, traversal."""
    part = m.part
    bids, asking = look(m, r, t)
    if asking > 0:
        grant_outlets(m, r, asking, t)
        if m.va == 0:
            bids = bid_at_once(m, r, bids, asking, t)
            in_order_of_lanes(m, bids)
    if bids == 0:
        return
    m.counter[at.C_MOVED] = t
    if m.speculation == 0 and apart(m, part, bids):
        for k in range(bids):
            move_turns(m, part, r * m.turn_row, k)
            traverse(m, r, m.work[at.BID_LANE * part + k], m.work[at.BID_OUTLET * part + k], t)
    else:
        grants = allocate_switch(m, r, bids)
        for i in range(grants):
            k = m.work[at.GRANT * part + i]
            b, o = m.work[at.BID_LANE * part + k], m.work[at.BID_OUTLET * part + k]
            if m.speculation == 1 and m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET] != o:
                m.counter[at.C_WASTED] += 1
                continue
            traverse(m, r, b, o, t)


@kernel
def run(address, first, last, room_packets, room_events):
    """Simulate cycles first..last-1; returns the cycle reached.

    Stops early when fewer than `room_packets` rows of the packet table or `room_events` of the event record are left
    (what one cycle may need), or when counter C_ERROR is set.
    """
    m = memory_at(address)
    for t in range(first, last):
        full = m.packet_rows - m.counter[at.C_PACKETS] < room_packets
        if full or (m.event_rows > 0 and m.event_rows - m.counter[at.C_EVENTS] < room_events):
            return t
        inject(m, t)
        for w in range(m.active_words):
            word = m.active[w]
            while word != 0:
                r = w * 32 + lowest(word)
                word &= word - 1
                step(m, r, t)
                left = 0
                for k in range(m.lane_words):
                    left |= m.occupied[r * m.lane_words + k]
                if left == 0:
                    m.active[w] &= ~bit(r)
        if m.counter[at.C_ERROR] != 0:
            return t + 1
    return last
