"""Balanced shortest paths in layers (DFSSSP) on any network: cycles of dependencies are broken at their weakest place.

Source: Domke, Hoefler and Nagel 2011. As `lash`, every pair keeps to one path and one layer of virtual channels, and no
layer has a cycle; but paths are chosen to spread the load, and all begin in layer 0: as long as it has a cycle, the
dependency of the cycle with the fewest paths loses them to the next layer. Paths from routers without terminals come
afterwards, each into the first layer that it leaves without a cycle. net.table as in `lash`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings._layers import extend_layers
from jumpnet.routings._routing import Routing
from jumpnet.routings._sssp import balanced_ports, break_cycles
from jumpnet.routings._tables import distances
from jumpnet.routings.lash import LayeredTables, relation, start
from jumpnet.terms import I16

__all__ = ["DFSSSP"]


def _assign(net: Network, layer: I16, limit: int) -> tuple[I16, int]:
    ports = np.empty_like(layer)
    ends = net.terminals + net.sinks > 0
    balanced_ports(net.neighbor, distances(net), ends, ports)
    layers = break_cycles(net.neighbor, ports, ends, layer, limit)
    return ports, extend_layers(net.neighbor, ports, ends, layer, layers, limit)


_tables = LayeredTables("dfsssp", _assign)

DFSSSP = Routing(
    name="dfsssp",
    relation=relation,
    start=start,
    prepare=_tables.prepare,
    vcs=_tables.layers,
    source="Domke, Hoefler and Nagel 2011",
    summary="balanced shortest paths in acyclic layers, any network; as many virtual channels as it finds necessary",
)
