"""A channel dependency graph that is too large to be held: its rows of bits, made piece by piece whenever asked for.

Numbers of the channels are proposed, and the checker looks at each row as it is made. Made by `digits` and `shortest`;
a proof needs no more of a graph without a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import words_of
from jumpnet.analysis.deadlock.rows.blank import first_channels
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["PIECE_BYTES", "WHOLE_BYTES", "Counted", "Pieces", "bits_bytes", "no_rows", "too_large"]

WHOLE_BYTES = 4 << 30
"""Most bytes of rows of bits that are held at once; beyond, two copies would not fit into the memory of a proof."""
PIECE_BYTES = 1 << 26
"""About as many are made at once."""


class Counted:
    """Rows of bits with those of the channels they lead to, as they are made; afterwards how many dependencies."""

    def __init__(self, net: Network, vcs: int, pieces: Iterable[Array]) -> None:
        self.net, self.vcs, self.pieces, self.count = net, vcs, pieces, 0

    def __iter__(self) -> Iterator[tuple[Array, I64]]:
        first = 0
        for bits in self.pieces:
            self.count += int(np.bitwise_count(bits).sum())
            yield bits, first_channels(self.net, self.vcs, first, first + len(bits))
            first += len(bits)


class Pieces(NamedTuple):
    """A graph that has no cycle, as far as who proposed its numbers knows."""

    dependencies: int
    """How many there are in all."""
    each: Callable[[], Iterator[Array]]
    """Makes the rows of `Dependencies.bits` from the first channel on, some (B, W) after others."""
    accepted: I64 | None = None
    """(C,) numbers that the checker has accepted already."""


def bits_bytes(bound: BoundRouting) -> int:
    """Bytes of all rows of bits."""
    slots = bound.network.ports * bound.vcs
    return bound.network.routers * slots * words_of(slots) * 8


def too_large(bound: BoundRouting) -> bool:
    """Whether the rows are made piece by piece."""
    return bits_bytes(bound) > WHOLE_BYTES


def no_rows(bound: BoundRouting) -> Array:
    """(0, W) rows of bits, where they are made piece by piece."""
    return np.zeros((0, words_of(bound.network.ports * bound.vcs)), np.uint64)
