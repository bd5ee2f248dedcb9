"""Bisection of dragonflies by the routers of each group: a bound over all ways to share them out, and a halving.

Groups of a routers, h global links at every one, w links between any two groups: a h = w (g - 1), no port unused.
Proof: decision 0073. Used by the family only.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, islice
from math import comb

import numpy as np

from jumpnet.terms import I64, Array

__all__ = ["half_with_a_parted_group", "least_shared_out"]

MOST_SHARES = 100_000
"""Ways to share routers out between the halves, up to the order of groups: a fraction of a second."""
MOST_CHOICES = 2000
"""Sets of groups that a halving is looked for with."""


def least_shared_out(a: int, h: int, g: int) -> int | None:
    """Links that every halving cuts, local and global; None where that takes more than MOST_SHARES steps.

    With x routers in a half, a group has x (a - x) local links across. Of the h x ends of global links in each group,
    on links inside the half lie, for any k groups: at most w k (k - 1) on links between those, at most min(h x, w k)
    of every other group on links to those, with as many there as ends of them, and all ends of the others.
    Cost: O(shares g^2).

    >>> least_shared_out(4, 2, 9), least_shared_out(5, 2, 11), least_shared_out(8, 4, 9)
    (20, 32, 80)
    """
    if comb(g + a, a) > MOST_SHARES:
        return None
    shares = np.fromiter(combinations_with_replacement(range(a, -1, -1), g), np.dtype((np.int64, g)))
    shares = shares[shares.sum(axis=1) == a * g // 2]
    local = (shares * (a - shares)).sum(axis=1)
    w = a * h // (g - 1)
    one, other = _links_out(h * shares, w), _links_out(h * (a - shares[:, ::-1]), w)
    return int((local + np.maximum(one, other)).min())


def _links_out(ends: I64, w: int) -> I64:
    """(n,) links that leave a half at least, for (n, g) ends of global links in its groups, falling."""
    total = ends.sum(axis=1)
    inside = total
    for k in range(1, ends.shape[1]):
        rest = ends[:, k:]
        inside = np.minimum(inside, w * k * (k - 1) + np.minimum(rest, w * k).sum(axis=1) + rest.sum(axis=1))
    least: I64 = total - inside
    return least


def half_with_a_parted_group(leads: I64) -> Array:
    """(g, a) bool: half of the groups but one, and half of that one, group 0: its routers with most links to those.

    leads: (a, g) links of each router of group 0 to each group. The groups are those that make the most of it, among
    the first MOST_CHOICES sets.
    """
    a, g = leads.shape
    best, chosen, taken = -1, (), np.arange(0)
    for groups in islice(combinations(range(1, g), g // 2), MOST_CHOICES):
        held = leads[:, groups].sum(axis=1)
        routers = np.argsort(-held, kind="stable")[: a // 2]
        if held[routers].sum() - held.sum() / 2 > best:
            best, chosen, taken = held[routers].sum() - held.sum() / 2, groups, routers
    half = np.zeros((g, a), bool)
    half[list(chosen)] = True
    half[0, taken] = True
    return half
