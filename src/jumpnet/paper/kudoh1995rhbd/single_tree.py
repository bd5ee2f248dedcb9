"""Section 4 of the bit-map directory paper: three problems of a single tree, measured against the RDT's fat tree."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np

from jumpnet.multicast import scheme
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.terms import I64

TITLE = "Section 4: a single tree against the fat tree, measured"
ORDER = 7

SPEC, MACHINE = "prdt:64", "rdt:64"
DESTINATIONS = 4
SIGMAS = (1.0, 5.0, 0.0)
"""Spread of the destinations; 0 for anywhere."""
SEED = 1995
PAPER = "kudoh1995rhbd, section 4"
OWN_ROOT = "every router of a PRDT is on all ranks, and so its own root"

Edge = tuple[tuple[int, ...], int, bool]
"""A link of the single tree: the node above it (digits from the top), which of its children, and whether upward."""


def single_tree(where: Territories, root: int = 0) -> list[tuple[int, ...]]:
    """Digits of every router in the one tree that has its root at a router, the top level first.

    >>> len(set(single_tree(territories("prdt:16"))))
    256
    """
    every = range(where.routers)
    digits = where.address(root, every, where.top).digits
    return [tuple(reversed(d)) for d in digits]


def casts(side: int, sigma: float) -> list[list[int]]:
    """Destinations of one multicast from every router: different, and not the source."""
    draw = random.Random(SEED)
    found = []
    for source in range(side * side):
        to: set[int] = set()
        while len(to) < DESTINATIONS:
            x, y = (round(draw.gauss(0.0, sigma)) if sigma else draw.randrange(side) for _ in range(2))
            to.add((source // side + y) % side * side + (source % side + x) % side)
            to.discard(source)
        found.append(sorted(to))
    return found


def tree_loads(digits: Sequence[tuple[int, ...]], sets: Sequence[Sequence[int]]) -> tuple[Counter[Edge], I64]:
    """Messages over each link of the single tree, and levels that each goes up, to the least node above all."""
    load: Counter[Edge] = Counter()
    up = np.zeros(len(sets), np.int64)
    for source, to in enumerate(sets):
        leaves = [digits[source], *(digits[d] for d in to)]
        meet = next(k for k in range(len(leaves[0])) if len({leaf[k] for leaf in leaves}) > 1)
        own = leaves[0]
        up[source] = len(own) - meet
        links = {(own[:k], own[k], True) for k in range(meet, len(own))}
        links |= {(leaf[:k], leaf[k], False) for leaf in leaves[1:] for k in range(meet, len(own))}
        load.update(links)
    return load, up


def fat_loads(where: Territories, sets: Sequence[Sequence[int]]) -> tuple[Counter[tuple[int, int, int]], I64]:
    """Messages over each link of the RDT with full maps, and hops of each to its root."""
    load: Counter[tuple[int, int, int]] = Counter()
    up = np.zeros(len(sets), np.int64)
    full = scheme("full")
    for source, to in enumerate(sets):
        tree = multicast_tree(where, full, source, to)
        load.update((hop.sender, hop.receiver, hop.rank) for hop in tree.hops)
        up[source] = int(np.abs(where.hops[where.class_at(source), tree.address.top]).sum())
    return load, up


def section(golden: Golden, progress: Progress) -> Section:
    """Every router multicasts once; then every message between neighbors."""
    where, machine = territories(SPEC), territories(MACHINE)
    digits = single_tree(where)
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, sigma in enumerate(SIGMAS):
        progress(done, len(SIGMAS) + 1)
        sets = casts(where.side, sigma)
        single, up = tree_loads(digits, sets)
        root = max(count for (above, *_), count in single.items() if above == ())
        label = f"sigma {sigma:g}" if sigma else "anywhere"
        for spec, net in ((SPEC, where), (MACHINE, machine)):
            fat, hops = fat_loads(net, sets)
            most = max(fat.values())
            inner = max(count for (above, *_), count in single.items() if above != ())
            cells: list[Cell | None] = [
                claimed(golden, "root_congestion", "yes" if root >= inner else "no", detail=f"elsewhere {inner}"),
                Cell(None, root, claim="root_congestion"),
                Cell(None, most, claim="roots_relaxed"),
                claimed(golden, "roots_relaxed", "yes" if most < root else "no"),
                Cell(None, float(up.mean()), claim="upstream_latency"),
                Cell(None, float(hops.mean()), claim="upstream_latency"),
                claimed(golden, "upstream_latency", "yes" if up.mean() > hops.mean() else "no",
                        stated=spec == SPEC, detail=OWN_ROOT if spec == SPEC else ""),
            ]  # fmt: skip
            rows.append((f"{label}, {spec}", cells))
    columns = (
        "single tree: its root's links carry most", "single tree: messages on the root's busiest link",
        "RDT: messages on the busiest link", "RDT below the root's", "single tree: links up", "RDT: hops to the root",
        "single tree: more up",
    )  # fmt: skip
    note = f"Each of 4096 nodes multicasts once, to {DESTINATIONS} destinations, with full maps; seed {SEED}."
    table = Table("All nodes multicast at once", PAPER, columns, rows, note)
    return Section(TITLE, TEXT, (table, _neighbors(golden, where, digits)))


def _neighbors(golden: Golden, where: Territories, digits: Sequence[tuple[int, ...]]) -> Table:
    """How far up a message to a neighboring node goes."""
    side, levels = where.side, len(digits[0])
    pairs = [(r, where.moved(r, dx, dy)) for r in range(side * side) for dx, dy in ((1, 0), (0, 1))]
    up = Counter(levels - next(k for k in range(levels) if digits[a][k] != digits[b][k]) for a, b in pairs)
    tops = {where.address(a, [b]).top for a, b in pairs[:64]}
    mean = sum(k * n for k, n in up.items()) / len(pairs)
    share = f"{100 * up[levels] / len(pairs):.1f}% of {len(pairs)} pairs"
    rows: list[tuple[str, list[Cell | None]]] = [
        (
            "single tree: some go through the very root",
            [claimed(golden, "neighbor_by_root", "yes" if up[levels] else "no", detail=share)],
        ),
        ("single tree: links up, on average", [Cell(None, mean, claim="neighbor_by_root")]),
        ("RDT: highest rank that a message to a neighbor needs", [Cell(None, max(tops), claim="neighbor_by_root")]),
    ]
    return Table("Messages to a neighboring node", PAPER, ("value",), rows, f"All pairs of base neighbors of {SPEC}.")


TEXT = f"""The paper gives three reasons against one tree for all nodes: its root is congested, some messages to a
neighbor go through it, and it is far. All three are measured here. The single tree is the tree of router 0 on {SPEC},
all of whose 4096 nodes are its leaves; a message goes up to the least node above its source and its destinations, and
down again. On the RDT each source has a tree of its own: it starts at the source ({SPEC}) or one hop away ({MACHINE}).
A tree link is one link here, though the RDT would need one or two hops for it."""
