"""What a due lane does that cannot just go on sending: wait for a credit, have its head routed, ask for an outlet.

Called by `router.lists` and `router.pipeline`; the twins are `reference.Router.route` and
`reference.Router.allocate_vcs`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import stay_apart
from jumpnet.sim.memory.record import inlined, kernel
from jumpnet.sim.router.route_computation import route
from jumpnet.sim.router.vc_allocation import choose_outlet

__all__ = ["BIDS", "attend", "has_credit"]

BIDS = -1
"""What `attend` answers when the lane bids for the switch after all."""


@inlined
def next_slot(m, r, o):
    """The slot of the next flit that goes through outlet o of router r: (place in `lane`, row of that lane)."""
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    to = m.outlet[outlet + at.TO]
    return to + at.LANE_FIELDS + m.outlet[outlet + at.WRITE], to


@inlined
def has_credit(m, r, o, t):
    """Whether the next slot behind outlet o of router r is free for use."""
    place, _ = next_slot(m, r, o)
    return m.lane[place] <= t


@inlined
def held_up(m, r, b, o, t, first):
    """Whether lane b has no credit yet, or no leave to look at a head; its next look is then set.

    A flit in the slot that it needs may leave in cycle `first`, where all routers stand at least, or later.
    """
    row = (r * m.lanes + b) * m.lane_stride
    cycle = m.lane[row + at.WHEN]
    if o >= 0:
        place, to = next_slot(m, r, o)
        cycle = m.lane[place]
        m.lane[row + at.WHEN] = cycle
        if cycle >= at.FLIT:
            cycle = max(first, cycle - at.FLIT) + m.lane[to + at.CREDIT]
    if cycle > t:
        m.due[r * m.cells + b] = cycle
    return cycle > t


@kernel
def attend(m, n, r, b, t, first):
    """Look at due lane b of router r: BIDS when it bids, else how many heads of the router ask for an outlet now.

    n heads ask so far. A new head is routed; one without a free outlet that it may take is not due before one is.
    """
    stay_apart()
    row = (r * m.lanes + b) * m.lane_stride
    o = m.lane[row + at.OUTLET]
    if m.lane[row + at.WHEN] > t and held_up(m, r, b, o, t, first):
        return n
    if o >= 0:
        return BIDS
    if o == at.IDLE:
        route(m, r, b)
        m.lane[row + at.OUTLET] = at.WAITING
        m.due[r * m.cells + b] = t + m.rd
        if m.rd > 0:
            return n
    wanted = choose_outlet(m, r, b, t)
    if wanted >= 0:
        m.work[2 * n] = b
        m.work[2 * n + 1] = wanted
        return n + 1
    if wanted == at.NONE_FREE:
        m.due[r * m.cells + b] = at.NO_OUTLET
    return n
