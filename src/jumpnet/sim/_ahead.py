"""Rows are asked for before they are needed, in networks whose rows do not fit the caches near the core.

Hints to the processor without any other effect. A row that is found through another one is asked for a stage later,
when that one has come. Called by `_flow` and `_inject`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as at
from jumpnet.sim._bits import lowest, prefetch
from jumpnet.sim._lanes import number_of, router_of, row_of
from jumpnet.sim._memory import inlined, kernel

__all__ = ["MANY_ROUTERS", "fetch_cells", "fetch_heads", "fetch_lanes", "fetch_slots", "fetch_sources"]

MANY_ROUTERS = 1024
"""From here on it pays."""
CACHE_LINE = 16
"""Numbers of 4 bytes."""


@inlined
def fetch_cells(m, r):
    """Ask for the cells of the router 32 on."""
    for first in range(0, m.cells, CACHE_LINE):
        prefetch(m.due, (r + 32) * m.cells + first)


@inlined
def fetch_lanes(m, n, w):
    """Ask for the rows that the first n listed lanes will need: their own, then their outlets'."""
    for i in range(n):
        prefetch(m.lane, row_of(m.flow[i]))
    for i in range(n):
        r = w * 32 + router_of(m.flow[i])
        prefetch(m.outlet, (r * m.outlets + max(0, m.lane[row_of(m.flow[i]) + at.OUTLET])) * at.OUTLET_FIELDS)
        prefetch(m.turn, r * m.turn_row)


@kernel
def fetch_heads(m, first, end, w):
    """Ask for what those lanes in a part of `flow` will need that have no outlet: the packet, and what it wants."""
    for i in range(first, end):
        row = row_of(m.flow[i])
        lane = (w * 32 + router_of(m.flow[i])) * m.lanes + number_of(m.flow[i])
        prefetch(m.head, lane * m.buffer + m.lane[row + at.READ])
        prefetch(m.wants, lane * m.want_words)
    for i in range(first, end):
        row, r = row_of(m.flow[i]), w * 32 + router_of(m.flow[i])
        lane = r * m.lanes + number_of(m.flow[i])
        p = m.lane[row + at.PACKET]
        if m.lane[row + at.OUTLET] == at.IDLE:
            p = m.head[lane * m.buffer + m.lane[row + at.READ]]
            prefetch(m.link_ok, r * m.link_outputs)
        elif m.lane[row + at.OUTLET] == at.WAITING:
            o = lowest(m.wants[lane * m.want_words]) & 31
            prefetch(m.outlet, (r * m.outlets + o) * at.OUTLET_FIELDS)
        prefetch(m.packet, p)
        prefetch(m.packet, p + at.CREATED)
    for i in range(first, end):
        row, r = row_of(m.flow[i]), w * 32 + router_of(m.flow[i])
        if m.lane[row + at.OUTLET] == at.WAITING:
            o = lowest(m.wants[(r * m.lanes + number_of(m.flow[i])) * m.want_words]) & 31
            prefetch(m.lane, m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.TO])


@inlined
def fetch_slots(m, ready, w):
    """Ask for the slots that the flits of the first lanes in the list will go to, and for those flits that arrive."""
    for i in range(ready):
        lane = m.flow[i]
        r, row = w * 32 + router_of(lane), row_of(lane)
        outlet = (r * m.outlets + m.lane[row + at.OUTLET]) * at.OUTLET_FIELDS
        prefetch(m.lane, m.outlet[outlet + at.TO])
        prefetch(m.due, m.outlet[outlet + at.TO_CELL])
        if m.lane[row + at.OUTLET] >= m.link_outlets:
            p = m.lane[row + at.PACKET]
            prefetch(m.flit, p * m.flits_per_field + abs(m.lane[row + at.LEFT]) - 1)
            prefetch(m.packet, p + at.CREATED)


@kernel
def fetch_sources(m, w):
    """Ask for the rows of the sources two words on that are awake, and for the slots of those one word on."""
    word = m.awake[min(w + 2, m.awake_words - 1)]
    while word != 0:
        i = min(w + 2, m.awake_words - 1) * 32 + lowest(word)
        word &= word - 1
        prefetch(m.injector, i * m.injection_ports * m.classes * at.INJECTOR_FIELDS)
        prefetch(m.injector_write, i * m.injection_ports * m.vcs)
    word = m.awake[min(w + 1, m.awake_words - 1)]
    while word != 0:
        i = min(w + 1, m.awake_words - 1) * 32 + lowest(word)
        word &= word - 1
        vc = max(0, m.injector[i * m.injection_ports * m.classes * at.INJECTOR_FIELDS + at.I_VC])
        b = (m.link_inputs + m.source_index[i] * m.injection_ports) * m.vcs + vc
        prefetch(m.lane, (m.source_router[i] * m.lanes + b) * m.lane_stride)
        prefetch(m.due, m.source_router[i] * m.cells + b)
