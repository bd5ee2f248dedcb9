"""Routers written in digits, read off a network's arrays: its coordinates, or parts of these, or of the router number.

A digit may be any column that tells something of a router; together they tell routers apart. Router numbers and
coordinates that relations ask for are sums of digits with weights, where the arrays say so. What is left of the router
number after a division may be a digit too, though the others say it already.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["Part", "System", "by_coordinates", "by_number"]


class Part(NamedTuple):
    """One digit in a sum."""

    weight: int
    digit: int


class System:
    """Digits of the routers of a network."""

    def __init__(
        self,
        digit: I64,
        number: tuple[Part, ...] | None,
        columns: list[tuple[Part, ...]],
        sinks: Array,
        rests: dict[int, int] | None = None,
    ) -> None:
        self.digit = digit
        """(R, D)."""
        self.radix: list[int] = (digit.max(axis=0) + 1).tolist()
        self.number = number
        """The router number as a sum; None where it is none."""
        self.columns = columns
        """Each coordinate as a sum."""
        self.sinks = sinks
        """(S,) routers at which packets end."""
        self.rests = rests or {}
        """Digits that are left of the router number after division by some numbers."""
        self.divisors: set[int] = set()
        """By what a relation has divided the router number, also of digits taken apart since."""

    def refined(self, d: int, low: int) -> System:
        """As this, with digit d as two: what is left after division by `low`, and the quotient before it."""
        old = self.digit[:, d]
        digit = np.concatenate(
            [self.digit[:, :d], (old // low)[:, None], (old % low)[:, None], self.digit[:, d + 1 :]], 1
        )

        def renamed(parts: tuple[Part, ...]) -> tuple[Part, ...]:
            """The same sum of digits, with two digits in place of the one that is divided."""
            made: list[Part] = []
            for weight, at in parts:
                if at == d:
                    made += [Part(weight * low, d), Part(weight, d + 1)]
                else:
                    made.append(Part(weight, at + (at > d)))
            return tuple(made)

        number = None if self.number is None else renamed(self.number)
        rests = {by: at + (at > d) for by, at in self.rests.items()}
        made = System(digit, number, [renamed(column) for column in self.columns], self.sinks, rests)
        made.divisors = self.divisors
        return made

    def with_rest(self, by: int) -> System:
        """As this, with one more digit: what is left of the router number after division by `by`."""
        routers, digits = self.digit.shape
        digit = np.concatenate([self.digit, (np.arange(routers) % by)[:, None]], axis=1)
        return System(digit, self.number, self.columns, self.sinks, self.rests | {by: digits})

    @cached_property
    def classes(self) -> Array:
        """(K, len(rests)) what may be left of the numbers of sinks."""
        return np.unique(self.digit[self.sinks][:, list(self.rests.values())], axis=0)

    @cached_property
    def full(self) -> bool:
        """Whether every tuple of digits, each of some sink, is a sink's: a product of sets of digits has only sinks."""
        return len(self.sinks) == np.prod([float(len(np.unique(column))) for column in self.digit[self.sinks].T])


def by_coordinates(net: Network) -> System | None:
    """Coordinates as digits; None where they do not tell routers apart."""
    coord = np.asarray(net.coord, np.int64)
    if coord.ndim != 2 or coord.shape[1] == 0 or (coord < 0).any() or len(np.unique(coord, axis=0)) < net.routers:
        return None
    sides = coord.max(axis=0) + 1
    number = None
    for order in (range(len(sides)), range(len(sides) - 1, -1, -1)):
        weight, parts = 1, []
        for d in order:
            parts.append(Part(weight, d))
            weight *= int(sides[d])
        if np.array_equal(coord[:, [d for _, d in parts]] @ np.array([w for w, _ in parts]), np.arange(net.routers)):
            number = tuple(reversed(parts))
    return System(coord, number, [(Part(1, d),) for d in range(coord.shape[1])], np.flatnonzero(net.sinks > 0))


def by_number(net: Network) -> System:
    """The router number as the only digit, for relations that take it apart; no coordinates."""
    digit = np.arange(net.routers, dtype=np.int64)[:, None]
    return System(digit, (Part(1, 0),), [], np.flatnonzero(net.sinks > 0))
