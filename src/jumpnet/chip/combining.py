"""The acknowledge combining unit: a few entries that count acknowledges and then send one on.

Source: nishi1997router section 4.3. When a packet is multicast, its key and the number of its immediate destinations
are registered; an acknowledge with that key counts down; at zero one acknowledge goes up, back over the link by which
the multicast came. With no entry free, or with a key that is there already, the MBP combines. Choices K1 to K7 of
docs/decisions/0050.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.chip.links import MBP1
from jumpnet.chip.packet import Ack

__all__ = ["ENTRIES", "CombiningUnit", "Entry"]

ENTRIES = 4


@dataclass(eq=False)
class Entry:
    """One multicast whose acknowledges are being combined."""

    key: int = -1
    """Compressed address, -1 while it has not come."""
    count: int = -1
    """Acknowledges still to come."""
    link: int = -1
    """The link by which the multicast came."""
    soft: int = 0
    """Whether the router before combines at its MBP."""
    body: int = 0
    """Bodies so far, joined by or."""
    age: int = 0


class CombiningUnit:
    """The entries, an acknowledge that is coming in, one that is going out.

    >>> unit = CombiningUnit()
    >>> unit.register(unit.reserve(), key=7, count=2, link=3, soft=0)
    True
    >>> unit.receive(Ack(7, body=1))
    >>> unit.receive(Ack(7, body=4))
    >>> Ack.parse(unit.emit()).body
    5
    """

    def __init__(self, entries: int = ENTRIES) -> None:
        self.entries: list[Entry | None] = [None] * entries
        self.incoming: list[int] = []
        self.stray: Ack | None = None
        """An acknowledge for the MBP: of no entry, or of one that has waited too long."""

    def reserve(self) -> Entry | None:
        """An entry for a multicast whose key is still to come; None when all are taken and the MBP has to combine."""
        free = [k for k, entry in enumerate(self.entries) if entry is None]
        if not free:
            return None
        self.entries[free[0]] = made = Entry()
        return made

    def register(self, entry: Entry, key: int, count: int, link: int, soft: int) -> bool:
        """Fill a reserved entry; False, and the entry is free again, when the key is there already (choice K7)."""
        if any(other is not None and other.key == key for other in self.entries):
            self.release(entry)
            return False
        entry.key, entry.count, entry.link, entry.soft = key, count, link, soft
        return True

    def release(self, entry: Entry) -> None:
        """Give a reserved entry up."""
        self.entries[self.entries.index(entry)] = None

    @property
    def ready(self) -> bool:
        """Whether an acknowledge may be sent to the unit."""
        return not self.incoming and self.stray is None

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do until an acknowledge comes."""
        return self.ready and all(entry is None or entry.count for entry in self.entries)

    def receive(self, ack: Ack) -> None:
        """Compare an acknowledge with every entry."""
        for entry in self.entries:
            if entry is not None and entry.key == ack.key and entry.count:
                entry.count -= 1
                entry.body |= ack.body
                return
        self.stray = Ack(ack.key, MBP1, 0, 0, ack.body)

    def step(self, ticks: int = 0, limit: int = 0) -> None:
        """One clock: take a complete acknowledge; after `limit` ticks an entry is given up (choice K6)."""
        if len(self.incoming) == 3:
            ack = Ack.parse(self.incoming)
            self.incoming = []
            self.receive(ack)
        for k, entry in enumerate(self.entries):
            if entry is not None and entry.count > 0 and limit:
                entry.age += ticks
                if entry.age >= limit and self.stray is None:
                    self.stray = Ack(entry.key, MBP1, 0, 1, entry.body)
                    self.entries[k] = None

    def emit(self) -> list[int] | None:
        """The flits of the next acknowledge to go out, None when there is none."""
        if self.stray is not None:
            ack, self.stray = self.stray, None
            return ack.flits()
        for k, entry in enumerate(self.entries):
            if entry is not None and entry.count == 0:
                self.entries[k] = None
                return Ack(entry.key, entry.link, entry.soft, 0, entry.body).flits()
        return None
