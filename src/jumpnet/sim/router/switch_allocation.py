"""Switch allocation: each input port sends at most one flit in a cycle, each output port takes at most one.

Bids lie in `work` (`fields.BidRow`). Input-first is BookSim 2's separable allocator: an input picks one of its bids
(outputs in turn, then virtual channels in turn), an output one of the inputs that picked it; turns move on with a
grant. Output-first is the other way round; iSLIP is output-first whose turns move in the first iteration only
(McKeown 1999). By age, older packets go first, on both sides. At random (parallel iterative matching) it is
output-first by turns that are drawn again in every iteration: a side takes the first that there is from a random one
on, as in BookSim 2 (Anderson, Owicki, Saxe and Thacker 1993). Wavefronts are in `router.wavefront`. The twin is
`reference.router.Router.allocate_switch`.
"""

from jumpnet.jit.bits import bit, past
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.random import below, draw63, stream_key
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.branches import own_lane
from jumpnet.sim.memory.rows import bid_of, lane_of, side_of, turns_of
from jumpnet.sim.router.arbiters import input_place, output_place, serve_switch
from jumpnet.sim.router.ports_there import INPUTS, OUTPUTS, at_index, there

__all__ = [
    "OPEN", "WON", "allocate_switch", "granted", "input_rank", "leave_out", "move_turns", "move_turns_of",
]  # fmt: skip

# How far a bid has come.
OPEN = 0
PICKED = 1
"""It is the choice of the side that chooses first."""
WON = 2
OUT = 3
"""It has its grant, or meets one that has."""

WITHIN_CELLS = 2
"""`ranked` where ranks count among the lanes of an input that bid for one output only."""
CELL_SHIFT = 55
"""Ranks are below."""
LATER_IN_CELL = 1 << 54
"""In place of `layout.LATER`, which lies above."""


@inlined
def input_rank(m, r, bid):
    """Rank of a bid at its input: lowest goes first."""
    turns, b = turns_of(m, r), own_lane(m, bid.lane)
    ahead = past(turns[2 * bid.input], bid.output, m.switch_outputs)
    if m.by_place == 1:
        ahead = input_place(m, r, bid.input, bid.output)
    v = past(turns[2 * bid.input + 1], b - m.port_of[b] * m.vcs, m.vcs)
    if m.ranked == WITHIN_CELLS:
        rank = bid.rank - at.LATER + LATER_IN_CELL if bid.rank >= at.LATER else bid.rank
        return (ahead << CELL_SHIFT) + rank + v
    found = ahead * m.vcs + v
    return found + bid.rank if m.ranked == 1 else found


@inlined
def output_rank(m, r, bid):
    """Rank of a bid at its output: lowest goes first."""
    ahead = past(turns_of(m, r)[2 * m.switch_inputs + bid.output], bid.input, m.switch_inputs)
    if m.by_place == 1:
        ahead = output_place(m, r, bid.input, bid.output)
    return ahead + bid.rank if m.ranked == 1 else ahead


@inlined
def move_turns(m, r, b, o):
    """After a grant of output VC o to lane b of router r: its output, virtual channel and input go last next time."""
    turns, lane, out_vc = turns_of(m, r), side_of(m, own_lane(m, b)), side_of(m, o)
    turns[2 * lane.port] = out_vc.next_output
    turns[2 * lane.port + 1] = lane.next_vc
    turns[2 * m.inputs + out_vc.port] = lane.next_input


@inlined
def move_turns_of(m, r, bid):
    """The same for a bid that is granted, whatever inputs and outputs the switch has."""
    if m.by_place == 1:
        serve_switch(m, r, bid.input, bid.output)
    turns, p, q = turns_of(m, r), bid.input, bid.output
    if m.has_speedup == 0:
        vc = turns[2 * p + 1]
        move_turns(m, r, bid.lane, bid.out_vc)
        if bid.lost == 1:
            turns[2 * p + 1] = vc
        return
    turns[2 * p] = q + 1 if q + 1 < m.switch_outputs else 0
    if bid.lost == 0:
        turns[2 * p + 1] = (bid.lane % m.vcs + m.input_speedup) % m.vcs
    turns[2 * m.switch_inputs + q] = p + 1 if p + 1 < m.switch_inputs else 0


@kernel
def goes_before(m, r, k, other, by_input):
    """Whether bid k goes before another that it meets; of equals (two branches of a lane) the one that is listed first.

    At an output, two virtual channels of one input go as they go there.
    """
    one, two = bid_of(m, k), bid_of(m, other)
    if not by_input:
        mine, rival = output_rank(m, r, one), output_rank(m, r, two)
        if mine != rival:
            return mine < rival
    mine, rival = input_rank(m, r, one), input_rank(m, r, two)
    return mine < rival if mine != rival else k < other


@kernel
def same_flit(m, r, k, other):
    """Whether two bids are of branches that would send the same flit."""
    if m.forks == 0:
        return 0
    b, c = bid_of(m, k).lane, bid_of(m, other).lane
    return int(own_lane(m, b) == own_lane(m, c) and abs(lane_of(m, r, b).left) == abs(lane_of(m, r, c).left))


@inlined
def none_meet(m, n):
    """Whether no two of n bids have a port in common; ports 32 apart are taken for one."""
    inputs, outputs = 0, 0
    for k in range(n):
        bid = bid_of(m, k)
        if (inputs & bit(bid.input)) | (outputs & bit(bid.output)) != 0:
            return False
        inputs |= bit(bid.input)
        outputs |= bit(bid.output)
    return True


@kernel
def draw_turns(m, r, n, time):
    """Draw the turns of the switch of router r for its n bids; `time` counts iterations."""
    key, turns = stream_key(m.seed, 2 * (m.sources + r)), turns_of(m, r)
    first = time * m.held_row
    inputs, outputs = there(m, r, INPUTS, m.input_speedup), there(m, r, OUTPUTS, m.output_speedup)
    for k in range(n):
        bid = bid_of(m, k)
        drawn = below(draw63(key, first + bid.input), outputs)
        turns[2 * bid.input] = at_index(m, r, OUTPUTS, drawn, m.output_speedup)
        place = m.switch_inputs + bid.output
        drawn = below(draw63(key, first + place), inputs)
        turns[m.switch_inputs + place] = at_index(m, r, INPUTS, drawn, m.input_speedup)


@kernel
def choose(m, r, n, by_input, status):
    """Each input port, or else each output port, chooses among its bids of that status: the chosen get the next one.

    With the bid of a branch an input chooses all that would send the same flit: it reads it once for them. Writes the
    status of n bids; the start of `work` holds the choice of each port meanwhile.
    """
    for k in range(n):
        bid = bid_of(m, k)
        m.work[bid.input if by_input else bid.output] = -1
    for k in range(n):
        bid = bid_of(m, k)
        port = bid.input if by_input else bid.output
        if bid.status == status and (m.work[port] < 0 or goes_before(m, r, k, m.work[port], by_input)):
            m.work[port] = k
    for k in range(n):
        bid = bid_of(m, k)
        first = m.work[bid.input if by_input else bid.output]
        if bid.status == status and (k == first or (by_input and same_flit(m, r, k, first) == 1)):
            bid.status = status + 1


@kernel
def leave_out(m, r, n, won):
    """Bids that meet a granted one are out; those of branches that send the same flit elsewhere are not."""
    grant = bid_of(m, won)
    for k in range(n):
        bid = bid_of(m, k)
        apart = bid.input != grant.input or same_flit(m, r, k, won) == 1
        if not apart or bid.output == grant.output:
            bid.status = OUT
        elif bid.status == PICKED:
            bid.status = OPEN


@inlined
def granted(m, i):
    """The bid that was granted after i others."""
    return bid_of(m, m.work[m.work_rows + i])


@kernel
def allocate_switch(m, r, n, t):
    """Grant the switch to some of n bids of router r in step t, in order of lanes: the number of grants (`granted`).

    Reads and writes the bids and the turns of the router.
    """
    if none_meet(m, n):
        for k in range(n):
            m.work[m.work_rows + k] = k
            move_turns_of(m, r, bid_of(m, k))
        return n
    inputs_choose = m.allocator == at.INPUT_FIRST
    grants = 0
    for k in range(n):
        bid_of(m, k).status = OPEN
    for iteration in range(m.iterations):
        if m.allocator == at.PIM:
            draw_turns(m, r, n, t * m.iterations + iteration)
        choose(m, r, n, inputs_choose, OPEN)
        choose(m, r, n, not inputs_choose, PICKED)
        first = grants
        for k in range(n):
            bid = bid_of(m, k)
            if bid.status == WON:
                bid.status = OUT
                m.work[m.work_rows + grants] = k
                grants += 1
        for i in range(first, grants):
            won = granted(m, i)
            if iteration == 0 or m.allocator != at.ISLIP:
                move_turns_of(m, r, won)
            if iteration + 1 < m.iterations:
                leave_out(m, r, n, m.work[m.work_rows + i])
    return grants
