"""Recursive Dual-Net RDN(m, k) over any base network, and the dual-cube, its case over a hypercube with k = 1.

Source: li2009rdn, section 2. The dual construction joins 2n copies (clusters) of an n-node network: the cross edge of
its level joins (0, c, u) and (1, u, c), i.e. type flips, cluster and node ids swap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.network import Implicit, Network, Orbits, from_neighbors
from jumpnet.terms import F64, I32, I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle

__all__ = ["Dualcube", "Rdn", "level_sizes", "over"]


def level_sizes(m: int, k: int) -> list[int]:
    """Routers of RDN(m, 0), ..., RDN(m, k): each is twice the square of the one before (section 2).

    >>> level_sizes(25, 2)
    [25, 1250, 3125000]
    """
    sizes = [m]
    for _ in range(k):
        sizes.append(2 * sizes[-1] ** 2)
        if sizes[-1] >= 2**62:
            raise JumpnetError(f"rdn: k={k} over {m} routers found, fewer than 2^62 routers expected")
    return sizes


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params as documented at `Rdn`."""
    k, m, ports = params[0], params[1], params[2]
    base = router % m
    count = 0
    for p in range(ports):
        s = params[3 + base * ports + p]
        if s >= 0:
            out[count] = router - base + s
            count += 1
    n = m
    for _ in range(k):
        low = router % (2 * n * n)
        kind = low // (n * n)
        c, u = low // n % n, low % n
        out[count] = router - low + (1 - kind) * n * n + u * n + c
        count += 1
        n = 2 * n * n
    return count


def _orbits(base: Orbits, m: int, k: int) -> Orbits:
    """Orbits of the dual construction: every pair (orbit of c, orbit of u), with both types in one orbit."""
    first, size = base.representative, base.size
    for n in level_sizes(m, k)[:-1]:
        first = (first[:, None] * n + first).reshape(-1)
        size = (2 * size[:, None] * size).reshape(-1)
    return Orbits(first, size)


def _positions(base: F64, sizes: list[int]) -> F64:
    """(R, 2) drawing places: clusters laid out like the nodes within one, the two types side by side."""
    place = base - base.min(axis=0)
    for n in sizes[:-1]:
        extent = place.max(axis=0) + 1.5
        node, cluster = np.tile(place, (n, 1)), np.repeat(place, n, axis=0)
        half = node + cluster * extent
        place = np.concatenate([half, half + np.array([half[:, 0].max() + extent[0], 0.0])])
    return place


def _params(base: Network, k: int) -> I64:
    return np.concatenate([np.array([k, base.routers, base.ports], np.int64), base.neighbor.reshape(-1)])


def _dual(base: Network, k: int, spec: str, family: str, attributes: Mapping[str, object]) -> Network:
    """k dual constructions on `base`, as arrays."""
    if base.directed:
        raise JumpnetError(f"{family}: {base.spec} is directed, a base with two-way links expected")
    m, sizes = base.routers, level_sizes(base.routers, k)
    routers = np.arange(sizes[-1], dtype=np.int64)
    inner = routers % m
    local = base.neighbor[inner]
    columns: list[I64] = list(np.where(local >= 0, local + (routers - inner)[:, None], NO_ROUTER).T)
    coord: list[I64] = [inner]
    for n in sizes[:-1]:
        low = routers % (2 * n * n)
        kind, c, u = low // (n * n), low // n % n, low % n
        columns.append(routers - low + (1 - kind) * n * n + u * n + c)
        coord += [c, kind]
    levels = range(1, k + 1)
    classes = [base.link_class[inner]] + [
        np.full((sizes[-1], 1), len(base.class_names) + level - 1, np.int32) for level in levels
    ]
    mirror = np.concatenate(
        [base.far_port[inner]] + [np.full((sizes[-1], 1), base.ports + j) for j in range(k)], axis=1
    )
    return from_neighbors(
        spec,
        family,
        np.stack(columns, axis=1),
        link_class=np.concatenate(classes, axis=1),
        class_names=(*(f"base {name}" for name in base.class_names), *(f"level {level}" for level in levels)),
        class_rank=np.array([0] * len(base.class_names) + list(levels)),
        mirror=mirror,
        coord=np.stack(coord, axis=1),
        terminals=base.terminals[inner],
        sinks=base.sinks[inner],
        orbits=None if base.orbits is None else _orbits(base.orbits, m, k),
        position=_positions(circle(m) if base.position is None else base.position, sizes),
        params=_params(base, k),
        attributes=dict(attributes),
    )


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
    return _dual(base, k, f"rdn({base.spec}),k={k}", "rdn", {"base": base.spec, "k": k})


def _claims(base: Mapping[str, Claim], k: int) -> dict[str, Claim]:
    """Theorem 1, and links and average distance by the same recursion (exact for every connected base)."""
    m = int(base["routers"])
    claims: dict[str, Claim] = {"routers": level_sizes(m, k)[-1]}
    if "degree" in base:
        claims["degree"] = base["degree"] + k
    if "diameter" in base:
        claims["diameter"] = 2**k * base["diameter"] + 2 ** (k + 1) - 2 if m > 1 else 2**k - 1
    links = base.get("links")
    total = base["average_distance"] * m * (m - 1) if "average_distance" in base and m > 1 else None
    for n in level_sizes(m, k)[:-1]:
        links = None if links is None else 2 * n * links + n * n
        # (t,c,u) to (t,c',u'): d(u,u') + d(c,c') + 2 if c != c'; to the other type: d(u,c') + 1 + d(c,u').
        total = None if total is None else 8 * n * n * total + 4 * n**3 * (n - 1) + 2 * n**4
    if links is not None:
        claims["links"] = links
    if total is not None:
        N = int(claims["routers"])
        claims["average_distance"] = Fraction(total) / (N * (N - 1))
    return claims


@dataclass(frozen=True)
class Rdn(Family):
    """`rdn:5x5,k=2` is RDN(25, 2) over a 5x5 torus, `rdn:3,k=2` over a ring, `rdn:4,k=1,base=hypercube` over a cube.

    base: any registered family whose size alone names a member (`torus`, `hypercube`, `complete`, `file`, ...);
    `over(network, k)` takes any other network. Router (t, c, u) of the top level is t n^2 + c n + u.

    Ports: those of the base, then one for each level 1..k. Coordinates: base node, then cluster and type of each level.
    params: k, m, base ports, then the base's neighbor table row by row (-1 where a port has no link).
    """

    sides: str
    k: int = field(kw_only=True)
    base: str = "torus"

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
        return _dual(self._base_network, self.k, self.spec, self.name, self.attributes)

    def claims(self) -> Mapping[str, Claim]:
        base = self._base.claims()
        if "routers" not in base:  # a file or a user's graph claims nothing: count what takes no search
            net = self._base_network
            base = {"routers": net.routers, "links": net.links, "degree": int(net.degrees.max(initial=0))}
        return _claims(base, self.k)

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Swap of the types, and a base automorphism on c (of type 0 and u of type 1) or on u (and c)."""
        if net.orbits is None:
            return
        sizes = level_sizes(self._base_network.routers, self.k)
        yield from _lift(list(self._base.automorphisms(self._base_network)), sizes)

    def implicit(self) -> Implicit:
        base = self._base_network
        if base.directed:
            raise JumpnetError(f"rdn: {base.spec} is directed, a base with two-way links expected")
        size = level_sizes(base.routers, self.k)[-1]
        orbits = None if base.orbits is None else _orbits(base.orbits, base.routers, self.k)
        return Implicit(size, base.ports + self.k, _neighbors, _params(base, self.k), orbits)


def _lift(maps: list[I64], sizes: list[int]) -> list[I64]:
    """Automorphisms of a dual construction from those of what it is built on, level by level."""
    for n in sizes[:-1]:
        low = np.arange(2 * n * n, dtype=np.int64)
        kind, c, u = low // (n * n), low // n % n, low % n
        lifted = [(1 - kind) * n * n + c * n + u]
        for g in maps:
            lifted.append(kind * n * n + np.where(kind == 0, g[c] * n + u, c * n + g[u]))
            lifted.append(kind * n * n + np.where(kind == 0, c * n + g[u], g[c] * n + u))
        maps = lifted
    return maps


@dataclass(frozen=True)
class Dualcube(Family):
    """`dualcube:6` has 2^11 routers of degree 6: 64 clusters, each a 5-cube, in two classes (li2009rdn, section 3).

    Router (class t, cluster c, node u) is t 4^(n-1) + c 2^(n-1) + u; it equals rdn over the (n-1)-cube with k = 1,
    router for router. Li and Peng's address of a class 1 router has c and u the other way round.

    Ports: d < n-1 flips bit d of u, n-1 is the cross edge. Coordinates and params as `Rdn`.
    """

    n: int

    name: ClassVar[str] = "dualcube"
    samples: ClassVar[tuple[str, ...]] = ("dualcube:2", "dualcube:3", "dualcube:4")

    def __post_init__(self) -> None:
        if not 2 <= self.n <= 20:
            raise JumpnetError(f"dualcube: {self.n} found, 2 to 20 expected")

    def build(self) -> Network:
        bits = self.n - 1
        mask = (1 << bits) - 1
        routers = np.arange(2 ** (2 * bits + 1), dtype=np.int64)
        kind, c, u = routers >> 2 * bits, routers >> bits & mask, routers & mask
        cross = (1 - kind) << 2 * bits | u << bits | c
        neighbor = np.column_stack([*(routers ^ (1 << d) for d in range(bits)), cross])
        cube = self._cube
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=np.arange(self.n),
            class_names=(*(f"base dimension {d}" for d in range(bits)), "level 1"),
            class_rank=np.array([0] * bits + [1]),
            mirror=np.arange(self.n),
            coord=np.column_stack([u, c, kind]),
            orbits=Orbits.transitive(len(routers)),
            position=_positions(circle(2**bits) if cube.position is None else cube.position, [2**bits, len(routers)]),
            params=_params(cube, 1),
            attributes=self.attributes,
        )

    @property
    def _cube(self) -> Network:
        from jumpnet.topology import build

        return build(f"hypercube:{self.n - 1}")

    def claims(self) -> dict[str, Claim]:
        from jumpnet.topology.hypercube import Hypercube

        # Theorem 1 over the cube gives 2^(2n-1) routers of degree n and diameter 2n.
        return _claims(Hypercube(self.n - 1).claims(), 1)

    def automorphisms(self, net: Network) -> Iterator[I64]:
        nodes: I32 = np.arange(2 ** (self.n - 1), dtype=np.int32)
        flips = [nodes ^ (1 << d) for d in range(self.n - 1)]
        yield from _lift(flips, [len(nodes), net.routers])

    def implicit(self) -> Implicit:
        size = 2 ** (2 * self.n - 1)
        return Implicit(size, self.n, _neighbors, _params(self._cube, 1), Orbits.transitive(size))
