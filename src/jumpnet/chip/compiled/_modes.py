"""Modes, errors, timers and the barrier line in the kernel: the integer form of `modes`, and what `chip` and `network`
do about them.
"""

from __future__ import annotations

from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.configuration import NO_LINK
from jumpnet.chip.links import LAST, OUTPUTS
from jumpnet.chip.modes import END, NORMAL, SETTING_UP, SETTLE, SHOOT, SHOOTING
from jumpnet.chip.parity import bits_parity, good
from jumpnet.chip.watchdog import FIRES_AT, TICKS, limit_clocks
from jumpnet.jit.linked import kernel

__all__ = ["barrier", "command", "compare", "error", "grow_old", "mode_step", "tagged", "tick"]

_SHORTEST = limit_clocks(0)


@kernel
def _enter(s, r, mode):
    """A chip changes its mode."""
    chip = s.chip[r]
    s.counter[0, at.C_MODES + chip[at.K_MODE]] -= 1
    s.counter[0, at.C_MODES + mode] += 1
    chip[at.K_MODE], chip[at.K_CLOCKS] = mode, 0


@kernel
def _shoot(s, r):
    """Shoot down: the MBP, the barrier line or an error asks for it."""
    s.chip[r, at.K_ASLEEP] = 0
    if s.chip[r, at.K_MODE] == NORMAL:
        _enter(s, r, SHOOTING)


@kernel
def mode_step(s, r, quiet):
    """One clock of a mode; when all buffers are empty, shooting down becomes setting up."""
    chip = s.chip[r]
    chip[at.K_CLOCKS] += 1
    if quiet and chip[at.K_MODE] == SHOOTING and chip[at.K_CLOCKS] > SETTLE:
        _enter(s, r, SETTING_UP)


@kernel
def _found(s, r, which, link, place, clock):
    """Note an error of a chip."""
    row = s.row[s.counter[0, at.C_ROWS]]
    s.counter[0, at.C_ROWS] += 1
    row[at.D_KIND], row[at.D_CLOCK], row[at.D_HEAD], row[at.D_ROUTER] = at.FOUND, clock, which, r
    row[at.D_LINK], row[at.D_OFFSET], row[at.D_LENGTH] = link, place, 0
    s.chip[r, at.K_ERRORS] += 1


@kernel
def error(s, r, which, link, place, clock):
    """An error was found: note it and shoot down."""
    _found(s, r, which, link, place, clock)
    _shoot(s, r)


@kernel
def tick(chip, clock):
    """The watchdog's prescaler: whether it ticks in this clock."""
    chip[at.K_TICKED] = 0
    if clock >= chip[at.K_DUE]:
        left = chip[at.K_PERIOD] - 1 - clock % chip[at.K_PERIOD]
        chip[at.K_DUE] = clock + (left if left else chip[at.K_PERIOD])
        chip[at.K_TICKED] = 1 if left == 0 else 0
    return chip[at.K_TICKED] == 1


@kernel
def grow_old(s, r, clock):
    """A tick of the watchdog: a packet that has been here too long goes to the MBP."""
    for n in range(20):
        b = s.buffer[20 * r + n]
        if b[at.B_COUNT] == 0:
            continue
        b[at.B_AGE] += 1
        if b[at.B_AGE] >= FIRES_AT and b[at.B_COMPLETE] and not b[at.B_SENDING] and not b[at.B_FLUSH]:
            b[at.B_FLUSH] = 1
            _found(s, r, at.TOO_LONG, n // 2, n % 2, clock)


@kernel
def tagged(s, r, link, flit, clock):
    """A tag from the MBP: a command comes, or a packet for the buffer that it names."""
    if not good(flit):
        error(s, r, at.BAD_TAG, link, 0, clock)
    elif flit >> 14 & 15 == NO_LINK:
        s.chip[r, at.K_COMMAND] = 1
    else:
        n = 2 * (flit >> 14 & 15) + (flit >> 13 & 1)
        s.input[10 * r + link, at.I_TARGET] = n
        s.buffer[20 * r + n, at.B_RESTORED] = flit + 1


@kernel
def command(s, r, flit, strobe, clock):
    """A flit of a command, which is obeyed with its last (`modes.Command`; registers are not loaded here)."""
    chip = s.chip[r]
    if chip[at.K_COMMAND] <= 2:
        chip[at.K_COMMAND_FLITS + chip[at.K_COMMAND] - 1] = flit
        chip[at.K_COMMAND] += 1
    if strobe != LAST:
        return
    chip[at.K_COMMAND] = 0
    first, second = chip[at.K_COMMAND_FLITS], chip[at.K_COMMAND_FLITS + 1]
    if not (good(first) and good(second)):
        error(s, r, at.BAD_COMMAND, 0, 0, clock)
    elif first >> 1 & 0xFF == END:
        if chip[at.K_MODE] == SETTING_UP:
            _enter(s, r, NORMAL)
    elif first >> 1 & 0xFF == SHOOT:
        _shoot(s, r)
    else:
        chip[at.K_PERIOD], chip[at.K_DUE] = _SHORTEST * 10 ** (second >> 2 & 0xFFFF) // TICKS, 0


@kernel
def _parity(s, r):
    """The parity of the internal state that the two slices compare (choice E3)."""
    bits = s.chip[r, at.K_MODE]
    occupied = s.chip[r, at.K_OCCUPIED]
    for n in range(20):
        if occupied >> n & 1:
            b = s.buffer[20 * r + n]
            bits ^= b[at.B_COUNT] ^ b[at.B_ARRIVING] << 5 ^ b[at.B_SENDING] << 10 ^ b[at.B_FLUSH] << 12
            bits ^= b[at.B_KNOWN] << 13 ^ b[at.B_REMAINING] ^ b[at.B_COMPLETE] << 14 ^ b[at.B_SOFT] << 15
    if s.chip[r, at.K_ACTIVE]:
        for output in range(OUTPUTS):
            bits ^= s.output[11 * r + output, at.O_OWNER] + 1
    for n in range(r * s.entries, (r + 1) * s.entries):
        if s.entry[n, at.N_USED]:
            bits ^= s.entry[n, at.N_KEY] ^ s.entry[n, at.N_COUNT]
    return bits_parity(bits)


@kernel
def compare(s, clock):
    """The two chips of a router compare the parities of the clock before (choice E3); an error holds for both."""
    chip, routers = s.chip, s.routers
    for r in range(routers):
        other = r + routers
        if chip[r, at.K_PARITY] != chip[other, at.K_PARITY]:
            for c in (r, other):
                if chip[c, at.K_MODE] == NORMAL:
                    error(s, c, at.SLICES_DISAGREE, 0, 0, clock)
        if chip[r, at.K_MODE] != NORMAL or chip[other, at.K_MODE] != NORMAL:
            _shoot(s, r)
            _shoot(s, other)
        chip[r, at.K_PARITY], chip[other, at.K_PARITY] = _parity(s, r), _parity(s, other)


@kernel
def barrier(s):
    """The barrier line passes one chip a clock, both ways; it falls when all chips have left the normal mode."""
    chip, chips, routers, seen = s.chip, s.chips, s.routers, 0
    for r in range(routers):
        if s.cascade and chip[r, at.K_MODE] == SHOOTING:
            chip[r, at.K_BARRIER] = 1
        chip[r, at.K_BARRIER_WAS] = chip[r, at.K_BARRIER]
        seen |= chip[r, at.K_BARRIER]
    if seen == 0:
        return
    for r in range(routers):
        left, right = max(r - 1, 0), min(r + 1, routers - 1)
        chip[r, at.K_BARRIER] |= chip[left, at.K_BARRIER_WAS] | chip[right, at.K_BARRIER_WAS]
        if chip[r, at.K_BARRIER_WAS]:
            for c in range(r, chips, routers):
                _shoot(s, c)
    s.counter[0, at.C_BARRIER] = 1 if s.counter[0, at.C_MODES + NORMAL] else 0
    if s.counter[0, at.C_BARRIER] == 0:
        for r in range(routers):
            chip[r, at.K_BARRIER] = 0
