"""How packets were looked at: the names of the ways to the dependency graph, and what is said of each in words.

`dependency` has the table of what each makes, and when it is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = ["ALL_WAYS", "HOW", "Basis", "How", "Words"]

How = Literal[
    "walks", "dimensions", "translation", "digits", "relabelling", "orbits", "shortest", "hops", "kinds", "ways",
    "covers",
]  # fmt: skip
ALL_WAYS = " of all ways by any router, among which are the routing's"
AT_LEAST = " of sets of packets, among which are all of the routing's"
ALLOWED = " of all ways that the routing's hops allow, among which are its own"


@dataclass(frozen=True)
class Basis:
    """Which way made the dependencies that a proof rests on, and with what: enough to have them made again."""

    by: How = "walks"
    """How packets were looked at."""
    beyond: bool = False
    """Whether they were asked for with `beyond`: more or fewer than the routing's would do."""
    whole: bool = True
    """Whether they are the routing's own, no more and no fewer."""
    among: str | None = None
    """The routing whose they are, where that is another, and what that was held against."""
    at_least: int | None = None
    """Channels that any cycle has at least, where the one shown may not be a shortest: it is one of those packets that
    were followed."""
    kinds: tuple[int, ...] = ()
    """First channels of the kinds of packets that use the routing's channels; none where it is of the routing alone."""


class Words(NamedTuple):
    """What is said of one way."""

    followed: str
    """What was done with the states of packets."""
    whose: str = ""
    """Whose packets were looked at, where that is not every source, destination and candidate."""
    how: str = ""
    """What follows on that."""
    more: str = ALL_WAYS
    """End of `Proof.method` where `Dependencies.whole` is False; the numbers of a proof are those of that graph."""


HOW: dict[How, Words] = {
    "walks": Words("followed"),
    "dimensions": Words("looked at, dimension by dimension", how=", dimension by dimension"),
    "translation": Words(
        "looked at, by those to one router", "packets to one router, as those to any other go the same ways"
    ),
    "digits": Words("looked at, by sets of destinations", how=", by sets of destinations", more=AT_LEAST),
    "relabelling": Words(
        "looked at, whatever the symbols are called", "packets to one router, as those to any other take the same ports"
    ),
    "orbits": Words(
        "followed, from one router of each orbit",
        "from one source of each orbit, carried to all routers by automorphisms that were checked",
    ),
    "shortest": Words(
        "looked at, by the shortest ways to sets of destinations", how=", by the shortest ways to sets of destinations"
    ),
    "hops": Words(
        "looked at, by the shortest ways to routers two hops away",
        how=", by the shortest ways to routers two hops away, which have all dependencies",
    ),
    "kinds": Words(
        "looked at, each for all of a kind that inequalities tell apart",
        how=", by kinds of packets that inequalities tell apart, at least the routing's",
        more=AT_LEAST,
    ),
    "ways": Words(
        "looked at, pairs of a router and a STATE, by all ways that hops allow",
        how=", by all ways that hops allow",
        more=ALLOWED,
    ),
    "covers": Words(
        "looked at, dimension by dimension, with others that no packet may have",
        how=", dimension by dimension, at least the routing's",
        more=AT_LEAST,
    ),
}
