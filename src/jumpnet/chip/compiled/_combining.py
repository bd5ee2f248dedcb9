"""The combining unit in the kernel: the integer form of `combining`."""

from __future__ import annotations

from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.links import MBP1
from jumpnet.chip.packet import ACK
from jumpnet.chip.parity import sealed
from jumpnet.jit.linked import kernel

__all__ = ["ack_flits", "unit_emit", "unit_idle", "unit_ready", "unit_register", "unit_reserve", "unit_step"]


@kernel
def ack_flits(row, first, vc, key, link, soft, lost, body):
    """Write the three flits of an acknowledge into a row (`packet.Ack.flits`)."""
    row[first] = sealed(vc << 17 | ACK << 12)
    row[first + 1] = sealed(key << 2)
    row[first + 2] = sealed(link << 14 | soft << 13 | lost << 12 | body << 1)


@kernel
def unit_reserve(s, r):
    """One more than the entry for a multicast whose key is still to come; 0 when the MBP has to combine."""
    for n in range(r * s.entries, (r + 1) * s.entries):
        entry = s.entry[n]
        if not entry[at.N_USED]:
            entry[at.N_USED], entry[at.N_KEY], entry[at.N_COUNT] = 1, -1, -1
            return n + 1
    return 0


@kernel
def unit_register(s, r, reserved, key, count, link, soft):
    """Fill a reserved entry; False, and the entry is free again, when the key is there already."""
    new = s.entry[reserved - 1]
    for n in range(r * s.entries, (r + 1) * s.entries):
        if s.entry[n, at.N_USED] and s.entry[n, at.N_KEY] == key:
            new[at.N_USED] = 0
            return False
    new[at.N_KEY], new[at.N_COUNT] = key, count
    new[at.N_LINK], new[at.N_SOFT], new[at.N_BODY], new[at.N_AGE] = link, soft, 0, 0
    return True


@kernel
def unit_ready(s, r):
    """Whether an acknowledge may be sent to the unit."""
    return s.unit[r, at.U_IN] == 0 and s.unit[r, at.U_STRAY] == 0


@kernel
def unit_idle(s, r):
    """Whether it has nothing to do until an acknowledge comes."""
    unit = s.unit[r]
    for n in range(r * s.entries, (r + 1) * s.entries):
        if s.entry[n, at.N_USED] and s.entry[n, at.N_COUNT] == 0:
            return False
    return unit[at.U_IN] == 0 and unit[at.U_STRAY] == 0


@kernel
def unit_step(s, r):
    """One clock: take a complete acknowledge; give up entries that have waited too long."""
    unit = s.unit[r]
    if unit[at.U_IN] == 3:
        unit[at.U_IN] = 0
        _compare(s, r, unit[at.U_IN + 2] >> 2 & 0xFFFF, unit[at.U_IN + 3] >> 1 & 0x1FF)
    if s.entry_ticks:
        _grow_old(s, r, s.chip[r, at.K_TICKED])


@kernel
def _stray(unit, key, body, lost):
    """An acknowledge for the MBP: of no entry, or of one given up."""
    unit[at.U_STRAY], unit[at.U_STRAY_KEY], unit[at.U_STRAY_BODY], unit[at.U_STRAY_LOST] = 1, key, body, lost


@kernel
def _compare(s, r, key, body):
    """Compare an acknowledge with every entry."""
    for n in range(r * s.entries, (r + 1) * s.entries):
        entry = s.entry[n]
        if entry[at.N_USED] and entry[at.N_KEY] == key and entry[at.N_COUNT]:
            entry[at.N_COUNT] -= 1
            entry[at.N_BODY] |= body
            return
    _stray(s.unit[r], key, body, 0)


@kernel
def _grow_old(s, r, ticks):
    """Entries that still wait grow older; one that is too old is given up."""
    unit = s.unit[r]
    for n in range(r * s.entries, (r + 1) * s.entries):
        entry = s.entry[n]
        if entry[at.N_USED] and entry[at.N_COUNT] > 0:
            entry[at.N_AGE] += ticks
            if entry[at.N_AGE] >= s.entry_ticks and unit[at.U_STRAY] == 0:
                _stray(unit, entry[at.N_KEY], entry[at.N_BODY], 1)
                entry[at.N_USED] = 0


@kernel
def unit_emit(s, r):
    """Begin to send the next acknowledge, if there is one: a stray, else that of the first finished entry."""
    unit = s.unit[r]
    if unit[at.U_STRAY]:
        unit[at.U_STRAY] = 0
        unit[at.U_OUT] = 3
        lost, body = unit[at.U_STRAY_LOST], unit[at.U_STRAY_BODY]
        ack_flits(unit, at.U_OUT + 1, 1, unit[at.U_STRAY_KEY], MBP1, 0, lost, body)
        return
    for n in range(r * s.entries, (r + 1) * s.entries):
        entry = s.entry[n]
        if entry[at.N_USED] and entry[at.N_COUNT] == 0:
            entry[at.N_USED] = 0
            unit[at.U_OUT] = 3
            key, link, soft, body = entry[at.N_KEY], entry[at.N_LINK], entry[at.N_SOFT], entry[at.N_BODY]
            ack_flits(unit, at.U_OUT + 1, 1, key, link, soft, 0, body)
            return
