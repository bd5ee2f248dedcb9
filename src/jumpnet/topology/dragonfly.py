"""Dragonfly: groups of completely joined routers, and global links that join every pair of groups.

Source: Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008.
Arrangements of the global links: absolute as in BookSim; palmtree after Camarero, Vallejo and Beivide, TACO 2014.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import F64, I64, NO_ROUTER, Array
from jumpnet.topology._dragonfly_width import half_with_a_parted_group, least_shared_out
from jumpnet.topology._family import Claim, Family

__all__ = ["Dragonfly"]


@dataclass(frozen=True)
class Dragonfly(Family):
    """`dragonfly:4`: balanced, h global links a router, a = 2h routers a group, p = h terminals, g = ah+1 groups.

    With fewer groups than the most every pair has w = ah // (g-1) links, and what is left over stays unused.
    arrangement: global port k = 0..ah-1 of a group belongs to router k // h; it is copy c = k // (g-1) of the link with
    number q = k % (g-1). `absolute`: group i's link q leads to group q, or q+1 when q >= i. `palmtree`: to group
    i + q + 1 modulo g.

    Router number: group * a + place in the group; coord = group, place. Ports: 0..a-2 lead to the other routers of the
    group in order of their place; a-1..a+h-2 are the router's global ports. Link class 0 is local, 1 global.
    params = p, a, h, g, w, arrangement (0 absolute, 1 palmtree).
    """

    h: Annotated[int, Ge(1)]
    """Global links of a router."""
    p: Annotated[int, Ge(0)] = 0
    """Terminals of a router; 0 means h."""
    a: Annotated[int, Ge(0)] = 0
    """Routers of a group; 0 means 2h."""
    g: Annotated[int, Ge(0)] = 0
    """Groups; 0 means ah + 1, the most."""
    arrangement: Literal["absolute", "palmtree"] = "absolute"
    """Which global port leads to which group."""

    name: ClassVar[str] = "dragonfly"
    samples: ClassVar[tuple[str, ...]] = (
        "dragonfly:2",
        "dragonfly:1",
        "dragonfly:2,arrangement=palmtree",
        "dragonfly:2,p=1,a=3,g=4",
        "dragonfly:3,a=2,g=4,arrangement=palmtree",
        "dragonfly:2,a=4,g=4,arrangement=palmtree",
    )

    def __post_init__(self) -> None:
        _, a, h, g = self._sizes
        if not 2 <= g <= a * h + 1:
            raise JumpnetError(f"dragonfly: g={g} groups found, 2 to ah+1 = {a * h + 1} expected")

    @property
    def _sizes(self) -> tuple[int, int, int, int]:
        """p, a, h, g with the defaults filled in."""
        a = self.a or 2 * self.h
        return self.p or self.h, a, self.h, self.g or a * self.h + 1

    def build(self) -> Network:
        p, a, h, g = self._sizes
        copies = a * h // (g - 1)
        group, place = np.divmod(np.arange(a * g), a)
        neighbor = np.full((a * g, a - 1 + h), NO_ROUTER, np.int32)
        far = np.full(neighbor.shape, -1, np.int32)
        for port in range(a - 1):
            other = port + (port >= place)
            neighbor[:, port] = group * a + other
            far[:, port] = place - (place > other)
        for j in range(h):
            k = place * h + j
            copy, q = np.divmod(k, g - 1)
            if self.arrangement == "absolute":
                target = q + (q >= group)
                back = group - (group > target)
            else:
                target = (group + q + 1) % g
                back = g - 2 - q
            k_back = copy * (g - 1) + back
            used = copy < copies
            neighbor[used, a - 1 + j] = (target * a + k_back // h)[used]
            far[used, a - 1 + j] = (a - 1 + k_back % h)[used]
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=np.repeat([0, 1], [a - 1, h]),
            class_names=("local", "global"),
            class_rank=np.array([0, 1]),
            mirror=far,
            coord=np.stack([group, place], axis=1),
            terminals=np.full(a * g, p),
            orbits=self._orbits(),
            position=_circles(a, g),
            params=np.array([p, a, h, g, copies, self.arrangement == "palmtree"], np.int64),
            attributes=self.attributes,
        )

    @property
    def _reflects(self) -> bool:
        """Whether reversing groups and places is an automorphism: no global port may stay unused."""
        _, a, h, g = self._sizes
        return a * h % (g - 1) == 0

    def _orbits(self) -> Orbits | None:
        _, a, _, g = self._sizes
        if self.arrangement == "absolute":
            if not self._reflects:
                return None
            half = np.arange((a * g + 1) // 2)
            return Orbits(half, np.where(half == a * g - 1 - half, 1, 2))
        if not self._reflects:
            return Orbits(np.arange(a), np.full(a, g))
        half = np.arange((a + 1) // 2)
        return Orbits(half, g * np.where(half == a - 1 - half, 1, 2))

    def automorphisms(self, net: Network) -> Iterator[I64]:
        _, a, _, g = self._sizes
        group, place = net.coord[:, 0].astype(np.int64), net.coord[:, 1]
        if self.arrangement == "palmtree":
            yield (group + 1) % g * a + place
        if self._reflects:
            yield (g - 1 - group) * a + (a - 1 - place)

    def claims(self) -> dict[str, Claim]:
        p, a, h, g = self._sizes
        copies = a * h // (g - 1)
        claims: dict[str, Claim] = {
            "routers": a * g,
            "terminals": p * a * g,
            "links": g * a * (a - 1) // 2 + copies * g * (g - 1) // 2,
            "degree": a - 1 + h,
        }
        # With at most (a-1)^2 global links a router, two hops reach fewer routers than there are: exactly three.
        if g == a * h + 1 and h <= (a - 1) ** 2:
            claims["diameter"] = 3
        return claims

    @property
    def _joined_once(self) -> bool:
        """Whether all ports lead to another group each, of an odd number of groups of an even number of routers."""
        _, a, h, g = self._sizes
        return g == a * h + 1 and g % 2 == 1 and a % 2 == 0

    def halves(self, net: Network) -> Iterator[Array]:
        """Whole groups on each side; where the groups are odd, half of group 0 with the groups that it leads to."""
        _, a, _, g = self._sizes
        group, place = net.coord[:, 0], net.coord[:, 1]
        if g % 2 == 0:
            yield group < g // 2
        elif self._joined_once:
            reached = group[net.neighbor[: a // 2, a - 1 :]]
            yield np.isin(group, reached) | ((group == 0) & (place < a // 2))
        elif self._reflects:
            leads = np.zeros((a, g), np.int64)
            ends = group[net.neighbor[:a, a - 1 :]]
            np.add.at(leads, (np.arange(a)[:, None], ends), 1)
            yield half_with_a_parted_group(leads).ravel()

    def bisection_width(self) -> tuple[int, str] | None:
        """For an even g with a^2 >= 2ah + w, and for g = ah + 1 odd with an even a >= 2h, as balanced ones are.

        w g^2 / 4, and (ah/2)^2 + a^2/4. Others without an unused port, where the bound of `least_shared_out` is met by
        a halving, up to some dozen groups. Proofs: decision 0073.
        """
        _, a, h, g = self._sizes
        copies, proof = a * h // (g - 1), "jumpnet, decision 0073"
        if g % 2 == 0 and a * a >= 2 * a * h + copies:
            return copies * g * g // 4, proof
        if self._joined_once and a >= 2 * h:
            return (a * h // 2) ** 2 + a * a // 4, proof
        least = least_shared_out(a, h, g) if self._reflects else None
        if least is None:
            return None
        net = self.build()
        cut = [(half[net.neighbor] != half[:, None])[net.neighbor != NO_ROUTER].sum() // 2 for half in self.halves(net)]
        return (least, proof) if least in cut else None


def _circles(a: int, g: int) -> F64:
    """(a g, 2) drawing places: groups on a circle, the routers of each on a small circle of its own.

    Place 0 of a group looks to the centre of the large circle.
    """
    group, place = np.divmod(np.arange(a * g), a)
    angle = np.pi / 2 - 2 * np.pi * group / g
    turn = angle + np.pi - 2 * np.pi * place / a
    small = 0.36 * max(1.0, a / np.pi)
    large = 2.6 * small / (2 * np.sin(np.pi / max(g, 3)))
    return np.stack(
        [large * np.cos(angle) + small * np.cos(turn), large * np.sin(angle) + small * np.sin(turn)], axis=1
    )
