"""Virtual-channel allocation by other rules than input first: output VCs choose, by turn or at random, or a wavefront.

Some of these in several iterations. At random (parallel iterative matching) both sides choose by turns that are drawn
again in each. The twin is `reference.router.Router`.
"""

from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import kernel
from jumpnet.jit.random import below, draw63, stream_key
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import lane_of, out_vc_of, request_of
from jumpnet.sim.router.ports_there import INPUTS, OUTPUTS, asking_number, at_index, there
from jumpnet.sim.router.vc_allocation import give_out_vc, let_out_vcs_choose
from jumpnet.sim.router.wavefront import sweep_out_vcs

__all__ = ["give_all", "match_out_vcs"]


@kernel
def draw_turns(m, r, asking, time):
    """Draw the turns of the output VCs of router r and of the lanes of so many requests; `time` counts iterations."""
    key = stream_key(m.seed, 2 * (m.sources + r) + 1)
    first = time * (m.input_lanes + m.out_vcs)
    for k in range(asking):
        b = request_of(m, k).lane
        drawn = below(draw63(key, first + b), there(m, r, OUTPUTS, m.vcs))
        lane_of(m, r, b).turn = at_index(m, r, OUTPUTS, drawn, m.vcs)
    for o in range(m.out_vcs):
        drawn = below(draw63(key, first + m.input_lanes + o), there(m, r, INPUTS, m.vcs))
        out_vc_of(m, r, o).turn = asking_number(m, at_index(m, r, INPUTS, drawn, m.vcs))


@kernel
def give_all(m, r, asking, iteration, t):
    """Give what was granted to the first `asking` requests; turns move on in the first iteration only.

    How many of them were granted nothing; these come first then.
    """
    left = 0
    for k in range(asking):
        mine = request_of(m, k)
        b, o = mine.lane, mine.out_vc
        if o >= 0:
            mine_next, next_turn = lane_of(m, r, b).turn, out_vc_of(m, r, o).turn
            give_out_vc(m, r, b, o, t)
            if iteration > 0:
                lane_of(m, r, b).turn, out_vc_of(m, r, o).turn = mine_next, next_turn
        else:
            other = request_of(m, left)
            mine.lane, mine.out_vc = other.lane, other.out_vc
            other.lane, other.out_vc = b, o
            left += 1
    return left


@kernel
def match_out_vcs(m, r, asking, t):
    """Grant output VCs to the first `asking` requests in `work`; what a loser asked for becomes -1 - output VC."""
    stay_apart()
    left = asking
    for iteration in range(m.vc_iterations):
        if iteration > 0:
            for k in range(left):
                request_of(m, k).out_vc = -1 - request_of(m, k).out_vc
        if m.vc_allocator >= at.WAVEFRONT:
            sweep_out_vcs(m, r, left, t)
        else:
            if m.vc_allocator == at.PIM:
                draw_turns(m, r, left, t * m.vc_iterations + iteration)
            let_out_vcs_choose(m, r, left, t)
        left = give_all(m, r, left, iteration, t)
