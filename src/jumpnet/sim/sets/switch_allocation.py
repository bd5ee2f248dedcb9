"""Counting, and switch allocation, in sixteen routers at once: sets of lanes are added, compared and picked from.

The same allocator as `router.switch_allocation.pick_lanes`. A count of flits is a few sets: its binary digits, of all
lanes at once. An output's turn is the set of lanes that come before others. An input's turn is an order of its lanes:
sets say of each lane whether it goes before the next one, the one after that, and so on, around the port (`before`).
The lane that has won goes last, as its output and its virtual channel are then last in turn; how the others go then
follows from the output VCs that they hold (`after`), and is worked out when one gets an output VC
(`sets.heads.settle_order`). Called by `sets.pipeline`; the twin is `reference.Router.allocate_switch`.
"""

from __future__ import annotations

from jumpnet._linked import inlined, kernel
from jumpnet._vectors import choose, found, load, splat, store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import shifted

__all__ = ["pick", "tally"]


@inlined
def add(m, first, digits, more):
    """Add 1 to the counts of the members of sets: the members whose count is not 0 now."""
    some = splat(0)
    for k in range(digits):
        digit = load(m.sets, first + 16 * k)
        total = digit ^ more
        store(m.sets, first + 16 * k, total)
        more = digit & more
        some = some | total
    return some


@inlined
def subtract(m, first, digits, less):
    """Subtract 1 from the counts of the members of sets; counts are above 0."""
    for k in range(digits):
        digit = load(m.sets, first + 16 * k)
        store(m.sets, first + 16 * k, digit ^ less)
        less = less & ~digit


@inlined
def subtract_and_end(m, first, digits, less):
    """The same; answers those of the members whose count was 1."""
    ends = less
    for k in range(digits):
        digit = load(m.sets, first + 16 * k)
        store(m.sets, first + 16 * k, digit ^ less)
        ends = ends & (digit if k == 0 else ~digit)
        less = less & ~digit
    return ends


@inlined
def take(m, place):
    """The sets at a place of a ring, which are empty then."""
    noted = load(m.sets, place)
    store(m.sets, place, splat(0))
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
    idle = load(m.sets, first + 16 * at.S_IDLE)
    store(m.sets, first + 16 * at.S_IDLE, idle & ~there)
    if m.rd == 0:
        looks = looks | there & idle
    else:
        store(m.sets, later, load(m.sets, later) | there & idle)
    store(m.sets, m.winners + 64 * (m.outputs + at.W_LOOKS) + shift, looks)
    return found(looks)


@inlined
def whose(m, lanes, d):
    """The lanes whose d-th next lane, around their port, is in a set of lanes; d from 1 to vcs - 1.

    Members that are no lanes, beyond the last one, mean nothing.
    """
    low = splat(m.first_lanes * ((1 << m.vcs - d) - 1))
    return ((lanes >> d) & low) | ((lanes << m.vcs - d) & ~low)


@inlined
def ports_of(m, lanes):
    """All lanes of the ports that have a lane in a set."""
    ports = lanes
    for d in range(1, m.vcs):
        ports = ports | whose(m, lanes, d)
    return ports


@inlined
def move_input_turns(m, first, won):
    """After those lanes have won, one of a port at most: each goes last at its port, and the others as `after` says."""
    ports = ports_of(m, won)
    last = first + 16 * at.S_LAST
    store(m.sets, last, load(m.sets, last) & ~ports | won)
    for d in range(1, m.vcs):
        goes = whose(m, won, d)
        for k in range(1, m.vcs):
            one, other = m.vcs - k, (d - k if d > k else d - k + m.vcs)  # as seen from the winner, k lanes on
            if k == d:
                continue
            low, high = min(one, other), max(one, other)
            pair = load(m.sets, first + 16 * (m.after + ((high - 1) * (high - 2) >> 1) + low - 1))
            goes = goes | whose(m, won & (pair if one < other else ~pair), k)
        place = first + 16 * (m.before + d - 1)
        store(m.sets, place, load(m.sets, place) & ~ports | goes)


@inlined
def bids(m, first):
    """Lanes that have a flit, an output VC and a credit; of those of an input port the one that goes first."""
    credit, able = load(m.sets, first + 16 * at.S_CREDIT), splat(0)
    for o in range(m.out_vcs):
        able = able | load(m.sets, first + 16 * (m.holder + o)) & (credit << 31 - o) >> 31
    bidding = able & load(m.sets, first + 16 * at.S_THERE)
    picked = bidding
    for d in range(1, m.vcs):
        picked = picked & (load(m.sets, first + 16 * (m.before + d - 1)) | ~whose(m, bidding, d))
    return picked


@kernel
def pick(m, first, shift):
    """Switch allocation in sixteen routers: the routers whose output q has a winner are noted in `work[q]`.

    Noted from bit `shift` on; routers with winners among the lanes of terminals in `work[outputs]`, those with winners
    that send a head or tail in `work[outputs + 1]`. The lanes are in `winners`. Counts are then those after the cycle.
    """
    if found(load(m.sets, first + 16 * at.S_THERE)) == 0:
        return
    picked = bids(m, first)
    if found(picked) == 0:
        return
    won, spent = splat(0), splat(0)
    for q in range(m.outputs):
        holders = load(m.sets, first + 16 * (m.holder + q * m.vcs))
        for o in range(q * m.vcs + 1, (q + 1) * m.vcs):
            holders = holders | load(m.sets, first + 16 * (m.holder + o))
        above = load(m.sets, first + 16 * (m.above + q))
        asking = picked & holders
        early = asking & above
        asking = choose(early, early, asking)
        winner = asking & -asking
        later = splat(m.first_lanes) & -(winner + winner)
        store(m.sets, first + 16 * (m.above + q), choose(winner, -(later & -later), above))
        store(m.sets, m.winners + 64 * q + shift, winner)
        won = won | winner
        m.work[q] |= shifted(found(winner), shift)
    for o in range(m.out_vcs):
        spent = spent | choose(won & load(m.sets, first + 16 * (m.holder + o)), splat(1 << o), splat(0))
    if m.vcs > 1:
        move_input_turns(m, first, won)
    fresh = load(m.sets, first + 16 * at.S_FRESH)
    heads, tails = won & fresh, subtract_and_end(m, first + 16 * m.left, m.left_bits, won)
    store(m.sets, first + 16 * at.S_FRESH, fresh & ~won)
    subtract(m, first + 16 * m.flits, m.flit_bits, won)
    subtract(m, first + 16 * m.credits, m.flit_bits, spent)
    entered = won & splat(m.entry_lanes)
    at_work = m.winners + 64 * m.outputs + shift
    store(m.sets, at_work + 64 * at.W_HEADS, heads)
    store(m.sets, at_work + 64 * at.W_TAILS, tails)
    store(m.sets, at_work + 64 * at.W_ENTERED, entered)
    m.work[m.outputs] |= shifted(found(entered), shift)
    m.work[m.outputs + 1] |= shifted(found(heads | tails), shift)
