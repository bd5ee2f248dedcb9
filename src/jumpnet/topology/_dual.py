"""The dual construction of recursive dual-nets: what `rdn` and `dualcube` share. Used by those two files.

Source: li2009rdn, section 2. The construction joins 2n copies (clusters) of an n-node network: the cross edge of its
level joins (0, c, u) and (1, u, c), i.e. type flips, cluster and node ids swap.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.network import Network, Orbits, from_neighbors
from jumpnet.terms import F64, I64, NO_ROUTER
from jumpnet.topology._family import Claim
from jumpnet.topology._grid import circle

__all__ = [
    "dual_claims",
    "dual_neighbors",
    "dual_network",
    "dual_orbits",
    "dual_params",
    "dual_positions",
    "level_sizes",
    "lifted",
]


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


def dual_neighbors(params, router, out):
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


def dual_orbits(base: Orbits, m: int, k: int) -> Orbits:
    """Orbits of the dual construction: every pair (orbit of c, orbit of u), with both types in one orbit."""
    first, size = base.representative, base.size
    for n in level_sizes(m, k)[:-1]:
        first = (first[:, None] * n + first).reshape(-1)
        size = (2 * size[:, None] * size).reshape(-1)
    return Orbits(first, size)


def dual_positions(base: F64, sizes: list[int]) -> F64:
    """(R, 2) drawing places: clusters laid out like the nodes within one, the two types side by side."""
    place = base - base.min(axis=0)
    for n in sizes[:-1]:
        extent = place.max(axis=0) + 1.5
        node, cluster = np.tile(place, (n, 1)), np.repeat(place, n, axis=0)
        half = node + cluster * extent
        place = np.concatenate([half, half + np.array([half[:, 0].max() + extent[0], 0.0])])
    return place


def dual_params(base: Network, k: int) -> I64:
    """k, m, base ports, then the base's neighbor table row by row (-1 where a port has no link)."""
    return np.concatenate([np.array([k, base.routers, base.ports], np.int64), base.neighbor.reshape(-1)])


def dual_network(base: Network, k: int, spec: str, family: str, attributes: Mapping[str, object]) -> Network:
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
        orbits=None if base.orbits is None else dual_orbits(base.orbits, m, k),
        position=dual_positions(circle(m) if base.position is None else base.position, sizes),
        params=dual_params(base, k),
        attributes=dict(attributes),
    )


def dual_claims(base: Mapping[str, Claim], k: int) -> dict[str, Claim]:
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


def lifted(maps: list[I64], sizes: list[int]) -> list[I64]:
    """Automorphisms of a dual construction from those of what it is built on, level by level."""
    for n in sizes[:-1]:
        low = np.arange(2 * n * n, dtype=np.int64)
        kind, c, u = low // (n * n), low // n % n, low % n
        found = [(1 - kind) * n * n + c * n + u]
        for g in maps:
            found.append(kind * n * n + np.where(kind == 0, g[c] * n + u, c * n + g[u]))
            found.append(kind * n * n + np.where(kind == 0, c * n + g[u], g[c] * n + u))
        maps = found
    return maps
