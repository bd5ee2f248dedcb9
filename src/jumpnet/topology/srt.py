"""Shifted Recursive Torus, 1-D and 2-D: a ring or torus whose nodes each have bypass links of one level.

Source: inoguchi1996srt, Definitions 1 to 9. A node of level l has bypass links of span 2^l; the level follows from
the address a: i in 1-D, x + s y in 2-D with the odd shift s, so that every row and every column is a 1D-SRT.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.networks import Implicit, Network, Orbits, from_neighbors, simple_links
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle, coordinates, index

__all__ = ["Srt1d", "Srt2d", "Variant", "Variant1d", "bypass_levels"]

Variant = Literal["standard", "ls", "ss"]
"""Definitions 3 (standard), 4 (long span) and 5 (short span)."""
Variant1d = Literal["standard", "ls", "ss", "pairs"]
"""`ss` closes 0, N/4, N/2, 3N/4 to a ring, as the proof of Corollary 3 says and Table 1 needs; `pairs` adds the two
links that Definition 5 names (0-N/4 and N/2-3N/4) and no more."""


def bypass_levels(nodes: int, variant: Variant1d) -> I64:
    """(nodes,) the level of the bypass links of each address, 0 where it has none (Definitions 2 to 5).

    >>> bypass_levels(16, "standard").tolist()
    [0, 1, 2, 1, 3, 1, 2, 1, 0, 1, 2, 1, 3, 1, 2, 1]
    >>> bypass_levels(16, "ss")[::4].tolist()
    [2, 2, 2, 2]
    """
    n = nodes.bit_length() - 1
    address = np.arange(nodes, dtype=np.int64)
    level = np.zeros(nodes, np.int64)
    for k in range(1, n):
        level[address % 2**k == 2 ** (k - 1)] = k
    if variant == "ls":
        level[[0, nodes // 2]] = n - 1
    elif variant in ("ss", "pairs"):
        level[:: nodes // 4] = n - 2
    return level


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params as documented at `Srt2d` (1-D: rows = 1)."""
    N, rows, s = params[0], params[1], params[2]
    x, y = router % N, router // N
    level = params[3 + (x + s * y) % N]
    out[0] = y * N + (x + 1) % N
    out[1] = y * N + (x - 1) % N
    count = 2
    if rows > 1:
        out[2] = (y + 1) % N * N + x
        out[3] = (y - 1) % N * N + x
        count = 4
    if level > 0:
        span = 1 << level
        out[count] = y * N + (x + span) % N
        out[count + 1] = y * N + (x - span) % N
        if rows > 1:
            out[count + 2] = (y + span) % N * N + x
            out[count + 3] = (y - span) % N * N + x
        count += 2 if rows == 1 else 4
    return count


class _Shifted(Family):
    """What the 1-D and 2-D forms share: `_nodes` along an axis, `_axes` (1 or 2), the variant and the shift."""

    _axes: ClassVar[int]
    variant: Variant | Variant1d

    @property
    def _nodes(self) -> int:
        raise AssertionError

    @property
    def _s(self) -> int:
        return 0

    def _check(self) -> None:
        N = self._nodes
        if N < 4 or N & (N - 1):
            raise JumpnetError(f"{self.name}: {N} nodes a side found, a power of two from 4 expected")

    def _params(self) -> I64:
        N = self._nodes
        require(40 * N, f"{self.spec}: a list of the levels of {N:,} addresses")
        levels = bypass_levels(N, self.variant)
        return np.concatenate([np.array([N, N ** (self._axes - 1), self._s % N], np.int64), levels])

    def _period(self) -> int:
        """Adding this to every address keeps the bypass levels; with negation it gives the address orbits."""
        return self._nodes // (4 if self.variant == "ss" else 2)

    def _orbits(self) -> Orbits:
        N, period = self._nodes, self._period()
        first = np.arange(period // 2 + 1, dtype=np.int64)
        alone = (first == 0) | (2 * first == period)
        return Orbits(first, np.where(alone, 1, 2) * (N // period) * N ** (self._axes - 1))

    def build(self) -> Network:
        N, axes = self._nodes, self._axes
        coord = coordinates((N,) * axes)
        at = coord.astype(np.int64)
        address = at[:, 0] if axes == 1 else (at[:, 0] + self._s * at[:, 1]) % N
        level = bypass_levels(N, self.variant)[address]
        columns, classes = [], []
        for bypass in (False, True):
            span = 2**level if bypass else np.ones_like(level)
            for axis in range(axes):
                for sign in (1, -1):
                    moved = at.copy()
                    moved[:, axis] = (moved[:, axis] + sign * span) % N
                    there = index(moved, (N,) * axes)
                    if bypass and self.variant == "pairs":
                        lost = (0, N // 2) if sign < 0 else (N // 4, 3 * N // 4)
                        there[list(lost)] = NO_ROUTER
                    columns.append(np.where(level > 0, there, NO_ROUTER) if bypass else there)
                    classes.append((level if bypass else 0 * level) * 2 * axes + 2 * axis + (sign < 0))
        levels = N.bit_length() - 1
        names = [f"{'xy'[axis]}{sign}" for axis in range(axes) for sign in "+-"]
        return from_neighbors(
            self.spec,
            self.name,
            simple_links(np.stack(columns, axis=1)),
            link_class=np.stack(classes, axis=1),
            class_names=tuple(f"level {k} {name}" for k in range(levels) for name in names),
            class_rank=np.repeat(np.arange(levels), 2 * axes),
            mirror=np.arange(4 * axes) ^ 1,
            coord=coord,
            orbits=None if self.variant == "pairs" else self._orbits(),
            position=circle(N) if axes == 1 else coord.astype(np.float64),
            params=self._params(),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        N, axes = self._nodes, self._axes
        extra = {"standard": 1, "ls": 2, "pairs": 2, "ss": 4 if N > 4 else 0}[self.variant]
        degree = 4 if N > 4 else 2 if self.variant == "ss" else 3
        lines = axes * N ** (axes - 1)
        return {"routers": N**axes, "links": lines * (N + N - 4 + extra), "degree": axes * degree}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        if self.variant == "pairs":
            return
        N, axes = self._nodes, self._axes
        sides = (N,) * axes
        moves = [(self._period(),)] if axes == 1 else [(self._period(), 0), (-self._s, 1)]
        for move in moves:
            yield index((net.coord.astype(np.int64) + np.array(move)) % N, sides)
        yield index(-net.coord.astype(np.int64) % N, sides)

    def implicit(self) -> Implicit | None:
        if self.variant == "pairs":
            return None
        return Implicit(self._nodes**self._axes, 4 * self._axes, _neighbors, self._params(), self._orbits())


@dataclass(frozen=True)
class Srt1d(_Shifted):
    """`srt1d:256,variant=ss` is the Short Span 1D-SRT of 256 nodes (Definitions 1 to 5).

    Variants are standard, ls, ss and pairs (Definition 5 to the letter).

    Ports: x+, x- of the base ring, then x+, x- of the node's bypass level. A span of half the ring is one link, on the
    + port. params: nodes, 1, 0, then the bypass level of each address (0 = none).
    """

    nodes: int
    """Nodes of the ring, a power of two."""
    variant: Variant1d = "standard"
    """Form: standard, long span, short span, or pairs."""

    name: ClassVar[str] = "srt1d"
    samples: ClassVar[tuple[str, ...]] = (
        "srt1d:4",
        "srt1d:8,variant=ss",
        "srt1d:32",
        "srt1d:32,variant=ls",
        "srt1d:32,variant=ss",
        "srt1d:32,variant=pairs",
    )
    _axes: ClassVar[int] = 1

    def __post_init__(self) -> None:
        self._check()
        if self.variant == "pairs" and self.nodes < 8:
            raise JumpnetError(f"srt1d: {self.nodes} nodes found, at least 8 expected for variant=pairs")

    @property
    def _nodes(self) -> int:
        return self.nodes


@dataclass(frozen=True)
class Srt2d(_Shifted):
    """`srt2d:64,variant=ls,shift=uniform` is the uniform Long Span 2D-SRT of 64x64 nodes (Definitions 6 to 9).

    shift: any odd number (1 is Definition 8); `uniform7` to `uniform10`, the equations (7) to (10) of Definition 9:
    with u = 2^ceil((n-1)/2), s = u-1, -(u+1), u+1, -(u-1); or `uniform`, the shift of the paper's evaluation: u+1 for
    the standard form and 2^floor((n-2)/2)+1 for ls and ss (it reproduces every cell of Table 1).

    Ports: x+, x-, y+, y- of the base torus, then the same of the node's bypass level. A span of half a side is one
    link, on the + port. params: side, side, s mod side, then the bypass level of each address x + s y (0 = none).
    """

    side: int
    """Nodes along each side, a power of two."""
    variant: Variant = "standard"
    """Form: standard, long span or short span."""
    shift: int | Literal["uniform", "uniform7", "uniform8", "uniform9", "uniform10"] = 1
    """How far the levels of a row are shifted against those of the row before: an odd number, or a rule."""

    name: ClassVar[str] = "srt2d"
    samples: ClassVar[tuple[str, ...]] = (
        "srt2d:4",
        "srt2d:8,variant=ls",
        "srt2d:16,variant=standard,shift=uniform",
        "srt2d:16,variant=ls,shift=uniform",
        "srt2d:16,variant=ss,shift=uniform",
        "srt2d:8,shift=uniform7",
        "srt2d:8,variant=ss,shift=uniform8",
        "srt2d:8,variant=ls,shift=uniform9",
        "srt2d:8,shift=uniform10",
        "srt2d:8,variant=ss,shift=-5",
    )
    _axes: ClassVar[int] = 2

    def __post_init__(self) -> None:
        self._check()
        if self._s % 2 == 0:
            # An even shift would give a column no origin or several, and no transposed form (Definition 7).
            raise JumpnetError(f"srt2d: shift={self.shift} is {self._s} on side {self.side}, an odd number expected")

    @property
    def _nodes(self) -> int:
        return self.side

    @property
    def _s(self) -> int:
        if isinstance(self.shift, int):
            return self.shift
        n = self.side.bit_length() - 1
        u: int = 2 ** (n // 2)  # n // 2 = ceil((n-1)/2)
        if self.shift == "uniform":
            return u + 1 if self.variant == "standard" else 2 ** ((n - 2) // 2) + 1
        return {"uniform7": u - 1, "uniform8": -u - 1, "uniform9": u + 1, "uniform10": 1 - u}[self.shift]
