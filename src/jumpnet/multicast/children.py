"""The children of a router on a recursive diagonal torus: how one rank of the fat tree branches.

Source: kudoh1995rhbd section 4 and Figure 7 (n = 2: M, its neighbors N E W S, and SE SW SS beyond the neighbor S). The
2n^2 children are one representative of each coset of the lattice that the next rank generates, so that offsets in a
territory have unique digits. For other n: the representative nearest to the origin. Used by all of `multicast`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product

from jumpnet.errors import JumpnetError

__all__ = [
    "FIGURE_7_ORDER",
    "MOST_CHILDREN",
    "NAMES",
    "children",
    "class_of",
    "depth",
    "figure_7",
    "preference",
    "route",
    "stride",
]

NAMES = ("M", "N", "E", "W", "S", "SE", "SW", "SS")
"""Names of the eight children for n = 2, in digit order; M is the router itself, y grows downward (south)."""

FIGURE_7_ORDER = ("N", "E", "W", "S", "M", "SE", "SW", "SS")
"""The order of the bits in the paper's Figure 7."""

MOST_CHILDREN = 62
"""A bit-map is one 64-bit integer with the sign left alone: n up to 5."""


@cache
def children(n: int = 2) -> tuple[tuple[int, int], ...]:
    """The 2n^2 children (dx, dy) of a router in units of the rank, digit 0 being the router itself.

    Each is the place of its coset nearest to the origin, in hops; of several the most southern (largest y), then the
    most eastern. They are ordered by hops, then from north to south, then from east to west. Raises JumpnetError for n
    below 2 or above 5.

    >>> children(2)
    ((0, 0), (0, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1), (0, 2))
    """
    if n < 2 or 2 * n * n > MOST_CHILDREN:
        raise JumpnetError(f"cardinal number {n} found, 2 to 5 expected for bit-maps of at most {MOST_CHILDREN} bits")
    nearest: dict[int, tuple[int, int]] = {}
    for x, y in sorted(product(range(-2 * n, 2 * n + 1), repeat=2), key=_nearness):
        nearest.setdefault(class_of(x, y, n), (x, y))
    return tuple(sorted(nearest.values(), key=lambda v: (abs(v[0]) + abs(v[1]), v[1], -v[0])))


def _nearness(place: tuple[int, ...]) -> tuple[int, int, int]:
    x, y = place[0], place[1]
    return abs(x) + abs(y), -y, -x


@cache
def preference(n: int = 2) -> tuple[int, ...]:
    """Digits in the order in which one is chosen where a small torus makes several children the same router: fewest
    hops, then the most southern, then the most eastern.

    >>> [NAMES[digit] for digit in preference()]
    ['M', 'S', 'E', 'W', 'N', 'SS', 'SE', 'SW']
    """
    return tuple(sorted(range(2 * n * n), key=lambda digit: _nearness(children(n)[digit])))


def class_of(x: int, y: int, n: int) -> int:
    """Number 0..2n^2-1 of the coset of (x, y): its place in the minimum node set (yang2001rdt Theorem 2).

    >>> class_of(5, 2, 2)
    3
    """
    row = y // n
    return (y - row * n) * (2 * n) + (x - row * n) % (2 * n)


def route(place: tuple[int, int]) -> list[tuple[int, int]]:
    """The places on the way from the origin to `place`, both ends included: y first, then x (SE is S, then E).

    >>> route((1, 1))
    [(0, 0), (0, 1), (1, 1)]
    """
    x, y = place
    down, across = (1 if y > 0 else -1), (1 if x > 0 else -1)
    return [(0, down * k) for k in range(abs(y) + 1)] + [(across * k, y) for k in range(1, abs(x) + 1)]


def depth(n: int = 2) -> int:
    """Hops from a router to its farthest child.

    >>> depth(2), depth(3)
    (2, 3)
    """
    return max(abs(x) + abs(y) for x, y in children(n))


def stride(n: int = 2) -> int:
    """Bits that a digit takes in a packed string of digits.

    >>> stride(2), stride(3)
    (3, 5)
    """
    return (2 * n * n - 1).bit_length()


@lru_cache(maxsize=256)
def figure_7(bit_map: int) -> int:
    """A map for n = 2 (bit i = child i) with its bits in the order of Figure 7, N first (bit 0).

    >>> figure_7(1), figure_7(0b10)
    (16, 1)
    """
    return sum(1 << FIGURE_7_ORDER.index(name) for i, name in enumerate(NAMES) if bit_map >> i & 1)
