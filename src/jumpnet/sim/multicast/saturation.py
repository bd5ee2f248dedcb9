"""Saturation of a network under multicasts: the highest load, a multicast counted once, that its sources keep up with.

The search and the verdict are those of `sim.saturation`; packets to one destination may travel beside the multicasts.
Used by the command line.
"""

from __future__ import annotations

from typing import Any

from jumpnet.network import Network
from jumpnet.sim.config import preset
from jumpnet.sim.multicast.config import multicast_config, split_settings
from jumpnet.sim.multicast.simulate import MulticastResult, simulate_multicasts
from jumpnet.sim.multicast.trees import Trees
from jumpnet.sim.saturation import Saturation, search_load
from jumpnet.topology import build

__all__ = ["find_multicast_saturation"]


def find_multicast_saturation(
    network: str | Network, routing: str = "", *, name: str = "booksim", resolution: float = 0.02, **settings: Any
) -> Saturation[MulticastResult]:
    """Search the saturation load to a relative `resolution` (0..1); about ten runs, all on the same trees.

    Other arguments as in `simulate_multicasts`; `load` is where the search starts. The throughput counts what receivers
    get, so that it is above the load. Raises JumpnetError as `simulate_multicasts` does.

    >>> found = find_multicast_saturation("mesh:3x3", destinations=3, packet_flits="4", flow_control="cut_through",
    ...                                   resolution=0.2, warmup_cycles=200, measure_cycles=1000)
    >>> 0.1 < found.load < found.saturated_load < 0.5, found.throughput > found.load
    (True, True)
    """
    net = build(network) if isinstance(network, str) else network
    mine, own = split_settings(settings)
    base, cast = preset(name, **mine), multicast_config(own)
    trees = Trees(net, cast.multicast, routing, base.vcs, cast.scheme, cast.tree_routing, base.least_vcs)

    def simulated(load: float) -> MulticastResult:
        return simulate_multicasts(net, routing, base.replace(load=load, drain=False), cast, trees=trees)

    return search_load(simulated, base.load, resolution)
