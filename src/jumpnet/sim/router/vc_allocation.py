"""Virtual-channel allocation: every waiting head requests one free output VC, every output VC is granted once.

Separable, one iteration, round robin on both sides as in BookSim 2: the turn of a side moves on when it takes part in a
grant. Input first a head asks for one output VC; output first (as iSLIP) output VCs choose among all heads. All
engines use this; the twin is `reference.router.Router.allocate_vcs`.
"""

from jumpnet.jit.bits import bit64, lowest, past, rest, shifted
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.routings.view import ESCAPE
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import count_at
from jumpnet.sim.memory.branches import own_lane
from jumpnet.sim.memory.calls import ask_relation
from jumpnet.sim.memory.clock import after_stage, cycle_of
from jumpnet.sim.memory.events import record
from jumpnet.sim.memory.packets import first_vc
from jumpnet.sim.memory.rows import (
    candidate_of,
    due_of,
    free_of,
    lane_at,
    lane_of,
    out_vc_of,
    packet_at,
    request_of,
    wants_of,
)
from jumpnet.sim.memory.shared_buffers import hold_shared, out_vc_full
from jumpnet.sim.router.arbiters import lane_place, out_vc_place, serve_out_vc
from jumpnet.sim.router.ports_there import asking_number
from jumpnet.sim.router.priority import order_at
from jumpnet.sim.router.route_computation import settle_state
from jumpnet.sim.terminals.message_ends import planned

__all__ = [
    "GRANTED_SHIFT", "choose_out_vc", "comes_last", "end_choice", "first_free", "give_out_vc", "grant_out_vcs",
    "hold_out_vc", "let_out_vcs_choose", "takes", "wants_now",
]  # fmt: skip

GRANTED_SHIFT = 32
"""While output VCs choose, that of a request is the one asked for and, above it, 1 + the best that chose it."""
ASKED = (1 << GRANTED_SHIFT) - 1


@inlined
def has_room_for(m, r, o, flits, t):
    """Whether output VC o of router r has so many credits at cycle t."""
    out_vc = out_vc_of(m, r, o)
    last = out_vc.write + flits - 1
    if last >= m.buffer:
        last -= m.buffer
    return lane_at(m, out_vc.to)[last] <= t


@inlined
def takes(m, r, b, o, flits, t):
    """Whether free output VC o of router r may take the packet of lane b, of that length, now."""
    if m.cut_through == 0 and m.reuse_empty == 0 and m.needs_credit == 0:
        return True
    if m.sharing > 0 and m.needs_credit == 1 and out_vc_full(m, r, o, t):
        return False
    room = m.buffer if m.reuse_empty == 1 else flits
    if m.bubble > 0 and wants_of(m, r, b)[2 * m.out_vc_words + (o >> 6)] & bit64(o) != 0:
        room += m.bubble
    if m.packed == 1:
        return count_at(m, r, m.credits, m.flit_bits, o) >= room
    return has_room_for(m, r, o, room, t)


@kernel
def credits(m, r, o, t):
    """Credits that output VC o of router r has at cycle t."""
    if m.packed == 1:
        return count_at(m, r, m.credits, m.flit_bits, o)
    to, count = lane_at(m, out_vc_of(m, r, o).to), 0
    for slot in range(m.buffer):
        if to[slot] <= t:
            count += 1
    return count


@inlined
def rank_for(m, r, b, o, t):
    """Rank of output VC o for lane b, the lowest goes first and of equals the lowest number: by turn or by credits."""
    if m.selection == at.CREDITS:
        return -credits(m, r, o, t)
    if m.selection == at.FIRST:
        return 0
    behind = m.out_vcs if m.empty_first == 1 and not has_room_for(m, r, o, m.buffer, t) else 0
    if m.selection == at.BY_PLACE:
        return behind + lane_place(m, r, b, o)
    return behind + past(lane_of(m, r, own_lane(m, b)).turn, o, m.out_vcs)


@kernel
def by_rank(m, r, b, part, flits, t):
    """The free wanted output VC that goes first, NONE_TAKES when none of them takes the packet, NONE_FREE without any.

    Wanted as an escape where `part` is `out_vc_words`, not 0.
    """
    stay_apart()
    best, least = at.NONE_FREE, 0
    for w in range(m.out_vc_words):
        word = wants_of(m, r, b)[part + w] & free_of(m, r)[w]
        while word != 0:
            o = w * 64 + lowest(word)
            word = rest(word)
            if takes(m, r, b, o, flits, t):
                rank = rank_for(m, r, b, o, t)
                if best < 0 or rank < least:
                    best, least = o, rank
            elif best < 0:
                best = at.NONE_TAKES
    return best


@kernel
def by_order(m, r, b, kind, least, flits, t):
    """Of the candidates that are free and take the packet, of which `least` is the lowest, the relation's first.

    The lowest at its destination, by a plan, and where the output at the next router says which virtual channels.
    """
    p = lane_of(m, r, b).packet
    n = ask_relation(m, r, p) if not planned(m, p) and m.by_output == 0 else 0
    first = first_vc(m, packet_at(m, p))
    for k in range(n):
        asked = candidate_of(m, k)
        o = asked.port * m.vcs + first + asked.vc
        is_free = free_of(m, r)[o >> 6] & bit64(o) != 0
        if (asked.kind & ESCAPE) == kind and is_free and takes(m, r, b, o, flits, t):
            return o
    return least


@inlined
def first_free(m, r, b, normal, escapes):
    """What lane b, which wants those output VCs, asks for in turn, or NONE_FREE: no branch.

    Where one word holds all output VCs and each takes any packet.
    """
    free = free_of(m, r)[0]
    found = normal & free
    found = found if found != 0 else escapes & free
    later = found & shifted(-1, lane_of(m, r, own_lane(m, b)).turn)
    o = lowest(later if later != 0 else found)
    return o if found != 0 else at.NONE_FREE


@kernel
def choose_out_vc(m, r, b, t):
    """The output VC that the waiting head of lane b asks for in cycle t: a normal one, else an escape.

    NONE_FREE when no wanted output VC is free, NONE_TAKES when none of the free ones takes the packet now.
    """
    needs_room = m.cut_through == 1 or m.reuse_empty == 1 or m.needs_credit == 1 or m.empty_first == 1
    if m.out_vc_words == 1 and m.selection == at.ROUND_ROBIN and not needs_room:
        return first_free(m, r, b, wants_of(m, r, b)[0], wants_of(m, r, b)[1])
    flits = packet_at(m, lane_of(m, r, b).packet).length if m.cut_through == 1 else 1
    none = at.NONE_FREE
    for kind in range(2):
        o = by_rank(m, r, b, kind * m.out_vc_words, flits, t)
        if o >= 0:
            return by_order(m, r, b, kind, o, flits, t) if m.selection == at.FIRST else o
        none = max(none, o)
    return none


@kernel
def goes_before(m, r, o, b, other, t):
    """Whether row b goes before row `other` when both ask for output VC o; lanes in turn, branches of one in order."""
    if m.vc_ranked == 1:
        first, second = order_at(m, r, b, t), order_at(m, r, other, t)
        if first != second:
            return first < second
    if m.selection == at.BY_PLACE:
        return out_vc_place(m, r, b, o) < out_vc_place(m, r, other, o)
    turn = out_vc_of(m, r, o).turn
    mine, others = asking_number(m, own_lane(m, b)), asking_number(m, own_lane(m, other))
    one, two = past(turn, mine, m.input_lanes), past(turn, others, m.input_lanes)
    return one < two or (m.forks == 1 and one == two and b < other)


@inlined
def hold_out_vc(m, r, b, o, t):
    """Row b of router r holds output VC o from cycle t on: writes both rows, the free set, and when the row is due.

    Where routers are sets `sets.conversion` finds when that is.
    """
    branch, out_vc = lane_of(m, r, b), out_vc_of(m, r, o)
    free_of(m, r)[o >> 6] &= ~bit64(o)
    following = asking_number(m, own_lane(m, b)) + 1
    if m.packed == 0:  # where routers are sets there is a note meanwhile (`sets.conversion`)
        out_vc.owner = b
    out_vc.turn = following if following < m.input_lanes else 0
    lane_of(m, r, own_lane(m, b)).turn = o + 1 if o + 1 < m.out_vcs else 0
    if m.selection == at.BY_PLACE:
        serve_out_vc(m, r, b, o)
    if m.sharing > 0:
        hold_shared(m, r, o, t, False)
    branch.out_vc = o
    if m.single == 0 or m.packed == 0:  # likewise
        branch.left = -packet_at(m, branch.packet).length
    if m.packed == 0:
        branch.when = lane_at(m, out_vc.to)[out_vc.write] if m.sharing == 0 else t
        due_of(m, r)[b] = after_stage(m, t, m.va)


@inlined
def give_out_vc(m, r, b, o, t):
    """`hold_out_vc`, and the next state of the packet of row b, which comes with it."""
    hold_out_vc(m, r, b, o, t)
    p = lane_of(m, r, b).packet
    settle_state(m, r, b, p, o)
    record(m, cycle_of(m, t), at.EVENT_VC, p, 0, r, o)


@kernel
def wants_now(m, r, k, o, t):
    """Whether the lane of request k would take output VC o now: an escape only where it requests one."""
    b, asked, w = request_of(m, k).lane, request_of(m, k).out_vc & ASKED, o >> 6
    wants, p = wants_of(m, r, b), lane_of(m, r, b).packet
    part = 0 if wants[asked >> 6] & bit64(asked) != 0 else m.out_vc_words
    wanted = wants[part + w] & free_of(m, r)[w] & bit64(o) != 0
    return wanted and takes(m, r, b, o, packet_at(m, p).length if m.cut_through == 1 else 1, t)


@inlined
def comes_last(m, r, b, o, t):
    """Whether output VC o is among those that lane b gets after the others: escapes, and channels to terminals; or
    those whose buffer is not empty."""
    if m.empty_first == 1 and m.escapes_last == 0:
        return not has_room_for(m, r, o, m.buffer, t)
    to_terminal = o >= m.link_outputs * m.vcs
    return to_terminal or wants_of(m, r, b)[m.out_vc_words + (o >> 6)] & bit64(o) != 0


@inlined
def prefers(m, r, b, o, other, t):
    """Whether lane b takes output VC o rather than another one, of two that chose it."""
    if m.escapes_last == 1:
        late, other_late = comes_last(m, r, b, o, t), comes_last(m, r, b, other, t)
        if late != other_late:
            return other_late
    return rank_for(m, r, b, o, t) < rank_for(m, r, b, other, t)


@inlined
def end_choice(m, asking):
    """After output VCs have chosen: the one that each of so many requests gets, or -1 - the one that it asked for."""
    for k in range(asking):
        mine = request_of(m, k)
        best = (mine.out_vc >> GRANTED_SHIFT) - 1
        mine.out_vc = best if best >= 0 else -1 - mine.out_vc


@inlined
def wanted_by_any(m, r, asking, w):
    """Word w of the free output VCs of router r that any of so many requests wants, as an escape or not."""
    wanted = wants_of(m, r, request_of(m, 0).lane)[w]
    for k in range(asking):
        wants = wants_of(m, r, request_of(m, k).lane)
        wanted |= wants[w] | wants[m.out_vc_words + w]
    return wanted & free_of(m, r)[w]


@kernel
def let_out_vcs_choose(m, r, asking, t):
    """Output first: every output VC picks one of the lanes that would take it, every lane one of those that did.

    Writes the requests as `grant_out_vcs` leaves them; of several output VCs the lowest stands for the first candidate.
    """
    for w in range(m.out_vc_words):
        word = wanted_by_any(m, r, asking, w)
        while word != 0:
            o, first = w * 64 + lowest(word), -1
            word = rest(word)
            for k in range(asking):
                if wants_now(m, r, k, o, t) and (
                    first < 0 or goes_before(m, r, o, request_of(m, k).lane, request_of(m, first).lane, t)
                ):
                    first = k
            if first >= 0:
                mine = request_of(m, first)
                best = (mine.out_vc >> GRANTED_SHIFT) - 1
                if best < 0 or prefers(m, r, mine.lane, o, best, t):
                    mine.out_vc = mine.out_vc & ASKED | (o + 1) << GRANTED_SHIFT
    end_choice(m, asking)


@kernel
def grant_out_vcs(m, r, asking, t):
    """Input first: of the lanes that ask for one output VC, by the first `asking` requests in `work`, one gets it.

    What a loser asked for becomes -1 - output VC.
    """
    for k in range(asking):
        mine = request_of(m, k)
        o, won = mine.out_vc, True
        for j in range(asking):
            rival = request_of(m, j)
            meets = j != k and (rival.out_vc == o or rival.out_vc == -1 - o)
            if meets and not goes_before(m, r, o, mine.lane, rival.lane, t):
                won = False
        if not won:
            mine.out_vc = -1 - o
    for k in range(asking):
        granted = request_of(m, k)
        if granted.out_vc >= 0:
            give_out_vc(m, r, granted.lane, granted.out_vc, t)
