"""From rows to sets and back, before `sets.pipeline` and when rows are asked for; how many flits sets hold.

`pack` reads the rows as they stand before cycle t, `unpack` writes back what has changed by then. Slots between
routers are not written meanwhile: how many flits and credits there are, and when those on their way come, is in the
sets. For what came long ago any cycle of the past will do. Called by `cycle`.
"""

from jumpnet.jit.bits import bit, count, lowest, member, not_after, pop_lowest
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import count_at, has, note_at, note_in, put, put_count, word_at
from jumpnet.sim.memory.outbox import owner_of
from jumpnet.sim.memory.rows import due_of, lane_at, lane_of, out_vc_of, stage_of, transfer_of, turns_of
from jumpnet.sim.memory.standing import goes_by_stations
from jumpnet.sim.memory.threads import meet
from jumpnet.sim.router.route_computation import chooses_late, route, take_head
from jumpnet.sim.router.switch_traversal import next_look
from jumpnet.sim.sets.heads import bid_for, put_holder
from jumpnet.sim.sets.packet_ends import later
from jumpnet.sim.sets.slots import forget_arrivals, write_arrivals
from jumpnet.sim.sets.stations import settle
from jumpnet.sim.sets.vc_allocation import allocates_together, held_by

__all__ = ["count_flits", "pack", "unpack"]

NEVER = (1 << 31) - 1


@inlined
def slots_until(m, row, first, cycle):
    """Which of 16 numbers of a lane's row, from number `first` on, are slots that hold that cycle or a lower one."""
    numbers = not_after(m.lane, row + first, cycle) & (1 << min(16, at.LANE_FIELDS + m.buffer - first)) - 1
    return numbers if first > 0 else numbers >> at.LANE_FIELDS << at.LANE_FIELDS


@inlined
def keep_back(m, r, b, note):
    """Keep the note of a credit of lane b of router r: in its transfer, or where packets are single flits in its row.

    Those of flits are in the rows of output VCs.
    """
    if m.single == 1:
        lane_of(m, r, b).left = note
    else:
        transfer_of(m, r, b).back = note


@kernel
def pack_out_vcs(m, r, t):
    """Credits of the output VCs of router r, there and on their way; where flits and their credits are noted.

    Those of cycle t itself are on their way where a packet sees queues as it enters, before it.
    """
    by = max(t - 1, 0) if m.by_queues == 1 and m.start_enters == 1 else t
    for o in range(m.out_vcs):
        out_vc = out_vc_of(m, r, o)
        to = out_vc.to
        if to < 0:
            continue
        if o < m.link_out_vcs:
            far = out_vc.to_router
            b = out_vc.to_cell - far * m.cells
            back = note_at(m, owner_of(m, far), r, m.credited, lane_at(m, to).credit, o)
            keep_back(m, far, b, back)
            there = note_at(m, m.thread, far, m.came, out_vc.delay, b)
        else:
            cycles = out_vc.delay + 1 + m.terminal_link + m.credit
            there = note_at(m, m.thread, r, m.credited, cycles, o)
        out_vc.owner = there
        have = 0
        for k in range(0, at.LANE_FIELDS + m.buffer, 16):
            there = slots_until(m, to, k, by)
            have += count(there)
            coming = slots_until(m, to, k, at.FLIT - 1) & ~there
            while coming != 0:
                note_in(m, r, m.credited, m.lane[to + k + lowest(coming)], o)
                coming &= coming - 1
        put_count(m, r, m.credits, o, have)


@kernel
def pack_turns(m, r):
    """Whose turn it is at the ports of router r."""
    turn = r * m.turn_row
    for p in range(m.inputs):
        ports, output, vc = member(m.vcs) - 1 << p * m.vcs, m.turn[turn + 2 * p], m.turn[turn + 2 * p + 1]
        for q in range(output, m.outputs):
            m.sets[word_at(m, r, m.turn_output + q)] |= ports
        if vc > 0:
            m.sets[word_at(m, r, m.turn_vc)] |= ports & -member(p * m.vcs + vc)
    for q in range(m.outputs):
        first = m.turn[turn + 2 * m.inputs + q] * m.vcs
        m.sets[word_at(m, r, m.above + q)] = member(m.lanes) - member(first)


@kernel
def pack_vcs(m, r):
    """Which output VCs of router r are free, and who goes first there, where heads get theirs together."""
    m.sets[word_at(m, r, m.heads + at.H_FREE)] = m.free[r]
    for b in range(m.lanes):
        for o in range(lane_of(m, r, b).turn, m.out_vcs):
            put(m, r, m.turn_lane + o, b)
    for o in range(m.out_vcs):
        m.sets[word_at(m, r, m.above_vc + o)] = member(m.lanes) - member(out_vc_of(m, r, o).turn)


@inlined
def pack_head(m, r, b, due, t):
    """The head of lane b, which is or will be routed and has no output VC; due: when it asks for one."""
    if m.in_batches == 1 and t < due < at.NO_OUT_VC:
        put(m, r, m.at_routing, b)
    if due == at.NO_OUT_VC and not allocates_together(m):
        put(m, r, at.S_WAITING, b)
    else:
        note_in(m, r, m.looks, t if due == at.NO_OUT_VC else max(t, due), b)


@kernel
def pack_lane(m, r, b, t):
    """The flits of lane b, there and on their way, and what its packet does."""
    row, lane, flits, due = (r * m.lanes + b) * m.lane_stride, lane_of(m, r, b), 0, due_of(m, r)[b]
    for k in range(0, at.LANE_FIELDS + m.buffer, 16):
        by_now = slots_until(m, row, k, at.FLIT + t)
        flits += count(by_now & ~slots_until(m, row, k, at.FLIT - 1))
        coming = slots_until(m, row, k, NEVER) & ~by_now
        while coming != 0:
            note_in(m, r, m.came, m.lane[row + k + lowest(coming)] - at.FLIT, b)
            coming &= coming - 1
    put_count(m, r, m.flits, b, flits)
    if flits > 0:
        put(m, r, at.S_THERE, b)
    o = lane.out_vc
    if o >= 0 and allocates_together(m):
        put_holder(m, r, b, o)
        lane.out_vc = at.IDLE  # from now on the sets know it alone
        if m.va > 1 and t < due <= t + m.va:
            put(m, r, m.heads + at.H_LATE, b)
            note_in(m, r, m.looks, due, b)
    elif o >= 0:
        if (lane.left < 0 or m.single == 1) and t < due <= t + m.va:
            note_in(m, r, m.looks, due - 1, b)
        else:
            bid_for(m, r, b, o)
    elif o == at.WAITING or o == at.CHOOSING:
        pack_head(m, r, b, due + int(o == at.CHOOSING), t)
    else:
        put(m, r, at.S_IDLE, b)


@kernel
def pack(m, t):
    """Make sets of the rows of this thread's routers, which have done the cycles before t.

    Of each output VC at most one credit may be on its way for a cycle, as when one flit was read a cycle: a set cannot
    hold two, and the others would be lost until `unpack`.
    """
    row = m.set_rows * 16
    for i in range((m.first_router >> 4) * row, ((m.end_router + 15) >> 4) * row):
        m.sets[i] = 0
    forget_arrivals(m)
    if goes_by_stations(m):
        for i in range(m.routers * m.lanes * m.buffer):
            m.standing[i] = m.head[i] << at.STANDING_SHIFT
    for r in range(m.first_router, m.end_router):
        for b in range(m.lanes):
            keep_back(m, r, b, note_at(m, m.thread, r, m.nowhere, 0, b))
    meet(m)
    for r in range(m.first_router, m.end_router):
        pack_out_vcs(m, r, t)
        pack_turns(m, r)
        if allocates_together(m):
            pack_vcs(m, r)
        for b in range(m.lanes):
            pack_lane(m, r, b, t)
    meet(m)


@inlined
def bids_for(m, r, b, o):
    """Whether lane b of router r, which has output VC o, bids for it already."""
    return has(m, r, m.holder + o if allocates_together(m) else m.asks + m.port_of[o], b)


@kernel
def unpack_packet(m, r, b, o):
    """What the packet that holds output VC o has sent since it got its transfer."""
    lane, out_vc = lane_of(m, r, b), out_vc_of(m, r, o)
    left = count_at(m, r, m.left, m.left_bits, b)
    sent = lane.when - left
    if lane.left > 0:
        lane.left = left
    if b < m.link_inputs * m.vcs:
        lane.read = later(m, lane.read, sent)
    out_vc.write = later(m, out_vc.write, sent)
    out_vc.sent += sent


@kernel
def unpack_packets(m, r, t):
    """Who holds the output VCs of router r, and what its lanes have sent of their packets before cycle t."""
    for o in range(m.out_vcs):
        out_vc_of(m, r, o).owner = -1
    for b in range(m.lanes):
        lane = lane_of(m, r, b)
        o = lane.out_vc
        if o >= 0:
            out_vc_of(m, r, o).owner = b
        if m.single == 1:  # the last ones are through the switch
            lane.left, lane.when = -int(o >= 0), t
        elif o >= 0 and bids_for(m, r, b, o):
            unpack_packet(m, r, b, o)


@kernel
def unpack_vcs(m, r):
    """Which output VCs of router r are free, who has them and who waits for one, and who goes first there."""
    m.free[r] = m.sets[word_at(m, r, m.heads + at.H_FREE)] | m.sets[word_at(m, r, m.heads + at.H_SPENT)]
    for b in range(m.lanes):
        lane, turn = lane_of(m, r, b), 0
        held = held_by(m, r, b)
        lane.out_vc = held if held >= 0 else at.WAITING if has(m, r, at.S_WAITING, b) else lane.out_vc
        while not has(m, r, m.turn_lane + turn, b):
            turn += 1
        lane.turn = turn
    for o in range(m.out_vcs):
        above = m.sets[word_at(m, r, m.above_vc + o)] & member(m.lanes) - 1
        out_vc_of(m, r, o).turn = lowest(above) if above != 0 else 0


@inlined
def count_router(m, r, t, flits, first):
    """How many flits each lane of router r holds before cycle t, those on their way to it included: from `first` on."""
    for b in range(m.lanes):
        flits[first + b] = count_at(m, r, m.flits, m.flit_bits, b)
    for cycle in range(t, t + m.ring):
        lanes = m.sets[word_at(m, r, m.came + (cycle & (m.ring - 1)))]
        while lanes != 0:
            flits[first + lowest(lanes)] += 1
            lanes &= lanes - 1


@kernel
def count_flits(m, t, flits):
    """The same of the lanes of all routers, one after another."""
    for r in range(m.routers):
        count_router(m, r, t, flits, r * m.lanes)


@kernel
def unpack_slots(m, r, t):
    """The slots of router r's lanes that links lead to, and of its terminals: credits came long ago, unless
    `unpack_credits` knows better. Those of flits are written (`sets.slots`), but of those that are on their way.
    """
    count_router(m, r, t, m.work, 0)
    if goes_by_stations(m):
        for b in range(m.lanes):
            settle(m, r, b, m.work[b])
    for b in range(m.link_inputs * m.vcs):
        lane = lane_of(m, r, b)
        slot = later(m, lane.read, m.work[b])
        for _ in range(m.work[b], m.buffer):
            lane[slot] = 0
            slot = later(m, slot, 1)
    for k in range(m.ring):
        cycle = t + m.ring - 1 - k
        lanes = m.sets[word_at(m, r, m.came + (cycle & (m.ring - 1)))] & (1 << m.link_inputs * m.vcs) - 1
        while lanes != 0:
            b, lanes = pop_lowest(lanes)
            m.work[b] -= 1
            lane_of(m, r, b)[later(m, lane_of(m, r, b).read, m.work[b])] = at.FLIT + cycle
    for o in range(m.link_out_vcs, m.out_vcs):
        for slot in range(m.buffer):
            lane_at(m, out_vc_of(m, r, o).to)[slot] = 0


@kernel
def unpack_credits(m, r, t):
    """The slots behind the output VCs of router r whose credits are on their way: those that were read last, of
    terminals those that were written last.
    """
    for o in range(m.out_vcs):
        m.work[o] = 0
    for k in range(m.ring):
        cycle = t + m.ring - 1 - k
        out_vcs = m.sets[word_at(m, r, m.credited + (cycle & (m.ring - 1)))]
        while out_vcs != 0:
            o, out_vcs = pop_lowest(out_vcs)
            lane = lane_at(m, out_vc_of(m, r, o).to)
            m.work[o] += 1
            end = lane.read if o < m.link_out_vcs else out_vc_of(m, r, o).write
            lane[later(m, end, m.buffer - m.work[o])] = cycle


@kernel
def unpack_looks(m, r, t):
    """Heads of router r that will be looked at: they are routed, and due then."""
    for cycle in range(t, t + m.ring):
        lanes = m.sets[word_at(m, r, m.looks + (cycle & (m.ring - 1)))]
        if cycle == t:  # those that wait for room look again in every cycle there
            lanes |= m.sets[word_at(m, r, at.S_ROOM)]
        if m.in_batches == 1 and lanes & m.sets[word_at(m, r, m.at_routing)] != 0:
            stage_of(m, r)[at.ROUTING] = cycle - m.rd
        while lanes != 0:
            b, lanes = pop_lowest(lanes)
            lane = lane_of(m, r, b)
            if lane.out_vc == at.IDLE and chooses_late(m):
                take_head(m, r, b)
                lane.out_vc = at.CHOOSING
            elif lane.out_vc == at.IDLE:
                route(m, r, b, t)
                lane.out_vc = at.WAITING
            has_none = lane.out_vc < 0 or allocates_together(m)
            m.due[r * m.cells + b] = cycle + int(not has_none) - int(lane.out_vc == at.CHOOSING)


@kernel
def unpack_due(m, r, b, t):
    """When lane b must be looked at next; `unpack_looks` knows it of what waits for its turn in a stage."""
    lane = lane_of(m, r, b)
    o = lane.out_vc
    if o == at.WAITING:
        if has(m, r, at.S_WAITING, b):
            due_of(m, r)[b] = t if allocates_together(m) else at.NO_OUT_VC
        return
    if o == at.CHOOSING:
        return
    if o >= 0:
        out_vc = out_vc_of(m, r, o)
        lane.when = lane_at(m, out_vc.to)[out_vc.write]
        if not bids_for(m, r, b, o) or (allocates_together(m) and has(m, r, m.heads + at.H_LATE, b)):
            return
    due_of(m, r)[b] = next_look(lane[lane.read], lane.when)


@kernel
def unpack_turns(m, r):
    """Whose turn it is at the ports of router r."""
    turns = turns_of(m, r)
    for p in range(m.inputs):
        first, output = p * m.vcs, 0
        while not has(m, r, m.turn_output + output, first):
            output += 1
        early = m.sets[word_at(m, r, m.turn_vc)] >> first & member(m.vcs) - 1
        turns[2 * p], turns[2 * p + 1] = output, lowest(early) if early != 0 else 0
    for q in range(m.outputs):
        above = m.sets[word_at(m, r, m.above + q)] & (1 << m.lanes) - 1
        turns[2 * m.inputs + q] = m.port_of[lowest(above)] if above != 0 else 0


@kernel
def unpack(m, t):
    """Write back to the rows of this thread's routers, which have done the cycles before t."""
    write_arrivals(m, m.first_router, m.end_router, t)
    for r in range(m.first_router, m.end_router):
        if allocates_together(m):
            unpack_vcs(m, r)
        unpack_packets(m, r, t)
        unpack_slots(m, r, t)
        unpack_looks(m, r, t)
        unpack_turns(m, r)
        m.active[r >> 5] |= bit(r)
    meet(m)
    for r in range(m.first_router, m.end_router):
        unpack_credits(m, r, t)
    meet(m)
    for r in range(m.first_router, m.end_router):
        for b in range(m.lanes):
            unpack_due(m, r, b, t)
