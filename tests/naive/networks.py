"""Virtual networks of a protocol, the slow way: every partition of the kinds, and every row followed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Pair = tuple[str, str]


def partitions(names: list[str], count: int) -> Iterator[list[list[str]]]:
    """All ways to put names into exactly so many networks."""
    if not names:
        if count == 0:
            yield []
        return
    *others, last = names
    for made in partitions(others, count - 1):
        yield [*made, [last]]
    for made in partitions(others, count):
        for k in range(len(made)):
            yield [*made[:k], [*made[k], last], *made[k + 1 :]]


def has_ring(groups: list[list[str]], waits: Iterable[Pair]) -> bool:
    """Whether networks wait for each other in a circle: none of them can be taken away as one that waits for none."""
    of = {name: k for k, names in enumerate(groups) for name in names}
    edges = {(of[a], of[b]) for a, b in waits}
    left = set(of.values())
    while free := {k for k in left if not any((k, other) in edges for other in left)}:
        left -= free
    return bool(left)


def least(names: list[str], waits: set[Pair]) -> int | None:
    """The least number of networks without a ring; None where even a network for each kind has one."""
    for count in range(len(names) + 1):
        if any(not has_ring(groups, waits) for groups in partitions(names, count)):
            return count
    return None
