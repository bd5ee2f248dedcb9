"""Duato's condition: adaptive routing is free of deadlock when its escape channels are, counting detours between them.

Source: Duato 1993 (a sufficient condition, wormhole and virtual cut-through); Dally and Towles section 14.3. The escape
subfunction is what the relation marks ESCAPE. Called by `prove`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from jumpnet.analysis.deadlock.conditions._duato import extend
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.cycles.order import Order, order_or_cycle
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.walks.packet_states import Section, walked
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.errors import JumpnetError
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
    bound = made.bound
    _refuse_if_too_big(f"{bound.name} on {bound.network.spec}", made.escape, bytes_needed(made))
    walks = walked(bound, job_of(bound), progress=progress)
    return _extended(made.escape, ((walk.first, walk.edge, walk.nodes.key[:, 3], walk.sink) for walk in walks))


def extended_by_sections(sections: Iterable[Section], escape: Array, name: str) -> Extended:
    """The same from states that are listed, each of which has an escape; escape (C,) bool: the escape channels."""
    escapes = int(np.count_nonzero(escape))
    _refuse_if_too_big(name, escape, escapes * ((escapes + 63) // 64) * 8)
    # as `Nodes.edge`, whose second column is not read
    found = _extended(escape, ((s.first, s.ways[:, [1, 1, 2, 3]].copy(), s.router, s.sink) for s in sections))
    assert found.without_escape is None, "every state has an escape"
    return found


def _extended(escape: Array, states: Iterable[tuple[I64, I64, I64, int]]) -> Extended:
    """The graph of the states of some packets after others: their edges, routers and destination."""
    channel, number = np.flatnonzero(escape), np.full(len(escape), -1, np.int64)
    number[channel] = np.arange(len(channel))
    extended, without = np.zeros((len(channel), (len(channel) + 63) // 64), np.uint64), None
    for first, edge, router, sink in states:
        count = len(first) - 1
        scratch, ahead = np.zeros((2, count), np.int64), np.zeros((count, extended.shape[1]), np.uint64)
        node = extend(first, edge, number, extended, ahead, scratch)
        if node >= 0:
            without = int(router[node]), sink
            break
    return Extended(channel, *unpack(extended), without)


def _refuse_if_too_big(name: str, escape: Array, needed: int) -> None:
    escapes = np.count_nonzero(escape)
    if needed > MEMORY_LIMIT_BYTES:
        raise JumpnetError(
            f"{name} has {escapes} escape channels, whose extended dependency graph needs "
            f"{needed / 2**30:.1f} GiB, at most {MEMORY_LIMIT_BYTES >> 30} GiB expected"
        )
