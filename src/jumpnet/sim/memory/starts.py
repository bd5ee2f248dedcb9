"""The start hook of a routing: what it reads of a packet and of the queues of its first router.

A hook that does not look at queues runs when a packet begins to enter, one that looks (UGAL) in the last cycle of
route computation at the packet's first router: a choice made earlier would be old when the packet goes. Where routes
take no cycle, as they are found a hop ahead, it runs when the head enters, and sees that router's queues as the cycle
begins. One that looks at queues of other routers too (UGAL-G) finds them as the cycle began.
"""

from jumpnet.jit.bits import count, member
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.random import below, draw63
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import word_at
from jumpnet.sim.memory.calls import ask_start
from jumpnet.sim.memory.rows import lane_at, out_vc_of, packet_at

__all__ = ["count_credits", "drawn_for", "start"]


@inlined
def count_in_sets(m, r, t, first):
    """`count_credits` where routers are sets; credits that come in cycle t may not be counted yet."""
    coming = m.sets[word_at(m, r, m.credited + (t & m.ring - 1))]
    digits = word_at(m, r, m.credits)
    for port in range(m.link_outputs):
        out_vcs = member(m.vcs) - 1 << port * m.vcs
        used = m.vcs * m.buffer - count(coming & out_vcs)
        for k in range(m.flit_bits):
            used -= count(m.sets[digits + 16 * k] & out_vcs) << k
        m.waiting[first + port] = used if m.link_ok[r * m.link_outputs + port] == 1 else 0


@kernel
def count_credits(m, r, t, first):
    """Fill `waiting` from `first` on with the credits of each output of router r that are used up in step t.

    A router that runs ahead finds the same: a credit comes back after the epoch at the earliest.
    """
    stay_apart()
    if m.by_queues == 1 and m.packed == 1:
        count_in_sets(m, r, t, first)
        return
    for port in range(m.link_outputs):
        used = 0
        for v in range(m.vcs):
            out_vc = out_vc_of(m, r, port * m.vcs + v)
            if out_vc.to >= 0:
                to = lane_at(m, out_vc.to)
                for slot in range(m.buffer):
                    if to[slot] > t:
                        used += 1
        m.waiting[first + port] = used


@inlined
def drawn_for(m, p):
    """The number that its source draws for packet p."""
    packet = packet_at(m, p)
    i = packet.from_terminal
    if m.kinds == at.SEVERAL:
        i += m.kind_row[packet.kind & at.KIND] * m.terminals
    return draw63(m.packet_key[i], 4 * packet.number + 2 + (packet.kind & 1))


@kernel
def start(m, p, r, t):
    """Run the start hook for packet p, with a draw of its source: the packet's own, or with t >= 0 that of cycle t.

    r: the router where it enters, by its number among those of all copies of the network.
    """
    drawn = drawn_for(m, p)
    draw = below(draw63(drawn, t) if t >= 0 else drawn, m.start_draws)
    ask_start(m, p, draw, r)
