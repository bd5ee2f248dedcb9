"""Prefetching: rows are requested before they are needed, in networks whose rows do not fit the caches near the core.

Hints to the processor without any other effect. A row that is found through another one is asked for a stage later,
when that one has come: two words of routers ahead the rows of lanes, one word ahead what these name, and so on. Called
by `cycle` and `router.lists`.
"""

from jumpnet.jit.bits import lowest, not_after
from jumpnet.jit.instructions import prefetch, prefetch_far
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import PACKET_ROW
from jumpnet.sim.memory.rows import lane_of, out_vc_at, out_vc_of, router_and_lane, wants_of

__all__ = ["CACHE_LINE", "MANY_ROUTERS", "fetch_heads", "first_wanted", "listed", "look_ahead"]

MANY_ROUTERS = 1024
"""From here on it pays."""
MORE_ROUTERS = 1 << 14
"""From here on the cells of `due` do not stay in the second cache."""
CACHE_LINE = 16
"""Numbers of 4 bytes."""


@kernel
def list_ahead(m, w, t):
    """List the lanes of the routers of word w that are due by cycle t as things stand, and ask for their rows."""
    first = w % 3 * m.ahead_size
    n = first
    word = m.active[w]
    while word != 0:
        k = lowest(word)
        word &= word - 1
        r, due = w * 32 + k, 0
        for group in range(m.groups):
            due |= not_after(m.due, r * m.cells + group * at.CELLS, t) << group * at.CELLS
        while due != 0:
            b = lowest(due)
            due &= due - 1
            prefetch_far(m.lane, (r * m.lanes + b) * m.lane_stride)
            m.ahead[n] = r << at.LANE_SHIFT | b
            n += 1
    m.ahead[first + m.ahead_size - 1] = n


@inlined
def listed(m, w):
    """Where the list of word w (or of a block of sets) lies in `ahead`: (first, end)."""
    first = w % 3 * m.ahead_size
    return first, m.ahead[first + m.ahead_size - 1]


@kernel
def fetch_out_vcs(m, lanes, first, end):
    """Ask for what listed lanes name in their rows: output VC and turns, or the head's slot and what it wants."""
    for i in range(first, end):
        r, b = router_and_lane(lanes[i])
        row = lane_of(m, r, b)
        o = row.out_vc
        if o >= 0:
            prefetch_far(m.turn, r * m.turn_row)
            prefetch_far(m.out_vc, (r * m.out_vcs + o) * at.OUT_VC_FIELDS)
        else:
            lane = r * m.lanes + b
            prefetch_far(m.head, lane * m.buffer + row.read)
            prefetch_far(m.wants, lane * m.want_words)
            prefetch_far(m.free, r * m.out_vc_words)
            prefetch_far(m.link_ok, r * m.link_outputs)


@inlined
def first_wanted(m, r, b):
    """Row of the lowest output VC that the head of lane b of router r wants; some row when it wants none."""
    return (r * m.out_vcs + (max(0, lowest(wants_of(m, r, b)[0])) & 63)) * at.OUT_VC_FIELDS


@kernel
def fetch_next(m, lanes, first, end):
    """Ask for what those name: the lane that an output VC feeds, or the head's packet and an output VC for it."""
    for i in range(first, end):
        r, b = router_and_lane(lanes[i])
        row = lane_of(m, r, b)
        o = row.out_vc
        if o >= 0:
            out_vc = out_vc_of(m, r, o)
            prefetch(m.lane, out_vc.to)
            if row.left < 0:
                prefetch(m.due, out_vc.to_cell)
            if o >= m.link_out_vcs:
                p = row.packet
                prefetch(m.flit, p * m.flits_per_field + abs(row.left) - 1)
                prefetch(m.packet, p + PACKET_ROW.created)
        elif o == at.IDLE:
            prefetch(m.packet, m.head[(r * m.lanes + b) * m.buffer + row.read])
        else:
            prefetch(m.packet, row.packet)
            prefetch(m.out_vc, first_wanted(m, r, b))


@kernel
def look_ahead(m, w, t):
    """Before word w goes to work until cycle t: ask for what it and the words after it will need."""
    begin, end = m.first_router >> 5, (m.end_router + 31) >> 5
    if w == begin:
        for v in range(w, min(w + 2, end)):
            list_ahead(m, v, t)
        fetch_out_vcs(m, m.ahead, *listed(m, w))
    if m.routers >= MORE_ROUTERS and w + 4 < end:
        for first in range((w + 4) * 32 * m.cells, (w + 5) * 32 * m.cells, CACHE_LINE):
            prefetch_far(m.due, first)
    if w + 2 < end:
        list_ahead(m, w + 2, t)
    if w + 1 < end:
        fetch_out_vcs(m, m.ahead, *listed(m, w + 1))
    fetch_next(m, m.ahead, *listed(m, w))


@kernel
def fetch_heads(m, first, end):
    """Ask for what lanes in a part of `flow` need that cannot just go on sending, down to the lane of the output VC."""
    fetch_out_vcs(m, m.flow, first, end)
    fetch_next(m, m.flow, first, end)
    for i in range(first, end):
        r, b = router_and_lane(m.flow[i])
        if lane_of(m, r, b).out_vc == at.WAITING:
            prefetch(m.lane, out_vc_at(m, first_wanted(m, r, b)).to)
