"""What the MBPs answer, in the kernel: acknowledges, multicasts that they combine or start again (`mbp`, `remake`)."""

from __future__ import annotations

from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.links import MBP0
from jumpnet.chip.packet import FLIT_BITS, FLIT_MASK, HEADER_FLITS, HERE
from jumpnet.chip.remake import begins, restart
from jumpnet.jit.bits import count
from jumpnet.jit.linked import kernel

__all__ = ["acknowledged", "answer", "note", "remake", "settle", "tagged_copy"]


@kernel
def note(s, kind, clock, head, r, link, offset, length):
    """Note what came in."""
    row = s.row[s.counter[0, at.C_ROWS]]
    s.counter[0, at.C_ROWS] += 1
    row[at.D_KIND], row[at.D_CLOCK], row[at.D_HEAD], row[at.D_ROUTER] = kind, clock, head, r
    row[at.D_LINK], row[at.D_OFFSET], row[at.D_LENGTH] = link, offset, length


@kernel
def tagged_copy(s, r, m, tag):
    """First column of the entry of a copy that says how many acknowledges are to be combined here."""
    f = at.M_IN_FLITS
    n = _entry(s, r, m[f + 3] >> 2 & 0xFFFF, False)
    table = s.software[r]
    table[n + at.S_COUNT] += count(tag >> 2 & 0x7FF) - (tag >> 2 + MBP0 & 1)
    table[n + at.S_LINK], table[n + at.S_SOFT] = tag >> 14 & 15, m[f + 1] >> 16 & 1
    return n


@kernel
def answer(s, r, clock, key, link, soft, body):
    """Queue an acknowledge."""
    m, a = s.mbp[2 * r + 1], s.acks[r]
    if m[at.M_END] - m[at.M_HEAD] >= at.ACKS:
        s.counter[0, at.C_ERROR] = at.ERROR_ACKS
        return
    n = m[at.M_END] % at.ACKS * at.A_WORDS
    a[n + at.A_CLOCK], a[n + at.A_KEY] = clock + s.ack_delay, key
    a[n + at.A_LINK], a[n + at.A_SOFT], a[n + at.A_BODY] = link, soft, body
    m[at.M_END] += 1


@kernel
def acknowledged(s, r, k, clock, key, lost, body):
    """By MBP link 0 the answer to a multicast sent here; by MBP link 1 one to combine, or of an entry given up."""
    if k == 0:
        n = _own(s, r, clock, key, body)
        if n:
            settle(s, r, clock, n)
        return
    if lost:
        note(s, at.LOST, clock, clock, r, 1, key, body)
        return
    n = _entry(s, r, key, True)
    s.software[r, n + at.S_COUNT] -= 1
    s.software[r, n + at.S_BODY] |= body
    settle(s, r, clock, n)


@kernel
def _entry(s, r, key, known):
    """First column of the newest entry of a key whose copy has come or not, else, for an acknowledge, of any of the
    key, else of a new one.
    """
    table, found = s.software[r], 0
    for n in range(1, 1 + table[0] * at.S_WORDS, at.S_WORDS):
        came = table[n + at.S_LINK] >= 0
        if table[n + at.S_KEY] == key and came == known and not (came and table[n + at.S_COUNT] == 0):
            found = n
    if known and found == 0:
        for n in range(1, 1 + table[0] * at.S_WORDS, at.S_WORDS):
            if table[n + at.S_KEY] == key and table[n + at.S_LINK] < 0:
                found = n
    if found:
        return found
    if table[0] == at.SOFTWARE:
        s.counter[0, at.C_ERROR] = at.ERROR_SOFTWARE
        return 1
    n = 1 + table[0] * at.S_WORDS
    table[0] += 1
    table[n + at.S_KEY], table[n + at.S_COUNT], table[n + at.S_LINK] = key, 0, -1
    table[n + at.S_SOFT], table[n + at.S_BODY], table[n + at.S_REMAKING] = 0, 0, 0
    return n


@kernel
def settle(s, r, clock, n):
    """Send the acknowledge of a multicast that all have answered, and of those that waited for it here."""
    table = s.software[r]
    while n:
        if table[n + at.S_LINK] < 0 or table[n + at.S_COUNT] or table[n + at.S_REMAKING]:
            return
        key, link, soft, body = table[n + at.S_KEY], table[n + at.S_LINK], table[n + at.S_SOFT], table[n + at.S_BODY]
        for w in range(n, 1 + (table[0] - 1) * at.S_WORDS):
            table[w] = table[w + at.S_WORDS]
        table[0] -= 1
        if link < MBP0:
            answer(s, r, clock, key, link, soft, body)
            return
        n = _own(s, r, clock, key, body)


@kernel
def _own(s, r, clock, key, body):
    """A multicast of this MBP has been answered by all. One that it has started again answers for an entry, whose first
    column is returned, or into the chip; its own is completed. 0 when no entry has to be looked at.
    """
    waiting = s.waiting[r]
    w = 1 + (waiting[0] - 1) * at.W_WORDS
    while w > 0 and waiting[w + at.W_KEY] != key:
        w -= at.W_WORDS
    if w < 0:
        s.mbp[2 * r, at.M_OWN] -= 1
        note(s, at.COMPLETED, clock, clock, r, 0, key, body)
        return 0
    mark = waiting[w + at.W_OWED]
    for i in range(w, 1 + (waiting[0] - 1) * at.W_WORDS):
        waiting[i] = waiting[i + at.W_WORDS]
    waiting[0] -= 1
    if mark == 0:
        answer(s, r, clock, key, HERE, 0, body)
        return 0
    table = s.software[r]
    n = 1
    while table[n + at.S_REMAKING] != mark:
        n += at.S_WORDS
    table[n + at.S_REMAKING] = 0
    table[n + at.S_BODY] |= body
    return n


@kernel
def _map(s, r, key, rank):
    """The map of the directory; 0, which no directory holds, when it has none."""
    for n in range(s.mbp[2 * r, at.M_MAPS], s.mbp[2 * r + 1, at.M_MAPS]):
        if s.maps[n, at.Q_KEY] == key and s.maps[n, at.Q_RANK] == rank:
            return s.maps[n, at.Q_MAP]
    return 0


@kernel
def remake(s, r, m, tag, clock):
    """A hierarchy starts here: the packet goes out again with a new map, and is answered when all below are."""
    f, a, waiting, queue = at.M_IN_FLITS, s.mbp[2 * r], s.waiting[r], s.again[r]
    key, rank = m[f + 3] >> 2 & 0xFFFF, begins(m[f] & FLIT_MASK) - 1
    bit_map = _map(s, r, key, rank)
    if bit_map == 0:
        s.counter[0, at.C_ERROR] = at.ERROR_MAP
        return
    if waiting[0] == at.WAITING or a[at.M_AGAIN_END] - a[at.M_AGAIN] == at.AGAIN:
        s.counter[0, at.C_ERROR] = at.ERROR_AGAIN
        return
    mark = 0
    if tag >= 0:
        a[at.M_MARK] += 1
        mark = a[at.M_MARK]
        s.software[r, tagged_copy(s, r, m, tag) + at.S_REMAKING] = mark
    w = 1 + waiting[0] * at.W_WORDS
    waiting[0] += 1
    waiting[w + at.W_KEY], waiting[w + at.W_OWED] = key, mark
    note(s, at.AGAIN_ROW, clock, rank, r, 0, key, 0)
    x = a[at.M_AGAIN_END] % at.AGAIN * at.X_WORDS
    a[at.M_AGAIN_END] += 1
    queue[x + at.X_CLOCK], queue[x + at.X_LENGTH] = clock + s.remake_clocks, m[at.M_IN]
    for i in range(m[at.M_IN]):
        flit = m[f + i]
        if i < HEADER_FLITS:
            wide, shift = 0, 0
            for _ in range(s.slices):
                wide |= restart(i, flit >> shift & FLIT_MASK, rank, bit_map) << shift
                shift += FLIT_BITS
            flit = wide
        queue[x + at.X_FLITS + i] = flit
