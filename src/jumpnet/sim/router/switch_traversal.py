"""Switch and link traversal: a flit that won leaves its slot to a credit, and appears in a slot downstream in time.

Both are one number each: the cycle from which the credit may be used, and FLIT + the cycle from which the flit may be
read. Ejection is a link to a terminal that frees the slot at once. The twin is `reference.router.Router.traverse`.
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.branches import others_read, own_lane, settle_branch, wake_branches
from jumpnet.sim.memory.clock import after_stage, cycle_of, first_step
from jumpnet.sim.memory.events import record
from jumpnet.sim.memory.rows import (
    counters_at,
    due_of,
    flits_of,
    heads_of,
    lane_at,
    lane_of,
    out_vc_of,
    packet_at,
    slot_after,
)
from jumpnet.sim.memory.shared_buffers import hold_shared
from jumpnet.sim.memory.threads import mail
from jumpnet.sim.router.speedup import flit_there, hold_on, slot_back
from jumpnet.sim.router.switch_allocation import move_turns
from jumpnet.sim.terminals.delivery import deliver
from jumpnet.sim.terminals.finite_buffers import give_back, is_kept
from jumpnet.sim.terminals.message_ends import count_flit, take_in

__all__ = ["next_look", "stream", "traverse"]


@inlined
def announce(m, out_vc, slot, cycle, t):
    """A flit in that slot of the lane behind an output VC can be read from that cycle on: it is due if it waits."""
    far, cell = out_vc.to_router, out_vc.to_cell
    if m.threads > 1 and (far < m.first_router or far >= m.end_router):
        mail(m, far, cell, cycle, t)
        return
    if m.forks == 0 and lane_at(m, out_vc.to).read != slot:
        return  # it holds flits, so it does not wait for one, and its cell can stay in far memory
    if m.due[cell] == at.NO_FLIT:
        m.due[cell] = cycle
        m.active[far >> 5] |= bit(far)
    if m.forks == 1:
        wake_branches(m, out_vc.to, cell, far, cycle)


@inlined
def next_look(front, ready):
    """When a lane is due, given the slot at its front and the cycle from which it may send (FLIT and more: unknown)."""
    if front < at.FLIT:
        return at.NO_FLIT
    due = front - at.FLIT
    return ready if due < ready < at.FLIT else due


@inlined
def eject(m, r, o, p, left, cycle):
    """A flit of packet p reaches the terminal behind output VC o in that cycle, `left` flits come after it."""
    record(m, cycle, at.EVENT_ARRIVE, p, packet_at(m, p).length - 1 - left, r, o)
    counters_at(m, 0).ejected += 1
    if m.delivery_rows == 0 and m.forks == 0 and packet_at(m, p).length > 1:
        flits = flits_of(m, p)
        flits[left] = cycle - flits[left]
    if left == 0 and m.forks == 1:
        take_in(m, r, p, o, cycle)
    elif left == 0:
        deliver(m, p, cycle)


@kernel
def traverse(m, r, b, t):
    """Move the flit at the front of lane b of router r through its output VC, whatever flit it is.

    Writes both lanes, the output VC, and when lanes are due; a tail gives the output VC back.
    """
    stay_apart()
    branch, lane = lane_of(m, r, b), lane_of(m, r, own_lane(m, b))
    p, o = branch.packet, branch.out_vc
    out_vc = out_vc_of(m, r, o)
    if m.by_lists == 1:
        move_turns(m, r, b, o)
    if others_read(m, r, b) == 0:
        lane[branch.read] = t + branch.credit if m.has_speedup == 0 else slot_back(m, r, b, t)
    branch.read = slot_after(m, branch.read)
    fresh = branch.left < 0
    left = abs(branch.left) - 1
    branch.left = left
    to, slot = lane_at(m, out_vc.to), out_vc.write
    out_vc.write = slot_after(m, slot)
    out_vc.sent += 1
    there = t + out_vc.delay if m.has_speedup == 0 else flit_there(m, r, o, t)
    record(m, cycle_of(m, t), at.EVENT_SWITCH, p, packet_at(m, p).length - 1 - left, r, o)
    if m.forks == 1:
        count_flit(m, p, o)
    if o < m.link_out_vcs:
        to[slot] = at.FLIT + there
        announce(m, out_vc, slot, there, t)
        if fresh:
            far = out_vc.to_router
            heads_of(m, far, out_vc.to_cell - far * m.cells)[slot] = p
    else:
        cycle = cycle_of(m, there)
        to[slot] = first_step(m, cycle + 1 + m.terminal_link + m.credit)
        eject(m, r, o, p, left, cycle)
    if left > 0:
        ready = to[slot_after(m, slot)] if m.sharing == 0 else t + 1
        hold_on(m, r, b, o, lane[branch.read], t)
    else:
        ready = after_stage(m, t, m.sa)
        branch.out_vc = at.IDLE
        if m.sharing > 0:
            hold_shared(m, r, o, t, True)
        if not is_kept(m, o, p):
            give_back(m, r, o, t)
    branch.when = ready
    due_of(m, r)[b] = next_look(lane[branch.read], ready if m.sa_batch < 2 else t + 1)
    if m.forks == 1:
        settle_branch(m, r, b, t)


@inlined
def stream(m, r, b, t):
    """The same for a flit between the head and the tail of its packet, when the output VC leads to a router.

    Of `router.lists` alone, with which it goes.
    """
    lane = lane_of(m, r, b)
    o = lane.out_vc
    out_vc = out_vc_of(m, r, o)
    move_turns(m, r, b, o)
    read, to, slot = lane.read, lane_at(m, out_vc.to), out_vc.write
    cycle, following = t + out_vc.delay, slot_after(m, slot)
    lane[read] = t + lane.credit
    read = slot_after(m, read)
    lane.read = read
    lane.left -= 1
    out_vc.write = following
    out_vc.sent += 1
    to[slot] = at.FLIT + cycle
    announce(m, out_vc, slot, cycle, t)
    ready = to[following]
    lane.when = ready
    due_of(m, r)[b] = next_look(lane[read], ready)
