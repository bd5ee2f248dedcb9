"""Wavefront matching and random draws, as the reference router uses them. Source: Tamir and Chi 1993 (wavefront)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from jumpnet.jit.random import plain_below, plain_draw63, plain_stream_key

__all__ = ["Draws", "sweep"]


@dataclass(frozen=True)
class Draws:
    """The random numbers of a stream, by their places in it."""

    seed: int
    stream: int

    def below(self, place: int, n: int) -> int:
        """One of 0 to n - 1."""
        return plain_below(plain_draw63(self._key, place), n)

    def one_of(self, numbers: Sequence[int], place: int) -> int:
        """One of some numbers."""
        return numbers[self.below(place, len(numbers))]

    @cached_property
    def _key(self) -> int:
        return plain_stream_key(self.seed, self.stream)


def sweep(cells: Mapping[tuple[int, int], int], diagonal: int, square: int) -> list[tuple[int, int]]:
    """The requests (input, output) that are granted, in order: those of a lower rank first, then by diagonals.

    A diagonal holds the cells of a square whose input and output have the same sum, modulo its side; a request there is
    granted when its input and its output are free.

    >>> sweep({(0, 0): 0, (0, 1): 0, (1, 0): 0}, 1, 2)
    [(1, 0), (0, 1)]
    """
    granted: list[tuple[int, int]] = []
    for rank in sorted(set(cells.values())):
        for place in range(square):
            for output in range(square):
                cell = (diagonal + place - output) % square, output
                free = all(cell[0] != i and output != o for i, o in granted)
                if cells.get(cell) == rank and free:
                    granted.append(cell)
    return granted
