"""Multicasts, for the page: territories of a source, and who receives what under each bit-map scheme, hop by hop.

A directory is one of a few sets of destinations, each the first `COUNTS` of an order; the trees are those of
`jumpnet multicast --tree`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.multicast import scheme
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import MulticastTree, multicast_tree
from jumpnet.networks import Network
from jumpnet.terms import I32
from jumpnet.topology import build

__all__ = ["COUNTS", "DIRECTORIES", "PANEL", "SCHEMES", "SPECS", "data", "directory", "source_of", "specs", "tree_data"]

PANEL = "multicast"
SPECS = ("rdt:8", "rdt:16", "rdt:32")
SCHEMES = ("SM", "LPRA", "LARP", "LARP:path", "REMAKE", "full")
DIRECTORIES = ("near", "row", "anywhere")
"""Near the source (a normal distribution, as in kudoh1995rhbd section 5.2), beside it in its row, anywhere."""
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16)
SIGMA = 2.0


def specs() -> list[str]:
    """Networks that the panel draws on."""
    return list(SPECS)


def source_of(where: Territories) -> int:
    """The router in the middle, from which everything is sent."""
    return (where.side // 2) * where.side + where.side // 2


def directory(where: Territories, name: str) -> list[int]:
    """The destinations of a directory in their order, as many as the largest of `COUNTS`, none of them the source.

    >>> where = territories("rdt:8")
    >>> [router - source_of(where) for router in directory(where, "row")[:3]]
    [1, 2, 3]
    """
    side, source, most = where.side, source_of(where), COUNTS[-1]
    draw = np.random.default_rng(1)
    if name == "row":
        order = [where.moved(source, dx, dy) for dy in range(side) for dx in range(side)]
    elif name == "near":
        offsets = np.rint(draw.normal(0.0, SIGMA, (50 * most, 2))).astype(int).tolist()
        order = [where.moved(source, dx, dy) for dx, dy in offsets]
    else:
        order = draw.permutation(where.routers).tolist()
    return [router for router in dict.fromkeys(order) if router != source][:most]


def data() -> dict[str, Any]:
    """All networks, directories, counts and schemes. Cost: some CPU seconds."""
    return {
        "schemes": [{"name": name, "summary": scheme(name).summary} for name in SCHEMES],
        "counts": list(COUNTS),
        "networks": [_network(build(spec)) for spec in SPECS],
    }


def _network(net: Network) -> dict[str, Any]:
    where = territories(net)
    source = source_of(where)
    return {
        "spec": net.spec,
        "source": source,
        "top": where.top,
        "territory": _territory(where, source),
        "directories": [
            {
                "name": name,
                "destinations": np.array(order, np.int32),
                "trees": [
                    [tree_data(net, multicast_tree(where, scheme(each), source, order[:count])) for each in SCHEMES]
                    for count in COUNTS
                ],
            }
            for name in DIRECTORIES
            for order in [directory(where, name)]
        ],
    }


def _territory(where: Territories, source: int) -> I32:
    """(R,) least top rank whose territory holds each router, -1 for none."""
    found = np.full(where.routers, -1, np.int32)
    for rank in range(where.top, -1, -1):
        found[where.members(source, rank)] = rank
    return found


def tree_data(net: Network, tree: MulticastTree) -> dict[str, Any]:
    """One multicast: figures, receivers ascending, and the steps of the hops with their channels (router * P + port).

    >>> net = build("rdt:8")
    >>> made = tree_data(net, multicast_tree(territories(net), scheme("SM"), 36, [37, 44]))
    >>> made["unnecessary"], made["receivers"].tolist()
    (0, [37, 44])
    """
    return {
        "top": tree.address.top,
        "root": tree.root,
        "bits": tree.bits,
        "steps": tree.steps,
        "unnecessary": tree.unnecessary,
        "remade": np.array(sorted(tree.remade), np.int32),
        "receivers": np.array(sorted(tree.receivers), np.int32),
        "step": np.array([hop.step for hop in tree.hops], np.int32),
        "channel": _channels(net, tree),
    }


def _channels(net: Network, tree: MulticastTree) -> I32:
    """(hops,) the channel of each hop: that of its rank, where several lead to one router."""
    rank = np.where(net.link_class >= 0, net.class_rank[net.link_class], -1)
    found = [
        hop.sender * net.ports
        + int(np.flatnonzero((net.neighbor[hop.sender] == hop.receiver) & (rank[hop.sender] == hop.rank))[0])
        for hop in tree.hops
    ]
    return np.array(found, np.int32)
