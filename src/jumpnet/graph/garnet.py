"""Networks for Garnet, the network of the gem5 simulator: a topology class for gem5's folder `configs/topologies`.

Source: gem5's topologies (`SimpleTopology.makeTopology`). A file `Name.py` there is chosen by `--topology=Name`, so the
class has the name of the file. With `--routing-algorithm=0` Garnet routes by its own table of least total weight; all
weights are 1 here. It offers no way to load another table, and adds no channel classes against deadlock.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph.links import write_lines
from jumpnet.networks import Network

__all__ = ["garnet_lines", "write_garnet"]

CLASS = '''\
"""{summary}, written by jumpnet; for gem5's configs/topologies."""

from m5.objects import *
from m5.params import *
from topologies.BaseTopology import SimpleTopology

ROUTERS = {routers}

# Router of each terminal. Controllers are dealt out over the terminals in turn.
TERMINALS = {terminals}

# From router, to router, output port, input port, latency in cycles (0: as --link-latency).
CHANNELS = (
{channels}
)


class {name}(SimpleTopology):
    description = {summary!r}

    def __init__(self, controllers):
        self.nodes = controllers

    def makeTopology(self, options, network, IntLink, ExtLink, Router):
        routers = [Router(router_id=r, latency=options.router_latency) for r in range(ROUTERS)]
        ext_links = [
            ExtLink(
                link_id=i,
                ext_node=node,
                int_node=routers[TERMINALS[i % len(TERMINALS)]],
                latency=options.link_latency,
            )
            for i, node in enumerate(self.nodes)
        ]
        int_links = [
            IntLink(
                link_id=len(ext_links) + i,
                src_node=routers[here],
                dst_node=routers[there],
                src_outport="out%d" % port,
                dst_inport="in%d" % arrival,
                latency=cycles or options.link_latency,
                weight=1,
            )
            for i, (here, there, port, arrival, cycles) in enumerate(CHANNELS)
        ]
        network.routers = routers
        network.ext_links = ext_links
        network.int_links = int_links'''


def garnet_lines(net: Network, name: str = "Jumpnet") -> Iterator[str]:
    """The lines of a Python file with the topology class `name`.

    Raises JumpnetError for a name that is no class name, for a network without terminals, and where a terminal enters
    at one router and leaves at another (Garnet's external links are two-way).
    """
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise JumpnetError(f"garnet: name {name!r} found, a Python class name expected (that of the file)")
    if (net.terminals != net.sinks).any():
        raise JumpnetError(f"{net.spec}: terminals that enter and leave at different routers; Garnet has none such")
    if net.endpoints == 0:
        raise JumpnetError(f"{net.spec}: no terminals found, at least one expected")
    router, port, far = net.channel_ends
    cycles = np.zeros(len(router), np.int64) if net.latency is None else net.latency[router, port]
    columns = router, far, port, net.far_port[router, port], cycles
    table = zip(*(column.tolist() for column in columns), strict=True)
    # Only numbers and a plain summary enter the program text, nothing that a file or a label says.
    summary = f"{net.routers} routers, {net.channels} channels, {net.endpoints} terminals"
    text = CLASS.format(
        summary=summary,
        routers=net.routers,
        terminals=tuple(net.terminal_router.tolist()),
        channels="\n".join(f"    {row}," for row in table),
        name=name,
    )
    yield from text.split("\n")


def write_garnet(net: Network, path: str | Path) -> None:
    """Write a gem5 topology; the class has the name of the file. See `garnet_lines`."""
    write_lines(path, garnet_lines(net, Path(path).stem))
