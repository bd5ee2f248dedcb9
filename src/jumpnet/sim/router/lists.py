"""The pipelines of 32 neighbouring routers in one cycle, stage by stage over lists of lanes.

A router has few lanes at work in a cycle, so loops over the lanes of one router end unpredictably (branch
mispredictions). Here a stage is one loop over the lanes of 32 routers, and the list of a lane is computed without a
branch. Serves wherever switch allocation is one input-first pass and the lanes of a router fit a word;
`router.pipeline` serves the other settings, `sets.pipeline` busy routers of many runs of both. Called by `cycle`; the
twin is `reference.router.Router`.
"""

from jumpnet.jit.bits import bit, count, lowest, member, not_after, one_if, past
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.prefetch import MANY_ROUTERS, fetch_heads
from jumpnet.sim.memory.rows import counters_at, lane_of, request_of, router_and_lane, side_of, turns_of
from jumpnet.sim.router.heads import BIDS, attend, has_credit
from jumpnet.sim.router.switch_traversal import stream, traverse
from jumpnet.sim.router.vc_allocation import grant_out_vcs

__all__ = ["advance"]


@inlined
def list_due(m, w, t):
    """List the due lanes of the routers of word w of `active`: how many. Routers with nothing ahead become inactive."""
    n, resting = 0, 0
    word = m.active[w]
    while word != 0:
        k = lowest(word)
        word &= word - 1
        r = w * 32 + k
        due, ahead = 0, 0
        for group in range(m.groups):
            first = r * m.cells + group * at.CELLS
            due |= not_after(m.due, first, t) << group * at.CELLS
            ahead |= not_after(m.due, first, at.NO_OUT_VC - 1)
        resting |= one_if(ahead == 0) << k
        m.bidders[k] = 0
        none, end = r << at.LANE_SHIFT, n + count(due)
        while True:  # four at a time, and four in any case: a loop for each lane would end anywhere
            for _ in range(4):
                m.flow[n] = none | lowest(due)
                due &= due - 1
                n += 1
            if n >= end:
                break
        n = end
    m.active[w] &= ~resting
    return n


@inlined
def part_bidders(m, n, t):
    """Split the first n listed lanes into those that bid for the switch with a credit, and all others in a second list.

    Returns how many each, and the set of routers where two bids may meet at a port.
    """
    ready, others, clash, ports, last = 0, m.flow_size, 0, 0, -1
    for i in range(n):
        lane = m.flow[i]
        r, b = router_and_lane(lane)
        k, row = r & 31, lane_of(m, r, b)
        o = row.out_vc
        bids = one_if(o >= 0) & one_if(row.when <= t)
        m.flow[ready] = lane
        m.flow[others] = lane
        ready += bids
        others += 1 - bids
        both = -bids & (side_of(m, b).input_bit | side_of(m, max(0, o)).output_bit)
        ports &= -one_if(k == last)
        clash |= one_if(ports & both != 0) << k
        ports |= both
        last = k
        m.bidders[k] |= bids << b
    return ready, others - m.flow_size, clash


@inlined
def join(m, ready, clash, r, b):
    """One more lane that bids: how many do then, and the routers where bids may meet."""
    m.flow[ready] = r << at.LANE_SHIFT | b
    m.bidders[r & 31] |= member(b)
    return ready + 1, clash | bit(r)


@kernel
def grant(m, ready, clash, r, asking, t):
    """Virtual-channel allocation of router r; with va = 0 the winners with a credit bid at once."""
    grant_out_vcs(m, r, asking, t)
    if m.va == 0:
        for k in range(asking):
            request = request_of(m, k)
            if request.out_vc >= 0 and has_credit(m, r, request.out_vc, t):
                ready, clash = join(m, ready, clash, r, request.lane)
    return ready, clash


@inlined
def attend_others(m, ready, clash, others, t, first):
    """Attend to the lanes of the second list, by routers: how many lanes bid then, and where two may meet."""
    r, asking = -1, 0
    for i in range(others):
        router, b = router_and_lane(m.flow[m.flow_size + i])
        if router != r:
            if asking > 0:
                ready, clash = grant(m, ready, clash, r, asking, t)
            r, asking = router, 0
        found = attend(m, asking, r, b, t, first)
        if found == BIDS:
            ready, clash = join(m, ready, clash, r, b)
        else:
            asking = found
    return grant(m, ready, clash, r, asking, t) if asking > 0 else (ready, clash)


@inlined
def put_in_order(m, listed, ready):
    """Bring the bidders from place `listed` on, which came later, into the order of lanes."""
    for i in range(listed, ready):
        lane, j = m.flow[i], i
        while j > 0 and m.flow[j - 1] > lane:
            m.flow[j] = m.flow[j - 1]
            j -= 1
        m.flow[j] = lane


@inlined
def lane_rank(m, r, b):
    """Rank of lane b, which bids for its output VC, among the lanes of its input port: lowest goes first."""
    turns, p = turns_of(m, r), m.port_of[b]
    ahead = past(turns[2 * p], m.port_of[lane_of(m, r, b).out_vc], m.outputs)
    return ahead * m.vcs + past(turns[2 * p + 1], b - p * m.vcs, m.vcs)


@inlined
def first_of(m, r, lanes):
    """The lane of a set of bidders at one input port that goes first."""
    best, rank = -1, 0
    while lanes != 0:
        b = lowest(lanes)
        lanes &= lanes - 1
        other = lane_rank(m, r, b)
        if best < 0 or other < rank:
            best, rank = b, other
    return best


@inlined
def goes_first(m, r, q, b, other):
    """Whether lane b goes before a lane of another input when both are picked for output q."""
    turn = turns_of(m, r)[2 * m.inputs + q]
    return past(turn, m.port_of[b], m.inputs) < past(turn, m.port_of[other], m.inputs)


@inlined
def pick_lanes(m, r, bidders):
    """Input-first allocation among a set of lanes, each bidding for its output VC: the lanes that win, as a set.

    Every input picks a lane, every output one of those that were picked for it: as `router.switch_allocation` with one
    iteration and no priorities, without a list of bids.
    """
    winners, outputs = 0, 0
    while bidders != 0:
        b = lowest(bidders)
        rivals = bidders & (member(m.vcs) - 1) * member(m.port_of[b] * m.vcs)
        bidders ^= rivals
        if rivals & (rivals - 1) != 0:
            b = first_of(m, r, rivals)
        q = m.port_of[lane_of(m, r, b).out_vc]
        if outputs & member(q) != 0:
            other = m.work[q]
            if not goes_first(m, r, q, b, other):
                continue
            winners ^= member(other)
        outputs |= member(q)
        winners |= member(b)
        m.work[q] = b
    return winners


@inlined
def part_winners(m, ready):
    """Split the lanes that have won: flits between head and tail that go to a router, and others in the second list."""
    streams, others = 0, m.flow_size
    for i in range(ready):
        lane = m.flow[i]
        r, b = router_and_lane(lane)
        row, won = lane_of(m, r, b), m.bidders[r & 31] >> b & 1
        inside = one_if(row.left >= 2) & one_if(row.out_vc < m.link_out_vcs)
        flows = won & inside & one_if(m.events == 0)
        m.flow[streams] = lane
        m.flow[others] = lane
        streams += flows
        others += won - flows
    return streams, others - m.flow_size


@kernel
def advance(m, w, t, first):
    """Cycle t of routers 32 w to 32 w + 31: route computation, vc allocation, switch allocation, traversal.

    All routers of the network have done their cycles before `first`, and some those from then on.
    """
    stay_apart()
    due = list_due(m, w, t)
    ready, others, clash = part_bidders(m, due, t)
    if others > 0:
        if m.routers >= MANY_ROUTERS:
            fetch_heads(m, m.flow_size, m.flow_size + others)
        listed = ready
        ready, clash = attend_others(m, ready, clash, others, t, first)
        if m.ejection_ports > 1:  # then requests of one cycle may meet at a terminal, which answers in order of lanes
            put_in_order(m, listed, ready)
    while clash != 0:  # in the other routers nothing meets, and all bids win
        k = lowest(clash)
        clash &= clash - 1
        m.bidders[k] = pick_lanes(m, w * 32 + k, m.bidders[k])
    streams, others = part_winners(m, ready)
    if streams + others > 0:
        counters_at(m, 0).moved = max(counters_at(m, 0).moved, t)
    for i in range(streams):
        r, b = router_and_lane(m.flow[i])
        stream(m, r, b, t)
    for i in range(others):
        r, b = router_and_lane(m.flow[m.flow_size + i])
        traverse(m, r, b, t)
