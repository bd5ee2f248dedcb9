"""Deadlocks, found in the page: `sim.measure.deadlock.find_deadlock` as an entry, for packets that do not branch.

A lane is stuck when each output VC that would do for the packet at its front waits for a stuck lane: for the one behind
the output VC, which has no room, or for the one that holds it. The twin is `find_deadlock`, whose ring this is.
"""

from jumpnet.jit.decorator import open_i32
from jumpnet.jit.linked import entry, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import lane_at, out_vc_at, packet_at, wants_of

__all__ = ["find_ring"]


@kernel
def is_busy(m, row):
    """Whether a lane has a packet at its front that holds an output VC or waits for one."""
    out_vc = lane_at(m, row * m.lane_stride).out_vc
    return int(out_vc >= 0 or out_vc == at.WAITING)


@kernel
def in_its_way(m, row, o, need):
    """The lane behind output VC o (number among all) when it has less room than need and is busy; else -1."""
    to = out_vc_at(m, o * at.OUT_VC_FIELDS).to
    if to < 0 or to >= m.routers * m.lanes * m.lane_stride:
        return -1
    lane, room = lane_at(m, to), 0
    for slot in range(m.buffer):
        room += int(lane[slot] < at.FLIT)
    target = to // m.lane_stride
    return target if room < need and is_busy(m, target) == 1 else -1


@kernel
def who_holds(m, o):
    """The lane that holds output VC o (number among all), or -1."""
    owner = out_vc_at(m, o * at.OUT_VC_FIELDS).owner
    return o // m.out_vcs * m.lanes + owner if owner >= 0 else -1


@kernel
def is_wanted(m, row, o):
    """Whether the head of a lane may have output VC o of its router."""
    wants = wants_of(m, row // m.lanes, row % m.lanes)
    return (wants[o >> 6] | wants[m.out_vc_words + (o >> 6)]) >> (o & 63) & 1


@kernel
def room_needed(m, row, o):
    """Free slots behind output VC o of its router without which the head of a lane does not get it."""
    if m.reuse_empty == 1:
        return m.buffer
    if m.cut_through == 0:
        return 1
    need = packet_at(m, lane_at(m, row * m.lane_stride).packet).length
    if m.bubble > 0:
        wants = wants_of(m, row // m.lanes, row % m.lanes)
        need += m.bubble * (wants[2 * m.out_vc_words + (o >> 6)] >> (o & 63) & 1)
    return need


@kernel
def may_move(m, row, t, stuck):
    """Whether a lane has nothing to wait for, or a choice that waits for no stuck lane."""
    lane = lane_at(m, row * m.lane_stride)
    front = lane[lane.read]
    if is_busy(m, row) == 0 or front < at.FLIT or front > at.FLIT + t:
        return 1
    first = row // m.lanes * m.out_vcs
    if lane.out_vc >= 0:
        to = in_its_way(m, row, first + lane.out_vc, 1)
        return int(to < 0 or stuck[to] == 0)
    wanted = 0
    for o in range(m.out_vcs):
        if is_wanted(m, row, o) == 1:
            wanted = 1
            to, by = in_its_way(m, row, first + o, room_needed(m, row, o)), who_holds(m, first + o)
            if (to < 0 or stuck[to] == 0) and (by < 0 or stuck[by] == 0):
                return 1
    return 1 - wanted


@kernel
def waits_by(m, row, stuck):
    """The output VC (number among all) by which a stuck lane waits first for a stuck one."""
    lane, first = lane_at(m, row * m.lane_stride), row // m.lanes * m.out_vcs
    if lane.out_vc >= 0:
        return first + lane.out_vc
    for o in range(m.out_vcs):
        if is_wanted(m, row, o) == 1:
            to = in_its_way(m, row, first + o, room_needed(m, row, o))
            if to >= 0 and stuck[to] == 1:
                return first + o
    for o in range(m.out_vcs):
        if is_wanted(m, row, o) == 1:
            by = who_holds(m, first + o)
            if by >= 0 and stuck[by] == 1:
                return first + o
    return -1


@kernel
def next_of(m, row, o, stuck):
    """The stuck lane that a stuck lane waits for by output VC o."""
    own = o % m.out_vcs
    need = 1 if lane_at(m, row * m.lane_stride).out_vc >= 0 else room_needed(m, row, own)
    to = in_its_way(m, row, o, need)
    return to if to >= 0 and stuck[to] == 1 else who_holds(m, o)


@entry(allocates=True)
def find_ring(address, t, numbers):
    """Output VCs (numbers among all) of lanes that wait for each other in a ring; returns how many, 0 without one.

    They stand at the start of 3 R lanes int32 at an address.
    """
    m = memory_at(address)
    rows = m.routers * m.lanes
    work = open_i32(numbers, 3 * rows)
    ring, stuck, place = work[:rows], work[rows : 2 * rows], work[2 * rows :]
    for row in range(rows):
        stuck[row], place[row] = 1, 0
    changed = True
    while changed:
        changed = False
        for row in range(rows):
            if stuck[row] == 1 and may_move(m, row, t, stuck) == 1:
                stuck[row] = 0
                changed = True
    row = 0
    while row < rows and stuck[row] == 0:
        row += 1
    if row == rows:
        return 0
    steps = 0
    while place[row] == 0:
        ring[steps] = waits_by(m, row, stuck)
        place[row] = steps + 1
        row = next_of(m, row, ring[steps], stuck)
        steps += 1
    first = place[row] - 1
    for k in range(first, steps):
        ring[k - first] = ring[k]
    return steps - first
