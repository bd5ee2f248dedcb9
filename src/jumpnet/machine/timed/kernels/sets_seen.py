"""Kernels of the timed machine: the ways of messages to sets of nodes that were told before, found by the sets' words.

Who is told once is told again and again. A set has one place in a table, which the last of those that fall on it keeps;
ways that are not there are made in Python (`machine.Run.start_tree`). Used by `processors`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import counters_at

__all__ = ["find_way", "keep_way"]

WORD, FACTORS = (1 << 31) - 1, (0x27D4EB2F, 0x45D9F3B)
HOME, ROOT, PLACES, WORDS = range(4)
"""A row: whose message it is, where the way lies, how many places it has, and then the set's words."""


@kernel
def sender(m):
    """The home of what is wanted."""
    counters = counters_at(m, 0)
    return m.home[m.page[counters.want]] if counters.want_kind == at.TELL else m.where[counters.want]


@kernel
def place_of(m, home):
    """Where a set that a home tells would lie. Each word is mixed into all bits, and no product reaches 63 of them."""
    key = home + 1
    for w in range(m.words):
        key = (key * FACTORS[0] + m.told[w]) & (1 << 39) - 1
        key = ((key ^ key >> 17) & WORD) * FACTORS[1]
        key = (key ^ key >> 29) & WORD
    return key % m.sets_seen * (m.words + WORDS)


@kernel
def find_way(m):
    """Where the way of what is wanted begins and how many places it has; (NOBODY, 0) where that is not known."""
    if m.sets_seen == 0:
        return at.NOBODY, 0
    home = sender(m)
    row = place_of(m, home)
    same = m.seen[row + HOME] == home
    for w in range(m.words):
        same = same and m.seen[row + WORDS + w] == m.told[w]
    return (m.seen[row + ROOT], m.seen[row + PLACES]) if same else (at.NOBODY, 0)


@kernel
def keep_way(m, root, places):
    """The way of what is wanted is known from now on."""
    if m.sets_seen == 0:
        return
    home = sender(m)
    row = place_of(m, home)
    m.seen[row + HOME], m.seen[row + ROOT], m.seen[row + PLACES] = home, root, places
    for w in range(m.words):
        m.seen[row + WORDS + w] = m.told[w]
