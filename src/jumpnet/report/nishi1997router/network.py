"""Section 2: clusters of JUMP-1, upper tori, the torus assignment."""

from __future__ import annotations

from math import atan2, degrees
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.report._assignments import neighbors_table
from jumpnet.report._degrees import ONE_UPPER, links_of_a_node, upper_rank
from jumpnet.report._section import Figure, Golden, Progress, Section, Table
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology import build
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Section 2: JUMP-1 and its network"
ORDER = 10

SPEC = "rdt:128"
"""The square of the smallest side with four upper ranks: more than ten thousand nodes."""
WINDOW = 16
"""Base links across, drawn."""
COLOURS = ("#bbbbbb", "#1f77b4", "#d62728", "#2ca02c", "#9467bd")


def _away(net: Network, own: I64) -> tuple[int, int | str]:
    """Fewest ranks besides its own that a router's base neighbors have; most base hops to any rank."""
    top = int(own.max())
    near = own[net.neighbor[:, :4]]
    has = np.stack([(near == rank).any(axis=1) for rank in range(1, top + 1)], axis=1)
    mine = own[:, None] == np.arange(1, top + 1)
    others = (has & ~mine).sum(axis=1)
    return int(others.min()), 1 if (mine | has).all() else "more than 1"


def _vectors(net: Network, own: I64, rank: int) -> set[tuple[int, int]]:
    """Where the upper links of the routers of a rank lead, seen from the router."""
    side = int(net.params[0])
    r = np.flatnonzero(own == rank)
    found = set()
    for port in range(4, net.ports):
        to = net.neighbor[r, port]
        dx, dy = (to % side - r % side) % side, (to // side - r // side) % side
        found |= {
            ((int(x) + side // 2) % side - side // 2, (int(y) + side // 2) % side - side // 2)
            for x, y in zip(dx[to != NO_ROUTER], dy[to != NO_ROUTER], strict=True)
        }
    return found


def _angle(vectors: set[tuple[int, int]]) -> int | float:
    """Degrees by which the links of a rank are turned against those of the base torus, from 0 to 90."""
    found = {round(degrees(atan2(y, x)) % 90, 9) for x, y in vectors}
    angle = found.pop() if len(found) == 1 else -1.0
    return int(angle) if angle == int(angle) else angle


def _tori(net: Network, own: I64) -> Any:
    """Draw one torus of rank 1 and one of rank 2 over the base torus."""
    side = int(net.params[0])

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for k in range(WINDOW):
            axes.plot([0, WINDOW - 1], [k, k], color=COLOURS[0], lw=0.5)
            axes.plot([k, k], [0, WINDOW - 1], color=COLOURS[0], lw=0.5)
        for rank in (1, 2):
            first = int(np.flatnonzero(own == rank)[0])
            todo, seen = [first], {first}
            while todo:
                r = todo.pop()
                for to in net.neighbor[r, 4:].tolist():
                    ends = [(p % side, p // side) for p in (r, to)]
                    if to == NO_ROUTER or max(max(end) for end in ends) >= WINDOW:
                        continue
                    if max(abs(a - b) for a, b in zip(*ends, strict=True)) < WINDOW:
                        axes.plot(*zip(*ends, strict=True), color=COLOURS[rank], lw=1.5)
                    if to not in seen:
                        seen.add(to)
                        todo.append(to)
            axes.plot([], [], color=COLOURS[rank], label=f"a torus of rank {rank}")
        axes.invert_yaxis()
        axes.set_aspect("equal")
        axes.legend(loc="upper right")

    return draw


def _assignment(net: Network, own: I64) -> Any:
    """Draw the upper rank of each router of a corner."""
    side = int(net.params[0])

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for y in range(WINDOW // 2):
            for x in range(WINDOW // 2):
                rank = int(own[y * side + x])
                axes.scatter([x], [y], s=220, color=COLOURS[rank])
                axes.text(x, y, str(rank), ha="center", va="center", color="white")
        axes.invert_yaxis()
        axes.set_aspect("equal")

    return draw


def _clusters(golden: Golden) -> Table:
    """Section 2.1: what the prototype consists of."""
    chips, cpus = (int(claim(golden, name)) for name in ("prototype_clusters", "cluster_processors"))
    side = int(chips**0.5)
    return sentences(
        golden,
        "Clusters of JUMP-1",
        "nishi1997router, section 2.1",
        [
            ("universities", Said(7, "nothing in the model depends on it", stated=True)),
            ("directory_entries", Said("page", "our machine model takes entries for pages or for lines", stated=True)),
            ("prototype_clusters", Said(side * side, f"a square of {side} x {side}", stated=True)),
            ("cluster_processors", Said(4, "nothing in the model of the chip depends on it", stated=True)),
            ("prototype_processors", Said(chips * cpus, "clusters times processors", stated=True)),
            ("cluster_mbps", Said(2, "two links of the chip lead to MBPs", stated=True)),
        ],
    )


def _said(golden: Golden, net: Network, own: I64) -> Table:
    others, away = _away(net, own)
    first, second = (_vectors(net, own, rank) for rank in (1, 2))
    length = {rank: min(np.hypot(*v) for v in found) for rank, found in ((1, first), (2, second))}
    n, side = 2, int(net.params[0])
    grid = evaluate(claim(golden, "grid_growth"), n=n)
    return sentences(
        golden,
        "The network",
        f"nishi1997router, section 2; {SPEC} built here",
        [
            *(
                ("degree", Said(links.word, links.detail, label=f"links of a node, {spec}"))
                for spec, links in ((spec, links_of_a_node(spec)) for spec in ONE_UPPER)
            ),
            ("top_rank", Said(ranks_that_close(side, 2)[0], f"the most whose tori close on {net.routers} routers")),
            ("rank_angle", Said(_angle(first), f"n = {n}: links of rank 1 against those of rank 0")),
            ("upper_links", Said(len(first & {(a, b) for a in (-n, n) for b in (-n, n)}))),
            (
                "grid_growth",
                Said(
                    float(length[1]),
                    f"n = {n}: rank 1 over the base torus",
                    printed=f"{grid:.4f}",
                    label="grid of rank 1 in units of the base torus, n = 2",
                ),
            ),
            (
                "grid_growth",
                Said(
                    float(length[2] / length[1]),
                    printed=f"{grid:.4f}",
                    label="grid of rank 2 in units of rank 1, n = 2",
                ),
            ),
            ("other_ranks", Said(others)),
            ("rank_away", Said(away)),
        ],
    )


def _figures(net: Network, own: I64) -> list[Figure]:
    return [
        Figure(
            "chip-figure-3",
            "A torus of rank 1 and one of rank 2",
            "nishi1997router, Figure 3",
            _tori(net, own),
            claim="figure_3",
            note="Drawn from the network; the figure is lost in our copy.",
            explored=f"net={SPEC}&network.pieces={'.'.join(f'{int((own == r).argmax())}.{r}' for r in (1, 2))}",
        ),
        Figure(
            "chip-figure-4",
            "The upper rank of each node",
            "nishi1997router, Figure 4",
            _assignment(net, own),
            {"rank": own[: WINDOW // 2].tolist()},
            claim="figure_4",
            note="The assignment of RDT(2,4,1)/alpha; the figure is lost in our copy.",
            explored=f"net={SPEC}",
        ),
    ]


def section(golden: Golden, progress: Progress) -> Section:
    """Build the network of the largest size spoken of and look at it."""
    net = build(SPEC)
    own = upper_rank(net)
    assignments = neighbors_table(golden, "nishi1997router, section 2.2")
    return Section(TITLE, TEXT, (_said(golden, net, own), _clusters(golden), assignments), _figures(net, own))


TEXT = """A cluster is a node of RDT(2,4,1): four links of the base torus and four of one upper rank. The router chip
needs one thing of the torus assignment: that every rank can be reached by at most one hop over the base torus, which
holds for all nodes of the network built here. That this property reduces diameter and average distance is so over all
assignments of ranks to classes; among those that give every rank two classes, as here, it is not."""
