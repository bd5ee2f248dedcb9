"""The 1D-SRT of the SRT report: Definitions 1 to 5, Theorem 1, Corollary 1, counted; the short span form's readings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jumpnet.graph.distances import distances_from
from jumpnet.graph.layout import linear_layout
from jumpnet.graph.links import joined_routers
from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.report._degrees import fewer_links, upper_rank
from jumpnet.report._figures import figures
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import (
    Cell,
    Figure,
    Golden,
    Progress,
    Rows,
    Section,
    Table,
    claimed,
    on_first_use,
    table_cell,
)
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

TITLE = "The 1D-SRT: Definitions 1 to 5, Theorem 1, Corollary 1"
ORDER = 10

SIZES = (16, 32, 256, 1024)
COLUMNS = (
    "level-0 links of a node", "nodes of two levels", "links of other nodes", "links of N/4 and 3N/4",
    "links of 0 and N/2", "nodes without upper links", "nodes of upper levels", "highest level",
    "links that long span adds", "nodes of level 1", "nodes of the levels, highest first", "nodes of the highest level",
    "from 0 to N/2: long span", "average distance: short span",
)  # fmt: skip
OF_32 = (1, 2, 3, 4)
"""Levels of the 1D-SRT of 32 nodes."""
SHORT = ("ss", "pairs")
TABLE_1 = {"256": 256, "1k": 1024, "4k": 4096, "16k": 16384}


def _one(values: list[int]) -> int:
    """The one value, or -1 where they differ."""
    return values[0] if len(set(values)) == 1 else -1


def _counted(golden: Golden, N: int) -> list[Cell | None]:
    net = build(f"srt1d:{N}")
    rank = np.where(net.neighbor != NO_ROUTER, net.class_rank[net.link_class], -1)
    upper = [{int(k) for k in row if k > 0} for row in rank]
    degree = net.degrees.tolist()
    special = (0, N // 4, N // 2, 3 * N // 4)
    others = [degree[r] for r in range(N) if r not in special]
    added = joined_routers(build(f"srt1d:{N},variant=ls")) - joined_routers(net)
    n = N.bit_length() - 1
    return [
        claimed(golden, "definition_1", _one((rank == 0).sum(axis=1).tolist())),
        claimed(golden, "theorem_1", sum(len(levels) > 1 for levels in upper)),
        claimed(golden, "links_others", _one(others)),
        claimed(golden, "links_quarter", _one([degree[N // 4], degree[3 * N // 4]])),
        claimed(golden, "links_zero", _one([degree[0], degree[N // 2]])),
        claimed(golden, "corollary_1", sum(not levels for levels in upper)),
        by_formula(golden, "upper_nodes", sum(len(levels) for levels in upper), {"n": n}),
        by_formula(golden, "highest_level", int(rank.max()), {"n": n}),
        claimed(golden, "definition_4", len(added), detail=f"Added: {sorted(added)}."),
        *_levels(golden, net, N),
        *_improved(golden, N),
    ]


def _levels(golden: Golden, net: Network, N: int) -> list[Cell | None]:
    """Which nodes the levels have, and how many: by their links alone."""
    level, n = upper_rank(net), N.bit_length() - 1
    counts = [int((level == at).sum()) for at in range(n - 1, 0, -1)]
    sizes = " ".join(str(evaluate(claim(golden, "level_nodes"), n=n, l=at)) for at in range(n - 1, 0, -1))
    top = " ".join(
        "N/4" if r * 4 == N else "3N/4" if r * 4 == 3 * N else str(r) for r in np.flatnonzero(level == n - 1)
    )
    odd = bool(((np.arange(N) % 2 == 1) == (level == 1)).all())
    return [
        claimed(golden, "level_1_odd", "odd" if odd else "others"),
        claimed(golden, "level_nodes", " ".join(map(str, counts)), printed=sizes),
        claimed(golden, "top_ring", top),
    ]


def _improved(golden: Golden, N: int) -> list[Cell | None]:
    """What the long span and the short span form are expected to improve."""
    far = {form: int(distances_from(build(f"srt1d:{N},variant={form}"), 0)[N // 2]) for form in ("standard", "ls")}
    mean = {form: figures(f"srt1d:{N},variant={form}").average_distance for form in ("standard", "ss")}
    words = f"{float(mean['ss']):.3f} against {float(mean['standard']):.3f}."
    return [
        claimed(
            golden, "ls_improves", yes(far["ls"] < far["standard"]), detail=f"{far['ls']} against {far['standard']}."
        ),
        claimed(golden, "ss_improves", yes(mean["ss"] < mean["standard"]), detail=words),
    ]


def _of_level(golden: Golden, net: Network, level: int) -> list[Cell | None]:
    """The second node of a level, and where the first one's link ahead leads, on the 1D-SRT of 32 nodes."""
    nodes = np.flatnonzero(upper_rank(net) == level)
    ahead = int(net.neighbor[nodes[0], 2])
    return [
        by_formula(golden, "definition_2", int(nodes[1]), {"l": level, "i": 1}),
        by_formula(golden, "definition_2_far", ahead, {"l": level, "i": 0}),
    ]


def _short_span(golden: Golden, variant: str) -> list[Cell | None]:
    """Definition 5 in one reading: links against the standard form, the ring, Table 1, the wiring width."""
    standard, short = joined_routers(build("srt1d:256")), joined_routers(build(f"srt1d:256,variant={variant}"))
    ring = {(0, 64), (64, 128), (128, 192), (0, 192)}
    cells = [
        claimed(golden, "definition_5", len(short - standard), detail=f"Added: {sorted(short - standard)}."),
        claimed(golden, "definition_5_removed", len(standard - short)),
        claimed(golden, "ring_of_four", yes(ring <= short)),
        by_formula(
            golden, "corollary_3", linear_layout(build(f"srt1d:256,variant={variant}")).tracks, {"l_max": 7}, "N = 256."
        ),
    ]
    for column, N in TABLE_1.items():
        spec = f"srt1d:{N},variant={variant}"
        word = f"{figures(spec).diameter}/{figures(spec).degree}"
        cells.append(table_cell(golden, "table_1", "SS-1D-SRT", column, word, detail=fewer_links(spec)))
    return [replace(cell, reading=f"short_span:{variant}") for cell in cells]


def _figure(name: str, claim: str, variant: str, title: str) -> Figure:
    net = build(f"srt1d:32,variant={variant}")
    draw = on_first_use("jumpnet.plot.draw", "drawer", net, title=title)
    data = {"router": list(range(32)), "level": upper_rank(net).tolist()}
    number = claim.removeprefix("figure_")
    note = f"{net.links} links."
    return Figure(
        name, title, f"inoguchi1996srt, Figure {number} (lost; drawn here)", draw, data, note, claim, f"net={net.spec}"
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Definitions, theorem and corollary counted on built networks; both readings of the short span form."""
    total = len(SIZES) + len(SHORT)
    rows: Rows = []
    for done, N in enumerate(SIZES):
        progress(done, total)
        rows.append((f"N = {N}", _counted(golden, N)))
    counted = Table("Links and levels of the standard 1D-SRT", "inoguchi1996srt, section 2.1", COLUMNS, rows)
    net = build("srt1d:32")
    of_32 = Table(
        "Nodes of a level and their links, N = 32",
        "inoguchi1996srt, Definition 2",
        ("second node", "the first node's neighbor ahead"),
        [(f"level {level}", _of_level(golden, net, level)) for level in OF_32],
    )
    short: Rows = []
    for done, variant in enumerate(SHORT, len(SIZES)):
        progress(done, total)
        short.append((f"variant={variant}", _short_span(golden, variant)))
    columns = ("links added", "links removed", "0, N/4, N/2, 3N/4 are a ring", "wiring width",
               *(f"Table 1, {column}" for column in TABLE_1))  # fmt: skip
    readings = Table("Two readings of the short span form", "inoguchi1996srt, Definition 5", columns, short,
                     "Links and width for N = 256.")  # fmt: skip
    drawn = (
        _figure("srt-figure-1", "figure_1", "standard", "Standard 1D-SRT of 32 nodes"),
        _figure("srt-figure-2a", "figure_2", "ls", "Long span 1D-SRT of 32 nodes"),
        _figure("srt-figure-2b", "figure_2", "ss", "Short span 1D-SRT of 32 nodes"),
    )
    return Section(TITLE, TEXT, (counted, of_32, readings), drawn)


TEXT = """A ring of N = 2^n nodes; the nodes 2^l i + 2^(l-1) form a ring of their own by bypass links of span 2^l, for
each level l from 1 to n - 1. The nodes 0 and N/2 are left over. The long span form joins them.

Definition 5 names two links that the short span form adds. With those alone its diameters are larger than printed. The
proof of Corollary 3 speaks of a ring through 0, N/4, N/2 and 3N/4, which takes four; with four Table 1 comes out."""
