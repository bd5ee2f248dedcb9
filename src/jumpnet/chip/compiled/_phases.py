"""The kernel of a network of chips: the six phases of `chip`, over all chips of all slices, on integer tables.

Same model, clock by clock, as `network.ChipNetwork`, which the twin tests compare it with. Tables are described in
`_layout`, modes and errors in `_modes`. Source: as `chip`.
"""

from __future__ import annotations

from jumpnet.chip._bitmap import decide
from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.compiled._buffer import accepts, combine_at_mbp, write
from jumpnet.chip.compiled._combining import unit_emit, unit_idle, unit_register, unit_step
from jumpnet.chip.compiled._crossbar import arbitrate, check, transfer
from jumpnet.chip.compiled._half_duplex import take
from jumpnet.chip.compiled._mbp import mbp_arbitrate, mbp_check, mbp_finish, mbp_receive, mbp_transfer
from jumpnet.chip.compiled._memory import memory_at
from jumpnet.chip.compiled._modes import barrier, command, compare, error, grow_old, mode_step, tagged, tick
from jumpnet.chip.links import COMBINE, FLIT, IDLE, LAST, LINKS, MBP0, MBP1, TAG
from jumpnet.chip.modes import NORMAL
from jumpnet.chip.packet import ACK, ACKED, HEADER_FLITS
from jumpnet.chip.parity import good
from jumpnet.jit.bits import count, pop_lowest
from jumpnet.jit.linked import entry, kernel

__all__ = ["run"]

_OWN = 2 * MBP1 + 1
"""The buffer for the combining unit's own acknowledges."""
_LEVELS = 3
"""Ready levels when both buffers of a link are empty."""
PHASES = 5
TRANSFER, ARBITRATE, CHECK, RECEIVE = range(PHASES - 1)
"""What all do before any does the next."""


@entry
def run(address, clock, last, until):
    """Advance from `clock` to `last`, or until all chips are in mode `until` (-1 for none); returns the clock reached.

    It stops before that when the tables of arrivals are nearly full, or on an error of the tables (C_ERROR).
    """
    s = memory_at(address)
    counter = s.counter[0]
    while clock < last and counter[at.C_ERROR] == 0:
        if until >= 0 and counter[at.C_MODES + until] == s.chips:
            return clock
        if s.rows - counter[at.C_ROWS] < at.ROWS * s.chips:
            return clock
        if s.flit_rows - counter[at.C_FLITS] < at.ROW_FLITS * s.chips:
            return clock
        _step(s, clock)
        clock += 1
    return clock


@kernel
def _step(s, clock):
    """One clock: each phase over all that are awake, chips before MBPs; then the slices compare, errors spread."""
    for phase in range(PHASES):
        for r in range(s.chips):
            if not s.chip[r, at.K_ASLEEP]:
                _chip_phase(s, phase, r, clock)
        for r in range(s.routers):
            if not s.chip[r, at.K_MBP_ASLEEP]:
                _mbp_phase(s, phase, r, clock)
    if s.chips > s.routers:
        compare(s, clock)
    if s.counter[0, at.C_BARRIER] or s.cascade:
        barrier(s)


@kernel
def _chip_phase(s, phase, r, clock):
    """One phase of chip r; `decide` looks at its own chip alone, and `receive` follows at once."""
    if phase == TRANSFER:
        transfer(s, r, clock)
    elif phase == ARBITRATE:
        arbitrate(s, r, clock)
    elif phase == CHECK:
        check(s, r)
    elif phase == RECEIVE:
        _decide(s, r)
        _receive(s, r, clock)
    else:
        _finish(s, r, clock)


@kernel
def _mbp_phase(s, phase, r, clock):
    """The same phase of the MBP of router r."""
    if phase == TRANSFER:
        mbp_transfer(s, r, clock)
    elif phase == ARBITRATE:
        mbp_arbitrate(s, r, clock)
    elif phase == CHECK:
        mbp_check(s, r, clock)
    elif phase == RECEIVE:
        mbp_receive(s, r, clock)
    else:
        mbp_finish(s, r, clock)


@kernel
def _decide(s, r):
    """Bit-maps of headers that have come far enough; keys to the combining unit; the unit's own clock."""
    left = occupied = s.chip[r, at.K_OCCUPIED]
    while left:
        n, left = pop_lowest(left)
        b = s.buffer[20 * r + n]
        if b[at.B_BAD]:
            b[at.B_FLUSH] |= 1 - b[at.B_SENDING]
            continue
        if not b[at.B_DECIDED] and b[at.B_COUNT] >= s.bitmap_clocks:
            _bitmap(s, r, b, n // 2)
        if b[at.B_ENTRY] and not b[at.B_KNOWN] and b[at.B_COUNT] > HEADER_FLITS:
            key, soft = b[at.B_RAM + 3] >> 2 & 0xFFFF, b[at.B_RAM + 1] >> 16 & 1
            copies = count(b[at.B_SAME] | b[at.B_DOWN] | b[at.B_SINK])
            if unit_register(s, r, b[at.B_ENTRY], key, copies, n // 2, soft):
                b[at.B_KNOWN] = 1
            else:
                combine_at_mbp(b)
    unit_step(s, r)
    if s.chip[r, at.K_MODE] == NORMAL and s.unit[r, at.U_OUT] == 0 and not occupied >> _OWN & 1:
        unit_emit(s, r)


@kernel
def _bitmap(s, r, b, link):
    """The decision for a buffer's packet, when its header has come far enough."""
    count = b[at.B_COUNT]
    flit_2 = b[at.B_RAM + 1] if count > 1 else -1
    flit_3 = b[at.B_RAM + 2] if count > 2 else -1
    flits, same, down, sink, vc_1, same_map, same_status, down_map, down_status = decide(
        b[at.B_RAM], flit_2, flit_3, link, s.registers[r]
    )
    if flits > count:
        return
    every = same | down | sink
    b[at.B_DECIDED], b[at.B_REMAINING] = 1, every
    b[at.B_SAME], b[at.B_DOWN], b[at.B_SINK], b[at.B_VC1] = same, down, sink, vc_1
    b[at.B_SAME_MAP], b[at.B_SAME_STATUS] = same_map, same_status
    b[at.B_DOWN_MAP], b[at.B_DOWN_STATUS] = down_map, down_status
    if b[at.B_RESTORED]:
        left, ack = b[at.B_RESTORED] - 1 >> 2, b[at.B_RAM] >> 12 & 7 == ACK
        b[at.B_KNOWN] = b[at.B_RESTORED] - 1 >> 1 & 1
        b[at.B_SOFT] = 0 if ack else left >> COMBINE & 1
        b[at.B_REMAINING] = left & (every | b[at.B_SOFT] << MBP0)
    elif every == 0:
        b[at.B_FLUSH] = 1


@kernel
def _receive(s, r, clock):
    """What the lines carry goes into the input buffers, an own acknowledge into that of MBP 1."""
    old = 1 - (clock & 1)
    coming = s.chip[r, at.K_COMING + old]
    s.chip[r, at.K_COMING + old] = 0
    while coming:
        link, coming = pop_lowest(coming)
        flit, strobe = take(s, 10 * r + link, clock)
        if strobe == TAG:
            tagged(s, r, link, flit, clock)
        elif link == MBP0 and s.chip[r, at.K_COMMAND]:
            command(s, r, flit, strobe, clock)
        else:
            _store(s, r, link, flit, strobe, clock)
    unit = s.unit[r]
    if unit[at.U_OUT]:
        flit = unit[at.U_OUT + 4 - unit[at.U_OUT]]
        unit[at.U_OUT] -= 1
        write(s, r, _OWN, flit, FLIT if unit[at.U_OUT] else LAST)
    if unit[at.U_STROBE + old] != IDLE:
        unit[at.U_IN] += 1
        unit[at.U_IN + unit[at.U_IN]] = unit[at.U_FLIT + old]
        unit[at.U_STROBE + old] = IDLE


@kernel
def _store(s, r, link, flit, strobe, clock):
    """A flit goes to the buffer of its packet; parity of header flits."""
    i = s.input[10 * r + link]
    if i[at.I_TARGET] < 0:
        n = 2 * link + (flit >> 17 & 1)
        if not good(flit) and not accepts(s.buffer[20 * r + n], True):
            n ^= 1  # The channel bit itself is wrong: the other buffer is the one that was promised.
        i[at.I_TARGET] = n
    place = write(s, r, i[at.I_TARGET], flit, strobe)
    b = s.buffer[20 * r + i[at.I_TARGET]]
    header = place < HEADER_FLITS or (place == HEADER_FLITS and b[at.B_RAM + 1] >> 13 & 3 == ACKED)
    if header and not good(flit):
        b[at.B_ARRIVING_BAD if b[at.B_ARRIVING] else at.B_BAD] = 1
        error(s, r, at.BAD_FLIT, link, place + 1, clock)
    if strobe == LAST:
        i[at.I_TARGET] = -1


@kernel
def _finish(s, r, clock):
    """Ready levels for the next clock; ages, the mode; sleep when nothing is here."""
    chip = s.chip[r]
    occupied, busy, stuck = chip[at.K_OCCUPIED], 0, chip[at.K_STUCK]
    shut = chip[at.K_MODE] != NORMAL
    for link in range(LINKS):
        closed = shut or stuck >> link & 1
        if not occupied >> 2 * link & 3 and not closed:
            if chip[at.K_BUSY] >> link & 1:
                s.end[10 * r + link, at.E_READY] = _LEVELS
            continue
        levels = 0
        for v in range(2):
            b = s.buffer[20 * r + 2 * link + v]
            if not closed and (not occupied >> 2 * link + v & 1 or accepts(b, s.early)):
                levels |= 1 << v
        s.end[10 * r + link, at.E_READY] = levels
        busy |= 1 << link
    chip[at.K_BUSY] = busy
    if tick(chip, clock) and occupied:
        grow_old(s, r, clock)
    quiet = occupied == 0 and chip[at.K_ACTIVE] == 0 and s.unit[r, at.U_OUT] == 0
    if shut:
        mode_step(s, r, quiet)
    quiet = quiet and chip[at.K_MODE] == NORMAL and chip[at.K_COMING + (clock & 1)] == 0
    chip[at.K_ASLEEP] = 1 if quiet and unit_idle(s, r) and not s.entry_ticks else 0
