"""The least number of virtual channels with which one table of shortest paths can be free of deadlock.

Every pair keeps to its path and to one virtual channel; each channel's dependency graph must have no cycle. Finding the
least number is hard in general, so it is bracketed: one channel is enough exactly when the whole dependency graph is
acyclic, and a layered assignment (LASH) that was found is enough. Source: Skeie, Lysne and Theiss 2002.
Used by `jumpnet prove --least-vcs`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.networks import Network
from jumpnet.routings import bind

__all__ = ["LeastChannels", "least_channels"]


class LeastChannels(NamedTuple):
    """Bounds on the number of virtual channels; exact when both are equal."""

    lower: int
    """No assignment needs fewer: 1 when the paths have no cycle of dependencies, else 2."""
    upper: int
    """An assignment with so many was found, and each of its layers is acyclic."""

    @property
    def exact(self) -> int | None:
        """The least number, when the bounds meet."""
        return self.lower if self.lower == self.upper else None


def least_channels(net: Network) -> LeastChannels:
    """Bounds on the virtual channels that the first shortest path of every pair needs, one channel a pair.

    Cost: one dependency graph of `minimal` and the layers of `lash`; tables of R^2 entries, refused where too big.

    >>> from jumpnet.topology import build
    >>> least_channels(build("mesh:4x4")).exact, least_channels(build("torus:5")).exact
    (1, 2)
    """
    order = order_or_cycle(*dependencies(bind("minimal", net, 1)).rows)
    return LeastChannels(1 if order.number is not None else 2, bind("lash", net).needed)
