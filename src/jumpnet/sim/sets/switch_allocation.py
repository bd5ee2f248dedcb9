"""Counting, and switch allocation, in sixteen routers at once: sets of lanes are added, compared and picked from.

The same allocator as `router.lists.pick_lanes`. A count of flits is a few sets: its binary digits, of all
lanes at once. Turns are sets too: of an output, the lanes that come before others; of an input port, the outputs that
do (`turn_output`) and its lanes that do (`turn_vc`). What holds of one lane of a port is passed to all of them by an
addition that carries as far as its last lane. Called by `sets.pipeline`; the twin is
`reference.router.Router.allocate_switch`.
"""

from __future__ import annotations

from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import choose, found, load, splat, store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import lowest, member, one_if, rest, shifted
from jumpnet.sim.sets.vc_allocation import allocates_together, begin_to_wait, with_all_credits, won_by

__all__ = ["pick", "tally", "won_at"]


@inlined
def add(m, first, digits, more):
    """Add 1 to the counts of the members of sets: the members whose count is not 0 now."""
    some = splat(m.sets, 0)
    for k in range(digits):
        digit = load(m.sets, first + 16 * k)
        total = digit ^ more
        store(m.sets, first + 16 * k, total)
        more = digit & more
        some = some | total
    return some


@inlined
def subtract(m, first, digits, less):
    """Subtract 1 from the counts of the members of sets, which are above 0: the members whose count was 1."""
    ends = less
    for k in range(digits):
        digit = load(m.sets, first + 16 * k)
        store(m.sets, first + 16 * k, digit ^ less)
        ends = ends & (digit if k == 0 else ~digit)
        less = less & ~digit
    return ends


@inlined
def wake(m, first, credited):
    """Heads that wait for room, of routers where an output VC has got the credit that may make enough of it.

    credited: output VCs that got one in this cycle. Where packets want buffers that are empty, enough is all credits.
    """
    waiting = load(m.sets, first + 16 * at.S_ROOM)
    if m.reuse_empty == 1:
        credited = with_all_credits(m, first, credited)
    woken = choose(credited, waiting, splat(m.sets, 0))
    store(m.sets, first + 16 * at.S_ROOM, waiting & ~woken)
    return woken


@inlined
def take(m, place):
    """The sets at a place of a ring, which are empty then."""
    noted = load(m.sets, place)
    store(m.sets, place, splat(m.sets, 0))
    return noted


@inlined
def tally(m, first, shift, t):
    """Take what arrives at sixteen routers in cycle t; which of them have heads to look at.

    first: where their sets start; shift: their place among the 64 at work. A packet that comes to an idle lane is
    looked at `rd` cycles later.
    """
    now, later = first + 16 * (t & (m.ring - 1)), first + 16 * (m.looks + (t + m.rd & (m.ring - 1)))
    came, credited, looks = take(m, now + 16 * m.came), take(m, now + 16 * m.credited), take(m, now + 16 * m.looks)
    if found(came | credited | looks | load(m.sets, first + 16 * at.S_THERE)) == 0:
        return 0
    there = add(m, first + 16 * m.flits, m.flit_bits, came)
    store(m.sets, first + 16 * at.S_THERE, there)
    store(m.sets, first + 16 * at.S_CREDIT, add(m, first + 16 * m.credits, m.flit_bits, credited))
    if not allocates_together(m) and (m.cut_through == 1 or m.reuse_empty == 1):
        looks = looks | wake(m, first, credited)
    idle = load(m.sets, first + 16 * at.S_IDLE)
    store(m.sets, first + 16 * at.S_IDLE, idle & ~there)
    if m.rd == 0:
        looks = looks | there & idle
    else:
        store(m.sets, later, load(m.sets, later) | there & idle)
    if allocates_together(m):
        looks = begin_to_wait(m, first, looks)
    store(m.sets, m.winners + 64 * (m.outputs + at.W_LOOKS) + shift, looks)
    return found(looks)


@inlined
def marks_of(m, lanes):
    """The last lane of each input port that has a lane in a set."""
    others = splat(m.sets, m.other_lanes)
    return ((lanes & others) + others | lanes) & splat(m.sets, m.last_lanes)


@inlined
def ports_of(m, lanes):
    """All lanes of the input ports that have a lane in a set."""
    marks = marks_of(m, lanes)
    return marks + marks - (marks >> m.vcs - 1)


@inlined
def in_turn(m, lanes, early):
    """The lanes of a set, but at input ports that have early ones among them those alone."""
    now = lanes & early
    return now | lanes & ~ports_of(m, now)


@inlined
def pick_inputs(m, first, bidding):
    """Of those lanes that bid, the one of each input port that goes first: its output in turn, then its number."""
    early, picked, taken = splat(m.sets, 0), splat(m.sets, 0), splat(m.sets, 0)
    for q in range(m.outputs):
        lanes = bidding & load(m.sets, first + 16 * (m.asks + q))
        early = early | lanes & load(m.sets, first + 16 * (m.turn_output + q))
    bidding = in_turn(m, bidding, early)
    for q in range(m.outputs):
        lanes = bidding & load(m.sets, first + 16 * (m.asks + q)) & ~taken
        picked = picked | lanes
        taken = taken | ports_of(m, lanes)
    picked = in_turn(m, picked, load(m.sets, first + 16 * m.turn_vc))
    return picked & ~(picked - (marks_of(m, picked) >> m.vcs - 1))


@inlined
def move_input_turns(m, first, winners, won):
    """Those lanes have won, one of an input port at most: the output and the number after theirs go first there next.

    Reads the winners of each output from place `winners` of `sets` on.
    """
    ports, low = ports_of(m, won), marks_of(m, won) >> m.vcs - 1
    passed = ports_of(m, load(m.sets, winners + 64 * (m.outputs - 1)))
    for q in range(m.outputs):
        place = first + 16 * (m.turn_output + q)
        store(m.sets, place, load(m.sets, place) & ~ports | passed)
        passed = passed | ports_of(m, load(m.sets, winners + 64 * q))
    place = first + 16 * m.turn_vc
    store(m.sets, place, load(m.sets, place) & ~ports | ports - (won + won) + low)


@inlined
def with_credit(m, first, o, one, credit):
    """The lane of each router that holds output VC o, where that has a credit; one: o in each router."""
    return choose(credit & one, load(m.sets, first + 16 * (m.holder + o)), splat(m.sets, 0))


@inlined
def bids(m, first):
    """Lanes that have a flit, an output VC and a credit."""
    credit, able, one = load(m.sets, first + 16 * at.S_CREDIT), splat(m.sets, 0), splat(m.sets, 1)
    if m.wide == 0:
        for o in range(m.out_vcs):
            able = able | with_credit(m, first, o, one, credit)
            one = one + one
    else:
        held = m.sets[first + 16 * at.S_HELD]
        while held != 0:
            o = lowest(held)
            held = rest(held)
            able = able | with_credit(m, first, o, splat(m.sets, member(o)), credit)
    able = able & load(m.sets, first + 16 * at.S_THERE)
    return able & ~load(m.sets, first + 16 * (m.heads + at.H_LATE)) if allocates_together(m) and m.va > 1 else able


@inlined
def end_holder(m, first, o, one, won, tails):
    """Where output VC o is held by a lane that has won; it has no holder any more where a tail has left by it.

    Returns whether it has one in none of the routers, too.
    """
    place = first + 16 * (m.holder + o)
    holders = load(m.sets, place)
    store(m.sets, place, holders & ~tails)
    return choose(won & holders, one, splat(m.sets, 0)), found(holders & ~tails) == 0


@inlined
def end_singles(m, first, won, shift):
    """`end_holders`, where heads get output VCs together: the lane that has won by each output VC is noted, too."""
    spent, one = splat(m.sets, 0), splat(m.sets, 1)
    for o in range(m.out_vcs):
        place = first + 16 * (m.holder + o)
        holders = load(m.sets, place)
        winner = won & holders
        store(m.sets, place, holders ^ winner)
        store(m.sets, m.winners + 64 * won_by(m, o) + shift, winner)
        spent = spent | choose(winner, one, splat(m.sets, 0))
        one = one + one
    store(m.sets, first + 16 * (m.heads + at.H_SPENT), spent)
    return spent


@inlined
def end_holders(m, first, won, tails, shift):
    """The output VCs by which lanes have won; tails give theirs back, and leave those that ask for an output."""
    for q in range(m.outputs):
        place = first + 16 * (m.asks + q)
        store(m.sets, place, load(m.sets, place) & ~tails)
    if allocates_together(m):
        return end_singles(m, first, won, shift)
    spent, one = splat(m.sets, 0), splat(m.sets, 1)
    if m.wide == 0:
        for o in range(m.out_vcs):
            of_one, _ = end_holder(m, first, o, one, won, tails)
            spent = spent | of_one
            one = one + one
    else:
        left = held = m.sets[first + 16 * at.S_HELD]
        while left != 0:
            o = lowest(left)
            left = rest(left)
            of_one, free = end_holder(m, first, o, splat(m.sets, member(o)), won, tails)
            spent = spent | of_one
            held ^= shifted(one_if(free), o)
        m.sets[first + 16 * at.S_HELD] = held
    return spent


@inlined
def won_at(m, k):
    """The place of `work` of the k-th set of routers that `pick` finds: after the requests of heads."""
    return at.REQUEST_FIELDS * m.work_rows + k


@inlined
def tell(m, kind, lanes, shift):
    """Note which lanes of sixteen routers have won in a way that asks for more, and the routers that have any."""
    store(m.sets, m.winners + 64 * (m.outputs + kind) + shift, lanes)
    m.work[won_at(m, m.outputs + kind)] |= shifted(found(lanes), shift)


@kernel
def pick(m, first, shift):
    """Switch allocation in sixteen routers: the routers whose output q has a winner are noted in `won_at(m, q)`.

    That is a place of `work`. Noted from bit `shift` on; from `won_at(m, outputs)` on the routers with winners of the
    kinds W_HEADS to W_ENTERED, whose lanes are in `winners`. Counts are then those after the cycle.
    """
    if found(load(m.sets, first + 16 * at.S_THERE)) == 0:
        return
    bidding = bids(m, first)
    if found(bidding) == 0:
        return
    picked = pick_inputs(m, first, bidding)
    won, going = splat(m.sets, 0), splat(m.sets, 0)
    for q in range(m.outputs):
        above = load(m.sets, first + 16 * (m.above + q))
        asking = picked & load(m.sets, first + 16 * (m.asks + q))
        early = asking & above
        asking = choose(early, early, asking)
        winner = asking & -asking
        later = splat(m.sets, m.first_lanes) & -(winner + winner)
        store(m.sets, first + 16 * (m.above + q), choose(winner, -(later & -later), above))
        store(m.sets, m.winners + 64 * q + shift, winner)
        won = won | winner
        if q < m.link_outputs:
            going = won
        m.work[won_at(m, q)] |= shifted(found(winner), shift)
    fresh = tails = won
    if m.single == 0:
        fresh = load(m.sets, first + 16 * at.S_FRESH)
        tails = subtract(m, first + 16 * m.left, m.left_bits, won)
    spent = end_holders(m, first, won, tails, shift)
    store(m.sets, first + 16 * at.S_IDLE, load(m.sets, first + 16 * at.S_IDLE) | tails)
    move_input_turns(m, first, m.winners + shift, won)
    if m.single == 0:
        store(m.sets, first + 16 * at.S_FRESH, fresh & ~won)
    subtract(m, first + 16 * m.flits, m.flit_bits, won)
    subtract(m, first + 16 * m.credits, m.flit_bits, spent)
    if m.single == 0:
        tell(m, at.W_HEADS, going & fresh, shift)
        tell(m, at.W_TAILS, going & tails, shift)
    tell(m, at.W_ENTERED, won & splat(m.sets, m.entry_lanes), shift)
