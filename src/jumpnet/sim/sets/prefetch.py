"""Prefetching of what routers kept as sets need for heads and tails, in networks that do not fit near caches.

Hints to the processor without any other effect, like those of `memory.prefetch`: two blocks of 64 routers ahead the
rows of lanes, one block ahead what these name, and last what those name. A flit between head and tail needs no row,
but its transfer. Of each sixteen routers the places where arrivals are kept are asked for, too. Called by `cycle`.
"""

from jumpnet.jit.bits import pop_lowest
from jumpnet.jit.instructions import prefetch, prefetch_far
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.vectors.numbers import found, load, splat, store
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import PACKET_ROW
from jumpnet.sim.memory.prefetch import CACHE_LINE, first_wanted, listed
from jumpnet.sim.memory.rows import lane_of, out_vc_of, router_and_lane

__all__ = ["look_ahead_sets"]


@inlined
def soon(m, first, t, end):
    """Lanes of sixteen routers that have a head to look at in cycles t..end-1, or a head or tail that may go then.

    As things stand before cycle t; first: where the sets of these routers start.
    """
    looks = splat(m.sets, 0)
    for cycle in range(t, end):
        looks = looks | load(m.sets, first + 16 * (m.looks + (cycle & (m.ring - 1))))
    if m.single == 1:
        ends = load(m.sets, first + 16 * m.asks)
        for q in range(1, m.outputs):
            ends = ends | load(m.sets, first + 16 * (m.asks + q))
    else:
        few, many = load(m.sets, first + 16 * m.left), splat(m.sets, 0)
        for k in range(1, m.left_bits):
            digit = load(m.sets, first + 16 * (m.left + k))
            if k == 1:
                few = few ^ digit  # one flit or two are left
            else:
                many = many | digit
        ends = load(m.sets, first + 16 * at.S_FRESH) | few & ~many
    came = load(m.sets, first + 16 * (m.came + (t & (m.ring - 1))))
    there = came | load(m.sets, first + 16 * at.S_THERE)
    return looks | came & load(m.sets, first + 16 * at.S_IDLE) | ends & there


@kernel
def list_block(m, block, t, end):
    """List those lanes of the routers of a block, and ask for their rows."""
    begin = block % 3 * m.ahead_size
    n, sets = begin, m.winners + 64 * (m.outputs + at.W_LOOKS)
    first = (m.first_router >> 4) + 4 * block
    for group in range(first, min(first + 4, (m.end_router + 15) >> 4)):
        for cycle in range(t, end):
            place = 16 * (group * at.KEPT_CYCLES + (cycle & (at.KEPT_CYCLES - 1)))
            prefetch_far(m.arrived, place)
            if m.wide == 1:
                prefetch_far(m.arrived, place + CACHE_LINE // 2)
        lanes = soon(m, 16 * m.set_rows * group, t, end)
        store(m.sets, sets, lanes)
        routers = found(lanes)
        while routers != 0:
            k, routers = pop_lowest(routers)
            r, word = 16 * group + k, m.sets[sets + k]
            while word != 0:
                b, word = pop_lowest(word)
                prefetch_far(m.lane, (r * m.lanes + b) * m.lane_stride)
                m.ahead[n] = r << at.LANE_SHIFT | b
                n += 1
    m.ahead[begin + m.ahead_size - 1] = n


@kernel
def fetch_transfers(m, block):
    """Ask for the transfers of the packets in a block."""
    first, each = m.first_router + 64 * block, m.lanes * at.TRANSFER_FIELDS
    for place in range(first * each, min(first + 64, m.end_router) * each, CACHE_LINE):
        prefetch_far(m.transfer, place)


@kernel
def fetch_named(m, first, end):
    """Ask for what listed lanes name in their rows: the output VC, or the head's slot and what it wants."""
    for i in range(first, end):
        r, b = router_and_lane(m.ahead[i])
        lane, row = r * m.lanes + b, lane_of(m, r, b)
        o = row.out_vc
        if o < 0:
            prefetch_far(m.head, lane * m.buffer + row.read)
            prefetch_far(m.wants, lane * m.want_words)
            continue
        prefetch_far(m.out_vc, (r * m.out_vcs + o) * at.OUT_VC_FIELDS)
        if o >= m.link_out_vcs:
            p = row.packet
            if m.single == 0:
                prefetch_far(m.flit, p * m.flits_per_field + abs(row.left) - 1)
            prefetch_far(m.packet, p)
            prefetch_far(m.packet, p + PACKET_ROW.created)


@kernel
def fetch_last(m, first, end):
    """Ask for what those name: the head's packet and an output VC for it, or the slot of the next lane of its way."""
    for i in range(first, end):
        r, b = router_and_lane(m.ahead[i])
        lane, row = r * m.lanes + b, lane_of(m, r, b)
        o = row.out_vc
        if o == at.IDLE:
            prefetch(m.packet, m.head[lane * m.buffer + row.read])
        elif o == at.WAITING:
            prefetch(m.out_vc, first_wanted(m, r, b))
            prefetch(m.packet, row.packet)
        elif o < m.link_out_vcs and (row.left < 0 or m.single == 1):
            out_vc = out_vc_of(m, r, o)
            far = out_vc.to_router
            to = far * m.lanes + out_vc.to_cell - far * m.cells
            prefetch(m.head, to * m.buffer + out_vc.write)


@kernel
def look_ahead_sets(m, block, t, end):
    """Before a block goes to work in cycles t..end-1: ask for what it and the blocks after it will need."""
    blocks = (m.end_router - m.first_router + 63) >> 6
    if block == 0:
        for early in range(min(2, blocks)):
            list_block(m, early, t, end)
        fetch_named(m, *listed(m, 0))
    if block + 2 < blocks:
        list_block(m, block + 2, t, end)
    if block + 1 < blocks:
        if m.single == 0:
            fetch_transfers(m, block + 1)
        fetch_named(m, *listed(m, block + 1))
    fetch_last(m, *listed(m, block))
