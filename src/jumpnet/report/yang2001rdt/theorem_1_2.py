"""Theorems 1 and 2 of the RDT paper, checked exhaustively: how the tori of each rank split into those of the next."""

from __future__ import annotations

import numpy as np

from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._tori import ranks_of, torus_labels, windows_distinct
from jumpnet.terms import I64
from jumpnet.topology import build
from jumpnet.topology.rdt import unit_vectors

TITLE = "Theorems 1 and 2: independent tori"
ORDER = 10

NETWORKS = ("prdt:16", "prdt:64", "prdt:128", "prdt:18,n=3", "prdt:108,n=3", "prdt:32,n=4", "prdt:128,n=4")
"""Sides c(2n)^gamma, as Theorem 1 asks for."""
OTHER = ("prdt:10,n=3", "prdt:12", "prdt:20")
"""Sides of another form."""
NAMES = ("theorem_1", "theorem_2", "proof_2_x", "proof_2_y")
ALPHA = "rdt:256"
FAR = 1 << 30


def _printed(golden: Golden, name: str, n: int) -> str:
    """What is printed of a claim: that it holds, or a number of n."""
    word = claim(golden, name)
    return word if name == "theorem_2" else str(evaluate(word, n=n))


def _apart(labels: I64, side: int, x: I64, y: I64, n: int) -> tuple[int, int]:
    """Least steps along x between two nodes of one upper torus, and along y to a row that it meets again."""
    place = np.indices((side, side), dtype=np.int64)
    grid = labels.reshape(side, side)

    def same(i: int, j: int) -> bool:
        dx, dy = i * x + j * y
        return bool((grid[(place[0] + dy) % side, (place[1] + dx) % side] == grid).any())

    along = next((i for i in range(1, 4 * n + 1) if same(i, 0)), FAR)
    rows = next((j for j in range(1, 4 * n + 1) if any(same(i, j) for i in range(along))), FAR)
    return along, rows


def _splits(net: Network) -> list[tuple[int, set[int], int, bool, tuple[int, int]]]:
    """For each rank r with a next one: r, into how many rank-(r+1) tori its tori split, nodes of one, windows, gaps."""
    side, n = int(net.params[0]), int(net.params[1])
    ranks = ranks_of(net)
    vectors = unit_vectors(n, ranks[-1])
    found = []
    lower = torus_labels(net, 0)
    for r in ranks[:-1]:
        upper = torus_labels(net, r + 1)
        pairs = np.unique(np.stack([lower, upper]), axis=1)
        counts = set(np.bincount(pairs[0]).tolist())
        x, y = vectors[r]
        nodes = int(np.bincount(lower)[0])
        found.append((r, counts, nodes, windows_distinct(upper, side, x, y, n), _apart(upper, side, x, y, n)))
        lower = upper
    return found


def _table(golden: Golden, progress: Progress) -> Table:
    rows: Rows = []
    for done, spec in enumerate((*NETWORKS, *OTHER)):
        progress(done, len(NETWORKS) + len(OTHER) + 1)
        net = build(spec)
        n = int(net.params[1])
        printed = [_printed(golden, name, n) for name in NAMES]
        for r, counts, nodes, distinct, (along, across) in _splits(net):
            fits = net.params[0] % (2 * n) == 0 and nodes >= 4 * n * n
            computed: int | str = counts.pop() if len(counts) == 1 else " or ".join(map(str, sorted(counts)))
            detail = f"{nodes} nodes on the rank-{r} torus"
            values = (computed, yes(distinct), along, across)
            rows.append(
                (
                    f"{spec}, rank {r} to {r + 1}",
                    [
                        Cell(words if fits else None, value, claim=name, detail=detail if name == "theorem_1" else "")
                        for name, value, words in zip(NAMES, values, printed, strict=True)
                    ],
                )
            )
    return Table(
        "Rank-(r+1) tori on each rank-r torus, and whether every 2n by n array of it meets each of them once",
        "yang2001rdt, Theorems 1 and 2, Proofs 1 and 2",
        ("tori (Theorem 1: 2n²)", "all different (Theorem 2)", "steps apart along x (2n)", "rows apart (n)"),
        rows,
        "Every torus of every rank, and the array from every router. Nothing is printed for a side that is no c(2n)^γ.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Count the tori of each rank on PRDTs of several cardinal numbers, and those of RDT(2,4,1)/alpha."""
    split = _table(golden, progress)
    net = build(ALPHA)
    expected = claim(golden, "independent_tori").split()
    found = [int(torus_labels(net, r).max()) + 1 for r in ranks_of(net)[1:]]
    cells = [claimed(golden, "independent_tori", f, printed=p) for p, f in zip(expected, found, strict=True)]
    tori = Table(
        "Independent tori of RDT(2,4,1)/α, counted",
        "yang2001rdt, section IV.C.h",
        [f"rank {r}" for r in range(1, len(expected) + 1)],
        [(ALPHA, cells)],
    )
    return Section(TITLE, TEXT.format(whole=_whole(split), networks=len(NETWORKS)), (split, tori))


def _whole(split: Table) -> int:
    """On how many networks of the form that the theorems ask for every figure is as they say."""
    verdicts = [(row, cell.verdict) for row, cells in split.rows for cell in cells if cell is not None]
    fails = {row.partition(", rank")[0] for row, verdict in verdicts if verdict == "differs"}
    return len(set(NETWORKS) - fails)


TEXT = """Theorem 1 says that a torus of rank r carries 2n² separate tori of rank r+1, Theorem 2 that the nodes of any
2n by n array of it lie on different ones. Both are checked for every torus and every array of the networks below. They
hold for {whole} of the first {networks}, whose sides are whole powers times a factor that lets every rank divide the
side.

The theorem asks for less: a side c(2n)^γ and 4n² nodes on the rank-r torus. Sides of 12 = 3·4 and 20 = 5·4 nodes meet
that, and there it fails: the rank-1 torus of 18 (or 50) nodes carries two rank-2 tori, not eight, as 18 nodes do not
split into eight. The proof divides numbers of nodes without asking whether the result is whole. On a side that is no
multiple of 2n the theorem says nothing; 10 by 10 nodes with n = 3 carry two rank-1 tori.

The second table counts the redundant tori that the paper's remark on fault tolerance relies on."""
