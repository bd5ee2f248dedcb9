"""Counting, and switch allocation, in sixteen routers at once: sets of lanes are added, compared and picked from.

The same allocators as `router.lists.pick_lanes`, and where outputs choose first as `router.switch_allocation`. A count
of flits is a few sets: its binary digits, of all lanes at once. Turns are sets too: of an output, the lanes that come
before others; of an input port, the outputs that do (`turn_output`) and its lanes that do (`turn_vc`). What holds of
one lane of a port is passed to all of them by an addition that carries as far as its last lane. Called by
`sets.pipeline`; the twin is `reference.router.Router.allocate_switch`.
"""

from jumpnet.jit.bits import member, pop_lowest, shifted
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import choose, found, load, splat, store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.sets.slots import keep_arrivals
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


@kernel
def change_able(m, first, scratch, routers):
    """Of some of sixteen routers lanes have a credit now that had none, or the reverse: those that send through the
    output VCs that are listed, a set for each router, from place `scratch` of `sets` on.
    """
    while routers != 0:
        k, routers = pop_lowest(routers)
        changed, place = m.sets[scratch + k], first + k
        while changed != 0:
            o, changed = pop_lowest(changed)
            q = m.port_of[o]
            lanes, v = m.sets[place + 16 * (m.asks + q)], o - q * m.vcs
            for d in range(m.vc_bits):
                lanes &= m.sets[place + 16 * (m.vc_digits + d)] ^ (v >> d & 1) - 1
            able, credit = place + 16 * at.S_ABLE, m.sets[place + 16 * at.S_CREDIT] >> o & 1
            m.sets[able] = m.sets[able] & ~lanes | lanes & -credit


@inlined
def follow_credits(m, first, shift, credit):
    """Those output VCs of sixteen routers have a credit now."""
    before = load(m.sets, first + 16 * at.S_CREDIT)
    store(m.sets, first + 16 * at.S_CREDIT, credit)
    if allocates_together(m):
        return
    routers, scratch = found(before ^ credit), m.winners + 64 * (m.outputs + at.W_ASKED) + shift
    if routers != 0:
        store(m.sets, scratch, before ^ credit)
        change_able(m, first, scratch, routers)


@inlined
def begin_batch(m, first, waiting, looks):
    """Of the new heads of sixteen routers those whose routes are computed from now on: all of a router, when the batch
    before is done, as its lanes are looked at.
    """
    at_work = load(m.sets, first + 16 * m.at_routing) & ~looks
    begun = choose(at_work, splat(m.sets, 0), waiting)
    store(m.sets, first + 16 * m.at_routing, at_work | begun)
    return begun


@inlined
def tally(m, group, shift, t):
    """Take what arrives at sixteen routers in cycle t; which of them have heads to look at.

    group: their number, by sixteens; shift: their place among the 64 at work. A packet that comes to an idle lane is
    looked at `rd` cycles later.
    """
    first = group * m.set_rows * 16
    now, later = first + 16 * (t & (m.ring - 1)), first + 16 * (m.looks + (t + m.rd & (m.ring - 1)))
    came, credited, looks = take(m, now + 16 * m.came), take(m, now + 16 * m.credited), take(m, now + 16 * m.looks)
    keep_arrivals(m, group, came, t)
    if found(came | credited | looks | load(m.sets, first + 16 * at.S_THERE)) == 0:
        return 0
    there = add(m, first + 16 * m.flits, m.flit_bits, came)
    store(m.sets, first + 16 * at.S_THERE, there)
    follow_credits(m, first, shift, add(m, first + 16 * m.credits, m.flit_bits, credited))
    if not allocates_together(m) and (m.cut_through == 1 or m.reuse_empty == 1):
        looks = looks | wake(m, first, credited)
    idle = load(m.sets, first + 16 * at.S_IDLE)
    new = there & idle
    if m.in_batches == 1:
        new = begin_batch(m, first, new, looks)
    store(m.sets, first + 16 * at.S_IDLE, idle & ~new)
    if m.rd == 0:
        looks = looks | new
    else:
        store(m.sets, later, load(m.sets, later) | new)
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
def pick_outputs(m, first, bidding):
    """Outputs choose first: of those lanes that bid, one for each output, of these the one of each input port that goes
    first. At an output, lanes of one port go by their numbers in turn.
    """
    picked, turn_vc = splat(m.sets, 0), load(m.sets, first + 16 * m.turn_vc)
    for q in range(m.outputs):
        asking = in_turn(m, bidding & load(m.sets, first + 16 * (m.asks + q)), turn_vc)
        early = asking & load(m.sets, first + 16 * (m.above + q))
        asking = choose(early, early, asking)
        picked = picked | asking & -asking
    return pick_inputs(m, first, picked)


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
def bids(m, first):
    """Lanes that have a flit, an output VC and a credit."""
    there = load(m.sets, first + 16 * at.S_THERE)
    if not allocates_together(m):
        return there & load(m.sets, first + 16 * at.S_ABLE)
    credit, able, one = load(m.sets, first + 16 * at.S_CREDIT), splat(m.sets, 0), splat(m.sets, 1)
    for o in range(m.out_vcs):
        able = able | choose(credit & one, load(m.sets, first + 16 * (m.holder + o)), splat(m.sets, 0))
        one = one + one
    able = able & there
    return able & ~load(m.sets, first + 16 * (m.heads + at.H_LATE)) if m.va > 1 else able


@inlined
def end_singles(m, first, won, shift):
    """The output VCs by which lanes have won, where heads get these together. They have no holder any more, and who has
    won by each is noted.
    """
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
def sends_through(m, first, q, winner):
    """The output VC that each lane which has won output q sends through."""
    out_vc = choose(winner, splat(m.sets, member(q * m.vcs)), splat(m.sets, 0))
    for k in range(m.vc_bits):
        later = winner & load(m.sets, first + 16 * (m.vc_digits + k))
        out_vc = choose(later, out_vc << (1 << k), out_vc)
    return out_vc


@inlined
def end_asking(m, first, tails):
    """Lanes whose tail has left ask for no output any more."""
    for q in range(m.outputs):
        place = first + 16 * (m.asks + q)
        store(m.sets, place, load(m.sets, place) & ~tails)
    if not allocates_together(m):
        store(m.sets, first + 16 * at.S_ABLE, load(m.sets, first + 16 * at.S_ABLE) & ~tails)


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
    picked = pick_inputs(m, first, bidding) if m.allocator == at.INPUT_FIRST else pick_outputs(m, first, bidding)
    won, going, spent = splat(m.sets, 0), splat(m.sets, 0), splat(m.sets, 0)
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
        if not allocates_together(m):
            spent = spent | sends_through(m, first, q, winner)
        if q < m.link_outputs:
            going = won
        m.work[won_at(m, q)] |= shifted(found(winner), shift)
    tails = won
    if m.single == 0:
        fresh = load(m.sets, first + 16 * at.S_FRESH)
        store(m.sets, first + 16 * at.S_FRESH, fresh & ~won)
        tails = subtract(m, first + 16 * m.left, m.left_bits, won)
        tell(m, at.W_HEADS, going & fresh, shift)
        tell(m, at.W_TAILS, going & tails, shift)
    end_asking(m, first, tails)
    if allocates_together(m):
        spent = end_singles(m, first, won, shift)
    store(m.sets, first + 16 * at.S_IDLE, load(m.sets, first + 16 * at.S_IDLE) | tails)
    move_input_turns(m, first, m.winners + shift, won)
    subtract(m, first + 16 * m.flits, m.flit_bits, won)
    subtract(m, first + 16 * m.credits, m.flit_bits, spent)
    tell(m, at.W_ENTERED, won & splat(m.sets, m.entry_lanes), shift)
