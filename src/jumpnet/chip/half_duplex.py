"""A link between two chips, or a chip and an MBP: one bus of 18 lines that its two ends use in turn, packet by packet.

Source: nishi1997router section 4.1 ("packets are bidirectionally transferred") and 260 signal pins, which leave no room
for two buses a link. The protocol is choice S7 of docs/decisions/0050: both ends see both requests; when both ask,
the end that did not send last goes first; `turn_round` idle clocks when the direction changes. Arbitrated in the same
clock as the crossbar (section 4.2.3).
"""

from __future__ import annotations

from typing import Protocol

from jumpnet.chip.links import IDLE

__all__ = ["Line", "Register", "Sleeper"]


class Register:
    """A flit and its strobe, held for one clock: what is put in a clock can be taken in the next, and only then.

    >>> wire = Register()
    >>> wire.put(7, 1, clock=3)
    >>> wire.take(3), wire.take(4), wire.take(5)
    ((0, 0), (7, 1), (0, 0))
    """

    def __init__(self) -> None:
        self.now = self.before = (-1, 0, IDLE)

    def put(self, flit: int, strobe: int, clock: int) -> None:
        """Drive in this clock."""
        self.now, self.before = (clock, flit, strobe), self.now

    def take(self, clock: int) -> tuple[int, int]:
        """What was driven in the clock before."""
        for driven, flit, strobe in (self.now, self.before):
            if driven == clock - 1:
                return flit, strobe
        return 0, IDLE


class Sleeper(Protocol):
    """A chip or an MBP: it sleeps while it has nothing to do, which changes nothing but the time a run takes."""

    asleep: bool
    woken: int
    """Clock of the last flit that was sent to it; it is taken in the next."""


class Line:
    """The wires of one link; its ends are 0 and 1."""

    def __init__(self, turn_round: int = 0, full_duplex: bool = False) -> None:
        self.turn_round, self.full_duplex = turn_round, full_duplex
        self.wants = [False, False]
        """Requests of the ends, as driven in the clock before."""
        self.driving = [False, False]
        self.last = 1
        self.released_at = -1
        self.at: list[Sleeper | None] = [None, None]
        """Who is at each end."""
        self.wire = [Register(), Register()]
        """What each end drives."""
        self.ready = [(True, True), (True, True)]
        """Ready levels: whether each end can take a packet on each virtual channel, as of the clock before."""
        self.stuck_ready = [False, False]
        """Fault injection: an end whose ready wires are stuck at not ready."""
        self.flips: dict[int, int] = {}
        """Fault injection: bits to flip in the flit that passes in a clock."""

    def may_send(self, end: int, clock: int) -> bool:
        """Whether an end that asks is granted the line in this clock.

        >>> line = Line()
        >>> line.wants = [True, True]
        >>> line.may_send(0, 5), line.may_send(1, 5)
        (True, False)
        """
        if self.full_duplex:
            return self.wants[end] and not self.driving[end]
        if any(self.driving) or not self.wants[end]:
            return False
        if self.wants[1 - end] and self.last == end:
            return False
        return self.last == end or clock >= self.released_at + self.turn_round

    def start(self, end: int) -> None:
        """An end begins a packet."""
        self.driving[end], self.last = True, end

    def release(self, end: int, clock: int) -> None:
        """The last flit has been put on the line."""
        self.driving[end], self.released_at = False, clock

    def put(self, end: int, flit: int, strobe: int, clock: int) -> None:
        """Drive the lines for one clock."""
        self.wire[end].put(flit ^ self.flips.get(clock, 0), strobe, clock)
        sleeper = self.at[1 - end]
        if sleeper is not None:
            sleeper.asleep, sleeper.woken = False, clock

    def take(self, end: int, clock: int) -> tuple[int, int]:
        """What the other end drove in the clock before."""
        return self.wire[1 - end].take(clock)
