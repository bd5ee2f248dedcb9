"""Lines in the kernel: the integer form of `half_duplex`. Ends are rows of `State.end`."""

from __future__ import annotations

from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.links import IDLE
from jumpnet.jit.linked import kernel

__all__ = ["may_send", "put", "release", "start", "take"]


@kernel
def may_send(s, e, clock):
    """Whether end e, which asks, is granted its line."""
    if s.full_duplex:
        return s.end[e, at.E_WANTS] == 1 and s.end[e, at.E_DRIVING] == 0
    other, line = s.end[e, at.E_PEER], s.end[e, at.E_LINE]
    if s.end[e, at.E_DRIVING] or s.end[other, at.E_DRIVING] or s.end[e, at.E_WANTS] == 0:
        return False
    last = s.line[line, at.L_LAST] == e
    if s.end[other, at.E_WANTS] and last:
        return False
    return last or clock >= s.line[line, at.L_RELEASED] + s.turn_round


@kernel
def start(s, e):
    """An end begins a packet."""
    s.end[e, at.E_DRIVING] = 1
    s.line[s.end[e, at.E_LINE], at.L_LAST] = e


@kernel
def release(s, e, clock):
    """The last flit has been put on the line."""
    s.end[e, at.E_DRIVING] = 0
    s.line[s.end[e, at.E_LINE], at.L_RELEASED] = clock


@kernel
def _flips(s, line, clock):
    """Bits to flip in the flit that passes on a line in a clock."""
    bits = 0
    for k in range(s.counter[0, at.C_FLIPS]):
        if s.flip[k, at.F_LINE] == line and s.flip[k, at.F_CLOCK] == clock:
            bits ^= s.flip[k, at.F_BITS]
    return bits


@kernel
def put(s, e, flit, strobe, clock):
    """Drive the lines for one clock and wake the other end."""
    if s.counter[0, at.C_FLIPS]:
        flit ^= _flips(s, s.end[e, at.E_LINE], clock)
    s.end[e, at.E_FLIT + (clock & 1)] = flit
    s.end[e, at.E_STROBE + (clock & 1)] = strobe
    other, chips = s.end[e, at.E_PEER], s.chips
    if other < 10 * chips:
        s.chip[other // 10, at.K_COMING + (clock & 1)] |= 1 << other % 10
        s.chip[other // 10, at.K_ASLEEP] = 0
    else:
        other -= 10 * chips
        s.chip[(other if other < 2 * s.routers else other - 2 * s.routers) // 2, at.K_MBP_ASLEEP] = 0
    s.counter[0, at.C_HOPS] += 1


@kernel
def take(s, e, clock):
    """(flit, strobe) that the other end drove in the clock before."""
    other, old = s.end[e, at.E_PEER], 1 - (clock & 1)
    strobe = s.end[other, at.E_STROBE + old]
    s.end[other, at.E_STROBE + old] = IDLE
    return s.end[other, at.E_FLIT + old], strobe
