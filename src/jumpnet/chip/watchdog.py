"""The watch-dog timers: one age a buffer, one prescaler a chip.

Source: nishi1997router section 4.5 (a timer a buffer, 100 us to 100 ms). The time is one of four decades; a common
prescaler ticks four times in it, and a timer fires with its fifth tick, after 1 to 1.25 times the time: 3 bits a buffer
instead of 23 (choice E5 of docs/decisions/0050).
"""

from __future__ import annotations

from jumpnet.errors import JumpnetError

__all__ = ["CLOCK_HZ", "DECADES_US", "FIRES_AT", "TICKS", "Watchdog", "limit_clocks"]

CLOCK_HZ = 50_000_000
"""Clock of nishi1997router's summary and Table 1 (60 MHz in its text; choice X3)."""
DECADES_US = (100, 1_000, 10_000, 100_000)
FIRES_AT = 5
TICKS = FIRES_AT - 1


def limit_clocks(decade: int, clock_hz: int = CLOCK_HZ) -> int:
    """Clocks of a setting 0..3.

    >>> limit_clocks(0), limit_clocks(3)
    (5000, 5000000)
    """
    if not 0 <= decade < len(DECADES_US):
        raise JumpnetError(f"watchdog setting {decade} found, 0 to {len(DECADES_US) - 1} expected")
    return DECADES_US[decade] * (clock_hz // 1_000_000)


class Watchdog:
    """The prescaler; ages live in the buffers."""

    def __init__(self, clocks: int = limit_clocks(0)) -> None:
        self.set(clocks)

    def set(self, clocks: int) -> None:
        """Choose the time in clocks."""
        if clocks < TICKS:
            raise JumpnetError(f"watchdog time of {clocks} clocks found, at least {TICKS} expected")
        self.period = clocks // TICKS

    def tick(self, clock: int) -> bool:
        """Whether the ages go up by one in a clock."""
        return clock % self.period == self.period - 1
