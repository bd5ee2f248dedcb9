"""Matchings of inputs and outputs as a whole, and random draws, as the reference router uses them.

Sources: Tamir and Chi 1993 (wavefront), Gupta and McKeown 1999 (lonely outputs), BookSim 2 (the order of the paths).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, MutableSequence, Sequence
from typing import Any

from jumpnet.jit.random import plain_below, plain_draw63

__all__ = ["WHOLE", "largest", "lonely", "one_of", "sweep"]

WHOLE = ("lonely_output", "max_size")
"""Allocators that match by `lonely` and `largest`."""

Asked = Mapping[int, Collection[int]]
"""The outputs that each input asks for."""


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
                if cells.get(cell) == rank and all(cell[0] != i and output != o for i, o in granted):
                    granted.append(cell)
    return granted


def lonely(asked: Asked, input_turns: MutableSequence[int], output_turns: MutableSequence[int]) -> dict[int, int]:
    """The output that each input gets: it asks for the one that fewest ask for, of which each grants one; in turn.

    The turns of those that are matched go on by one.

    >>> turns = [0, 0], [0, 0]
    >>> lonely({0: [0, 1], 1: [0]}, *turns), turns
    ({1: 0, 0: 1}, ([1, 1], [1, 1]))
    """
    inputs, outputs = len(input_turns), len(output_turns)
    count = [sum(o in wanted for wanted in asked.values()) for o in range(outputs)]
    chosen = {
        i: min(wanted, key=lambda o: (count[o], (o - input_turns[i]) % outputs))
        for i, wanted in asked.items()
        if wanted
    }
    found = {}
    for o in sorted(set(chosen.values())):
        i = min((i for i in chosen if chosen[i] == o), key=lambda i: (i - output_turns[o]) % inputs)
        found[i] = o
        input_turns[i], output_turns[o] = (input_turns[i] + 1) % outputs, (output_turns[o] + 1) % inputs
    return found


def largest(asked: Asked, inputs: int, first: int) -> dict[int, int]:
    """A matching of most inputs, by shortest augmenting paths from inputs without an output, from the first one on.

    >>> largest({0: [0, 1], 1: [0]}, 2, 0)
    {0: 1, 1: 0}
    """
    found: dict[int, int] = {}
    while True:
        queue = [i for k in range(inputs) if (i := (k + first) % inputs) not in found]
        came_from: dict[int, int] = {}
        end = None
        for i in queue:  # which grows
            for o in sorted(asked.get(i, ())):
                if end is None and o not in came_from and found.get(i) != o:
                    came_from[o] = i
                    owner = next((k for k in found if found[k] == o), None)
                    if owner is None:
                        end = o
                    else:
                        queue.append(owner)
        if end is None:
            return found
        while end is not None:
            i = came_from[end]
            found[i], end = end, found.get(i)
