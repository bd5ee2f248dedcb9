"""Kernels of the functional coherence engine: one message for each coherence action, no time.

What they keep is in `_tables`, what a reference does in the rows of `rules`. Naive twin:
tests/naive/functional.py. Called by `engine`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.coherence.caches import hand_on, in_node, mark_clean, mark_dirty, set_of, take
from jumpnet.coherence.functional import _tables as at
from jumpnet.coherence.functional._entries import emptied, enlist, holders_of, popcount, strike
from jumpnet.coherence.recent import EMPTY, enter, index_of, look_up, touch
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.linked import entry, inlined, kernel

__all__ = ["apply_block", "rehash_pages"]

MIX = 0x5851F42D
LOW = 0xFFFFFFFF


@inlined
def _slot(number, mask):
    """Where the search for a number begins in a table of mask + 1 places, a power of two."""
    # 32 bits times 31 bits: the same without overflow in plain Python and compiled.
    return (((number & LOW) * MIX) >> 24) & mask


@entry
def rehash_pages(old_number, old_page, new_number, new_page):
    """Enter the pages of one hash table into a larger one."""
    mask = len(new_number) - 1
    for i in range(len(old_number)):
        if old_number[i] != EMPTY:
            s = _slot(old_number[i], mask)
            while new_number[s] != EMPTY:
                s = (s + 1) & mask
            new_number[s], new_page[s] = old_number[i], old_page[i]


@kernel
def _index(numbers, wanted):
    """Place of a number in an ascending list, -1 where it is not in it."""
    i = np.searchsorted(numbers, wanted)
    return i if i < len(numbers) and numbers[i] == wanted else -1


@inlined
def find_page(number, node, machine, tables):
    """The page's index; a page that is new gets the next one, a home and a mode."""
    slot_number, slot_page = tables.slot_number, tables.slot_page
    mask = len(slot_number) - 1
    s = _slot(number, mask)
    while slot_number[s] != number and slot_number[s] != EMPTY:
        s = (s + 1) & mask
    if slot_number[s] == EMPTY:
        page = tables.counts[at.PAGES]
        slot_number[s], slot_page[s] = number, page
        tables.counts[at.PAGES] += 1
        given = _index(tables.given_page, number)
        if machine.placement == at.ROUND_ROBIN:
            tables.home[page] = page % machine.nodes
        elif machine.placement == at.INTERLEAVED:
            tables.home[page] = number % machine.nodes
        elif machine.placement == at.GIVEN and given >= 0:
            tables.home[page] = tables.given_home[given]
        else:
            tables.home[page] = node
        chosen = machine.first != machine.other and _index(tables.update_page, number) >= 0
        tables.mode[page] = machine.other if chosen else machine.first
    return slot_page[s]


@inlined
def _others(listed, row, w, node):
    """Word w of the nodes that a row lists, without one."""
    found = listed[row, w]
    return found & ~(np.uint64(1) << np.uint64(node & 63)) if w == node >> 6 else found


@inlined
def _message(listed, row, over, node, home, tables):
    """Count one message to the nodes listed in a row other than the writer; how many of them lie away from the home.

    over: the entry that should name them has too few pointers.
    """
    k = 0
    for w in range(listed.shape[1]):
        k += popcount(_others(listed, row, w, node))
    if k == 0:
        return 0
    tables.histogram[k] += 1
    tables.counts[at.MESSAGES] += 1
    if len(tables.set_home) > 1:
        key = 2 * home + over
        _keep(listed, row, node, key, tables.counts, tables.set_home, tables.set_words, tables.set_count)
    at_home = home != node and listed[row, home >> 6] >> np.uint64(home & 63) & np.uint64(1)
    return k - 1 if at_home else k


@kernel
def _alone(listed, row, node):
    """Whether a row lists no other node."""
    others = False
    for w in range(listed.shape[1]):
        others = others or _others(listed, row, w, node) != 0
    return not others


@kernel
def _keep(listed, row, node, key, counts, set_home, set_words, set_count):
    """Equal messages (same home, same destinations, both named or not) are kept once, with their number."""
    words = listed.shape[1]
    h = np.int64(key)
    for w in range(words):
        found = _others(listed, row, w, node)
        h = (((h ^ np.int64(found & np.uint64(LOW))) * MIX) >> 17) & LOW
        h = (((h ^ np.int64(found >> np.uint64(32))) * MIX) >> 17) & LOW
    mask = len(set_home) - 1
    s = h & mask
    while set_count[s]:
        same = set_home[s] == key
        for w in range(words):
            same = same and set_words[s, w] == _others(listed, row, w, node)
        if same:
            break
        s = (s + 1) & mask
    if not set_count[s]:
        set_home[s] = key
        for w in range(words):
            set_words[s, w] = _others(listed, row, w, node)
        counts[at.SETS] += 1
    set_count[s] += 1


@inlined
def _place(state, held, node):
    """Where the rows lie of a line for a node that has a copy (1) or not: the owner is another part."""
    return rule.ROWS * (state >> at.OWNER_WIDTH) + rule.PARTS * (held + 2 * (state & at.OWNER_BITS == node))


@inlined
def _following(row, state, node, nodes):
    """Class and owner of a line after a row is applied."""
    owner = state & at.OWNER_BITS
    if row & rule.ACTOR:
        owner = node
    elif row & rule.NOBODY:
        owner = nodes
    return (row & rule.CLASS_BITS) << at.OWNER_WIDTH | owner


@inlined
def _sole(page, line, node, machine, tables):
    """Whether the entry of a line lists no other node."""
    if machine.holders:
        holders_of(page, machine.page_shift - machine.line_shift, tables.valid, tables.holders)
        return _alone(tables.holders, 0, node)
    return _alone(tables.touched, page, node) if machine.by_page else _alone(tables.valid, line, node)


@kernel
def _evicted(proc, part, entry, machine, tables, stores):
    """A line falls out of a cache: a dirty one is written back; the home hears of the node's last copy, by either.

    Where one node at a time may read, only the last copy of the node is written back.
    """
    line, dirty = entry >> 1, entry & 1
    node, state = proc // machine.cluster, tables.state[line]
    last = not in_node(stores, node, part, line, proc)
    if dirty and not last and machine.shared == rule.UNSHARED:
        hand_on(stores, proc, part, line)
        return
    place = _place(state, rule.HOLDER, node) + rule.EVICT
    row = tables.rows[place]
    if row & rule.DEPENDS and _sole(line >> (machine.page_shift - machine.line_shift), line, node, machine, tables):
        row = tables.rows[place + rule.ALONE]
    told = row & rule.ASKS != 0 and row & rule.STORES == 0
    tables.counts[at.WRITE_BACKS] += dirty
    if dirty and not last:
        tables.state[line] = machine.shared << at.OWNER_WIDTH | machine.nodes
    elif last and (dirty or told) and row & rule.CHANGES:
        tables.state[line] = _following(row, state, node, machine.nodes)
    if last and (dirty or told or machine.hints):
        tables.counts[at.HINTS] += 1 - dirty
        tables.valid[line, node >> 6] &= ~(np.uint64(1) << np.uint64(node & 63))
        if machine.evicts and not machine.by_page:
            strike(tables.pointer, line, node)


@kernel
def _missed(proc, part, line, row, machine, tables, stores):
    """Read a line into a processor's cache that lacks it; whether its node held a copy before.

    row: what the reference does if it did not.
    """
    tables.counts[at.CACHE_MISSES] += 1
    mate = in_node(stores, proc // machine.cluster, part, line, proc)
    if row & rule.LEAVES and not mate:
        return False
    entry = enter(stores.cache, set_of(stores, proc, part), stores.ways, line)
    if entry != EMPTY and (entry & 1 or machine.tells or machine.hints):  # else no message is sent
        _evicted(proc, part, entry, machine, tables, stores)
    tables.counts[at.BUS] += mate
    return mate


@kernel
def _take_away(listed, row, node, part, line, caches):
    """Remove a line from the caches of all nodes listed but one."""
    for w in range(listed.shape[1]):
        word = listed[row, w]
        while word:
            low = word & (~word + np.uint64(1))
            other = 64 * w + popcount(low - np.uint64(1))
            if other != node:
                take(caches, other, part, line)
            word ^= low


class Access(NamedTuple):
    """A processor's reference to a line."""

    proc: int
    node: int
    number: int
    """Of the line, as the trace has it."""
    page: int
    """Index of the page."""
    line: int
    """Index of the line."""
    part: int
    """The set of every cache that the line may lie in."""


@inlined
def _accessed(proc, number, machine, tables, stores):
    """The access of a processor to the line of a number, which gets a place if it has none."""
    node, lines_shift = proc // machine.cluster, machine.page_shift - machine.line_shift
    page = find_page(number >> lines_shift, node, machine, tables)
    line = (page << lines_shift) + (number & ((1 << lines_shift) - 1))
    return Access(proc, node, number, page, line, number & (stores.sets - 1))


@inlined
def _ask(access, home, machine, tables, stores):
    """The message of a write to those that the home lists; how many of them lie away from the home."""
    node, page, pruned = access.node, access.page, False
    if machine.by_page and stores.pruning_ways > 0:
        pruned = look_up(stores.pruning, stores.pruning_ways, stores.pruning_sets, home, access.number)
        tables.counts[at.PRUNED] += pruned
    over = machine.pointers > 0 and tables.over[page if machine.by_page else access.line] > 0
    if machine.by_page and not pruned:
        if machine.holders:
            holders_of(page, machine.page_shift - machine.line_shift, tables.valid, tables.holders)
            return _message(tables.holders, 0, over, node, home, tables)
        return _message(tables.touched, page, over, node, home, tables)
    return _message(tables.valid, access.line, over, node, home, tables)


@inlined
def _request(row, held, access, machine, tables, stores):
    """A request to the home: the owner's copy, the message to others, and the nodes listed afterwards."""
    counts, valid, page, line = tables.counts, tables.valid, access.page, access.line
    home, owner = tables.home[page], tables.state[line] & at.OWNER_BITS
    counts[at.REQUESTS] += 1
    sent = 1 if access.node != home else 0
    counts[at.MISSES] += 1 - held
    if row & rule.FETCHES and not held:
        counts[at.FETCHES] += 1
        sent += owner != home
    if row & rule.CLEANS and stores.ways > 0:
        mark_clean(stores, owner, access.part, line)
    lines_shift = machine.page_shift - machine.line_shift
    if stores.stage_2_ways > 0:
        known = look_up(stores.stage_2, stores.stage_2_ways, stores.stage_2_sets, home, access.number >> lines_shift)
        counts[at.STAGE_2] += not known
    if row & rule.TELLS:
        away = _ask(access, home, machine, tables, stores)
        sent += away
        tables.spared[page] += 2 * max(0, away - 1)
    if row & rule.TAKES:
        if stores.ways > 0:
            _take_away(valid, line, access.node, access.part, line, stores)
        for w in range(valid.shape[1]):
            valid[line, w] = tables.copies[line, w] = 0
        if machine.pointers > 0 and not machine.by_page:
            emptied(line, tables.pointer, tables.over)
    tables.packets[page] += 2 * sent


@inlined
def _state_of(access, machine, tables):
    """Class and owner of a line, which nobody owns when it is first touched."""
    state = tables.state[access.line]
    if state == at.UNTOUCHED:
        tables.counts[at.LINES] += 1
        state = tables.mode[access.page] << at.OWNER_WIDTH | machine.nodes
        tables.state[access.line] = state
    return state


@inlined
def _holds(access, writes, state, machine, tables, stores):
    """Whether the node held a copy before, and with caches the processor reads the line into its own."""
    node, line = access.node, access.line
    if stores.ways == 0:
        return tables.copies[line, node >> 6] & np.uint64(1) << np.uint64(node & 63) != 0
    first = set_of(stores, access.proc, access.part)  # what a processor used last is found without a call
    if stores.cache[index_of(first)] >> 1 == line or touch(stores.cache, first, stores.ways, line):
        return True
    row = tables.rows[_place(state, False, node) + writes]
    return _missed(access.proc, access.part, line, row, machine, tables, stores)


@inlined
def _list(row, access, tables):
    """The home lists a node, which may get a copy."""
    word, bit = access.node >> 6, np.uint64(1) << np.uint64(access.node & 63)
    tables.valid[access.line, word] |= bit
    tables.touched[access.page, word] |= bit
    if row & rule.LEAVES == 0:
        tables.copies[access.line, word] |= bit


@inlined
def _enlist(access, machine, tables, stores):
    """A pointer of the home's entry comes to name a node."""
    home = tables.home[access.page]
    enlist(access.node, access.page, access.line, access.number, home, machine, tables, stores)


@inlined
def _apply(row, held, through, access, state, machine, tables, stores):
    """What a row of the protocol does. through: copies stay, and nobody owns the line."""
    lists = row & rule.LEAVES == 0 or row & rule.LISTS != 0
    points = lists and row & rule.ASKS != 0 and machine.pointers > 0
    if points and machine.evicts and through:
        # The node whose copy is evicted for the writer's is not notified of the write. An owner's line is home by then.
        if row & rule.CLEANS and stores.ways > 0:
            mark_clean(stores, state & at.OWNER_BITS, access.part, access.line)
        _enlist(access, machine, tables, stores)
        points = False
    if row & rule.ASKS:
        _request(row, held, access, machine, tables, stores)
        if lists:
            _list(row, access, tables)
    if row & rule.SOILS and stores.ways > 0:
        mark_dirty(stores, access.proc, access.part, access.line, row & rule.MATES)
    if row & rule.CHANGES:
        tables.state[access.line] = _following(row, state, access.node, machine.nodes)
    if points:
        _enlist(access, machine, tables, stores)


@inlined
def _refer(proc, writes, number, machine, tables, stores):
    """One processor reads or writes a line: its cache, and what the row of the protocol does."""
    access = _accessed(proc, number, machine, tables, stores)
    node, page, line, lines_shift = access.node, access.page, access.line, machine.page_shift - machine.line_shift
    if stores.stage_1_ways > 0:
        known = look_up(stores.stage_1, stores.stage_1_ways, stores.stage_1_sets, proc, number >> lines_shift)
        tables.counts[at.STAGE_1] += not known
    state = _state_of(access, machine, tables)
    held = _holds(access, writes, state, machine, tables, stores)
    place = _place(state, held, node) + writes
    row = tables.rows[place]
    if row == 0:
        return
    if row & rule.DEPENDS and _sole(page, line, node, machine, tables):
        row = tables.rows[place + rule.ALONE]
    through = rule.only_tells(row)
    if through and held and node == tables.home[page] and _sole(page, line, node, machine, tables):
        tables.counts[at.REQUESTS] += 1  # of the home to itself, which needs no translation
        return
    _apply(row, held, through, access, state, machine, tables, stores)


@entry
def apply_block(proc, address, size, is_write, kind, first, machine, tables, stores):
    """Apply records from `first` on; returns the record it stopped at, for want of room in a table, or their number."""
    counts = tables.counts
    room, most_sets = len(tables.home), (3 * len(tables.set_home)) >> 2
    collects, lines_shift = len(tables.set_home) > 1, machine.page_shift - machine.line_shift
    for i in range(first, len(proc)):
        start = address[i] >> machine.line_shift
        stop = (address[i] + size[i] - 1) >> machine.line_shift
        pages = (stop >> lines_shift) - (start >> lines_shift) + 1
        if counts[at.PAGES] + pages > room or (collects and counts[at.SETS] + stop - start + 1 > most_sets):
            return i
        if kind[i] > 1:
            continue
        counts[at.REFERENCES] += 1
        for number in range(start, stop + 1):
            _refer(proc[i], is_write[i], number, machine, tables, stores)
    return len(proc)
