"""Random regular graph (Jellyfish): every router has the same number of links to routers chosen at random.

Source: Singla, Hong, Popa and Godfrey, Jellyfish: networking data centers randomly, NSDI 2012. Construction: the
pairing model with repair by link exchange (after McKay and Wormald, J. Algorithms 1990): nearly, not exactly, uniform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.errors import JumpnetError
from jumpnet.jit.random import mix_words
from jumpnet.networks import Network, from_links
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family

__all__ = ["RandomRegular"]

ATTEMPTS = 2000
"""Graphs tried before giving up on a connected one (degree 2 needs some, higher degrees nearly always one)."""


@dataclass(frozen=True)
class RandomRegular(Family):
    """`random:1024,d=8,seed=1`: simple connected d-regular graph of n routers, t terminals a router.

    The same seed gives the same graph on every machine: integers only, each draw a hash of (seed, attempt, counter).
    Ports are in ascending order of the neighbor. params = n, d, seed.
    """

    n: Annotated[int, Ge(2)]
    """Routers."""
    d: Annotated[int, Ge(1)] = 8
    """Links of a router."""
    seed: Annotated[int, Ge(0), Le((1 << 63) - 1)] = 1
    """Which of the graphs: the same seed gives the same graph."""
    t: Annotated[int, Ge(1)] = 1
    """Terminals of a router."""

    name: ClassVar[str] = "random"
    samples: ClassVar[tuple[str, ...]] = ("random:64,d=4", "random:20,d=3,seed=7", "random:9,d=8", "random:12,d=9,t=2")

    def __post_init__(self) -> None:
        if self.d >= self.n:
            raise JumpnetError(f"random: n={self.n} and d={self.d} found, d from 1 to n-1 expected")
        if self.n * self.d % 2:
            raise JumpnetError(f"random: n={self.n} and d={self.d} found, an even product n d expected")
        if self.d == 1 and self.n > 2:
            raise JumpnetError(f"random: d=1 found, d from 2 expected for {self.n} connected routers")

    def build(self) -> Network:
        angle = 2 * np.pi * np.arange(self.n) / self.n
        return from_links(
            self.spec,
            self.name,
            self.n,
            self._connected(),
            terminals=np.full(self.n, self.t),
            position=np.stack([np.cos(angle), np.sin(angle)], axis=1) * max(1.0, self.n / (2 * np.pi)),
            params=np.array([self.n, self.d, self.seed], np.int64),
            attributes=self.attributes,
        )

    def _connected(self) -> I64:
        """(n d / 2, 2) links, sorted, of the first attempt that is simple and connected."""
        dense = 2 * self.d > self.n
        for attempt in range(ATTEMPTS):
            # A dense graph is the complement of a sparse one, where repairs always find room.
            keys = _regular(self.n, self.n - 1 - self.d if dense else self.d, self.seed, attempt)
            if keys is None:
                continue
            if dense:
                low, high = np.triu_indices(self.n, 1)
                keys = np.setdiff1d(low * self.n + high, keys, assume_unique=True)
            links = np.stack(np.divmod(keys, self.n), axis=1)
            if _is_connected(self.n, links):
                return links
        raise JumpnetError(f"random: no connected graph of {self.n} routers and d={self.d} in {ATTEMPTS} attempts")

    def claims(self) -> dict[str, Claim]:
        return {
            "routers": self.n,
            "terminals": self.n * self.t,
            "links": self.n * self.d // 2,
            "degree": self.d,
        }


def _draws(seed: int, stream: int, start: int, count: int) -> I64:
    """(count,) uint64 hashes of (seed, stream, start..start+count-1)."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    base = mix_words(np.array([seed], np.uint64) + golden)
    base = mix_words(base + np.array([stream], np.uint64) * golden)
    return mix_words(base + np.arange(start, start + count, dtype=np.uint64) * golden)


def _regular(n: int, d: int, seed: int, attempt: int) -> I64 | None:
    """Sorted keys low * n + high of a simple d-regular graph, or None when repair does not end."""
    stubs = n * d
    order = np.argsort(_draws(seed, attempt, 0, stubs), kind="stable") // max(d, 1)
    low, high = np.minimum(order[0::2], order[1::2]), np.maximum(order[0::2], order[1::2])
    keys = low * n + high
    by_key = np.argsort(keys, kind="stable")
    repeated = np.zeros(len(keys), bool)
    repeated[by_key[1:]] = keys[by_key[1:]] == keys[by_key[:-1]]
    bad = np.flatnonzero(repeated | (low == high)).tolist()
    if not bad:
        return np.sort(keys)
    # How many times each link is there: sorted array for the start, a small dictionary for what changed since.
    base = keys[by_key]
    change: dict[int, int] = {}

    def count(key: int) -> int:
        there = int(np.searchsorted(base, key, "right") - np.searchsorted(base, key, "left"))
        return there + change.get(key, 0)

    counter, budget = stubs, 1000 + 200 * len(bad)
    while bad and budget:
        budget -= 1
        one = bad[-1]
        draw = int(_draws(seed, attempt, counter, 1)[0])
        counter += 1
        two, crossed = (draw >> 1) % len(keys), draw & 1
        a, b = divmod(int(keys[one]), n)
        if a != b and count(int(keys[one])) == 1:
            bad.pop()
            continue
        u, v = divmod(int(keys[two]), n)
        if crossed:
            u, v = v, u
        first, second = min(a, u) * n + max(a, u), min(b, v) * n + max(b, v)
        if two == one or a == u or b == v or first == second or count(first) or count(second):
            continue
        for key, step in ((int(keys[one]), -1), (int(keys[two]), -1), (first, 1), (second, 1)):
            change[key] = change.get(key, 0) + step
        keys[one], keys[two] = first, second
        bad.pop()
    return None if bad else np.sort(keys)


def _is_connected(n: int, links: I64) -> bool:
    """Whether the links join all routers: labels sink to the smallest of each component, jumping as they go."""
    label = np.arange(n)
    while True:
        smallest = label.copy()
        np.minimum.at(smallest, links[:, 0], label[links[:, 1]])
        np.minimum.at(smallest, links[:, 1], label[links[:, 0]])
        smallest = smallest[smallest]
        if (smallest == label).all():
            return not label.any()
        label = smallest
