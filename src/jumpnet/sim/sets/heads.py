"""Heads in routers that are kept as sets: route computation, the request for an output VC, and what its grant changes.

The same stages as in `router.heads`, which serves routers kept as rows; routing and grants are the same code. Heads of
64 routers are listed, and each stage is one loop over the list: a loop for each router would end unpredictably,
and what the heads need of memory is fetched while others are processed. A lane in the list is one number, its
router and its own (`memory.layout`). Called by `sets.pipeline`; the twins are `reference.router.Router.route` and
`reference.router.Router.allocate_vcs`.
"""

from jumpnet.jit.bits import count, lowest, member, one_if, pop_lowest, shifted
from jumpnet.jit.instructions import prefetch, stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import found, load, store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import has, note_in, put, put_count, word_at
from jumpnet.sim.memory.rows import (
    answer_of,
    heads_of,
    lane_of,
    out_vc_of,
    packet_at,
    request_of,
    router_and_lane,
    standing_of,
    transfer_of,
    wants_of,
)
from jumpnet.sim.memory.standing import goes_by_stations, place_of
from jumpnet.sim.router.route_computation import ask_queues, settle_state, take_head
from jumpnet.sim.router.vc_allocation import (
    choose_out_vc,
    first_free,
    grant_out_vcs,
    hold_out_vc,
    let_out_vcs_choose,
)
from jumpnet.sim.router.vc_matching import give_all
from jumpnet.sim.sets.routes import find_next, find_route, remember
from jumpnet.sim.sets.stations import answer_there, ask_there, find_station
from jumpnet.sim.sets.vc_allocation import allocates_together, want

__all__ = ["bid_for", "list_lanes", "look_at_heads", "put_holder", "route_by_queues", "route_heads"]


@inlined
def list_lanes(m, first, routers, sets):
    """List in `flow` the lanes of some of 64 routers, whose sets begin at `sets`: how many."""
    n = 0
    while routers != 0:
        k, routers = pop_lowest(routers)
        lanes, none = m.sets[sets + k], first + k << at.LANE_SHIFT
        end = n + count(lanes)
        while True:  # two in any case: a loop for each lane would end anywhere
            for _ in range(2):
                m.flow[n] = none | lowest(lanes)
                lanes &= lanes - 1
                n += 1
            if n >= end:
                break
        n = end
    return n


@inlined
def put_holder(m, r, b, o):
    """Lane b of router r is the one that sends through output VC o."""
    q = m.port_of[o]
    put(m, r, m.asks + q, b)
    if allocates_together(m):
        put(m, r, m.holder + o, b)
        return
    place, v = word_at(m, r, m.vc_digits), o - q * m.vcs
    for k in range(m.vc_bits):
        m.sets[place + 16 * k] = m.sets[place + 16 * k] & ~member(b) | (v >> k & 1) << b
    if has(m, r, at.S_CREDIT, o):
        put(m, r, at.S_ABLE, b)


@inlined
def bid_for(m, r, b, o):
    """Lane b of router r bids for output VC o from now on."""
    if m.single == 1:
        put_holder(m, r, b, o)
        return
    lane = lane_of(m, r, b)
    if lane.left < 0:
        put(m, r, at.S_FRESH, b)
    lane.when = abs(lane.left)
    put_count(m, r, m.left, b, lane.when)
    put_holder(m, r, b, o)
    transfer_of(m, r, b).to = out_vc_of(m, r, o).owner


@inlined
def ask_for_stations(m, n):
    """Ask for the stations of the first n listed lanes; where they stand is listed behind."""
    for i in range(n):
        r, b = router_and_lane(m.flow[i])
        standing = standing_of(m, r, b)[lane_of(m, r, b).read]
        prefetch(m.stations, standing & at.STATION_HOP - 1)
        m.flow[m.flow_size + i] = standing


@inlined
def ask_for_packets(m, n):
    """Ask for the packets of the first n listed lanes, then for their kept routes, whose places are listed behind.

    One by one each would be waited for.
    """
    for i in range(n):
        r, b = router_and_lane(m.flow[i])
        prefetch(m.packet, heads_of(m, r, b)[lane_of(m, r, b).read])
    if m.route_ports > 0:
        for i in range(n):
            r, b = router_and_lane(m.flow[i])
            p = heads_of(m, r, b)[lane_of(m, r, b).read]
            place = place_of(m, r, b, p)
            prefetch(m.routes, place)
            m.flow[m.flow_size + i] = p << at.ROUTE_SHIFT | place


@inlined
def choose(m, r, b, answer, t):
    """The output VC that the head of lane b of router r asks for, as `choose_out_vc`; answer: of `find_route`."""
    if answer > 0 and m.cut_through == 0 and m.reuse_empty == 0 and m.selection == at.ROUND_ROBIN:
        return first_free(m, r, b, answer_of(m, answer).wants, 0)
    remember(m, r, b, answer)
    return choose_out_vc(m, r, b, t)


@inlined
def asked_by(m, r, b, o, answer):
    """The output VCs that the head of lane b of router r asks for: o, or all that it wants where these choose first."""
    if m.vc_allocator == at.INPUT_FIRST:
        return member(o)
    wants = wants_of(m, r, b)
    return answer_of(m, answer).wants if answer > 0 else wants[0] | wants[1]


@inlined
def meets(m, others, may_get):
    """Whether a head that may get some output VCs must go through allocation with what others of its router may get.

    Alone it gets what it asks for, but where output VCs choose first and heads take the first candidate: among those
    that chose it a head takes the lowest (`let_out_vcs_choose`).
    """
    takes_lowest = m.vc_allocator != at.INPUT_FIRST and m.selection == at.FIRST
    return takes_lowest or others & may_get != 0


@inlined
def choose_out_vcs(m, n, t):
    """Route the heads of the first n listed lanes that have not been, and see what output VC each asks for.

    How many do, and the routers where two ask for the same. The list is then of those that ask, with their output VC
    and the kept answer (`memory.layout`). A lane that has an output VC bids for it from now on, one that finds none
    waits until one is given back, or has more room.
    """
    asking, clash, asked = 0, 0, m.winners + 64 * (m.outputs + at.W_ASKED)
    for k in range(64):
        m.sets[asked + k] = 0
    for i in range(n):
        r, b = router_and_lane(m.flow[i])
        o, answer = lane_of(m, r, b).out_vc, 0
        if o >= 0:
            bid_for(m, r, b, o)
            continue
        if goes_by_stations(m):
            answer = find_station(m, r, b, m.flow[m.flow_size + i])
        elif o == at.IDLE:
            answer = find_route(m, r, b, m.flow[m.flow_size + i] if m.route_ports > 0 else 0)
        o = choose(m, r, b, answer, t)
        if o < 0:
            remember(m, r, b, answer)
            put(m, r, at.S_WAITING if o == at.NONE_FREE else at.S_ROOM, b)
            continue
        m.flow[asking] = answer << at.ANSWER_SHIFT | o << at.OUT_VC_SHIFT | m.flow[i]
        prefetch(m.out_vc, (r * m.out_vcs + o) * at.OUT_VC_FIELDS)
        asking += 1
        others, may_get = m.sets[asked + (r & 63)], asked_by(m, r, b, o, answer)
        m.sets[asked + (r & 63)] = others | may_get
        clash |= shifted(one_if(meets(m, others, may_get)), r & 63)
    return asking, clash


@inlined
def granted(m, r, b, o, t):
    """Lane b of router r has got output VC o in cycle t, and bids for it from cycle t + va on."""
    if m.va < 2:
        bid_for(m, r, b, o)
    else:
        note_in(m, r, m.looks, t + m.va - 1, b)


@inlined
def asks(m, i):
    """The request at place i of the list: router, lane, output VC, kept answer."""
    entry = m.flow[i]
    o = entry >> at.OUT_VC_SHIFT & at.OUT_VC_NUMBER
    return entry >> at.LANE_SHIFT & at.ROUTER_NUMBER, entry & at.LANE_NUMBER, o, entry >> at.ANSWER_SHIFT


@kernel
def grant_some(m, i, asking, t):
    """Grant output VCs to the listed lanes of a router from place i of the list on: where those of the next begin.

    Losers look again in the next cycle.
    """
    stay_apart()
    first, n = m.flow[i] >> at.LANE_SHIFT & at.ROUTER_NUMBER, 0
    while i < asking:
        r, b, o, answer = asks(m, i)
        if r != first:
            break
        remember(m, r, b, answer)
        request = request_of(m, n)
        request.lane, request.out_vc = b, o
        n += 1
        i += 1
    if m.vc_allocator == at.INPUT_FIRST:
        grant_out_vcs(m, first, n, t)
    else:
        let_out_vcs_choose(m, first, n, t)
        give_all(m, first, n, 0, t)
    for k in range(n):
        b, o = request_of(m, k).lane, request_of(m, k).out_vc
        if o < 0:
            note_in(m, first, m.looks, t + 1, b)
        else:
            granted(m, first, b, o, t)
    return i


@inlined
def next_heads(m, first, groups, t):
    """Write the lanes whose head is looked at in the next cycle into a list of 64 routers: which have any."""
    routers, ring = 0, m.looks + (t + 1 & m.ring - 1)
    for g in range(groups):
        lanes = load(m.sets, word_at(m, first + 16 * g, ring))
        store(m.sets, m.winners + 64 * (m.outputs + at.W_ASKED) + 16 * g, lanes)
        routers |= shifted(found(lanes), 16 * g)
    return routers


@kernel
def route_by_queues(m, first, groups, looks, t):
    """Route the heads that ask for output VCs in the next cycle, where a start hook looks at queues: as these are now,
    before any flit leaves. Where routes take no time they ask in this cycle, and `looks` are the routers that have any.
    """
    stay_apart()
    which, routers = at.W_LOOKS, looks
    if m.rd > 0:
        which, routers = at.W_ASKED, next_heads(m, first, groups, t)
    n = list_lanes(m, first, routers, m.winners + 64 * (m.outputs + which))
    for i in range(n):
        r, b = router_and_lane(m.flow[i])
        lane = lane_of(m, r, b)
        if lane.out_vc == at.IDLE or lane.out_vc == at.CHOOSING:
            if lane.out_vc == at.IDLE:
                take_head(m, r, b)
            ask_queues(m, r, b, t)
            find_next(m, r, b)
            lane.out_vc = at.WAITING


@kernel
def ask_alone(m, r, b):
    """Route the head of lane b of router r, to which no answer is known: the output VCs that it wants.

    One that waited while the routers were rows has been routed. Its escapes are noted here.
    """
    lane, answer, wants = lane_of(m, r, b), 0, wants_of(m, r, b)
    if lane.out_vc == at.IDLE:
        lane.packet = standing_of(m, r, b)[lane.read] >> at.STANDING_SHIFT
        answer = ask_there(m, r, b)
    lane.out_vc = at.IDLE
    if answer > 0:
        return answer_of(m, answer).wants
    put(m, r, m.heads + at.H_ASKED, b)
    if wants[1] != 0:
        put(m, r, m.heads + at.H_ESCAPING, b)
        want(m, r, m.escapes, b, wants[1])
    return wants[0]


@kernel
def route_heads(m, first, routers):
    """Route the heads that are due in some of the 64 routers from `first` on: they want output VCs from now on.

    Where heads get these together they go by stations (`memory.standing`).
    """
    n = list_lanes(m, first, routers, m.winners + 64 * (m.outputs + at.W_LOOKS))
    ask_for_stations(m, n)
    for i in range(n):
        r, b = router_and_lane(m.flow[i])
        answer = answer_there(m, m.flow[m.flow_size + i])
        want(m, r, m.wanted, b, answer_of(m, answer).wants if answer > 0 else ask_alone(m, r, b))


@kernel
def look_at_heads(m, first, routers, t):
    """Route the heads that are due in some of the 64 routers from `first` on, and grant them output VCs."""
    n = list_lanes(m, first, routers, m.winners + 64 * (m.outputs + at.W_LOOKS))
    if goes_by_stations(m):
        ask_for_stations(m, n)
    else:
        ask_for_packets(m, n)
    asking, clash = choose_out_vcs(m, n, t)
    i = 0
    while i < asking:
        r, b, o, answer = asks(m, i)
        if clash >> (r & 63) & 1 != 0:
            i = grant_some(m, i, asking, t)
            continue
        hold_out_vc(m, r, b, o, t)
        p = lane_of(m, r, b).packet
        if answer > 0:
            if not goes_by_stations(m):  # flits that say where they stand have no use for it
                packet_at(m, p).state = answer_of(m, answer).next_state
        else:
            settle_state(m, r, b, p, o)
        granted(m, r, b, o, t)
        i += 1
