"""The machine with time: processors run their references, stall on misses, and messages take their time in a network.

A node is a cluster: processors that issue a reference a cycle, caches, a bus, and memory-based processors, each of
which has a part of the node's memory, takes some cycles for a message and handles what is about its part in order of
arrival. What a reference does is in the rows made of
the protocol's tables (`coherence.rules`): a miss asks the home; a read of a line that another node owns is fetched from
there; a write that others must hear of goes to every node that the entry lists, and waits for all acknowledges; the
home serves the requests of a line one after another, the next when the requester has confirmed its answer. Where copies
stay when one is written memory is written through: a write is sent to the home, and by it to all nodes listed, and the
home writes on its own when nobody else is listed. A dirty line that is evicted goes home, and no processor of its node
requests it before the home has answered. Of two processors of a node that miss on a line the second waits for the
first.

Choices: `design`. Locks, barriers, flags: `kernels.sync`. Multicasts and acknowledges: `kernels.tell`. Messages
take a fixed time here, or are carried by the flit-level simulator (`closed_loop`). What is counted agrees with
`coherence.functional` where the order of references is the same; elsewhere time decides which of two references to a
line comes first, and with it who has a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD_BITS
from jumpnet.machine.timed.cosimulation import run_cosimulated
from jumpnet.machine.timed.design import BRANCHES, KINDS, Costs, Design
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.kernels import cycles as cycles
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as kernel
from jumpnet.machine.timed.kernels import turns as turns
from jumpnet.machine.timed.start import add_gathering, add_tree, grow, machine
from jumpnet.machine.timed.streams import Sizes, Streams, require_own
from jumpnet.machine.timed.together import check_together
from jumpnet.machine.timed.trees import Trees, below, gathering_tree
from jumpnet.settings.typed import refuse_unknown
from jumpnet.sim.multicast.outside import OutsideMulticasts
from jumpnet.sim.outside import Outside

__all__ = ["KINDS", "Costs", "Design", "Run", "Timing", "run_machine"]


@dataclass(frozen=True)
class Timing:
    """What a run took. Cycles of processors are means over all of them."""

    cycles: int
    """Until the last processor has finished."""
    busy: float
    """Cycles in which a processor issued references."""
    read_stall: float
    """Waiting for reads."""
    write_stall: float
    """Waiting for writes, or for a free register; before locks and barriers, for the end of writes."""
    sync_stall: float
    """Waiting for locks, barriers and flags."""
    idle: float
    """After a processor's own end."""
    transactions: int
    """Misses and writes that sent a request to the home."""
    messages: Mapping[str, int]
    """Packets between nodes, by kind; of a multicast every copy from place to place, or where it branches in the
    routers every copy that is taken, and every acknowledge that is made."""
    flits: int
    """Of all of them, but for acknowledges that routers combine."""
    destinations_histogram: Mapping[int, int]
    """Invalidations or updates by number of destinations."""
    message_latency_mean: float
    """Cycles from the sending of a packet to its arrival."""
    node_wait_mean: float
    """Cycles that a message at its node waits until the memory-based processor starts on it."""
    caches: Mapping[str, int]
    """misses, cache_misses, bus_transfers, write_backs, hints; stage_1_misses, stage_2_misses, pruned, evictions and
    moves where there is such a part; as in `coherence.functional.Functional.machine`."""


class Run:
    """A run: the kernel's tables, the network that messages cross, if any, and the trees known so far."""

    def __init__(
        self, streams: Streams, design: Design, trees: Trees | None, entries: Entries | None, network: Outside | None
    ) -> None:
        self.m: Any = machine(streams, design, trees, entries)
        self.trees, self.entries, self.network = trees, entries, network
        self.references = streams.references
        self.known: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}
        self.places_end = 0
        self.branches = self.m.multicast == at.BRANCH
        self.leads = at.FOREVER, at.FOREVER, at.FOREVER
        if trees is not None and design.acknowledges == "combined" and design.synchronisation != "free":
            for number in np.flatnonzero(streams.barrier >= 0).tolist():
                barrier = int(streams.barrier[number])
                members = frozenset(np.flatnonzero(streams.expected[barrier]).tolist())
                tree = gathering_tree(trees, int(streams.where[number]), members)
                self.places_end = add_gathering(self.m, barrier, tree, self.places_end)

    def start_tree(self) -> None:
        """The multicast that the kernel wants starts down its tree, which the kernel does not know."""
        m = self.m
        number, tells = int(m.count[at.COUNT.want]), m.count[at.COUNT.want_kind] == at.TELL
        home = int(m.home[m.page[number]] if tells else m.where[number])
        nodes = (m.told[:, None] >> np.arange(WORD_BITS) & 1).reshape(-1)[: m.nodes].astype(bool)
        nodes[home] = False
        places = self._places_for(home, tuple(np.flatnonzero(nodes).tolist()))
        kernel.start_tree(m.address, *places, self.leads[1 + self.branches])

    def _places_for(self, home: int, told: tuple[int, ...]) -> tuple[int, int]:
        """Where the places lie by which a message goes to those that are to be told, and how many there are."""
        m, entries = self.m, self.entries
        to = told if entries is None else entries.named(home, told, m.nodes)
        if (home, to) not in self.known:
            plan = -1
            if entries is not None:
                tree = below(home, to)
            else:
                assert self.trees is not None
                tree = self.trees.takers(home, to) if self.branches else self.trees.tree(home, to)
                if isinstance(self.network, OutsideMulticasts):
                    plan = self.network.plan(home, to, m.acknowledges == at.COMBINED)
            self.known[home, to] = self.places_end, len(tree.router)
            self.places_end = add_tree(m, tree, self.places_end, plan)
        return self.known[home, to]

    def events(self, latency: int = -1) -> None:
        """Handle events up to the horizon; latency: as of `run_until`."""
        while (wanted := kernel.run_until(self.m.address, *self.leads, latency)) != at.OVER:
            if wanted == at.NO_ROOM:
                grow(self.m)
            elif wanted == at.WANTS_REFERENCES:
                self.read_on()
            else:
                self.start_tree()

    def read_on(self) -> None:
        """The next references of the processor that wants some."""
        m, window, of = self.m, self.references.window, at.PROCESSOR
        p = int(m.count[at.COUNT.reader])
        proc = m.proc.reshape(m.processors, -1)[p]
        found = self.references.take(p, int(proc[of.next]), window)
        m.code[p * window : p * window + len(found)] = found
        proc[of.base], proc[of.known] = p * window - proc[of.next], proc[of.next] + len(found)

    def to_the_end(self, latency: int, quantum: int | None) -> None:
        """Run; events and network in turn, each for as long as neither can miss what the other does."""
        m, network = self.m, self.network
        kernel.start_all(m.address)
        if network is None:
            m.replace(room=0)  # messages that never meet wait for no room
            m.count[at.COUNT.horizon] = at.FOREVER
            self.events(latency)
        elif m.room > 0:
            self.leads = 1, 1, 1
            network.limit(m.room)
            run_cosimulated(self, network, cycles.take_cycles, network.go_to)
        else:
            self.leads = self._leads(network, min(quantum or at.MOST_AHEAD, at.MOST_AHEAD))
            leads = np.array(self.leads, np.int64)

            def take(address: Any, record: Any, codes: Any, *rooms: int) -> int:
                return int(turns.take_turns(address, record, codes, leads, *rooms))

            run_cosimulated(self, network, take, network.advance)

    def _leads(self, network: Outside, quantum: int) -> tuple[int, int, int]:
        """How far events may run ahead of the network (`run_until`), no more cycles than the quantum."""
        m = self.m
        lead, forward_lead = (min(cycles + network.least_cycles, quantum) for cycles in (m.least_cycles, m.forward))
        forward_lead = inside_lead = min(lead, forward_lead)
        if self.branches and self.trees is not None:
            # Routers without a node answer on their own; and a home that counts the last acknowledge itself knows it in
            # the same cycle.
            inside_lead = min(forward_lead if self.trees.routers > m.nodes else lead, m.least_cycles)
        return lead, forward_lead, inside_lead


def run_machine(
    streams: Streams,
    *,
    network: Outside | None = None,
    latency_cycles: int = 0,
    quantum: int | None = None,
    trees: Trees | None = None,
    entries: Entries | None = None,
    **design: Any,
) -> Timing:
    """Run a machine to the end of its streams.

    design: fields of `Design`. network: what messages cross, node i being its terminal i; None means that each takes
    `latency_cycles` plus its flits, whatever the others do. trees: how a message to many nodes is multicast; None means
    one after another. entries: the receivers of a message then (`entries`); None means those that must hear of it, as
    of a full map. quantum: cycles, at most, by which the events run ahead of the network; the answer does not depend on
    it. Raises JumpnetError for a design that is none and for streams that come to a standstill. Cost: some 0.1
    microseconds a reference and a microsecond a message, and what the network takes.

    >>> from jumpnet.machine.timed.streams import streams_of
    >>> from jumpnet.machine.workload import workload
    >>> found = run_machine(streams_of(workload("lu:processors=4,n=16").trace()), latency_cycles=20)
    >>> found.cycles > found.busy > 0 and found.messages["data"] > 0
    True
    """
    if quantum is not None and quantum < 1:
        raise JumpnetError(f"quantum of {quantum} cycles found, 1 or more expected")
    refuse_unknown(Design, design)
    chosen = Design(**design)
    chosen = replace(chosen, relayed=trees is not None and chosen.branches == BRANCHES[0])
    require_own(streams, Sizes(chosen.clusters_of, chosen.line_bytes, chosen.page_bytes))
    nodes = -(-(len(streams.first) - 1) // chosen.clusters_of)
    check_together(chosen, trees, entries, nodes)
    run = Run(streams, chosen, trees, entries, network)
    run.to_the_end(latency_cycles, quantum)
    m = run.m
    running = int(m.count[at.COUNT.running])
    if running and int(m.count[at.COUNT.events]):
        raise JumpnetError(f"a run that takes {at.FOREVER:,} cycles or more found, fewer expected")
    if running:
        p = int(np.flatnonzero(m.proc.reshape(m.processors, -1)[:, at.PROCESSOR.done] == 0)[0])
        raise JumpnetError(f"{running} processors wait for ever, the first is {p}: at a lock or barrier nobody opens")
    return _timing(m)


def _timing(m: Any) -> Timing:
    """Figures of a run that has ended."""
    proc, count = m.proc.reshape(m.processors, -1), m.count
    done, carried = proc[:, at.PROCESSOR.done], int(count[at.COUNT.carried])
    busy, read, write, sync = (float(cycles.mean()) for cycles in proc.T[len(at.PROCESSOR) :])
    served = max(1, int(count[at.COUNT.served]))
    counted = ["misses", "cache_misses", "bus_transfers", "write_backs", "hints"]
    parts = {
        "stage_1_misses": m.stage_1_ways, "stage_2_misses": m.stage_2_ways, "pruned": m.pruning_ways,
        "evictions": m.evicts, "moves": m.migrates,
    }  # fmt: skip
    counted += [name for name, is_there in parts.items() if is_there]
    return Timing(
        cycles=int(done.max()),
        busy=busy,
        read_stall=read,
        write_stall=write,
        sync_stall=sync,
        idle=float((done.max() - done).mean()),
        transactions=int(count[at.COUNT.transactions]),
        messages=dict(zip(KINDS, m.kinds.tolist(), strict=True)),
        flits=int(count[at.COUNT.flits]),
        destinations_histogram={int(k): int(m.histogram[k]) for k in np.flatnonzero(m.histogram)},
        message_latency_mean=float(count[at.COUNT.network]) / carried if carried else 0.0,
        node_wait_mean=float(count[at.COUNT.waited]) / served,
        caches={name: int(count[getattr(at.COUNT, name)]) for name in counted},
    )
