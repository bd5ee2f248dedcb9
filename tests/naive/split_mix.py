"""SplitMix64 as its authors wrote it: a state that goes on by a constant, and a mix of it (Steele, Lea, Flood 2014)."""

from __future__ import annotations

WORD = 2**64


def mix(z: int) -> int:
    """The finalizer, in unbounded integers cut to 64 bits."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


class SplitMix64:
    """The generator with state."""

    def __init__(self, seed: int) -> None:
        self.state = seed % WORD

    def next(self) -> int:
        """The next number, 0 to 2**64 - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        return mix(self.state)
