"""Matrix arbiters: of equals the one goes first that was served least recently.

The matrix says of each two which goes first; who is served goes behind all others. That is an order, so each arbiter
keeps the place of each that may ask, the first one 0. Before anything is served the last goes first, as in BookSim 2.
A row of `places` has those of the switch, at its inputs and then at its outputs, and those of virtual-channel
allocation, of its lanes and then of its output VCs; no row where all go in turn. The twin is `reference.router.Router`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.sim.memory.rows import places_of

__all__ = ["input_place", "lane_place", "out_vc_place", "output_place", "serve_out_vc", "serve_switch"]


@kernel
def serve(m, r, first, size, served):
    """The arbiter whose places begin at `first` has served one: it goes behind all others."""
    places = places_of(m, r)
    before = places[first + served]
    for x in range(size):
        if places[first + x] > before:
            places[first + x] -= 1
    places[first + served] = size - 1


@kernel
def input_place(m, r, i, q):
    """Place of output q of the switch at input i."""
    return places_of(m, r)[i * m.switch_outputs + q]


@kernel
def output_place(m, r, i, q):
    """Place of input i of the switch at output q."""
    return places_of(m, r)[(m.switch_outputs + q) * m.switch_inputs + i]


@kernel
def lane_place(m, r, b, o):
    """Place of output VC o at lane b."""
    return places_of(m, r)[m.vc_places + b * m.out_vcs + o]


@kernel
def out_vc_place(m, r, b, o):
    """Place of lane b at output VC o."""
    return places_of(m, r)[m.vc_places + (m.out_vcs + o) * m.input_lanes + b]


@kernel
def serve_switch(m, r, i, q):
    """Input i of the switch sends by output q."""
    serve(m, r, i * m.switch_outputs, m.switch_outputs, q)
    serve(m, r, (m.switch_outputs + q) * m.switch_inputs, m.switch_inputs, i)


@kernel
def serve_out_vc(m, r, b, o):
    """Lane b gets output VC o."""
    serve(m, r, m.vc_places + b * m.out_vcs, m.out_vcs, o)
    serve(m, r, m.vc_places + (m.out_vcs + o) * m.input_lanes, m.input_lanes, b)
