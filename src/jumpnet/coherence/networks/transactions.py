"""Chains of a protocol's messages as a routing over a network with endpoints: proofs and the simulator take it as any.

A packet is a chain of messages (`programs`). It goes to the first endpoint over the channels of its first message's
virtual network, there over those of the next one's, and so on. What it holds at an endpoint is the message that has
arrived, what it asks for there is room for the next. So the channel dependency graph of this routing is that of network
and endpoints together. Within a virtual network packets go as the routing of the network itself has it: its states are
listed once (`packet_states`), and the relation here looks them up. Called by `joint`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_states import sections
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.coherence.networks.endpoints import with_endpoints
from jumpnet.coherence.networks.programs import Program, thirds_of
from jumpnet.errors import JumpnetError
from jumpnet.routings import MOST_VCS, BoundRouting, Prepared, Routing
from jumpnet.routings.view import DESTINATION, ESCAPE, INTERMEDIATE, KIND, NEXT_STATE, PORT, SOURCE, STATE, VC
from jumpnet.terms import I64

__all__ = ["MOST_ENDPOINTS", "too_much", "transactions"]

MOST_ENDPOINTS = 36
"""Endpoints of networks whose chains of messages are followed; states go with their cube."""
ROUTERS, ENDS, VCS, LEGS, PROGRAMS, MARK = 0, 1, 2, 3, 4, 5
"""Places in net.own of plain numbers, MARK that of the kind of candidates to and from endpoints."""
LENGTH, NETWORK, TO, DRAWS, ROUTER, OUT_PORT, BEGINS, FIRST, WAYS = 6, 7, 8, 9, 10, 11, 12, 13, 14
"""Places in net.own of the starts of tables, see `_tables`."""


def relation(net, here, head, out):
    """The next channel of a chain: in the network as its routing has it, at an endpoint that of the next message."""
    own = net.own
    legs, programs = own[LEGS], own[PROGRAMS]
    leg, program, at = head[STATE] % legs, head[STATE] // legs % programs, head[STATE] // (legs * programs)
    if leg == own[own[LENGTH] + program]:
        return 0
    step = program * legs + leg
    to, vc = own[own[TO] + step], own[own[NETWORK] + step] * own[VCS]
    target = head[SOURCE]
    if to == 1:
        target = head[DESTINATION]
    elif to == 2:
        target = head[INTERMEDIATE]
    end = target - own[ROUTERS]
    router = own[own[ROUTER] + end]
    out[0, VC], out[0, KIND] = vc, own[MARK]
    if here >= own[ROUTERS]:
        there = own[own[ROUTER] + here - own[ROUTERS]]
        begin = own[own[BEGINS] + router * own[ROUTERS] + there]
        out[0, PORT], out[0, NEXT_STATE] = 0, (begin * programs + program) * legs + leg
        return 1
    first, last = own[own[FIRST] + at], own[own[FIRST] + at + 1]
    if first == last:  # and not where it is at its router: a routing of a user's own may lead past that
        out[0, PORT], out[0, NEXT_STATE] = own[own[OUT_PORT] + end], program * legs + leg + 1
        return 1
    for k in range(first, last):
        row = own[WAYS] + 4 * k
        out[k - first, PORT], out[k - first, VC] = own[row], vc + own[row + 1]
        out[k - first, NEXT_STATE] = (own[row + 3] * programs + program) * legs + leg
        out[k - first, KIND] = own[row + 2]
    return last - first


def start(net, head, draw, queue):
    """STATE is the chain, INTERMEDIATE its third endpoint, if it has one: neither where it begins nor where it ends."""
    own, program = net.own, 0
    while draw >= own[own[DRAWS] + program + 1]:
        program += 1
    third = own[ROUTERS] + draw - own[own[DRAWS] + program]
    low, high = min(head[SOURCE], head[DESTINATION]), max(head[SOURCE], head[DESTINATION])
    if third >= low:
        third += 1
    if third >= high:
        third += 1
    head[INTERMEDIATE] = third
    head[STATE] = program * own[LEGS]


def too_much(bound: BoundRouting, classes: int) -> str:
    """Why chains over a network are not followed, in words; empty where they are."""
    job, net = job_of(bound), bound.network
    if bound.draws > 1 or job.queues > 1 or job.by_source:
        return f"{bound.name} draws, or looks at queues or at the source"
    if bound.routing.bubble:
        return f"{bound.name} is made for bubbles"
    if not 3 <= net.endpoints <= MOST_ENDPOINTS:
        return f"{net.endpoints} endpoints, 3 to {MOST_ENDPOINTS} are followed"
    return f"{classes * bound.vcs} virtual channels" if classes * bound.vcs > MOST_VCS else ""


def transactions(bound: BoundRouting, programs: tuple[Program, ...], classes: int, name: str) -> BoundRouting:
    """The routing of chains of messages over a network with endpoints.

    bound: the routing within each virtual network, of which it takes the virtual channels v * V .. v * V + V - 1 for
    network v; links of endpoints have one for each. classes: virtual networks. name: what it is called. Raises
    JumpnetError where chains are not followed (`too_much`). Cost: a call of the relation for each state of `bound`.
    """
    if why := too_much(bound, classes):
        raise JumpnetError(f"chains of messages on {bound.network.spec}: {why}")
    net = with_endpoints(bound.network)
    own, draws = _tables(bound, programs)
    routing = Routing(
        name,
        relation,
        vcs=classes * bound.vcs,
        prepare=lambda net, options: Prepared(own),
        start=start,
        draws=lambda net, options: draws,
        adaptive=bound.routing.adaptive,
    )
    return BoundRouting(routing, net, classes * bound.vcs, {})


def _tables(bound: BoundRouting, programs: tuple[Program, ...]) -> tuple[I64, int]:
    """(net.own, number of draws)."""
    net = bound.network
    legs = 1 + max(len(made) for made in programs)
    thirds = thirds_of(programs, net.endpoints)
    begins, first, ways = _states(bound)
    where = net.terminal_router.astype(np.int64)
    order = np.arange(net.endpoints) - np.searchsorted(where, where)
    tables = [
        np.array([len(made) for made in programs]),
        _by_leg([[leg.network for leg in made] for made in programs], legs),
        _by_leg([[leg.to for leg in made] for made in programs], legs),
        np.append(0, np.cumsum(thirds)),
        where,
        net.ports + order,
        begins.reshape(-1),
        first,
        ways.reshape(-1),
    ]
    places = WAYS + 1 + np.append(0, np.cumsum([table.size for table in tables]))[:-1]
    mark = ESCAPE if (ways[:, 2] & ESCAPE).any() else 0
    plain = [net.routers, net.endpoints, bound.vcs, legs, len(programs), mark]
    return np.concatenate([plain, places, *tables]).astype(np.int64), int(sum(thirds))


def _by_leg(numbers: list[list[int]], legs: int) -> I64:
    return np.array([row + [0] * (legs - len(row)) for row in numbers], np.int64).reshape(-1)


def _states(bound: BoundRouting) -> tuple[I64, I64, I64]:
    """The states of packets within a network: how they begin, the first way on from each, the ways.

    (R, R) state in which packets to a router (row) begin at one; (S + 1,); (W, 4) port, vc, kind and state after.
    State 0 is that of packets that are there already, unless they may leave it first.
    """
    net, vcs = bound.network, bound.vcs
    begins, counts, ways, states = np.zeros((net.routers, net.routers), np.int64), [np.zeros(1, np.int64)], [], 1
    for found in sections(bound, job_of(bound)):
        n = len(found.router)
        begin = np.flatnonzero(found.begins)
        begins[found.sink, found.router[begin]] = states + begin
        left, channel, kind, after = found.ways.T
        counts.append(np.bincount(left, minlength=n))
        ways.append(np.stack([channel // vcs % net.ports, channel % vcs, kind, states + after], axis=1))
        states += n
    return begins, np.append(0, np.cumsum(np.concatenate(counts))), np.concatenate(ways)
