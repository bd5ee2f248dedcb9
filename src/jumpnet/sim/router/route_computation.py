"""Route computation: the routing relation's candidates of a head become two bit sets of outlets, normal and escape.

The relation is asked once when the head is at the front, and once more when it has won an outlet and the candidates
disagree about the packet's next state. Called by `cycle`; the twin is `reference.Router.route`.
"""

from __future__ import annotations

from jumpnet.routing.view import ESCAPE, IN_PORT, IN_VC, KIND, MAX_CANDIDATES, NEXT_STATE, PORT, STATE, VC
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import bit
from jumpnet.sim.memory.record import ask_relation, inlined, kernel

__all__ = ["route", "settle_state"]


@kernel
def fail(m, why, router, p):
    """Stop the run at the end of this cycle; the first reason stays."""
    if m.counter[at.C_ERROR] == 0:
        m.counter[at.C_ERROR] = why
        m.counter[at.C_ERROR_ROUTER] = router
        m.counter[at.C_ERROR_PACKET] = p


@inlined
def class_of(m, p):
    """Message class of packet p."""
    return m.packet[p + at.KIND] & 15 if m.classes > 1 else 0


@kernel
def want_sinks(m, r, p, first):
    """Candidates of a packet that has arrived: every virtual channel of its class to its terminal."""
    c = class_of(m, p)
    index = m.sink_index[m.packet[p + at.AIM]]
    for j in range(m.ejection_ports):
        for v in range(m.class_vcs):
            o = (m.link_outputs + index * m.ejection_ports + j) * m.vcs + c * m.class_vcs + v
            m.wants[first * m.want_words + (o >> 5)] |= bit(o)
    m.wants[first * m.want_words + 2 * m.outlet_words] = m.packet[p + STATE]


@kernel
def route(m, r, b):
    """Find the outlets that the head at the front of lane b of router r may take."""
    lane = r * m.lanes + b
    row = lane * m.lane_stride
    p = m.head[lane * m.buffer + m.lane[row + at.READ]]
    m.lane[row + at.PACKET] = p
    in_port = m.port_of[b]
    if in_port < m.link_inputs:
        v = b - in_port * m.vcs
        m.packet[p + IN_PORT] = in_port
        m.packet[p + IN_VC] = v if m.classes == 1 else v % m.class_vcs
    m.packet[p + at.HOPS] += 1
    for w in range(2 * m.outlet_words):
        m.wants[lane * m.want_words + w] = 0
    m.wants[lane * m.want_words + 2 * m.outlet_words + 1] = 1
    n = ask_relation(m, r, p)
    if n == 0:
        if m.sink_router[m.packet[p + at.AIM]] != r:
            fail(m, at.ERROR_NO_ROUTE, r, p)
        want_sinks(m, r, p, lane)
    elif n < 0 or n > MAX_CANDIDATES:
        fail(m, at.ERROR_NO_ROUTE, r, p)
    elif m.packet[p + at.HOPS] > m.max_hops:
        fail(m, at.ERROR_HOPS, r, p)
    else:
        c = class_of(m, p)
        m.wants[lane * m.want_words + 2 * m.outlet_words] = m.query[4 * 0 + NEXT_STATE]
        for k in range(n):
            port, v = m.query[4 * k + PORT], m.query[4 * k + VC]
            if (
                port < 0
                or port >= m.link_outputs
                or v < 0
                or v >= m.class_vcs
                or m.link_ok[r * m.link_outputs + port] == 0
            ):
                fail(m, at.ERROR_BAD_CANDIDATE, r, p)
            else:
                o = port * m.vcs + c * m.class_vcs + v
                part = m.outlet_words if m.query[4 * k + KIND] == ESCAPE else 0
                m.wants[lane * m.want_words + part + (o >> 5)] |= bit(o)
                if m.query[4 * k + NEXT_STATE] != m.query[4 * 0 + NEXT_STATE]:
                    m.wants[lane * m.want_words + 2 * m.outlet_words + 1] = 0


@kernel
def settle_state(m, r, lane, p, o):
    """Give packet p the next state of the candidate row that outlet o came from."""
    if m.wants[lane * m.want_words + 2 * m.outlet_words + 1] == 1:
        m.packet[p + STATE] = m.wants[lane * m.want_words + 2 * m.outlet_words]
        return
    port = o // m.vcs
    v = (o - port * m.vcs) % m.class_vcs
    n = ask_relation(m, r, p)
    for k in range(n):
        if m.query[4 * k + PORT] == port and m.query[4 * k + VC] == v:
            m.packet[p + STATE] = m.query[4 * k + NEXT_STATE]
            return
