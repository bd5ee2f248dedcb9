"""The machine with time: processors run their references, stall on misses, and messages take their time in a network.

A node is a cluster: processors that issue a reference a cycle and wait for each miss (sequential consistency), caches
without limit that the cluster shares, and one memory-based processor, which takes `occupancy` cycles for every message
and handles them in order of arrival. Protocol, as in `coherence.protocol.msi` without evictions: a miss asks the home;
a read of a line that another node owns is fetched from there; a write tells every node that the entry lists, by one
message each, and waits for all acknowledges; the home serves the requests of a line one after another, the next when
the asker has said that it has its answer. Under `update` memory is written through: a write is told to the home, and by
it to all nodes listed, and the home writes on its own when nobody else is listed. Locks and barriers take no messages.
Messages take a fixed time here, or are carried by the flit-level simulator (`closed_loop`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from jumpnet.coherence.functional import DIRECTORIES
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine import _timing as kernel
from jumpnet.machine import _timing_tables as at
from jumpnet.machine._memory import Memory
from jumpnet.machine.timing_streams import Streams
from jumpnet.memory import require
from jumpnet.sim._bits import WORD_BITS
from jumpnet.terms import I64

__all__ = ["Carrier", "Costs", "Timing", "run_machine"]

KINDS = ("read request", "write request", "data", "tell", "acknowledge", "fetch", "owner's data", "done")
LEAST_ROWS = 1 << 12
PROTOCOLS = ("invalidate", "update")


@dataclass(frozen=True)
class Costs:
    """What things take. Packets as the router chip's: 3 flits of header, flits of 4 bytes (kudoh1995rhbd sec. 6)."""

    occupancy_cycles: int = 10
    """Cycles of a memory-based processor for each message."""
    spacing_cycles: int = 2
    """Cycles between messages that it sends one after another."""
    sync_cycles: int = 20
    """From the release of a lock, or the last arrival at a barrier, to the start of those that waited."""
    header_flits: int = 3
    address_flits: int = 1
    flit_bytes: int = 4

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < (0 if field.name == "spacing_cycles" else 1):
                raise JumpnetError(f"{field.name} {value} found, at least 1 expected")

    def flits(self, data_bytes: int) -> int:
        """Flits of a message with so much data.

        >>> Costs().flits(0), Costs().flits(32)
        (4, 12)
        """
        return self.header_flits + self.address_flits + -(-data_bytes // self.flit_bytes)


class Carrier(Protocol):
    """What carries messages from node to node."""

    least_cycles: int
    """No message that is sent after `advance(t)` arrives within fewer cycles after t."""

    @property
    def empty(self) -> bool:
        """Whether no message is on the way."""
        ...

    def post(self, row: I64, source: I64, to: I64, sent: I64, flits: I64) -> None:
        """Take messages (K,), named by `row`, that are sent at cycles `sent`, none before the cycle advanced to."""
        ...

    def advance(self, cycle: int) -> tuple[I64, I64, I64]:
        """Go on to a cycle: rows, cycles of sending and of arrival of what arrives by what happened until then."""
        ...


@dataclass(frozen=True)
class Timing:
    """What a run took. Cycles of processors are means over all of them."""

    cycles: int
    """Until the last processor is through."""
    busy: float
    """Cycles in which a processor issued references."""
    read_stall: float
    """Waiting for reads."""
    write_stall: float
    """Waiting for writes."""
    sync_stall: float
    """Waiting for locks and at barriers."""
    idle: float
    """After a processor's own end."""
    transactions: int
    """Misses and writes that asked the home."""
    messages: Mapping[str, int]
    """Messages between nodes, by kind."""
    destinations_histogram: Mapping[int, int]
    """Invalidations or updates by number of destinations."""
    message_latency_mean: float
    """Cycles from the sending of a message to its arrival."""


def _machine(s: Streams, nodes: int, update: bool, by_page: bool, cluster: int, line_bytes: int, c: Costs) -> Any:
    processors, lines, pages = len(s.first) - 1, len(s.page), len(s.home)
    words = -(-nodes // WORD_BITS)
    rows = max(LEAST_ROWS, 8 * nodes)
    require(8 * (lines * (6 + words) + pages * words), f"a directory of {lines} lines and {nodes} nodes")
    line = np.zeros((lines, at.L_FIELDS), np.int64)
    line[:, [at.L_OWNER, at.L_FIRST, at.L_ASKED]] = -1
    node = np.zeros((nodes, at.N_FIELDS), np.int64)
    node[:, [at.N_FIRST, at.N_LAST]] = -1
    node[:, at.N_THROUGH] = at.FOREVER
    proc = np.zeros((processors, at.P_FIELDS), np.int64)
    proc[:, [at.P_LOCK, at.P_WAIT]] = -1
    thing = np.zeros((len(s.members), at.O_FIELDS), np.int64)
    thing[:, [at.O_HOLDER, at.O_FIRST]] = -1
    count = np.zeros(at.C_FIELDS, np.int64)
    count[at.C_FREE] = -1
    return Memory(
        **s._asdict(),
        processors=processors,
        nodes=nodes,
        rows=rows,
        words=words,
        cluster=cluster,
        update=int(update),
        by_page=int(by_page),
        occupancy=c.occupancy_cycles,
        spacing=c.spacing_cycles,
        sync=c.sync_cycles,
        short=c.flits(0),
        word=c.flits(c.flit_bytes),
        long=c.flits(line_bytes),
        proc=proc,
        line=line,
        valid=np.zeros(lines * words),
        touched=np.zeros(pages * words),
        node=node,
        message=np.zeros(rows * at.M_FIELDS),
        thing=thing,
        heap=np.zeros(processors + nodes + rows),
        outbox=np.zeros(rows),
        count=count,
        kinds=np.zeros(at.KINDS),
        histogram=np.zeros(nodes),
    )


def _grow(m: Any) -> None:
    """Twice the rows for messages."""
    rows = m.rows
    require(16 * rows * (at.M_FIELDS + 2), f"a machine with {2 * rows} messages on their way")
    more = {"message": rows * at.M_FIELDS, "heap": rows, "outbox": rows}
    m.replace(rows=2 * rows, **{k: np.concatenate([getattr(m, k), np.zeros(n, np.int64)]) for k, n in more.items()})


def _drive(m: Any, carrier: Carrier | None, latency: int, quantum: int | None) -> None:
    """Run to the end; events and network in turn, each for as long as neither can miss what the other does."""
    kernel.start_all(m.address)
    now, out = 0, at.C_OUT
    lead = m.occupancy + (carrier.least_cycles if carrier else 0)
    if quantum is not None:
        lead = min(lead, quantum)
    while m.count[at.C_RUNNING] > 0:
        horizon = at.FOREVER if carrier is None or carrier.empty else now + lead
        reached = kernel.run_until(m.address, horizon, lead, -1 if carrier else latency)
        if reached < 0:
            _grow(m)
            continue
        posted = int(m.count[out])
        if carrier is None or (carrier.empty and posted == 0):
            break
        row = m.outbox[:posted].copy()
        m.count[out] = 0
        what = m.message.reshape(-1, at.M_FIELDS)[row]
        carrier.post(row, what[:, at.M_FROM], what[:, at.M_TO], what[:, at.M_SENT], what[:, at.M_FLITS])
        now = reached
        kernel.carried(m.address, *carrier.advance(now))


def run_machine(
    streams: Streams,
    *,
    protocol: str = "invalidate",
    directory: str = "page",
    clusters_of: int = 1,
    line_bytes: int = 32,
    costs: Costs | None = None,
    carrier: Carrier | None = None,
    latency_cycles: int = 0,
    quantum: int | None = None,
) -> Timing:
    """Run a machine to the end of its streams.

    carrier: what carries messages; None means that each takes `latency_cycles` plus its flits, whatever the others do.
    quantum: cycles, at most, by which the events run ahead of the carrier; the answer does not depend on it. Raises
    JumpnetError for unknown names and for streams that come to a standstill. Cost: some 0.1 microseconds a reference
    and a microsecond a message, and what the carrier takes.

    >>> from jumpnet.machine.timing_streams import streams_of
    >>> from jumpnet.machine.workload import workload
    >>> found = run_machine(streams_of(workload("lu:processors=4,n=16").trace()), latency_cycles=20)
    >>> found.cycles > found.busy > 0 and found.messages["data"] > 0
    True
    """
    for kind, name, known in (("protocol", protocol, PROTOCOLS), ("directory", directory, DIRECTORIES)):
        if name not in known:
            raise unknown_name(kind, name, known)
    processors = len(streams.first) - 1
    nodes = -(-processors // clusters_of)
    m = _machine(streams, nodes, protocol == "update", directory == "page", clusters_of, line_bytes, costs or Costs())
    _drive(m, carrier, latency_cycles, quantum)
    proc = m.proc.reshape(-1, at.P_FIELDS)
    running = int(m.count[at.C_RUNNING])
    if running:
        p = int(np.flatnonzero(proc[:, at.P_DONE] == 0)[0])
        raise JumpnetError(f"{running} processors wait for ever, the first is {p}: at a lock or barrier nobody opens")
    done = proc[:, at.P_DONE]
    carried = int(m.count[at.C_CARRIED])
    busy, read, write, sync = (float(proc[:, k].mean()) for k in (at.P_BUSY, at.P_READ, at.P_WRITE, at.P_SYNC))
    return Timing(
        cycles=int(done.max()),
        busy=busy,
        read_stall=read,
        write_stall=write,
        sync_stall=sync,
        idle=float((done.max() - done).mean()),
        transactions=int(m.count[at.C_TRANSACTIONS]),
        messages=dict(zip(KINDS, m.kinds.tolist(), strict=True)),
        destinations_histogram={int(k): int(m.histogram[k]) for k in np.flatnonzero(m.histogram)},
        message_latency_mean=float(m.count[at.C_NETWORK]) / carried if carried else 0.0,
    )
