"""Random faults, for the page: which routers or links of a seed fail, and what routings make of the rest.

The points are those of `jumpnet degrade --no-simulate`. What faults of one's own choice leave the page measures itself,
by plain searches from every router.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.fault.random_faults import KINDS, fault_order
from jumpnet.networks import Network
from jumpnet.study.degrade import degradation_table
from jumpnet.terms import I32
from jumpnet.topology import build

__all__ = ["COUNTS", "FIELDS", "PANEL", "ROUTINGS", "SEEDS", "data", "faulty", "points", "specs"]

PANEL = "faults"
COUNTS = (0, 1, 2, 4, 8, 12, 16)
SEEDS = (1, 2, 3)
GENERIC = ("lash", "up_down")
"""Routings of any two-way network."""
ROUTINGS: dict[str, tuple[str, ...]] = {
    "torus:8x8": GENERIC,
    "mesh:8x8": GENERIC,
    "hypercube:6": GENERIC,
    "rdt:8": (*GENERIC, "rdt.fault_tolerant"),
    "rdt:16": (*GENERIC, "rdt.fault_tolerant"),
    "srt2d:8": GENERIC,
    "rdn:3,k=1": GENERIC,
    "dragonfly:2": GENERIC,
}
FIELDS = ("endpoints", "reachable", "average_distance", "average_route", "longest_route", "vcs", "verdict")
"""Figures of a point, as `study.degrade.point_row` names them."""


def specs() -> list[str]:
    """Networks with figures of routings."""
    return list(ROUTINGS)


def data() -> dict[str, Any]:
    """All networks. Cost: some CPU seconds, most of them proofs."""
    return {
        "counts": list(COUNTS),
        "seeds": list(SEEDS),
        "fields": list(FIELDS),
        "networks": [_network(build(spec), routings) for spec, routings in ROUTINGS.items()],
    }


def _network(net: Network, routings: tuple[str, ...]) -> dict[str, Any]:
    return {
        "spec": net.spec,
        "order": {kind: [faulty(net, kind, seed) for seed in SEEDS] for kind in KINDS},
        "routings": [{"name": name, "points": {kind: points(net, name, kind) for kind in KINDS}} for name in routings],
    }


def faulty(net: Network, kind: str, seed: int) -> I32:
    """(faults,) the first routers, or channels (router * P + port) of links, that fail.

    >>> faulty(build("torus:4x4"), "nodes", 1)[:3].tolist()
    [7, 4, 14]
    """
    order = fault_order(net, kind, seed)[: COUNTS[-1]]
    return np.array(order[:, 0] if kind == "nodes" else order[:, 0] * net.ports + order[:, 1], np.int32)


def points(net: Network, routing: str, kind: str) -> list[list[list[Any]]]:
    """For each seed a row of `FIELDS` for each of `COUNTS`; None where a routing has no such figure."""
    table = degradation_table(net, COUNTS, kind, SEEDS, routing)
    return [[[row["points"][k][field] for field in FIELDS] for row in table] for k in range(len(SEEDS))]
