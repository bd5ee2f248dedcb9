"""Virtual-channel allocation by other rules than a separable one: at random, by a wavefront, in several iterations.

`pipeline` calls it where `vc_allocation.grant_outlets` does not serve; the twin is `reference.router.Router`.
"""

from __future__ import annotations

from jumpnet._linked import kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import lane_of, outlet_of, request_of
from jumpnet.sim.router.random_turns import draw_outlet_turns
from jumpnet.sim.router.vc_allocation import give_outlet, let_outlets_choose
from jumpnet.sim.router.wavefront import sweep_outlets

__all__ = ["match_outlets"]


@kernel
def give_all(m, r, asking, iteration, t):
    """Give what was granted to the first `asking` requests; turns move on in the first iteration only.

    How many of them were granted nothing; these come first then.
    """
    left = 0
    for k in range(asking):
        mine = request_of(m, k)
        b, o = mine.lane, mine.outlet
        if o >= 0:
            mine_next, next_turn = lane_of(m, r, b).turn, outlet_of(m, r, o).turn
            give_outlet(m, r, b, o, t)
            if iteration > 0:
                lane_of(m, r, b).turn, outlet_of(m, r, o).turn = mine_next, next_turn
        else:
            other = request_of(m, left)
            mine.lane, mine.outlet = other.lane, other.outlet
            other.lane, other.outlet = b, o
            left += 1
    return left


@kernel
def match_outlets(m, r, asking, t):
    """Grant outlets to the first `asking` requests in `work`; what a loser asked for becomes -1 - outlet."""
    left = asking
    for iteration in range(m.vc_iterations):
        if iteration > 0:
            for k in range(left):
                request_of(m, k).outlet = -1 - request_of(m, k).outlet
        if m.vc_allocator >= at.WAVEFRONT:
            sweep_outlets(m, r, left, t)
        else:
            if m.vc_allocator == at.PIM:
                draw_outlet_turns(m, r, left, t * m.vc_iterations + iteration)
            let_outlets_choose(m, r, left, t)
        left = give_all(m, r, left, iteration, t)
