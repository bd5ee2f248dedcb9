"""The functional coherence engine: its settings, its counts, and the messages of a stream of references.

The rules stand at the top of `jumpnet.coherence.functional`. Called by `machine` and the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jumpnet._public import public
from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.functional._kernels import apply_block, rehash_pages
from jumpnet.coherence.functional.messages import MessageSets
from jumpnet.coherence.functional.settings import (
    DIRECTORIES,
    PAGE_ENTRIES,
    PLACEMENTS,
    check_names,
    check_pointers,
    check_sizes,
    empty_stores,
    given_homes,
    pages_by_update,
    power_of_two,
    tables_named,
)
from jumpnet.coherence.recent import EMPTY
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.coherence.without_effect import refuse_unused_parts
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
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

    def __init__(  # noqa: PLR0913  # settings by name, for people
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
        caches: tuple[int, int] | None = None,
        hints: bool = False,
        exclusive: bool = False,
        homes: Mapping[int, int] | None = None,
        update_pages: Iterable[int] = (),
        translation: tuple[int, int] | None = None,
        pruning: int = 0,
        page_entry: str = "never_cleared",
        pointers: int = 0,
        evicts: bool = False,
    ):
        """collect: keep the messages themselves, for `take_sets`, not only their number by destinations.

        caches: (bytes, ways) of each processor's own cache, or None for one without limit in each node. hints: a node
        tells the home when it gives up its last clean copy, so that a line directory removes it. exclusive: under
        invalidation a reader that the home lists alone may write without a request, as under mesi. homes: node by
        page number under placement `given`; other pages belong to their first toucher. update_pages: numbers of the
        pages in update mode under protocol `mixed`. translation: entries of the two stages, in each processor and in
        each home. pruning: entries of each home's pruning cache; it holds lines of page directories. page_entry: one
        of PAGE_ENTRIES. pointers: nodes beside the home that an entry can name, 0 without limit; one more takes the
        oldest's place where `evicts` or the protocol's tables say so (`limited`, `limited_update`, with two pointers
        by default), and that node gives up the line, or its lines of the page; otherwise the entry cannot
        name its nodes any more (`MessageSets.overflowed`) until a write has taken all copies of the line away.
        Raises JumpnetError for unknown names, options that would change nothing, sizes that are no powers of two,
        stores that would not fit in memory, and pointers with a pruning cache or with pages that list their holders.
        """
        tables = tables_named(protocol)
        check_names(
            ("directory", directory, DIRECTORIES), ("placement", placement, PLACEMENTS),
            ("page entry", page_entry, PAGE_ENTRIES),
        )  # fmt: skip
        self._rules = rules = rules_of(tables, exclusive)
        check_sizes(processors, clusters_of)
        holders = page_entry == PAGE_ENTRIES[1]
        self._updated = pages_by_update(update_pages)
        refuse_unused_parts(
            tables, by_page=directory == "page", caches=caches, hints=hints, update_pages=self._updated,
            translation=translation, pruning=pruning, page_entry=page_entry * holders, exclusive=exclusive,
        )  # fmt: skip
        pointers, evicts = pointers or rules.pointers, evicts or rules.pointers > 0
        check_pointers(pointers, tables, rules.pointers, evicts, page_entry * holders or "pruning" * (pruning > 0))
        self.processors, self.clusters_of = processors, clusters_of
        self.nodes = nodes = -(-processors // clusters_of)
        line_shift = power_of_two("line", line_bytes, 4, 1 << 16)
        page_shift = power_of_two("page", page_bytes, line_bytes, 1 << 24)
        self._machine = at.Machine(
            clusters_of, nodes, line_shift, page_shift, rules.first, rules.other, rules.shared, rules.tells,
            directory == "page", PLACEMENTS[placement], hints, holders, pointers, evicts,
        )  # fmt: skip
        self._stores = empty_stores(self._machine, processors, caches, translation, pruning)
        self._given = given_homes(homes, placement, nodes)
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
