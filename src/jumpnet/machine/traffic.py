"""The coherence traffic of a trace on a machine: messages, destinations, and what an encoding makes of them.

Functional: no time (`jumpnet.coherence.functional` has the rules). Node i sits at router i of the network unless it is
placed, and the home of a page (the first node that touches it, by default) sends its messages. Receivers are those of
the encoding (`jumpnet.coherence.encoding`); a destination that is the home itself needs no message on the network.
Called by `cli` and the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.coherence.directory import directory_memory
from jumpnet.coherence.encoding import Delivery, Encoding, encoding, nodes_of, tables_for
from jumpnet.coherence.functional import Functional, FunctionalDesign, MessageSets
from jumpnet.coherence.without_effect import refuse_unused
from jumpnet.errors import JumpnetError
from jumpnet.machine._deliver import receivers_of_bits
from jumpnet.machine.records import checked_blocks
from jumpnet.machine.trace import Trace
from jumpnet.multicast import scheme
from jumpnet.multicast.receivers import counted, tables_of
from jumpnet.multicast.territory import territories
from jumpnet.settings.typed import refuse_unknown
from jumpnet.terms import I64

__all__ = ["Deliveries", "Traffic", "coherence_traffic", "processors_of", "routers_of"]


@dataclass(frozen=True)
class Traffic:
    """Coherence traffic of one run."""

    references: int
    """Data and atomic accesses."""
    messages: int
    """Invalidations or updates with at least one destination."""
    destinations_histogram: Mapping[int, int]
    """Messages by number of destinations."""
    misses: int
    pages: int
    lines: int
    nodes: int
    """Processors, or clusters where `clusters_of` is more than 1."""
    packets: int
    """Packets between nodes when each destination gets its own: `Functional.packets`."""
    packets_multicast: int
    """The same when a message to many is one packet."""
    machine: Mapping[str, int]
    """Counts of the machine's parts by name: `Functional.machine`."""
    directory_bits: int | None = None
    """Bits of all entries in use, of pages or of lines that were touched; None without an encoding."""
    multicasts: int | None = None
    """Messages that leave the home node."""
    receivers_mean: float | None = None
    """Nodes that take one such message from the network, on average."""
    unnecessary: int | None = None
    """Receptions by nodes that were no destination, all messages together."""
    evicted: int | None = None
    """Times that an entry without a free pointer made a node give up its copies, which then misses again."""
    broadcasts: int | None = None
    """Messages to every node, because the entry had too few pointers to name their destinations."""

    @property
    def destinations_mean(self) -> float:
        """Destinations of a message, on average; 0.0 without messages."""
        total = sum(k * count for k, count in self.destinations_histogram.items())
        return total / self.messages if self.messages else 0.0


class Deliveries:
    """Totals over messages of one encoding on one network; `add` takes parts in any order."""

    def __init__(self, used: Encoding, spec: str, at: I64):
        """at: (nodes,) the router of each node."""
        self.used, self.spec, self.at = used, spec, at
        self.multicasts = self.receivers = self.unnecessary = self.evicted = self.broadcasts = 0
        self._scheme: Any = scheme(used.scheme) if used.scheme else None
        self._where: Any = territories(spec) if used.scheme else None
        self._by_number: dict[int, Delivery] = {}

    def add(self, part: MessageSets) -> None:
        """Count the deliveries of these messages. Raises JumpnetError for one that cannot reach its destinations."""
        home, words, count = part.home, part.destinations, part.count
        own = words[np.arange(len(home)), home >> 6] >> (home & 63).astype(np.uint64) & np.uint64(1)
        # The home itself needs no message on the network.
        sizes = np.bitwise_count(words).sum(axis=1, dtype=np.int64) - own.astype(np.int64)
        self.multicasts += int(count[sizes > 0].sum())
        if part.overflowed is not None and not self.used.evicts:
            self._broadcast(sizes[part.overflowed], count[part.overflowed])
            sizes, count = sizes[~part.overflowed], count[~part.overflowed]
        if self._where is not None:
            self._by_scheme(part, sizes)
        elif self.used.by_number:
            for k in np.unique(sizes[sizes > 0]).tolist():
                if k not in self._by_number:
                    self._by_number[k] = self.used.message(self.spec, 0, tuple(range(1, k + 1)))
                self._count(self._by_number[k], int(count[sizes == k].sum()))
        else:
            for source, nodes, times in part:
                holders = tuple(self.at[[node for node in nodes if node != source]].tolist())
                self._count(self.used.message(self.spec, int(self.at[source]), holders), times)

    def _broadcast(self, sizes: I64, count: I64) -> None:
        """Messages of entries that do not know their destinations go to every node."""
        everyone, count = nodes_of(self.spec) - 1, count[sizes > 0]
        self.broadcasts += int(count.sum())
        self.receivers += everyone * int(count.sum())
        self.unnecessary += int(((everyone - sizes[sizes > 0]) * count).sum())

    def _by_scheme(self, part: MessageSets, sizes: I64) -> None:
        where, found = self._where, np.empty(len(part.home), np.int64)
        counts = counted(self._scheme, where)
        receivers_of_bits(counts, tables_of(where), self.at, part.home, part.destinations, found)
        self._scheme.refuse_fault(found)
        if (found < 0).any():
            i = int(np.argmin(found))
            raise JumpnetError(
                f"a multicast from router {self.at[part.home[i]]} to {sizes[i]} others leaves every territory of "
                f"{self.spec}; a larger network or another encoding than {self.used.name} expected"
            )
        self.receivers += int((found * part.count).sum())
        self.unnecessary += int(((found - sizes) * part.count).sum())

    def _count(self, sent: Delivery, times: int) -> None:
        self.receivers += sent.receivers * times
        self.unnecessary += sent.unnecessary * times
        self.evicted += sent.evicted * times


def routers_of(nodes: int, network: str, at: Any = None) -> I64:
    """(nodes,) the router of each node: as given, or router i for node i.

    Raises JumpnetError for a network that is too small, and for routers that are out of range or taken twice.

    >>> routers_of(3, "prdt:16").tolist()
    [0, 1, 2]
    """
    routers = nodes_of(network)
    if nodes > routers:
        raise JumpnetError(f"{nodes} nodes found, at most the {routers} routers of {network} expected")
    try:
        found = np.arange(nodes) if at is None else np.asarray(at, np.int64)
    except (TypeError, ValueError, OverflowError):
        found = np.zeros(0, np.int64)
    if found.shape != (nodes,) or len(np.unique(found)) != nodes or found.min() < 0 or found.max() >= routers:
        raise JumpnetError(f"places of {nodes} nodes expected, different routers from 0 to {routers - 1}")
    return np.ascontiguousarray(found, np.int64)


def processors_of(trace: Trace) -> int:
    """Processors of a trace: as it says, or else the largest number in it plus one, found by reading it once."""
    if trace.processors is not None:
        return trace.processors
    return 1 + max((int(block.proc.max()) for block in trace.blocks() if len(block.proc)), default=0)


@public
def coherence_traffic(
    trace: Trace,
    *,
    processors: int | None = None,
    encoding_name: str = "",
    network: str = "",
    directory: str = "page",
    at: Any = None,
    **machine: Any,
) -> Traffic:
    """Run a trace through the functional machine.

    machine: fields of `FunctionalDesign` (protocol, clusters_of, line_bytes, page_bytes, placement, caches, ...). What
    an encoding cannot name changes the run: evicted copies are gone, and missed again.
    encoding_name and network are given together. at: (nodes,) router of each node, by default router i for node i.
    Raises JumpnetError for a trace that does not fit the machine, a network with fewer routers than nodes, and bad
    names. Cost: some 50 ns a reference, and 30 ns a destination of each different message; memory does not grow with
    the length of the trace.

    >>> from jumpnet.machine.trace import block_of
    >>> trace = Trace("three", 3, lambda: iter([block_of([0, 1, 2], [64, 64, 64], 4, [False, False, True])]))
    >>> found = coherence_traffic(trace, encoding_name="SM", network="prdt:16")
    >>> found.messages, found.destinations_histogram, found.receivers_mean
    (1, {2: 1}, 1.0)
    """
    if bool(encoding_name) != bool(network):
        found = "an encoding without a network" if encoding_name else "a network without an encoding"
        raise JumpnetError(f"{found} found, both or none expected")
    refuse_unused((at is not None, "places of nodes", network, "a network"))
    refuse_unknown(FunctionalDesign, machine, ("directory",))
    count = processors_of(trace) if processors is None else processors
    used = encoding(encoding_name) if network else None
    if used is not None and used.pointers:
        machine = {"pointers": used.pointers, "evicts": used.evicts, **machine}
    machine["protocol"] = tables_for(machine.get("protocol", "invalidate"), used)
    engine = Functional(count, directory=directory, collect=used is not None, **machine)
    sent = None if used is None else Deliveries(used, network, routers_of(engine.nodes, network, at))
    for block in checked_blocks(trace):
        engine.feed(*block)
        if sent is not None:
            for part in engine.full_sets():
                sent.add(part)
    figures = (
        engine.references, engine.messages, engine.destinations_histogram, engine.misses, engine.pages, engine.lines,
        engine.nodes, engine.packets(), engine.packets(True), engine.machine,
    )  # fmt: skip
    if sent is None:
        return Traffic(*figures)
    for part in engine.take_sets():
        sent.add(part)
    memory = directory_memory(sent.used, nodes_of(network), engine.pages, engine.lines)
    mean = sent.receivers / sent.multicasts if sent.multicasts else 0.0
    bits = memory.of(directory)
    return Traffic(*figures, bits, sent.multicasts, mean, sent.unnecessary, engine.evictions, sent.broadcasts)
