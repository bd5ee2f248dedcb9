"""What the papers leave open about the chip and a user may want to vary, in one place.

Source: docs/decisions/0050, by the letters of each field. The defaults are the choices made there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from jumpnet.api.public import public
from jumpnet.chip.combining import ENTRIES
from jumpnet.chip.packet import HEADER_FLITS
from jumpnet.chip.watchdog import TICKS, limit_clocks
from jumpnet.errors import JumpnetError
from jumpnet.settings.settings import settings_of

__all__ = ["Settings"]


@public
@dataclass(frozen=True)
class Settings:
    """Choices of a chip network."""

    full_duplex: bool = False
    """S7: two buses a link instead of one that the ends share."""
    turn_round: Annotated[int, Ge(0), Le(1)] = 0
    """S7: idle clocks of a line when its direction changes, 0 or 1."""
    early: bool = True
    """M4, M7: a buffer is ready again while its last copy leaves; else when it is empty."""
    bitmap_clocks: Annotated[int, Ge(0), Le(HEADER_FLITS)] = 0
    """L2: clocks of the bit-map generator, 0 for as many as the header flits it needs (1, 2 or 3)."""
    entries: Annotated[int, Ge(0)] = ENTRIES
    """K4: entries of the combining unit."""
    entry_ticks: Annotated[int, Ge(0)] = 0
    """K6: watchdog ticks after which an entry is given up, 0 for never."""
    watchdog_clocks: Annotated[int, Ge(TICKS)] = limit_clocks(0)
    """E5: clocks that a packet may stay in a buffer (a model may take less than the chip's shortest)."""
    cascade: bool = False
    """D2: a chip that shoots down, its MBP or an error having asked for it, raises the barrier line: so all do."""
    remake_clocks: Annotated[int, Ge(0)] = 1
    """B7: clocks that an MBP takes to make a new map."""
    wait_for_all: bool = False
    """M2: a pass starts when all its outputs can take it, and to all at once: what nishi1997router section 4.2.1 calls
    the simplest way, and the chip does not do. With `full_duplex` only: ends of shared lines could wait in a ring."""

    def __post_init__(self) -> None:
        """Raise JumpnetError for values that no chip can have."""
        settings_of(Settings, "chip").check((), vars(self))
        if self.wait_for_all and not self.full_duplex:
            raise JumpnetError("wait_for_all with lines that both ends share found, full_duplex expected with it")
