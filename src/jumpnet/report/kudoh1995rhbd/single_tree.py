"""Section 4 of the bit-map directory paper: three problems of a single tree, measured against the RDT's fat tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jumpnet.multicast.territory import Territories, territories
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._single_tree import DESTINATIONS, MACHINE, SEED, SIGMAS, SPEC, all_multicast, single_tree

TITLE = "Section 4: a single tree against the fat tree, measured"
ORDER = 7

PAPER = "kudoh1995rhbd, section 4"
OWN_ROOT = "every router of a PRDT is on all ranks, and so its own root"


def section(golden: Golden, progress: Progress) -> Section:
    """Every router multicasts once; then every message between neighbors."""
    where = territories(SPEC)
    rows: Rows = []
    for done, sigma in enumerate(SIGMAS):
        progress(done, len(SIGMAS) + 1)
        label = f"sigma {sigma:g}" if sigma else "anywhere"
        for spec in (SPEC, MACHINE):
            found = all_multicast(spec, sigma)
            less, nearer = found.busiest < found.root, found.up > found.hops
            cells: list[Cell | None] = [
                claimed(golden, "root_congestion", "yes" if found.root >= found.inner else "no",
                        detail=f"elsewhere {found.inner}"),
                Cell(None, found.root, claim="root_congestion"),
                Cell(None, found.busiest, claim="roots_relaxed"),
                claimed(golden, "roots_relaxed", "yes" if less else "no"),
                Cell(None, found.up, claim="upstream_latency"),
                Cell(None, found.hops, claim="upstream_latency"),
                claimed(golden, "upstream_latency", "yes" if nearer else "no",
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
    return Section(TITLE, TEXT, (table, _neighbors(golden, where, single_tree(where))))


def _neighbors(golden: Golden, where: Territories, digits: Sequence[tuple[int, ...]]) -> Table:
    """How far up a message to a neighboring node goes."""
    side, levels = where.side, len(digits[0])
    pairs = [(r, where.moved(r, dx, dy)) for r in range(side * side) for dx, dy in ((1, 0), (0, 1))]
    up = Counter(levels - next(k for k in range(levels) if digits[a][k] != digits[b][k]) for a, b in pairs)
    tops = {where.address(a, [b]).top for a, b in pairs}
    mean = sum(k * n for k, n in up.items()) / len(pairs)
    share = f"{100 * up[levels] / len(pairs):.1f}% of {len(pairs)} pairs"
    rows: Rows = [
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
