"""The coherence traffic of a trace on a machine: messages, destinations, and what an encoding makes of them.

Functional: caches without limit, no time (`jumpnet.coherence.functional` has the rules). Node i sits at router i of the
network, and the home of a page (the first node that touches it, by default) sends its messages. Receivers are those of
the encoding (`jumpnet.coherence.encoding`); a destination that is the home itself needs no message on the network.
Called by `cli` and the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.coherence.encoding import Encoding, encoding
from jumpnet.coherence.functional import Functional, MessageSets
from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import Trace
from jumpnet.multicast import schemes
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.topology import family

__all__ = ["Traffic", "coherence_traffic", "processors_of"]

SCHEME_OF = {"hierarchical": "full"}
BY_NUMBER = ("full_map", "chained", "limited_broadcast", "limited_evicting")
"""Encodings whose delivery depends on the number of holders only: asked once for each number."""


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
    directory_bits: int | None = None
    """Bits of all entries in use, of pages or of lines that were touched; None without an encoding."""
    multicasts: int | None = None
    """Messages that leave the home node."""
    receivers_mean: float | None = None
    """Nodes that take one such message from the network, on average."""
    unnecessary: int | None = None
    """Receptions by nodes that were no destination, all messages together."""
    evicted: int | None = None
    """Copies that entries with too few pointers would have had to give up."""

    @property
    def destinations_mean(self) -> float:
        """Destinations of a message, on average; 0.0 without messages."""
        total = sum(k * count for k, count in self.destinations_histogram.items())
        return total / self.messages if self.messages else 0.0


class _Deliveries:
    """Totals over messages of one encoding on one network."""

    def __init__(self, used: Encoding, spec: str):
        self.used, self.spec = used, spec
        self.multicasts = self.receivers = self.unnecessary = self.evicted = 0
        self._scheme = schemes().get(SCHEME_OF.get(used.name, used.name))

    def add(self, part: MessageSets) -> None:
        by_size: dict[int, list[tuple[int, list[int], int]]] = {}
        for home, nodes, count in part:
            holders = [node for node in nodes if node != home]
            if holders:
                by_size.setdefault(len(holders), []).append((home, holders, count))
        for k, rows in by_size.items():
            times = np.array([row[2] for row in rows])
            self.multicasts += int(times.sum())
            if self._scheme is None:
                self._one_by_one(rows)
                continue
            homes, holders_of = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
            found, _ = receivers_of_sets(territories(self.spec), self._scheme, homes, holders_of)
            if (found < 0).any():
                i = int(np.flatnonzero(found < 0)[0])
                raise JumpnetError(
                    f"a multicast from node {homes[i]} to {k} nodes leaves every territory of {self.spec}; "
                    f"a larger network or another encoding than {self.used.name} expected"
                )
            self.receivers += int((found * times).sum())
            self.unnecessary += int(((found - k) * times).sum())

    def _one_by_one(self, rows: list[tuple[int, list[int], int]]) -> None:
        if self.used.name in BY_NUMBER:
            rows = [(rows[0][0], rows[0][1], sum(row[2] for row in rows))]
        for home, holders, count in rows:
            sent = self.used.message(self.spec, home, tuple(holders))
            self.receivers += sent.receivers * count
            self.unnecessary += sent.unnecessary * count
            self.evicted += sent.evicted * count


def processors_of(trace: Trace) -> int:
    """Processors of a trace: as it says, or else the largest number in it plus one, found by reading it once."""
    if trace.processors is not None:
        return trace.processors
    return 1 + max((int(block.proc.max()) for block in trace.blocks() if len(block.proc)), default=0)


def coherence_traffic(
    trace: Trace,
    *,
    processors: int | None = None,
    encoding_name: str = "",
    network: str = "",
    directory: str = "page",
    **machine: Any,
) -> Traffic:
    """Run a trace through the functional machine.

    machine: keywords of `Functional` (protocol, clusters_of, line_bytes, page_bytes, placement). encoding_name and
    network are given together. Raises JumpnetError for a trace that does not fit the machine, a network with fewer
    routers than nodes, and bad names. Cost: some 100 ns a reference, and 10 ns a destination of each different message;
    memory does not grow with the length of the trace.

    >>> from jumpnet.machine.trace import block_of
    >>> trace = Trace("three", 3, lambda: iter([block_of([0, 1, 2], [64, 64, 64], 4, [False, False, True])]))
    >>> found = coherence_traffic(trace, encoding_name="SM", network="prdt:16")
    >>> found.messages, found.destinations_histogram, found.receivers_mean
    (1, {2: 1}, 1.0)
    """
    if bool(encoding_name) != bool(network):
        found = "an encoding without a network" if encoding_name else "a network without an encoding"
        raise JumpnetError(f"{found} found, both or none expected")
    count = processors_of(trace) if processors is None else processors
    engine = Functional(count, directory=directory, collect=bool(network), **machine)
    sent = None
    if network:
        used = encoding(encoding_name)
        size = family(network).size()
        routers = size[0] if size is not None else family(network).build().routers
        if engine.nodes > routers:
            raise JumpnetError(f"{engine.nodes} nodes found, at most the {routers} routers of {network} expected")
        sent = _Deliveries(used, network)
    for block in trace.blocks():
        engine.feed(*block)
        if sent is not None:
            for part in engine.full_sets():
                sent.add(part)
    if sent is not None:
        for part in engine.take_sets():
            sent.add(part)
    figures = (
        engine.references, engine.messages, engine.destinations_histogram, engine.misses, engine.pages, engine.lines,
        engine.nodes,
    )  # fmt: skip
    if sent is None:
        return Traffic(*figures)
    bits = used.bits(routers).entry * (engine.pages if directory == "page" else engine.lines)
    mean = sent.receivers / sent.multicasts if sent.multicasts else 0.0
    return Traffic(*figures, bits, sent.multicasts, mean, sent.unnecessary, sent.evicted)
