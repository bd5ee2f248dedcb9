"""Switch allocation of `router.lists` alone: one input-first pass over a set of lanes, each with its output VC.

The same allocator as `router.switch_allocation` with one iteration and no priorities, without a list of bids. The twin
is `reference.router.Router.allocate_switch`.
"""

from jumpnet.jit.linked import inlined
from jumpnet.sim.memory.bits import lowest, member
from jumpnet.sim.memory.rows import lane_of, turns_of

__all__ = ["pick_lanes"]


@inlined
def lane_rank(m, r, b):
    """Rank of lane b, which bids for its output VC, among the lanes of its input port: lowest goes first."""
    turns, p = turns_of(m, r), m.port_of[b]
    ahead, v = m.port_of[lane_of(m, r, b).out_vc] - turns[2 * p], b - p * m.vcs - turns[2 * p + 1]
    if ahead < 0:
        ahead += m.outputs
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
    turn = turns_of(m, r)[2 * m.inputs + q]
    one, two = m.port_of[b] - turn, m.port_of[other] - turn
    if one < 0:
        one += m.inputs
    if two < 0:
        two += m.inputs
    return one < two


@inlined
def pick_lanes(m, r, bidders):
    """Input-first allocation among a set of lanes, each bidding for its output VC: the lanes that win, as a set.

    Every input picks a lane, every output one of those that were picked for it.
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
