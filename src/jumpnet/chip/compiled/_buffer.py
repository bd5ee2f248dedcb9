"""Packet buffers in the kernel: the integer form of `buffer`."""

from __future__ import annotations

from jumpnet.chip._bitmap import SAME, image
from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.links import LAST, MBP0
from jumpnet.chip.packet import ACK, HEADER_FLITS, LONGEST
from jumpnet.jit.linked import kernel

__all__ = ["accepts", "closing", "combine_at_mbp", "leaving", "sent", "write"]


@kernel
def latch(b):
    """Note the kind of packet from its header, which the next packet overwrites while this one leaves."""
    if b[at.B_COUNT] >= 2 and b[at.B_KIND] == 0:
        acked = b[at.B_RAM] >> 12 & 7 != ACK and b[at.B_RAM + 1] >> 13 & 3 == 1
        b[at.B_KIND] = 2 if acked else 1


@kernel
def closing(b):
    """Whether the last copy is leaving."""
    if b[at.B_SENDING] == 0 or b[at.B_REMAINING] or b[at.B_FLUSH]:
        return False
    return b[at.B_KNOWN] == 1 or b[at.B_KIND] == 1


@kernel
def accepts(b, early):
    """Whether there is room for a whole packet, counting a last copy that leaves as gone when `early`."""
    return b[at.B_COUNT] == 0 or (early and b[at.B_ARRIVING] == 0 and closing(b))


@kernel
def leaving(b, k, way):
    """Flit k as it leaves in a pass; the header is rewritten unless the packet is flushed."""
    if k >= HEADER_FLITS or b[at.B_FLUSH]:
        return b[at.B_RAM + k]
    shown, status = b[at.B_SAME_MAP], b[at.B_SAME_STATUS]
    if way != SAME:
        shown, status = b[at.B_DOWN_MAP], b[at.B_DOWN_STATUS]
    return image(k, way, b[at.B_RAM], b[at.B_RAM + 1], b[at.B_RAM + 2], shown, status, b[at.B_SOFT])


@kernel
def sent(b):
    """A pass has ended; after the last one the packet is gone and the next takes its place. True when none is left."""
    gone = b[at.B_FLUSH] == 1 or closing(b)
    b[at.B_SENDING] = 0
    if gone:
        count, complete, bad = b[at.B_ARRIVING], b[at.B_ARRIVED], b[at.B_ARRIVING_BAD]
        for w in range(at.B_RAM):
            b[w] = 0
        b[at.B_COUNT], b[at.B_COMPLETE], b[at.B_BAD] = count, complete, bad
        latch(b)
    return b[at.B_COUNT] == 0


@kernel
def combine_at_mbp(b):
    """The MBP combines the acknowledges: it gets a copy with a tag, whether it is a destination or not."""
    b[at.B_KNOWN] = b[at.B_SOFT] = 1
    b[at.B_REMAINING] |= 1 << MBP0


@kernel
def write(s, r, n, flit, strobe):
    """Buffer n of a chip takes a flit from the line; returns its number in its packet, from 0."""
    b = s.buffer[20 * r + n]
    s.chip[r, at.K_OCCUPIED] |= 1 << n
    if b[at.B_COMPLETE]:
        place = b[at.B_ARRIVING]
        b[at.B_ARRIVING] += 1
        b[at.B_ARRIVED] = 1 if strobe == LAST else 0
    else:
        place = b[at.B_COUNT]
        b[at.B_COUNT] += 1
        b[at.B_COMPLETE] = 1 if strobe == LAST else 0
    if place >= LONGEST:
        s.counter[0, at.C_ERROR] = at.ERROR_OVERRUN
        return place
    b[at.B_RAM + place] = flit
    latch(b)
    return place
