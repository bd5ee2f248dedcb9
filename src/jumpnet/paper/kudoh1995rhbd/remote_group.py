"""Sections 3.1 and 5.2 of the bit-map directory paper: is LPRA the best scheme for a group far from the source?"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from jumpnet.multicast.children import children
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import Territories, territories
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.kudoh1995rhbd._study import DEFAULT, SCHEMES, SEED, named

TITLE = "LPRA for a group of destinations far from the source"
ORDER = 33

RANKS = (1, 2, 3)
"""A group has as many nodes as a subtree below a child on that rank, and lies where that child is."""
LOCAL = (0, 4, 16)
"""Destinations near the source beside the group, drawn at sigma 1."""
DRAWS = 8
PAPER = "kudoh1995rhbd, sections 3.1 and 5.2"

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


def mean_receivers(where: Territories, group: Group, rank: int, local: int) -> list[float]:
    """Receivers under SM, LPRA and LARP, averaged over the children of the source and draws."""
    draw, source = random.Random(SEED), np.zeros(1, np.int64)
    found = []
    for child in range(1, where.fanout):
        for _ in range(DRAWS):
            near = dict[int, None]()
            while len(near) < local:
                near[where.moved(0, round(draw.gauss(0.0, 1.0)), round(draw.gauss(0.0, 1.0)))] = None
                near.pop(0, None)
            to = [r for r in dict.fromkeys((*group(where, rank, child, draw), *near)) if r]
            found.append([int(receivers_of_sets(where, used, source, np.array([to]))[0][0]) for used in named()])
    return np.mean(found, axis=0).tolist()


def fewest(mean: Sequence[float]) -> str:
    """The schemes with the fewest receivers, more than one where they are equal."""
    return " = ".join(name for name, value in zip(SCHEMES, mean, strict=True) if value == min(mean))


def section(golden: Golden, progress: Progress) -> Section:
    """Every kind of group at every rank, alone and with local destinations."""
    where = territories(DEFAULT.network)
    tables = []
    options = golden["readings"]["remote_group"]["options"]
    for done, (option, words) in enumerate(options.items()):
        progress(done, len(options))
        reading = f"remote_group:{option}"
        rows: list[tuple[str, list[Cell | None]]] = []
        for rank in RANKS:
            away = [abs(x) + abs(y) for x, y in (_centre(where, rank, c) for c in range(1, where.fanout))]
            for local in LOCAL:
                mean = mean_receivers(where, GROUPS[option], rank, local)
                cells: list[Cell | None] = [Cell(None, v, claim="lpra_remote", reading=reading) for v in mean]
                label = f"{where.fanout**rank} nodes, {min(away)} to {max(away)} links away; {local} local"
                rows.append((label, [claimed(golden, "lpra_remote", fewest(mean), reading=reading), *cells]))
        note = f"{where.spec}; means over the seven children, {DRAWS} draws each, seed {SEED}."
        columns = ("fewest receivers", *SCHEMES)
        tables.append(Table(words[:1].upper() + words[1:], PAPER, columns, rows, note))
    return Section(TITLE, TEXT.format(times=_times(tables)), tables)


def _times(tables: Sequence[Table]) -> str:
    """How many times the nodes of SM the LPRA reaches for the least group in a square, without local destinations."""
    square = tables[list(GROUPS).index("square")]
    sm, lpra = (float(square.at(square.rows[0][0], scheme).computed) for scheme in ("SM", "LPRA"))
    return f"{lpra / sm:.1f}"


TEXT = """The paper expects LPRA to be useful for a group of destinations far from the source, without a figure of it.
Its broadcast serves whole subtrees beside the source's path. A group that is such a subtree (the one marked B in Figure
6(a)) it reaches exactly, while a few destinations near the source cost SM a product and LPRA a sum: there LPRA is the
best scheme, except beside 16 local destinations and a group of eight. Without local destinations all three schemes
reach exactly such a group. A group of another shape touches several subtrees, and LPRA sends to all of each: for groups
of 8 and 64 it is never the best, and beside eight nodes in a square it reaches {times} times the nodes of SM.
Of the groups drawn only those of 512, an eighth of the machine, are large enough for it to be the best, or as good as
the others, in every shape."""
