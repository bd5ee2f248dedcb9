"""Numbers that ascend along every edge, whatever the size: by kinds, and within a kind by a coordinate that grows.

A set of edges between finitely many kinds is put in order by its strongly connected parts; within a part one coordinate
must grow, or fall, along some edges and change the other way along none; these are settled, and the rest is put in
order the same way. Sources: lexicographic linear ranking (Alias, Darte, Feautrier and Gonnord 2010), on hops of one
coordinate. Called by `flow`, `kinds` and `all_sizes`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.compressed_rows import components

__all__ = ["Edge", "Group", "Move", "ranked"]


class Move(NamedTuple):
    """How a hop changes the place."""

    dimension: int
    rises: bool
    """Whether that coordinate grows; else it falls."""


class Edge(NamedTuple):
    """From one kind to another, by at least one hop."""

    tail: Hashable
    head: Hashable
    moves: frozenset[Move]
    """How the hops of the way from one to the other change the place, each at least once."""

    def grows(self, along: Move) -> bool | None:
        """Whether a coordinate has grown (or fallen) at the end; False where it is the same, None if not known."""
        ways = {move.rises for move in self.moves if move.dimension == along.dimension}
        if not ways:
            return False
        return True if ways == {along.rises} else None


@dataclass(frozen=True)
class Group:
    """Kinds that follow on one another in a circle, told apart by a coordinate; then by groups in their order."""

    kinds: frozenset[Any]
    along: Move | None = None
    """The coordinate that grows (or falls); None of a kind that does not follow on itself."""
    then: tuple[Group, ...] = ()
    """What tells apart where that coordinate is the same."""


def ranked(kinds: Iterable[Hashable], edges: Iterable[Edge], dimensions: int) -> tuple[Group, ...] | None:
    """All kinds in groups, so that edges lead to later groups, or on within one; None where no such order was found.

    >>> east = frozenset({Move(0, True)})
    >>> [group.along for group in ranked(["x", "y"], [Edge("x", "x", east), Edge("x", "y", east)], 1)]
    [Move(dimension=0, rises=True), None]
    >>> ranked(["x"], [Edge("x", "x", east | {Move(0, False)})], 1) is None
    True
    """
    between = list(edges)
    groups: list[Group] = []
    parts = list(_parts(kinds, between))
    part_of = {kind: k for k, members in enumerate(parts) for kind in members}
    within: list[list[Edge]] = [[] for _ in parts]
    for edge in between:
        if part_of[edge.tail] == part_of[edge.head]:
            within[part_of[edge.tail]].append(edge)
    for members, inside in zip(parts, within, strict=True):
        group = _settled(members, inside, dimensions) if inside else Group(members)
        if group is None:
            return None
        groups.append(group)
    return tuple(groups)


def _parts(kinds: Iterable[Hashable], between: Sequence[Edge]) -> Iterator[frozenset[Hashable]]:
    """The strongly connected parts, each after all that lead to it; of those that may come next the first by name.

    >>> east = frozenset({Move(0, True)})
    >>> ring = [Edge("y", "x", east), Edge("x", "y", east), Edge("z", "x", east), Edge("y", "a", east)]
    >>> [sorted(part) for part in _parts("axyzb", ring)]
    [['b'], ['z'], ['x', 'y'], ['a']]
    """
    known = dict.fromkeys([*kinds, *(kind for edge in between for kind in (edge.tail, edge.head))])
    number = {kind: k for k, kind in enumerate(known)}
    ends = np.array([(number[edge.tail], number[edge.head]) for edge in between], int).reshape(-1, 2).T
    count, part = components(len(number), *ends)
    members: list[list[Hashable]] = [[] for _ in range(count)]
    for kind, k in number.items():
        members[part[k]].append(kind)
    led = {(a, b) for a, b in part[ends].T.tolist() if a != b}
    before, after = [0] * count, [[] for _ in range(count)]  # type: tuple[list[int], list[list[int]]]
    for tail, head in led:
        before[head] += 1
        after[tail].append(head)
    ready = [(min(map(repr, members[one])), one) for one in range(count) if not before[one]]
    heapify(ready)
    while ready:
        _, one = heappop(ready)
        yield frozenset(members[one])
        for head in after[one]:
            before[head] -= 1
            if not before[head]:
                heappush(ready, (min(map(repr, members[head])), head))


def _settled(kinds: frozenset[Hashable], inside: list[Edge], dimensions: int) -> Group | None:
    """A group by the first coordinate that grows along some edges inside and falls along none."""
    for along in [Move(d, rises) for d in range(dimensions) for rises in (True, False)]:
        grows = [edge.grows(along) for edge in inside]
        if None in grows or True not in grows:
            continue
        rest = [edge for edge, settled in zip(inside, grows, strict=True) if not settled]
        then = ranked(kinds, rest, dimensions)
        if then is not None:
            return Group(kinds, along, then if rest else ())
    return None
