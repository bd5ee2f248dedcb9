"""Switch allocation with branches: an input port reads one flit in a cycle, for all outputs that want this flit.

The allocators are those of `sim._switch_allocation`, whose ranks and turns are used: where those take one bid of an
input, here all bids for the same flit of the same lane go with it, and an input that has been matched stays open in
later iterations for that flit. Called by `_cycle`; the twin is `reference.ForkRouter.allocate_switch`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as unicast
from jumpnet.sim._bits import bit
from jumpnet.sim._switch_allocation import input_rank, move_turns, output_rank
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._memory import inlined, kernel

__all__ = ["allocate_switch"]

OPEN, OUT = 0, 1
"""Status of a bid."""


@inlined
def lane_of(m, k):
    """Lane of bid k."""
    return m.work[unicast.BID_LANE * m.part + k]


@inlined
def outlet_of(m, k):
    """Outlet of bid k."""
    return m.work[unicast.BID_OUTLET * m.part + k]


@inlined
def way_of(m, k):
    """Row of the way of bid k."""
    return m.work[at.BID_WAY * m.part + k]


@inlined
def same_flit(m, k, other):
    """Whether two bids are for one flit of one lane."""
    same = lane_of(m, k) == lane_of(m, other)
    return same and m.way[way_of(m, k) + at.TAKEN] == m.way[way_of(m, other) + at.TAKEN]


@inlined
def meet(m, k, other, by_input):
    """Whether two bids meet at an input port (or else at an output port)."""
    if by_input:
        return m.port_of[lane_of(m, k)] == m.port_of[lane_of(m, other)]
    return m.port_of[outlet_of(m, k)] == m.port_of[outlet_of(m, other)]


@kernel
def goes_before(m, turn, k, other, by_input):
    """Whether bid k goes before another that it meets; of equals the one of the lower lane and outlet."""
    if not by_input:
        mine, rival = output_rank(m, m.part, turn, k), output_rank(m, m.part, turn, other)
        if mine != rival:
            return mine < rival
    mine, rival = input_rank(m, m.part, turn, k), input_rank(m, m.part, turn, other)
    return mine < rival if mine != rival else k < other


@kernel
def stays(m, turn, n, k, by_input, status, wanted):
    """Whether bid k goes first among the bids of that status that meet it on one side, or with the one that does."""
    best = k
    for other in range(n):
        rival = other != k and m.work[status * m.part + other] == wanted and meet(m, k, other, by_input)
        if rival and goes_before(m, turn, other, best, by_input):
            best = other
    return best == k or (by_input and same_flit(m, k, best))


@kernel
def match(m, r, n):
    """Any allocator, any number of iterations: the number of grants, listed in `work`."""
    turn, grants = r * m.turn_row, 0
    status, picked = unicast.PICK, unicast.BEST
    inputs_pick = m.allocator == unicast.INPUT_FIRST or m.allocator == unicast.AGE
    for k in range(n):
        m.work[status * m.part + k] = OPEN
    for iteration in range(m.iterations):
        for k in range(n):
            is_open = m.work[status * m.part + k] == OPEN
            m.work[picked * m.part + k] = is_open and stays(m, turn, n, k, inputs_pick, status, OPEN)
        first = grants
        for k in range(n):
            if m.work[picked * m.part + k] == 1 and stays(m, turn, n, k, not inputs_pick, picked, 1):
                m.work[unicast.GRANT * m.part + grants] = k
                grants += 1
        for i in range(first, grants):
            won = m.work[unicast.GRANT * m.part + i]
            if iteration == 0 or m.allocator != unicast.ISLIP:
                move_turns(m, r, lane_of(m, won), outlet_of(m, won))
            for k in range(n):
                if meet(m, k, won, False) or (meet(m, k, won, True) and not same_flit(m, k, won)):
                    m.work[status * m.part + k] = OUT
    return grants


@kernel
def allocate_switch(m, r, n):
    """Grant the switch to some of n bids of router r, ascending by lane and outlet: the number of grants."""
    inputs, outputs = 0, 0
    for k in range(n):
        p, q = bit(m.port_of[lane_of(m, k)]), 1 << m.port_of[outlet_of(m, k)] % 62
        if inputs & p or outputs & q:
            return match(m, r, n)
        inputs |= p
        outputs |= q
        m.work[unicast.GRANT * m.part + k] = k
    for k in range(n):
        move_turns(m, r, lane_of(m, k), outlet_of(m, k))
    return n
