"""Slow and obvious multicast: who receives, by the papers' words applied to every leaf; schedules played with sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from jumpnet.jit.random import draw63, stream_key

CHILDREN = {
    "M": (0, 0),
    "N": (0, -1),
    "E": (1, 0),
    "W": (-1, 0),
    "S": (0, 1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "SS": (0, 2),
}
"""kudoh1995rhbd Figure 7, y southward."""


def plane_digits(x: int, y: int) -> list[int]:
    """Digits of an offset on the infinite plane, n = 2, rank 0 first, by trying each child at each rank."""
    digits = []
    while True:
        for digit, (dx, dy) in enumerate(CHILDREN.values()):
            a, b = x - dx, y - dy
            if (a + b) % 4 == 0 and (b - a) % 4 == 0:
                digits.append(digit)
                x, y = (a + b) // 4, (b - a) // 4
                break
        if (x, y) == (0, 0):
            return digits


def _same_above(leaf: Sequence[int], rank: int, other: Sequence[int]) -> bool:
    return all(leaf[q] == other[q] for q in range(rank + 1, len(leaf)))


def receives(scheme: str, leaf: Sequence[int], destinations: Sequence[Sequence[int]]) -> bool:
    """Whether a leaf receives, rank by rank from the top, by the words of kudoh1995rhbd section 3.1."""
    top = len(leaf) - 1
    for r in range(top, -1, -1):
        local = not any(leaf[r + 1 :])  # on the path to the source
        if scheme == "SM":
            listed = {d[r] for d in destinations}
        elif scheme == "LPRA":
            listed = {d[r] for d in destinations if not any(d[r + 1 :])} if local else None
        elif scheme == "LARP":
            if r == top:
                listed = {d[r] for d in destinations}
            else:
                listed = None if leaf[top] == 0 else {d[r] for d in destinations if d[top] != 0}
        elif scheme == "LARP:path":
            if r == top:
                listed = {d[r] for d in destinations}
            else:
                listed = None if local else {d[r] for d in destinations if any(d[r + 1 :])}
        else:  # the last processor above knows its subtree; with full maps every node does
            known = max(r, min(top, int(scheme.removeprefix("REMAKE to rank ")))) if " " in scheme else r
            listed = {d[r] for d in destinations if _same_above(leaf, known, d)}
        if listed is not None and leaf[r] not in listed:
            return False
    return True


def receiving_leaves(scheme: str, destinations: Sequence[Sequence[int]], fanout: int) -> set[tuple[int, ...]]:
    """Every leaf that receives, tried one by one."""
    ranks = len(destinations[0])
    return {leaf for leaf in product(range(fanout), repeat=ranks) if receives(scheme, leaf, destinations)}


def play(neighbors: Sequence[set[int]], transfers: Sequence[tuple[int, int, int]], root: int, one_port: bool):
    """(routers informed, times each has received) of a broadcast; AssertionError for an illegal step."""
    holds, received = {root}, [0] * len(neighbors)
    for step in sorted({t[0] for t in transfers}):
        now = [(s, r) for when, s, r in transfers if when == step]
        assert all(r in neighbors[s] for s, r in now), "no link"
        assert all(s in holds for s, _ in now), "sends before it has received"
        senders, receivers = [s for s, _ in now], [r for _, r in now]
        if one_port:
            assert len(set(senders)) == len(senders) and len(set(receivers)) == len(receivers), "two at once"
        else:
            assert len(set(now)) == len(now), "a channel twice"
        holds.update(receivers)
        for r in receivers:
            received[r] += 1
    return len(holds), received


def best_tree_steps(parent: Sequence[int]) -> int:
    """Fewest one-port steps of a broadcast down a tree, by every order of the children of every router."""
    kids = {r: [c for c, p in enumerate(parent) if p == r] for r in range(len(parent))}

    def steps(router: int) -> int:
        return min(
            max((i + 1 + steps(c) for i, c in enumerate(order)), default=0) for order in permutations(kids[router])
        )

    return steps(list(parent).index(-1))


def drawn_offsets(
    thresholds: Sequence[int],
    side: int,
    seed: int,
    stream: int,
    count: int,
    repeats: bool = False,
    source: bool = False,
) -> list[tuple[int, int]]:
    """The first offsets of a stream, different unless `repeats` and nonzero unless `source` too, by a linear search in
    the thresholds.
    """
    reach, key, counter = len(thresholds) // 2, stream_key(seed, stream), 0
    found: list[tuple[int, int]] = []
    while len(found) < count:
        pair = []
        for _ in range(2):
            draw = int(draw63(key, counter))
            counter += 1
            k = next((i for i, end in enumerate(thresholds) if draw < end), len(thresholds) - 1)
            pair.append((k - reach) % side)
        place = (pair[0], pair[1])
        if repeats or ((source or place != (0, 0)) and place not in found):
            found.append(place)
    return found
