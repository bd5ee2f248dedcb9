"""What may happen next in a state of one line under a protocol, and what came of it. Used by `model`."""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.coherence.search.records import FRESH

__all__ = ["State", "Step", "Way", "WrongStepError"]

State = tuple[int, ...]
"""Number of the home's record, then those of the caches, ascending."""


class Way(NamedTuple):
    """What may happen next."""

    where: str
    """`cache` or `home` where one acts by itself; else the channel of the message that arrives: `down` at a cache,
    `asked` or `up` at the home, `joined` for combined acknowledges."""
    cache: int
    """The cache at which it happens or whose message arrives, from 1 on; 0 where there is none."""
    event: str
    """Of the tables."""
    value: int = FRESH
    """Of the message's line."""

    @property
    def at_cache(self) -> bool:
        """Whether it happens at a cache."""
        return self.where in ("cache", "down")

    @property
    def delivers(self) -> bool:
        """Whether a message arrives."""
        return self.where not in ("cache", "home")


class Step(NamedTuple):
    """One way on from a state."""

    after: State
    label: str
    """In words, e.g. `M: GetS at the home`."""
    delivers: bool
    """A message arrived; otherwise somebody acted by himself."""
    cache: int
    """The cache at which it happens or whose message arrives, from 1 on; 0 where there is none."""
    event: str
    """Of the tables."""


class WrongStepError(Exception):
    """The tables have no answer, or one that makes no sense: the fault in words."""
