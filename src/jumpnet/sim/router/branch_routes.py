"""Routes of packets that branch: the branches of the packet at the front of a lane, from the tree of its message.

A branch of a tree names its outlet; a packet to one destination has one branch, and asks its routing. Called by
`router.pipeline`; the twin is `reference.ForkRouter.route`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as cast
from jumpnet.sim.memory.bits import bit, lowest, not_after
from jumpnet.sim.memory.branches import branch_row, start_branches
from jumpnet.sim.memory.packets import take_row
from jumpnet.sim.memory.record import forked, kernel
from jumpnet.sim.router.route_computation import route
from jumpnet.sim.terminals.message_ends import counting_sink, parent_of, tally_of

__all__ = ["route_heads"]


@kernel
def add_branch(m, r, b, p, first, count):
    """One more branch of the packet at the front of lane b: packet row p leaves by one of `count` outlets."""
    row = (r * m.lanes + b) * m.lane_stride
    k = m.lane[row + at.WAYS]
    m.lane[row + at.WAYS] = k + 1
    m.lane[branch_row(m, row, k) + at.PACKET] = p
    wants = (r * m.lanes + b + k * m.input_lanes) * m.want_words
    for w in range(2 * m.outlet_words):
        m.wants[wants + w] = 0
    for o in range(first, first + count):
        m.wants[wants + (o >> 5)] |= bit(o)
    m.wants[wants + 2 * m.outlet_words + 1] = 1


@kernel
def add_sink(m, r, b, p, x):
    """A branch to sink x of the router, or to its combining unit (x = -1)."""
    if x < 0:
        add_branch(m, r, b, p, m.outlets - m.vcs, m.vcs)
    else:
        count = m.ejection_ports * m.vcs
        add_branch(m, r, b, p, m.link_outputs * m.vcs + x * count, count)


@kernel
def copy_of(m, p, place):
    """A packet like p at a place of its tree."""
    q = take_row(m)
    m.packet[q + at.FROM], m.packet[q + at.KIND] = m.packet[p + at.FROM], m.packet[p + at.KIND]
    m.packet[q + at.CREATED], m.packet[q + at.LENGTH] = m.packet[p + at.CREATED], m.packet[p + at.LENGTH]
    m.packet[q + at.MESSAGE], m.packet[q + at.ROLE] = m.packet[p + at.MESSAGE], m.packet[p + at.ROLE]
    m.packet[q + at.PLACE] = place
    return q


@kernel
def register(m, r, message, place, branches):
    """Count the acknowledges of a place in the combining unit if it has an entry, else in a terminal."""
    tally = tally_of(m, message, place)
    m.tally[tally + cast.LEFT] = branches
    if m.used[r] < m.entries:
        m.used[r] += 1
        m.tally[tally + cast.IN_UNIT] = 1
    else:
        m.counter[at.C_FALLBACKS] += 1


@kernel
def follow_tree(m, r, b, p, message, place):
    """List the branches of a message, or of an acknowledge that goes all the way."""
    sinks = m.place[place + cast.SINKS]
    first, branches = m.place[place + cast.BRANCH], m.place[place + cast.BRANCHES]
    for child in range(first, first + branches):
        row = child * m.place_fields
        add_branch(m, r, b, copy_of(m, p, row), m.place[row + cast.PORT] * m.vcs + m.place[row + cast.VC], 1)
    takers = 0
    for x in range(m.spread):
        if sinks >> x & 1:
            add_sink(m, r, b, p, x)
            takers += 1
    joins = branches + takers > (branches == 0)
    if m.packet[p + at.ROLE] == cast.DATA and joins and m.message[message + cast.ACK] == 2:
        register(m, r, message, place, branches + takers)


@kernel
def list_branches(m, r, b):
    """List the branches of the packet whose head is at the front of lane b.

    Along a tree go copies, each at a place of its own, and the packet itself ends here. One without a tree goes on, and
    so does an acknowledge over its one link.
    """
    row = (r * m.lanes + b) * m.lane_stride
    p = m.head[(r * m.lanes + b) * m.buffer + m.lane[row + at.READ]]
    message, place, role = m.packet[p + at.MESSAGE], m.packet[p + at.PLACE], m.packet[p + at.ROLE]
    goes_on = place < 0 or (role == cast.UP_ACK and m.place[place + cast.ROUTER] == r)
    m.lane[row + at.WAYS], m.front[r * m.input_lanes + b] = 0, -1 if goes_on else p
    if place < 0:
        route(m, r, b)
        m.lane[row + at.WAYS] = 1
    elif role == cast.DATA or role == cast.ONE_ACK:
        follow_tree(m, r, b, p, message, place)
    elif goes_on:
        add_branch(m, r, b, p, m.place[place + cast.BACK] * m.vcs + m.vcs - 1, 1)
    else:
        target = parent_of(m, place) if role == cast.UP_ACK else place
        counted = role != cast.FINAL and m.tally[tally_of(m, message, target) + cast.IN_UNIT] == 1
        add_sink(m, r, b, p, -1 if counted else counting_sink(m, message, target))


@forked(0)
def route_heads(m, r, t):
    """Route the heads that have come to the front of the lanes of router r."""
    for group in range((m.input_lanes + at.CELLS - 1) // at.CELLS):
        word = not_after(m.due, r * m.cells + group * at.CELLS, t)
        while word != 0:
            b = group * at.CELLS + lowest(word)
            word &= word - 1
            row = (r * m.lanes + b) * m.lane_stride
            if b < m.input_lanes and m.lane[row + at.OUTLET] == at.IDLE and m.lane[row + at.WHEN] <= t:
                list_branches(m, r, b)
                start_branches(m, r, b, t)
    return 0
