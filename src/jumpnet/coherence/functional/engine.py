"""The functional coherence engine: its settings, its counts, and the messages of a stream of references.

The rules stand at the top of `jumpnet.coherence.functional`. Called by `machine` and the report.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.functional._kernels import apply_block, rehash_pages
from jumpnet.coherence.functional.design import FunctionalDesign
from jumpnet.coherence.functional.messages import MessageSets
from jumpnet.coherence.functional.settings import check_sizes, empty_stores, given_homes
from jumpnet.coherence.recent import EMPTY
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.settings.typed import refuse_unknown
from jumpnet.terms import I64

__all__ = ["Functional"]

SETS = 1 << 14


@public
class Functional:
    """The engine: feed it blocks of references, then read the counts.

    >>> engine = Functional(4, protocol="invalidate", directory="line")
    >>> proc, address = np.array([0, 1, 2, 0]), np.array([64, 64, 64, 64])
    >>> engine.feed(proc, address, np.full(4, 4), np.array([False, False, False, True]), np.zeros(4, np.uint8))
    >>> engine.destinations_histogram, engine.references
    ({2: 1}, 4)
    """

    _tables: at.Tables

    def __init__(self, processors: int, *, collect: bool = False, **design: Any):
        """design: fields of `FunctionalDesign`. collect: keep the messages themselves, for `take_sets`, not only their
        number by destinations.

        Raises JumpnetError for other names, for a design that is none, for sizes that are no powers of two, homes that
        are no nodes, and stores that would not fit in memory.
        """
        refuse_unknown(FunctionalDesign, design, besides=("collect",))
        made = FunctionalDesign(**design)
        check_sizes(processors, made.clusters_of)
        self.processors, self.clusters_of, self._rules = processors, made.clusters_of, made.rules
        self._machine = made.machine(processors)
        self.nodes = nodes = self._machine.nodes
        self._stores = empty_stores(self._machine, processors, made.caches, made.translation, made.pruning)
        self._given = given_homes(made.homes, made.placement, nodes)
        self._updated = np.array([*made.update_pages], np.int64)
        self._words = (nodes + 63) // 64
        self._counts = np.zeros(at.COUNTS, np.int64)
        self._histogram = np.zeros(nodes, np.int64)
        self._empty_sets(SETS if collect else 1)
        self._taken: list[MessageSets] = []
        self._room = 0
        self._grow(64)

    def _grow(self, room: int) -> None:
        """Make room for so many pages or a few more; old contents are kept."""
        room = 1 << (room - 1).bit_length()  # places in the hash table are masked: its size must be a power of two
        lines = 1 << (self._machine.page_shift - self._machine.line_shift)
        row_bytes = 8 * self._words * (1 + self._rules.lingers) + 4
        require(room * (lines + 1) * row_bytes * 3 // 2, f"a coherence directory of {room} pages")
        number, page = np.full(4 * room, EMPTY, np.int64), np.zeros(4 * room, np.int64)
        home, mode = np.zeros((2, room), np.int32)
        valid = np.zeros((room * lines, self._words), np.uint64)
        copies = np.zeros_like(valid) if self._rules.lingers else valid
        state = np.full(room * lines, at.UNTOUCHED, np.int32)
        touched = np.zeros((room, self._words), np.uint64)
        pointer, over = self._entries(room)
        packets, spared = np.zeros((2, room), np.int64)
        if self._room:
            old, had = self._tables, self._room
            rehash_pages(old.slot_number, old.slot_page, number, page)
            home[:had], mode[:had], touched[:had] = old.home, old.mode, old.touched
            packets[:had], spared[:had] = old.packets, old.spared
            valid[: had * lines], state[: had * lines] = old.valid, old.state
            copies[: had * lines] = old.copies
            pointer[: len(old.pointer)], over[: len(old.over)] = old.pointer, old.over
        self._tables = at.Tables(
            number, page, home, mode, touched, valid, copies, state, packets, spared, self._histogram, self._counts,
            self._set_home, self._set_words, self._set_count, *self._given, self._updated,
            pointer, over, np.zeros((1, self._words), np.uint64), self._rules.rows,
        )  # fmt: skip
        self._room = room

    def _entries(self, room: int) -> tuple[Any, Any]:
        """The pointers of the entries of so many pages, all free; of one entry where there is no limit."""
        m = self._machine
        entries = room << (0 if m.by_page else m.page_shift - m.line_shift) if m.pointers else 1
        require(entries * (4 * m.pointers * m.evicts + 1), f"{entries} directory entries of {m.pointers} pointers")
        return np.full((entries, m.pointers * m.evicts), at.NOBODY, np.int32), np.zeros(entries, np.uint8)

    def feed(self, proc: I64, address: I64, size: I64, is_write: Any, kind: Any) -> None:
        """Apply a block of references, in order. All arrays (K,); `kind` above 1 (locks, barriers) is passed over.

        An access that spans lines acts on each. Raises JumpnetError for a processor beyond the machine, and when the
        tables would not fit in memory. Cost: some 20 to 50 ns a reference, 25 to 70 with caches of limited size.
        """
        if len(proc) and (proc.min() < 0 or proc.max() >= self.processors):
            wrong = int(proc.min() if proc.min() < 0 else proc.max())
            raise JumpnetError(f"processor {wrong} found, 0 to {self.processors - 1} expected")
        largest, done = int(size.max(initial=1)), 0
        most_lines, most_pages = 2 + (largest >> self._machine.line_shift), 2 + (largest >> self._machine.page_shift)
        while True:
            done = apply_block(proc, address, size, is_write, kind, done, self._machine, self._tables, self._stores)
            if done == len(proc):
                return
            if self._counts[at.PAGES] + most_pages > self._room:
                self._grow(2 * max(self._room, most_pages))
            else:
                self._flush()
                if 4 * most_lines > 3 * len(self._set_home):
                    self._widen(2 << most_lines.bit_length())

    def _empty_sets(self, slots: int) -> None:
        """Empty tables of messages."""
        self._set_home, self._set_count = np.zeros((2, slots), np.int64)
        self._set_words = np.zeros((slots, self._words), np.uint64)

    def _widen(self, slots: int) -> None:
        """Empty tables of messages with room for all of the largest access."""
        self._empty_sets(slots)
        self._tables = self._tables._replace(
            set_home=self._set_home, set_words=self._set_words, set_count=self._set_count
        )

    def _flush(self) -> None:
        used = np.flatnonzero(self._set_count)
        over = (self._set_home[used] & 1).astype(bool) if self._machine.pointers else None
        self._taken.append(MessageSets(self._set_home[used] >> 1, self._set_words[used], self._set_count[used], over))
        self._set_count[:] = 0
        self._counts[at.SETS] = 0

    def full_sets(self) -> list[MessageSets]:
        """Full tables of messages that wait to be taken, in parts: call it after each `feed` to bound the memory."""
        found, self._taken = self._taken, []
        return found

    def take_sets(self) -> list[MessageSets]:
        """The messages since the last call, in parts; a message may occur in several parts. Empty unless `collect`."""
        if self._counts[at.SETS]:
            self._flush()
        return self.full_sets()

    @property
    def references(self) -> int:
        """Data and atomic accesses so far."""
        return int(self._counts[at.REFERENCES])

    @property
    def messages(self) -> int:
        """Messages with at least one destination."""
        return int(self._counts[at.MESSAGES])

    @property
    def misses(self) -> int:
        """Accesses to a line of which the node holds no copy."""
        return int(self._counts[at.MISSES])

    @property
    def evictions(self) -> int:
        """Times that an entry had no pointer left, and the oldest node gave up the line, or its lines of the page."""
        return int(self._counts[at.EVICTIONS])

    @property
    def pages(self) -> int:
        """Pages touched."""
        return int(self._counts[at.PAGES])

    @property
    def lines(self) -> int:
        """Lines touched."""
        return int(self._counts[at.LINES])

    def packets(self, multicast: bool = False) -> int:
        """Packets between nodes: requests and their answers, fetches from owners and theirs, messages and acknowledges.

        multicast: a message is one packet, whatever its destinations, and so are their acknowledges, combined on the
        way; otherwise each destination has its own. Copies given up for want of pointers are counted, with their
        acknowledges, what falls out of a cache is not.
        """
        return sum(self.packets_of_pages(multicast).values())

    def packets_of_pages(self, multicast: bool = False) -> dict[int, int]:
        """The same by page number. Without caches of limited size no page's packets depend on another page."""
        tables = self._tables
        used = np.flatnonzero(tables.slot_number != EMPTY)
        page = tables.slot_page[used]
        packets = tables.packets[page] - (tables.spared[page] if multicast else 0)
        return dict(zip(tables.slot_number[used].tolist(), packets.tolist(), strict=True))

    @property
    def destinations_histogram(self) -> dict[int, int]:
        """Messages by number of destinations."""
        return {int(k): int(self._histogram[k]) for k in np.flatnonzero(self._histogram)}

    @property
    def machine(self) -> dict[str, int]:
        """What the parts of the machine did that this one has: requests to homes, caches, translation, pruning.

        requests: misses, and writes that must ask the home. cache_misses: not in the processor's own cache;
        bus_transfers: those that another cache of the node supplied. fetches: misses while another node had the line
        dirty. hints: clean last copies given up and told. stage_1_misses, stage_2_misses: translations not found.
        pruned: messages by the line's own list in place of the page's.
        """
        c, stores = self._counts, self._stores
        found = {"requests": int(c[at.REQUESTS]), "fetches": int(c[at.FETCHES])}
        if stores.ways:
            found |= {
                "cache_misses": int(c[at.CACHE_MISSES]), "bus_transfers": int(c[at.BUS]),
                "write_backs": int(c[at.WRITE_BACKS]), "hints": int(c[at.HINTS]),
            }  # fmt: skip
        if stores.stage_1_ways:
            found["stage_1_misses"] = int(c[at.STAGE_1])
        if stores.stage_2_ways:
            found["stage_2_misses"] = int(c[at.STAGE_2])
        if stores.pruning_ways:
            found["pruned"] = int(c[at.PRUNED])
        return found
