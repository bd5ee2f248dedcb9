"""What multicast forwarding is: where a packet branches at a router, told from its header alone.

The multicast counterpart of a routing relation: `fork(here, stage, read)` gives every channel that the packet leaves
by and whether the router's own terminal receives. A router serves each branch as soon as its channel is free. The same
function makes the simulator's trees (`plan`) and the dependency graph of a proof (`analysis.multicast`).
Used by `plan`, `chip_rules` and the proofs of `analysis/multicast`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from jumpnet.network import Network

__all__ = ["Branch", "Fork", "Forwarding", "Read"]

Read = Callable[[int, tuple[int, ...]], int]
"""`read(rank, node)`: the mask of children that the header names for a node of the tree (digits from the top down)."""


class Branch(NamedTuple):
    """One channel that a copy of the packet leaves by."""

    port: int
    vc: int
    stage: Any
    """Header of that copy at the next router, hashable."""


class Fork(NamedTuple):
    """What a packet does at a router."""

    branches: tuple[Branch, ...]
    local: bool
    """Whether the terminal of this router receives."""
    again: Any = None
    """Header of the packet that the processor of this router makes and sends on, when this one is forced to it."""


class Forwarding(Protocol):
    """A multicast algorithm on a network, with fixed routes: a smaller set of receivers only leaves branches out."""

    @property
    def network(self) -> Network:
        """The network."""

    @property
    def name(self) -> str:
        """Spec of the algorithm, for results."""

    @property
    def vcs(self) -> int:
        """Virtual channels of a port that it uses."""

    def starts(self) -> Iterator[tuple[int, Any]]:
        """Every (router, header) with which a multicast may enter the network."""

    def fork(self, here: int, stage: Any, read: Read | None = None) -> Fork:
        """Branches of a packet with that header at a router; all that any packet may have when `read` is None."""
