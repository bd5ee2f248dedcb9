"""The MBPs in the kernel: the integer form of `mbp`."""

from __future__ import annotations

from jumpnet.chip import _fast_layout as at
from jumpnet.chip._fast_memory import kernel
from jumpnet.chip._fast_unit import ack_flits
from jumpnet.chip._fast_wire import may_send, put, release, start, take
from jumpnet.chip.links import FLIT, IDLE, LAST, MBP0, TAG
from jumpnet.chip.modes import SETTING_UP
from jumpnet.chip.packet import ACK, ACKED, COMBINING, FLIT_BITS, FLIT_MASK, HEADER_FLITS, HERE
from jumpnet.chip.parity import bits_of, good

__all__ = ["mbp_arbitrate", "mbp_check", "mbp_finish", "mbp_receive", "mbp_transfer"]


_PACKET, _CONTROL = 1, 2
"""What an end asks a line for."""


@kernel
def _end(s, r, k, plane):
    """Row of the MBP's end of link MBP0 + k in a slice."""
    return 10 * s.chips + plane * 2 * s.routers + 2 * r + k


@kernel
def mbp_transfer(s, r, clock):
    """Put the next flit on each line."""
    for k in range(2):
        m = s.mbp[2 * r + k]
        if not m[at.M_ON]:
            continue
        place, shift = m[at.M_POSITION], 0
        last = place == m[at.M_LENGTH] - 1
        strobe = TAG if m[at.M_TAGGED] and place == 0 else LAST if last else FLIT
        for plane in range(s.slices):
            e = _end(s, r, k, plane)
            put(s, e, m[at.M_OUT_FLITS + place] >> shift & FLIT_MASK, strobe, clock)
            shift += FLIT_BITS
            if last:
                release(s, e, clock)
        m[at.M_POSITION] += 1
        if last:
            m[at.M_ON] = 0


@kernel
def _load(s, r, k, m):
    """Take the packet that asked from its queue."""
    if m[at.M_WAITS] == _CONTROL:
        g = m[at.M_CONTROL] * at.G_WORDS
        m[at.M_LENGTH], m[at.M_VC], m[at.M_TAGGED] = s.control[r, g + at.G_LENGTH], 0, 1
        for i in range(m[at.M_LENGTH]):
            m[at.M_OUT_FLITS + i] = s.control[r, g + at.G_FLITS + i]
        m[at.M_CONTROL] += 1
        return
    m[at.M_TAGGED] = 0
    if k == 0:
        p = s.packets[m[at.M_HEAD]]
        m[at.M_LENGTH], m[at.M_VC] = p[at.P_LENGTH], p[at.P_VC]
        for i in range(p[at.P_LENGTH]):
            m[at.M_OUT_FLITS + i] = s.flits[p[at.P_OFFSET] + i, 0]
    else:
        a = s.acks[r]
        n = m[at.M_HEAD] % at.ACKS * at.A_WORDS
        m[at.M_LENGTH], m[at.M_VC] = HEADER_FLITS, 0
        ack_flits(m, at.M_OUT_FLITS, 0, a[n + at.A_KEY], a[n + at.A_LINK], a[n + at.A_SOFT], 0, a[n + at.A_BODY])
        for i in range(HEADER_FLITS if s.slices > 1 else 0):
            m[at.M_OUT_FLITS + i] |= m[at.M_OUT_FLITS + i] << FLIT_BITS
    m[at.M_HEAD] += 1


@kernel
def mbp_arbitrate(s, r, clock):
    """Start the packet that asked, where the line is granted."""
    for k in range(2):
        m = s.mbp[2 * r + k]
        if not m[at.M_WAITS] or m[at.M_ON] or not may_send(s, _end(s, r, k, 0), clock):
            continue
        _load(s, r, k, m)
        m[at.M_ON], m[at.M_POSITION], m[at.M_WAITS] = 1, 0, 0
        for plane in range(s.slices):
            start(s, _end(s, r, k, plane))


@kernel
def _wish(s, r, k, m, e, clock):
    """What the end asks its line for: control goes first, a packet when the chip can take it."""
    on = m[at.M_ON] == 1
    if on and m[at.M_POSITION] < m[at.M_LENGTH] - 1:
        return 0
    if k == 0 and m[at.M_CONTROL] < m[at.M_CONTROL_END]:
        g = m[at.M_CONTROL] * at.G_WORDS
        if s.control[r, g + at.G_CLOCK] <= clock:
            may = s.control[r, g + at.G_COMMAND] or s.chip[r, at.K_MODE] == SETTING_UP
            return _CONTROL if may else 0
    if m[at.M_HEAD] >= m[at.M_END]:
        return 0
    if k == 0:
        when, vc = s.packets[m[at.M_HEAD], at.P_CLOCK], s.packets[m[at.M_HEAD], at.P_VC]
    else:
        when, vc = s.acks[r, m[at.M_HEAD] % at.ACKS * at.A_WORDS + at.A_CLOCK], 0
    ready = s.end[s.end[e, at.E_PEER], at.E_READY] >> vc & 1 == 1
    return _PACKET if ready and when <= clock and not (on and m[at.M_VC] == vc) else 0


@kernel
def mbp_check(s, r, clock):
    """Ask for a line when there is something for it."""
    for k in range(2):
        m = s.mbp[2 * r + k]
        m[at.M_WAITS] = _wish(s, r, k, m, _end(s, r, k, 0), clock)
        for plane in range(s.slices):
            s.end[_end(s, r, k, plane), at.E_WANTS] = 1 if m[at.M_WAITS] else 0


@kernel
def mbp_receive(s, r, clock):
    """Take what the lines carry; a complete packet is dealt with at once."""
    for k in range(2):
        m = s.mbp[2 * r + k]
        flit, strobe, shift = 0, IDLE, 0
        for plane in range(s.slices):
            word, one = take(s, _end(s, r, k, plane), clock)
            flit |= word << shift
            if shift == 0:
                strobe = one
            shift += FLIT_BITS
        if strobe == TAG:
            m[at.M_TAG] = flit & FLIT_MASK
        elif strobe != IDLE:
            if m[at.M_IN] == 0:
                m[at.M_SINCE] = clock
            m[at.M_IN_FLITS + m[at.M_IN]] = flit
            m[at.M_IN] += 1
        if strobe == LAST:
            _arrived(s, r, k, clock)
            m[at.M_IN], m[at.M_TAG] = 0, -1


@kernel
def mbp_finish(s, r, clock):
    """Sleep while there is nothing to send."""
    busy = False
    for k in range(2):
        m = s.mbp[2 * r + k]
        busy |= m[at.M_ON] == 1 or m[at.M_HEAD] < m[at.M_END] or m[at.M_IN] > 0
        busy |= m[at.M_CONTROL] < m[at.M_CONTROL_END]
        for plane in range(s.slices):
            busy |= s.end[s.end[_end(s, r, k, plane), at.E_PEER], at.E_STROBE + (clock & 1)] != IDLE
    s.chip[r, at.K_MBP_ASLEEP] = 0 if busy else 1


@kernel
def _row(s, kind, clock, head, r, link, offset, length):
    """Note what came in."""
    row = s.row[s.counter[0, at.C_ROWS]]
    s.counter[0, at.C_ROWS] += 1
    row[at.D_KIND], row[at.D_CLOCK], row[at.D_HEAD], row[at.D_ROUTER] = kind, clock, head, r
    row[at.D_LINK], row[at.D_OFFSET], row[at.D_LENGTH] = link, offset, length


@kernel
def _damaged(s, m):
    """Whether a packet that came in has a wrong parity or length (`packet.Packet.parse`, `packet.Ack.parse`)."""
    f, count, shift = at.M_IN_FLITS, m[at.M_IN], 0
    ack = m[f] >> 12 & 7 == ACK
    for _ in range(1 if ack else s.slices):
        kind, length = m[f + 1] >> shift + 13 & 3, m[f + 1] >> shift + 9 & 15
        header = HEADER_FLITS + (1 if kind == ACKED and not ack else 0)
        if count != (HEADER_FLITS if ack else HEADER_FLITS + kind + length + 1):
            return True
        for i in range(header):
            if not good(m[f + i] >> shift & FLIT_MASK):
                return True
        vertical = 0
        for i in range(header, count):
            vertical ^= m[f + i] >> shift & FLIT_MASK
        if vertical:
            return True
        shift += FLIT_BITS
    return False


@kernel
def _keep(s, r, m):
    """A packet of a shoot-down or a timer, with its tag."""
    k = s.mbp[2 * r]
    if k[at.M_KEPT] == at.KEPT:
        s.counter[0, at.C_ERROR] = at.ERROR_KEPT
        return
    n = k[at.M_KEPT] * at.H_WORDS
    k[at.M_KEPT] += 1
    s.kept[r, n + at.H_TAG], s.kept[r, n + at.H_LENGTH] = m[at.M_TAG], m[at.M_IN]
    for i in range(m[at.M_IN]):
        s.kept[r, n + at.H_FLITS + i] = m[at.M_IN_FLITS + i]


@kernel
def _deliver(s, r, k, m, clock):
    """Note a packet, with its flits."""
    offset = s.counter[0, at.C_FLITS]
    for i in range(m[at.M_IN]):
        s.row_flits[offset + i, 0] = m[at.M_IN_FLITS + i]
    s.counter[0, at.C_FLITS] += m[at.M_IN]
    _row(s, at.DELIVERED, clock, m[at.M_SINCE], r, MBP0 + k, offset, m[at.M_IN])


@kernel
def _arrived(s, r, k, clock):
    """A packet or an acknowledge has come in whole."""
    m = s.mbp[2 * r + k]
    f, tag = at.M_IN_FLITS, m[at.M_TAG]
    status = m[f] >> 12 & 7
    if tag >= 0 and (status != COMBINING or not good(m[f] & FLIT_MASK)):
        _keep(s, r, m)
        return
    damaged = _damaged(s, m)
    if status == ACK and not damaged:
        _ack(s, r, k, clock, m[f + 1] >> 2 & 0xFFFF, m[f + 2] >> 12 & 1, m[f + 2] >> 1 & 0x1FF)
        return
    here = 1 if tag < 0 else tag >> 2 + MBP0 & 1
    if here or damaged:
        _deliver(s, r, k, m, clock)
    if status == ACK or damaged or m[f + 1] >> 13 & 1 == 0:
        return
    key, soft = m[f + 3] >> 2 & 0xFFFF, m[f + 1] >> 16 & 1
    if tag < 0:
        _answer(s, r, clock, key, HERE, 0, 0)
        return
    n = _entry(s, r, key, False)
    table = s.software[r]
    table[n + at.S_COUNT] += bits_of(tag >> 2 & 0x7FF) - here
    table[n + at.S_LINK], table[n + at.S_SOFT] = tag >> 14 & 15, soft
    _combined(s, r, clock, n)


@kernel
def _answer(s, r, clock, key, link, soft, body):
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
def _own(s, r, clock, key, body):
    """An own multicast has been answered by all."""
    s.mbp[2 * r, at.M_OWN] -= 1
    _row(s, at.COMPLETED, clock, clock, r, 0, key, body)


@kernel
def _ack(s, r, k, clock, key, lost, body):
    """By MBP link 0 the answer to an own multicast; by MBP link 1 one to combine, or of an entry given up."""
    if k == 0:
        _own(s, r, clock, key, body)
        return
    if lost:
        _row(s, at.LOST, clock, clock, r, 1, key, body)
        return
    n = _entry(s, r, key, True)
    s.software[r, n + at.S_COUNT] -= 1
    s.software[r, n + at.S_BODY] |= body
    _combined(s, r, clock, n)


@kernel
def _entry(s, r, key, known):
    """First column of the newest entry of a key whose copy has come or not, else, for an acknowledge, of any of the
    key, else of a new one.
    """
    table, found = s.software[r], 0
    for n in range(1, 1 + table[0] * at.S_WORDS, at.S_WORDS):
        if table[n + at.S_KEY] == key and (table[n + at.S_LINK] >= 0) == known:
            found = n
    if known and found == 0:
        for n in range(1, 1 + table[0] * at.S_WORDS, at.S_WORDS):
            if table[n + at.S_KEY] == key:
                found = n
    if found:
        return found
    if table[0] == at.SOFTWARE:
        s.counter[0, at.C_ERROR] = at.ERROR_SOFTWARE
        return 1
    n = 1 + table[0] * at.S_WORDS
    table[0] += 1
    table[n + at.S_KEY], table[n + at.S_COUNT], table[n + at.S_LINK] = key, 0, -1
    table[n + at.S_SOFT], table[n + at.S_BODY] = 0, 0
    return n


@kernel
def _combined(s, r, clock, n):
    """Send the acknowledge of a multicast that all have answered."""
    table = s.software[r]
    if table[n + at.S_LINK] < 0 or table[n + at.S_COUNT]:
        return
    key, link, soft, body = table[n + at.S_KEY], table[n + at.S_LINK], table[n + at.S_SOFT], table[n + at.S_BODY]
    for w in range(n, 1 + (table[0] - 1) * at.S_WORDS):
        table[w] = table[w + at.S_WORDS]
    table[0] -= 1
    if link >= MBP0:
        _own(s, r, clock, key, body)
    else:
        _answer(s, r, clock, key, link, soft, body)
