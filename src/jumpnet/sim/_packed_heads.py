"""Heads in routers that are kept as sets: route computation, the request for an outlet, and what its grant changes.

The same stages as in `_heads`, which serves routers kept as rows; routing and grants are the same code. Called by
`_packed` and `_packed_ends`; the twins are `reference.Router.route` and `reference.Router.allocate_vcs`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as at
from jumpnet.sim._ahead import MANY_ROUTERS, first_wanted
from jumpnet.sim._bits import lowest, prefetch, stay_apart
from jumpnet.sim._memory import inlined, kernel
from jumpnet.sim._notes import drop, has, note_at, note_in, put, put_count
from jumpnet.sim._route import route
from jumpnet.sim._vc_allocation import choose_outlet, grant_outlets

__all__ = ["hold", "look", "open_lanes", "route_heads"]


@inlined
def rank(m, b, o, turn):
    """Rank of lane b, which holds outlet o, at its input port, whose turns are given: lowest goes first."""
    ahead = m.port_of[o] - m.turn[turn]
    if ahead < 0:
        ahead += m.outputs
    return 2 * ahead + ((b & 1) ^ m.turn[turn + 1])


@kernel
def prefer(m, r, b):
    """Work out which of the two lanes of b's input port goes first when both bid."""
    one = b & ~1
    row = (r * m.lanes + one) * m.lane_stride
    o, other = m.lane[row + at.OUTLET], m.lane[row + m.lane_stride + at.OUTLET]
    if o < 0 or other < 0:
        return
    turn = r * m.turn_row + (one >> 1) * 2
    last = int(has(m, r, at.S_LAST, one + 1))
    if m.lane[row + last * m.lane_stride + at.LEFT] > 0:  # it won last for the packet that it has now
        m.turn[turn] = m.side[at.SIDE_FIELDS * (other if last == 1 else o) + at.NEXT_OUTPUT]
    m.turn[turn + 1] = 1 - last
    second = int(rank(m, one + 1, other, turn) < rank(m, one, o, turn))
    drop(m, r, at.S_PREFERRED, one + 1 - second)
    put(m, r, at.S_PREFERRED, one + second)


@kernel
def hold(m, r, b, o):
    """Lane b of router r bids for outlet o from now on."""
    row, course = (r * m.lanes + b) * m.lane_stride, (r * m.lanes + b) * at.COURSE_FIELDS
    left, outlet = m.lane[row + at.LEFT], (r * m.outlets + o) * at.OUTLET_FIELDS
    if left < 0:
        put(m, r, at.S_FRESH, b)
    left = abs(left)
    put_count(m, r, m.left, b, left)
    put(m, r, m.holder + o, b)
    delay, far = m.outlet[outlet + at.DELAY], m.outlet[outlet + at.TO_ROUTER]
    if o < m.link_outlets:
        to = note_at(m, far, m.came, delay, m.outlet[outlet + at.TO_CELL] - far * m.cells)
    else:
        to = note_at(m, r, m.credited, delay + 1 + m.terminal_link + m.credit, o)
    m.course[course + at.COURSE_TO] = to
    m.course[course + at.COURSE_PLACE] = m.outlet[outlet + at.TO] << at.SLOT_SHIFT | m.outlet[outlet + at.WRITE]
    m.course[course + at.COURSE_TAKEN] = left
    if m.vcs == 2:
        prefer(m, r, b)


@kernel
def route_heads(m, r, lanes):
    """Route the heads of those lanes of router r that have none of their packet's outlets yet."""
    while lanes != 0:
        b = lowest(lanes)
        lanes &= lanes - 1
        lane = r * m.lanes + b
        if m.lane[lane * m.lane_stride + at.OUTLET] == at.IDLE:
            route(m, r, b)
            m.lane[lane * m.lane_stride + at.OUTLET] = at.WAITING
            if m.routers >= MANY_ROUTERS:
                prefetch(m.outlet, first_wanted(m, r, b))


@inlined
def look_at(m, asking, r, b, t):
    """What the head of lane b does now: how many heads of router r ask for an outlet, `asking` before."""
    row = (r * m.lanes + b) * m.lane_stride
    o = m.lane[row + at.OUTLET]
    if o >= 0:
        hold(m, r, b, o)
        return asking
    wanted = choose_outlet(m, r, b, t)
    if wanted < 0:
        m.due[r * m.cells + b] = at.NO_OUTLET
        put(m, r, at.S_WAITING, b)
        return asking
    m.work[2 * asking] = b
    m.work[2 * asking + 1] = wanted
    return asking + 1


@kernel
def look(m, r, lanes, t, opening):
    """Look at the heads of some lanes of router r, and grant outlets; how many lanes `flow` lists, `opening` before.

    Listed are those that bid from the next cycle on.
    """
    stay_apart()
    asking = 0
    while lanes != 0:
        asking = look_at(m, asking, r, lowest(lanes), t)
        lanes &= lanes - 1
    if asking > 0:
        grant_outlets(m, r, asking, t)
    for k in range(asking):
        b, o = m.work[2 * k], m.work[2 * k + 1]
        if o < 0:
            note_in(m, r, m.looks, t + 1, b)
        elif m.va == 0:
            hold(m, r, b, o)
        elif m.va == 1:
            m.flow[opening] = r << at.LANE_SHIFT | b
            opening += 1
        else:
            note_in(m, r, m.looks, t + m.va, b)
    return opening


@inlined
def open_lanes(m, opening):
    """The first lanes that `flow` lists bid from the next cycle on."""
    for k in range(opening):
        r, b = m.flow[k] >> at.LANE_SHIFT, m.flow[k] & at.LANE_NUMBER
        hold(m, r, b, m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET])
