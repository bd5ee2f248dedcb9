"""Parallel iterative matching: both sides choose at random, by turns that are drawn again in every iteration.

Source: Anderson, Owicki, Saxe and Thacker 1993, in the form of BookSim 2: a side takes the first that there is from a
random one on. The twin is in `reference.router`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.jit.random import below, draw63, stream_key
from jumpnet.sim.memory.rows import bid_of, lane_of, out_vc_of, request_of, turns_of

__all__ = ["draw_out_vc_turns", "draw_switch_turns"]


@kernel
def draw_switch_turns(m, r, n, time):
    """Draw the turns of the switch of router r for its n bids; `time` counts iterations."""
    key, turns = stream_key(m.seed, 2 * (m.sources + r)), turns_of(m, r)
    first = time * m.held_row
    for k in range(n):
        bid = bid_of(m, k)
        turns[2 * bid.input] = below(draw63(key, first + bid.input), m.switch_outputs)
        place = m.switch_inputs + bid.output
        turns[m.switch_inputs + place] = below(draw63(key, first + place), m.switch_inputs)


@kernel
def draw_out_vc_turns(m, r, asking, time):
    """Draw the turns of the output VCs of router r and of the lanes of so many requests; `time` counts iterations."""
    key = stream_key(m.seed, 2 * (m.sources + r) + 1)
    first = time * (m.input_lanes + m.out_vcs)
    for k in range(asking):
        b = request_of(m, k).lane
        lane_of(m, r, b).turn = below(draw63(key, first + b), m.out_vcs)
    for o in range(m.out_vcs):
        out_vc_of(m, r, o).turn = below(draw63(key, first + m.input_lanes + o), m.input_lanes)
