"""Orbits of routers: those that permutations join, and whether declared ones may be believed.

Figures are of one router of each orbit, so wrong orbits would be wrong figures. Of a family of ours the law tests show
them; of a user's own they are looked at here whenever a network is built, before anything rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from jumpnet.arrays.checks import refuse_unlike
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.notices import notice
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["held_orbits", "joined", "shown_orbits", "why_no_automorphism"]

MOST_ROUTERS = 1024
"""Up to so many, distances from every router are compared as well: a second at most."""
MOST_STEPS = 16
"""Rounds in which the surroundings of routers are told apart."""
MOST_COMPARED = 1 << 28
"""Ports that maps are tried at, over all maps of a network: seconds."""
_said: set[str] = set()
"""Networks of which it has been said that their orbits are not used."""


def joined(routers: int, generators: Sequence[I64]) -> I64:
    """(R,) the least router that these permutations carry each router to.

    >>> joined(4, [np.array([2, 1, 0, 3])]).tolist()
    [0, 1, 0, 3]
    """
    label, changed = np.arange(routers, dtype=np.int64), True
    while changed:
        before = label.copy()
        for g in generators:
            np.minimum(label, label[g], out=label)
            np.minimum.at(label, g, label.copy())
        label = label[label]
        changed = bool((label != before).any())
    return label


def held_orbits(what: str, net: Network, maps: Iterable[I64]) -> Network:
    """The network, with its declared orbits where maps (R,) show them, else without any: every router is searched then.

    what: whose they are, for errors. Raises JumpnetError for a map that is no automorphism, and for orbits that
    figures contradict: surroundings, and up to 1024 routers distances. Cost: O(R P log P) for each map and round, and
    up to 1024 routers a search from each.

    >>> from jumpnet.topology import build, family
    >>> net = build("torus:4x4")
    >>> held_orbits("torus", net, family("torus:4x4").automorphisms(net)) is net
    True
    """
    if net.orbits is None:
        return net
    if _shown(what, net, maps):
        return net
    _refuse_contradicted(f"{what}: orbits", net)
    return _without(what, net)


def shown_orbits(net: Network, maps: Iterable[I64]) -> Network:
    """As `held_orbits`, of a network made from another one: what its maps and orbits are wrong about is left out."""
    kept = (moved for moved in maps if not why_no_automorphism(net, moved))
    return net if net.orbits is None or _shown("", net, kept) else _without("network", net)


def _without(what: str, net: Network) -> Network:
    """The network without orbits, which is said once."""
    if net.spec not in _said:
        _said.add(net.spec)
        notice(f"{what}: no automorphisms show the orbits of {net.spec}, so every router is searched")
    return replace(net, orbits=None)


def _shown(what: str, net: Network, maps: Iterable[I64]) -> bool:
    """Whether the maps carry to each representative, or to those that they join it with, as many as is declared."""
    assert net.orbits is not None
    label, left = np.arange(net.routers), max(1, MOST_COMPARED // max(1, net.neighbor.size))
    for moved in maps:
        if reason := why_no_automorphism(net, moved):
            raise JumpnetError(f"{what}: automorphisms: {reason}")
        label = joined(net.routers, [moved, label]) if left else label
        left -= 1
        if left <= 0:
            break
    declared = np.zeros(net.routers, np.int64)
    np.add.at(declared, label[net.orbits.representative], net.orbits.size)
    return np.array_equal(declared, np.bincount(label, minlength=net.routers))


def why_no_automorphism(net: Network, moved: I64) -> str:
    """Where a permutation (R,) leads a link to no link, or terminals to others; empty where it does not. O(R P log P).

    >>> from jumpnet.topology import build
    >>> why_no_automorphism(build("torus:5"), np.array([1, 2, 3, 4, 0]))
    ''
    >>> why_no_automorphism(build("torus:5"), np.array([1, 0, 2, 3, 4]))
    'the link of routers 0 and 4 goes to 1 and 4, where none is'
    """
    near = net.neighbor
    image = np.sort(np.where(near == NO_ROUTER, NO_ROUTER, moved[near]), axis=1)
    wrong = (image != np.sort(near[moved], axis=1)).any(axis=1)
    if wrong.any():
        r = int(np.flatnonzero(wrong)[0])
        there = set(near[moved[r]].tolist())
        for s in near[r][near[r] != NO_ROUTER].tolist():
            if int(moved[s]) not in there:
                return f"the link of routers {r} and {s} goes to {moved[r]} and {moved[s]}, where none is"
        return f"router {r} goes to router {moved[r]}, which has other links"
    for ends, thing in ((net.terminals, "terminals"), (net.sinks, "sinks")):
        other = np.flatnonzero(ends != ends[moved])
        if other.size:
            r = int(other[0])
            return f"router {r} with {ends[r]} {thing} goes to router {moved[r]} with {ends[moved[r]]}"
    return ""


def _refuse_contradicted(what: str, net: Network) -> None:
    """Raise JumpnetError where routers that are said to be alike see other networks around them."""
    if net.routers <= MOST_ROUTERS:
        profiles = [_counts(net, router) for router in range(net.routers)]
        kinds = sorted(set(profiles))
        numbers = np.array([kinds.index(profile) for profile in profiles])
        refuse_unlike(what, net.orbits, numbers, lambda kind: f"{_words(kinds[kind])} routers at distance 0, 1, ...")
    label = net.degrees.astype(np.int64)
    for step in range(1, MOST_STEPS + 1):
        around = np.where(net.neighbor == NO_ROUTER, -1, label[net.neighbor])
        rows = np.column_stack([label, np.sort(around, axis=1)])
        _, finer = np.unique(rows, axis=0, return_inverse=True)
        finer = finer.reshape(-1)
        refuse_unlike(what, net.orbits, finer, partial("surroundings of kind {1} within {0} links".format, step))
        if finer.max() == len(np.unique(label)) - 1:
            break
        label = finer


def _words(counts: tuple[int, ...]) -> str:
    return ", ".join(map(str, counts))


def _counts(net: Network, router: int) -> tuple[int, ...]:
    """Routers at distance 0, 1, 2, ... from one; O(R P)."""
    seen = np.zeros(net.routers, bool)
    front, counts = np.array([router]), []
    seen[router] = True
    while front.size:
        counts.append(int(front.size))
        near = net.neighbor[front]
        near = near[near != NO_ROUTER]
        front = np.unique(near[~seen[near]])
        seen[front] = True
    return tuple(counts)
