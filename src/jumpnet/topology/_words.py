"""Words of digits: router numbers as digit strings, and the orbits of relabelling the digits. Used by families only.

For De Bruijn, Kautz and WK-recursive networks, whose automorphisms permute the digits (and reverse the word).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.networks import Network, Orbits, from_neighbors, simple_links
from jumpnet.terms import I64
from jumpnet.topology._family import Family
from jumpnet.topology._grid import circle

__all__ = ["digits", "number", "pattern_orbits", "relabel", "shift_network"]


def digits(routers: I64, base: int, length: int) -> I64:
    """(R, length) digits of router numbers, most significant first.

    >>> digits(np.array([6]), 2, 4).tolist()
    [[0, 1, 1, 0]]
    """
    return np.stack([routers // base ** (length - 1 - i) % base for i in range(length)], axis=1)


def number(words: I64, base: int) -> I64:
    """(R,) numbers of digit words (the inverse of `digits`).

    >>> number(np.array([[0, 1, 1, 0]]), 2).tolist()
    [6]
    """
    result = np.zeros(len(words), np.int64)
    for i in range(words.shape[1]):
        result = result * base + words[:, i]
    return result


def relabel(words: I64, base: int) -> I64:
    """(R, length) the words with digits renamed in the order of their first appearance: 0, 1, 2, ...

    >>> relabel(np.array([[2, 0, 2, 1]]), 3).tolist()
    [[0, 1, 0, 2]]
    """
    rows = np.arange(len(words))
    names = np.full((len(words), base), -1, np.int64)
    used = np.zeros(len(words), np.int64)
    result = np.empty_like(words)
    for i in range(words.shape[1]):
        new = names[rows, words[:, i]] < 0
        names[rows[new], words[new, i]] = used[new]
        used += new
        result[:, i] = names[rows, words[:, i]]
    return result


def pattern_orbits(words: I64, base: int, reverse: bool) -> Orbits:
    """Orbits of routers 0..R-1 with these words under all digit permutations, and reversal of the word if `reverse`.

    >>> pattern_orbits(digits(np.arange(4), 2, 2), 2, False).size.tolist()
    [2, 2]
    """
    key = number(relabel(words, base), base)
    if reverse:
        key = np.minimum(key, number(relabel(words[:, ::-1], base), base))
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    return Orbits(first.astype(np.int64), count.astype(np.int64))


def shift_network(
    member: Family, words: I64, letters: int, left: Sequence[I64], right: Sequence[I64], params: list[int]
) -> Network:
    """The network of a family whose routers have these words (R, n) of so many letters, each joined to shifted ones.

    left, right: the routers (R,) that port a and port d + a lead to; where there are none to the right, it is directed.
    Loops and second links are left out.
    """
    directed, d = not right, len(left)
    return from_neighbors(
        member.spec,
        member.name,
        simple_links(np.stack([*left, *right], axis=1)),
        link_class=np.repeat([0, 1], d)[: len(left) + len(right)],
        class_names=("left",) if directed else ("left", "right"),
        class_rank=np.zeros(1 if directed else 2),
        coord=words,
        orbits=pattern_orbits(words, letters, not directed),
        position=circle(len(words)),
        directed=directed,
        params=np.array(params, np.int64),
        attributes=member.attributes,
    )
