"""Heads in routers that are kept as sets: route computation, the request for an output VC, and what its grant changes.

The same stages as in `router.heads`, which serves routers kept as rows; routing and grants are the same code. Called by
`sets.pipeline` and `sets.packet_ends`; the twins are `reference.Router.route` and `reference.Router.allocate_vcs`.
"""

from __future__ import annotations

from jumpnet._linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import drop, has, note_at, note_in, put, put_count
from jumpnet.sim.memory.bits import lowest, prefetch, stay_apart
from jumpnet.sim.memory.prefetch import MANY_ROUTERS, first_wanted
from jumpnet.sim.memory.rows import due_of, lane_of, out_vc_of, side_of, transfer_of
from jumpnet.sim.router.route_computation import route
from jumpnet.sim.router.switch_allocation import rank
from jumpnet.sim.router.vc_allocation import choose_out_vc, grant_out_vcs

__all__ = ["hold", "look", "open_lanes", "route_heads"]


@inlined
def set_to(m, r, row, b, member):
    """Put b into a set of router r, or take it out."""
    if member:
        put(m, r, row, b)
    else:
        drop(m, r, row, b)


@inlined
def current_turns(m, r, port):
    """Output and virtual channel that go first at an input port of router r now."""
    last = port * m.vcs
    while not has(m, r, at.S_LAST, last):
        last += 1
    lane, output = lane_of(m, r, last), m.turn[r * m.turn_row + 2 * port]
    if lane.left > 0:  # it won last for the packet that it has now
        output = side_of(m, lane.out_vc).next_output
    return output, side_of(m, last).next_vc


@kernel
def settle_after(m, r, first):
    """Of the lanes from `first` on, all of an input port: who goes before whom after another one has won."""
    for w in range(m.vcs):
        o = lane_of(m, r, first + w).out_vc
        if o < 0:
            continue
        output, vc = side_of(m, o).next_output, side_of(m, first + w).next_vc
        for e in range(2, m.vcs):
            for d in range(1, e):
                b, c = first + (w + d) % m.vcs, first + (w + e) % m.vcs
                mine, other = lane_of(m, r, b).out_vc, lane_of(m, r, c).out_vc
                if mine >= 0 and other >= 0:
                    goes = rank(m, b, mine, output, vc) < rank(m, c, other, output, vc)
                    set_to(m, r, m.after + ((e - 1) * (e - 2) >> 1) + d - 1, first + w, goes)


@kernel
def settle_order(m, r, b):
    """Work out whether lane b, which has a new output VC, goes before the others of its input port that hold one."""
    port = m.port_of[b]
    first, mine = port * m.vcs, lane_of(m, r, b).out_vc
    rivals = 0
    for d in range(1, m.vcs):
        c = b + d if b + d < first + m.vcs else b + d - m.vcs
        other = lane_of(m, r, c).out_vc
        if other >= 0:
            rivals += 1
            output, vc = current_turns(m, r, port)
            goes = rank(m, b, mine, output, vc) < rank(m, c, other, output, vc)
            set_to(m, r, m.before + d - 1, b, goes)
            set_to(m, r, m.before + m.vcs - d - 1, c, not goes)
    if rivals > 1:
        settle_after(m, r, first)


@kernel
def hold(m, r, b, o):
    """Lane b of router r bids for output VC o from now on."""
    transfer, out_vc, left = transfer_of(m, r, b), out_vc_of(m, r, o), lane_of(m, r, b).left
    if left < 0:
        put(m, r, at.S_FRESH, b)
    left = abs(left)
    put_count(m, r, m.left, b, left)
    put(m, r, m.holder + o, b)
    delay, far = out_vc.delay, out_vc.to_router
    if o < m.link_out_vcs:
        to = note_at(m, far, m.came, delay, out_vc.to_cell - far * m.cells)
    else:
        to = note_at(m, r, m.credited, delay + 1 + m.terminal_link + m.credit, o)
    transfer.to, transfer.place, transfer.taken = to, out_vc.to << at.SLOT_SHIFT | out_vc.write, left
    if m.vcs > 1:
        settle_order(m, r, b)


@kernel
def route_heads(m, r, lanes):
    """Route the heads of those lanes of router r that have none of their packet's output VCs yet."""
    while lanes != 0:
        b = lowest(lanes)
        lanes &= lanes - 1
        lane = lane_of(m, r, b)
        if lane.out_vc == at.IDLE:
            route(m, r, b, 0)  # no start hook looks at queues here
            lane.out_vc = at.WAITING
            if m.routers >= MANY_ROUTERS:
                prefetch(m.out_vc, first_wanted(m, r, b))


@inlined
def look_at(m, asking, r, b, t):
    """What the head of lane b does now: how many heads of router r ask for an output VC, `asking` before."""
    o = lane_of(m, r, b).out_vc
    if o >= 0:
        hold(m, r, b, o)
        return asking
    wanted = choose_out_vc(m, r, b, t)
    if wanted < 0:
        due_of(m, r)[b] = at.NO_OUT_VC
        put(m, r, at.S_WAITING, b)
        return asking
    m.work[2 * asking] = b
    m.work[2 * asking + 1] = wanted
    return asking + 1


@kernel
def look(m, r, lanes, t, opening):
    """Look at the heads of some lanes of router r, and grant output VCs; how many lanes `flow` lists, `opening` before.

    Listed are those that bid from the next cycle on.
    """
    stay_apart()
    asking = 0
    while lanes != 0:
        asking = look_at(m, asking, r, lowest(lanes), t)
        lanes &= lanes - 1
    if asking > 0:
        grant_out_vcs(m, r, asking, t)
    for k in range(asking):
        b, o = m.work[2 * k], m.work[2 * k + 1]
        if o < 0:
            note_in(m, r, m.looks, t + 1, b)
        elif m.va == 0:
            hold(m, r, b, o)
        elif m.va == 1:
            m.flow[opening] = r << at.LANE_SHIFT | b
            opening += 1
        else:
            note_in(m, r, m.looks, t + m.va, b)
    return opening


@inlined
def open_lanes(m, opening):
    """The first lanes that `flow` lists bid from the next cycle on."""
    for k in range(opening):
        r, b = m.flow[k] >> at.LANE_SHIFT, m.flow[k] & at.LANE_NUMBER
        hold(m, r, b, lane_of(m, r, b).out_vc)
