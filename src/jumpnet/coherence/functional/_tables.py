"""What the functional coherence engine keeps and counts: its tables, stores and settings, as its kernels take them.

Lines live in pages: pages are numbered by first touch, and line i of page p has the row p * lines + i in the tables.
Sets of nodes are bit sets of 64-bit words. Made by `engine`, used by `_kernels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["OWNER_BITS", "OWNER_WIDTH", "UNTOUCHED", "Machine", "Stores", "Tables"]

OWNER_WIDTH, OWNER_BITS = 16, 0xFFFF
UNTOUCHED = NOBODY = -1
"""State of a line that was never touched; a free pointer."""
REFERENCES, MESSAGES, PAGES, LINES, MISSES, SETS = 0, 1, 2, 3, 4, 5
REQUESTS, CACHE_MISSES, BUS, WRITE_BACKS, HINTS, FETCHES, STAGE_1, STAGE_2, PRUNED = 6, 7, 8, 9, 10, 11, 12, 13, 14
EVICTIONS, COUNTS = 15, 16
FIRST_TOUCH, ROUND_ROBIN, INTERLEAVED, GIVEN = 0, 1, 2, 3


class Machine(NamedTuple):
    """Plain integers of a machine."""

    cluster: int
    """Processors of a node."""
    nodes: int
    line_shift: int
    page_shift: int
    first: int
    """The class of a line that no node has touched (`rules`)."""
    other: int
    """The same on a page in update mode, where the protocol has two modes."""
    shared: int
    """The class of a line that several have and none has written; `rules.codes.UNSHARED` where none may."""
    tells: bool
    """Some clean copies are given up with a notification."""
    by_page: bool
    """The directory lists the nodes of a page."""
    placement: int
    hints: bool
    """A node notifies the home when it gives up its last clean copy."""
    holders: bool
    """The entry of a page lists the nodes that hold some line of it, not all that ever touched it."""
    pointers: int
    """Nodes that an entry can name beside the home; 0 without limit."""
    evicts: bool
    """An entry without a free pointer gives up the oldest copy; otherwise it no longer names any node."""


class Tables(NamedTuple):
    """What the directories know, and what is counted."""

    slot_number: Any
    """(slots,) int64 hash table of page numbers, EMPTY where free."""
    slot_page: Any
    """(slots,) int64 index of the page."""
    home: Any
    """(pages,) int32 node of the directory entry."""
    mode: Any
    """(pages,) int32 class of a line of it that no node has touched."""
    touched: Any
    """(pages, words) uint64 nodes that have touched the page."""
    valid: Any
    """(pages * lines, words) uint64 nodes with a copy of each line, as far as the home knows."""
    copies: Any
    """The same table, but where nodes are listed that were given no copy (`Rules.lingers`): those that have one, if
    caches are without limit."""
    state: Any
    """(pages * lines,) int32 class << OWNER_WIDTH | the node that is the owner, `nodes` for none; UNTOUCHED."""
    packets: Any
    """(pages,) int64 packets between nodes: requests, fetches and messages to each destination, with their answers."""
    spared: Any
    """(pages,) int64 of these, those that go when a message to many is one packet, and their acknowledges too."""
    histogram: Any
    """(nodes,) int64 messages by number of destinations."""
    counts: Any
    """(COUNTS,) int64."""
    set_home: Any
    """(sets,) int64 hash table of different messages: 2 * home + 1 where the entry cannot name its destinations; of
    length 1 where they are not wanted."""
    set_words: Any
    """(sets, words) uint64 destinations."""
    set_count: Any
    """(sets,) int64 occurrences, 0 where free."""
    given_page: Any
    """(G,) int64 ascending page numbers with a given home."""
    given_home: Any
    """(G,) int64 their homes."""
    update_page: Any
    """(U,) int64 ascending numbers of the pages in update mode, where the protocol has two modes."""
    pointer: Any
    """(entries, pointers) int32 nodes of each entry that evicts, the oldest first, NOBODY where free."""
    over: Any
    """(entries,) uint8 whether an entry that does not evict had to name more nodes than it has pointers."""
    holders: Any
    """(1, words) uint64 room for the holders of a page."""
    rows: Any
    """(R,) int64 the protocol's rows (`codes`)."""


class Stores(NamedTuple):
    """Set-associative stores (`recent`), their ways, 0 where there is none, and the sets of one owner."""

    processors: int
    cluster: int
    cache: Any
    """Of each processor (`caches`)."""
    ways: int
    sets: int
    stage_1: Any
    """Translation of each processor."""
    stage_1_ways: int
    stage_1_sets: int
    stage_2: Any
    """Translation at each home."""
    stage_2_ways: int
    stage_2_sets: int
    pruning: Any
    """Lines whose list each home keeps beside that of the page."""
    pruning_ways: int
    pruning_sets: int
