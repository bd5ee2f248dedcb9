"""What a run of the simulator has come to, so that two runs can be compared bit for bit: `picture` and `difference`.

Runs by several threads, by sets and by lists have different rows of the packet table for the same packets, and keep
different notes of what is past; all else must be equal. Packets are shown by what is known of them in place of their
rows.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.engine import FaultyEngine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, INJECTOR_ROW, LANE_ROW, PACKET_ROW, TERMINAL_ROW

__all__ = ["difference", "picture"]

AS_THEY_ARE = ("out_vc", "free", "turn", "process_memory", "injector_class", "injector_write", "batches", "histogram",
               "by_source", "held", "stage", "wire", "queue_start")  # fmt: skip
NOT_COMPARED = [
    COUNTER.free, COUNTER.barriers, COUNTER.error_packet, COUNTER.events,
]  # fmt: skip
"""Rows of the packet table, and what is counted of threads and of events."""
KNOWN = [
    k for k, name in enumerate(PACKET_ROW._fields) if name not in ("following", "message", "place", "role", "ready")
]


def _packets(engine: Engine, rows: Any, kept: Any) -> Any:
    """What is known of the packets that begin at `rows`, zeros but where `kept`."""
    found = engine.state.packet[np.where(kept, rows, 0) // at.PACKET_FIELDS][..., KNOWN]
    found[~kept] = 0
    return found


def picture(engine: Engine) -> dict[str, Any]:
    """Everything of a run that must be equal, as copies of arrays by name."""
    s, st = engine.shape, engine.state
    lane = engine.lanes[: s.routers * s.lanes].copy()
    slots = lane[:, at.LANE_FIELDS :]
    slots[slots < engine.cycle * s.steps // s.step_cycles] = 0  # how long ago a credit came is not kept
    if isinstance(engine, FaultyEngine):
        unfed = engine.feeders[: len(lane)] < 0
        unfed.reshape(s.routers, s.lanes)[:, s.link_inputs * s.vcs :] = False
        slots[unfed[:, None] & (slots < at.FLIT)] = 0  # nobody waits for credits at the far end of a dead link
    lane[:, LANE_ROW.when] = 0
    kept = lane[:, LANE_ROW.out_vc] != at.IDLE
    packets = _packets(engine, lane[:, LANE_ROW.packet].astype(np.int64), kept)
    lane[:, LANE_ROW.packet] = 0
    lane[~kept, LANE_ROW.left] = 0
    injector = st.injector.reshape(-1, at.INJECTOR_FIELDS)[:, : len(INJECTOR_ROW)].copy()
    enters = injector[:, INJECTOR_ROW.packet] >= 0
    entering = _packets(engine, injector[:, INJECTOR_ROW.packet], enters)
    whole = injector[:, INJECTOR_ROW.left] == entering[:, PACKET_ROW.length]
    entering[whole, PACKET_ROW.injected] = 0  # not known before the head has entered
    injector[:, INJECTOR_ROW.packet] = enters
    injector[~enters, INJECTOR_ROW.left] = 0
    terminal = st.terminal[:, : len(TERMINAL_ROW)].copy()
    terminal[:, TERMINAL_ROW.in_wheel] = 0  # a reply may have woken it
    waiting = {}
    for name in ("reply_first", "reply_last"):
        k = TERMINAL_ROW._asdict()[name]
        there = terminal[:, k] >= 0
        waiting[name] = _packets(engine, terminal[:, k], there)
        waiting[name][:, PACKET_ROW.injected] = 0
        terminal[:, k] = there
    counter = st.counter.copy()
    counter[NOT_COMPARED] = 0
    found = {name: getattr(st, name).copy() for name in AS_THEY_ARE}
    if isinstance(engine, FaultyEngine):
        found["counts"] = np.array(list(asdict(engine.counts).values()))
    return {**found, "lane": lane, "packets": packets, "injector": injector, "entering": entering,
            "terminal": terminal, "counter": counter, **waiting}  # fmt: skip


def difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """In words where two pictures differ first, empty where they are equal."""
    for name, expected in one.items():
        found = other[name]
        if expected.shape != found.shape:
            n = min(len(expected), len(found))
            if name != "batches" or expected[n:].any() or found[n:].any():
                return f"{name}: shapes {expected.shape} and {found.shape}"
            expected, found = expected[:n], found[:n]
        if not np.array_equal(expected, found):
            where = np.argwhere(np.asarray(expected != found))
            first = tuple(where[0].tolist())
            label = COUNTER._fields[first[0]] if name == "counter" else ""
            return f"{name}{list(first)} {label}: {expected[first]} and {found[first]}, {len(where)} numbers in all"
    return ""
