"""Wavefront allocation: requests are granted along the diagonals of the matrix of inputs and outputs.

Cells of one diagonal share no input and no output, so all that are still free get their grant at once; then the next
diagonal has its turn. The first one moves on after every allocation: by one, or with `rr_wavefront` past the diagonal
of the first grant. Source: Tamir and Chi 1993, in the form of BookSim 2. The twin is `reference.matching.sweep`.
"""

from jumpnet.jit.bits import bit64
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import bid_of, free_of, request_of, turns_of
from jumpnet.sim.router.ports_there import INPUTS, OUTPUTS, asking_index, at_index, index_of, there
from jumpnet.sim.router.priority import order_at
from jumpnet.sim.router.switch_allocation import OPEN, WON, input_rank, leave_out, move_turns_of
from jumpnet.sim.router.vc_allocation import GRANTED_SHIFT, comes_last, end_choice, wants_now

__all__ = ["sweep_out_vcs", "sweep_switch"]


@inlined
def diagonal_of(m, r, bid):
    """The diagonal of a bid, by the places of its input and output among those that are there."""
    index = index_of(m, r, INPUTS, bid.input, m.input_speedup)
    return index + index_of(m, r, OUTPUTS, bid.output, m.output_speedup)


@inlined
def diagonals_on(m, r, bid, square):
    """How many diagonals after the first that of a bid comes."""
    return (diagonal_of(m, r, bid) - turns_of(m, r)[m.diagonal] + square) % square


@kernel
def meets_first(m, r, k, other, square):
    """Whether the wavefront comes to bid k before another: by rank, diagonal and output, lanes of one cell in turn."""
    one, two = bid_of(m, k), bid_of(m, other)
    if one.rank != two.rank:
        return one.rank < two.rank
    mine, rival = diagonals_on(m, r, one, square), diagonals_on(m, r, two, square)
    if mine != rival:
        return mine < rival
    if one.output != two.output:
        return one.output < two.output
    return input_rank(m, r, one) < input_rank(m, r, two)


@inlined
def begin_next(m, r, which, granted, square):
    """Set where the next wavefront of a router begins, after one whose first grant lies on diagonal `granted`."""
    turns, place = turns_of(m, r), m.diagonal + which
    kind = m.allocator if which == 0 else m.vc_allocator
    turns[place] = ((granted if kind == at.RR_WAVEFRONT else turns[place]) + 1) % square


@kernel
def sweep_switch(m, r, n):
    """Grant the switch to some of n bids of router r, in order of lanes: the number of grants (`granted`)."""
    stay_apart()
    if n == 0:
        return 0
    first, grants = -1, 0
    square = max(there(m, r, INPUTS, m.input_speedup), there(m, r, OUTPUTS, m.output_speedup))
    for k in range(n):
        bid_of(m, k).status = OPEN
    while True:
        best = -1
        for k in range(n):
            if bid_of(m, k).status == OPEN and (best < 0 or meets_first(m, r, k, best, square)):
                best = k
        if best < 0:
            break
        won = bid_of(m, best)
        if first < 0:
            first = diagonal_of(m, r, won)
        leave_out(m, r, n, best)
        won.status = WON
    begin_next(m, r, 0, first, square)
    for k in range(n):
        if bid_of(m, k).status == WON:
            move_turns_of(m, r, bid_of(m, k))
            m.work[m.work_rows + grants] = k
            grants += 1
    return grants


@inlined
def rank_of(m, r, k, t):
    """Rank of request k in step t: lowest goes first."""
    return order_at(m, r, request_of(m, k).lane, t) if m.vc_ranked == 1 else 0


@kernel
def sweep_rank(m, r, asking, level, late, first, square, t):
    """Grant free output VCs to the requests of one rank; the diagonal of the first grant, `first` when there is one.

    late: 0 for the output VCs that a head prefers, 1 for those that it gets after these, -1 where it prefers none.
    """
    start, outputs = turns_of(m, r)[m.diagonal + 1], there(m, r, OUTPUTS, m.vcs)
    for place in range(square):
        for k in range(asking):
            mine = request_of(m, k)
            lane = asking_index(m, r, mine.lane)
            to = (start + place - lane + square) % square
            if mine.out_vc >> GRANTED_SHIFT != 0 or to >= outputs or rank_of(m, r, k, t) != level:
                continue
            o = at_index(m, r, OUTPUTS, to, m.vcs)
            if wants_now(m, r, k, o, t) and (late < 0 or late == int(comes_last(m, r, mine.lane, o, t))):
                mine.out_vc |= (o + 1) << GRANTED_SHIFT
                free_of(m, r)[o >> 6] &= ~bit64(o)
                if first < 0:
                    first = lane + to
    return first


@kernel
def sweep_out_vcs(m, r, asking, t):
    """Grant free output VCs to the first `asking` requests; what a loser asked for becomes -1 - output VC."""
    stay_apart()
    level, first, more = -1, -1, True
    square = max(there(m, r, INPUTS, m.vcs), there(m, r, OUTPUTS, m.vcs))
    while more:
        following, more = level, False
        for k in range(asking):
            rank = rank_of(m, r, k, t)
            if rank > level and (not more or rank < following):
                following, more = rank, True
        level = following
        if more and (m.escapes_last == 1 or m.empty_first == 1):
            for late in range(2):
                first = sweep_rank(m, r, asking, level, late, first, square, t)
        elif more:
            first = sweep_rank(m, r, asking, level, -1, first, square, t)
    begin_next(m, r, 1, first, square)
    end_choice(m, asking)
