"""Route computation: the routing relation's candidates of a head become two bit sets of output VCs, normal and escape.

The relation is called once when the head is at the front, and once more when it has won an output VC and the candidates
disagree about the packet's next state. All engines use this; the twin is `reference.router.Router.route`.
"""

from jumpnet.jit.bits import bit64, one_if
from jumpnet.jit.linked import inlined, kernel
from jumpnet.routings.view import ENTERS, ESCAPE, MAX_CANDIDATES, NORMAL
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.calls import ask_relation, ask_start
from jumpnet.sim.memory.packets import first_vc, sink_output
from jumpnet.sim.memory.rows import candidate_of, counters_at, heads_of, lane_of, out_vc_of, packet_at, wants_of
from jumpnet.sim.memory.starts import count_credits, start

__all__ = [
    "ask_for_candidates", "ask_queues", "chooses_late", "find_candidates", "route", "settle_state", "take_head",
    "take_head_of",
]  # fmt: skip


@kernel
def fail(m, why, router, p):
    """Stop the run at the end of this cycle; the first reason stays in the counters."""
    counter = counters_at(m, 0)
    if counter.error == 0:
        counter.error, counter.error_router, counter.error_packet = why, router, p


@inlined
def wrong_for_outputs(m, n):
    """Why the n candidates in `query` are no range of virtual channels of one port, of no kind, with one next state;
    0 where they are."""
    first, seen, high = candidate_of(m, 0), 0, 0
    low = m.class_vcs
    for k in range(n):
        asked = candidate_of(m, k)
        if asked.vc < 0 or asked.vc >= m.class_vcs:
            return at.ERROR_BAD_CANDIDATE
        if asked.port != first.port or asked.next_state != first.next_state or asked.kind != NORMAL:
            return at.ERROR_OUTPUTS
        if seen & bit64(asked.vc) != 0:
            return at.ERROR_OUTPUTS
        seen |= bit64(asked.vc)
        low, high = min(low, asked.vc), max(high, asked.vc)
    return at.ERROR_OUTPUTS if high - low != n - 1 else 0


@kernel
def want_by_output(m, r, b, p, n):
    """Of the virtual channels that packet p of lane b may have, leave those of the output that it takes at the router
    after r; they are among those that its route has there. Asks the relation for it, which `query` holds after that.

    n: candidates that it has at r.
    """
    packet, wants, first = packet_at(m, p), wants_of(m, r, b), candidate_of(m, 0)
    why = wrong_for_outputs(m, n)
    if why != 0:
        fail(m, why, r, p)
        return
    o = first.port * m.vcs + first_vc(m, packet)
    out_vc = out_vc_of(m, r, o)
    far = out_vc.to_router
    state, in_port, in_vc = packet.state, packet.in_port, packet.in_vc
    packet.state, packet.in_port, packet.in_vc = first.next_state, m.port_of[out_vc.to_cell - far * m.cells], first.vc
    n = ask_relation(m, far, p)
    packet.state, packet.in_port, packet.in_vc = state, in_port, in_vc
    output, low = sink_output(m, packet), 0
    if n > 0:
        why = wrong_for_outputs(m, n)
        if why != 0:
            fail(m, why, far, p)
            return
        output, low = first.port, first.vc
        for k in range(n):
            low = min(low, candidate_of(m, k).vc)
    each = (n if n > 0 else m.class_vcs) // m.outputs
    if each < 1:
        fail(m, at.ERROR_FEW_CHANNELS, r, p)
    for w in range(m.out_vc_words):
        wants[w] = 0
    for v in range(low + output * each, low + (output + 1) * each):
        wants[(o + v) >> 6] |= bit64(o + v)


@kernel
def want_sinks(m, r, b, p):
    """Candidates of a packet that has arrived: every virtual channel of its class to its terminal.

    Where routes keep their channel, only the one that it came by, or the first where it met no link.
    """
    packet, wants = packet_at(m, p), wants_of(m, r, b)
    index = m.sink_index[packet.to_terminal]
    low, count = first_vc(m, packet), m.class_vcs
    if m.by_output == 1 and packet.in_port >= 0:
        count //= m.outputs
        low += (m.link_outputs + index) * count
    elif m.one_vc_at_ends == 1:
        v = candidate_of(m, 0).vc
        if v < 0 or v >= count:
            fail(m, at.ERROR_BAD_CANDIDATE, m.sink_router[packet.to_terminal], p)
            v = 0
        low, count = low + v, 1
    for j in range(m.ejection_ports):
        first = (m.link_outputs + index * m.ejection_ports + j) * m.vcs + low
        for o in range(first, first + count):
            wants[o >> 6] |= bit64(o)
    wants.next_state = packet.state


@inlined
def want_candidates(m, r, b, p, n):
    """Put the n candidates in `query` into the wanted output VCs of lane b, with the next state if they agree on it.

    Where one word holds all output VCs it is written once: a loop that reads what it has just written waits each time.
    """
    packet, wants, first = packet_at(m, p), wants_of(m, r, b), candidate_of(m, 0)
    wants.next_state = first.next_state
    normal, escapes, alike, lowest_vc = 0, 0, 1, first_vc(m, packet)
    for k in range(n):
        asked = candidate_of(m, k)
        port, v = asked.port, asked.vc
        there = port >= 0 and port < m.link_outputs and v >= 0 and v < m.class_vcs
        if not there or m.link_ok[r * m.link_outputs + port] == 0:
            fail(m, at.ERROR_BAD_CANDIDATE, r, p)
            continue
        o = port * m.vcs + lowest_vc + v
        is_escape = one_if(asked.kind & ESCAPE != 0)
        if m.out_vc_words == 1:
            normal |= bit64(o) & is_escape - 1
            escapes |= bit64(o) & -is_escape
        else:
            wants[is_escape * m.out_vc_words + (o >> 6)] |= bit64(o)
        if m.bubble > 0 and asked.kind & ENTERS != 0:
            wants[2 * m.out_vc_words + (o >> 6)] |= bit64(o)
        alike &= one_if(asked.next_state == first.next_state)
    wants.alike = alike
    if m.out_vc_words == 1:
        wants[0], wants[1] = normal, escapes


@inlined
def take_head_of(m, r, b, p):
    """Packet p, whose head is at the front of lane b of router r, is the lane's; its row says where it came from."""
    lane_of(m, r, b).packet = p
    packet, in_port = packet_at(m, p), m.port_of[b]
    by_link = in_port < m.link_inputs
    packet.in_port = in_port if by_link else -1
    packet.in_vc = b - in_port * m.vcs - first_vc(m, packet) if by_link else -1
    if m.priority == at.BY_HOPS:
        m.hops_here[r * m.lanes + b] = packet.hops
    packet.hops += 1


@kernel
def take_head(m, r, b):
    """`take_head_of` for whatever packet it is, which `head` says."""
    take_head_of(m, r, b, heads_of(m, r, b)[lane_of(m, r, b).read])


@inlined
def ask_queues(m, r, b, t):
    """Run a start hook that looks at queues for the packet of lane b of router r, and finds them as they are in step t:
    where the packet enters, or at every later router, of which it is told the number.
    """
    p, by_link = lane_of(m, r, b).packet, m.port_of[b] < m.link_inputs
    if m.start_revises == 1 if by_link else m.start_looks == 1 and m.start_enters == 0:
        if m.start_sees == 1:
            count_credits(m, r, t, 0)
        if by_link:
            ask_start(m, p, r % m.subnet_routers if m.subnets > 1 else r, r)
        else:
            start(m, p, r, -1)


@inlined
def ask_for_candidates(m, r, b):
    """Find the output VCs that the packet of lane b of router r may take: writes the lane's row of `wants`."""
    wants, p = wants_of(m, r, b), lane_of(m, r, b).packet
    packet = packet_at(m, p)
    for w in range((3 if m.bubble > 0 else 2) * m.out_vc_words):
        wants[w] = 0
    wants.alike = 1
    n = ask_relation(m, r, p)
    if n == 0:
        if m.sink_router[packet.to_terminal] != r:
            fail(m, at.ERROR_NO_ROUTE, r, p)
        want_sinks(m, r, b, p)
    elif n < 0 or n > MAX_CANDIDATES:
        fail(m, at.ERROR_NO_ROUTE, r, p)
    elif packet.hops > m.max_hops:
        fail(m, at.ERROR_HOPS, r, p)
    else:
        want_candidates(m, r, b, p, n)
        if m.by_output == 1:
            want_by_output(m, r, b, p, n)


@kernel
def find_candidates(m, r, b, t):
    """Both in step t."""
    ask_queues(m, r, b, t)
    ask_for_candidates(m, r, b)


@inlined
def chooses_late(m):
    """Whether candidates are found in the last step of route computation and not in the first: by queues."""
    return m.start_looks == 1 and m.rd > 1


@kernel
def route(m, r, b, t):
    """Both in one step, for the head at the front of lane b of router r."""
    take_head(m, r, b)
    find_candidates(m, r, b, t)


@kernel
def settle_state(m, r, b, p, o):
    """Give packet p of lane b the next state of the candidate that output VC o came from."""
    packet, wants = packet_at(m, p), wants_of(m, r, b)
    if wants.alike == 1:
        packet.state = wants.next_state
        return
    port = o // m.vcs
    v = o - port * m.vcs - first_vc(m, packet)
    for k in range(ask_relation(m, r, p)):
        asked = candidate_of(m, k)
        if asked.port == port and asked.vc == v:
            packet.state = asked.next_state
            return
