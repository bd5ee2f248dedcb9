"""Bisection widths with a published proof, for the families that have one, and halvings with just as many links.

Sources: Azizoglu and Egecioglu, Extremal sets minimizing dimension-normalized boundary in Hamming graphs, SIAM J.
Discrete Mathematics 17 (2003), and The bisection width and the isoperimetric number of arrays, Discrete Applied
Mathematics 138 (2004); Arjona Aroca and Fernandez Anta, Bisection (band)width of product networks, TAMC 2012 (tori);
Leighton, Introduction to Parallel Algorithms and Architectures (1992), section 1.9 (even sides); Lindsey, Assignment
of numbers to vertices, American Mathematical Monthly 71 (1964). Used by the families only.
"""

from __future__ import annotations

from math import prod

from jumpnet.terms import Array
from jumpnet.topology._grid import coordinates, index

__all__ = ["array_width", "first_half", "hamming_width", "torus_width"]


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
    and 3 are complete graphs.

    >>> torus_width((7, 7, 7)), torus_width((6, 2)), torus_width((5, 2))
    ((114, 'Arjona Aroca and Fernandez Anta 2012'), (4, 'Leighton 1992, section 1.9'), None)
    """
    longest = max(sides)
    if longest <= 3:
        return hamming_width(sides), "Lindsey 1964"
    if longest % 2 == 0:
        return 2 * prod(sides) // longest, "Leighton 1992, section 1.9"
    return None if 2 in sides else (2 * array_width(sides), "Arjona Aroca and Fernandez Anta 2012")


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
    order = sorted(range(len(sides)), key=lambda d: sides[d], reverse=longest_fastest)
    place = index(coordinates(sides)[:, order], tuple(sides[d] for d in order))
    half: Array = place < len(place) // 2
    return half
