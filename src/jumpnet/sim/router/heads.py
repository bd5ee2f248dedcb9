"""What a due lane does that cannot just go on sending: wait for a credit, have its head routed, ask for an output VC.

The twins are `reference.router.Router.route` and `reference.router.Router.allocate_vcs`.
"""

from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.clock import after_stage, begins
from jumpnet.sim.memory.rows import due_of, lane_at, lane_of, out_vc_of, request_of
from jumpnet.sim.memory.shared_buffers import out_vc_full
from jumpnet.sim.router.route_computation import chooses_late, find_candidates, take_head
from jumpnet.sim.router.vc_allocation import choose_out_vc

__all__ = ["BIDS", "attend", "has_credit"]

BIDS = -1
"""What `attend` answers when the lane bids for the switch after all."""


@inlined
def has_credit(m, r, o, t):
    """Whether the next slot behind output VC o of router r is free for use; of a shared buffer, any."""
    if m.sharing > 0:
        return not out_vc_full(m, r, o, t)
    out_vc = out_vc_of(m, r, o)
    return lane_at(m, out_vc.to)[out_vc.write] <= t


@inlined
def held_up(m, r, b, o, t, first):
    """Whether lane b has no credit yet, or no leave to look at a head; its next look is then set.

    A flit in the slot that it needs may leave in cycle `first`, where all routers stand at least, or later.
    """
    lane = lane_of(m, r, b)
    cycle = lane.when
    if o >= 0:
        out_vc = out_vc_of(m, r, o)
        to = lane_at(m, out_vc.to)
        cycle = to[out_vc.write]
        lane.when = cycle
        if cycle >= at.FLIT:
            cycle = max(first, cycle - at.FLIT) + to.credit
            if m.has_speedup == 1:
                cycle = max(cycle, t + 1)  # credits may take longer than that, but none comes while the flit is there
    if cycle > t:
        due_of(m, r)[b] = cycle
    return cycle > t


@inlined
def waits(m, r, b, stage, cycles, t):
    """Whether lane b, which is ready for a stage in step t, does not begin it yet; its next look is then set."""
    begin = begins(m, r, stage, cycles, t)
    if begin > t:
        due_of(m, r)[b] = begin
    return begin > t


@kernel
def attend(m, n, r, b, t, first):
    """Look at due lane b of router r: BIDS when it bids, else how many heads of the router ask for an output VC now.

    n heads ask so far; one more is written to the requests in `work`. A new head is routed, in the last step of route
    computation where its routing looks at queues; one without a free output VC that it may take is not due before one
    is.
    """
    stay_apart()
    lane = lane_of(m, r, b)
    o = lane.out_vc
    if (m.sa_batch > 1 or m.sharing > 0) and o >= 0:
        if m.sa_batch > 1 and lane.when != at.GRANTED and waits(m, r, b, at.SWITCH_ALLOCATION, m.sa_batch, t):
            return n
        due_of(m, r)[b] = t + 1  # it is in the queue, with or without a credit
        return BIDS if has_credit(m, r, o, t) else n
    if lane.when > t and held_up(m, r, b, o, t, first):
        return n
    if o >= 0:
        return BIDS
    if o == at.IDLE:
        if m.in_batches == 1 and waits(m, r, b, at.ROUTING, m.rd, t):
            return n
        take_head(m, r, b)
        due_of(m, r)[b] = after_stage(m, t, m.rd)
        if chooses_late(m):
            lane.out_vc = at.CHOOSING
            due_of(m, r)[b] -= 1
            return n
        find_candidates(m, r, b, t)
        lane.out_vc = at.WAITING
        if m.rd > 0:
            return n
    elif o == at.CHOOSING:
        find_candidates(m, r, b, t)
        lane.out_vc = at.WAITING
        due_of(m, r)[b] = t + 1
        return n
    if m.in_batches == 1 and waits(m, r, b, at.VC_ALLOCATION, m.va, t):
        return n
    wanted = choose_out_vc(m, r, b, t)
    if wanted >= 0:
        request = request_of(m, n)
        request.lane, request.out_vc = b, wanted
        return n + 1
    if wanted == at.NONE_FREE and (m.in_batches == 0 or m.va < 2):
        due_of(m, r)[b] = at.NO_OUT_VC
    return n
