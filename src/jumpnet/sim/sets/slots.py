"""When the flits came that stand in lanes: kept for the last cycles as sets, and written in slots from time to time.

A slot says from which cycle on its flit may be read. No stage asks for that while routers are sets, to which a count of
flits is enough, but what looks at a run from outside does (`measure.checks.longest_wait`). So the sets of lanes that
got a flit are kept for some cycles, one store a cycle for sixteen routers. Every `layout.KEPT_CYCLES` cycles those
flits that are still there are written in their slots. Called by `sets.pipeline` and `sets.conversion`.
"""

from jumpnet.jit.bits import member, pop_lowest
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.arrivals import count_at, has, word_at
from jumpnet.sim.memory.rows import lane_of
from jumpnet.sim.sets.packet_ends import later

__all__ = ["forget_arrivals", "keep_arrivals", "write_arrivals"]

LATEST = at.KEPT_CYCLES - 1


@inlined
def keep_arrivals(m, group, came, t):
    """Those lanes of sixteen routers have got a flit in cycle t."""
    store(m.arrived, 16 * (group * at.KEPT_CYCLES + (t & LATEST)), came)


@kernel
def forget_arrivals(m):
    """No lane of this thread's routers has got a flit lately but what its slots say."""
    row = 16 * at.KEPT_CYCLES
    for i in range((m.first_router >> 4) * row, ((m.end_router + 15) >> 4) * row):
        m.arrived[i] = 0


@inlined
def newest_slot(m, r, b, flits):
    """The slot of the last of so many flits in lane b of router r; what its packet has sent is not in its row yet."""
    lane = lane_of(m, r, b)
    sent = 0
    if m.single == 0 and lane.out_vc >= 0 and has(m, r, m.asks + m.port_of[lane.out_vc], b):
        sent = lane.when - count_at(m, r, m.left, m.left_bits, b)
    return later(m, lane.read, sent + flits - 1)


@kernel
def write_arrivals(m, first, end, t):
    """Write when the flits came that stand before cycle t in routers first..end-1, where links lead: of those of the
    last cycles. The slots of the others say so already.
    """
    for r in range(first, end):
        lanes = m.sets[word_at(m, r, at.S_THERE)] & (1 << m.link_inputs * m.vcs) - 1
        sought = lanes ^ lanes
        while lanes != 0:
            b, lanes = pop_lowest(lanes)
            flits = count_at(m, r, m.flits, m.flit_bits, b)
            if flits > 0:
                sought |= member(b)
                m.work[b] = flits << 8 | newest_slot(m, r, b, flits)
        cycle, begin = t - 1, t - at.KEPT_CYCLES
        while sought != 0 and cycle >= begin:
            came = m.arrived[16 * ((r >> 4) * at.KEPT_CYCLES + (cycle & LATEST)) + (r & 15)] & sought
            while came != 0:
                b, came = pop_lowest(came)
                slot = m.work[b] & 255
                lane_of(m, r, b)[slot] = at.FLIT + cycle
                m.work[b] += (slot - 1 if slot > 0 else m.buffer - 1) - slot - 256
                if m.work[b] < 256:
                    sought &= ~member(b)
            cycle -= 1
