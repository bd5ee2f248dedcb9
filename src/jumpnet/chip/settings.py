"""What the papers leave open about the chip and a user may want to vary, in one place.

Source: docs/decisions/0050, by the letters of each field. The defaults are the choices made there.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.chip.combining import ENTRIES
from jumpnet.chip.watchdog import limit_clocks

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """Choices of a chip network."""

    full_duplex: bool = False
    """S7: two buses a link instead of one that the ends share."""
    turn_round: int = 0
    """S7: idle clocks of a line when its direction changes, 0 or 1."""
    early: bool = True
    """M4, M7: a buffer is ready again while its last copy leaves; else when it is empty."""
    bitmap_clocks: int = 0
    """L2: clocks of the bit-map generator, 0 for as many as the header flits it needs (1, 2 or 3)."""
    entries: int = ENTRIES
    """K4: entries of the combining unit."""
    entry_ticks: int = 0
    """K6: watchdog ticks after which an entry is given up, 0 for never."""
    watchdog_clocks: int = limit_clocks(0)
    """E5: clocks that a packet may stay in a buffer (a model may take less than the chip's shortest)."""
    cascade: bool = False
    """D2: a chip that finds an error raises the barrier line, so that all chips shoot down."""
