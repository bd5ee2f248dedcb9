"""Shooting down and setting up: the modes of a chip, and the commands by which an MBP drives them.

Source: nishi1997router section 4.4. Normal, then shooting down (every packet in the buffers goes to the MBP), then,
when all buffers are empty, setting up (the MBP gives the packets back), then normal. Choices D1 to D6 and E7 of
docs/decisions/0050: a command is a tag flit for link 15, a flit with the code, and a flit with a value of 16 bits.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.chip.configuration import NO_LINK
from jumpnet.chip.packet import ADDRESS, COMMAND, FLIT_1, Tag, pack, unpack
from jumpnet.errors import JumpnetError

__all__ = ["CODES", "CONFIGURE", "END", "MODE_NAMES", "NORMAL", "SETTING_UP", "SHOOT", "SHOOTING", "WATCHDOG",
           "Command", "Modes"]  # fmt: skip

MODE_NAMES = ("normal", "shooting down", "setting up")
NORMAL, SHOOTING, SETTING_UP = range(3)

SETTLE = 5
"""Clocks after the ready levels went off in which a packet granted before can still come in (check to input buffer)."""

CODES = ("END", "SHOOT", "WATCHDOG", "CONFIGURE")
END, SHOOT, WATCHDOG, CONFIGURE = range(4)


class Modes:
    """The mode of one chip.

    >>> modes = Modes()
    >>> modes.shoot()
    >>> for clock in range(6): modes.step(quiet=True)
    >>> MODE_NAMES[modes.now]
    'setting up'
    """

    def __init__(self) -> None:
        self.now = NORMAL
        self.clocks = 0
        """Clocks in this mode."""

    def shoot(self) -> None:
        """The request of the MBP, of the barrier line, or an error."""
        if self.now == NORMAL:
            self.now, self.clocks = SHOOTING, 0

    def end(self) -> None:
        """The MBP has given everything back."""
        if self.now == SETTING_UP:
            self.now, self.clocks = NORMAL, 0

    def step(self, quiet: bool) -> None:
        """One clock; `quiet`: all buffers are empty."""
        self.clocks += 1
        if self.now == SHOOTING and quiet and self.clocks > SETTLE:
            self.now, self.clocks = SETTING_UP, 0


@dataclass(frozen=True)
class Command:
    """A command of the MBP to its chip, which obeys it (`Chip.obey`)."""

    code: int
    index: int = 0
    """Which word of the configuration."""
    value: int = 0

    def flits(self) -> list[int]:
        """The command on the line, tag first."""
        return [
            Tag(NO_LINK, 0, 0).flit(),
            pack(FLIT_1, status=COMMAND, map=self.code, rank=self.index),
            pack(ADDRESS, key=self.value),
        ]

    @staticmethod
    def parse(flits: list[int]) -> Command:
        """The command in the two flits after the tag.

        >>> Command.parse(Command(WATCHDOG, 0, 3).flits()[1:])
        Command(code=2, index=0, value=3)
        """
        head = unpack(FLIT_1, flits[0])
        if len(flits) != 2 or head["status"] != COMMAND or head["map"] >= len(CODES):
            raise JumpnetError(f"command {flits} found, one of {', '.join(CODES)} expected")
        return Command(head["map"], head["rank"], unpack(ADDRESS, flits[1])["key"])
