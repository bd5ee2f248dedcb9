"""What the simulated sections share: the network of 256 clusters, one traffic a scheme, curves over the load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jumpnet.paper._section import Cell, Figure
from jumpnet.sim.config import preset
from jumpnet.sim.multicast.load import MulticastPoint, MulticastTraffic
from jumpnet.topology import build

__all__ = ["CHIP", "NETWORK", "curves", "cycles_cell", "traffic"]

NETWORK = "rdt:16"
"""RDT(2,4,1)/alpha with 256 routers: the clusters of the JUMP-1 prototype (nishi1997router section 2.1)."""
CHIP = preset("jump1")
"""The router chip: five clocks a hop, two virtual channels, buffers of a whole packet."""
SIGMA = 1.0
SEED = 1995


@cache
def traffic(scheme: str, destinations: int) -> MulticastTraffic:
    """Random multicasts of that many destinations at sigma 1, two different sets from each router."""
    return MulticastTraffic(build(NETWORK), scheme, sigma=SIGMA, destinations=destinations, seed=SEED)


def cycles_cell(point: MulticastPoint, cycles: float) -> Cell:
    """A mean time, or that the load is too high."""
    return Cell(None, f"{cycles:.0f}" if point.finished else "too high")


def curves(
    name: str,
    title: str,
    label: str,
    loads: Sequence[float],
    found: Mapping[str, Sequence[float]],
    x_label: str = "multicasts per router and 1000 cycles",
) -> Figure:
    """One line for each way of sending, over the load."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for way, values in found.items():
            axes.plot(loads, values, marker="o", markersize=3, label=way)
        axes.set_yscale("log")
        axes.set_xlabel(x_label)
        axes.set_ylabel(label)
        axes.legend()

    data: dict[str, Sequence[Any]] = {x_label: list(loads), **found}
    return Figure(name, title, "computed here", draw, data)
