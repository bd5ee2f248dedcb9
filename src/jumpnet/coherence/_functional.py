"""Kernels of the functional coherence engine: caches without limit, one message for each coherence action, no time.

Lines live in pages: `find_page` numbers the pages by first touch, and line i of page p has the row p * lines + i in the
tables. Sets of nodes are bit sets of 64-bit words. Naive twin: tests/naive/functional.py. Called by `functional`.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import jit

__all__ = ["INVALIDATE", "UPDATE", "apply_block", "rehash_pages"]

INVALIDATE, UPDATE = 0, 1
NOBODY = -1
"""Owner of a line that was never touched."""
EMPTY = -1
REFERENCES, MESSAGES, PAGES, LINES, MISSES, SETS = 0, 1, 2, 3, 4, 5
FIRST_TOUCH, ROUND_ROBIN, INTERLEAVED = 0, 1, 2
MIX = 0x5851F42D
LOW = 0xFFFFFFFF


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


@jit(inline="always")
def find_page(number, slot_number, slot_page, home, counts, placement, node, nodes):
    """The page's index; a page that is new gets the next one, and a home."""
    mask = len(slot_number) - 1
    s = _slot(number, mask)
    while slot_number[s] != number and slot_number[s] != EMPTY:
        s = (s + 1) & mask
    if slot_number[s] == EMPTY:
        page = counts[PAGES]
        slot_number[s], slot_page[s] = number, page
        counts[PAGES] += 1
        if placement == FIRST_TOUCH:
            home[page] = node
        elif placement == ROUND_ROBIN:
            home[page] = page % nodes
        else:
            home[page] = number % nodes
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
def _message(listed, row, node, home, histogram, counts, set_home, set_words, set_count):
    """Count one message to the nodes listed in a row other than the writer; False where that is nobody."""
    words = listed.shape[1]
    own, bit = node >> 6, np.uint64(1) << np.uint64(node & 63)
    k = 0
    for w in range(words):
        found = listed[row, w]
        k += _popcount(found & ~bit if w == own else found)
    if k == 0:
        return False
    histogram[k] += 1
    counts[MESSAGES] += 1
    if len(set_home) == 1:
        return True
    # Equal messages (same home, same destinations) are kept once, with their number.
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
    return True


@jit
def apply_block(
    proc, address, size, is_write, kind, first, cluster, nodes, line_shift, page_shift, protocol, by_page, placement,
    slot_number, slot_page, home, valid, owner, touched, histogram, counts, set_home, set_words, set_count,
):  # fmt: skip
    """Apply records from `first` on; returns the record it stopped at, for want of room in a table, or their number.

    valid (pages * lines, words) uint64: nodes with a copy of each line. owner: the node that may write it without
    asking. touched (pages, words) uint64: nodes that have touched the page. histogram (nodes,): messages by number of
    destinations. set_*: hash table of different messages, or of length 1 where they are not wanted.
    """
    lines_shift = page_shift - line_shift
    in_page = (1 << lines_shift) - 1
    words = valid.shape[1]
    room, most_sets = len(home), (3 * len(set_home)) >> 2
    for i in range(first, len(proc)):
        start = address[i] >> line_shift
        stop = (address[i] + size[i] - 1) >> line_shift
        needed = stop - start + 1
        if counts[PAGES] + needed > room or (len(set_home) > 1 and counts[SETS] + needed > most_sets):
            return i
        if kind[i] > 1:
            continue
        counts[REFERENCES] += 1
        node = proc[i] // cluster
        word, bit = node >> 6, np.uint64(1) << np.uint64(node & 63)
        for number in range(start, stop + 1):
            page = find_page(number >> lines_shift, slot_number, slot_page, home, counts, placement, node, nodes)
            line = (page << lines_shift) + (number & in_page)
            held = valid[line, word] & bit != 0
            if not held:
                counts[MISSES] += 1
            if owner[line] == NOBODY:
                counts[LINES] += 1
                owner[line] = nodes  # touched, and no node may write it without asking
            if is_write[i] and (protocol == UPDATE or owner[line] != node):
                if by_page:
                    _message(touched, page, node, home[page], histogram, counts, set_home, set_words, set_count)
                else:
                    _message(valid, line, node, home[page], histogram, counts, set_home, set_words, set_count)
                if protocol == INVALIDATE:
                    for w in range(words):
                        valid[line, w] = 0
                    owner[line] = node
            elif not held and protocol == INVALIDATE:
                owner[line] = nodes
            valid[line, word] |= bit
            touched[page, word] |= bit
    return len(proc)
