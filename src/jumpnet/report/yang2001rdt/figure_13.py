"""Figure 13 of the RDT paper: the transfers of a broadcast on one rank, who receives from whom, and the many roots."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from jumpnet.multicast.children import NAMES, children
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import reached
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._territories import children_at
from jumpnet.report.yang2001rdt._tori import torus_labels
from jumpnet.topology import build

TITLE = "Figure 13: the message transfers of a broadcast"
ORDER = 89

KEY = "yang2001rdt"
PERFECT, ALPHA = "prdt:64", "rdt:64"
OPENED = "prdt:16"
"""What the page opens for the picture: the same transfers, on a network that it draws more largely."""
Transfer = tuple[tuple[int, int], tuple[int, int], int]


def _transfers(where: Territories) -> list[Transfer]:
    """(from, to, step) of one rank's pattern, in units of the rank."""
    return [(tuple(a), tuple(b), step) for a, b, step in reached((1 << where.fanout) - 1, where.n)]  # type: ignore[misc]


def _received(where: Territories, rank: int, above: Any) -> Any:
    """How often each router receives, or starts, on a rank when the routers `above` (numbers) all send."""
    x, y = where.vectors[rank]
    count = np.zeros(where.routers, np.int64)
    for dx, dy in children(where.n):
        to_x = (above % where.side + dx * x[0] + dy * y[0]) % where.side
        to_y = (above // where.side + dx * x[1] + dy * y[1]) % where.side
        np.add.at(count, to_y * where.side + to_x, 1)
    return count


def _once(golden: Golden, where: Territories) -> Table:
    """On each rank below the top: the nodes of one torus above send, and their torus of this rank receives."""
    net, rows = build(PERFECT), []
    transfers = _transfers(where)
    first, second = (sum(step == k for _, _, step in transfers) for k in (0, 1))
    words = f"{1 + len(transfers)} {first} {second}"
    told = "the node itself, its neighbors, and those of the southern one"
    cells: list[Cell | None] = [claimed(golden, "broadcast_pattern", words, detail=told), None]
    rows.append(("the pattern of one rank", cells))
    for rank in range(where.top - 1, -1, -1):
        label = torus_labels(net, rank + 1)
        above = np.flatnonzero(label == label[0])
        here = torus_labels(net, rank)
        torus = np.flatnonzero(here == here[0])
        count = _received(where, rank, above)
        answer = "once" if (count[torus] == 1).all() and count.sum() == torus.size else "not once each"
        why = f"{above.size} nodes of a rank-{rank + 1} torus send; {torus.size} nodes of the rank-{rank} torus"
        rows.append((f"rank {rank}", [None, claimed(golden, "broadcast_once", answer, detail=why)]))
    columns = ("nodes, by the first step, by the second", "each node receives")
    return Table(f"One rank of {PERFECT}", f"{KEY}, Figure 13 (a)", columns, rows)


def relaxed(served: Any) -> bool:
    """Whether there are many roots, and each starts its even share of the multicasts, no more.

    `served`: multicasts that each node starts; none at a node that is no root.

    >>> relaxed(np.array([2, 2, 0, 0])), relaxed(np.array([3, 1, 0, 0])), relaxed(np.array([4, 0, 0, 0]))
    (True, False, False)
    """
    roots = int((served > 0).sum())
    return roots > 1 and int(served.max()) * roots == int(served.sum())


def _roots(golden: Golden, where: Territories) -> Table:
    """Nodes with the top rank, and how many multicasts each starts when every node sends one."""
    net, top = build(ALPHA), where.top
    router = np.arange(net.routers)
    hop = where.hops[[where.class_at(r) for r in router.tolist()], top]
    root = (router // where.side + hop[:, 1]) % where.side * where.side + (router % where.side + hop[:, 0]) % where.side
    served = np.bincount(root, minlength=net.routers)
    roots, most = int((served > 0).sum()), int(served.max())
    many = f"{roots} of {net.routers} nodes have rank {top} and start broadcasts"
    share = f"of {net.routers} multicasts at once a root starts {most} at most, the even share {net.routers / roots:g}"
    load = f"{share}; the root of a single tree starts all"
    rows: Rows = [
        (
            golden["claims"]["roots_many"]["text"],
            [claimed(golden, "roots_many", "many" if roots > 1 else "one", detail=many)],
        ),
        (
            golden["claims"]["roots_relaxed"]["text"],
            [claimed(golden, "roots_relaxed", "relaxed" if relaxed(served) else "not relaxed", detail=load)],
        ),
    ]
    return Table(f"Roots on {ALPHA}", f"{KEY}, section V.B", ("found",), rows)


def _draw(transfers: list[Transfer], figure: Any) -> None:
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.axis("off")
    for (ax, ay), (bx, by), step in transfers:
        style = {
            "arrowstyle": "->",
            "linestyle": "-" if step == 0 else ":",
            "color": "#20262e",
            "shrinkA": 12,
            "shrinkB": 12,
        }
        axes.annotate("", xy=(bx, -by), xytext=(ax, -ay), arrowprops=style)
    for name, (x, y) in zip(NAMES, children(), strict=True):
        axes.text(x, -y, name, ha="center", va="center")
    axes.set_xlim(-1.6, 1.6)
    axes.set_ylim(-2.6, 1.6)


def section(golden: Golden, progress: Progress) -> Section:
    """The pattern, who receives how often, the roots, the picture."""
    progress(0, 1)
    where, alpha = territories(PERFECT), territories(ALPHA)
    transfers = _transfers(where)
    data: dict[str, list[Any]] = {
        "from": [str(a) for a, _, _ in transfers],
        "to": [str(b) for _, b, _ in transfers],
        "step": [step for _, _, step in transfers],
    }
    picture = Figure(
        "rdt-figure-13", "Transfers of a broadcast on one rank", f"{KEY}, Figure 13", partial(_draw, transfers), data,
        "Whole lines: the first step; dotted: the second, from the southern neighbor.", claim="figure_13",
        explored=children_at(territories(OPENED)),
    )  # fmt: skip
    return Section(TITLE, TEXT, (_once(golden, where), _roots(golden, alpha)), (picture,))


TEXT = """A node with a rank sends to its four neighbors on it, and the southern one to three more: eight nodes with
the node itself, which then do the same on the rank below. When all nodes of a torus of the rank above do so, every
node of the torus of this rank is reached by exactly one of them; this is counted on each rank but the top one, where
the pattern starts from one node. Of the roots only their number is looked at here, not the links that lead to them.
Part (b) of the figure, on freedom from deadlock, is lost in our copy."""
