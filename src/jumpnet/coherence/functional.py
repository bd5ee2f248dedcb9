"""Functional coherence: which nodes each invalidation or update message goes to, for a stream of memory references.

Caches without limit and no time: a reference acts at once. Rules (kudoh1995rhbd section 5.1, Figure 9): with S the
nodes that hold a line and E the node that may write it without asking, under `invalidate` a read by p not in S adds p
and clears E, and a write by p other than E needs a message, then S = {p} and E = p; under `update` reads and writes add
p to S, and each write needs a message. Destinations leave out the writer: with a `line` directory they are S just
before the write, with a `page` directory every node that has touched the page so far. A message without destinations
is not counted. Called by `machine` and the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.coherence import _functional as kernel
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.memory import require
from jumpnet.terms import I64

__all__ = ["DIRECTORIES", "PLACEMENTS", "PROTOCOLS", "Functional", "MessageSets"]

PROTOCOLS = {"invalidate": kernel.INVALIDATE, "update": kernel.UPDATE}
DIRECTORIES = ("line", "page")
PLACEMENTS = {"first-touch": 0, "round-robin": 1, "interleaved": 2}
MOST_NODES = 1 << 14
SETS = 1 << 14


def _shift(name: str, value: int, least: int, most: int) -> int:
    if value < least or value > most or value & (value - 1):
        raise JumpnetError(f"{name} of {value} bytes found, a power of two from {least} to {most} expected")
    return value.bit_length() - 1


@dataclass(frozen=True)
class MessageSets:
    """Different messages and how often each occurred."""

    home: I64
    """(M,) node at which the directory entry is."""
    destinations: Any
    """(M, words) uint64 bit sets of nodes; the writer is not among them, the home may be."""
    count: I64
    """(M,) occurrences."""

    def __iter__(self) -> Iterator[tuple[int, list[int], int]]:
        """(home, destinations in ascending order, occurrences) of each."""
        for home, words, count in zip(self.home.tolist(), self.destinations.tolist(), self.count.tolist(), strict=True):
            nodes = [64 * w + b for w, word in enumerate(words) for b in range(64) if word >> b & 1]
            yield home, nodes, count


class Functional:
    """The engine: feed it blocks of references, then read the counts.

    >>> engine = Functional(4, protocol="invalidate", directory="line")
    >>> proc, address = np.array([0, 1, 2, 0]), np.array([64, 64, 64, 64])
    >>> engine.feed(proc, address, np.full(4, 4), np.array([False, False, False, True]), np.zeros(4, np.uint8))
    >>> engine.destinations_histogram, engine.references
    ({2: 1}, 4)
    """

    _slot_number: I64
    _slot_page: I64
    _home: Any
    _valid: Any
    _owner: Any
    _touched: Any

    def __init__(
        self,
        processors: int,
        *,
        protocol: str = "invalidate",
        directory: str = "page",
        clusters_of: int = 1,
        line_bytes: int = 32,
        page_bytes: int = 4096,
        placement: str = "first-touch",
        collect: bool = False,
    ):
        """collect: keep the messages themselves, for `take_sets`, not only their number by destinations.

        Raises JumpnetError for unknown names and sizes that are no powers of two.
        """
        for kind, name, known in (
            ("protocol", protocol, PROTOCOLS),
            ("directory", directory, DIRECTORIES),
            ("placement", placement, PLACEMENTS),
        ):
            if name not in known:
                raise unknown_name(kind, name, known)
        if not 1 <= processors <= MOST_NODES:
            raise JumpnetError(f"{processors} processors found, 1 to {MOST_NODES} expected")
        if clusters_of < 1:
            raise JumpnetError(f"clusters of {clusters_of} processors found, 1 or more expected")
        self.processors, self.clusters_of = processors, clusters_of
        self.nodes = -(-processors // clusters_of)
        self._line_shift = _shift("line", line_bytes, 4, 1 << 16)
        self._page_shift = _shift("page", page_bytes, line_bytes, 1 << 24)
        self._protocol, self._by_page = PROTOCOLS[protocol], directory == "page"
        self._placement = PLACEMENTS[placement]
        self._words = (self.nodes + 63) // 64
        self._counts = np.zeros(6, np.int64)
        self._histogram = np.zeros(self.nodes, np.int64)
        self._room = 0
        self._grow(64)
        slots = SETS if collect else 1
        self._set_home = np.zeros(slots, np.int64)
        self._set_words = np.zeros((slots, self._words), np.uint64)
        self._set_count = np.zeros(slots, np.int64)
        self._taken: list[MessageSets] = []

    def _grow(self, room: int) -> None:
        """Make room for so many pages; old contents are kept."""
        lines = 1 << (self._page_shift - self._line_shift)
        require(room * (lines + 1) * (8 * self._words + 4) * 3 // 2, f"a coherence directory of {room} pages")
        number, page = np.full(4 * room, kernel.EMPTY, np.int64), np.zeros(4 * room, np.int64)
        home = np.zeros(room, np.int32)
        valid = np.zeros((room * lines, self._words), np.uint64)
        owner = np.full(room * lines, kernel.NOBODY, np.int32)
        touched = np.zeros((room, self._words), np.uint64)
        if self._room:
            kernel.rehash_pages(self._slot_number, self._slot_page, number, page)
            old = self._room
            home[:old], touched[:old] = self._home, self._touched
            valid[: old * lines], owner[: old * lines] = self._valid, self._owner
        self._slot_number, self._slot_page, self._home = number, page, home
        self._valid, self._owner, self._touched, self._room = valid, owner, touched, room

    def feed(self, proc: I64, address: I64, size: I64, is_write: Any, kind: Any) -> None:
        """Apply a block of references, in order. All arrays (K,); `kind` above 1 (locks, barriers) is passed over.

        An access that spans lines acts on each. Raises JumpnetError for a processor beyond the machine, and when the
        tables would not fit in memory. Cost: some 50 ns a reference.
        """
        if len(proc) and (proc.min() < 0 or proc.max() >= self.processors):
            wrong = int(proc.min() if proc.min() < 0 else proc.max())
            raise JumpnetError(f"processor {wrong} found, 0 to {self.processors - 1} expected")
        done, most_lines = 0, 2 + int(size.max(initial=1) >> self._line_shift)
        while True:
            done = kernel.apply_block(
                proc, address, size, is_write, kind, done, self.clusters_of, self.nodes, self._line_shift,
                self._page_shift, self._protocol, self._by_page, self._placement, self._slot_number, self._slot_page,
                self._home, self._valid, self._owner, self._touched, self._histogram, self._counts, self._set_home,
                self._set_words, self._set_count,
            )  # fmt: skip
            if done == len(proc):
                return
            if self._counts[kernel.PAGES] + most_lines > self._room:
                self._grow(2 * max(self._room, most_lines))
            else:
                self._flush()

    def _flush(self) -> None:
        used = np.flatnonzero(self._set_count)
        self._taken.append(MessageSets(self._set_home[used], self._set_words[used], self._set_count[used]))
        self._set_count[:] = 0
        self._counts[kernel.SETS] = 0

    def full_sets(self) -> list[MessageSets]:
        """Full tables of messages that wait to be taken, in parts: call it after each `feed` to bound the memory."""
        found, self._taken = self._taken, []
        return found

    def take_sets(self) -> list[MessageSets]:
        """The messages since the last call, in parts; a message may occur in several parts. Empty unless `collect`."""
        if self._counts[kernel.SETS]:
            self._flush()
        return self.full_sets()

    @property
    def references(self) -> int:
        """Data and atomic accesses so far."""
        return int(self._counts[kernel.REFERENCES])

    @property
    def messages(self) -> int:
        """Messages with at least one destination."""
        return int(self._counts[kernel.MESSAGES])

    @property
    def misses(self) -> int:
        """Accesses to a line of which the node holds no copy."""
        return int(self._counts[kernel.MISSES])

    @property
    def pages(self) -> int:
        """Pages touched."""
        return int(self._counts[kernel.PAGES])

    @property
    def lines(self) -> int:
        """Lines touched."""
        return int(self._counts[kernel.LINES])

    @property
    def destinations_histogram(self) -> dict[int, int]:
        """Messages by number of destinations."""
        return {int(k): int(self._histogram[k]) for k in np.flatnonzero(self._histogram)}
