"""The pipeline of one router in one cycle, with any switch allocator: its bids are listed, granted and carried out.

What each stage does is in a file of its own, in the order of the stages:

    route computation            heads (which lanes it is time for), route_computation; branch_routes for multicasts
    virtual-channel allocation   vc_allocation, input first; vc_matching where output VCs choose, and for wavefronts
    switch allocation            switch_allocation; wavefront; speedup where there are speed-ups or held connections
    switch traversal             switch_traversal

`cycle` goes through it where neither sets nor lists of lanes serve; the twin is `reference.router.Router`.
"""

from jumpnet.jit.bits import bit64, lowest, not_after, rest
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.branches import groups_of, own_lane
from jumpnet.sim.memory.clock import after_stage, cycle_of
from jumpnet.sim.memory.rows import bid_of, counters_at, due_of, free_of, lane_of, request_of, wants_of
from jumpnet.sim.router.branch_routes import route_heads
from jumpnet.sim.router.heads import BIDS, attend, has_credit
from jumpnet.sim.router.priority import order_at
from jumpnet.sim.router.speedup import has_room, switch_input, switch_output, take_back
from jumpnet.sim.router.switch_allocation import allocate_switch, granted
from jumpnet.sim.router.switch_traversal import traverse
from jumpnet.sim.router.vc_allocation import grant_out_vcs, takes
from jumpnet.sim.router.vc_matching import match_out_vcs
from jumpnet.sim.router.wavefront import sweep_switch

__all__ = ["get_out_vcs", "grant_switch", "step", "step_by"]


@inlined
def bid(m, n, r, b, o, later, t):
    """Make a bid of lane b for output VC o, after n others; `later`: behind all bids that do not speculate."""
    made = bid_of(m, n)
    made.lane, made.out_vc, made.lost = b, o, 0
    made.input, made.output = m.port_of[own_lane(m, b)], m.port_of[o]
    if m.has_speedup == 1:
        made.input, made.output = switch_input(m, b), switch_output(m, b, o)
    made.rank = at.LATER if later else 0
    if m.priority > 0:
        made.rank += order_at(m, r, b, t) * at.AGE_UNIT


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
                    bid(m, bids, r, b, o, False, t)
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
                bid(m, bids, r, request.lane, request.out_vc, m.speculation == 1, t)
                bids += 1
        elif m.speculation == 1:
            bid(m, bids, r, request.lane, -1 - request.out_vc, True, t)
            bids += 1
    return bids


@kernel
def bid_everywhere(m, r, bids, asking, t):
    """Bids of heads that ask for output VCs, before they get any: at each output where one of them is free and has a
    credit. How many bids there are then, `bids` before.

    By BookSim 2's rule, where a head may have two ranges of them: with `min_adapt`, whose escape may go another way.
    While one of its ranges has none with a credit, a head bids for the other, but its grant is lost.
    """
    stay_apart()
    for k in range(asking):
        b, port, first, ranges = request_of(m, k).lane, -1, bids, 0
        wants, escapes = wants_of(m, r, b), m.out_vc_words
        there = 0
        for w in range(m.out_vc_words):
            there |= int(wants[w] & ~wants[escapes + w] != 0) | int(wants[escapes + w] != 0) << 1
        for w in range(m.out_vc_words):
            word = (wants[w] | wants[m.out_vc_words + w]) & free_of(m, r)[w]
            while word != 0:
                o = w * 64 + lowest(word)
                word = rest(word)
                if not takes(m, r, b, o, 1, t) or not has_credit(m, r, o, t):
                    continue
                ranges |= 1 + int(wants[escapes + w] & bit64(o) != 0)
                if m.port_of[o] != port:
                    port = m.port_of[o]
                    bid(m, bids, r, b, o, True, t)
                    bids += 1
        if m.two_ranges == 1 and ranges != there:
            for x in range(first, bids):
                bid_of(m, x).lost = 1
    return bids


@inlined
def can_go(m, r, won, t):
    """Whether what is granted leads to the output VC of its lane; else the grant is lost."""
    o = lane_of(m, r, won.lane).out_vc
    if m.bids_everywhere == 0:
        return o == won.out_vc
    return won.lost == 0 and o >= 0 and m.port_of[o] == won.output and has_credit(m, r, o, t)


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
    take_back(m, r, bids)
    kept = 0
    for k in range(bids):
        one, to = bid_of(m, k), bid_of(m, kept)
        if one.status == one.lane + 1:
            send(m, r, one.lane, t)
        elif one.status == 0:
            to.lane, to.out_vc, to.rank, to.input, to.output = one.lane, one.out_vc, one.rank, one.input, one.output
            kept += 1
    return kept


@kernel
def get_out_vcs(m, r, asking, t):
    """Virtual-channel allocation for the first `asking` requests in `work`."""
    if m.vc_allocator == at.INPUT_FIRST:
        grant_out_vcs(m, r, asking, t)
    else:
        match_out_vcs(m, r, asking, t)


@kernel
def grant_switch(m, r, bids, t):
    """Switch allocation among so many bids: the number of grants."""
    return sweep_switch(m, r, bids) if m.sweeps == 1 else allocate_switch(m, r, bids, t)


@inlined
def step_by(m, r, t, first, get_out_vcs, grant_switch):
    """`step` with what allocates output VCs, and the switch."""
    if m.forks == 1:
        route_heads(m, r, t)
    bids, asking, ahead = look(m, r, t, first)
    if asking > 0:
        if m.bids_everywhere == 1:
            bids = bid_everywhere(m, r, bids, asking, t)
        get_out_vcs(m, r, asking, t)
        if m.va == 0 and m.bids_everywhere == 0:
            bids = bid_at_once(m, r, bids, asking, t)
    if (asking > 0 and m.va == 0) or m.forks == 1:
        in_order_of_lanes(m, bids)
    if m.hold == 1:
        bids = carry_on(m, r, bids, t)
    if m.sa_batch > 1 and bids > 0 and lane_of(m, r, bid_of(m, 0).lane).when == at.GRANTED:
        for i in range(bids):
            send(m, r, bid_of(m, i).lane, t)
        return ahead
    for i in range(grant_switch(m, r, bids, t)):
        won = granted(m, i)
        if m.sa_batch > 1:
            lane_of(m, r, won.lane).when = at.GRANTED
            due_of(m, r)[won.lane] = after_stage(m, t, m.sa_batch) - 1
        elif m.speculation == 0 or can_go(m, r, won, t):
            send(m, r, won.lane, t)
    return ahead


@kernel
def step(m, r, t, first):
    """Router r in step t; whether it will have something to do without another router's doing.

    All routers of the network have done their steps before `first`, and some those from then on.
    """
    stay_apart()
    return step_by(m, r, t, first, get_out_vcs, grant_switch)
