"""What distances between routers, and between their terminals, add up to: diameters and averages of counted pairs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jumpnet.terms import I64

__all__ = ["DistanceFigures"]


@dataclass(frozen=True, eq=False)
class DistanceFigures:
    """Distances between ordered pairs, exactly. `counts[d]` pairs (source, router) are d channels apart.

    Sources are all routers, or those asked for; pairs without a path are in no count.
    """

    routers: int
    """Number of routers R."""
    sources: int
    """Number of sources the counts cover: R, or the number asked for."""
    counts: tuple[int, ...]
    """Ordered pairs by distance; counts[0] = sources."""
    terminal_counts: tuple[int, ...]
    """Ordered pairs of an injecting and an ejecting terminal, by the distance of their routers."""
    terminal_pairs: int
    """Number of those pairs, with and without a path."""
    injecting: int
    """Terminals that send, of the sources."""
    searched: I64
    """(S,) sources searched: all that were asked for, or one representative of each orbit."""
    stands_for: I64
    """(S,) number of routers that each of them stands for."""
    eccentricity: I64
    """(S,) distance from each to the router farthest away; -1 when it does not reach every router."""
    searches: int
    """Breadth-first searches that the figures took: one from each source, but for long paths and rings, and in large
    products of axes one from each place on an axis."""

    @property
    def connected(self) -> bool:
        """Whether every source reaches every router."""
        return sum(self.counts) == self.sources * self.routers

    @property
    def diameter(self) -> int | None:
        """Largest distance; None when a pair has no path."""
        return len(self.counts) - 1 if self.connected else None

    @property
    def average(self) -> Fraction | None:
        """Average distance over ordered pairs of different routers; None without such pairs or without a path."""
        pairs = self.sources * (self.routers - 1)
        return Fraction(_moment(self.counts), pairs) if self.connected and pairs else None

    @property
    def average_with_self(self) -> Fraction | None:
        """Average distance with the pairs of a router and itself counted as 0, as some papers print it."""
        return Fraction(_moment(self.counts), self.sources * self.routers) if self.connected else None

    @property
    def terminal_diameter(self) -> int | None:
        """Largest distance between routers with terminals; None without terminals, or when a pair has no path."""
        return len(self.terminal_counts) - 1 if self._terminals_meet else None

    @property
    def terminal_average(self) -> Fraction | None:
        """Average distance over ordered pairs of terminals on different routers; None as for the diameter."""
        pairs = sum(self.terminal_counts[1:])
        return Fraction(_moment(self.terminal_counts), pairs) if self._terminals_meet and pairs else None

    @property
    def uniform_average(self) -> Fraction | None:
        """Average distance under uniform traffic: over ordered pairs of different terminals, also on the same router.

        None as for the diameter. Where terminals only send or only receive, no two are the same.
        """
        pairs = self.terminal_pairs - min(self.injecting, self.terminal_counts[0] if self.terminal_counts else 0)
        return Fraction(_moment(self.terminal_counts), pairs) if self._terminals_meet and pairs else None

    @property
    def _terminals_meet(self) -> bool:
        return self.terminal_pairs > 0 and sum(self.terminal_counts) == self.terminal_pairs


def _moment(counts: tuple[int, ...]) -> int:
    return sum(d * n for d, n in enumerate(counts))
