"""Virtual-channel allocation: every waiting head asks for one free outlet, every outlet goes to one that asks.

Separable, input first, one iteration, round robin on both sides as in BookSim 2: the turn of a side moves on when it
takes part in a grant. Called by `cycle`; the twin is `reference.Router.allocate_vcs`.
"""

from __future__ import annotations

from jumpnet.routing.view import ESCAPE, KIND, PORT, VC
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import bit, lowest
from jumpnet.sim.memory.branches import lane_of, lane_row
from jumpnet.sim.memory.events import record
from jumpnet.sim.memory.record import ask_relation, inlined, kernel
from jumpnet.sim.router.route_computation import settle_state
from jumpnet.sim.terminals.message_ends import planned

__all__ = ["choose_outlet", "grant_outlets"]


@inlined
def takes(m, r, o, flits, t):
    """Whether free outlet o of router r may take a packet of that length now."""
    if m.cut_through == 0 and m.reuse_empty == 0:
        return True
    row = (r * m.outlets + o) * at.OUTLET_FIELDS
    last = m.outlet[row + at.WRITE] + (m.buffer if m.reuse_empty == 1 else flits) - 1
    if last >= m.buffer:
        last -= m.buffer
    return m.lane[m.outlet[row + at.TO] + at.LANE_FIELDS + last] <= t


@kernel
def credits(m, r, o, t):
    """Credits that outlet o of router r has at cycle t."""
    to = m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.TO]
    count = 0
    for k in range(m.buffer):
        if m.lane[to + at.LANE_FIELDS + k] <= t:
            count += 1
    return count


@kernel
def by_turn(m, r, b, part, flits, t):
    """The first free wanted outlet at or after the lane's turn, or -1."""
    lane, turn = r * m.lanes + b, m.lane[lane_row(m, r, b) + at.TURN]
    below = -1
    for w in range(m.outlet_words):
        word = m.wants[lane * m.want_words + part + w] & m.free[r * m.outlet_words + w]
        while word != 0:
            o = w * 32 + lowest(word)
            word &= word - 1
            if (o >= turn or below < 0) and takes(m, r, o, flits, t):
                if o >= turn:
                    return o
                below = o
    return below


@kernel
def by_credits(m, r, lane, part, flits, t):
    """The free wanted outlet with most credits (the lowest of equals), or -1."""
    best, most = -1, -1
    for w in range(m.outlet_words):
        word = m.wants[lane * m.want_words + part + w] & m.free[r * m.outlet_words + w]
        while word != 0:
            o = w * 32 + lowest(word)
            word &= word - 1
            if takes(m, r, o, flits, t):
                have = credits(m, r, o, t)
                if have > most:
                    best, most = o, have
    return best


@kernel
def by_order(m, r, p, lane, kind, flits, t):
    """The first free candidate in the relation's order, or -1; at its destination, or by a plan, the lowest."""
    n = ask_relation(m, r, p) if planned(m, p) == 0 else 0
    c = m.packet[p + at.KIND] & 15
    for k in range(n):
        o = m.query[4 * k + PORT] * m.vcs + c * m.class_vcs + m.query[4 * k + VC]
        is_free = m.free[r * m.outlet_words + (o >> 5)] & bit(o) != 0
        if (m.query[4 * k + KIND] == ESCAPE) == (kind == ESCAPE) and is_free and takes(m, r, o, flits, t):
            return o
    if n == 0:
        for w in range(m.outlet_words):
            word = m.wants[lane * m.want_words + w] & m.free[r * m.outlet_words + w]
            while word != 0:
                o = w * 32 + lowest(word)
                word &= word - 1
                if takes(m, r, o, flits, t):
                    return o
    return -1


@kernel
def choose_outlet(m, r, b, t):
    """The outlet that the waiting head of lane b asks for in cycle t: a normal one, else an escape.

    NONE_FREE when no wanted outlet is free, NONE_TAKES when none of the free ones takes the packet now.
    """
    lane = r * m.lanes + b
    p = m.lane[lane * m.lane_stride + at.PACKET]
    flits = m.packet[p + at.LENGTH] if m.cut_through == 1 else 1
    none = at.NONE_FREE
    for kind in range(2):
        part = kind * m.outlet_words
        any_free = False
        for w in range(m.outlet_words):
            if m.wants[lane * m.want_words + part + w] & m.free[r * m.outlet_words + w] != 0:
                any_free = True
        if any_free:
            none = at.NONE_TAKES
            if m.selection == at.ROUND_ROBIN:
                o = by_turn(m, r, b, part, flits, t)
            elif m.selection == at.CREDITS:
                o = by_credits(m, r, lane, part, flits, t)
            else:
                o = by_order(m, r, p, lane, kind, flits, t)
            if o >= 0:
                return o
    return none


@kernel
def goes_before(m, r, o, b, other):
    """Whether row b goes before row `other` when both ask for outlet o; lanes in turn, branches of one in order."""
    if m.allocator == at.AGE:
        first = m.packet[m.lane[(r * m.lanes + b) * m.lane_stride + at.PACKET] + at.CREATED]
        second = m.packet[m.lane[(r * m.lanes + other) * m.lane_stride + at.PACKET] + at.CREATED]
        if first != second:
            return first < second
    turn = m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.OUTLET_TURN]
    one, two = lane_of(m, b) - turn, lane_of(m, other) - turn
    if one < 0:
        one += m.input_lanes
    if two < 0:
        two += m.input_lanes
    return one < two or (m.forks == 1 and one == two and b < other)


@kernel
def grant_outlets(m, r, asking, t):
    """Grant outlets to the first `asking` (lane, outlet) pairs in `work`; losers' outlets become -1 - outlet."""
    for k in range(asking):
        b, o = m.work[2 * k], m.work[2 * k + 1]
        won = True
        for other in range(asking):
            rival = m.work[2 * other + 1]
            if other != k and (rival == o or rival == -1 - o) and not goes_before(m, r, o, b, m.work[2 * other]):
                won = False
        if not won:
            m.work[2 * k + 1] = -1 - o
    for k in range(asking):
        b, o = m.work[2 * k], m.work[2 * k + 1]
        if o < 0:
            continue
        lane = r * m.lanes + b
        row = lane * m.lane_stride
        p = m.lane[row + at.PACKET]
        outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
        m.free[r * m.outlet_words + (o >> 5)] &= ~bit(o)
        m.outlet[outlet + at.OWNER] = b
        following = lane_of(m, b) + 1
        m.outlet[outlet + at.OUTLET_TURN] = following if following < m.input_lanes else 0
        m.lane[lane_row(m, r, b) + at.TURN] = o + 1 if o + 1 < m.outlets else 0
        m.lane[row + at.OUTLET] = o
        m.lane[row + at.LEFT] = -m.packet[p + at.LENGTH]
        m.lane[row + at.WHEN] = m.lane[m.outlet[outlet + at.TO] + at.LANE_FIELDS + m.outlet[outlet + at.WRITE]]
        m.due[r * m.cells + b] = t + m.va
        settle_state(m, r, lane, p, o)
        record(m, t, at.EVENT_VC, p, 0, r, o)
