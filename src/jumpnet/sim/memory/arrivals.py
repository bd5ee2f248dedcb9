"""Notes of what will arrive: a member put into the set of a router that is read in a later cycle.

Sets of sixteen neighbouring routers lie together, a row of sixteen numbers for each kind (`memory.layout`, `packing`);
kinds that are rings have a row for each cycle, in turn. Used by `sets`.
"""

from jumpnet.jit.bits import lowest, member
from jumpnet.jit.linked import inlined
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.outbox import ring_of

__all__ = ["count_at", "drop", "has", "note", "note_at", "note_in", "put", "put_count", "word_at"]


@inlined
def word_at(m, r, row):
    """Place of a set of router r."""
    return ((r >> 4) * m.set_rows + row) * 16 + (r & 15)


@inlined
def put(m, r, row, b):
    """Put b into a set of router r."""
    m.sets[word_at(m, r, row)] |= member(b)


@inlined
def drop(m, r, row, b):
    """Take b out of a set of router r."""
    m.sets[word_at(m, r, row)] &= ~member(b)


@inlined
def has(m, r, row, b):
    """Whether b is in a set of router r."""
    return m.sets[word_at(m, r, row)] >> b & 1 == 1


@inlined
def put_count(m, r, first, b, count):
    """Write a count that is kept as sets of router r, from row `first` on, where there was 0."""
    place = word_at(m, r, first)
    while count != 0:
        m.sets[place + 16 * lowest(count)] |= member(b)
        count &= count - 1


@inlined
def count_at(m, r, first, digits, b):
    """A count of b that is kept as sets of router r, from row `first` on."""
    count, place = 0, word_at(m, r, first)
    for k in range(digits):
        count |= (m.sets[place + 16 * k] >> b & 1) << k
    return count


@inlined
def note_in(m, r, ring, cycle, b):
    """Put b into the set of a ring of router r that is read in that cycle, which is to come."""
    put(m, r, ring + (cycle & (m.ring - 1)), b)


@inlined
def note_at(m, thread, r, ring, delay, b):
    """The note for `note`, called by a thread, that puts b into a ring of router r, so many cycles from then."""
    place = word_at(m, r, ring) if m.threads == 1 else ring_of(m, thread, r, ring)
    return place << at.NOTE_PLACE_SHIFT | delay << at.NOTE_DELAY_SHIFT | b


@inlined
def note(m, which, t):
    """Do what a note says, as from cycle t."""
    cycle = t + (which >> at.NOTE_DELAY_SHIFT & at.NOTE_DELAY)
    place = (which >> at.NOTE_PLACE_SHIFT) + 16 * (cycle & (m.ring - 1))
    m.sets[place] |= member(which & at.NOTE_MEMBER)
