"""The processor at the end of a chip's two MBP links, as far as the chip needs one: sends, receives, answers, keeps.

Source: nishi1997router sections 4.3 and 4.4: it combines acknowledges when the chip cannot, takes the packets of a
shoot-down and gives them back. It drives every slice alike: a flit of w slices has 18 w bits, the low ones for slice 0.
Choices K3 and D3 to D5 of docs/decisions/0050. Used by `network`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from jumpnet.chip.chip import Chip
from jumpnet.chip.half_duplex import Line
from jumpnet.chip.links import FLIT, IDLE, LAST, MBP0, MBP1, TAG
from jumpnet.chip.modes import CODES, SETTING_UP, Command
from jumpnet.chip.packet import ACK, COMBINING, FLIT_BITS, FLIT_MASK, HERE, Ack, Tag, damage
from jumpnet.chip.parity import good
from jumpnet.chip.remake import Remaker, begins
from jumpnet.errors import JumpnetError

__all__ = ["MBP_END", "Delivery", "Kept", "Mbp"]

MBP_END = 1
"""The MBP's end of its lines; the chip has end 0."""


@dataclass(frozen=True)
class Delivery:
    """A packet that came in."""

    clock: int
    """Clock in which its last flit came."""
    head: int
    """Clock in which its first flit came."""
    link: int
    flits: tuple[int, ...]
    damage: str = ""
    """What the check of parities found."""


@dataclass(frozen=True)
class Kept:
    """A packet that the chip has handed over: its tag and its flits."""

    tag: Tag
    flits: tuple[int, ...]


@dataclass
class _Outgoing:
    """A packet on its way out."""

    clock: int
    flits: list[int]
    vc: int
    tagged: bool = False
    command: bool = False
    position: int = 0
    sent_at: int = -1


@dataclass(eq=False)
class _Software:
    """A multicast whose acknowledges this MBP combines; those may come before the copy that says how many there are."""

    key: int
    count: int = 0
    """Acknowledges still to come; below zero while the copy has not come."""
    link: int | None = None
    """The link by which the multicast came; None until the copy has come."""
    soft: int = 0
    body: int = 0
    remaking: bool = False
    """Whether it waits, besides, for a multicast that this MBP has started again."""

    @property
    def full(self) -> bool:
        """Whether it takes no more acknowledges."""
        return self.link is not None and self.count == 0


@dataclass
class Mbp:
    """The MBP of one node. `lines[s][link - MBP0]` are the lines of slice s; the network sets them."""

    chips: list[Chip]
    """The chips of the node, one a slice."""
    lines: list[list[Line]] = field(default_factory=list)
    ack_delay: int = 1
    """Clocks from the last flit of a packet to the acknowledge."""
    ack_body: int = 0
    deliveries: list[Delivery] = field(default_factory=list)
    completed: list[tuple[int, Ack]] = field(default_factory=list)
    """(clock, acknowledge) of own multicasts: everybody has answered."""
    lost: list[tuple[int, Ack]] = field(default_factory=list)
    """(clock, what came) for entries that the combining unit gave up."""
    memory: list[Kept] = field(default_factory=list)
    """Packets of a shoot-down or a timer, in the order in which they came."""
    software: list[_Software] = field(default_factory=list)
    own_keys: list[int] = field(default_factory=list)
    """Keys of own multicasts that are not yet completed."""
    sent: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """(clock of the first flit, flits) of every packet sent."""
    remake_clocks: int = 1
    """Clocks from the last flit of a packet under REMAKE to its being ready to start again."""
    remaker: Remaker = field(default_factory=Remaker)

    def __post_init__(self) -> None:
        self.outbox: list[deque[_Outgoing]] = [deque(), deque()]
        self.control: deque[_Outgoing] = deque()
        self.again: deque[_Outgoing] = deque()
        self.current: list[_Outgoing | None] = [None, None]
        self.waiting: list[_Outgoing | None] = [None, None]
        self.incoming: list[list[int]] = [[], []]
        self.incoming_tag: list[int | None] = [None, None]
        self.head_clock = [0, 0]
        self.asleep = False
        self.woken = -1

    def send(self, flits: Sequence[int], clock: int = 0, link: int = MBP0) -> None:
        """Queue a packet for a clock; packets of a link leave in the order in which they were queued.

        The header says on which virtual channel. Channel 1 of MBP link 1 is the combining unit's own (choice S3).
        """
        vc = flits[0] >> 17 & 1
        if (link, vc) == (MBP1, 1):
            raise JumpnetError("virtual channel 1 of MBP link 1 found, another expected: the chip uses it itself")
        acked = flits[0] >> 12 & 7 != ACK and flits[1] >> 13 & 1
        if acked and link != MBP0:
            raise JumpnetError("a packet with acknowledges found on MBP link 1, MBP link 0 expected")
        self.asleep = False
        self.outbox[link - MBP0].append(_Outgoing(clock, list(flits), vc))
        if acked:
            self.own_keys.append(flits[3] >> 2 & 0xFFFF)

    def command(self, name: str, index: int = 0, value: int = 0, clock: int = 0) -> None:
        """Queue a command to the chips."""
        self.asleep = False
        flits = [self._wide(flit) for flit in Command(CODES.index(name), index, value).flits()]
        self.control.append(_Outgoing(clock, flits, 0, tagged=True, command=True))

    def restore(self, clock: int = 0) -> None:
        """Give everything kept back to the chips, then end setting up."""
        for kept in self.memory:
            flits = [self._wide(kept.tag.flit()), *kept.flits]
            self.control.append(_Outgoing(clock, flits, 0, tagged=True))
        self.memory.clear()
        self.command("END", clock=clock)

    def _wide(self, flit: int) -> int:
        """The same flit in every slice."""
        return sum(flit << FLIT_BITS * s for s in range(len(self.chips)))

    # The phases of a clock, as in `chip`.

    def transfer(self, clock: int) -> None:
        """Put the next flit on each line."""
        for k, now in enumerate(self.current):
            if now is None:
                continue
            place = now.position
            last = place == len(now.flits) - 1
            strobe = TAG if now.tagged and place == 0 else LAST if last else FLIT
            if place == 0:
                now.sent_at = clock
            for s, pair in enumerate(self.lines):
                pair[k].put(MBP_END, now.flits[place] >> FLIT_BITS * s & FLIT_MASK, strobe, clock)
                if last:
                    pair[k].release(MBP_END, clock)
            now.position += 1
            if last:
                self.current[k] = None
                if not now.tagged:
                    self.sent.append((now.sent_at, tuple(now.flits)))

    def arbitrate(self, clock: int) -> None:
        """Start the packet that asked, where the line is granted."""
        for k, wish in enumerate(self.waiting):
            if wish is not None and self.current[k] is None and self.lines[0][k].may_send(MBP_END, clock):
                self.current[k] = wish
                next(q for q in (self.control, self.again, self.outbox[k]) if q and q[0] is wish).popleft()
                for pair in self.lines:
                    pair[k].start(MBP_END)

    def check(self, clock: int) -> None:
        """Ask for a line when there is a packet for it that the chip can take."""
        for k in range(len(self.current)):
            now = self.current[k]
            ends = now is None or now.position == len(now.flits) - 1
            self.waiting[k] = self._next(k, clock, now) if ends else None
            for pair in self.lines:
                pair[k].wants[MBP_END] = self.waiting[k] is not None

    def _queue(self, k: int, clock: int) -> deque[_Outgoing]:
        """Where the next packet of a link stands; what starts again goes ahead of what the node sends."""
        return self.again if k == 0 and self.again and self.again[0].clock <= clock else self.outbox[k]

    def _next(self, k: int, clock: int, now: _Outgoing | None) -> _Outgoing | None:
        if k == 0 and self.control and self.control[0].clock <= clock:
            wish = self.control[0]
            return wish if wish.command or self.chips[0].modes.now == SETTING_UP else None
        queue = self._queue(k, clock)
        if not queue or queue[0].clock > clock:
            return None
        wish = queue[0]
        if now is not None and now.vc == wish.vc:
            return None
        return wish if self.lines[0][k].ready[1 - MBP_END][wish.vc] else None

    def receive(self, clock: int) -> None:
        """Take what the lines carry; a complete packet is dealt with at once."""
        for k in range(len(self.current)):
            taken = [pair[k].take(MBP_END, clock) for pair in self.lines]
            strobe = taken[0][1]
            flit = sum(word << FLIT_BITS * s for s, (word, _) in enumerate(taken))
            if strobe == TAG:
                self.incoming_tag[k] = flit & FLIT_MASK
            elif strobe != IDLE:
                if not self.incoming[k]:
                    self.head_clock[k] = clock
                self.incoming[k].append(flit)
            if strobe == LAST:
                flits, tag = tuple(self.incoming[k]), self.incoming_tag[k]
                self.incoming[k], self.incoming_tag[k] = [], None
                self._arrived(clock, k + MBP0, flits, None if tag is None else Tag.parse(tag))

    def finish(self, clock: int) -> None:
        """Sleep while there is nothing to send."""
        sending = any(self.outbox) or bool(self.control) or any(self.current) or bool(self.again)
        self.asleep = not sending and not any(self.incoming) and self.woken < clock

    # What its software does with a packet.

    def _arrived(self, clock: int, link: int, flits: tuple[int, ...], tag: Tag | None) -> None:
        status = flits[0] >> 12 & 7
        if tag is not None and (status != COMBINING or not good(flits[0] & FLIT_MASK)):  # a damaged status says nothing
            self.memory.append(Kept(tag, flits))
            return
        wrong = damage(flits, len(self.chips))
        if status == ACK and not wrong:
            self._ack(clock, link, Ack.parse([flit & FLIT_MASK for flit in flits]))
            return
        acked = status != ACK and not wrong and flits[1] >> 13 & 1
        here = tag is None or bool(tag.map >> MBP0 & 1)
        if acked and here and begins(flits[0] & FLIT_MASK):
            self._remake(clock, flits, tag)
            return
        if wrong or here:  # a wrong copy to combine for others is noted too
            self.deliveries.append(Delivery(clock, self.head_clock[link - MBP0], link, flits, wrong))
        if acked:
            self._acked(clock, flits, tag)

    def _remake(self, clock: int, flits: tuple[int, ...], tag: Tag | None) -> None:
        """A hierarchy starts here: the packet goes out again with a new map, and is answered when all below are."""
        entry = None
        if tag is not None:
            entry = self._tagged(flits, tag)
            entry.remaking = True
        again = self.remaker.start(clock, flits, len(self.chips), entry)
        self.again.append(_Outgoing(clock + self.remake_clocks, again, 0))

    def _acked(self, clock: int, flits: tuple[int, ...], tag: Tag | None) -> None:
        """A packet that wants an acknowledge; with a tag, one whose acknowledges are combined here."""
        if tag is None:
            self._answer(clock, Ack(flits[3] >> 2 & 0xFFFF, HERE, body=self.ack_body))
            return
        entry = self._tagged(flits, tag)
        if tag.map >> MBP0 & 1:
            entry.body |= self.ack_body
        self._combined(clock, entry)

    def _tagged(self, flits: tuple[int, ...], tag: Tag) -> _Software:
        """The entry of a copy that says how many acknowledges this MBP is to combine; its own counts as given."""
        entry = self._entry(flits[3] >> 2 & 0xFFFF, known=False)
        entry.count += tag.map.bit_count() - (tag.map >> MBP0 & 1)
        entry.link, entry.soft = tag.link, flits[1] >> 16 & 1
        return entry

    def _ack(self, clock: int, link: int, ack: Ack) -> None:
        """By MBP link 0 the answer to an own multicast; by MBP link 1 one to combine, or of an entry given up."""
        if link == MBP0:
            self._own(clock, ack)
        elif ack.lost:
            self.lost.append((clock, ack))
        else:
            entry = self._entry(ack.key, known=True)
            entry.count, entry.body = entry.count - 1, entry.body | ack.body
            self._combined(clock, entry)

    def _entry(self, key: int, known: bool) -> _Software:
        """The newest entry of a key whose copy has come or not, else, for an acknowledge, any of the key, else a new
        one.

        A multicast may pass a router twice, at its source on the way to the root and again: the second is answered
        first.
        """
        mine = [entry for entry in reversed(self.software) if entry.key == key and not (known and entry.full)]
        found = [entry for entry in mine if (entry.link is not None) == known] or (mine if known else [])
        if not found:
            found = [_Software(key)]
            self.software.append(found[0])
        return found[0]

    def _combined(self, clock: int, entry: _Software) -> None:
        """Send the acknowledge of a multicast that all have answered."""
        if not entry.full or entry.remaking:
            return
        self.software.remove(entry)
        ack = Ack(entry.key, entry.link or 0, entry.soft, 0, entry.body)
        if ack.link >= MBP0:
            self._own(clock, ack)
        else:
            self._answer(clock, ack)

    def _own(self, clock: int, ack: Ack) -> None:
        """A multicast of this MBP has been answered by all: one that it has started again, or its own."""
        again = self.remaker.answered(ack.key)
        if again is None:
            self.own_keys.remove(ack.key)
            self.completed.append((clock, ack))
        elif isinstance(again.owed, _Software):
            again.owed.remaking, again.owed.body = False, again.owed.body | ack.body
            self._combined(clock, again.owed)
        else:
            self._answer(clock, Ack(ack.key, HERE, body=ack.body))

    def _answer(self, clock: int, ack: Ack) -> None:
        flits = replace(ack, vc=0).flits()
        self.send([self._wide(flit) for flit in flits], clock + self.ack_delay, MBP1)
