"""The MBPs in the kernel: the integer form of `mbp`."""

from __future__ import annotations

from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.compiled._answers import acknowledged, answer, note, remake, settle, tagged_copy
from jumpnet.chip.compiled._combining import ack_flits
from jumpnet.chip.compiled._half_duplex import may_send, put, release, start, take
from jumpnet.chip.links import FLIT, IDLE, LAST, MBP0, TAG
from jumpnet.chip.modes import SETTING_UP
from jumpnet.chip.packet import ACK, ACKED, COMBINING, FLIT_BITS, FLIT_MASK, HEADER_FLITS, HERE
from jumpnet.chip.parity import good
from jumpnet.chip.remake import begins
from jumpnet.jit.linked import kernel

__all__ = ["mbp_arbitrate", "mbp_check", "mbp_finish", "mbp_receive", "mbp_transfer"]


_PACKET, _CONTROL, _AGAIN = 1, 2, 3
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
    if m[at.M_WAITS] == _AGAIN:
        g = m[at.M_AGAIN] % at.AGAIN * at.X_WORDS
        m[at.M_LENGTH], m[at.M_VC] = s.again[r, g + at.X_LENGTH], 0
        for i in range(m[at.M_LENGTH]):
            m[at.M_OUT_FLITS + i] = s.again[r, g + at.X_FLITS + i]
        m[at.M_AGAIN] += 1
        return
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
    ready = s.end[s.end[e, at.E_PEER], at.E_READY]
    x = m[at.M_AGAIN] % at.AGAIN * at.X_WORDS
    if k == 0 and m[at.M_AGAIN] < m[at.M_AGAIN_END] and s.again[r, x + at.X_CLOCK] <= clock:
        return _AGAIN if ready & 1 and not (on and m[at.M_VC] == 0) else 0
    if m[at.M_HEAD] >= m[at.M_END]:
        return 0
    if k == 0:
        when, vc = s.packets[m[at.M_HEAD], at.P_CLOCK], s.packets[m[at.M_HEAD], at.P_VC]
    else:
        when, vc = s.acks[r, m[at.M_HEAD] % at.ACKS * at.A_WORDS + at.A_CLOCK], 0
    return _PACKET if ready >> vc & 1 and when <= clock and not (on and m[at.M_VC] == vc) else 0


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
        busy |= m[at.M_CONTROL] < m[at.M_CONTROL_END] or m[at.M_AGAIN] < m[at.M_AGAIN_END]
        for plane in range(s.slices):
            busy |= s.end[s.end[_end(s, r, k, plane), at.E_PEER], at.E_STROBE + (clock & 1)] != IDLE
    s.chip[r, at.K_MBP_ASLEEP] = 0 if busy else 1


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
    note(s, at.DELIVERED, clock, m[at.M_SINCE], r, MBP0 + k, offset, m[at.M_IN])


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
        acknowledged(s, r, k, clock, m[f + 1] >> 2 & 0xFFFF, m[f + 2] >> 12 & 1, m[f + 2] >> 1 & 0x1FF)
        return
    here = 1 if tag < 0 else tag >> 2 + MBP0 & 1
    acked = status != ACK and not damaged and m[f + 1] >> 13 & 1
    if acked and here and begins(m[f] & FLIT_MASK):
        remake(s, r, m, tag, clock)
        return
    if here or damaged:
        _deliver(s, r, k, m, clock)
    if not acked:
        return
    if tag < 0:
        answer(s, r, clock, m[f + 3] >> 2 & 0xFFFF, HERE, 0, 0)
    else:
        settle(s, r, clock, tagged_copy(s, r, m, tag))
