"""Arbiters that keep an order of all that may ask: matrix arbiters, where of equals the one goes first that was served
least recently, and trees of arbiters.

A matrix says of each two which goes first; who is served goes behind all others. That is an order, so each arbiter
keeps the place of each that may ask, the first one 0. In a tree those that ask are in groups of neighbours: first an
arbiter says which group goes first, then one of each group which of it; both are in turn, or both are a matrix. That is
an order too, and without a tree all are one group. Before anything is served the last goes first by a matrix, as in
BookSim 2, and the first in turn. A row of `places` has those of the switch, at its inputs and then at its outputs, and
those of virtual-channel allocation, of its lanes and then of its output VCs; no row where all go in turn without trees.
The twin is `reference.parts.Arbiters`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory.rows import places_of
from jumpnet.sim.router.ports_there import asking_number

__all__ = ["input_place", "lane_place", "out_vc_place", "output_place", "serve_out_vc", "serve_switch"]


@inlined
def place_after(place, served, size, in_turn):
    """The place of one among so many after that at place `served` was served, which goes last: the others go on in
    turn, or keep their order."""
    if in_turn == 1:
        return (place - served - 1 + size) % size
    if place == served:
        return size - 1
    return place - 1 if place > served else place


@kernel
def serve(m, r, first, size, groups, in_turn, served):
    """The arbiter whose places begin at `first` has served one, of so many in so many groups."""
    places, each = places_of(m, r), size // groups
    before = places[first + served]
    for x in range(first, first + size):
        group, own = places[x] // each, places[x] % each
        if group == before // each:
            own = place_after(own, before % each, each, in_turn)
        places[x] = place_after(group, before // each, groups, in_turn) * each + own


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
    return places_of(m, r)[m.vc_places + (m.out_vcs + o) * m.input_lanes + asking_number(m, b)]


@kernel
def serve_switch(m, r, i, q):
    """Input i of the switch sends by output q."""
    groups, in_turn = m.arbiter_groups, m.arbiter_in_turn
    serve(m, r, i * m.switch_outputs, m.switch_outputs, groups, in_turn, q)
    serve(m, r, (m.switch_outputs + q) * m.switch_inputs, m.switch_inputs, groups, in_turn, i)


@kernel
def serve_out_vc(m, r, b, o):
    """Lane b gets output VC o."""
    groups, in_turn, place = m.vc_arbiter_groups, m.vc_arbiter_in_turn, m.vc_places
    serve(m, r, place + b * m.out_vcs, m.out_vcs, groups, in_turn, o)
    place += (m.out_vcs + o) * m.input_lanes
    serve(m, r, place, m.input_lanes, groups, in_turn, asking_number(m, b))
