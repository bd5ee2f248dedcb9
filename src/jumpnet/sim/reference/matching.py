"""Wavefront matching and random draws, as the reference router uses them. Source: Tamir and Chi 1993 (wavefront)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.jit.random import plain_below, plain_draw63

__all__ = ["one_of", "sweep"]


def one_of(numbers: Sequence[int], key: int, place: int) -> int:
    """One of some numbers, by the draw at that place of the stream with that key."""
    return numbers[plain_below(plain_draw63(key, place), len(numbers))]


def sweep(cells: Mapping[tuple[int, int], Any], diagonal: int, square: int) -> list[tuple[int, int]]:
    """The requests (input, output) of those ranks that are granted, in order: by rank, then by diagonals.

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
