"""The dual construction of recursive dual-nets: what `rdn` and `dualcube` share. Used by those two files.

Source: li2009rdn, section 2. The construction joins 2n copies (clusters) of an n-node network: the cross edge of its
level joins (0, c, u) and (1, u, c), i.e. type flips, cluster and node ids swap. That is how the paper routes; its
sentence on the rule is read in two further ways (`Cross`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import F64, I64, NO_ROUTER, Array
from jumpnet.topology._family import Claim
from jumpnet.topology._grid import circle

__all__ = [
    "Cross",
    "dual_claims",
    "dual_halves",
    "dual_neighbors",
    "dual_network",
    "dual_orbits",
    "dual_params",
    "dual_positions",
    "exchanged_numbers",
    "level_sizes",
    "lifted",
]


Cross = Literal["swap", "same", "exchanged"]
"""How "u0 != v0, u1 = v1 and u2 = v2" (section 4) is read: cluster and node ids swap, as Algorithm 1 routes; ids stay
as they are; or so, the ids of type 1 standing in the other order, node first (which renames the routers of swap)."""


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
    """(3 + m * ports,) k, m, base ports, then the base's neighbor table row by row (-1 where a port has no link)."""
    return np.concatenate([np.array([k, base.routers, base.ports], np.int64), base.neighbor.reshape(-1)])


def exchanged_numbers(sizes: list[int]) -> I64:
    """(R,) number in the reading `exchanged` of each router of `swap`: sizes as `level_sizes` gives them.

    >>> exchanged_numbers([2, 8]).tolist()
    [0, 1, 2, 3, 4, 6, 5, 7]
    """
    number = np.arange(sizes[0], dtype=np.int64)
    for n in sizes[:-1]:
        c, u = (a.reshape(-1) for a in np.divmod(np.arange(n * n), n))
        number = np.concatenate([number[c] * n + number[u], n * n + number[u] * n + number[c]])
    return number


def _table(base: I64, sizes: list[int], cross: Cross) -> I64:
    """(R, base ports + k) the neighbor table of the last of `sizes`, from that of the base."""
    table = base.astype(np.int64)
    for n in sizes[:-1]:
        c, u = (a.reshape(-1) for a in np.divmod(np.arange(n * n), n))
        within = np.where(table[u] >= 0, table[u] + (c * n)[:, None], NO_ROUTER)
        over = np.where(table[c] >= 0, table[c] * n + u[:, None], NO_ROUTER) if cross == "exchanged" else within
        there = u * n + c if cross == "swap" else c * n + u
        table = np.concatenate(
            [
                np.column_stack([within, n * n + there]),
                np.column_stack([np.where(over >= 0, n * n + over, NO_ROUTER), there]),
            ]
        )
    return table


def dual_network(
    base: Network, k: int, spec: str, family: str, attributes: Mapping[str, object], cross: Cross = "swap"
) -> Network:
    """k dual constructions on `base`, as arrays; routers are numbered by the ids (type, cluster id, node id)."""
    if base.directed:
        raise JumpnetError(f"{family}: {base.spec} is directed, a base with two-way links expected")
    m, sizes = base.routers, level_sizes(base.routers, k)
    routers = np.arange(sizes[-1], dtype=np.int64)
    coord, inner = _coordinates(routers, sizes, cross)
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
        _table(base.neighbor, sizes, cross),
        link_class=np.concatenate(classes, axis=1),
        class_names=(*(f"base {name}" for name in base.class_names), *(f"level {level}" for level in levels)),
        class_rank=np.array([0] * len(base.class_names) + list(levels)),
        mirror=mirror,
        coord=coord,
        terminals=base.terminals[inner],
        sinks=base.sinks[inner],
        orbits=None if base.orbits is None or cross != "swap" else dual_orbits(base.orbits, m, k),
        position=dual_positions(circle(m) if base.position is None else base.position, sizes),
        params=dual_params(base, k),
        attributes=dict(attributes),
    )


def _coordinates(routers: I64, sizes: list[int], cross: Cross) -> tuple[I64, I64]:
    """(R, 1 + 2k) base node, then cluster and type of each level from the lowest; and the base node of each router."""
    rows: list[I64] = []
    node = routers
    for n in reversed(sizes[:-1]):
        kind, first, second = node // (n * n), node // n % n, node % n
        turned = (kind == 1) & (cross == "exchanged")
        rows += [kind, np.where(turned, second, first)]
        node = np.where(turned, first, second)
    return np.stack([node, *reversed(rows)], axis=1), node


def dual_halves(starts: Iterable[Array], base: Network, k: int) -> Iterator[Array]:
    """(R,) bool halvings of RDN(m, k), k from 1, made from halvings (m,) of the base, level by level.

    Whole clusters: half of those of type 0 and the rest of those of type 1, as Theorem 1 counts. Lifted: cluster c of
    type 0 goes where the halving below puts node c, and every cluster of type 1 is cut as it is there; a cross edge
    (0, c, u)-(1, u, c) then has both ends on one side.
    """
    pairs = [_nested(np.asarray(half, bool), base) for half in starts]
    for n in level_sizes(base.routers, k)[:-1]:
        first = np.arange(n) < n // 2
        whole = np.concatenate([np.repeat(first, n), np.repeat(~first, n)])
        pairs = [(whole, whole), *(_lift(*pair) for pair in pairs)]
    return (_middle(*pair) for pair in pairs)


def _nested(half: Array, base: Network) -> tuple[Array, Array]:
    """The halving twice; of an odd number of nodes without and with one node of those with most links to the half."""
    if len(half) % 2 == 0:
        return half, half
    least = ~half if 2 * half.sum() > len(half) else half
    near = np.where(base.neighbor >= 0, least[base.neighbor], False).sum(axis=1)
    most = least.copy()
    most[np.where(least, -1, near).argmax()] = True
    return least, most


def _middle(least: Array, most: Array) -> Array:
    """What lies half way between: the first half of the nodes that only the second has are added to the first."""
    swing = np.flatnonzero(most & ~least)
    half = least.copy()
    half[swing[: len(swing) // 2]] = True
    return half


def _lift(least: Array, most: Array) -> tuple[Array, Array]:
    """Two such sets of the dual construction, the first within the second, from two of the network below.

    Together they have as many nodes as there are. A node v that only the second has swings: cluster v of type 0 is cut
    along a set t, and node v of cluster j of type 1 is in where t has j, so no cross edge is cut there either.
    """
    n = len(least)

    def made(t: Array) -> Array:
        zero = np.repeat(least[:, None], n, axis=1)
        zero[most & ~least] = t
        return np.concatenate([zero.reshape(-1), np.where(t[:, None], most, least).reshape(-1)])

    if n % 2:
        return made(least), made(most)
    equal = made(_middle(least, most))
    return equal, equal


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
