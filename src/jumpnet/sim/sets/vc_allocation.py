"""Virtual-channel allocation in sixteen routers at once, where all packets are single flits and sets have 32 bits.

The allocator is that of `router.vc_allocation`: each lane whose head waits asks for one of the free output VCs that it
wants, the first one from its turn on; each output VC goes to one of the lanes that ask for it, the first one from its
turn on; after a grant either turn moves past the other. Who gets nothing asks again in the next cycle.

Here every flit is a head, so that what is done for each head alone is done for each flit. Therefore a head is looked at
once, when it is routed: its lane joins the set of lanes that want an output VC, for each that it wants (`want`). Then a
cycle is a loop over output VCs, however many heads wait. Turns are sets too: of a lane, the output VCs from its turn on
(`turn_lane`, by output VC); of an output VC, the lanes from its turn on (`above_vc`). Called by `sets.pipeline`; the
twin is `reference.router.Router.allocate_vcs`.
"""

from jumpnet.jit.bits import lowest, member, one_if, pop_lowest, rest, shifted
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import choose, found, load, splat, store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import has, word_at
from jumpnet.sim.memory.record import narrow
from jumpnet.sim.memory.rows import lane_of
from jumpnet.sim.router.route_computation import settle_state

__all__ = ["allocate_vcs", "allocates_together", "begin_to_wait", "held_by", "want", "with_all_credits", "won_by"]


@inlined
def allocates_together(m):
    """Whether heads get their output VCs so."""
    return m.together == 1


@inlined
def won_by(m, o):
    """The number, among the sets of routers at work, of those whose output VC o has a winner: after those of all
    outputs and kinds of winners (`switch_allocation.won_at`).
    """
    return m.outputs + at.WORK_SETS + o


@inlined
def asked_at(m, o, shift):
    """Place of the lanes of sixteen routers at work that may ask for output VC o."""
    return m.winners + 64 * won_by(m, m.out_vcs + o) + shift


@inlined
def want(m, r, row, b, out_vcs):
    """The head of lane b of router r wants some output VCs, whose sets begin at that row."""
    place = word_at(m, r, row)
    m.sets[word_at(m, r & ~15, m.heads + at.H_WANTED)] |= out_vcs
    while out_vcs != 0:  # two in any case, the same one twice where there is one: which it is no processor can foresee
        o, others = lowest(out_vcs), rest(out_vcs)
        other = lowest(others) if others != 0 else o
        m.sets[place + 16 * o] |= member(b)
        m.sets[place + 16 * other] |= member(b)
        out_vcs = rest(others)


@inlined
def held_by(m, r, b):
    """The output VC that lane b of router r holds, or IDLE."""
    held = at.IDLE
    for o in range(m.out_vcs):
        held = o if has(m, r, m.holder + o, b) else held
    return held


@inlined
def begin_to_wait(m, first, looks):
    """The new heads among the lanes that are due: they are routed, and wait from now on. The others, which have got an
    output VC some cycles ago, bid for the switch from now on. Output VCs given back in the last cycle are free.
    """
    spent = load(m.sets, first + 16 * (m.heads + at.H_SPENT))
    store(m.sets, first + 16 * (m.heads + at.H_FREE), load(m.sets, first + 16 * (m.heads + at.H_FREE)) | spent)
    store(m.sets, first + 16 * (m.heads + at.H_SPENT), splat(m.sets, 0))
    if m.va > 1:
        late = load(m.sets, first + 16 * (m.heads + at.H_LATE))
        store(m.sets, first + 16 * (m.heads + at.H_LATE), late & ~looks)
        looks = looks & ~late
    store(m.sets, first + 16 * at.S_WAITING, load(m.sets, first + 16 * at.S_WAITING) | looks)
    return looks


@inlined
def with_all_credits(m, first, out_vcs):
    """Of some output VCs those that have all their credits."""
    for k in range(m.flit_bits):
        digit = load(m.sets, first + 16 * (m.credits + k))
        out_vcs = out_vcs & (digit if m.buffer >> k & 1 == 1 else ~digit)
    return out_vcs


@inlined
def free_now(m, first):
    """The output VCs that are free and take a packet."""
    free = load(m.sets, first + 16 * (m.heads + at.H_FREE))
    if m.cut_through == 1:
        free = free & load(m.sets, first + 16 * at.S_CREDIT)
    return with_all_credits(m, first, free) if m.reuse_empty == 1 else free


@inlined
def find_asked(m, first, shift, row, free, wanted, some, in_turn):
    """Note for each free output VC the lanes that want it, whose sets begin at that row, if they do not ask already.

    some, in_turn: lanes that ask, and those of them that want an output VC from their turn on; returned with the new
    ones.
    """
    none, before = splat(m.sets, 0), some
    while wanted != 0:
        o, wanted = pop_lowest(wanted)
        lanes = choose(free & splat(m.sets, member(o)), load(m.sets, first + 16 * (row + o)), none) & ~before
        asked = load(m.sets, asked_at(m, o, shift)) if row == m.escapes else none
        store(m.sets, asked_at(m, o, shift), asked | lanes)
        some = some | lanes
        in_turn = in_turn | lanes & load(m.sets, first + 16 * (m.turn_lane + o))
    return some, in_turn


@inlined
def grant(m, first, shift, wanted, in_turn):
    """Each lane asks for one output VC, each of these goes to one lane that asks: lanes and output VCs of the grants.

    in_turn: lanes that ask for the first one from their turn on; others have none there, and ask for the first of all.
    """
    none = splat(m.sets, 0)
    asked, granted, held = none, none, none
    while wanted != 0:
        o, wanted = pop_lowest(wanted)
        may_ask = load(m.sets, first + 16 * (m.turn_lane + o)) | ~in_turn
        lanes = load(m.sets, asked_at(m, o, shift)) & may_ask & ~asked
        asked = asked | lanes
        above, senders = first + 16 * (m.above_vc + o), first + 16 * (m.asks + m.port_of[o])
        from_turn = load(m.sets, above)
        lanes = choose(lanes & from_turn, lanes & from_turn, lanes)
        winner = lanes & -lanes
        store(m.sets, above, choose(winner, -(winner + winner), from_turn))  # the turn is past the winner
        store(m.sets, senders, load(m.sets, senders) | winner)
        store(m.sets, first + 16 * (m.holder + o), load(m.sets, first + 16 * (m.holder + o)) | winner)
        granted, held = granted | winner, held | choose(winner, splat(m.sets, member(o)), none)
    return granted, held


@inlined
def move_lane_turns(m, first, granted):
    """The turns of lanes that have got an output VC move past it, after the last one to the first."""
    passed = granted & load(m.sets, first + 16 * (m.holder + m.out_vcs - 1))
    for o in range(m.out_vcs):
        turn = first + 16 * (m.turn_lane + o)
        store(m.sets, turn, load(m.sets, turn) & ~granted | passed)
        passed = passed | granted & load(m.sets, first + 16 * (m.holder + o))


@inlined
def end_wanting(m, first, row, wanted, granted):
    """Lanes that have got an output VC are taken out of the sets from that row on: the output VCs still wanted."""
    still = 0
    while wanted != 0:
        o, wanted = pop_lowest(wanted)
        lanes = load(m.sets, first + 16 * (row + o)) & ~granted
        store(m.sets, first + 16 * (row + o), lanes)
        still |= shifted(one_if(found(lanes) != 0), o)
    return still


@kernel
def settle_asked(m, first, group):
    """Give the packets of lanes in H_SETTLING, whose candidates have been asked for, the next state that comes with the
    output VC of their lane.
    """
    routers = found(load(m.sets, first + 16 * (m.heads + at.H_SETTLING)))
    while routers != 0:
        k, routers = pop_lowest(routers)
        r, lanes = 16 * group + k, m.sets[first + 16 * (m.heads + at.H_SETTLING) + k]
        while lanes != 0:
            b, lanes = pop_lowest(lanes)
            settle_state(m, r, b, lane_of(m, r, b).packet, held_by(m, r, b))


@narrow
def allocate_vcs(m, group, shift, t):
    """Grant output VCs to the heads that wait in sixteen routers, in cycle t; gives back 0.

    shift: their place among the 64 at work.
    """
    first = group * 16 * m.set_rows
    waiting = load(m.sets, first + 16 * at.S_WAITING)
    if found(waiting) == 0:
        return 0
    free, wanted = free_now(m, first), m.sets[first + 16 * (m.heads + at.H_WANTED)]
    none, escaping = splat(m.sets, 0), load(m.sets, first + 16 * (m.heads + at.H_ESCAPING))
    some, in_turn = find_asked(m, first, shift, m.wanted, free, wanted, none, none)
    if found(escaping) != 0:  # those that have nothing else ask for escapes
        some, in_turn = find_asked(m, first, shift, m.escapes, free, wanted, some, in_turn)
    if found(some) == 0:
        return 0
    granted, held = grant(m, first, shift, wanted, in_turn)
    move_lane_turns(m, first, granted)
    still = end_wanting(m, first, m.wanted, wanted, granted)
    if found(escaping) != 0:
        still |= end_wanting(m, first, m.escapes, wanted, granted)
        store(m.sets, first + 16 * (m.heads + at.H_ESCAPING), escaping & ~granted)
    m.sets[first + 16 * (m.heads + at.H_WANTED)] = still
    store(m.sets, first + 16 * at.S_WAITING, waiting & ~granted)
    store(m.sets, first + 16 * (m.heads + at.H_FREE), load(m.sets, first + 16 * (m.heads + at.H_FREE)) & ~held)
    if m.va > 1:
        later = first + 16 * (m.looks + (t + m.va & (m.ring - 1)))
        store(m.sets, later, load(m.sets, later) | granted)
        store(m.sets, first + 16 * (m.heads + at.H_LATE), load(m.sets, first + 16 * (m.heads + at.H_LATE)) | granted)
    asked = load(m.sets, first + 16 * (m.heads + at.H_ASKED))
    if found(asked & granted) != 0:
        store(m.sets, first + 16 * (m.heads + at.H_SETTLING), asked & granted)
        store(m.sets, first + 16 * (m.heads + at.H_ASKED), asked & ~granted)
        settle_asked(m, first, group)
    return 0
