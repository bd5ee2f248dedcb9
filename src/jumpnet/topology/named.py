"""Networks that a user made in Python under a name, so that they have a spec string: `graph:NAME`.

`jumpnet.add_graph` names a NetworkX graph or a Network for this process, and for those that run points of its sweeps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.networks import Network, from_links
from jumpnet.registry import users
from jumpnet.topology._family import Family

__all__ = ["NamedGraph", "add_graph", "graphs_in", "name_by_content", "with_graphs"]


def _petersen() -> Network:
    """The Petersen graph, so that the family has one member to try."""
    i = np.arange(5)
    ends = np.concatenate([np.stack(pair, axis=1) for pair in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))])
    angle = np.pi / 2 + 2 * np.pi * np.arange(10) / 5
    place = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.repeat([2.0, 1.0], 5)[:, None]
    return from_links("graph:petersen", "graph", 10, ends, position=place)


_known: dict[str, Network] = {"petersen": _petersen()}


def add_graph(name: str, net: Network) -> str:
    """Name a network for this process and return its spec; the same name given again replaces it (notebooks).

    Raises JumpnetError for a name with characters other than letters, digits, `_`, `-` and dots.

    >>> from jumpnet.topology import build
    >>> build(add_graph("mine", build("torus:3x3"))).routers
    9
    """
    if not re.fullmatch(r"[\w.-]{1,100}", name):
        raise JumpnetError(f"graph name {name!r} found, letters, digits, '_', '-' and dots expected")
    _known[name] = net.renamed(f"graph:{name}")
    if users.loading:  # a file that is being loaded: points that name the graph need the file
        users.origins.setdefault(name, set()).add(users.loading)
    return f"graph:{name}"


def name_by_content(net: Network) -> str:
    """Name a network for this process by what it is and where its routers are drawn, and return its spec.

    >>> name_by_content(_petersen())[:6]
    'graph:'
    """
    return add_graph(net.content_name, net)


def graphs_in(specs: Iterable[str]) -> dict[str, Network]:
    """The networks that this process knows and specs name, for processes that do not know them.

    >>> list(graphs_in(["torus:4x4", "graph:petersen"]))
    ['petersen']
    """
    families = (spec.strip().partition(":") for spec in specs)
    names = {name for family, _, name in families if family == NamedGraph.name}
    # Without the graphs of NetworkX: their attributes may be what no other process can read.
    return {name: replace(net, given=None) for name, net in _known.items() if name in names}


def with_graphs(graphs: Mapping[str, Network], work: Callable[[Any], Any], given: Any) -> Any:
    """`work(given)` where these networks are known by name: what workers run."""
    for name, net in graphs.items():
        add_graph(name, net)
    return work(given)


@dataclass(frozen=True)
class NamedGraph(Family):
    """`graph:petersen`: a network that `add_graph` named in this process; the Petersen graph is there from the start.

    Everything of it (ports, coordinates, params) is as whoever made it says.
    """

    graph: str
    """Name that `add_graph` was given."""

    name: ClassVar[str] = "graph"
    samples: ClassVar[tuple[str, ...]] = ("graph:petersen",)

    def __post_init__(self) -> None:
        if self.graph not in _known:
            raise unknown_name("graph", self.graph, _known)

    def build(self) -> Network:
        return _known[self.graph]

    def size(self) -> tuple[int, int]:
        return _known[self.graph].routers, _known[self.graph].ports
