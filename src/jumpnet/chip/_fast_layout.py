"""Where the kernel keeps what: columns of its integer tables.

Every table is a row-major int64 array: one row a buffer, an input link, an output, an end of a line, a combining
unit, or an end of an MBP link. The names are those of the plain model (`chip`, `buffer`, `half_duplex`, `combining`,
`mbp`).
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.terms import I64

# A chip, as masks that say where there is anything to do: buffers with flits, links whose pass is under way, that
# ask, that are wanted, that are not ready; lines with a flit coming in, put there in even and odd clocks.
K_ASLEEP, K_MBP_ASLEEP, K_OCCUPIED, K_ACTIVE, K_ASKING, K_WANTED, K_BUSY, K_COMING, K_WORDS = 0, 1, 2, 3, 4, 5, 6, 7, 9

# A packet buffer, row chip * 20 + link * 2 + vc.
B_COUNT, B_COMPLETE, B_ARRIVING, B_ARRIVED, B_DECIDED, B_REMAINING, B_SENDING, B_KNOWN, B_SOFT = range(9)
B_SAME, B_DOWN, B_SINK, B_VC1, B_SAME_MAP, B_SAME_STATUS, B_DOWN_MAP, B_DOWN_STATUS = range(9, 17)
B_KIND, B_ENTRY, B_RAM, B_WORDS = 17, 18, 19, 35
"""B_KIND: 0 until flit 2 is here, then 1 without and 2 with a compressed address. B_ENTRY: first
column of the entry reserved in the combining unit, else 0."""

# An input link, row chip * 10 + link: its pass, its request.
I_BUFFER, I_WAY, I_OUTPUTS, I_TAG, I_POSITION, I_ASK_BUFFER, I_ASK_WAY, I_ASK, I_LAST_VC, I_TARGET, I_WORDS = range(11)

# An output, row chip * 11 + output.
O_OWNER, O_ARBITER, O_VC, O_WORDS = range(4)

# An end of a line, row chip * 10 + link, then those of the MBPs: 10 * chips + chip * 2 + k.
E_WANTS, E_DRIVING, E_READY, E_PEER, E_LINE, E_FLIT, E_STROBE, E_WORDS = 0, 1, 2, 3, 4, 5, 7, 9
"""E_FLIT and E_STROBE have two columns, for even and odd clocks."""

# A line.
L_LAST, L_RELEASED, L_WORDS = range(3)

# A combining unit, row chip: the acknowledge coming in, a stray, one going out, then the entries.
U_IN, U_FLIT, U_STROBE, U_STRAY, U_STRAY_KEY, U_STRAY_BODY, U_OUT, U_ENTRIES = 0, 4, 6, 8, 9, 10, 11, 15
"""U_IN and U_OUT: a count, then three flits. U_FLIT and U_STROBE: the wire from the crossbar, even and odd clocks."""
N_USED, N_KEY, N_COUNT, N_LINK, N_SOFT, N_BODY, N_WORDS = range(7)

# An end of an MBP link, row chip * 2 + k: what goes out, what comes in.
M_ON, M_POSITION, M_LENGTH, M_VC, M_WAITS, M_HEAD, M_END, M_IN, M_TAG, M_SINCE, M_OWN = range(11)
M_OUT_FLITS, M_IN_FLITS, M_WORDS = 11, 28, 45
"""M_HEAD and M_END: the first packet not yet sent and the one after the last (link 0); acknowledges (link 1). M_OWN
(link 0): own multicasts that not all have answered."""

# Acknowledges that an MBP has to send: a ring of rows in its table.
A_CLOCK, A_KEY, A_LINK, A_SOFT, A_BODY, A_WORDS = range(6)
ACKS = 256

# What an MBP combines: a count, then rows; S_LINK is -1 until the copy has come.
S_KEY, S_COUNT, S_LINK, S_SOFT, S_BODY, S_WORDS = range(6)
SOFTWARE = 256

# Packets to send, sorted by source: first flit in `flits`, length, clock, virtual channel.
P_OFFSET, P_LENGTH, P_CLOCK, P_VC, P_WORDS = range(5)

# Deliveries and completed multicasts.
D_KIND, D_CLOCK, D_HEAD, D_ROUTER, D_LINK, D_OFFSET, D_LENGTH, D_WORDS = range(8)
DELIVERED, COMPLETED = range(2)
"""For COMPLETED, D_OFFSET is the key and D_LENGTH the body."""

# Counters and settings.
C_ROWS, C_FLITS, C_ERROR, C_HOPS, C_WORDS = range(5)
X_FULL, X_TURN, X_EARLY, X_BITMAP, X_ENTRIES, X_ACK_DELAY, X_WORDS = range(7)
ERROR_HEADER, ERROR_ACKS, ERROR_SOFTWARE, ERROR_OVERRUN = 1, 2, 3, 4


class State(NamedTuple):
    """Everything the kernel reads and writes. R chips, all int64."""

    buffer: I64
    """(20 R, B_WORDS)"""
    input: I64
    """(10 R, I_WORDS)"""
    output: I64
    """(11 R, O_WORDS)"""
    end: I64
    """(12 R, E_WORDS)"""
    line: I64
    """(lines, L_WORDS)"""
    unit: I64
    """(R, U_ENTRIES + entries * N_WORDS)"""
    mbp: I64
    """(2 R, M_WORDS)"""
    acks: I64
    """(R, ACKS * A_WORDS)"""
    software: I64
    """(R, 1 + SOFTWARE * S_WORDS)"""
    registers: I64
    """(R, REGISTERS)"""
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
    setting: I64
    """(1, X_WORDS)"""
    chip: I64
    """(R, K_WORDS)"""
