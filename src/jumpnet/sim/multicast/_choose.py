"""Kernel of the multicast simulator's routes: the outlets that a branch may have, and the one that it asks for.

A branch of a tree names its outlet, a packet to one destination those of its routing relation, normal ones before
escapes. Of several free outlets the selection takes one: by turn, the first, or that with most credits. As
`sim._route` and `sim._vc_allocation`, whose relation calls and header these are; the twin is `reference.ForkRouter`.
"""

from __future__ import annotations

from jumpnet.routing._view import ESCAPE, IN_PORT, IN_VC, KIND, MAX_CANDIDATES, NEXT_STATE, PORT, STATE, VC
from jumpnet.sim import _layout as unicast
from jumpnet.sim._memory import ask_relation
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._ends import header_of, message_of
from jumpnet.sim.multicast._memory import inlined, kernel

__all__ = ["choose", "find_route", "need", "settle_state"]


@kernel
def fail(m, why, router, message):
    """Stop the run at the end of this cycle; the first reason stays."""
    if m.counter[at.ERROR] == 0:
        m.counter[at.ERROR], m.counter[at.ERROR_ROUTER], m.counter[at.ERROR_MESSAGE] = why, router, message


@kernel
def find_route(m, r, lane, message):
    """Say in the header of a packet to one destination how it came to router r; returns whether there is a route."""
    p, b = header_of(message), lane - r * m.lanes
    if b // m.vcs < m.link_inputs:
        m.packet[p + IN_PORT], m.packet[p + IN_VC] = b // m.vcs, b % m.vcs
    n = ask_relation(m, r, p)
    if n < 0 or n > MAX_CANDIDATES or (n == 0 and m.sink_router[m.message[message + at.AIM]] != r):
        fail(m, unicast.ERROR_NO_ROUTE, r, message)
        return False
    for k in range(n):
        port, v = m.query[4 * k + PORT], m.query[4 * k + VC]
        there = 0 <= port < m.link_outputs and 0 <= v < m.vcs
        if not there or m.outlet[(r * m.outlets + port * m.vcs + v) * at.OUTLET_FIELDS + at.HELD] == 2:
            fail(m, unicast.ERROR_BAD_CANDIDATE, r, message)
            return False
    return True


@kernel
def settle_state(m, r, message, o):
    """Give a packet to one destination the next state of the candidate that outlet o came from."""
    p = header_of(message)
    for k in range(ask_relation(m, r, p)):
        if m.query[4 * k + PORT] == o // m.vcs and m.query[4 * k + VC] == o % m.vcs:
            m.packet[p + STATE] = m.query[4 * k + NEXT_STATE]
            return


@inlined
def need(m, length):
    """Free slots that a packet asks of a buffer before its head may have it."""
    return m.buffer if m.reuse_empty == 1 else (length if m.cut_through == 1 else 1)


@inlined
def takes(m, r, o, flits, t):
    """Whether outlet o of router r is free and has room for a packet that asks for so many slots."""
    out = (r * m.outlets + o) * at.OUTLET_FIELDS
    if m.outlet[out + at.HELD] != 0:
        return False
    if m.cut_through == 0 and m.reuse_empty == 0:
        return True
    last = m.outlet[out + at.WRITE] + flits - 1
    if last >= m.buffer:
        last -= m.buffer
    return m.slot[m.outlet[out + at.TO] * m.buffer + last] <= t


@kernel
def credits(m, r, o, t):
    """Credits that outlet o of router r has."""
    to = m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.TO] * m.buffer
    count = 0
    for k in range(to, to + m.buffer):
        count += m.slot[k] <= t
    return count


@inlined
def rank(m, r, lane, o, place, t):
    """Rank of an outlet, at a place in the order of candidates: lowest is asked for."""
    if m.selection == unicast.ROUND_ROBIN:
        return (o - m.lane[lane * at.LANE_FIELDS + at.TURN]) % m.outlets
    return place if m.selection == unicast.FIRST else o - credits(m, r, o, t) * m.outlets


@kernel
def among(m, r, lane, first, stop, flits, t):
    """The outlet asked for of a range, or -1."""
    best, least = -1, at.NEVER
    for o in range(first, stop):
        if takes(m, r, o, flits, t):
            mine = rank(m, r, lane, o, o, t)
            if mine < least:
                best, least = o, mine
    return best


@kernel
def among_candidates(m, r, lane, n, escape, flits, t):
    """The outlet asked for of the n candidates in `query`, normal ones or escapes, or -1."""
    best, least = -1, at.NEVER
    for k in range(n):
        o = m.query[4 * k + PORT] * m.vcs + m.query[4 * k + VC]
        if (m.query[4 * k + KIND] == ESCAPE) == escape and takes(m, r, o, flits, t):
            mine = rank(m, r, lane, o, k, t)
            if mine < least:
                best, least = o, mine
    return best


@kernel
def choose(m, r, lane, way, t):
    """The free outlet that a waiting branch asks for, or -1."""
    want, flits = m.way[way + at.WANT], need(m, m.lane[lane * at.LANE_FIELDS + at.LENGTH])
    if want >= 0:
        return want if takes(m, r, want, flits, t) else -1
    if want == at.TO_UNIT:
        return among(m, r, lane, m.outlets - m.vcs, m.outlets, flits, t)
    if want == at.BY_ROUTING:
        message = message_of(m.way[way + at.CODE])
        n = ask_relation(m, r, header_of(message))
        if n > 0:
            o = among_candidates(m, r, lane, n, False, flits, t)
            return o if o >= 0 else among_candidates(m, r, lane, n, True, flits, t)
        want = at.TO_SINK - m.sink_of[m.message[message + at.AIM]]
    first = (m.link_outputs + (at.TO_SINK - want) * m.ejection_ports) * m.vcs
    return among(m, r, lane, first, first + m.ejection_ports * m.vcs, flits, t)
