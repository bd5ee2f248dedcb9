"""Kernels of the functional coherence engine: one message for each coherence action, no time.

Lines live in pages: `find_page` numbers the pages by first touch, and line i of page p has the row p * lines + i in the
tables. Sets of nodes are bit sets of 64-bit words. Naive twin: tests/naive/functional.py. Called by `functional`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jumpnet._jit import borrow, jit
from jumpnet.coherence._recent import EMPTY, enter, holds, remove, touch

__all__ = ["EMPTY", "INVALIDATE", "MIXED", "UPDATE", "Machine", "Stores", "Tables", "apply_block", "rehash_pages"]

INVALIDATE, UPDATE, MIXED = 0, 1, 2
NOBODY = -1
"""Owner of a line that was never touched."""
REFERENCES, MESSAGES, PAGES, LINES, MISSES, SETS = 0, 1, 2, 3, 4, 5
REQUESTS, CACHE_MISSES, BUS, WRITE_BACKS, HINTS, FETCHES, STAGE_1, STAGE_2, PRUNED = 6, 7, 8, 9, 10, 11, 12, 13, 14
COUNTS = 15
FIRST_TOUCH, ROUND_ROBIN, INTERLEAVED, GIVEN = 0, 1, 2, 3
MIX = 0x5851F42D
LOW = 0xFFFFFFFF


class Machine(NamedTuple):
    """Plain integers of a machine."""

    cluster: int
    """Processors of a node."""
    nodes: int
    line_shift: int
    page_shift: int
    protocol: int
    by_page: bool
    """The directory lists the nodes of a page."""
    placement: int
    hints: bool
    """A node tells the home when it gives up its last clean copy."""
    exclusive: bool
    """A reader may write without asking where the home lists nobody else (MESI)."""


class Tables(NamedTuple):
    """What the directories know, and what is counted."""

    slot_number: Any
    """(slots,) int64 hash table of page numbers, EMPTY where free."""
    slot_page: Any
    """(slots,) int64 index of the page."""
    home: Any
    """(pages,) int32 node of the directory entry."""
    mode: Any
    """(pages,) uint8 INVALIDATE or UPDATE."""
    touched: Any
    """(pages, words) uint64 nodes that have touched the page."""
    valid: Any
    """(pages * lines, words) uint64 nodes with a copy of each line, as far as the home knows."""
    owner: Any
    """(pages * lines,) int32 node that may write without asking; `nodes` for none, NOBODY for a line never touched."""
    packets: Any
    """(pages,) int64 packets between nodes: requests, fetches and messages to each destination, with their answers."""
    spared: Any
    """(pages,) int64 of these, those that go when a message to many is one packet, and their acknowledges too."""
    histogram: Any
    """(nodes,) int64 messages by number of destinations."""
    counts: Any
    """(COUNTS,) int64."""
    set_home: Any
    """(sets,) int64 hash table of different messages: home; of length 1 where they are not wanted."""
    set_words: Any
    """(sets, words) uint64 destinations."""
    set_count: Any
    """(sets,) int64 occurrences, 0 where free."""
    given_page: Any
    """(G,) int64 ascending page numbers with a given home."""
    given_home: Any
    """(G,) int64 their homes."""
    update_page: Any
    """(U,) int64 ascending numbers of the pages in update mode, where the protocol is MIXED."""


class Stores(NamedTuple):
    """Set-associative stores (`_recent`); 0 ways where there is none. Sets of one owner are consecutive rows."""

    caches: Any
    """(processors * sets, ways); a marked line is dirty."""
    sets: int
    """Sets of one cache."""
    stage_1: Any
    """(processors * sets, ways) translation of each processor."""
    stage_1_sets: int
    stage_2: Any
    """(nodes * sets, ways) translation at the home."""
    stage_2_sets: int
    pruning: Any
    """(nodes * sets, ways) lines whose list the home keeps beside that of the page."""
    pruning_sets: int


@jit(inline="always")
def _slot(number, mask):
    # 32 bits times 31 bits: the same without overflow in plain Python and compiled.
    return (((number & LOW) * MIX) >> 24) & mask


@jit
def rehash_pages(old_number, old_page, new_number, new_page):
    """Enter the pages of one hash table into a larger one."""
    mask = len(new_number) - 1
    for i in range(len(old_number)):
        if old_number[i] != EMPTY:
            s = _slot(old_number[i], mask)
            while new_number[s] != EMPTY:
                s = (s + 1) & mask
            new_number[s], new_page[s] = old_number[i], old_page[i]


@jit
def _index(numbers, wanted):
    """Place of a number in an ascending list, -1 where it is not in it."""
    i = np.searchsorted(numbers, wanted)
    return i if i < len(numbers) and numbers[i] == wanted else -1


@jit(inline="always")
def find_page(number, node, machine, tables):
    """The page's index; a page that is new gets the next one, a home and a mode."""
    slot_number, slot_page = tables.slot_number, tables.slot_page
    mask = len(slot_number) - 1
    s = _slot(number, mask)
    while slot_number[s] != number and slot_number[s] != EMPTY:
        s = (s + 1) & mask
    if slot_number[s] == EMPTY:
        page = tables.counts[PAGES]
        slot_number[s], slot_page[s] = number, page
        tables.counts[PAGES] += 1
        given = _index(tables.given_page, number)
        if machine.placement == ROUND_ROBIN:
            tables.home[page] = page % machine.nodes
        elif machine.placement == INTERLEAVED:
            tables.home[page] = number % machine.nodes
        elif machine.placement == GIVEN and given >= 0:
            tables.home[page] = tables.given_home[given]
        else:
            tables.home[page] = node
        by_update = machine.protocol == UPDATE or (
            machine.protocol == MIXED and _index(tables.update_page, number) >= 0
        )
        tables.mode[page] = UPDATE if by_update else INVALIDATE
    return slot_page[s]


@jit(inline="always")
def _popcount(w):
    w = w - ((w >> np.uint64(1)) & np.uint64(0x5555555555555555))
    w = (w & np.uint64(0x3333333333333333)) + ((w >> np.uint64(2)) & np.uint64(0x3333333333333333))
    w = (w + (w >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    w = w + (w >> np.uint64(8))
    w = w + (w >> np.uint64(16))
    return np.int64((w + (w >> np.uint64(32))) & np.uint64(0x7F))


@jit(inline="always")
def _message(listed, row, node, home, tables):
    """Count one message to the nodes listed in a row other than the writer; how many of them lie away from the home."""
    words = listed.shape[1]
    own, bit = node >> 6, np.uint64(1) << np.uint64(node & 63)
    k = 0
    for w in range(words):
        found = listed[row, w]
        k += _popcount(found & ~bit if w == own else found)
    if k == 0:
        return 0
    tables.histogram[k] += 1
    tables.counts[MESSAGES] += 1
    if len(tables.set_home) > 1:
        _keep(listed, row, own, bit, home, tables.counts, tables.set_home, tables.set_words, tables.set_count)
    at_home = home != node and listed[row, home >> 6] >> np.uint64(home & 63) & np.uint64(1)
    return k - 1 if at_home else k


@jit
def _alone(listed, row, node):
    """Whether a row lists no other node."""
    others = False
    for w in range(listed.shape[1]):
        own = np.uint64(1) << np.uint64(node & 63) if w == node >> 6 else np.uint64(0)
        others = others or listed[row, w] & ~own != 0
    return not others


@jit
def _keep(listed, row, own, bit, home, counts, set_home, set_words, set_count):
    """Equal messages (same home, same destinations) are kept once, with their number."""
    words = listed.shape[1]
    h = np.int64(home)
    for w in range(words):
        found = listed[row, w] & ~bit if w == own else listed[row, w]
        h = (((h ^ np.int64(found & np.uint64(LOW))) * MIX) >> 17) & LOW
        h = (((h ^ np.int64(found >> np.uint64(32))) * MIX) >> 17) & LOW
    mask = len(set_home) - 1
    s = h & mask
    while set_count[s]:
        same = set_home[s] == home
        for w in range(words):
            found = listed[row, w]
            same = same and set_words[s, w] == (found & ~bit if w == own else found)
        if same:
            break
        s = (s + 1) & mask
    if not set_count[s]:
        set_home[s] = home
        for w in range(words):
            found = listed[row, w]
            set_words[s, w] = found & ~bit if w == own else found
        counts[SETS] += 1
    set_count[s] += 1


@jit
def _mate(caches, sets, cluster, proc, part, line):
    """Whether another cache of the processor's node holds a line, in set `part`."""
    first, found = proc // cluster * cluster, False
    for p in range(first, min(first + cluster, len(caches) // sets)):
        found = found or (p != proc and holds(caches, p * sets + part, line))
    return found


@jit
def _evicted(entry, proc, part, caches, sets, machine, valid, owner, counts):
    """A line falls out of a cache: a dirty one is written back; the home hears of the node's last copy, by either."""
    line, dirty = entry >> 1, entry & 1
    node = proc // machine.cluster
    if dirty:
        counts[WRITE_BACKS] += 1
        owner[line] = machine.nodes
    if (dirty or machine.hints) and not _mate(caches, sets, machine.cluster, proc, part, line):
        counts[HINTS] += 1 - dirty
        valid[line, node >> 6] &= ~(np.uint64(1) << np.uint64(node & 63))


@jit
def _in_cache(proc, part, line, caches, sets, machine, valid, owner, counts):
    """Read a line into a processor's cache; whether its node held a copy before."""
    if touch(caches, proc * sets + part, line):
        return True
    counts[CACHE_MISSES] += 1
    mate = _mate(caches, sets, machine.cluster, proc, part, line)
    entry = enter(caches, proc * sets + part, line)
    if entry != EMPTY:
        _evicted(entry, proc, part, caches, sets, machine, valid, owner, counts)
    counts[BUS] += mate
    return mate


@jit
def _clean(node, part, line, caches, sets, cluster):
    """The dirty copy of a node is written to memory, and stays."""
    for p in range(node * cluster, min((node + 1) * cluster, len(caches) // sets)):
        row = p * sets + part
        for w in range(caches.shape[1]):
            if caches[row, w] == 2 * line + 1:
                caches[row, w] = 2 * line


@jit
def _take_away(listed, row, proc, part, line, caches, sets, cluster):
    """Remove a line from the caches of all nodes listed, but for the writer's own."""
    processors = len(caches) // sets
    for w in range(listed.shape[1]):
        word = listed[row, w]
        while word:
            low = word & (~word + np.uint64(1))
            first = (64 * w + _popcount(low - np.uint64(1))) * cluster
            for p in range(first, min(first + cluster, processors)):
                if p != proc:
                    remove(caches, p * sets + part, line)
            word ^= low


@jit(inline="always")
def _look_up(store, sets, owner, tag):
    """Whether a store of its owner holds a tag; it does afterwards."""
    row = owner * sets + (tag & (sets - 1))
    found = touch(store, row, tag)
    if not found:
        enter(store, row, tag)
    return found


@jit(inline="always")
def _lent(tables):
    """The same tables, free of reference counts."""
    return Tables(
        borrow(tables.slot_number), borrow(tables.slot_page), borrow(tables.home), borrow(tables.mode),
        borrow(tables.touched), borrow(tables.valid), borrow(tables.owner), borrow(tables.packets),
        borrow(tables.spared), borrow(tables.histogram), borrow(tables.counts), borrow(tables.set_home),
        borrow(tables.set_words), borrow(tables.set_count), borrow(tables.given_page), borrow(tables.given_home),
        borrow(tables.update_page),
    )  # fmt: skip


@jit
def apply_block(proc, address, size, is_write, kind, first, machine, tables, stores):
    """Apply records from `first` on; returns the record it stopped at, for want of room in a table, or their number."""
    tables = _lent(tables)
    counts, valid, owner, touched = tables.counts, tables.valid, tables.owner, tables.touched
    lines_shift = machine.page_shift - machine.line_shift
    in_page = (1 << lines_shift) - 1
    nodes, words = machine.nodes, valid.shape[1]
    room, most_sets = len(tables.home), (3 * len(tables.set_home)) >> 2
    collects = len(tables.set_home) > 1
    caches, sets, pruning = borrow(stores.caches), stores.sets, borrow(stores.pruning)
    stage_1, stage_2 = borrow(stores.stage_1), borrow(stores.stage_2)
    finite, has_pruning = caches.shape[1] > 0, machine.by_page and pruning.shape[1] > 0
    has_1, has_2 = stage_1.shape[1] > 0, stage_2.shape[1] > 0
    for i in range(first, len(proc)):
        start = address[i] >> machine.line_shift
        stop = (address[i] + size[i] - 1) >> machine.line_shift
        needed = stop - start + 1
        if counts[PAGES] + needed > room or (collects and counts[SETS] + needed > most_sets):
            return i
        if kind[i] > 1:
            continue
        counts[REFERENCES] += 1
        node = proc[i] // machine.cluster
        word, bit = node >> 6, np.uint64(1) << np.uint64(node & 63)
        for number in range(start, stop + 1):
            page = find_page(number >> lines_shift, node, machine, tables)
            line = (page << lines_shift) + (number & in_page)
            update = tables.mode[page] == UPDATE
            home = tables.home[page]
            part = number & (sets - 1)
            if has_1 and not _look_up(stage_1, stores.stage_1_sets, proc[i], number >> lines_shift):
                counts[STAGE_1] += 1
            if finite:
                held = _in_cache(proc[i], part, line, caches, sets, machine, valid, owner, counts)
            else:
                held = valid[line, word] & bit != 0
            if owner[line] == NOBODY:
                counts[LINES] += 1
                owner[line] = nodes  # touched, and no node may write it without asking
            sent = 0
            asks = is_write[i] and (update or owner[line] != node)
            if not held:
                counts[MISSES] += 1
                if owner[line] < nodes and owner[line] != node:
                    counts[FETCHES] += 1
                    sent += owner[line] != home
                    if finite:
                        _clean(owner[line], part, line, caches, sets, machine.cluster)
            if asks or not held:
                counts[REQUESTS] += 1
                sent += node != home
                if has_2 and not _look_up(stage_2, stores.stage_2_sets, home, number >> lines_shift):
                    counts[STAGE_2] += 1
            if asks:
                pruned = has_pruning and _look_up(pruning, stores.pruning_sets, home, line)
                counts[PRUNED] += pruned
                if machine.by_page and not pruned:
                    away = _message(touched, page, node, home, tables)
                else:
                    away = _message(valid, line, node, home, tables)
                sent += away
                tables.spared[page] += 2 * max(0, away - 1)
            elif not held and not update:
                sole = machine.exclusive and (
                    _alone(touched, page, node) if machine.by_page else _alone(valid, line, node)
                )
                owner[line] = node if sole else nodes
            if is_write[i] and not update:
                if finite:
                    _take_away(valid, line, proc[i], part, line, caches, sets, machine.cluster)
                    caches[proc[i] * sets + part, 0] |= 1
                if asks:
                    for w in range(words):
                        valid[line, w] = 0
                    owner[line] = node
            tables.packets[page] += 2 * sent
            valid[line, word] |= bit
            touched[page, word] |= bit
    return len(proc)
