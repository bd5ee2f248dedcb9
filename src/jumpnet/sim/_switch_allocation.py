"""Switch allocation: each input port sends at most one flit in a cycle, each output port takes at most one.

Bids lie in `work`: lane, outlet and class of each. Input-first is BookSim 2's separable allocator: an input picks one
of its bids (outputs in turn, then virtual channels in turn), an output one of the inputs that picked it; turns move
on with a grant. Output-first is the other way round; iSLIP is output-first whose turns move in the first iteration only
(McKeown 1999). Called by `_cycle`; the twin is `reference.Router.allocate_switch`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as at
from jumpnet.sim._bits import lowest, member
from jumpnet.sim._memory import inlined, kernel

__all__ = ["allocate_switch", "input_rank", "move_turns", "move_turns_by_table", "output_rank", "pick_lanes"]


@inlined
def input_rank(m, part, turn, k):
    """Rank of bid k at its input: lowest goes first."""
    b, o = m.work[at.BID_LANE * part + k], m.work[at.BID_OUTLET * part + k]
    p, q = m.port_of[b], m.port_of[o]
    ahead = q - m.turn[turn + 2 * p]
    if ahead < 0:
        ahead += m.outputs
    v = b - p * m.vcs - m.turn[turn + 2 * p + 1]
    if v < 0:
        v += m.vcs
    rank = ahead * m.vcs + v
    return rank + m.work[at.BID_CLASS * part + k] if m.ranked == 1 else rank


@inlined
def output_rank(m, part, turn, k):
    """Rank of bid k at its output: lowest goes first."""
    b, o = m.work[at.BID_LANE * part + k], m.work[at.BID_OUTLET * part + k]
    ahead = m.port_of[b] - m.turn[turn + 2 * m.inputs + m.port_of[o]]
    if ahead < 0:
        ahead += m.inputs
    return ahead + m.work[at.BID_CLASS * part + k] if m.ranked == 1 else ahead


@inlined
def move_turns(m, r, b, o):
    """After a grant of outlet o to lane b of router r: its output, virtual channel and input go last next time."""
    turn = r * m.turn_row
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
    p = m.port_of[b]
    turn = r * m.turn_row + 2 * p
    ahead = m.port_of[m.lane[(r * m.lanes + b) * m.lane_stride + at.OUTLET]] - m.turn[turn]
    if ahead < 0:
        ahead += m.outputs
    v = b - p * m.vcs - m.turn[turn + 1]
    if v < 0:
        v += m.vcs
    return ahead * m.vcs + v


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


@kernel
def same_side(m, part, k, other, by_input):
    """Whether two bids meet at an input port (or else at an output port)."""
    field = at.BID_LANE if by_input else at.BID_OUTLET
    return m.port_of[m.work[field * part + k]] == m.port_of[m.work[field * part + other]]


@kernel
def best_of(m, part, turn, n, k, by_input, status, wanted):
    """Whether bid k ranks first among the bids of that status that meet it on one side."""
    rank = input_rank(m, part, turn, k) if by_input else output_rank(m, part, turn, k)
    for other in range(n):
        if other != k and m.work[status * part + other] == wanted and same_side(m, part, k, other, by_input):
            rival = input_rank(m, part, turn, other) if by_input else output_rank(m, part, turn, other)
            if not by_input and rival == rank:  # two virtual channels of one input: the one whose turn it is
                if input_rank(m, part, turn, other) < input_rank(m, part, turn, k):
                    return False
                continue
            if rival < rank:
                return False
    return True


@kernel
def general(m, r, n):
    """Any allocator, any number of iterations, bids in any order; status of a bid: 0 bids, 1 picked, 2 won, 3 out."""
    part = m.part
    turn = r * m.turn_row
    status = at.PICK
    inputs_pick = m.allocator == at.INPUT_FIRST or m.allocator == at.AGE
    for k in range(n):
        m.work[status * part + k] = 0
    grants = 0
    for iteration in range(m.iterations):
        for k in range(n):
            if m.work[status * part + k] == 0 and best_of(m, part, turn, n, k, inputs_pick, status, 0):
                m.work[at.BEST * part + k] = 1
            else:
                m.work[at.BEST * part + k] = 0
        for k in range(n):
            if m.work[at.BEST * part + k] == 1:
                m.work[status * part + k] = 1
        first = grants
        for k in range(n):
            if m.work[status * part + k] == 1 and best_of(m, part, turn, n, k, not inputs_pick, status, 1):
                m.work[at.GRANT * part + grants] = k
                grants += 1
        for i in range(first, grants):
            won = m.work[at.GRANT * part + i]
            if iteration == 0 or m.allocator != at.ISLIP:
                move_turns(m, r, m.work[at.BID_LANE * part + won], m.work[at.BID_OUTLET * part + won])
            for k in range(n):
                if same_side(m, part, k, won, True) or same_side(m, part, k, won, False):
                    m.work[status * part + k] = 3
        for k in range(n):
            if m.work[status * part + k] == 1:
                m.work[status * part + k] = 0
    return grants


@kernel
def allocate_switch(m, r, n):
    """Grant the switch to some of n bids of router r: the number of grants, listed in `work`."""
    if m.iterations == 1 and m.speculation == 0 and (m.allocator == at.INPUT_FIRST or m.allocator == at.AGE):
        return input_first(m, r, n)
    return general(m, r, n)
