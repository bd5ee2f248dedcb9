"""Is LPRA the best scheme for a group of destinations far from the source, as two papers expect?

Used by kudoh1995rhbd and nishi1997router: the same groups, by the options of the reading `remote_group`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice

import numpy as np

from jumpnet.multicast import scheme
from jumpnet.multicast.children import children
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import Territories, territories
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Table, claimed

__all__ = ["GROUPS", "RANKS", "mean_receivers", "remote_tables", "scattered", "sizes_by_lpra", "square", "subtree"]

NETWORK = "prdt:64"
"""What the four maps of a header name; the root of a multicast is its source."""
SCHEMES = ("SM", "LPRA", "LARP")
SEED = 1995
RANKS = (1, 2, 3)
"""A group has as many nodes as a subtree below a child on that rank, and lies where that child is."""
LOCAL = (0, 4, 16)
"""Destinations near the source beside the group, drawn at sigma 1."""
DRAWS = 8

Group = Callable[[Territories, int, int, random.Random], Sequence[int]]
"""`(where, rank, child, draw) -> routers`; the source is router 0."""


def _centre(where: Territories, rank: int, child: int) -> tuple[int, int]:
    """Where a child of the source on a rank is."""
    x, y = (np.array(children(where.n)[child]) @ where.vectors[rank]).tolist()
    return x, y


def _squares() -> Iterator[tuple[int, int]]:
    """Offsets by growing squares around (0, 0)."""
    half = 0
    while True:
        around = range(-half, half + 1)
        yield from ((x, y) for y in around for x in around if max(abs(x), abs(y)) == half)
        half += 1


def square(where: Territories, rank: int, child: int, draw: random.Random) -> list[int]:
    """As many nodes as the subtree has, in a square around its centre."""
    x, y = _centre(where, rank, child)
    return [where.moved(0, x + dx, y + dy) for dx, dy in islice(_squares(), where.fanout**rank)]


def scattered(where: Territories, rank: int, child: int, draw: random.Random) -> list[int]:
    """As many nodes, drawn from a normal distribution about as wide."""
    (x, y), size = _centre(where, rank, child), where.fanout**rank
    sigma, found = math.sqrt(size) / 2, dict[int, None]()
    while len(found) < size:
        found[where.moved(0, x + round(draw.gauss(0.0, sigma)), y + round(draw.gauss(0.0, sigma)))] = None
    return list(found)


def subtree(where: Territories, rank: int, child: int, draw: random.Random) -> list[int]:
    """All nodes of the subtree."""
    every = where.members(0, rank)
    packed = where.packed[every]
    return every[packed >> where.stride * rank == child].tolist()


GROUPS: dict[str, Group] = {"square": square, "scattered": scattered, "subtree": subtree}
"""By the options of the reading `remote_group`."""


@cache
def mean_receivers(option: str, rank: int, local: int) -> tuple[float, ...]:
    """Receivers under SM, LPRA and LARP, averaged over the children of the source and draws.

    >>> mean_receivers("subtree", 1, 0)
    (8.0, 8.0, 8.0)
    """
    where, group = territories(NETWORK), GROUPS[option]
    draw, source = random.Random(SEED), np.zeros(1, np.int64)
    found = []
    for child in range(1, where.fanout):
        for _ in range(DRAWS):
            near = dict[int, None]()
            while len(near) < local:
                near[where.moved(0, round(draw.gauss(0.0, 1.0)), round(draw.gauss(0.0, 1.0)))] = None
                near.pop(0, None)
            to = [r for r in dict.fromkeys((*group(where, rank, child, draw), *near)) if r]
            found.append(
                [int(receivers_of_sets(where, used, source, np.array([to]))[0][0]) for used in map(scheme, SCHEMES)]
            )
    return tuple(np.mean(found, axis=0).tolist())


def fewest(mean: Sequence[float]) -> str:
    """The schemes with the fewest receivers, more than one where they are equal."""
    return " = ".join(name for name, value in zip(SCHEMES, mean, strict=True) if value == min(mean))


def remote_tables(golden: Golden, name: str, source: str, progress: Progress) -> list[Table]:
    """A table for each kind of group: at every rank, alone and with local destinations, the scheme with the fewest
    receivers. `name`: the claim."""
    where = territories(NETWORK)
    tables = []
    options = golden["readings"]["remote_group"]["options"]
    for done, (option, words) in enumerate(options.items()):
        progress(done, len(options))
        reading = f"remote_group:{option}"
        rows: Rows = []
        for rank in RANKS:
            away = [abs(x) + abs(y) for x, y in (_centre(where, rank, c) for c in range(1, where.fanout))]
            for local in LOCAL:
                mean = mean_receivers(option, rank, local)
                cells: list[Cell | None] = [Cell(None, v, claim=name, reading=reading) for v in mean]
                label = f"{where.fanout**rank} nodes, {min(away)} to {max(away)} links away; {local} local"
                rows.append((label, [claimed(golden, name, fewest(mean), reading=reading), *cells]))
        note = f"{where.spec}; means over the seven children, {DRAWS} draws each, seed {SEED}."
        columns = ("fewest receivers", *SCHEMES)
        tables.append(Table(words[:1].upper() + words[1:], source, columns, rows, note))
    return tables


def sizes_by_lpra(tables: Sequence[Table]) -> dict[str, str]:
    """Sizes of groups for which LPRA is never the best (`never`; in shapes other than a subtree), and is the best or as
    good as the others in every shape (`always`), whatever is near the source. `tables`: of `remote_tables`."""
    fanout = territories(NETWORK).fanout
    best: dict[int, list[list[bool]]] = {fanout**rank: [] for rank in RANKS}
    for table in tables:
        labels = iter(label for label, _ in table.rows)
        for found in best.values():
            words = [str(table.at(next(labels), "fewest receivers").computed) for _ in LOCAL]
            found.append(["LPRA" in word.split(" = ") for word in words])
    others = [at for at, option in enumerate(GROUPS) if option != "subtree"]
    never = [size for size, shapes in best.items() if not any(any(shapes[at]) for at in others)]
    always = [size for size, shapes in best.items() if all(map(all, shapes))]
    return {"never": series(never), "always": series(always)}
