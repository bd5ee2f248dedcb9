"""What a due lane does that cannot just go on sending: wait for a credit, have its head routed, ask for an outlet.

The twins are `reference.router.Router.route` and `reference.router.Router.allocate_vcs`.
"""

from __future__ import annotations

from jumpnet._linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import stay_apart
from jumpnet.sim.memory.clock import after_stage
from jumpnet.sim.memory.rows import due_of, lane_at, lane_of, outlet_of, request_of
from jumpnet.sim.router.route_computation import route
from jumpnet.sim.router.vc_allocation import choose_outlet

__all__ = ["BIDS", "attend", "has_credit"]

BIDS = -1
"""What `attend` answers when the lane bids for the switch after all."""


@inlined
def has_credit(m, r, o, t):
    """Whether the next slot behind outlet o of router r is free for use."""
    outlet = outlet_of(m, r, o)
    return lane_at(m, outlet.to)[outlet.write] <= t


@inlined
def held_up(m, r, b, o, t, first):
    """Whether lane b has no credit yet, or no leave to look at a head; its next look is then set.

    A flit in the slot that it needs may leave in cycle `first`, where all routers stand at least, or later.
    """
    lane = lane_of(m, r, b)
    cycle = lane.when
    if o >= 0:
        outlet = outlet_of(m, r, o)
        to = lane_at(m, outlet.to)
        cycle = to[outlet.write]
        lane.when = cycle
        if cycle >= at.FLIT:
            cycle = max(first, cycle - at.FLIT) + to.credit
            if m.rich == 1:
                cycle = max(cycle, t + 1)  # credits may take longer than that, but none comes while the flit is there
    if cycle > t:
        due_of(m, r)[b] = cycle
    return cycle > t


@kernel
def attend(m, n, r, b, t, first):
    """Look at due lane b of router r: BIDS when it bids, else how many heads of the router ask for an outlet now.

    n heads ask so far; one more is written to the requests in `work`. A new head is routed; one without a free outlet
    that it may take is not due before one is.
    """
    stay_apart()
    lane = lane_of(m, r, b)
    o = lane.outlet
    if lane.when > t and held_up(m, r, b, o, t, first):
        return n
    if o >= 0:
        return BIDS
    if o == at.IDLE:
        route(m, r, b, t)
        lane.outlet = at.WAITING
        due_of(m, r)[b] = after_stage(m, t, m.rd)
        if m.rd > 0:
            return n
    wanted = choose_outlet(m, r, b, t)
    if wanted >= 0:
        request = request_of(m, n)
        request.lane, request.outlet = b, wanted
        return n + 1
    if wanted == at.NONE_FREE:
        due_of(m, r)[b] = at.NO_OUTLET
    return n
