"""Switch allocation: each input port sends at most one flit in a cycle, each output port takes at most one.

Bids lie in `work`: lane, outlet and class of each. Input-first is BookSim 2's separable allocator: an input picks one
of its bids (outputs in turn, then virtual channels in turn), an output one of the inputs that picked it; turns move
on with a grant. Output-first is the other way round; iSLIP is output-first whose turns move in the first iteration only
(McKeown 1999). Called by `cycle`; the twin is `reference.Router.allocate_switch`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import lowest, member
from jumpnet.sim.memory.branches import lane_of
from jumpnet.sim.memory.record import forked, inlined, kernel

__all__ = ["allocate_switch", "input_rank", "move_turns", "move_turns_by_table", "output_rank", "pick_lanes", "rank"]


@inlined
def rank(m, b, o, output, vc):
    """Rank of lane b, which bids for outlet o, at its input port when it is that output's and channel's turn there."""
    ahead, v = m.port_of[o] - output, b - m.port_of[b] * m.vcs - vc
    if ahead < 0:
        ahead += m.outputs
    if v < 0:
        v += m.vcs
    return ahead * m.vcs + v


@inlined
def input_rank(m, part, turn, k):
    """Rank of bid k at its input: lowest goes first."""
    b, o = lane_of(m, m.work[at.BID_LANE * part + k]), m.work[at.BID_OUTLET * part + k]
    p = m.port_of[b]
    found = rank(m, b, o, m.turn[turn + 2 * p], m.turn[turn + 2 * p + 1])
    return found + m.work[at.BID_CLASS * part + k] if m.ranked == 1 else found


@inlined
def output_rank(m, part, turn, k):
    """Rank of bid k at its output: lowest goes first."""
    b, o = lane_of(m, m.work[at.BID_LANE * part + k]), m.work[at.BID_OUTLET * part + k]
    ahead = m.port_of[b] - m.turn[turn + 2 * m.inputs + m.port_of[o]]
    if ahead < 0:
        ahead += m.inputs
    return ahead + m.work[at.BID_CLASS * part + k] if m.ranked == 1 else ahead


@inlined
def move_turns(m, r, b, o):
    """After a grant of outlet o to lane b of router r: its output, virtual channel and input go last next time."""
    turn, b = r * m.turn_row, lane_of(m, b)
    p, q = m.port_of[b], m.port_of[o]
    v = b - p * m.vcs
    m.turn[turn + 2 * p] = q + 1 if q + 1 < m.outputs else 0
    m.turn[turn + 2 * p + 1] = v + 1 if v + 1 < m.vcs else 0
    m.turn[turn + 2 * m.inputs + q] = p + 1 if p + 1 < m.inputs else 0


@inlined
def move_turns_by_table(m, r, b, o):
    """`move_turns` without arithmetic, where it is done most."""
    turn = r * m.turn_row
    lane, outlet = at.SIDE_FIELDS * b, at.SIDE_FIELDS * o
    p = turn + 2 * m.side[lane + at.PORT]
    m.turn[p] = m.side[outlet + at.NEXT_OUTPUT]
    m.turn[p + 1] = m.side[lane + at.NEXT_VC]
    m.turn[turn + 2 * m.inputs + m.side[outlet + at.PORT]] = m.side[lane + at.NEXT_INPUT]


@inlined
def lane_rank(m, r, b):
    """Rank of lane b, which bids for its outlet, among the lanes of its input port: lowest goes first."""
    turn = r * m.turn_row + 2 * m.port_of[b]
    return rank(m, b, m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET], m.turn[turn], m.turn[turn + 1])


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
    turn = m.turn[r * m.turn_row + 2 * m.inputs + q]
    one, two = m.port_of[b] - turn, m.port_of[other] - turn
    if one < 0:
        one += m.inputs
    if two < 0:
        two += m.inputs
    return one < two


@inlined
def pick_lanes(m, r, bidders):
    """Input-first allocation among a set of lanes, each bidding for its outlet: the lanes that win, as a set.

    Every input picks a lane, every output one of those that were picked for it.
    """
    winners, outputs = 0, 0
    while bidders != 0:
        b = lowest(bidders)
        rivals = bidders & (member(m.vcs) - 1) * member(m.port_of[b] * m.vcs)
        bidders ^= rivals
        if rivals & (rivals - 1) != 0:
            b = first_of(m, r, rivals)
        q = m.port_of[m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET]]
        if outputs & member(q) != 0:
            other = m.work[q]
            if not goes_first(m, r, q, b, other):
                continue
            winners ^= member(other)
        outputs |= member(q)
        winners |= member(b)
        m.work[q] = b
    return winners


@kernel
def input_first(m, r, n):
    """One iteration over bids in order of lanes: the number of grants written to `work`."""
    part = m.part
    turn = r * m.turn_row
    picks, k = 0, 0
    while k < n:
        p = m.port_of[m.work[at.BID_LANE * part + k]]
        best, rank = k, input_rank(m, part, turn, k)
        k += 1
        while k < n and m.port_of[m.work[at.BID_LANE * part + k]] == p:
            other = input_rank(m, part, turn, k)
            if other < rank:
                best, rank = k, other
            k += 1
        m.work[at.PICK * part + picks] = best
        m.work[at.BEST * part + m.port_of[m.work[at.BID_OUTLET * part + best]]] = -1
        picks += 1
    for i in range(picks):
        k = m.work[at.PICK * part + i]
        q = m.port_of[m.work[at.BID_OUTLET * part + k]]
        best = m.work[at.BEST * part + q]
        if best < 0 or output_rank(m, part, turn, k) < output_rank(m, part, turn, best):
            m.work[at.BEST * part + q] = k
    grants = 0
    for i in range(picks):
        k = m.work[at.PICK * part + i]
        if m.work[at.BEST * part + m.port_of[m.work[at.BID_OUTLET * part + k]]] == k:
            move_turns(m, r, m.work[at.BID_LANE * part + k], m.work[at.BID_OUTLET * part + k])
            m.work[at.GRANT * part + grants] = k
            grants += 1
    return grants


@inlined
def port_at(m, part, k, by_input):
    """The input port of bid k, or else its output port."""
    if by_input:
        return m.port_of[lane_of(m, m.work[at.BID_LANE * part + k])]
    return m.port_of[m.work[at.BID_OUTLET * part + k]]


@forked(0)
def same_flit(m, r, k, other):
    """Whether two bids are of branches that would send the same flit."""
    b, c = m.work[at.BID_LANE * m.part + k], m.work[at.BID_LANE * m.part + other]
    one, two = (r * m.lanes + b) * m.lane_stride + at.LEFT, (r * m.lanes + c) * m.lane_stride + at.LEFT
    return int(lane_of(m, b) == lane_of(m, c) and abs(m.lane[one]) == abs(m.lane[two]))


@kernel
def goes_before(m, part, turn, k, other, by_input):
    """Whether bid k goes before another that it meets; of equals (two branches of a lane) the one that is listed first.

    At an output, two virtual channels of one input go as they go there.
    """
    if not by_input:
        mine, rival = output_rank(m, part, turn, k), output_rank(m, part, turn, other)
        if mine != rival:
            return mine < rival
    mine, rival = input_rank(m, part, turn, k), input_rank(m, part, turn, other)
    return mine < rival if mine != rival else k < other


@kernel
def stays(m, r, n, k, by_input, status, wanted):
    """Whether bid k goes first among the bids of that status that meet it on one side, or with the one that does."""
    part, first = m.part, k
    port = port_at(m, part, k, by_input)
    for other in range(n):
        meets = other != k and m.work[status * part + other] == wanted and port_at(m, part, other, by_input) == port
        if meets and goes_before(m, part, r * m.turn_row, other, first, by_input):
            if m.forks == 0:
                return False
            first = other
    return first == k or (by_input and same_flit(m, r, k, first) == 1)


@kernel
def general(m, r, n):
    """Any allocator, any number of iterations, bids in any order; status of a bid: 0 bids, 1 picked, 2 won, 3 out.

    Of the branches of one lane all that would send the same flit may win: an input port reads it once for them.
    """
    part = m.part
    status = at.PICK
    inputs_pick = m.allocator == at.INPUT_FIRST or m.allocator == at.AGE
    for k in range(n):
        m.work[status * part + k] = 0
    grants = 0
    for iteration in range(m.iterations):
        for k in range(n):
            if m.work[status * part + k] == 0 and stays(m, r, n, k, inputs_pick, status, 0):
                m.work[at.BEST * part + k] = 1
            else:
                m.work[at.BEST * part + k] = 0
        for k in range(n):
            if m.work[at.BEST * part + k] == 1:
                m.work[status * part + k] = 1
        first = grants
        for k in range(n):
            if m.work[status * part + k] == 1 and stays(m, r, n, k, not inputs_pick, status, 1):
                m.work[at.GRANT * part + grants] = k
                grants += 1
        for i in range(first, grants):
            won = m.work[at.GRANT * part + i]
            if iteration == 0 or m.allocator != at.ISLIP:
                move_turns(m, r, m.work[at.BID_LANE * part + won], m.work[at.BID_OUTLET * part + won])
            p, q = port_at(m, part, won, True), port_at(m, part, won, False)
            for k in range(n):
                apart = port_at(m, part, k, True) != p or same_flit(m, r, k, won) == 1
                if not apart or port_at(m, part, k, False) == q:
                    m.work[status * part + k] = 3
        for k in range(n):
            if m.work[status * part + k] == 1:
                m.work[status * part + k] = 0
    return grants


@forked(0)
def grant_all(m, r, n):
    """Grant all bids when no two meet: how many, 0 otherwise."""
    inputs, outputs = 0, 0
    for k in range(n):
        p, q = member(port_at(m, m.part, k, True) % 62), member(port_at(m, m.part, k, False) % 62)
        if (inputs & p) | (outputs & q) != 0:
            return 0
        inputs |= p
        outputs |= q
    for k in range(n):
        m.work[at.GRANT * m.part + k] = k
        move_turns(m, r, m.work[at.BID_LANE * m.part + k], m.work[at.BID_OUTLET * m.part + k])
    return n


@kernel
def allocate_switch(m, r, n):
    """Grant the switch to some of n bids of router r: the number of grants, listed in `work`.

    Bids are in order of lanes, those of one lane in order of outlets.
    """
    grants = grant_all(m, r, n)
    if grants > 0:
        return grants
    one_pass = m.iterations == 1 and m.speculation == 0 and m.forks == 0
    if one_pass and (m.allocator == at.INPUT_FIRST or m.allocator == at.AGE):
        return input_first(m, r, n)
    return general(m, r, n)
