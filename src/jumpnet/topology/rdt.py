"""Recursive Diagonal Torus RDT(n, R, m) and its perfect form PRDT(n, R): a torus with recursive diagonal tori on it.

Source: yang2001rdt section II, Definitions 1 to 6. The unit vectors of rank r+1 are n(x_r + y_r) and n(y_r - x_r);
which ranks a node has is its torus assignment, decided by its class: its coset of the lattice that rank 1 generates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError, nearest
from jumpnet.networks import Implicit, Network, Orbits, from_neighbors, simple_links
from jumpnet.spec import plain
from jumpnet.terms import I32, I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, index
from jumpnet.topology.rdt_sizes import ranks_that_close

__all__ = ["ALPHA", "Prdt", "Rdt", "class_of", "unit_vectors"]

ALPHA = "2.1.4.3.4.3.2.1"
"""RDT(2,4,1)/alpha (Definition 6): the rank of each class, in row order of the minimum node set x 0..3, y 0..1."""

SUBSTITUTES = {"alpha": (), "alpha_1": (1, 1), "alpha_1_3": (1, 3)}
"""Named assignments: what alpha's two classes of rank 4 take instead where the side has no rank 4 (at most 64)."""

MOST_N = 512
"""Largest cardinal number: numbers of classes and steps stay small."""

DIRECTIONS = ("x+", "x-", "y+", "y-")


def unit_vectors(n: int, R: int) -> I64:
    """(R+1, 2, 2) the vectors x_r and y_r of each rank in base coordinates (yang2001rdt section III.A).

    >>> unit_vectors(2, 2).tolist()
    [[[1, 0], [0, 1]], [[2, 2], [-2, 2]], [[0, 8], [-8, 0]]]
    """
    vectors = np.zeros((R + 1, 2, 2), np.int64)
    vectors[0] = [[1, 0], [0, 1]]
    for r in range(R):
        x, y = vectors[r]
        vectors[r + 1] = [n * x + n * y, n * y - n * x]
    return vectors


def class_of(x: I64, y: I64, n: int) -> I64:
    """Number 0..2n^2-1 of the rank-1 torus through (x, y): its place, row by row, in the minimum node set (Theorem 2).

    >>> int(class_of(5, 2, 2))
    3
    """
    rows = np.floor_divide(y, n)
    return (y - rows * n) * (2 * n) + np.mod(x - rows * n, 2 * n)


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params as documented at `Rdt`."""
    N, n, R = params[0], params[1], params[2]
    x, y = router % N, router // N
    row = y // n
    kind = (y - row * n) * (2 * n) + (x - row * n) % (2 * n)
    ranks = params[3 + 4 * (R + 1) + kind]
    count = 0
    for r in range(R + 1):
        if (ranks >> r) & 1:
            for axis in range(2):
                dx, dy = params[3 + 4 * r + 2 * axis], params[4 + 4 * r + 2 * axis]
                out[count] = ((y + dy) % N) * N + (x + dx) % N
                out[count + 1] = ((y - dy) % N) * N + (x - dx) % N
                count += 2
    return count


class _Recursive(Family):
    """What RDT and PRDT share, given `side`, `n`, and the ranks of each class."""

    @property
    def _side(self) -> int:
        raise AssertionError

    def _ranks(self) -> list[list[int]]:
        """The upper ranks that each class has links for, ascending; impossible ranks already left out."""
        raise AssertionError

    def _possible(self, r: int) -> bool:
        """Whether Definition 2 gives rank r links at this size; raises where the rank is needed but does not close."""
        N, n = self._side, self.n  # type: ignore[attr-defined]
        if r > 2 * N.bit_length() or 2 * (2 * n * n) ** r > N * N:  # the first test keeps the power small
            return False
        period = (2 * n * n) ** (r // 2) * (2 * n if r % 2 else 1)
        if N % period:
            raise JumpnetError(f"{self.name}: side {N} found, a multiple of {period} expected so that rank {r} closes")
        return True

    def _named(self) -> range | list[int]:
        """The upper ranks that the parameters name, ascending, also those that this size gives no links."""
        raise AssertionError

    @property
    def remarks(self) -> tuple[str, ...]:
        named, linked = self._named(), {r for ranks in self._ranks() for r in ranks}
        if len(linked) == len(named):
            return ()
        first = next(r for r in named if r not in linked)
        have = "no rank above the base torus has" if not linked else f"{len(linked)} of {len(named)} upper ranks have"
        return (f"{have} links: rank {first} is too high for a side of {self._side}",)

    def _check(self) -> None:
        N, n = self._side, self.n  # type: ignore[attr-defined]
        if n < 1 or N < 1:
            raise JumpnetError(f"{self.name}: side {N} and n={n} found, positive numbers expected")
        if n > MOST_N:
            raise JumpnetError(f"{self.name}: n={n} found, a cardinal number of at most {MOST_N} expected")
        if N % (2 * n):
            raise JumpnetError(f"{self.name}: side {N} found, a multiple of 2n = {2 * n} expected")

    def _vectors(self) -> I64:
        """Unit vectors modulo the side, so that coordinates stay within 64 bits at any rank."""
        ranks = self._ranks()
        return unit_vectors(self.n, max((r[-1] for r in ranks if r), default=0))  # type: ignore[attr-defined]

    def _shifts(self) -> I64:
        """(k, 2) translations between classes that keep every class's ranks: they merge the 2n^2 orbits."""
        n, ranks = self.n, self._ranks()  # type: ignore[attr-defined]
        x, y = np.tile(np.arange(2 * n), n), np.repeat(np.arange(n), 2 * n)
        keeps = [
            (dx, dy)
            for dx, dy in zip(x, y, strict=True)
            if all(ranks[c] == ranks[k] for k, c in enumerate(class_of(x + dx, y + dy, n)))
        ]
        return np.array(keeps, np.int64)

    def _orbits(self) -> Orbits:
        n = self.n  # type: ignore[attr-defined]
        x, y = np.tile(np.arange(2 * n), n), np.repeat(np.arange(n), 2 * n)
        seen = np.stack([class_of(x + dx, y + dy, n) for dx, dy in self._shifts()]).min(axis=0)
        first, members = np.unique(seen, return_counts=True)
        per_class = self._side**2 // (2 * n * n)
        return Orbits(y[first] * self._side + x[first], members.astype(np.int64) * per_class)

    def _params(self) -> I64:
        ranks, vectors = self._ranks(), self._vectors()
        masks = [1 + sum(1 << r for r in kinds) for kinds in ranks]
        return np.array(
            [self._side, self.n, len(vectors) - 1, *vectors.reshape(-1), *masks],  # type: ignore[attr-defined]
            np.int64,
        )

    def build(self) -> Network:
        N, ranks, vectors = self._side, self._ranks(), self._vectors()
        coord = coordinates((N, N))
        x, y = coord[:, 0], coord[:, 1]
        kind = class_of(x, y, self.n)  # type: ignore[attr-defined]
        ports = 4 * (1 + max(len(r) for r in ranks))
        neighbor = np.full((N * N, ports), NO_ROUTER, np.int32)
        classes = np.full((N * N, ports), -1, np.int32)
        along = np.arange(N)
        for upper in {tuple(upper) for upper in ranks}:  # classes of the same ranks at once
            here = np.flatnonzero(np.array([tuple(r) == upper for r in ranks])[kind])
            column, row = x[here], y[here]
            for slot, r in enumerate([0, *upper]):
                for axis in range(2):
                    for sign in (1, -1):
                        dx, dy = sign * vectors[r, axis]
                        port = 4 * slot + 2 * axis + (sign < 0)
                        neighbor[here, port] = ((along + dy) % N * N)[row] + ((along + dx) % N)[column]
                        classes[here, port] = 4 * r + 2 * axis + (sign < 0)
        top = len(vectors)
        return from_neighbors(
            self.spec,
            self.name,
            simple_links(neighbor),
            link_class=classes,
            class_names=tuple(f"rank {r} {d}" for r in range(top) for d in DIRECTIONS),
            class_rank=np.repeat(np.arange(top), 4),
            mirror=np.arange(ports) ^ 1,
            coord=coord,
            orbits=self._orbits(),
            position=coord.astype(np.float64),
            params=self._params(),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        N, n, ranks = self._side, self.n, self._ranks()  # type: ignore[attr-defined]

        def links_at(r: int) -> int:
            if r % 2:
                return 1 if 2 * n * (2 * n * n) ** (r // 2) == N else 4
            side = N // (2 * n * n) ** (r // 2)
            return 0 if side == 1 else 2 if side == 2 else 4

        degrees = [links_at(0) + sum(links_at(r) for r in upper) for upper in ranks]
        return {
            "routers": N * N,
            "degree": max(degrees),
            "links": sum(degrees) * (N * N // len(degrees)) // 2,
        }

    def size(self) -> tuple[int, int]:
        return self._side**2, 4 * (1 + max(len(r) for r in self._ranks()))

    def automorphisms(self, net: Network) -> Iterator[I64]:
        N, n = self._side, self.n  # type: ignore[attr-defined]
        for dx, dy in [(n, n), (-n, n), *self._shifts().tolist()]:
            moved: I32 = (net.coord + np.array([dx, dy], np.int32)) % N
            yield index(moved, (N, N))

    def implicit(self) -> Implicit:
        ports = 4 * (1 + max(len(r) for r in self._ranks()))
        return Implicit(self._side**2, ports, _neighbors, self._params(), self._orbits())


@dataclass(frozen=True)
class Rdt(_Recursive):
    """`rdt:64` is RDT(2,4,1)/alpha on 64x64 nodes (Definitions 4 and 6).

    assignment: `alpha`; `alpha_1` and `alpha_1_3`, which are
    alpha but for the classes of rank 4 on sides to 64, where rank 4 has no links: both take rank 1, or (2, 0) takes
    rank 1 and (0, 1) rank 3 (readings of the paper's figures for 1024 and 4096 nodes); `none` (base torus only); or the
    ranks of the 2n^2 classes in row order of the minimum node set, joined by dots, several ranks of a class by plus
    signs, 0 for none: `2.1.4.3.4.3.2.1` is alpha. A rank that the size does not allow has no links.

    Ports: 4 slot + direction (x+, x-, y+, y-); slot 0 is the base torus, slots 1.. the node's upper ranks, ascending.
    params: N, n, top rank, x_r and y_r of each rank (4 numbers each), then a bit mask of ranks for each class.
    """

    side: int
    """Nodes along each side of the base torus."""
    n: int = 2
    """Cardinal number."""
    R: int = 4
    """Maximum rank."""
    m: int = 1
    """Upper tori of a node."""
    assignment: str = "alpha"
    """Which classes have which ranks: `alpha` and its two readings, `none`, or the ranks of the classes."""

    name: ClassVar[str] = "rdt"
    samples: ClassVar[tuple[str, ...]] = (
        "rdt:4",
        "rdt:8",
        "rdt:16",
        "rdt:24",
        "rdt:32",
        "rdt:16,assignment=none",
        "rdt:16,assignment=alpha_1",
        "rdt:32,assignment=alpha_1_3",
        "rdt:16,R=2,assignment=1.2.1.2.1.2.1.2",
        "rdt:16,R=2,m=2,assignment=1+2.0.1.2.0.1+2.2.1",
        "rdt:18,n=3,R=1,assignment=1.0.0.0.0.0.0.0.0.0.1.1.0.0.0.0.0.0",
    )

    def __post_init__(self) -> None:
        self._check()
        if self.R < 0 or self.m < 0:
            raise JumpnetError(f"rdt: R={self.R} and m={self.m} found, numbers from 0 expected")
        for ranks in self._assigned():
            if len(ranks) > self.m:
                raise JumpnetError(f"rdt: a class with {len(ranks)} ranks found, at most m={self.m} expected")
            if ranks and max(ranks) > self.R:
                raise JumpnetError(f"rdt: rank {max(ranks)} assigned, at most R={self.R} expected")
            for r in ranks:
                self._possible(r)

    @property
    def _side(self) -> int:
        return self.side

    def _assigned(self) -> list[list[int]]:
        classes = 2 * self.n * self.n
        if self.assignment == "none" or self.m == 0 or self.R == 0:
            return [[] for _ in range(classes)]
        text = self.assignment
        if text in SUBSTITUTES:
            if (self.n, self.R, self.m) != (2, 4, 1):
                raise JumpnetError(
                    f"rdt: assignment={text} is for n=2, R=4, m=1 only; n={self.n}, R={self.R}, m={self.m} found"
                )
            return self._substituted(SUBSTITUTES[text])
        try:
            ranks = [sorted({int(r) for r in word.split("+")} - {0}) for word in plain(text).split(".")]
        except ValueError:
            close = nearest(text, [*SUBSTITUTES, "none"])
            meant = f"; did you mean {close!r}?" if close else ""
            raise JumpnetError(
                f"rdt: assignment {text!r} found, ranks joined by dots such as {ALPHA} expected{meant}"
            ) from None
        if len(ranks) != classes or any(r and r[0] < 0 for r in ranks):
            raise JumpnetError(f"rdt: assignment of {len(ranks)} classes found, 2n^2 = {classes} expected")
        return ranks

    def _substituted(self, instead: tuple[int, ...]) -> list[list[int]]:
        """Alpha, with other ranks for its classes of rank 4 where that has no links."""
        ranks = [int(word) for word in ALPHA.split(".")]
        if instead and not self._possible(4):
            missing = [r for r in instead if not self._possible(r)]
            if missing:
                raise JumpnetError(
                    f"rdt: assignment={self.assignment} found; rank {missing[0]} has no links at side {self.side}"
                )
            for c, r in zip([c for c, r in enumerate(ranks) if r == 4], instead, strict=True):
                ranks[c] = r
        return [[r] for r in ranks]

    def _named(self) -> range | list[int]:
        return sorted({r for ranks in self._assigned() for r in ranks})

    @property
    def class_ranks(self) -> tuple[tuple[int, ...], ...]:
        """The upper ranks assigned to each class, ascending, also those that this size gives no links."""
        return tuple(tuple(ranks) for ranks in self._assigned())

    def _ranks(self) -> list[list[int]]:
        return [[r for r in ranks if self._possible(r)] for ranks in self._assigned()]


@dataclass(frozen=True)
class Prdt(_Recursive):
    """`prdt:64` is the perfect RDT: every node has every rank from 1 to R (Definition 3); R=-1 means all that close.
    A rank that is too high for the side has no links, and `jumpnet metrics` says so: `prdt:128,R=9` is `prdt:128,R=4`.

    Any side and n will do: the steps of every rank wrap round the base torus, and a rank has links when its tori have
    two nodes or more. It closes when it is a torus of its own (`rdt_sizes`): `prdt:10,n=3` has the ranks 1 and 2. The
    diagonal mesh (torus with one diagonal torus) is PRDT(n, 1). Ports and params as `Rdt`, slot = rank.
    """

    side: int
    """Nodes along each side of the base torus."""
    n: int = 2
    """Cardinal number."""
    R: int = -1
    """Maximum rank; -1 means all that close."""

    name: ClassVar[str] = "prdt"
    samples: ClassVar[tuple[str, ...]] = (
        "prdt:8",
        "prdt:16",
        "prdt:32,R=3",
        "prdt:18,n=3,R=2",
        "prdt:12,R=1",
        "prdt:12",
        "prdt:10,n=3",
    )

    def __post_init__(self) -> None:
        N, n = self.side, self.n
        if n < 1 or N < 1:
            raise JumpnetError(f"prdt: side {N} and n={n} found, positive numbers expected")
        if n > MOST_N:
            raise JumpnetError(f"prdt: n={n} found, a cardinal number of at most {MOST_N} expected")
        if self.R < -1:
            raise JumpnetError(f"prdt: R={self.R} found, a number from 0, or -1 for all ranks, expected")
        top, reason = ranks_that_close(N, n)
        if "whole" in reason and (top < self.R or top == 0 > self.R):
            raise JumpnetError(f"prdt: side {N}, n={n} found: {reason}")

    @property
    def _side(self) -> int:
        return self.side

    def _ranks(self) -> list[list[int]]:
        top, _ = ranks_that_close(self.side, self.n)
        upper = list(range(1, (top if self.R < 0 else min(top, self.R)) + 1))
        return [upper for _ in range(2 * self.n * self.n)]

    def _named(self) -> range | list[int]:
        return range(1, self.R + 1) if self.R >= 0 else self._ranks()[0]

    def _orbits(self) -> Orbits:
        """All nodes are alike: one orbit, whatever the side."""
        return Orbits(np.zeros(1, np.int64), np.array([self.side**2]))

    def automorphisms(self, net: Network) -> Iterator[I64]:
        for step in ((1, 0), (0, 1)):
            moved: I32 = (net.coord + np.array(step, np.int32)) % self.side
            yield index(moved, (self.side, self.side))

    def claims(self) -> dict[str, Claim]:
        N = self.side
        steps = {(int(s * x) % N, int(s * y) % N) for rank in self._vectors() for x, y in rank for s in (1, -1)}
        degree = len(steps - {(0, 0)})
        return {"routers": N * N, "degree": degree, "links": degree * N * N // 2}
