"""Routes of packets that branch: the branches of the packet at the front of a lane, from the tree of its message.

A branch of a tree names its output VC; a packet to one destination has one branch, and asks its routing. The twin is
`tests/naive/multicast_routers.py`.
"""

from jumpnet.jit.bits import bit64, lowest, not_after
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.branches import start_branches
from jumpnet.sim.memory.packets import take_row
from jumpnet.sim.memory.rows import (
    counters_at,
    due_of,
    heads_of,
    lane_of,
    message_at,
    packet_at,
    place_at,
    tally_at,
    wants_of,
)
from jumpnet.sim.router.route_computation import chooses_late, find_candidates, take_head
from jumpnet.sim.terminals.message_ends import counting_sink, parent_of, tally_of

__all__ = ["route_heads"]


@kernel
def add_branch(m, r, b, p, first, count):
    """One more branch of the packet at the front of lane b: packet row p leaves by one of `count` output VCs."""
    lane = lane_of(m, r, b)
    row = b + lane.branches * m.input_lanes
    lane.branches += 1
    lane_of(m, r, row).packet = p
    wants = wants_of(m, r, row)
    for w in range(2 * m.out_vc_words):
        wants[w] = 0
    for o in range(first, first + count):
        wants[o >> 6] |= bit64(o)
    wants.alike = 1


@kernel
def add_sink(m, r, b, p, x):
    """A branch to sink x of the router, or to its combining unit (x = -1)."""
    if x < 0:
        add_branch(m, r, b, p, m.out_vcs - m.vcs, m.vcs)
    else:
        count = m.ejection_ports * m.vcs
        add_branch(m, r, b, p, m.link_outputs * m.vcs + x * count, count)


@kernel
def copy_of(m, p, place):
    """A packet like p at a place of its tree: takes a row of the packet table."""
    q = take_row(m)
    old, new = packet_at(m, p), packet_at(m, q)
    new.from_terminal, new.kind, new.created, new.length = old.from_terminal, old.kind, old.created, old.length
    new.message, new.role, new.place = old.message, old.role, place
    new.number, new.injected, new.hops = old.number, old.injected, old.hops
    return q


@kernel
def register(m, r, message, place, branches):
    """Count the acknowledges of a place in the combining unit if it has an entry, else in a terminal."""
    tally = tally_at(m, tally_of(m, message, place))
    tally.left = branches
    if m.used[r] < m.entries:
        m.used[r] += 1
        tally.in_unit = 1
    else:
        counters_at(m, 0).fallbacks += 1


@kernel
def follow_tree(m, r, b, p, message, place):
    """List the branches of a message (-1: a packet to one destination), or of an acknowledge that goes all the way."""
    here, takers = place_at(m, place), 0
    packet_at(m, p).hops += 1
    for k in range(here.branches):
        to = (here.branch + k) * m.place_fields
        child = place_at(m, to)
        add_branch(m, r, b, copy_of(m, p, to), child.port * m.vcs + child.vc, 1)
    for x in range(m.spread):
        if here.sinks >> x & 1:
            add_sink(m, r, b, p, x)
            takers += 1
    joins = here.branches + takers > (here.branches == 0)
    if message >= 0 and packet_at(m, p).role == msg.DATA and joins and message_at(m, message).ack == msg.COMBINED:
        register(m, r, message, place, here.branches + takers)


@kernel
def list_branches(m, r, b, t):
    """List the branches of the packet whose head is at the front of lane b: writes their rows, and `front`.

    Along a tree go copies, each at a place of its own, and the packet itself ends here. One without a tree goes on, and
    so does an acknowledge over its one link.
    """
    lane = lane_of(m, r, b)
    p = heads_of(m, r, b)[lane.read]
    packet = packet_at(m, p)
    message, place, role = packet.message, packet.place, packet.role
    goes_on = place < 0 or (role == msg.UP_ACK and place_at(m, place).router == r)
    lane.branches, m.front[r * m.input_lanes + b] = 0, -1 if goes_on else p
    if place < 0:
        take_head(m, r, b)
        if not chooses_late(m):
            find_candidates(m, r, b, t)
        lane.branches = 1
    elif role == msg.DATA or role == msg.ONE_ACK:
        follow_tree(m, r, b, p, message, place)
    elif goes_on:
        add_branch(m, r, b, p, place_at(m, place).back * m.vcs + m.vcs - 1, 1)
    else:
        target = parent_of(m, place) if role == msg.UP_ACK else place
        counted = role != msg.FINAL and tally_at(m, tally_of(m, message, target)).in_unit == 1
        add_sink(m, r, b, p, -1 if counted else counting_sink(m, message, target))


@kernel
def route_heads(m, r, t):
    """Route the heads that have come to the front of the lanes of router r."""
    stay_apart()
    for group in range((m.input_lanes + at.CELLS - 1) // at.CELLS):
        word = not_after(m.due, r * m.cells + group * at.CELLS, t)
        while word != 0:
            b = group * at.CELLS + lowest(word)
            word &= word - 1
            if b < m.input_lanes and lane_of(m, r, b).out_vc == at.IDLE and lane_of(m, r, b).when <= t:
                list_branches(m, r, b, t)
                start_branches(m, r, b, t)
                if chooses_late(m) and packet_at(m, heads_of(m, r, b)[lane_of(m, r, b).read]).place < 0:
                    lane_of(m, r, b).out_vc = at.CHOOSING
                    due_of(m, r)[b] -= 1
