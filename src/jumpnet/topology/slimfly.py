"""Slim Fly: the McKay-Miller-Siran graphs, diameter 2 with nearly as many routers as the Moore bound allows.

Source: Besta and Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014; McKay, Miller and Siran, A
note on large graphs of diameter two and given maximum degree, JCTB 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import F64, I32, I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._field import Field, field, prime_power

__all__ = ["SlimFly"]

MAX_Q = 1024
"""The tables of the field have q^2 entries and the network 3 q^3 channels: larger ones are not machines."""


@dataclass(frozen=True)
class SlimFly(Family):
    """`slimfly:5`: 2 q^2 routers for a prime power q = 4w + d, d in -1, 0, 1; degree (3q - d)/2; p terminals a router.

    p=0, the default, means half the degree, rounded up. With a primitive element z of GF(q): routers (0, x, y) and
    (0, x, y') are joined when y - y' is in X, (1, m, c) and (1, m, c') when c - c' is in X', and (0, x, y) and
    (1, m, c) when y = m x + c. X is the even powers of z and X' the odd ones for d = 1; X' = z X in general.
    Router number: type q^2 + x q + y; coord = type, x, y (or 1, m, c). Ports: one for each element of X (X'), in
    ascending order of the exponent, which is added to y (c); then port |X| + m of (0, x, y) leads to (1, m, c), and
    port |X| + x of (1, m, c) to (0, x, y). Link class 0: within type 0, 1: within type 1, 2: between types.
    params = q, |X|, p.
    """

    q: int
    """Size of the finite field, a prime power."""
    p: Annotated[int, Ge(0)] = 0
    """Terminals of a router; 0 means half the degree, rounded up."""

    name: ClassVar[str] = "slimfly"
    samples: ClassVar[tuple[str, ...]] = (
        "slimfly:5",
        "slimfly:7,p=3",
        "slimfly:3",
        "slimfly:4",
        "slimfly:8",
        "slimfly:9",
    )

    def __post_init__(self) -> None:
        if self.q > MAX_Q or self.q < 3 or self.q % 4 == 2 or prime_power(self.q) is None:
            raise JumpnetError(
                f"slimfly: q={self.q} found, a prime power 3 to {MAX_Q} expected; nearest is {self._nearest()}"
            )

    def _nearest(self) -> int:
        fits = [q for q in range(3, MAX_Q + 1) if q % 4 != 2 and prime_power(q)]
        return min(fits, key=lambda q: abs(q - self.q))

    @property
    def _delta(self) -> int:
        return {0: 0, 1: 1, 3: -1}[self.q % 4]

    @property
    def _degree(self) -> int:
        return (3 * self.q - self._delta) // 2

    @property
    def _terminals(self) -> int:
        return self.p or (self._degree + 1) // 2

    def _generators(self, f: Field) -> tuple[I64, I64]:
        """The sets X and X' of differences, as field elements."""
        q = self.q
        if self._delta == -1:
            w = (q + 1) // 4
            exponents = np.concatenate([np.arange(0, 2 * w - 1, 2), np.arange(2 * w - 1, 4 * w - 2, 2)])
        else:
            exponents = np.arange(0, q - 1, 2)
        return f.power[exponents], f.power[(exponents + 1) % (q - 1)]

    def build(self) -> Network:
        q, f = self.q, field(self.q)
        sets = self._generators(f)
        half = len(sets[0])
        x, y = np.divmod(np.arange(q * q), q)
        neighbor = np.zeros((2 * q * q, half + q), np.int32)
        mirror = np.zeros(neighbor.shape, np.int32)
        link_class = np.full(neighbor.shape, 2, np.int32)
        for kind, differences in enumerate(sets):
            rows = slice(kind * q * q, (kind + 1) * q * q)
            place = {int(v): i for i, v in enumerate(differences)}
            for i, v in enumerate(differences):
                neighbor[rows, i] = kind * q * q + x * q + f.add[y, v]
                mirror[rows, i] = place[int(f.neg[v])]
            link_class[rows, :half] = kind
            for other in range(q):
                # Type 0: c = y - m x with m = other. Type 1: y = m x + c, where here (x, y) stands for (m, c).
                product = f.mul[x, other]
                last = f.add[y, product if kind else f.neg[product]]
                neighbor[rows, half + other] = (1 - kind) * q * q + other * q + last
                mirror[rows, half + other] = half + x
        coord = np.stack([np.repeat([0, 1], q * q), np.tile(x, 2), np.tile(y, 2)], axis=1)
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=link_class,
            class_names=("within type 0", "within type 1", "between types"),
            class_rank=np.array([0, 0, 1]),
            mirror=mirror,
            coord=coord,
            terminals=np.full(2 * q * q, self._terminals),
            orbits=Orbits.transitive(2 * q * q)
            if self._delta == 1
            else Orbits(np.array([0, q * q]), np.array([q * q, q * q])),
            position=_rings(q, coord),
            params=np.array([q, half, self._terminals], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        routers, degree = 2 * self.q**2, self._degree
        return {
            "routers": routers,
            "terminals": routers * self._terminals,
            "links": routers * degree // 2,
            "degree": degree,
            "diameter": 2,
            "average_distance": Fraction(degree + 2 * (routers - 1 - degree), routers - 1),
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Translations of y, x and m along each axis of the field; for d = 1 also an exchange of the two types."""
        q, f = self.q, field(self.q)
        kind, x, y = net.coord.T.astype(np.int64)
        step = 1
        while step < q:
            yield kind * q * q + x * q + f.add[y, step]
            yield np.where(kind == 0, f.add[x, step] * q + y, q * q + x * q + f.add[y, f.neg[f.mul[x, step]]])
            yield np.where(kind == 0, x * q + f.add[y, f.mul[x, step]], q * q + f.add[x, step] * q + y)
            step *= f.p
        if self._delta == 1:
            z = f.power[1]
            yield np.where(kind == 0, q * q + x * q + f.mul[y, z], f.mul[f.neg[z], x] * q + f.mul[y, z])


def _rings(q: int, coord: I32) -> F64:
    """(R, 2) drawing places: type 0 on an outer ring, type 1 on an inner one, in q groups of equal x (or m)."""
    angle = np.pi / 2 - 2 * np.pi * (coord[:, 1] + 0.85 * (coord[:, 2] - (q - 1) / 2) / q) / q
    radius = q * q / (2 * np.pi) * np.where(coord[:, 0] == 0, 2.0, 1.2)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
