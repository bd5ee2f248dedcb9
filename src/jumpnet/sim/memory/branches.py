"""Branches of a packet: rows among the lanes of a router that wait, ask, bid, hold output VCs and send as lanes do.

The front packet of a lane has one branch in most runs, whose row is the lane's own. Where packets branch (`m.forks`),
branch k of lane b has row b + k * input_lanes. A row reads the slots of its lane at a place of its own; a slot becomes
a credit when the last branch has sent its flit, and the lane goes on when the last tail has left (asynchronous
branches, nishi1997router section 4.2.1). The twin is `tests/naive/multicast_routers.py`.
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.packets import give_row
from jumpnet.sim.memory.rows import counters_at, due_of, heads_of, lane_at, lane_of, packet_at, side_of

__all__ = ["groups_of", "others_read", "own_lane", "settle_branch", "start_branches", "wake_branches"]


@inlined
def own_lane(m, b):
    """Number of the lane that row b of a router belongs to."""
    return side_of(m, b).lane if m.forks == 1 else b


@inlined
def groups_of(m, r):
    """Groups of cells of router r in which something may be due: those of its lanes, all if a packet branches."""
    if m.forks == 1 and m.branching[r] == 0:
        return (m.input_lanes + at.CELLS - 1) // at.CELLS
    return m.groups


@kernel
def most_left(m, r, b):
    """Most flits that a branch of the lane of row b has not sent, the one in row b left out."""
    own, most = own_lane(m, b), 0
    for k in range(lane_of(m, r, own).branches):
        other = own + k * m.input_lanes
        if other != b:
            most = max(most, abs(lane_of(m, r, other).left))
    return most


@kernel
def start_branches(m, r, b, t):
    """The listed branches of lane b wait for output VCs, from the end of route computation on: sets their rows."""
    own = lane_of(m, r, b)
    flits = packet_at(m, heads_of(m, r, b)[own.read]).length
    m.branching[r] += int(own.branches > 1)
    for k in range(own.branches):
        row = b + k * m.input_lanes
        branch = lane_of(m, r, row)
        branch.when, branch.read, branch.out_vc, branch.left = t, own.read, at.WAITING, -flits
        due_of(m, r)[row] = t + m.rd


@kernel
def others_read(m, r, b):
    """Whether another branch has still to send the flit that the branch in row b sends now: it then stays."""
    if m.forks == 0:
        return 0
    branches = lane_of(m, r, own_lane(m, b)).branches
    if branches == 1 or most_left(m, r, b) < abs(lane_of(m, r, b).left):
        return 0
    counters_at(m, 0).entered += 1
    return 1


@kernel
def wake_branches(m, to, cell, router, cycle):
    """A lane (start of its row, cell, router) gets a flit that can be read from that cycle on: waiters are due."""
    for k in range(1, lane_at(m, to).branches):
        if m.due[cell + k * m.input_lanes] == at.NO_FLIT:
            m.due[cell + k * m.input_lanes] = cycle
            m.active[router >> 5] |= bit(router)


@kernel
def settle_branch(m, r, b, t):
    """After row b of router r has sent a flit: when it is due, and when its lane is, if all branches are through."""
    stay_apart()
    lane = lane_of(m, r, own_lane(m, b))
    branch, due = lane_of(m, r, b), due_of(m, r)
    left = branch.left
    if left > 0 and lane.branches == 1:
        return
    most = most_left(m, r, b)
    if left > 0:
        if most - left >= m.buffer:  # the slot after it still holds a flit that others have not sent
            due[b] = at.NO_FLIT
        return
    branch.out_vc = at.DONE
    due[b] = at.NO_BRANCH
    if most == 0:
        p = m.front[r * m.input_lanes + own_lane(m, b)]
        if p >= 0:
            give_row(m, p)
        m.branching[r] -= int(lane.branches > 1)
        front = lane[lane.read]
        lane.out_vc, lane.when = at.IDLE, t + m.sa
        due[own_lane(m, b)] = at.NO_FLIT if front < at.FLIT else max(front - at.FLIT, t + m.sa)
