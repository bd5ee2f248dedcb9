"""Which flit goes first where priorities count, of those at the fronts of lanes: each has an order, the lowest first.

By what is known of a packet when it is created (`packets.order_of`), or by what the router sees of the flit and its
lane, as in BookSim 2. The twin is `reference.router.Router`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.packets import order_of
from jumpnet.sim.memory.rows import flits_of, heads_of, lane_of, packet_at

__all__ = ["order_at"]


@kernel
def order_by_packet(m, p, left, hops):
    """What goes before others, of a flit of packet p with `left` - 1 behind it, that met so many routers before."""
    packet = packet_at(m, p)
    if m.priority == at.BY_NETWORK_AGE:
        return flits_of(m, p)[left - 1] if packet.length > 1 else packet.injected
    return m.max_hops - hops if m.priority == at.BY_HOPS else order_of(m, p)


@kernel
def order_behind(m, r, b, t):
    """The lowest order of the heads behind the packet at the front of lane b in step t, or a high number.

    The other flits of a packet never go before its first one in the lane.
    """
    lane, best = lane_of(m, r, b), 1 << 60
    behind = abs(lane.left) if lane.out_vc >= 0 else packet_at(m, lane.packet).length
    while behind < m.buffer:
        slot = (lane.read + behind) % m.buffer
        if lane[slot] < at.FLIT or lane[slot] > at.FLIT + t:
            break
        p = heads_of(m, r, b)[slot]
        packet = packet_at(m, p)
        best = min(best, order_by_packet(m, p, packet.length, packet.hops))
        behind += packet.length
    return best


@kernel
def order_at(m, r, b, t):
    """What goes before other flits in step t, of the flit at the front of lane b: the lowest, from 0 on."""
    own = order_at_front(m, r, b, t)
    return min(own, order_behind(m, r, b, t)) if m.donates == 1 else own


@kernel
def order_at_front(m, r, b, t):
    """The same by that flit alone."""
    lane, order = lane_of(m, r, b), m.buffer
    if m.priority == at.BY_LOCAL_AGE:
        return lane[lane.read] - at.FLIT
    if m.priority == at.BY_QUEUE:
        for slot in range(m.buffer):
            if at.FLIT <= lane[slot] <= at.FLIT + t:
                order -= 1
        return order
    left = abs(lane.left) if lane.out_vc >= 0 else packet_at(m, lane.packet).length
    return order_by_packet(m, lane.packet, left, m.hops_here[r * m.lanes + b] if m.priority == at.BY_HOPS else 0)
