"""The packet buffer of one virtual channel, with its multicast and handshake controller.

Source: nishi1997router sections 4.2.1 and 4.2.3 (Figure 12): a dual-port RAM for one whole packet that is written and
read in the same clock; a map of the outputs still to be served, whose bits are reset as copies leave; while the last
copy leaves, the next packet may come in. Choices M1 to M7 of docs/decisions/0050. Twenty of them make up a chip.
"""

from __future__ import annotations

from jumpnet.chip.bitmap import DOWN, SAME, SINK, Decision, Header, image
from jumpnet.chip.combining import Entry
from jumpnet.chip.links import COMBINE, LAST, MBP0, OUTPUTS
from jumpnet.chip.packet import ACK, ACKED, HEADER_FLITS, LONGEST, Tag
from jumpnet.errors import JumpnetError

__all__ = ["PacketBuffer"]

_SINK_BIT = 1 << MBP0


class PacketBuffer:
    """One packet, or the last copy of one and the beginning of the next."""

    def __init__(self, link: int, vc: int) -> None:
        self.link, self.vc = link, vc
        self.ram = [0] * LONGEST
        self.arriving = 0
        """Flits of the next packet that came in behind the one here."""
        self.arrived = False
        """Whether the next packet is here whole."""
        self.arriving_bad = False
        self.clear()

    def clear(self) -> None:
        """No packet, and no trace of one."""
        self.count = 0
        """Flits of the packet that are here."""
        self.complete = False
        self.decision: Decision | None = None
        self.remaining = 0
        """Outputs still to be served; the MBP as bit MBP0."""
        self.sending = False
        self.entry: Entry | None = None
        """The entry of the combining unit that was reserved for the packet."""
        self.known = False
        """Whether it is settled who combines: the unit has the key, or the MBP does it."""
        self.soft = False
        """Whether its acknowledges are combined at the MBP."""
        self.is_ack = False
        self.acked: bool | None = None
        """Whether the packet has a compressed address; None until flit 2 is here."""
        self.flush = False
        """Whether the packet goes to the MBP as it is."""
        self.restored: Tag | None = None
        self.bad = False
        """Whether a header flit had wrong parity: the packet is not routed."""
        self.age = 0

    @property
    def empty(self) -> bool:
        """Whether no flit is here."""
        return self.count == 0 and self.arriving == 0

    @property
    def closing(self) -> bool:
        """Whether the last copy is leaving. Until its key is known a packet may yet owe one to the MBP."""
        return self.sending and not self.flush and self.remaining == 0 and (self.known or self.acked is False)

    def _latch(self) -> None:
        """Note the kind of packet from its header, which the next packet overwrites while this one leaves."""
        if self.count == 1:
            self.is_ack = self.ram[0] >> 12 & 7 == ACK
        if self.count >= 2:
            self.acked = not self.is_ack and self.ram[1] >> 13 & 3 == ACKED

    def write(self, flit: int, strobe: int) -> int:
        """Take a flit from the line; returns its number in its packet, from 0.

        Raises JumpnetError for a flit without a place, as a ready line that is stuck may let it come.
        """
        if self.complete:
            place = self.arriving
            self.arriving += 1
            self.arrived = strobe == LAST
        else:
            place = self.count
            self.count += 1
            self.complete = strobe == LAST
        if place >= LONGEST:
            raise JumpnetError(f"a packet longer than a buffer found, {LONGEST} flits expected")
        self.ram[place] = flit
        if not self.arriving:
            self._latch()
        return place

    def spoil(self) -> None:
        """The flit that was just written is a header flit with wrong parity."""
        if self.arriving:
            self.arriving_bad = True
        else:
            self.bad = True

    def accepts(self, early: bool) -> bool:
        """The ready level: room for a whole packet. `early`: also while the last copy leaves (choice M7)."""
        return self.empty or (early and self.closing and self.arriving == 0)

    def header(self) -> Header:
        """The header flits that are here."""
        return Header(*self.ram[: min(self.count, HEADER_FLITS)])

    def decided(self, decision: Decision) -> None:
        """The bit-map is fixed; a restored packet lacks only what its tag says."""
        self.decision, self.remaining = decision, decision.outputs
        if self.restored is not None:
            self.known = bool(self.restored.known)
            self.soft = bool(self.restored.map >> COMBINE & 1) and not self.is_ack
            self.remaining = self.restored.map & (decision.outputs | (_SINK_BIT if self.soft else 0))
        elif decision.outputs == 0:
            self.flush = True

    def combine_at_mbp(self) -> None:
        """The MBP combines the acknowledges: it gets a copy with a tag, whether it is a destination or not."""
        self.known = self.soft = True
        self.remaining |= _SINK_BIT

    def passes(self) -> list[tuple[int, int]]:
        """Every (way, outputs) that could be served now: same rank first, then down, then the MBP (choice B9).

        The copy to the MBP of an acknowledged packet waits for the key in flit 4; one that the MBP is to combine goes
        before all others, so that the MBP knows of it before the first acknowledge comes.
        """
        if self.decision is None or self.acked is None:
            return []
        same, down = self.remaining & self.decision.same, self.remaining & self.decision.down
        sink = self.remaining & _SINK_BIT & ~same & ~down
        if self.soft and sink:
            return [(SINK, sink)]
        if self.acked and not self.known:
            sink = 0
        return [(way, mask) for way, mask in ((SAME, same), (DOWN, down), (SINK, sink)) if mask]

    def tag(self) -> Tag:
        """Where the packet is and what it lacks, for the MBP."""
        left = self.remaining | (1 << COMBINE if self.soft else 0)
        if self.decision is None and self.restored is not None:
            return self.restored
        if self.decision is None and not self.bad:
            left = (1 << OUTPUTS) - 1 & ~(0 if self.is_ack else 1 << COMBINE)
        return Tag(self.link, self.vc, left, int(self.known))

    def grant(self, outputs: int) -> None:
        """A pass to these outputs begins: their bits are reset."""
        self.sending = True
        self.remaining &= ~outputs

    def available(self, k: int) -> bool:
        """Whether flit k can leave: it is here, and the whole header is, which flit 1 may need."""
        return self.count > max(k, HEADER_FLITS - 1)

    def is_last(self, k: int) -> bool:
        """Whether flit k is the last."""
        return self.complete and k == self.count - 1

    def read(self, k: int, way: int) -> int:
        """Flit k as it leaves in a pass; the header is rewritten unless the packet is flushed."""
        if k >= HEADER_FLITS or self.flush or self.decision is None:
            return self.ram[k]
        d = self.decision
        shown = (d.same_map, d.same_status) if way == SAME else (d.down_map, d.down_status)
        return int(image(k, way, *self.ram[:HEADER_FLITS], *shown, int(self.soft)))

    def sent(self) -> None:
        """A pass has ended; after the last one the packet is gone and the next takes its place."""
        gone = self.flush or self.closing
        self.sending = False
        if gone:
            count, complete, bad = self.arriving, self.arrived, self.arriving_bad
            self.arriving, self.arrived, self.arriving_bad = 0, False, False
            self.clear()
            for self.count in range(1, count + 1):
                self._latch()
            self.complete, self.bad = complete, bad
