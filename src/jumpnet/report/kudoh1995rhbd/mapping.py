"""Sections 5.2 and 7 of the bit-map directory paper: what a mapping of destinations into a small territory saves."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.report._measures import DRASTIC, drastic
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._study import DEFAULT, SCHEMES, SEED, named

TITLE = "Destinations inside a territory"
ORDER = 34

DESTINATIONS = (4, 7)
"""Seven fill the least territory with the source."""
SMALL = (0, 1)
"""Ranks of territories that are small: 8 and 64 of the 4096 routers."""
TRIALS = 2000


def unnecessary(rank: int, destinations: int) -> list[float]:
    """Receivers that are no destinations, on average, when these are drawn from a territory; one figure a scheme."""
    where, draw = territories(DEFAULT.network), random.Random(SEED)
    pool = [r for r in where.members(0, rank).tolist() if r]
    sets = np.array([draw.sample(pool, destinations) for _ in range(TRIALS)])
    sources = np.zeros(TRIALS, np.int64)
    return [float(receivers_of_sets(where, used, sources, sets)[0].mean()) - destinations for used in named()]


def fewer(small: Sequence[Sequence[float]], anywhere: Sequence[Sequence[float]]) -> bool:
    """Whether the unnecessary receivers are drastically fewer than anywhere, in every case.

    >>> fewer([[0.0, 2.0]], [[3.0, 4.0]]), fewer([[0.0, 2.0]], [[0.0, 4.0]]), fewer([[0.0, 2.0]], [[3.0, 3.9]])
    (True, False, False)
    """
    pairs = zip(np.ravel(anywhere).tolist(), np.ravel(small).tolist(), strict=True)
    return all(drastic(many, few) for many, few in pairs)


def _fewer(small: Sequence[Sequence[float]], anywhere: Sequence[Sequence[float]]) -> str:
    """How many times fewer they are, the least and the most."""
    few, many = np.array(small), np.array(anywhere)
    if not few.any():
        return f"none against {many.min():.0f} to {many.max():.0f}"
    times = many / few
    return f"{times.min():.0f} to {times.max():.0f} times fewer"


def section(golden: Golden, progress: Progress) -> Section:
    """Draw from the territory of every rank."""
    where = territories(DEFAULT.network)
    rows: Rows = []
    found: dict[tuple[int, int], list[float]] = {}
    for rank in range(where.top + 1):
        progress(rank, where.top + 1)
        for count in DESTINATIONS:
            found[rank, count] = unnecessary(rank, count)
            cells: list[Cell | None] = [Cell(None, value, claim="local_mapping") for value in found[rank, count]]
            rows.append((f"{count} destinations in the territory of rank {rank}", cells))
    anywhere = [found[where.top, k] for k in DESTINATIONS]
    words: Rows = []
    for rank in SMALL:
        small = [found[rank, k] for k in DESTINATIONS]
        word = "yes" if fewer(small, anywhere) else "no"
        cell = claimed(golden, "local_mapping", word, detail=_fewer(small, anywhere))
        words.append((f"all schemes: rank {rank} against anywhere", [cell]))
    claims = Table(
        "What the text says",
        "kudoh1995rhbd, sections 5.2 and 7",
        ("value",),
        words,
        f"Drastic: at least {DRASTIC} times fewer, for each scheme and number of destinations; the number is ours.",
    )
    table = Table(
        "Unnecessary receivers",
        "kudoh1995rhbd, section 5.2",
        SCHEMES,
        rows,
        f"{where.spec}; mean of {TRIALS:,} draws, seed {SEED}. Rank {where.top} is anywhere.",
    )
    return Section(TITLE, TEXT, (claims, table))


TEXT = """Where the destinations lie in the least territory, the source and its seven children, one map names each of
them and nobody else receives, whatever the scheme. Drawn from larger territories they cost ever more receivers."""
