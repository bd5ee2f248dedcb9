"""Where the kernel keeps what: columns of its integer tables.

Every table is a row-major int64 array: one row a buffer, an input link, an output, an end of a line, a combining
unit, or an end of an MBP link. The names are those of the plain model (`chip`, `buffer`, `half_duplex`, `combining`,
`mbp`). Chip c is that of slice c // R at router c % R; the MBPs are R.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.chip.configuration import REGISTERS
from jumpnet.terms import I64

# A chip, as masks that say where there is anything to do: buffers with flits, links whose pass is under way, that
# ask, that are wanted, that are not ready; lines with a flit coming in, put there in even and odd clocks.
K_ASLEEP, K_MBP_ASLEEP, K_OCCUPIED, K_ACTIVE, K_ASKING, K_WANTED, K_BUSY, K_COMING = 0, 1, 2, 3, 4, 5, 6, 7
# Its mode and the clocks in it; period of the watchdog and whether it ticked in the clock before; flits of a command,
# plus one, and the two flits; the barrier line now and in the clock before; parity of the state; errors found; links
# whose ready wires are stuck; a clock before which the watchdog does not tick; the link served last (`wait_for_all`).
K_MODE, K_CLOCKS, K_PERIOD, K_TICKED, K_COMMAND, K_COMMAND_FLITS = 9, 10, 11, 12, 13, 14
K_BARRIER, K_BARRIER_WAS, K_PARITY, K_ERRORS, K_STUCK, K_DUE, K_TURN, K_WORDS = range(16, 24)

# A packet buffer, row chip * 20 + link * 2 + vc.
B_COUNT, B_COMPLETE, B_ARRIVING, B_ARRIVED, B_DECIDED, B_REMAINING, B_SENDING, B_KNOWN, B_SOFT = range(9)
B_SAME, B_DOWN, B_SINK, B_VC1, B_SAME_MAP, B_SAME_STATUS, B_DOWN_MAP, B_DOWN_STATUS = range(9, 17)
B_KIND, B_ENTRY, B_FLUSH, B_RESTORED, B_BAD, B_ARRIVING_BAD, B_AGE, B_RAM, B_WORDS = *range(17, 25), 40
"""B_KIND: 0 until flit 2 is here, then 1 without and 2 with a compressed address. B_ENTRY: one more
than the entry reserved in the combining unit, else 0. B_RESTORED: one more than the tag it came back with."""

# An input link, row chip * 10 + link: its pass, its request.
I_BUFFER, I_WAY, I_OUTPUTS, I_TAG, I_POSITION, I_ASK_BUFFER, I_ASK_WAY, I_ASK, I_LAST_VC, I_TARGET, I_WORDS = range(11)
"""I_TARGET: the buffer of its chip, link * 2 + vc, that the packet on the line goes to, -1 for none."""

# An output, row chip * 11 + output.
O_OWNER, O_ARBITER, O_VC, O_WORDS = range(4)

# An end of a line, row chip * 10 + link, then those of the MBPs: 10 * chips + chip * 2 + k.
E_WANTS, E_DRIVING, E_READY, E_PEER, E_LINE, E_FLIT, E_STROBE, E_WORDS = 0, 1, 2, 3, 4, 5, 7, 9
"""E_FLIT and E_STROBE have two columns, for even and odd clocks."""

# A line.
L_LAST, L_RELEASED, L_WORDS = range(3)

# A combining unit, row chip: the acknowledge coming in, a stray, one going out.
U_IN, U_FLIT, U_STROBE, U_STRAY, U_STRAY_KEY, U_STRAY_BODY, U_STRAY_LOST, U_OUT, U_WORDS = 0, 4, 6, 8, 9, 10, 11, 12, 16
"""U_IN and U_OUT: a count, then three flits. U_FLIT and U_STROBE: the wire from the crossbar, even and odd clocks."""

# An entry of a combining unit, row chip * entries + k.
N_USED, N_KEY, N_COUNT, N_LINK, N_SOFT, N_BODY, N_AGE, N_WORDS = range(8)

# An end of an MBP link, row chip * 2 + k: what goes out, what comes in.
M_ON, M_POSITION, M_LENGTH, M_VC, M_WAITS, M_HEAD, M_END, M_IN, M_TAG, M_SINCE, M_OWN = range(11)
M_TAGGED, M_CONTROL, M_CONTROL_END, M_KEPT, M_OUT_FLITS, M_IN_FLITS = 11, 12, 13, 14, 15, 32
M_AGAIN, M_AGAIN_END, M_MARK, M_MAPS, M_WORDS = range(49, 54)
"""M_WAITS: 1 asks for a packet, 2 for what is in `control`. M_HEAD and M_END: the first packet not yet sent and the one
after the last (link 0); acknowledges (link 1). M_OWN (link 0): own multicasts that not all have answered. M_CONTROL and
M_CONTROL_END (link 0): likewise of `control`; M_KEPT (link 0): packets in `kept`. M_AGAIN and M_AGAIN_END (link 0):
likewise of `again`; M_MARK (link 0): last mark of an entry that waits for a multicast started again; M_MAPS: first row
of the MBP in `maps` (link 0), the one after its last (link 1)."""

# What goes to the chips ahead of all packets: commands, and packets that they get back, with their tags.
G_CLOCK, G_COMMAND, G_LENGTH, G_FLITS, G_WORDS = 0, 1, 2, 3, 20
# What the chips have handed over: tag, length, flits.
H_TAG, H_LENGTH, H_FLITS, H_WORDS = 0, 1, 2, 18
KEPT, CONTROL = 64, 80
"""Rows of an MBP in `kept` and `control`."""

# Acknowledges that an MBP has to send: a ring of rows in its table.
A_CLOCK, A_KEY, A_LINK, A_SOFT, A_BODY, A_WORDS = range(6)
ACKS = 256

# What an MBP combines: a count, then rows; S_LINK is -1 until the copy has come.
S_KEY, S_COUNT, S_LINK, S_SOFT, S_BODY, S_REMAKING, S_WORDS = range(7)
SOFTWARE = 256

# REMAKE. Packets that start again: a ring of rows of an MBP; multicasts that it has started again and that not all have
# answered: a count, then rows (W_OWED: the mark in S_REMAKING of the entry it answers for, 0 for the chip); its maps.
X_CLOCK, X_LENGTH, X_FLITS, X_WORDS = 0, 1, 2, 18
W_KEY, W_OWED, W_WORDS = range(3)
Q_KEY, Q_RANK, Q_MAP, Q_WORDS = range(4)
AGAIN, WAITING = 128, 256

# Packets to send, sorted by source: first flit in `flits`, length, clock, virtual channel.
P_OFFSET, P_LENGTH, P_CLOCK, P_VC, P_WORDS = range(5)

# Deliveries, completed multicasts, multicasts given up, errors that chips found.
D_KIND, D_CLOCK, D_HEAD, D_ROUTER, D_LINK, D_OFFSET, D_LENGTH, D_WORDS = range(8)
DELIVERED, COMPLETED, LOST, FOUND, AGAIN_ROW = range(5)
"""For COMPLETED and LOST, D_OFFSET is the key and D_LENGTH the body. For FOUND, D_HEAD is which error, D_ROUTER the
chip, D_OFFSET the flit or channel. For AGAIN_ROW, D_HEAD is the rank and D_OFFSET the key."""
BAD_FLIT, BAD_TAG, BAD_COMMAND, SLICES_DISAGREE, TOO_LONG = range(5)
ROWS, ROW_FLITS = 32, 32
"""Most rows and flits noted of a chip in a clock."""

# Flits to spoil: line, clock, bits.
F_LINE, F_CLOCK, F_BITS, F_WORDS = range(4)

# Counters. C_MODES: chips in each mode; C_BARRIER: whether any chip sees the barrier line.
C_ROWS, C_FLITS, C_ERROR, C_HOPS, C_FLIPS, C_BARRIER, C_MODES, C_WORDS = 0, 1, 2, 3, 4, 5, 6, 9
ERROR_ACKS, ERROR_SOFTWARE, ERROR_OVERRUN, ERROR_KEPT, ERROR_MAP, ERROR_AGAIN = range(1, 7)


class Sizes(NamedTuple):
    """Numbers of a network, and the settings of `settings.Settings` that the kernel reads."""

    chips: int
    routers: int
    slices: int
    ack_delay: int
    full_duplex: bool
    turn_round: int
    early: bool
    bitmap_clocks: int
    entries: int
    entry_ticks: int
    cascade: bool
    remake_clocks: int
    wait_for_all: bool


class State(NamedTuple):
    """Everything the kernel reads and writes. C chips at R routers, all int64."""

    buffer: I64
    """(20 C, B_WORDS)"""
    input: I64
    """(10 C, I_WORDS)"""
    output: I64
    """(11 C, O_WORDS)"""
    end: I64
    """(12 C, E_WORDS)"""
    line: I64
    """(lines, L_WORDS)"""
    unit: I64
    """(C, U_WORDS)"""
    entry: I64
    """(C entries, N_WORDS)"""
    mbp: I64
    """(2 R, M_WORDS)"""
    acks: I64
    """(R, ACKS * A_WORDS)"""
    software: I64
    """(R, 1 + SOFTWARE * S_WORDS)"""
    again: I64
    """(R, AGAIN * X_WORDS)"""
    waiting: I64
    """(R, 1 + WAITING * W_WORDS)"""
    maps: I64
    """(maps, Q_WORDS) sorted by router"""
    kept: I64
    """(R, KEPT * H_WORDS)"""
    control: I64
    """(R, CONTROL * G_WORDS)"""
    flip: I64
    """(flips, F_WORDS)"""
    registers: I64
    """(C, REGISTERS)"""
    packets: I64
    """(packets, P_WORDS)"""
    flits: I64
    """(flits of all packets, 1)"""
    row: I64
    """(rows, D_WORDS) what came in"""
    row_flits: I64
    """(flits, 1) of what came in"""
    counter: I64
    """(1, C_WORDS)"""
    chip: I64
    """(C, K_WORDS)"""


COLUMNS = {
    "buffer": B_WORDS, "input": I_WORDS, "output": O_WORDS, "end": E_WORDS, "line": L_WORDS, "unit": U_WORDS,
    "entry": N_WORDS, "mbp": M_WORDS, "acks": ACKS * A_WORDS, "software": 1 + SOFTWARE * S_WORDS,
    "again": AGAIN * X_WORDS, "waiting": 1 + WAITING * W_WORDS, "maps": Q_WORDS,
    "kept": KEPT * H_WORDS, "control": CONTROL * G_WORDS, "flip": F_WORDS, "registers": REGISTERS,
    "packets": P_WORDS, "flits": 1, "row": D_WORDS, "row_flits": 1, "counter": C_WORDS, "chip": K_WORDS,
}  # fmt: skip
"""Columns of each table."""
