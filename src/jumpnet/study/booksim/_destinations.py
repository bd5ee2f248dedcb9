"""Where the nodes of BookSim2 send to: of each pattern a table of destinations, all equally likely, by its numbers.

Source: the behaviour of BookSim2, commit 28f4329; Dally and Towles, section 3.2, for the patterns that it has. Patterns
by digits take the nodes' numbers to the base xr k, whatever the topology. Used by `_traffic`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.study.booksim._keys import Value
from jumpnet.study.booksim._random import random_numbers
from jumpnet.terms import I64

__all__ = ["DESTINATIONS", "table_of"]

MOST_CELLS = 1 << 24
"""Cells of a table (128 MB)."""
SIDE = 8
"""Of the grid that taper64 is for."""


class Asked(NamedTuple):
    """A pattern as a file names it."""

    name: str
    nodes: int
    settings: Mapping[str, Value]
    given: list[int]
    """Numbers in brackets behind the name."""

    @property
    def number(self) -> I64:
        """(nodes,) their numbers."""
        return np.arange(self.nodes)

    @property
    def bits(self) -> int:
        """log2 of the number of nodes; raises JumpnetError when that is no power of two."""
        if self.nodes & (self.nodes - 1):
            raise self.refused("a power of two")
        return self.nodes.bit_length() - 1

    @property
    def base(self) -> int:
        """Of the digits that patterns by digits take: xr k."""
        return self._digits[0] * self._digits[2]

    @property
    def k(self) -> int:
        """The side that is given."""
        return self._digits[0]

    @property
    def _digits(self) -> tuple[int, int, int]:
        """k, n and xr: those in brackets, else those of the file."""
        k, n, xr = [*self.given, *(int(str(self.settings[key])) for key in ("k", "n", "xr")[len(self.given) :])][:3]
        if min(k, n, xr) < 1:
            raise JumpnetError(f"traffic = {self.name}: k = {k}, n = {n}, xr = {xr} found, 1 or more expected")
        return k, n, xr

    def raised(self, more: int) -> I64:
        """(nodes,) every digit raised by so much, modulo the base; what lies above the n digits is left out."""
        found, weight = np.zeros(self.nodes, np.int64), 1
        for _ in range(self._digits[1]):
            found += weight * ((self.number // weight % self.base + more) % self.base)
            weight *= self.base
            if found.max(initial=0) >= self.nodes:
                raise self.refused(f"{self.base}^{self._digits[1]}")
        return found

    def refused(self, expected: str) -> JumpnetError:
        """The error that so many nodes are."""
        return JumpnetError(f"traffic = {self.name}: {self.nodes} nodes found, {expected} expected")


def _bit_reverse(asked: Asked) -> I64:
    bits = asked.bits
    return sum(((asked.number >> k & 1) << bits - 1 - k for k in range(bits)), start=np.zeros(asked.nodes, np.int64))


def _transpose(asked: Asked) -> I64:
    if asked.bits % 2:
        raise asked.refused("an even power of two")
    half = asked.bits // 2
    return asked.number >> half | (asked.number & (1 << half) - 1) << half


def _random_permutation(asked: Asked) -> I64:
    """Node i is the destination of one of those that have none yet, counted in order."""
    word = str(asked.settings["perm_seed"])
    if not asked.given and not word.removeprefix("-").isdecimal():
        raise JumpnetError(f"perm_seed = {word} found, a whole number expected")
    seed = asked.given[0] if asked.given else int(word)
    left, drawn, found = list(range(asked.nodes)), random_numbers(seed), np.zeros(asked.nodes, np.int64)
    for i in range(asked.nodes):
        found[left.pop(next(drawn) % (asked.nodes - i))] = i
    return found


def _rows(asked: Asked) -> I64:
    """To any node of a column: the source's row is its place there."""
    base = asked.base
    if (base - 1) * base + (asked.nodes - 1) // base >= asked.nodes:
        raise asked.refused(f"at least {base * base}")
    _fits(asked, base)
    return np.arange(base) * base + asked.number[:, None] // base


def _diagonal(asked: Asked) -> I64:
    """A third of the packets to the next node, the others to the source."""
    return np.stack([(asked.number + 1) % asked.nodes, asked.number, asked.number], axis=1)


def _asymmetric(asked: Asked) -> I64:
    half = asked.nodes // 2
    if half < 1:
        raise asked.refused("2 or more")
    return asked.number[:, None] % half + np.array([0, half])


def _taper(asked: Asked) -> I64:
    """Half of the packets to any node, half to one of the nine about the source: a column for each of all cases."""
    if asked.nodes != SIDE * SIDE:
        raise asked.refused(str(SIDE * SIDE))
    steps = np.array([SIDE * dy + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1)])
    about = (asked.number[:, None] + steps) % asked.nodes
    anywhere = np.broadcast_to(asked.number, (asked.nodes, asked.nodes))
    return np.concatenate([np.repeat(about, asked.nodes, axis=1), np.repeat(anywhere, steps.size, axis=1)], axis=1)


def _next_group(asked: Asked) -> I64:
    """To any node of the dragonfly's next group, of 2 k routers with k nodes each."""
    size = 2 * asked.k**2
    _fits(asked, size)
    return (np.arange(size) + (asked.number[:, None] // size + 1) * size) % asked.nodes


def _background(asked: Asked) -> I64:
    """To any node but those in brackets."""
    if not asked.given:
        raise JumpnetError("traffic = background found, nodes to leave out expected: background({{0,1}})")
    allowed = np.setdiff1d(asked.number, asked.given)
    if not allowed.size or min(asked.given, default=0) < 0 or max(asked.given, default=0) >= asked.nodes:
        raise JumpnetError(f"traffic = background: {asked.given} found, some of {asked.nodes} nodes expected")
    _fits(asked, allowed.size)
    return np.broadcast_to(allowed, (asked.nodes, allowed.size))


def _fits(asked: Asked, columns: int) -> None:
    """Raise JumpnetError for a table too large to hold."""
    if asked.nodes * columns > MOST_CELLS:
        raise asked.refused(f"at most {MOST_CELLS // columns:,}")


DESTINATIONS: Mapping[str, Callable[[Asked], I64]] = {
    "bitcomp": lambda asked: (1 << asked.bits) - 1 - asked.number,
    "bitrev": _bit_reverse,
    "shuffle": lambda asked: asked.number << 1 & asked.nodes - 1 | asked.number >> max(0, asked.bits - 1),
    "transpose": _transpose,
    "tornado": lambda asked: asked.raised((asked.base + 1) // 2 - 1),
    "neighbor": lambda asked: asked.raised(1),
    "badperm_yarc": _rows,
    "randperm": _random_permutation,
    "diagonal": _diagonal,
    "asymmetric": _asymmetric,
    "taper64": _taper,
    "background": _background,
    "bad_dragon": _next_group,
}
"""Makers of the tables by BookSim's names."""


def table_of(name: str, nodes: int, settings: Mapping[str, Value], given: list[int]) -> I64:
    """(nodes, columns) where each node sends to, by BookSim's numbers: in every column equally often.

    Raises JumpnetError where the pattern does not suit so many nodes.

    >>> table_of("neighbor", 9, {"k": 3, "n": 2, "xr": 1}, [])[:, 0].tolist()
    [4, 5, 3, 7, 8, 6, 1, 2, 0]
    """
    return DESTINATIONS[name](Asked(name, nodes, settings, given)).reshape(nodes, -1)
