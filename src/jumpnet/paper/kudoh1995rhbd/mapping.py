"""Sections 5.2 and 7 of the bit-map directory paper: what a mapping of destinations into a small territory saves."""

from __future__ import annotations

import random

import numpy as np

from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.kudoh1995rhbd._study import DEFAULT, SCHEMES, SEED, named

TITLE = "Destinations inside a territory"
ORDER = 34

DESTINATIONS = (4, 7)
"""Seven fill the least territory with the source."""
TRIALS = 2000
DRASTIC = 10
"""So many times fewer unnecessary receivers count as drastic."""


def unnecessary(rank: int, destinations: int) -> list[float]:
    """Receivers that are no destinations, on average, when these are drawn from a territory; one figure a scheme."""
    where, draw = territories(DEFAULT.network), random.Random(SEED)
    pool = [r for r in where.members(0, rank).tolist() if r]
    sets = np.array([draw.sample(pool, destinations) for _ in range(TRIALS)])
    sources = np.zeros(TRIALS, np.int64)
    return [float(receivers_of_sets(where, used, sources, sets)[0].mean()) - destinations for used in named()]


def section(golden: Golden, progress: Progress) -> Section:
    """Draw from the territory of every rank."""
    where = territories(DEFAULT.network)
    rows: list[tuple[str, list[Cell | None]]] = []
    found: dict[tuple[int, int], list[float]] = {}
    for rank in range(where.top + 1):
        progress(rank, where.top + 1)
        for count in DESTINATIONS:
            found[rank, count] = unnecessary(rank, count)
            cells: list[Cell | None] = [Cell(None, value, claim="local_mapping") for value in found[rank, count]]
            rows.append((f"{count} destinations in the territory of rank {rank}", cells))
    small, large = (np.array([found[rank, k] for k in DESTINATIONS]) for rank in (0, where.top))
    drastic = bool((large > DRASTIC * small).all())
    cell = claimed(golden, "local_mapping", "yes" if drastic else "no", detail=f"more than {DRASTIC} times fewer")
    claims = Table(
        "What the text says",
        "kudoh1995rhbd, sections 5.2 and 7",
        ("value",),
        [("all schemes: rank 0 against anywhere", [cell])],
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
