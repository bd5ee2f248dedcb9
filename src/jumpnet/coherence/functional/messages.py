"""Messages of coherence, the same ones together. Called by `functional.engine`, `machine` and the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jumpnet.terms import I64

__all__ = ["MessageSets"]


@dataclass(frozen=True)
class MessageSets:
    """Different messages and how often each occurred."""

    home: I64
    """(M,) node at which the directory entry is."""
    destinations: Any
    """(M, words) uint64 bit sets of nodes; the writer is not among them, the home may be."""
    count: I64
    """(M,) occurrences."""
    overflowed: Any = None
    """(M,) bool whether the entry had too few pointers to name the destinations; None where it always can."""

    def __iter__(self) -> Iterator[tuple[int, list[int], int]]:
        """(home, destinations in ascending order, occurrences) of each."""
        for home, words, count in zip(self.home.tolist(), self.destinations.tolist(), self.count.tolist(), strict=True):
            nodes = [64 * w + b for w, word in enumerate(words) for b in range(64) if word >> b & 1]
            yield home, nodes, count
