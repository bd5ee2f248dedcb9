"""Automorphisms of small networks: colour refinement and a search that individualises one router after another.

The method is that of McKay's nauty (1981) without its pruning by found automorphisms: both copies of the network are
refined together, so that colours compare between them. Called by `symmetry.py`; checked against every permutation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.jit.random import mix_words
from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER, Array

__all__ = ["Undecided", "channel_map", "find_automorphism", "is_automorphism", "refine"]


class Undecided(JumpnetError):
    """The search gave up after its budget of refinements."""


@public
def is_automorphism(net: Network, moved: I64) -> bool:
    """Whether the permutation moved (R,) carries links to links, with their multiplicity; O(R P log P).

    >>> from jumpnet.topology import build
    >>> is_automorphism(build("torus:5"), np.array([1, 2, 3, 4, 0]))
    True
    """
    moved = np.asarray(moved, np.int64)
    if moved.shape != (net.routers,) or not np.array_equal(np.sort(moved), np.arange(net.routers)):
        return False
    image = np.where(net.neighbor == NO_ROUTER, NO_ROUTER, moved[net.neighbor])
    return bool(np.array_equal(np.sort(image, axis=1), np.sort(net.neighbor[moved], axis=1)))


def channel_map(net: Network, moved: I64) -> I64:
    """(R, P) channel r * P + p to which an automorphism carries each channel; -1 without link.

    Parallel links keep their order. The permutation must be an automorphism.
    """
    image = np.where(net.neighbor == NO_ROUTER, NO_ROUTER, moved[net.neighbor])
    here = np.argsort(image, axis=1, kind="stable")
    there = np.argsort(net.neighbor[moved], axis=1, kind="stable")
    result = np.empty(net.neighbor.shape, np.int64)
    np.put_along_axis(result, here, moved[:, None] * net.ports + there, axis=1)
    result[net.neighbor == NO_ROUTER] = -1
    return result


def refine(net: Network, colours: Array) -> Array:
    """The coarsest refinement of (copies, R) colours in which equal colours have equally coloured neighbors.

    Colours are numbered alike in all copies. A collision of 64-bit hashes can only leave it coarser. O(rounds R P).
    """
    none = net.neighbor == NO_ROUTER
    _, labels = np.unique(colours, return_inverse=True)
    labels = labels.reshape(colours.shape)
    count = int(labels.max(initial=0)) + 1
    while True:
        values = mix_words((labels + 1).astype(np.uint64))
        around = np.where(none, np.uint64(0), mix_words(values[:, net.neighbor])).sum(axis=2, dtype=np.uint64)
        _, finer = np.unique(mix_words(values ^ mix_words(around + np.uint64(1))), return_inverse=True)
        finer = finer.reshape(colours.shape)
        found = int(finer.max(initial=0)) + 1
        if found <= count:
            return labels
        labels, count = finer, found


def _individualise(colours: Array, routers: Sequence[int]) -> Array:
    changed = colours.copy()
    changed[np.arange(len(routers)), list(routers)] = colours.max() + 1
    return changed


def find_automorphism(net: Network, moves: Sequence[tuple[int, int]], budget: int = 20_000) -> I64 | None:
    """An automorphism that carries u to v for every (u, v) of moves, or None when there is none.

    Raises Undecided after `budget` refinements. Cost: usually a few refinements; exponential in bad cases.

    >>> from jumpnet.topology import build
    >>> find_automorphism(build("torus:6"), [(0, 2), (1, 1)]).tolist()
    [2, 1, 0, 5, 4, 3]
    """
    colours = np.zeros((2, net.routers), np.int64)
    for move in moves:
        colours = _individualise(colours, move)
    left = [budget]

    def search(colours: Array) -> I64 | None:
        """An automorphism that keeps the colours, or None where there is none."""
        if left[0] <= 0:
            raise Undecided(f"{net.spec}: no automorphism found or excluded within {budget} refinements")
        left[0] -= 1
        labels = refine(net, colours)
        cells = np.bincount(labels[0])
        if not np.array_equal(cells, np.bincount(labels[1], minlength=len(cells))):
            return None
        if cells.max() == 1:
            moved = np.empty(net.routers, np.int64)
            moved[np.argsort(labels[0])] = np.argsort(labels[1])
            return moved if is_automorphism(net, moved) else None
        open_cells = np.where(cells > 1, cells, net.routers + 1)
        cell = int(np.argmin(open_cells))
        first = int(np.argmax(labels[0] == cell))
        for there in np.flatnonzero(labels[1] == cell):
            found = search(_individualise(labels, (first, int(there))))
            if found is not None:
                return found
        return None

    return search(colours)
