"""Duato's condition: adaptive routing is free of deadlock when its escape channels are, counting detours between them.

Source: Duato 1993 (a sufficient condition, wormhole and virtual cut-through); Dally and Towles section 14.3. The escape
subfunction is what the relation marks ESCAPE. Called by `prove`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from jumpnet.analysis.deadlock.conditions._duato import extend, extend_walks
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.cycles.order import Order, order_or_cycle
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.bit_rows import unpack, words_of
from jumpnet.analysis.deadlock.walks.packet_states import Section
from jumpnet.analysis.deadlock.walks.packet_walk import FAILURE, Stretch, parts
from jumpnet.analysis.deadlock.walks.walkers import Hashed, failed, first_hashed, job_of
from jumpnet.errors import JumpnetError
from jumpnet.terms import I64, Array

__all__ = ["Extended", "bytes_needed", "extended_by_sections", "extended_dependencies"]

MEMORY_LIMIT_BYTES = 4 << 30
SOME_WORDS = 1 << 22
"""About so many words of sets of escape channels are made before an interruption is heard (a tenth of a second)."""


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

    def order(self, channels: int) -> Order:
        """(channels,) numbers that ascend along the graph and the checker accepts, -1 but for escape channels; or the
        channels of a shortest cycle."""
        order = order_or_cycle(self.indptr, self.indices)
        if order.number is None:
            return Order(None, self.channel[order.cycle])
        assert accepts_rows(order.number, self.indptr, self.indices), "the checker refused our own certificate"
        number = np.full(channels, -1, np.int64)
        number[self.channel] = order.number
        return Order(number, None)


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
    _refuse_if_too_big(f"{bound.name} on {net.spec}", made.escape, bytes_needed(made))
    channel, number, extended = _blank(made.escape)
    job, sinks = job_of(bound), np.flatnonzero(net.sinks > 0).astype(np.int32)
    walks = first_hashed(bound, job, sinks)
    at, without, many = 0, -1, parts(job, sinks)
    some = min(many // 4, many * SOME_WORDS // (made.states * extended.shape[1] + 1)) + 1
    while at < many and without < 0:
        progress(at, many)
        at, without, walks = _through(walks, at, min(at + some, many), number, extended)
    where = None if without < 0 else (int(walks.nodes.key[without, 3]), walks.destination(at))
    return Extended(channel, *unpack(extended), where)


def _through(walks: Hashed, at: int, stop: int, number: I64, extended: Array) -> tuple[int, int, Hashed]:
    """Extend by walks at..stop-1: the walk reached, its state without escape or -1, and walks with room for more.

    Raises JumpnetError when a packet is not delivered.
    """
    stretch = Stretch(walks.sinks, at, stop)
    at, without = extend_walks(*walks.given, walks.nodes, walks.space, stretch, number, extended)
    if walks.space.counters[FAILURE]:
        raise failed(walks.bound, walks.nodes, walks.space, walks.destination(at))
    return at, without, walks if at == stop or without >= 0 else walks.wider(at)


def extended_by_sections(sections: Iterable[Section], escape: Array, name: str) -> Extended:
    """The same from states that are listed, each of which has an escape; escape (C,) bool: the escape channels."""
    escapes = int(np.count_nonzero(escape))
    _refuse_if_too_big(name, escape, escapes * ((escapes + 63) // 64) * 8)
    channel, number, extended = _blank(escape)
    for section in sections:
        ways = section.ways[:, [1, 1, 2, 3]].copy()  # as `Nodes.edge`, whose second column is not read
        without = extend(section.first, ways, number, extended)
        assert without < 0, "every state has an escape"
    return Extended(channel, *unpack(extended), None)


def _blank(escape: Array) -> tuple[I64, I64, Array]:
    """The escape channels (X,), the number of each channel among them (C,), and an extended graph without edges."""
    channel, number = np.flatnonzero(escape), np.full(len(escape), -1, np.int64)
    number[channel] = np.arange(len(channel))
    return channel, number, np.zeros((len(channel), words_of(len(channel))), np.uint64)


def _refuse_if_too_big(name: str, escape: Array, needed: int) -> None:
    escapes = np.count_nonzero(escape)
    if needed > MEMORY_LIMIT_BYTES:
        raise JumpnetError(
            f"{name} has {escapes} escape channels, whose extended dependency graph needs "
            f"{needed / 2**30:.1f} GiB, at most {MEMORY_LIMIT_BYTES >> 30} GiB expected"
        )
