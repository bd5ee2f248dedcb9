"""The pipeline of one router in one cycle, with any switch allocator: its bids are listed, granted and carried out.

What each stage does is in a file of its own, in the order of the stages:

    route computation            heads (which lanes it is time for), route_computation; branch_routes for multicasts
    virtual-channel allocation   vc_allocation, input first; vc_matching where output VCs choose, and for wavefronts
    switch allocation            switch_allocation; wavefront; speedup where there are speed-ups or held connections
    switch traversal             switch_traversal

`cycle` goes through it where neither sets nor lists of lanes serve; the twin is `reference.router.Router`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import lowest, not_after
from jumpnet.sim.memory.branches import groups_of, own_lane
from jumpnet.sim.memory.clock import after_stage, cycle_of
from jumpnet.sim.memory.instructions import stay_apart
from jumpnet.sim.memory.packets import order_of
from jumpnet.sim.memory.rows import bid_of, counters_at, due_of, lane_of, request_of
from jumpnet.sim.router.branch_routes import route_heads
from jumpnet.sim.router.heads import BIDS, attend, has_credit
from jumpnet.sim.router.speedup import GOES_ON, STAYS, has_room, mark_bids, switch_input, switch_output
from jumpnet.sim.router.switch_allocation import allocate_switch, granted
from jumpnet.sim.router.switch_traversal import traverse
from jumpnet.sim.router.vc_allocation import grant_out_vcs
from jumpnet.sim.router.vc_matching import match_out_vcs
from jumpnet.sim.router.wavefront import sweep_switch

__all__ = ["step"]


@inlined
def bid(m, n, r, b, o, later):
    """Make a bid of lane b for output VC o, after n others; `later`: behind all bids that do not speculate."""
    made = bid_of(m, n)
    made.lane, made.out_vc = b, o
    made.input, made.output = m.port_of[own_lane(m, b)], m.port_of[o]
    if m.has_speedup == 1:
        made.input, made.output = switch_input(m, b), switch_output(m, b, o)
    made.rank = at.LATER if later else 0
    if m.priority > 0:
        made.rank += order_of(m, lane_of(m, r, b).packet) * at.AGE_UNIT


@inlined
def look(m, r, t, first):
    """List what the due lanes of router r ask for: how many bid for the switch, how many heads ask for an output VC,
    and whether any lane is due now, or will be without another router's doing."""
    bids, asking, ahead = 0, 0, 0
    for group in range(groups_of(m, r)):
        cells = r * m.cells + group * at.CELLS
        word = not_after(m.due, cells, t)
        ahead |= not_after(m.due, cells, at.NO_OUT_VC - 1)
        while word != 0:
            b = group * at.CELLS + lowest(word)
            word &= word - 1
            found = attend(m, asking, r, b, t, first)
            if found == BIDS:
                o = lane_of(m, r, b).out_vc
                if m.has_speedup == 0 or has_room(m, r, o, t):
                    bid(m, bids, r, b, o, False)
                    bids += 1
            else:
                asking = found
    return bids, asking, ahead != 0


@kernel
def bid_at_once(m, r, bids, asking, t):
    """Bids in the cycle of virtual-channel allocation (va = 0): of winners, and of losers that had speculated.

    How many bids there are then, `bids` before.
    """
    for k in range(asking):
        request = request_of(m, k)
        if request.out_vc >= 0:
            if has_credit(m, r, request.out_vc, t) and (m.has_speedup == 0 or has_room(m, r, request.out_vc, t)):
                bid(m, bids, r, request.lane, request.out_vc, m.speculation == 1)
                bids += 1
        elif m.speculation == 1:
            bid(m, bids, r, request.lane, -1 - request.out_vc, True)
            bids += 1
    return bids


@inlined
def place_in_order(m, k):
    """What bids are sorted by: their lanes, those of branches of one lane by output VC."""
    made = bid_of(m, k)
    return own_lane(m, made.lane) * m.out_vcs + made.out_vc if m.forks == 1 else made.lane


@kernel
def in_order_of_lanes(m, bids):
    """Sort bids by lane (insertion sort: two sorted runs)."""
    for k in range(1, bids):
        i = k
        while i > 0 and place_in_order(m, i - 1) > place_in_order(m, i):
            start = at.REQUEST_FIELDS * m.work_rows + at.BID_FIELDS * i
            for x in range(start, start + at.BID_FIELDS):
                m.work[x - at.BID_FIELDS], m.work[x] = m.work[x], m.work[x - at.BID_FIELDS]
            i -= 1


@inlined
def send(m, r, b, t):
    """Something moves: the flit at the front of lane b of router r."""
    counter = counters_at(m, 0)
    counter.moved = max(counter.moved, cycle_of(m, t))
    traverse(m, r, b, t)


@kernel
def carry_on(m, r, bids, t):
    """Send the flits of lanes that hold a connection and can go on, and leave out the bids that meet a held one.

    How many bids there are then, in the same order.
    """
    mark_bids(m, r, bids)
    kept = 0
    for k in range(bids):
        one, to = bid_of(m, k), bid_of(m, kept)
        if one.status == GOES_ON:
            send(m, r, one.lane, t)
        elif one.status == STAYS:
            to.lane, to.out_vc, to.rank, to.input, to.output = one.lane, one.out_vc, one.rank, one.input, one.output
            kept += 1
    return kept


@kernel
def step(m, r, t, first):
    """Router r in step t; whether it will have something to do without another router's doing.

    All routers of the network have done their steps before `first`, and some those from then on.
    """
    stay_apart()
    if m.forks == 1:
        route_heads(m, r, t)
    bids, asking, ahead = look(m, r, t, first)
    if asking > 0:
        if m.vc_allocator == at.INPUT_FIRST:
            grant_out_vcs(m, r, asking, t)
        else:
            match_out_vcs(m, r, asking, t)
        if m.va == 0:
            bids = bid_at_once(m, r, bids, asking, t)
    if (asking > 0 and m.va == 0) or m.forks == 1:
        in_order_of_lanes(m, bids)
    if m.hold == 1:
        bids = carry_on(m, r, bids, t)
    if m.sa_batch > 1 and bids > 0 and lane_of(m, r, bid_of(m, 0).lane).when == at.GRANTED:
        for i in range(bids):
            send(m, r, bid_of(m, i).lane, t)
        return ahead
    grants = sweep_switch(m, r, bids) if m.sweeps == 1 else allocate_switch(m, r, bids, t)
    for i in range(grants):
        won = granted(m, i)
        if m.sa_batch > 1:
            lane_of(m, r, won.lane).when = at.GRANTED
            due_of(m, r)[won.lane] = after_stage(m, t, m.sa_batch) - 1
        elif m.speculation == 0 or lane_of(m, r, won.lane).out_vc == won.out_vc:  # else the grant is lost
            send(m, r, won.lane, t)
    return ahead
