"""Wafers, for the page: arrays with drawn defects, and what each method makes of them, wire by wire.

Each is the answer of `jumpnet reconfigure`; the wires are those of its picture, in hundredths of the distance between
elements.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from jumpnet.analysis.paper_wafers import SPEC as PAPER
from jumpnet.analysis.paper_wafers import YIELD_CORE, YIELD_DENSITIES, YIELD_WAFERS, paper_wafers
from jumpnet.analysis.reconfigure import WaferNetwork, array_for, reconfigure
from jumpnet.fault.array import WaferArray
from jumpnet.fault.method import exact, graph, local
from jumpnet.fault.yields import BOUND, wafer_yield
from jumpnet.networks import Network
from jumpnet.plot.wafer import axis_wires, element_kind
from jumpnet.terms import I32, NO_ROUTER, Array
from jumpnet.topology import build

__all__ = ["DENSITIES", "KINDS", "METHODS", "PANEL", "SEEDS", "SPECS", "data", "links_of", "specs", "wafer_data"]

PANEL = "wafer"
SPECS = ("srt2d:8", "srt2d:16", "torus:8x8")
DENSITIES = (0.02, 0.05, 0.1)
SEEDS = (1, 2, 3, 4)
METHODS = (local, graph, exact)
KINDS = ("in its own place", "shifted", "spare in use", "spare, unused", "defective", "no path found")
"""What an element is, by the words of the picture's legend."""
WAFERS = 500
"""Wafers of a yield."""
PARTS = 100
"""Parts of the distance between elements in which places are told."""


def specs() -> list[str]:
    """Networks whose wafers are there."""
    return list(SPECS)


def data() -> dict[str, Any]:
    """All wafers. Cost: some CPU seconds."""
    return {
        "kinds": list(KINDS),
        "densities": list(DENSITIES),
        "seeds": list(SEEDS),
        "methods": [{"name": each.NAME, "summary": each.SUMMARY} for each in METHODS],
        "wafers": WAFERS,
        "networks": [_network(build(spec)) for spec in SPECS],
        "papers": {"spec": PAPER, "made": _papers()},
        "curves": _curves(),
    }


def _papers() -> list[dict[str, Any]]:
    """The wafers of the SRT report's figures: the figure, its defects (row, column), and the wafer."""
    net = build(PAPER)
    return [
        {"figure": figure, "bad": np.argwhere(made.configuration.bad).tolist(), **wafer_data(net, made)}
        for figure, made in paper_wafers().items()
    ]


def _curves() -> dict[str, Any]:
    """Parts of wafers that are repaired, by density and method, and their bound: the yields of the SRT's report."""
    array = array_for(build(YIELD_CORE))
    names = [*(each.NAME for each in METHODS), BOUND]
    parts = [[wafer_yield(array, d, YIELD_WAFERS, method=name).fraction for d in YIELD_DENSITIES] for name in names]
    return {
        "spec": YIELD_CORE,
        "wafers": YIELD_WAFERS,
        "densities": list(YIELD_DENSITIES),
        "names": names,
        "parts": parts,
    }


def _network(net: Network) -> dict[str, Any]:
    array = array_for(net)
    return {
        "spec": net.spec,
        "shape": list(array.shape),
        "core": [array.north, array.west, array.rows, array.columns],
        "area": array.area_ratio,
        "links": links_of(net)[1],
        "made": [
            [
                [
                    wafer_data(net, reconfigure(net.spec, method=each.NAME, density=density, seed=seed))
                    for each in METHODS
                ]
                for seed in SEEDS
            ]
            for density in DENSITIES
        ],
        "yields": [[_yield(array, density, each.NAME) for each in METHODS] for density in DENSITIES],
    }


def _yield(array: WaferArray, density: float, name: str) -> list[float]:
    """Repaired wafers, and the ends of the band of their part."""
    found = wafer_yield(array, density, WAFERS, method=name)
    return [found.repaired, *found.band]


def links_of(net: Network) -> tuple[list[tuple[int, int]], I32]:
    """The pairs of routers with a link, smaller first, ascending; and of each the first channel (router * P + port).

    >>> pairs, channels = links_of(build("torus:4x4"))
    >>> pairs[:2], channels[:2].tolist()
    ([(0, 1), (0, 3)], [0, 1])
    """
    found: dict[tuple[int, int], int] = {}
    for r, p in np.argwhere(net.neighbor != NO_ROUTER).tolist():
        s = int(net.neighbor[r, p])
        found.setdefault((min(r, s), max(r, s)), r * net.ports + p)
    pairs = sorted(found)
    return pairs, np.array([found[pair] for pair in pairs], np.int32)


def wafer_data(net: Network, made: WaferNetwork) -> dict[str, Any]:
    """One wafer: elements, paths, wires, and where it is repaired the segments of each link of the network.

    >>> net = build("srt2d:8")
    >>> found = wafer_data(net, reconfigure("srt2d:8", density=0.05, seed=1))
    >>> found["repaired"], found["kind"].shape, int(found["segments"].max()) == found["longest"]
    (True, (10, 10), True)
    """
    found = made.configuration
    height, width = found.array.shape
    lost = {(int(x), int(y)) for x, y in found.unrepaired}
    kinds = [[KINDS.index(element_kind(found, x, y, lost)) for y in range(width)] for x in range(height)]
    across, down = axis_wires(found, 0), axis_wires(found, 1)
    straight, bent = ([line for line in across[0] + down[0] if (len(line) > 2) == bend] for bend in (False, True))
    return {
        "repaired": made.repaired,
        "defects": int(found.bad.sum()),
        "faults": len(found.faults),
        "unrepaired": len(found.unrepaired),
        "longest": made.longest_wire if made.repaired else None,
        "added": [int(made.added_segments.max()), float(made.added_segments.mean())] if made.repaired else None,
        "why": None if found.certificate is None else found.certificate["kind"],
        "kind": np.array(kinds, np.int32),
        "owner": found.owner.astype(np.int32),
        "paths": _polylines([np.array(path)[:, ::-1] for path in found.paths()], 1),
        "wires": {"straight": _polylines(straight), "bent": _polylines(bent)},
        "through": _polylines(across[1] + down[1]),
        "turned": _hundredths(np.concatenate([across[2], down[2]])),
        "segments": _segments(net, made) if made.repaired else None,
    }


def _segments(net: Network, made: WaferNetwork) -> I32:
    """(links,) segments of the wire of each link, in the order of `links_of`."""
    return np.array([made.segments[pair] for pair in links_of(net)[0]], np.int32)


def _hundredths(points: Array) -> I32:
    return np.rint(points.reshape(-1, 2) * PARTS).astype(np.int32)


def _polylines(lines: list[Array], parts: int = PARTS) -> dict[str, I32]:
    """Lines as one (points, 2) array and where each of them ends."""
    points = np.concatenate([np.zeros((0, 2)), *lines]) * parts
    return {"points": np.rint(points).astype(np.int32), "end": np.array([*accumulate(map(len, lines))], np.int32)}
