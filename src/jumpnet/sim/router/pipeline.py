"""The pipeline of one router in one cycle, with any switch allocator: its bids are listed, granted and carried out.

Called by `cycle` where `router.lists` does not serve: several iterations, other allocators, speculation, or more lanes
than a word has bits.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import lowest, not_after, stay_apart
from jumpnet.sim.memory.branches import groups_of, lane_of
from jumpnet.sim.memory.record import inlined, kernel
from jumpnet.sim.router.branch_routes import route_heads
from jumpnet.sim.router.heads import BIDS, attend, has_credit
from jumpnet.sim.router.switch_allocation import allocate_switch
from jumpnet.sim.router.switch_traversal import traverse
from jumpnet.sim.router.vc_allocation import grant_outlets

__all__ = ["step"]


@inlined
def bid(m, n, r, b, o, later):
    """Append a bid of lane b for the switch."""
    part = m.part
    m.work[at.BID_LANE * part + n] = b
    m.work[at.BID_OUTLET * part + n] = o
    if m.ranked == 1:
        rank = at.LATER if later else 0
        if m.allocator == at.AGE:
            rank += m.packet[m.lane[(r * m.lanes + b) * m.lane_stride + at.PACKET] + at.CREATED] * at.AGE_UNIT
        m.work[at.BID_CLASS * part + n] = rank


@inlined
def look(m, r, t, first):
    """List what the due lanes of router r ask for: how many bid for the switch, how many heads ask for an outlet, and
    whether any lane is due now, or will be without another router's doing."""
    bids, asking, ahead = 0, 0, 0
    for group in range(groups_of(m, r)):
        cells = r * m.cells + group * at.CELLS
        word = not_after(m.due, cells, t)
        ahead |= not_after(m.due, cells, at.NO_OUTLET - 1)
        while word != 0:
            b = group * at.CELLS + lowest(word)
            word &= word - 1
            found = attend(m, asking, r, b, t, first)
            if found == BIDS:
                bid(m, bids, r, b, m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET], False)
                bids += 1
            else:
                asking = found
    return bids, asking, ahead != 0


@kernel
def bid_at_once(m, r, bids, asking, t):
    """Bids in the cycle of virtual-channel allocation (va = 0): of winners, and of losers that had speculated."""
    for k in range(asking):
        b, o = m.work[2 * k], m.work[2 * k + 1]
        if o >= 0:
            if has_credit(m, r, o, t):
                bid(m, bids, r, b, o, m.speculation == 1)
                bids += 1
        elif m.speculation == 1:
            bid(m, bids, r, b, -1 - o, True)
            bids += 1
    return bids


@inlined
def place_in_order(m, k):
    """What bids are sorted by: their lanes, those of branches of one lane by outlet."""
    b = m.work[at.BID_LANE * m.part + k]
    return lane_of(m, b) * m.outlets + m.work[at.BID_OUTLET * m.part + k] if m.forks == 1 else b


@kernel
def in_order_of_lanes(m, bids):
    """Sort bids by lane (insertion sort: two sorted runs)."""
    part = m.part
    for k in range(1, bids):
        i = k
        while i > 0 and place_in_order(m, i - 1) > place_in_order(m, i):
            for field in (at.BID_LANE, at.BID_OUTLET, at.BID_CLASS):
                one, two = field * part + i - 1, field * part + i
                m.work[one], m.work[two] = m.work[two], m.work[one]
            i -= 1


@kernel
def step(m, r, t, first):
    """Router r in cycle t; whether it will have something to do without another router's doing."""
    stay_apart()
    route_heads(m, r, t)
    bids, asking, ahead = look(m, r, t, first)
    if asking > 0:
        grant_outlets(m, r, asking, t)
        if m.va == 0:
            bids = bid_at_once(m, r, bids, asking, t)
    if (asking > 0 and m.va == 0) or m.forks == 1:
        in_order_of_lanes(m, bids)
    for i in range(allocate_switch(m, r, bids)):
        k = m.work[at.GRANT * m.part + i]
        b, o = m.work[at.BID_LANE * m.part + k], m.work[at.BID_OUTLET * m.part + k]
        if m.speculation == 1 and m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET] != o:
            m.counter[at.C_WASTED] += 1
            continue
        m.counter[at.C_MOVED] = max(m.counter[at.C_MOVED], t)
        traverse(m, r, b, t)
    return ahead
