"""Heads and tails that pass the switch of a router kept as sets: the channel is given back, waiting heads are woken.

What `router.switch_traversal.traverse` does for routers kept as rows, but for the flit itself (`sets.pipeline.move`).
Called by `sets.pipeline`; the twin is `reference.router.Router.traverse`.
"""

from jumpnet.jit.bits import bit64, one_if, pop_lowest
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import drop, note_in, word_at
from jumpnet.sim.memory.rows import heads_of, lane_of, out_vc_of, wants_of
from jumpnet.sim.sets.vc_allocation import allocates_together

__all__ = ["end_packet", "end_single", "later", "start_packet"]


@inlined
def later(m, slot, flits):
    """The slot so many flits after another one, for any number of them."""
    slot += flits
    while slot >= m.buffer:
        slot -= m.buffer
    return slot


@inlined
def start_packet(m, r, b):
    """The head of lane b is on its way to a router, which finds the packet with it."""
    lane = lane_of(m, r, b)
    lane.left = -lane.left
    out_vc = out_vc_of(m, r, lane.out_vc)
    far = out_vc.to_router
    heads_of(m, far, out_vc.to_cell - far * m.cells)[out_vc.write] = lane.packet


@kernel
def wake_heads(m, r, o, waiting, t):
    """Of some waiting lanes of router r those whose heads want output VC o are looked at in the next cycle."""
    while waiting != 0:
        b, waiting = pop_lowest(waiting)
        wants = wants_of(m, r, b)
        if (wants[o >> 6] | wants[(o >> 6) + m.out_vc_words]) & bit64(o) != 0:
            drop(m, r, at.S_WAITING, b)
            drop(m, r, at.S_ROOM, b)
            note_in(m, r, m.looks, t + 1, b)


@inlined
def give_back(m, r, o, t):
    """Output VC o of router r is free again: heads that wait for it are looked at in the next cycle.

    Those that wait for room may have it there already, but not where a packet needs all of it, as a flit has just left.
    """
    m.free[r * m.out_vc_words + (o >> 6)] |= bit64(o)
    waiting = m.sets[word_at(m, r, at.S_WAITING)]
    if m.cut_through == 1:
        waiting |= m.sets[word_at(m, r, at.S_ROOM)]
    if waiting != 0:
        wake_heads(m, r, o, waiting, t)


@kernel
def end_packet(m, r, b, t):
    """The tail of lane b has left: the lane is idle, as its set says since `pick`, and its output VC free."""
    lane = lane_of(m, r, b)
    o, taken = lane.out_vc, lane.when
    out_vc = out_vc_of(m, r, o)
    out_vc.write = later(m, out_vc.write, taken)
    out_vc.sent += taken
    if b < m.link_inputs * m.vcs:
        lane.read = later(m, lane.read, taken)
    lane.out_vc, lane.left, lane.when = at.IDLE, 0, t + m.sa
    give_back(m, r, o, t)


@inlined
def end_single(m, r, b, t):
    """`end_packet`, where all packets are single flits and `sets.pipeline.move_single` has moved this one."""
    lane = lane_of(m, r, b)
    o, read = lane.out_vc, lane.read
    following = (read + 1) * one_if(read + 1 < m.buffer)
    lane.read = following if b < m.link_inputs * m.vcs else read  # no branch
    if not allocates_together(m):  # which finds it by its sets
        lane.out_vc = at.IDLE
        give_back(m, r, o, t)
