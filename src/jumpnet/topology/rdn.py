"""Recursive Dual-Net RDN(m, k) over any base network: k dual constructions, each doubling the square of the size.

Source: li2009rdn, section 2; the construction itself is in `_dual`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Implicit, Network
from jumpnet.terms import I64, Array
from jumpnet.topology._dual import (
    Cross,
    dual_claims,
    dual_halves,
    dual_neighbors,
    dual_network,
    dual_orbits,
    dual_params,
    exchanged_numbers,
    level_sizes,
    lifted,
)
from jumpnet.topology._family import Claim, Family

__all__ = ["Rdn", "exchanged_numbers", "halvings", "level_sizes", "over"]


def over(base: Network, k: int) -> Network:
    """RDN(m, k) over any network, a user's graph included; ports and params as `Rdn`.

    The base must have two-way links; theorem 1 (degree + k, diameter 2^k D + 2^(k+1) - 2) holds for every connected
    one. Cost: O(routers x ports) memory. Method: li2009rdn, section 2.

    >>> from jumpnet.topology import build
    >>> over(build("torus:3"), 1).routers
    18
    """
    if k < 0:
        raise JumpnetError(f"rdn: k={k} found, a number from 0 expected")
    return dual_network(base, k, f"rdn({base.spec}),k={k}", "rdn", {"base": base.spec, "k": k})


def halvings(base: Network, k: int, starts: Iterable[Array] = ()) -> Iterator[Array]:
    """(R,) bool halvings of RDN(m, k) over `base`, k from 1: whole clusters, and halvings of the base lifted.

    starts: halvings (m,) of the base beside that by the order of its routers. Method: `_dual.dual_halves`.

    >>> from jumpnet.topology import build
    >>> [int(half.sum()) for half in halvings(build("torus:3"), 1)]
    [9, 9]
    """
    return dual_halves([np.arange(base.routers) < base.routers // 2, *starts], base, k)


@dataclass(frozen=True)
class Rdn(Family):
    """`rdn:5x5,k=2` is RDN(25, 2) over a 5x5 torus, `rdn:3,k=2` over a ring, `rdn:4,k=1,base=hypercube` over a cube.

    base: any registered family whose size alone names a member (`torus`, `hypercube`, `complete`, `file`, ...);
    `over(network, k)` takes any other network. Router (t, c, u) of the top level is t n^2 + c n + u.
    cross: how the paper's sentence on cross edges is read (section 4): `swap`, the paper's network, joins (0, c, u) and
    (1, u, c); `same` joins equal ids, which leaves the network in parts; `exchanged` joins equal ids too, the ids of
    type 1 having the node before the cluster: the network of `swap` under other names. Routings want `swap`.

    Ports: those of the base, then one for each level 1..k. Coordinates: base node, then cluster and type of each level.
    params: k, m, base ports, then the base's neighbor table row by row (-1 where a port has no link).
    """

    sides: str
    """Size of the base network, as its own spec has it."""
    k: int = field(kw_only=True)
    """Levels above the base."""
    base: str = "torus"
    """Family of the base network."""
    cross: Cross = "swap"
    """How the sentence on cross edges is read."""

    name: ClassVar[str] = "rdn"
    samples: ClassVar[tuple[str, ...]] = (
        "rdn:3,k=0",
        "rdn:3,k=1",
        "rdn:3,k=2",
        "rdn:4,k=1,base=complete",
        "rdn:3x2,k=1",
        "rdn:3,k=1,base=hypercube",
        "rdn:3x2,k=1,base=mesh",
        "rdn:2,k=1,base=fattree",
        "rdn:petersen,k=1,base=graph",
        "rdn:3,k=1,cross=exchanged",
        "rdn:3,k=2,cross=exchanged",
        "rdn:3,k=1,cross=same",
    )

    def __post_init__(self) -> None:
        if self.k < 0:
            raise JumpnetError(f"rdn: k={self.k} found, a number from 0 expected")
        base = self._base.claims().get("routers")
        if base is not None:
            level_sizes(int(base), self.k)

    @cached_property
    def _base(self) -> Family:
        from jumpnet.topology import family

        return family(f"{self.base}:{self.sides}")

    @cached_property
    def _base_network(self) -> Network:
        from jumpnet.topology import build

        return build(f"{self.base}:{self.sides}")

    def build(self) -> Network:
        return dual_network(self._base_network, self.k, self.spec, self.name, self.attributes, self.cross)

    def claims(self) -> Mapping[str, Claim]:
        base = self._base.claims()
        if "routers" not in base:  # a file or a user's graph claims nothing: count what takes no search
            net = self._base_network
            base = {"routers": net.routers, "links": net.links, "degree": int(net.degrees.max(initial=0))}
        if self.cross == "same":
            base = {key: base[key] for key in ("routers", "links", "degree") if key in base}
        return dual_claims(base, self.k)

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Swap of the types, and a base automorphism on c (of type 0 and u of type 1) or on u (and c)."""
        if net.orbits is None:
            return
        sizes = level_sizes(self._base_network.routers, self.k)
        yield from lifted(list(self._base.automorphisms(self._base_network)), sizes)

    def halves(self, net: Network) -> Iterator[Array]:
        """Whole clusters, and the base's halvings lifted from level to level."""
        base = self._base_network
        if self.k == 0 or self.cross != "swap":
            return iter(())
        return halvings(base, self.k, self._base.halves(base))

    def implicit(self) -> Implicit | None:
        base = self._base_network
        if self.cross != "swap":
            return None
        if base.directed:
            raise JumpnetError(f"rdn: {base.spec} is directed, a base with two-way links expected")
        if (base.terminals != 1).any():  # an implicit network has one terminal a router
            return None
        size = level_sizes(base.routers, self.k)[-1]
        orbits = None if base.orbits is None else dual_orbits(base.orbits, base.routers, self.k)
        return Implicit(size, base.ports + self.k, dual_neighbors, dual_params(base, self.k), orbits)
