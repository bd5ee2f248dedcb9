"""Multicasts, for the page: what it needs to grow trees of any source and destinations, and some to begin with.

A directory is one of a few sets of destinations, each the first `COUNTS` of an order. Trees are grown in the page, by
`explore.kernels.trees`.
"""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels.trees import SCHEMES, tree_rows, tree_tables
from jumpnet.explore.packed import pack
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import Territories, territories
from jumpnet.networks import Network

__all__ = ["COUNTS", "DIRECTORIES", "PANEL", "SPECS", "data", "directory", "element", "source_of", "specs"]

PANEL = "multicast"
SPECS = ("rdt:8", "rdt:16", "rdt:32", "rdt:64", "prdt:8", "prdt:16")
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
    """All networks and directories.

    >>> sorted(data()["networks"][0])
    ['bits', 'directories', 'rows', 'source', 'spec', 'tables', 'top']
    """
    return {
        "schemes": [{"name": name, "summary": scheme(name).summary} for name in SCHEMES],
        "counts": list(COUNTS),
        "networks": [_network(territories(spec)) for spec in SPECS],
    }


def element(net: Network) -> str:
    """A network besides those of `specs` as an element of the page; empty where it has no territories.

    >>> from jumpnet.topology import build
    >>> element(build("rdt:24"))[:88]
    '<script type="application/x-jumpnet-panel" data-panel="multicast" data-spec="rdt:24">eNr'
    >>> element(build("torus:4x4"))
    ''
    """
    try:
        where = territories(net)
    except JumpnetError:  # another family, or a cardinal number that is too large
        return ""
    about = f'data-panel="{PANEL}" data-spec="{escape(net.spec)}"'
    return f'<script type="application/x-jumpnet-panel" {about}>{pack(_network(where))}</script>\n'


def _network(where: Territories) -> dict[str, Any]:
    return {
        "spec": where.spec,
        "source": source_of(where),
        "top": where.top,
        "tables": tree_tables(where),
        "rows": tree_rows(where),
        "bits": [[scheme(name).header_bits(top + 1, where.fanout) for top in range(where.top + 1)] for name in SCHEMES],
        "directories": [
            {"name": name, "destinations": np.array(directory(where, name), np.int32)} for name in DIRECTORIES
        ],
    }
