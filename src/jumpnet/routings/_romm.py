"""What ROMM's routings share: how one draw says for each dimension which part of its way comes first.

Source: Nesson and Johnsson 1995. Used by `mesh.romm` and `torus.romm`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

from jumpnet.jit.linked import kernel

__all__ = ["bases_of", "part_of"]


def bases_of(longest: Iterable[int]) -> list[int]:
    """Base of each dimension's digit of the draw, at most 64, from the longest way in that dimension.

    A base that w + 1 divides makes the w + 1 parts of a way of w hops, 0 to w, equally likely.

    >>> bases_of([1, 2, 4, 9])
    [2, 6, 60, 64]
    """
    return [min(64, lcm(*range(1, int(way) + 2))) for way in longest]


@kernel
def part_of(draw, base, way):
    """The part, 0 to `way` hops, that the lowest digit of a draw stands for."""
    return (draw % base) * (way + 1) // base
