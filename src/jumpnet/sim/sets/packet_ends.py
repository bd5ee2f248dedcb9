"""Heads and tails that pass the switch of a router kept as sets: the channel is given back, waiting heads are woken.

What `router.switch_traversal.traverse` does for routers kept as rows, but for the flit itself (`sets.pipeline.move`).
Called by `sets.pipeline`; the twin is `reference.Router.traverse`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import drop, note_in, put, word_at
from jumpnet.sim.memory.bits import bit, lowest
from jumpnet.sim.memory.record import inlined, kernel
from jumpnet.sim.router.switch_allocation import move_turns_by_table
from jumpnet.sim.router.switch_traversal import deliver

__all__ = ["end_packet", "later", "start_packet"]


@inlined
def later(m, slot, flits):
    """The slot so many flits after another one, for any number of them."""
    slot += flits
    while slot >= m.buffer:
        slot -= m.buffer
    return slot


@inlined
def start_packet(m, r, b):
    """The head of lane b is on its way: the next router finds the packet with it."""
    lane = r * m.lanes + b
    row = lane * m.lane_stride
    o = m.lane[row + at.OUTLET]
    if o >= m.link_outlets:
        return
    m.lane[row + at.LEFT] = -m.lane[row + at.LEFT]
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    far = m.outlet[outlet + at.TO_ROUTER]
    to = far * m.lanes + m.outlet[outlet + at.TO_CELL] - far * m.cells
    m.head[to * m.buffer + m.outlet[outlet + at.WRITE]] = m.lane[row + at.PACKET]


@kernel
def give_back(m, r, o, t):
    """Outlet o of router r is free again: heads that wait for it are looked at in the next cycle."""
    m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.OWNER] = -1
    m.free[r * m.outlet_words + (o >> 5)] |= bit(o)
    waiting = m.sets[word_at(m, r, at.S_WAITING)]
    while waiting != 0:
        b = lowest(waiting)
        waiting &= waiting - 1
        wants = (r * m.lanes + b) * m.want_words + (o >> 5)
        if (m.wants[wants] | m.wants[wants + m.outlet_words]) & bit(o) != 0:
            drop(m, r, at.S_WAITING, b)
            note_in(m, r, m.looks, t + 1, b)


@kernel
def end_packet(m, r, b, t):
    """The tail of lane b has left: the lane is idle, its outlet free; what reaches its terminal is delivered."""
    lane = r * m.lanes + b
    row, course = lane * m.lane_stride, lane * at.COURSE_FIELDS
    o, taken = m.lane[row + at.OUTLET], m.course[course + at.COURSE_TAKEN]
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    move_turns_by_table(m, r, b, o)
    m.outlet[outlet + at.WRITE] = m.course[course + at.COURSE_PLACE] & at.SLOT
    m.outlet[outlet + at.COUNT] += taken
    if b < m.link_inputs * m.vcs:
        m.lane[row + at.READ] = later(m, m.lane[row + at.READ], taken)
    m.lane[row + at.OUTLET] = at.IDLE
    m.lane[row + at.LEFT] = 0
    m.lane[row + at.WHEN] = t + m.sa
    drop(m, r, m.holder + o, b)
    put(m, r, at.S_IDLE, b)
    give_back(m, r, o, t)
    if o >= m.link_outlets:
        deliver(m, m.lane[row + at.PACKET], t + m.outlet[outlet + at.DELAY])
