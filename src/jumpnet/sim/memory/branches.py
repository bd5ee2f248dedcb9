"""Branches of a packet: rows among the lanes of a router that wait, ask, bid, hold outlets and send as lanes do.

The front packet of a lane has one branch in most runs, whose row is the lane's own. Where packets branch (`m.forks`),
branch k of lane b has row b + k * input_lanes. A row reads the slots of its lane at a place of its own; a slot becomes
a credit when the last branch has sent its flit, and the lane goes on when the last tail has left (asynchronous
branches, nishi1997router section 4.2.1). What is `forked` is not even compiled for other runs. The twin is
`multicast.reference.ForkRouter`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import bit
from jumpnet.sim.memory.packets import give_row
from jumpnet.sim.memory.record import forked, inlined, kernel

__all__ = [
    "branch_row",
    "groups_of",
    "lane_of",
    "lane_row",
    "others_read",
    "settle_branch",
    "start_branches",
    "wake_branches",
]


@inlined
def lane_of(m, b):
    """The lane that row b of a router belongs to."""
    return m.side[at.SIDE_FIELDS * b + at.LANE] if m.forks == 1 else b


@inlined
def lane_row(m, r, b):
    """Start of the row of that lane, whose slots the branch reads."""
    return (r * m.lanes + lane_of(m, b)) * m.lane_stride


@inlined
def branch_row(m, first, k):
    """Start of the row of branch k of the lane whose row starts at `first`."""
    return first + k * m.input_lanes * m.lane_stride


@forked(0)
def groups_at_work(m, r):
    """Groups of cells of router r in which something may be due: those of its lanes, all if a packet branches."""
    return m.groups if m.branching[r] > 0 else (m.input_lanes + at.CELLS - 1) // at.CELLS


@inlined
def groups_of(m, r):
    """Groups of cells of router r that have to be looked through."""
    return groups_at_work(m, r) if m.forks == 1 else m.groups


@kernel
def most_left(m, first, row):
    """Most flits that a branch of a lane (start of its row) has not sent, the one at `row` left out."""
    most = 0
    for k in range(m.lane[first + at.WAYS]):
        other = branch_row(m, first, k)
        if other != row:
            most = max(most, abs(m.lane[other + at.LEFT]))
    return most


@forked(0)
def start_branches(m, r, b, t):
    """The listed branches of lane b wait for outlets, from the end of route computation on."""
    first = lane_row(m, r, b)
    flits = m.packet[m.head[(r * m.lanes + b) * m.buffer + m.lane[first + at.READ]] + at.LENGTH]
    m.branching[r] += int(m.lane[first + at.WAYS] > 1)
    for k in range(m.lane[first + at.WAYS]):
        row = branch_row(m, first, k)
        m.lane[row + at.WHEN] = t
        m.lane[row + at.READ] = m.lane[first + at.READ]
        m.lane[row + at.OUTLET] = at.WAITING
        m.lane[row + at.LEFT] = -flits
        m.due[r * m.cells + b + k * m.input_lanes] = t + m.rd
    return 0


@forked(0)
def others_read(m, r, b):
    """Whether another branch has still to send the flit that the branch in row b sends now: it then stays."""
    row, first = (r * m.lanes + b) * m.lane_stride, lane_row(m, r, b)
    if m.lane[first + at.WAYS] == 1 or most_left(m, first, row) < abs(m.lane[row + at.LEFT]):
        return 0
    m.counter[at.C_ENTERED] += 1
    return 1


@forked(0)
def wake_branches(m, first, cell, router, cycle):
    """A lane (start of its row, cell, router) gets a flit that can be read from that cycle on."""
    for k in range(1, m.lane[first + at.WAYS]):
        if m.due[cell + k * m.input_lanes] == at.NO_FLIT:
            m.due[cell + k * m.input_lanes] = cycle
            m.active[router >> 5] |= bit(router)
    return 0


@forked(0)
def settle_branch(m, r, b, t):
    """After row b of router r has sent a flit: when it is due, and when its lane is, if all branches are through."""
    row, first = (r * m.lanes + b) * m.lane_stride, lane_row(m, r, b)
    left = m.lane[row + at.LEFT]
    if left > 0 and m.lane[first + at.WAYS] == 1:
        return 0
    most = most_left(m, first, row)
    if left > 0:
        if most - left >= m.buffer:  # the slot after it still holds a flit that others have not sent
            m.due[r * m.cells + b] = at.NO_FLIT
        return 0
    m.lane[row + at.OUTLET] = at.DONE
    m.due[r * m.cells + b] = at.NO_BRANCH
    if most == 0:
        p = m.front[r * m.input_lanes + lane_of(m, b)]
        if p >= 0:
            give_row(m, p)
        m.branching[r] -= int(m.lane[first + at.WAYS] > 1)
        front = m.lane[first + at.LANE_FIELDS + m.lane[first + at.READ]]
        m.lane[first + at.OUTLET] = at.IDLE
        m.lane[first + at.WHEN] = t + m.sa
        m.due[r * m.cells + lane_of(m, b)] = at.NO_FLIT if front < at.FLIT else max(front - at.FLIT, t + m.sa)
    return 0
