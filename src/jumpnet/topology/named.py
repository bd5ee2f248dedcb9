"""Networks that a user made in Python under a name, so that they have a spec string: `graph:NAME`.

`jumpnet.graph.exchange.from_networkx` makes a Network of a NetworkX graph; `add_graph` names it for this process.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.network import Network, from_links
from jumpnet.topology._family import Family

__all__ = ["NamedGraph", "add_graph"]


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
    return f"graph:{name}"


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
