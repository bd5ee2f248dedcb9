"""The pipelines of 64 neighbouring routers in one cycle, where each router is kept as a few sets of lanes.

Most of what a router decides is a question about its lanes: which have a flit, which a credit, which conflict. As sets
in single words these are answered for all lanes at once, and with vectors of words for sixteen routers at once, without
a branch. What is left to do one by one is to move the flits that won: each is noted in a set of the next router, each
credit in one of the router before. All else reads rows (`memory.layout`): `conversion` makes sets of them and writes
back what has changed when it is asked for (`Engine.memory`). Serves the runs that `packing` says; the results are those
of rows, bit for bit. Called by `cycle`; the twin is `reference.router.Router`.

Where each stage is:

    arrival of flits, credits    switch_allocation (`tally`)
    route computation            heads (`look_at_heads`, `route_by_queues`), with `router.route_computation`
    virtual-channel allocation   heads (`grant_some`), with `router.vc_allocation`; of many single flits vc_allocation
    switch allocation            switch_allocation (`pick`)
    switch traversal             here (`move`); packet_ends for what heads and tails change
"""

from jumpnet.jit.bits import lowest, one_if, pop_lowest, shifted
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import note
from jumpnet.sim.memory.rows import (
    counters_at,
    flits_of,
    heads_of,
    lane_of,
    out_vc_of,
    router_and_lane,
    slot_after,
    standing_of,
    transfer_of,
)
from jumpnet.sim.memory.standing import goes_by_stations
from jumpnet.sim.sets.heads import list_lanes, look_at_heads, route_by_queues, route_heads
from jumpnet.sim.sets.packet_ends import end_packet, end_single, start_packet
from jumpnet.sim.sets.slots import write_arrivals
from jumpnet.sim.sets.stations import end_way, next_standing
from jumpnet.sim.sets.switch_allocation import pick, tally, won_at
from jumpnet.sim.sets.vc_allocation import allocate_vcs, allocates_together, won_by
from jumpnet.sim.terminals.delivery import deliver

__all__ = ["advance_sets"]


@inlined
def move(m, r, b, t):
    """Move the flit of lane b of router r, which has won the switch.

    It is noted in the next router, its credit in the one before; slots are written by `conversion`.
    """
    transfer = transfer_of(m, r, b)
    note(m, transfer.to, t)
    note(m, transfer.back, t)


@inlined
def eject(m, r, b, t):
    """The flit of lane b of router r goes to a terminal."""
    lane = lane_of(m, r, b)
    is_single, left = lane.left == -1, abs(lane.left) - 1
    lane.left = left
    counters_at(m, 0).ejected += 1
    there = t + m.sa + m.st + m.terminal_link
    if not is_single:
        flits = flits_of(m, lane.packet)
        flits[left] = there - flits[left]
    if left == 0:
        deliver(m, lane.packet, there)
        end_packet(m, r, b, t)


@inlined
def send_single(m, r, b, o, by_link, t):
    """Move the flit of lane b of router r by output VC o, where all packets are single flits: by a link the head goes
    to the next lane, too, else to a terminal.
    """
    lane, out_vc = lane_of(m, r, b), out_vc_of(m, r, o)
    note(m, out_vc.owner, t)
    note(m, lane.left, t)
    slot = out_vc.write
    out_vc.write = (slot + 1) * one_if(slot + 1 < m.buffer)  # no branch
    out_vc.sent += 1
    if by_link:
        far = out_vc.to_router
        there = out_vc.to_cell - far * m.cells
        if goes_by_stations(m):
            standing = standing_of(m, r, b)[lane.read]
            standing_of(m, far, there)[slot] = next_standing(m, standing, far, there)
        else:
            heads_of(m, far, there)[slot] = lane.packet
    else:
        counters_at(m, 0).ejected += 1
        p = end_way(m, standing_of(m, r, b)[lane.read]) if goes_by_stations(m) else lane.packet
        deliver(m, p, t + m.sa + m.st + m.terminal_link)
    end_single(m, r, b, t)


@inlined
def won_out_vc(m, r, b, q, k):
    """The output VC of output q by which lane b of router r, the k-th of the 64 at work, has won."""
    if not allocates_together(m):
        return lane_of(m, r, b).out_vc
    o = q * m.vcs
    for v in range(1, m.vcs):
        o += v * one_if(m.sets[m.winners + 64 * won_by(m, q * m.vcs + v) + k] != 0)
    return o


@inlined
def send(m, first, q, routers, by_link, t):
    """Move the flits that won output q of some of the routers from `first` on, to other routers or to terminals."""
    while routers != 0:
        k, routers = pop_lowest(routers)
        r, b = first + k, lowest(m.sets[m.winners + 64 * q + k])
        if m.single == 1:
            send_single(m, r, b, won_out_vc(m, r, b, q, k), by_link, t)
            continue
        move(m, r, b, t)
        if not by_link:
            eject(m, r, b, t)


@inlined
def enter(m, first, routers, t):
    """Give back to the terminals of some routers the slots of those of their flits that have won."""
    while routers != 0:
        k, routers = pop_lowest(routers)
        r, lanes = first + k, m.sets[m.winners + 64 * (m.outputs + at.W_ENTERED) + k]
        while lanes != 0:
            lane = lane_of(m, r, lowest(lanes))
            lanes &= lanes - 1
            lane[lane.read] = t + lane.credit
            lane.read = slot_after(m, lane.read)


@inlined
def list_winners(m, first, kind):
    """List the lanes of 64 routers that won in one of the ways of `memory.layout`: how many."""
    routers = m.work[won_at(m, m.outputs + kind)]
    return list_lanes(m, first, routers, m.winners + 64 * (m.outputs + kind))


@inlined
def start_and_end(m, first, t):
    """What heads and tails do besides that won an output which leads to a router, a packet of one flit as both."""
    for i in range(list_winners(m, first, at.W_HEADS)):
        start_packet(m, *router_and_lane(m.flow[i]))
    for i in range(list_winners(m, first, at.W_TAILS)):
        end_packet(m, *router_and_lane(m.flow[i]), t)


@inlined
def serve_heads(m, first, groups, looks, t):
    """Route the heads that are due in some of 64 routers, and grant output VCs."""
    if allocates_together(m):
        route_heads(m, first, looks)
        for g in range(groups):
            allocate_vcs(m, (first >> 4) + g, 16 * g, t)
    else:
        look_at_heads(m, first, looks, t)


@kernel
def advance_sets(m, block, t):
    """Cycle t of 64 routers of this thread, the first ones when `block` is 0.

    Heads that get their output VC in no time bid for the switch in the same cycle, others do not; and none gets one
    that is given back in the same cycle.
    """
    first, rows = m.first_router + 64 * block, 16 * m.set_rows
    group = first >> 4
    groups = min(4, ((m.end_router + 15) >> 4) - group)
    looks = 0
    for g in range(groups):
        looks |= shifted(tally(m, group + g, 16 * g, t), 16 * g)
    if m.by_queues == 1 and m.start_enters == 0:
        route_by_queues(m, first, groups, looks, t)
    if m.va == 0:
        serve_heads(m, first, groups, looks, t)
    for k in range(m.outputs + at.W_LOOKS):
        m.work[won_at(m, k)] = 0
    for g in range(groups):
        pick(m, (group + g) * rows, 16 * g)
    if m.va > 0:
        serve_heads(m, first, groups, looks, t)
    moved = 0
    for q in range(m.link_outputs):
        moved |= m.work[won_at(m, q)]
        send(m, first, q, m.work[won_at(m, q)], True, t)
    for q in range(m.link_outputs, m.outputs):
        moved |= m.work[won_at(m, q)]
        send(m, first, q, m.work[won_at(m, q)], False, t)
    if moved != 0:
        counters_at(m, 0).moved = max(counters_at(m, 0).moved, t)
    enter(m, first, m.work[won_at(m, m.outputs + at.W_ENTERED)], t)
    if m.single == 0:
        start_and_end(m, first, t)
    if (t + 1) & (at.KEPT_CYCLES - 1) == 0:
        write_arrivals(m, first, min(first + 64, m.end_router), t + 1)
