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
def entered(m, lane):
    """Cycle in which the flit at the front of a lane entered the network."""
    packet = packet_at(m, lane.packet)
    left = abs(lane.left) if lane.out_vc >= 0 else packet.length
    return flits_of(m, lane.packet)[left - 1] if packet.length > 1 else packet.injected


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
        order = order_of(m, p)
        if m.priority == at.BY_NETWORK_AGE:
            order = flits_of(m, p)[packet.length - 1] if packet.length > 1 else packet.injected
        elif m.priority == at.BY_HOPS:
            order = m.max_hops - packet.hops
        best = min(best, order)
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
    lane = lane_of(m, r, b)
    if m.priority < at.BY_NETWORK_AGE:
        return order_of(m, lane.packet)
    if m.priority == at.BY_NETWORK_AGE:
        return entered(m, lane)
    if m.priority == at.BY_LOCAL_AGE:
        return lane[lane.read] - at.FLIT
    if m.priority == at.BY_HOPS:
        return m.max_hops - m.hops_here[r * m.lanes + b]
    order = m.buffer
    for slot in range(m.buffer):
        if at.FLIT <= lane[slot] <= at.FLIT + t:
            order -= 1
    return order
