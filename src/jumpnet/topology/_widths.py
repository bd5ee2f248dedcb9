"""Bisection widths with a published proof, for the families that have one, and halvings with just as many links.

Sources: Azizoglu and Egecioglu, Extremal sets minimizing dimension-normalized boundary in Hamming graphs, SIAM J.
Discrete Mathematics 17 (2003), and The bisection width and the isoperimetric number of arrays, Discrete Applied
Mathematics 138 (2004); Arjona Aroca and Fernandez Anta, Bisection (band)width of product networks, TAMC 2012 (tori);
Leighton, Introduction to Parallel Algorithms and Architectures (1992), section 1.9 (even sides); Lindsey, Assignment
of numbers to vertices, American Mathematical Monthly 71 (1964). Used by the families only.
"""

from __future__ import annotations

from math import prod

import numpy as np

from jumpnet.terms import Array
from jumpnet.topology._grid import coordinates, index

__all__ = ["array_width", "first_half", "half_in_turn", "hamming_width", "slices_width", "torus_width"]

LONGEST_COMPLETE = 3
"""A ring of so many is a complete graph."""
MOST_CELLS = 1 << 22
"""Of the table that bounds a width by slices: a second."""
FAR = 1 << 40
"""More links than any torus has."""


def array_width(sides: tuple[int, ...]) -> int:
    """Links over the middle of a mesh, with unlike sides too: a cut across the longest side.

    Where that side is odd the slab in its middle is halved likewise, and so on until a side is even. All sides k odd:
    (k^n - 1) / (k - 1). Source: Azizoglu and Egecioglu 2004.

    >>> array_width((4, 4)), array_width((3, 3, 3)), array_width((4, 5))
    (4, 13, 5)
    """
    links, slab = 0, prod(sides)
    for k in sorted((k for k in sides if k > 1), reverse=True):
        slab //= k
        links += slab
        if k % 2 == 0:
            break
    return links


def torus_width(sides: tuple[int, ...]) -> tuple[int, str] | None:
    """The bisection width of a torus and its source; None for sides that no theorem covers.

    Twice the mesh, as a ring is cut twice. A side of 2 is one link only: then a theorem is known where the longest side
    is even (all pairs send over shortest paths, whose loads bound the cut), or where no side is above 3, as rings of 2
    and 3 are complete graphs. Two sides of 2 are a ring of 4; one among odd longest sides is bounded by `slices_width`.

    >>> torus_width((7, 7, 7)), torus_width((6, 2)), torus_width((9, 3, 2))
    ((114, 'Arjona Aroca and Fernandez Anta 2012'), (4, 'Leighton 1992, section 1.9'), (15, 'jumpnet, decision 0085'))
    """
    longest = max(sides)
    if longest > LONGEST_COMPLETE and longest % 2 and 2 in sides:
        twos = sides.count(2)
        sides = (*(k for k in sides if k != 2), *([4] * (twos // 2)), *([2] * (twos % 2)))
        if twos % 2:
            found = slices_width(sides)
            met = found == min(_cut_in_turn(sides), prod(sides) // 2)
            return (found, "jumpnet, decision 0085") if found is not None and met else None
    if longest <= 3:
        return hamming_width(sides), "Lindsey 1964"
    if longest % 2 == 0:
        return 2 * prod(sides) // longest, "Leighton 1992, section 1.9"
    return 2 * array_width(sides), "Arjona Aroca and Fernandez Anta 2012"


def slices_width(sides: tuple[int, ...]) -> int | None:
    """A lower bound of a torus's bisection width, by sets of nested slices; None where that takes more than MOST_CELLS.

    Pushed to one end of every line, a set has no more lines that it parts; each such ring is cut twice, each side of 2
    once. So pushed, the slices of a set across a side are nested: of all their sizes, falling from a_1 to a_k, the
    least sum of what cuts each slice, and a_1 - a_k lines across. Met by a halving for all of the 85 tori of this kind
    of two to four sides up to 15 and 400 routers. Proof: decision 0085. Cost: O(R R / k) for the longest side k.

    >>> slices_width((5, 2)), slices_width((5, 3, 2)), slices_width((7, 5, 2))
    (5, 15, 25)
    """
    order = sorted(k for k in sides if k > 1)
    if prod(order) * (prod(order[:-1]) + 1) > MOST_CELLS:
        return None
    least = np.zeros(2, np.int64)  # by the number of routers in a set: of one router, none or all
    for k in order:
        routers, lines = len(least) - 1, np.arange(len(least)) * (1 if k == 2 else 2)
        cost = np.full((routers + 1, routers * k + 1), FAR, np.int64)  # [size of the last slice, of all so far]
        cost[np.arange(routers + 1), np.arange(routers + 1)] = least + lines
        for _ in range(1, k):
            before = np.minimum.accumulate(cost[::-1], axis=0)[::-1]  # the slice before is no smaller
            cost = np.full_like(cost, FAR)
            for size in range(routers + 1):
                cost[size, size:] = before[size, : routers * k + 1 - size] + least[size]
        least = (cost - lines[:, None]).min(axis=0)
    return int(least[prod(order) // 2])


def _cut_in_turn(sides: tuple[int, ...]) -> int:
    """Links that `half_in_turn` cuts where it does not halve across a side of 2.

    >>> _cut_in_turn((5, 2)), _cut_in_turn((9, 3, 2)), _cut_in_turn((9, 4, 2))
    (5, 15, 20)
    """
    links, left = 0, sorted(sides)
    while left[-1] > LONGEST_COMPLETE and left[-1] % 2:
        left.pop()
        links += 2 * prod(left)
    return links + (2 * prod(left[:-1]) if left[-1] > LONGEST_COMPLETE else hamming_width(tuple(left)))


def half_in_turn(sides: tuple[int, ...]) -> Array:
    """(R,) bool: halves a torus with sides of 2 by a plane across the longest side, its middle slab likewise, until a
    side is even or all are complete; or across a side of 2, where that cuts fewer links.

    >>> half_in_turn((5, 2)).tolist()
    [True, True, True, False, False, True, True, False, False, False]
    """
    by_length = sorted(range(len(sides)), key=lambda d: -sides[d])
    if prod(sides) // 2 < _cut_in_turn(sides):
        return _lower_half(sides, sorted(by_length, key=lambda d: sides[d] != 2))
    long = [d for d in by_length if sides[d] > LONGEST_COMPLETE]
    return _lower_half(sides, [*long, *(d for d in reversed(by_length) if d not in long)])


def hamming_width(sides: tuple[int, ...]) -> int:
    """The bisection width of a grid whose lines are complete graphs: the first half in lexicographic order.

    The longest side runs fastest: no set of as many routers has fewer links outward. Source: Lindsey 1964.

    >>> hamming_width((2, 2, 2)), hamming_width((5, 5)), hamming_width((6, 3))
    (4, 36, 21)
    """
    links, slab = 0, prod(sides)
    inside = slab // 2
    for k in sorted(sides):
        slab //= k
        whole, rest = divmod(inside, slab)  # slabs of the half, and its routers in the slab that it parts
        links += rest * (whole + 1) * (k - whole - 1) + (slab - rest) * whole * (k - whole)
        inside = rest
    return links


def first_half(sides: tuple[int, ...], longest_fastest: bool) -> Array:
    """(R,) bool: the first R // 2 routers in the order in which the longest side runs fastest, or slowest.

    >>> first_half((2, 3), False).tolist()
    [True, True, True, False, False, False]
    """
    return _lower_half(sides, sorted(range(len(sides)), key=lambda d: sides[d], reverse=longest_fastest)[::-1])


def _lower_half(sides: tuple[int, ...], slowest_first: list[int]) -> Array:
    """(R,) bool: the first R // 2 routers in the order of digits given, of one for each side."""
    order = slowest_first[::-1]
    place = index(coordinates(sides)[:, order], tuple(sides[d] for d in order))
    half: Array = place < len(place) // 2
    return half
