"""Theorems 1 and 2 of the RDT paper, checked exhaustively: how the tori of each rank split into those of the next."""

from __future__ import annotations

import numpy as np

from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.yang2001rdt._tori import ranks_of, torus_labels, windows_distinct
from jumpnet.papers import claim
from jumpnet.topology import build
from jumpnet.topology.rdt import unit_vectors

TITLE = "Theorems 1 and 2: independent tori"
ORDER = 10

NETWORKS = ("prdt:16", "prdt:64", "prdt:128", "prdt:18,n=3", "prdt:108,n=3", "prdt:32,n=4", "prdt:128,n=4")
ALPHA = "rdt:256"


def _splits(spec: str) -> list[tuple[int, set[int], bool]]:
    """For each rank r with a next one: r, into how many rank-(r+1) tori its tori split, and Theorem 2's windows."""
    net = build(spec)
    side, n = int(net.params[0]), int(net.params[1])
    ranks = ranks_of(net)
    vectors = unit_vectors(n, ranks[-1])
    found = []
    lower = torus_labels(net, 0)
    for r in ranks[:-1]:
        upper = torus_labels(net, r + 1)
        pairs = np.unique(np.stack([lower, upper]), axis=1)
        counts = set(np.bincount(pairs[0]).tolist())
        found.append((r, counts, windows_distinct(upper, side, vectors[r, 0], vectors[r, 1], n)))
        lower = upper
    return found


def section(golden: Golden, progress: Progress) -> Section:
    """Count the tori of each rank on PRDTs of several cardinal numbers, and those of RDT(2,4,1)/alpha."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, spec in enumerate(NETWORKS):
        progress(done, len(NETWORKS) + 1)
        n = int(build(spec).params[1])
        for r, counts, distinct in _splits(spec):
            printed = claim(golden, "theorem_1") if n == 2 else str(2 * n * n)
            computed: int | str = counts.pop() if len(counts) == 1 else " or ".join(map(str, sorted(counts)))
            rows.append(
                (f"{spec}, rank {r} to {r + 1}", [Cell(printed, computed), Cell("yes", "yes" if distinct else "no")])
            )
    split = Table(
        "Rank-(r+1) tori on each rank-r torus, and whether every 2n by n array of it meets each of them once",
        "yang2001rdt, Theorems 1 and 2",
        ("tori (Theorem 1: 2n²)", "all different (Theorem 2)"),
        rows,
        "Every torus of every rank, and the array from every router. The printed number is 2n² with that n.",
    )
    progress(len(NETWORKS), len(NETWORKS) + 1)
    net = build(ALPHA)
    expected = claim(golden, "independent_tori").split()
    cells = [Cell(p, int(torus_labels(net, r).max()) + 1) for r, p in enumerate(expected, 1)]
    tori = Table(
        "Independent tori of RDT(2,4,1)/α, counted",
        "yang2001rdt, section IV.C.0.h",
        [f"rank {r}" for r in range(1, len(expected) + 1)],
        [(ALPHA, cells)],
    )
    return Section(TITLE, TEXT, (split, tori))


TEXT = """Theorem 1 says that a torus of rank r carries 2n² separate tori of rank r+1, Theorem 2 that the nodes of any
2n by n array of it lie on different ones. Both are checked for every torus and every array of the networks below. The
second table counts the redundant tori that the paper's remark on fault tolerance relies on."""
