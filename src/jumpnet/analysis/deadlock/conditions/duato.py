"""Duato's condition: adaptive routing is free of deadlock when its escape channels are, counting detours between them.

Source: Duato 1993 (a sufficient condition, wormhole and virtual cut-through); Dally and Towles section 14.3. The escape
subfunction is what the relation marks ESCAPE. Called by `prove`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.bit_rows import unpack
from jumpnet.analysis.deadlock.conditions._duato import extend, extend_listed
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, piece_end, silent
from jumpnet.analysis.deadlock.walks.packet_states import Section
from jumpnet.analysis.deadlock.walks.packet_walk import FULL, new_nodes, new_space, parts
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.errors import JumpnetError
from jumpnet.process.threads import interruptible
from jumpnet.terms import I64, Array

__all__ = ["Extended", "bytes_needed", "extended_by_sections", "extended_dependencies"]

MEMORY_LIMIT_BYTES = 4 << 30


@dataclass(frozen=True, eq=False)
class Extended:
    """The extended dependency graph of the escape channels."""

    channel: I64
    """(X,) channel number of each escape channel, as in `Dependencies`."""
    indptr: I64
    """(X + 1,) compressed rows: the escape channels x may wait for are indices[indptr[x]:indptr[x + 1]]."""
    indices: I64
    without_escape: tuple[int, int] | None
    """(router, destination) of a packet that finds no ESCAPE candidate; the condition fails then."""

    @property
    def pairs(self) -> tuple[I64, I64]:
        """(channel held, channel wanted) of each dependency, in ascending order."""
        return np.repeat(self.channel, np.diff(self.indptr)), self.channel[self.indices]


def bytes_needed(made: Dependencies) -> int:
    """Room for the extended dependency graph, at least; `extended_dependencies` refuses more than it may take."""
    escapes = int(np.count_nonzero(made.escape))
    return (escapes + (1 << (4 * made.bound.network.routers).bit_length())) * ((escapes + 63) // 64) * 8


def extended_dependencies(made: Dependencies, progress: Progress = silent) -> Extended:
    """Direct, indirect and cross dependencies between the escape channels of a routing, from reachable states.

    There is a dependency from escape channel a to b when a packet that took a, in whatever role, may ask for b as
    ESCAPE candidate after it took none but NORMAL candidates in between. Raises JumpnetError when the graph would not
    fit in memory. `progress(done, total)` is called now and then. Cost O(states * X / 64) for X escape channels.
    """
    bound, net = made.bound, made.bound.network
    channel = np.flatnonzero(made.escape)
    words = (len(channel) + 63) // 64
    number = np.full(len(made.escape), -1, np.int64)
    number[channel] = np.arange(len(channel))
    size = 1 << (4 * net.routers).bit_length()
    _refuse_if_too_big(f"{bound.name} on {net.spec}", len(channel), bytes_needed(made))
    extended = np.zeros((len(channel), words), np.uint64)
    job, space = job_of(bound), new_space(bound.view.queues)
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int32)
    at, without, walks = 0, None, parts(job, sinks)
    while at < walks:
        stop = piece_end(at, walks, progress)
        nodes, ahead = new_nodes(size, made.bits.shape[1]), np.zeros((size, words), np.uint64)
        scratch = np.zeros((2, size), np.int64)
        search = partial(
            extend, bound.pointer, bound.start_pointer, bound.view, job, nodes, space, sinks, at, stop,
            number, extended, ahead, scratch,
        )  # fmt: skip
        at, node = interruptible(search)
        if node >= 0:
            without = int(nodes.key[node, 3]), int(sinks[at * len(sinks) // walks])
            break
        size *= 2 if space.counters[FULL] else 1
    indptr, indices = unpack(extended)
    return Extended(channel, indptr, indices, without)


def extended_by_sections(sections: Iterator[Section], escape: Array, name: str) -> Extended:
    """The same from states that are listed, each of which has an escape; escape (C,) bool: the escape channels."""
    channel = np.flatnonzero(escape)
    words = (len(channel) + 63) // 64
    number = np.full(len(escape), -1, np.int64)
    number[channel] = np.arange(len(channel))
    _refuse_if_too_big(name, len(channel), len(channel) * words * 8)
    extended = np.zeros((len(channel), words), np.uint64)
    for section in sections:
        count = len(section.router)
        first = np.searchsorted(section.ways[:, 0], np.arange(count + 1))
        edge = np.ascontiguousarray(section.ways[:, [1, 1, 2, 3]])  # as `Nodes.edge`; the second column is not read
        scratch, ahead = np.zeros((2, count), np.int64), np.zeros((count, words), np.uint64)
        without = interruptible(partial(extend_listed, first, edge, number, extended, ahead, scratch))
        assert without < 0, "every state has an escape"
    indptr, indices = unpack(extended)
    return Extended(channel, indptr, indices, None)


def _refuse_if_too_big(name: str, escapes: int, needed: int) -> None:
    if needed > MEMORY_LIMIT_BYTES:
        raise JumpnetError(
            f"{name} has {escapes} escape channels, whose extended dependency graph needs "
            f"{needed / 2**30:.1f} GiB, at most {MEMORY_LIMIT_BYTES >> 30} GiB expected"
        )
