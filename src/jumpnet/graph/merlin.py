"""Networks for the network simulator Merlin of the Structural Simulation Toolkit (SST).

Source: Merlin's `topoAny`, whose `topoAny.import_graph("net.graphml")` takes a GraphML file with the integer
`endpoints` on every node, numbers routers in the order of the file, and gives all links one latency
(`topo.link_latency`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph.links import links_of, write_lines
from jumpnet.networks import Network

__all__ = ["merlin_lines", "write_merlin"]


def merlin_lines(net: Network) -> Iterator[str]:
    """The lines of a GraphML file for `topoAny`; endpoints get the numbers of the terminals.

    Raises JumpnetError for what Merlin cannot take: one-way or parallel links, links of different latency, routers
    whose numbers of terminals and sinks differ. Its paths come from its own search or a function of the user's.
    """
    if net.directed or (net.terminals != net.sinks).any():
        raise JumpnetError(f"{net.spec}: one-way links found; Merlin has two-way links only")
    links = links_of(net)
    pairs = np.sort(links.ends, axis=1)
    if len(np.unique(pairs, axis=0)) < len(pairs):
        raise JumpnetError(f"{net.spec}: parallel links found; Merlin's topoAny has single links only")
    if net.latency is not None and len(np.unique(links.latency)) > 1:
        raise JumpnetError(f"{net.spec}: links of different latency found; Merlin's topoAny has one for all")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield '  <key id="endpoints" for="node" attr.name="endpoints" attr.type="int"/>'
    yield '  <graph edgedefault="undirected">'
    for r in range(net.routers):
        yield f'    <node id="{r}"><data key="endpoints">{int(net.terminals[r])}</data></node>'
    for u, v in links.ends.tolist():
        yield f'    <edge source="{u}" target="{v}"/>'
    yield "  </graph>"
    yield "</graphml>"


def write_merlin(net: Network, path: str | Path) -> None:
    """Write a GraphML file for Merlin's `topoAny`; see `merlin_lines`."""
    write_lines(path, merlin_lines(net))
