"""Surgery on a run between two cycles: whose flits lie where, packets taken out, heads sent back to route again.

The kernel's arrays do not say to which packet a flit belongs; `contents` works it out from the heads and lengths.
`take_out` leaves the arrays as if the flits had been read in this cycle and their credits sent back; `settle`
recomputes what depends on the rest. The laws of `checks` hold before and after. Used by `faults`; plain Python, as
faults are rare. The twin is `tests/naive/sim_faults.py`, on the objects of `reference`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jumpnet.jit.bits import WORD_BITS, pack_words
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, INJECTOR_ROW, LANE_ROW, OUT_VC_ROW, PACKET_ROW, TERMINAL_ROW

Flits = dict[int, list[tuple[int, int, int]]]
"""For each lane with flits: (slot, cycle from which it may be read, packet row) in order, the oldest first."""


def contents(engine: Engine) -> Flits:
    """The packet of every flit in a router; O(flits).

    At the front are the flits left of the packet that holds an output VC; after them each packet begins with its head.
    """
    s, st = engine.shape, engine.state
    lane, slots = engine.lanes, engine.slots
    found: Flits = {}
    for k in np.flatnonzero((slots[: s.routers * s.lanes] >= at.FLIT).any(axis=1)).tolist():
        holds = lane[k, LANE_ROW.out_vc] >= 0
        left, p = (abs(int(lane[k, LANE_ROW.left])), int(lane[k, LANE_ROW.packet])) if holds else (0, -1)
        rows: list[tuple[int, int, int]] = []
        slot = int(lane[k, LANE_ROW.read])
        while len(rows) < s.buffer and slots[k, slot] >= at.FLIT:
            if left == 0:
                p = int(st.head[k * s.buffer + slot])
                left = int(st.packet[p // at.PACKET_FIELDS, PACKET_ROW.length])
            rows.append((slot, int(slots[k, slot]) - at.FLIT, p))
            left -= 1
            slot = (slot + 1) % s.buffer
        found[k] = rows
    return found


def take_out(engine: Engine, flits: Flits, lost: set[int]) -> int:
    """Take every flit of the packets in `lost` out of the routers, and free what they hold; returns how many flits.

    Free slots of a buffer are used in turn, so the times of their credits are put in order. All flits of a lane give
    theirs back for the same cycle, which a router kept as sets could not note (see `sets.conversion.pack`).
    """
    s, st = engine.shape, engine.state
    lane, slots = engine.lanes, engine.slots
    out_vc, now, gone = engine.out_vcs, engine.cycle, 0
    fed_by = engine.feeders
    for k, rows in flits.items():
        kept = [row for row in rows if row[2] not in lost]
        if len(kept) == len(rows):
            continue
        taken = len(rows) - len(kept)
        gone += taken
        credits = sorted([*slots[k, slots[k] < at.FLIT].tolist(), *[now + int(lane[k, LANE_ROW.credit])] * taken])
        order = (int(lane[k, LANE_ROW.read]) + np.arange(s.buffer)) % s.buffer
        heads = st.head[k * s.buffer : (k + 1) * s.buffer]
        heads[order[: len(kept)]] = heads[[slot for slot, _, _ in kept]]
        slots[k, order] = [*(at.FLIT + cycle for _, cycle, _ in kept), *credits]
        flits[k] = [(slot, cycle, p) for slot, (_, cycle, p) in zip(order.tolist(), kept, strict=False)]
        write, entry = int(order[len(kept)]), k % s.lanes - s.link_inputs * s.vcs
        if fed_by[k] >= 0:
            out_vc[fed_by[k], OUT_VC_ROW.write] = write
        elif entry >= 0:
            terminal = int(np.searchsorted(st.source_router, k // s.lanes))  # the first one there
            st.injector_write[terminal * s.injection_ports * s.vcs + entry] = write
    fronts = lane[: s.routers * s.lanes]
    held = (fronts[:, LANE_ROW.out_vc] != at.IDLE) & np.isin(fronts[:, LANE_ROW.packet], list(lost))
    for k in np.flatnonzero(held).tolist():
        _let_go(engine, k)
    injector = st.injector
    entering = np.isin(injector[:, INJECTOR_ROW.packet], list(lost))
    injector[entering, INJECTOR_ROW.packet] = injector[entering, INJECTOR_ROW.vc] = -1
    # Flits that never reach a terminal count as not entered, so that what entered less what left is inside.
    st.counter[COUNTER.entered] -= gone
    return gone


def _let_go(engine: Engine, k: int) -> None:
    """The packet at the front of a lane gives back its output VC; the next head may be looked at in this cycle."""
    s = engine.shape
    lane = engine.lanes
    o = int(lane[k, LANE_ROW.out_vc])
    if o >= 0:
        engine.out_vcs[k // s.lanes * s.out_vcs + o, OUT_VC_ROW.owner] = -1
    lane[k, LANE_ROW.out_vc], lane[k, LANE_ROW.left], lane[k, LANE_ROW.when] = at.IDLE, 0, engine.cycle


def send_back(engine: Engine) -> list[int]:
    """Every front packet whose head has not left its lane gives back what it has won; the packets, to be routed again.

    The router that looked at such a head will look again, so that it is not counted twice.
    """
    s, st = engine.shape, engine.state
    lane = engine.lanes
    rows = lane[: s.routers * s.lanes]
    state = rows[:, LANE_ROW.out_vc]
    again = (state == at.WAITING) | (state == at.CHOOSING) | ((state >= 0) & (rows[:, LANE_ROW.left] < 0))
    found = []
    for k in np.flatnonzero(again).tolist():
        p = int(rows[k, LANE_ROW.packet])
        st.packet[p // at.PACKET_FIELDS, PACKET_ROW.hops] -= 1
        found.append(p)
        _let_go(engine, k)
    return found


def free_row(engine: Engine, p: int) -> None:
    """Give the row of a packet that is no more back to the table."""
    counter = engine.state.counter
    engine.state.packet[p // at.PACKET_FIELDS, PACKET_ROW.following] = counter[COUNTER.free]
    counter[COUNTER.free] = p
    counter[COUNTER.packets] -= 1


def settle(engine: Engine) -> None:
    """Recompute what depends on lanes and output VCs: free output VCs, when lanes and routers are due."""
    s, st = engine.shape, engine.state
    lane, slots = engine.lanes, engine.slots
    out_vc = st.out_vc.reshape(s.routers, s.out_vcs, at.OUT_VC_FIELDS)
    free = (out_vc[:, :, OUT_VC_ROW.to] >= 0) & (out_vc[:, :, OUT_VC_ROW.owner] < 0)
    st.free[:] = pack_words(free).ravel()
    due = st.due.reshape(s.routers, s.cells)
    rows = lane[: s.routers * s.lanes]
    front = slots[np.arange(len(rows)), rows[:, LANE_ROW.read]]
    due[:, : s.lanes] = np.where(front >= at.FLIT, front - at.FLIT, at.NO_FLIT).reshape(s.routers, s.lanes)
    for k in np.flatnonzero(rows[:, LANE_ROW.out_vc] >= 0).tolist():
        row = out_vc[k // s.lanes, rows[k, LANE_ROW.out_vc]]
        rows[k, LANE_ROW.when] = slots[int(row[OUT_VC_ROW.to]) // s.lane_stride, row[OUT_VC_ROW.write]]
    st.active[:] = pack_words(np.asarray((due < at.NO_OUT_VC).any(axis=1))[None], WORD_BITS)[0]


def waiting_replies(engine: Engine, i: int) -> list[int]:
    """The replies that wait at a terminal, oldest first."""
    packet, found = engine.state.packet, []
    p = int(engine.state.terminal[i, TERMINAL_ROW.reply_first])
    while p >= 0:
        found.append(p)
        p = int(packet[p // at.PACKET_FIELDS, PACKET_ROW.following])
    return found


def heads_inside(engine: Engine, flits: Flits) -> Iterator[tuple[int, int]]:
    """Lane and packet of each head that is in a router: all but those of packets that have sent flits on."""
    rows = engine.lanes
    for k, inside in flits.items():
        gone = int(rows[k, LANE_ROW.packet]) if rows[k, LANE_ROW.out_vc] >= 0 else -1
        yield from ((k, p) for p in dict.fromkeys(p for _, _, p in inside) if p != gone)
